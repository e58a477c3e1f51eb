//! Sums of kernel coordinates, as an aggregate.

use crate::{
    Error,
    columns::{Given, Takes, doubles, present},
    results::labels_of,
    store::Store,
};
use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray as _},
        datatypes::{DataType, Field, FieldRef},
    },
    common::{Result, ScalarValue, plan_err},
    logical_expr::{
        Accumulator, AggregateUDFImpl, Signature, Volatility,
        function::{AccumulatorArgs, StateFieldsArgs},
    },
    physical_expr::expressions::Literal,
};
use ndarray::{Array1, Array2};
use npt_estimator::{PartialSums, Sums, TargetKind, Targets};
use std::sync::Arc;

/// The aggregate `kernel_moments(sums, target, columns…)`, or `kernel_moments_weighted`, which takes weights of the rows before the target.
///
/// A state is the bytes of [`PartialSums`], and missing if there were no rows. Merging needs no landmarks: the machine that merges
/// states reads none.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct KernelMoments {
    is_weighted: bool,
    sums: Store<Sums>,
    signature: Signature,
}

impl KernelMoments {
    pub fn new(is_weighted: bool, sums: Store<Sums>) -> Self {
        Self {
            is_weighted,
            sums,
            signature: Signature::variadic_any(Volatility::Immutable),
        }
    }

    fn function(&self) -> &'static str {
        if self.is_weighted {
            "kernel_moments_weighted"
        } else {
            "kernel_moments"
        }
    }

    /// The number of arguments in front of the columns.
    fn before_columns(&self) -> usize {
        2 + usize::from(self.is_weighted)
    }
}

impl AggregateUDFImpl for KernelMoments {
    fn name(&self) -> &str {
        self.function()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        if types.len() <= self.before_columns() {
            return plan_err!(
                "{} takes sums, {}a target or null, and one column or more",
                self.function(),
                if self.is_weighted { "weights, " } else { "" }
            );
        }
        Ok(DataType::LargeBinary)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let name = format!("{}[moments]", args.name);
        Ok(vec![Arc::new(Field::new(
            name,
            DataType::LargeBinary,
            true,
        ))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct || !args.order_bys.is_empty() {
            return plan_err!("{} takes neither distinct nor order by", self.function());
        }
        let literal = args
            .exprs
            .first()
            .and_then(|first| first.downcast_ref::<Literal>());
        let names = args.expr_fields.iter().map(|field| field.name().clone());
        Ok(Box::new(Moments {
            function: self.function(),
            is_weighted: self.is_weighted,
            store: self.sums.clone(),
            literal: literal.map(|literal| literal.value().clone()),
            names: names.collect(),
            sums: None,
            merged: None,
        }))
    }
}

/// The sums over the rows of one part, and states that were merged.
#[derive(Debug)]
struct Moments {
    function: &'static str,
    is_weighted: bool,
    store: Store<Sums>,
    /// The argument that names the landmarks.
    literal: Option<ScalarValue>,
    /// The names of all arguments.
    names: Vec<String>,
    sums: Option<Sums>,
    merged: Option<PartialSums>,
}

impl Moments {
    /// Reads sums without samples, when the first rows come.
    fn begun(&self) -> Result<Sums, Error> {
        let found = self
            .literal
            .as_ref()
            .map(|literal| self.store.get(literal))
            .transpose()?;
        let sums = found.flatten().ok_or(Error::NotLiteral {
            function: self.function,
            of: "sums",
        })?;
        Ok(sums.anew())
    }

    fn add(&self, sums: &mut Sums, values: &[ArrayRef]) -> Result<(), Error> {
        let first = 2 + usize::from(self.is_weighted);
        let takes = Takes {
            names: sums.columns(),
            categories: sums.categories(),
        };
        let names = self.names.get(first..).unwrap_or_default().to_vec();
        let columns = takes.arranged(&Given::arrays(names, &values[first..]))?;
        if !sums.estimator().takes_missing_values() {
            for (name, array) in &columns {
                require_values(name, array)?;
            }
        }
        let mut data = takes.data(columns)?;
        if self.is_weighted {
            let name = &self.names[1];
            require_values(name, &values[1])?;
            let weights = doubles(name, &values[1])?;
            data = data.with_weights(
                weights
                    .into_iter()
                    .map(|weight| weight as f32)
                    .collect::<Vec<_>>(),
            );
        }
        let target = first - 1;
        let targets = targets(
            &self.names[target],
            &values[target],
            sums.estimator().targets()?,
        )?;
        Ok(sums.add(&data, targets)?)
    }

    /// All sums as one; `None` if there were no rows.
    fn part(&self) -> Result<Option<PartialSums>, Error> {
        let own = self.sums.as_ref().map(Sums::part).transpose()?;
        match (own, &self.merged) {
            (Some(mut own), Some(merged)) => {
                own.merge(merged)?;
                Ok(Some(own))
            }
            (own, merged) => Ok(own.or_else(|| merged.clone())),
        }
    }

    fn bytes(&self) -> Result<ScalarValue> {
        let bytes = self.part()?.map(|part| part.to_bytes());
        Ok(ScalarValue::LargeBinary(
            bytes.transpose().map_err(Error::from)?,
        ))
    }
}

impl Accumulator for Moments {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        if values.first().is_none_or(|array| array.is_empty()) {
            return Ok(());
        }
        let mut sums = match self.sums.take() {
            Some(sums) => sums,
            None => self.begun()?,
        };
        self.add(&mut sums, values)?;
        self.sums = Some(sums);
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for bytes in states[0].as_binary::<i64>().iter().flatten() {
            let part = PartialSums::from_bytes(bytes).map_err(Error::from)?;
            match &mut self.merged {
                Some(merged) => merged.merge(&part).map_err(Error::from)?,
                None => self.merged = Some(part),
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.bytes()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.bytes()
    }

    fn size(&self) -> usize {
        let rank = self.sums.as_ref().map_or(0, Sums::rank);
        size_of_val(self) + 2 * size_of::<f64>() * rank * rank
    }
}

fn require_values(name: &str, array: &ArrayRef) -> Result<(), Error> {
    if present(array).is_none_or(|present| present.null_count() == 0) {
        return Ok(());
    }
    Err(Error::Missing {
        column: name.to_owned(),
    })
}

/// The targets in an array, of the kind that the method takes; several numbers a row are the fields of a struct.
fn targets(name: &str, array: &ArrayRef, kind: TargetKind) -> Result<Targets, Error> {
    match kind {
        TargetKind::None => Ok(Targets::None),
        TargetKind::Labels => {
            require_values(name, array)?;
            Ok(labels_of(name, array)?.into())
        }
        _ => {
            require_values(name, array)?;
            let DataType::Struct(fields) = array.data_type() else {
                return Ok(Array1::from(doubles(name, array)?).into());
            };
            let mut numbers = Array2::zeros((array.len(), fields.len()));
            let columns = array.as_struct().columns().iter().zip(fields);
            for ((array, field), mut column) in columns.zip(numbers.columns_mut()) {
                require_values(field.name(), array)?;
                column.assign(&Array1::from(doubles(field.name(), array)?));
            }
            Ok(numbers.into())
        }
    }
}
