//! Questions to models, as scalar functions.

use crate::{
    Error,
    columns::{Given, Takes, present},
    results,
    store::Store,
};
use datafusion::{
    arrow::{
        array::{Array, ArrayRef, BooleanArray, UInt32Array, new_null_array},
        buffer::NullBuffer,
        compute::{filter, take},
        datatypes::{DataType, Field, FieldRef},
    },
    common::{Result, ScalarValue, internal_err},
    logical_expr::{
        ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
    },
};
use npt_estimator::{Data, Model};
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    Predict,
    Probabilities,
    Transform,
    Novelty,
}

impl Question {
    pub const ALL: [Self; 4] = [
        Self::Predict,
        Self::Probabilities,
        Self::Transform,
        Self::Novelty,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Predict => "npt_predict",
            Self::Probabilities => "npt_probabilities",
            Self::Transform => "npt_transform",
            Self::Novelty => "npt_novelty",
        }
    }

    fn ask(self, model: &Model, data: &Data) -> Result<ArrayRef, Error> {
        match self {
            Self::Predict => Ok(results::predictions(model.predict(data)?, model)),
            Self::Probabilities => Ok(results::probabilities(
                &model.predict_probabilities(data)?,
                model,
            )),
            Self::Transform => Ok(results::lists(&model.transform(data)?)),
            Self::Novelty => results::novelty(model, data),
        }
    }
}

/// A function that asks the model that its first argument names, about the columns in its other arguments.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct ModelFunction {
    question: Question,
    models: Store<Model>,
    signature: Signature,
}

impl ModelFunction {
    pub fn new(question: Question, models: Store<Model>) -> Self {
        Self {
            question,
            models,
            signature: Signature::variadic_any(Volatility::Immutable),
        }
    }

    fn model(&self, literal: Option<&ScalarValue>) -> Result<Arc<Model>, Error> {
        let found = literal
            .map(|literal| self.models.get(literal))
            .transpose()?;
        found.flatten().ok_or(Error::NotLiteral {
            function: self.question.name(),
            of: "a model",
        })
    }
}

fn takes(model: &Model) -> Takes<'_> {
    Takes {
        names: model.columns(),
        categories: model.categories(),
    }
}

fn names(fields: &[FieldRef]) -> Vec<String> {
    fields.iter().map(|field| field.name().clone()).collect()
}

impl ScalarUDFImpl for ModelFunction {
    fn name(&self) -> &str {
        self.question.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        internal_err!("the type of the result depends on the model")
    }

    /// The type of the result is that of the model's answer about one made-up row.
    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let model = self.model(args.scalar_arguments.first().copied().flatten())?;
        let columns = args.arg_fields.get(1..).unwrap_or_default();
        let types = columns.iter().map(|field| field.data_type().clone());
        let given = Given::types(names(columns), types.collect());
        let takes = takes(&model);
        takes.check(&given)?;
        let row = results::made_row(&takes, takes.arranged(&given)?.len())?;
        let answer = self.question.ask(&model, &row)?;
        let kind = answer.data_type().clone();
        Ok(Arc::new(Field::new(self.name(), kind, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let mut values = args.args.into_iter();
        let model = match values.next() {
            Some(ColumnarValue::Scalar(literal)) => self.model(Some(&literal))?,
            _ => self.model(None)?,
        };
        let arrays = values.map(|value| value.into_array(args.number_rows));
        let arrays = arrays.collect::<Result<Vec<_>>>()?;
        let names = names(args.arg_fields.get(1..).unwrap_or_default());
        let takes = takes(&model);
        let columns = takes.arranged(&Given::arrays(names, &arrays))?;
        // A row is missing if its struct is missing, or its value in one of the columns.
        let mut missing = arrays.iter().map(present).collect::<Vec<_>>();
        if model.estimator().takes_missing_values() {
            missing.retain(|_| matches!(arrays[0].data_type(), DataType::Struct(_)));
        } else {
            missing.extend(columns.iter().map(|(_, array)| present(array)));
        }
        let missing = missing.iter().fold(None, |all, nulls| {
            NullBuffer::union(all.as_ref(), nulls.as_ref())
        });
        let kind = args.return_field.data_type();
        let answer = self.answer(&model, columns, missing, args.number_rows, kind)?;
        Ok(ColumnarValue::Array(answer))
    }
}

impl ModelFunction {
    /// The answers about the rows in which no value is missing, each at the place of its row.
    fn answer(
        &self,
        model: &Model,
        columns: Vec<(String, ArrayRef)>,
        missing: Option<NullBuffer>,
        rows: usize,
        kind: &DataType,
    ) -> Result<ArrayRef> {
        let ask = |columns| -> Result<ArrayRef> {
            Ok(self.question.ask(model, &takes(model).data(columns)?)?)
        };
        let Some(nulls) = missing.filter(|nulls| nulls.null_count() > 0) else {
            return if rows == 0 {
                Ok(new_null_array(kind, 0))
            } else {
                ask(columns)
            };
        };
        if nulls.null_count() == rows {
            return Ok(new_null_array(kind, rows));
        }
        let is_whole = BooleanArray::new(nulls.inner().clone(), None);
        let whole = columns
            .into_iter()
            .map(|(name, array)| Ok((name, filter(&array, &is_whole)?)));
        let answers = ask(whole.collect::<Result<Vec<_>>>()?)?;
        let mut next = 0;
        let places = nulls.iter().map(|is_whole| {
            is_whole.then(|| {
                next += 1;
                next - 1
            })
        });
        Ok(take(&answers, &places.collect::<UInt32Array>(), None)?)
    }
}
