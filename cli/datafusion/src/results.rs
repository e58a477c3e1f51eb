//! Answers of models as arrays, and labels in arrays.

use crate::{
    Error,
    columns::{HELD, Takes, doubles, texts, words_of_type},
};
use datafusion::arrow::{
    array::{
        Array as _, ArrayRef, AsArray as _, BooleanArray, Float64Array, Int64Array, ListArray,
        StringArray, StructArray,
    },
    buffer::{OffsetBuffer, ScalarBuffer},
    compute::{CastOptions, cast_with_options},
    datatypes::{DataType, Field, Fields, Int64Type},
};
use ndarray::Array2;
use npt_estimator::{Ability, Column, Data, Label, Model, Predictions};
use std::sync::Arc;

/// A row that any model takes: ones for numbers, and the first of the categories.
pub(crate) fn made_row(takes: &Takes, columns: usize) -> Result<Data, Error> {
    let column = |place: usize| {
        let name = takes.names.get(place);
        let category = name.and_then(|name| takes.categories.of(name)?.first());
        let column = match category {
            Some(text) => Column::from(vec![text.clone()]),
            None => Column::from(vec![1.0]),
        };
        (name.cloned().unwrap_or_else(|| place.to_string()), column)
    };
    Ok(Data::from_columns((0..columns).map(column))?)
}

pub(crate) fn predictions(predictions: Predictions, model: &Model) -> ArrayRef {
    match predictions {
        Predictions::Labels(found) => labels(&found, model.classes()),
        Predictions::Clusters(clusters) => Arc::new(Int64Array::from_iter_values(
            clusters.into_iter().map(|cluster| cluster as i64),
        )),
        Predictions::Novel(novel) => Arc::new(BooleanArray::from(novel)),
        Predictions::Numbers(numbers) if numbers.ncols() == 1 => {
            Arc::new(Float64Array::from_iter_values(numbers))
        }
        Predictions::Numbers(numbers) => {
            let name = |k: usize| match model.target_names().get(k) {
                Some(name) => name.clone(),
                None => k.to_string(),
            };
            of_columns(&numbers, (0..numbers.ncols()).map(name))
        }
        _ => Arc::new(StringArray::new_null(0)),
    }
}

/// Labels of the type that all classes of the model have; texts if there is no such type.
fn labels(labels: &[Label], classes: &[Label]) -> ArrayRef {
    let number = |label: &Label| match label {
        Label::Integer(value) => Some(*value),
        _ => None,
    };
    let truth = |label: &Label| match label {
        Label::Bool(value) => Some(*value),
        _ => None,
    };
    if classes.iter().all(|class| number(class).is_some()) {
        return Arc::new(labels.iter().map(number).collect::<Int64Array>());
    }
    if classes.iter().all(|class| truth(class).is_some()) {
        return Arc::new(labels.iter().map(truth).collect::<BooleanArray>());
    }
    Arc::new(StringArray::from_iter_values(
        labels.iter().map(ToString::to_string),
    ))
}

/// The classes in an array without missing values.
pub(crate) fn labels_of(name: &str, array: &ArrayRef) -> Result<Vec<Label>, Error> {
    let refused = || Error::ColumnType {
        column: name.to_owned(),
        found: words_of_type(array.data_type()),
        takes: "classes: texts, true and false, or whole numbers",
    };
    let kind = array.data_type();
    if kind.is_integer() {
        // By default, a number that an `i64` does not hold would become a missing value.
        let strictly = CastOptions {
            safe: false,
            ..CastOptions::default()
        };
        let whole = cast_with_options(array, &DataType::Int64, &strictly);
        let whole = whole.map_err(|_| refused())?;
        let whole = whole.as_primitive::<Int64Type>().values();
        return Ok(whole.iter().map(|&value| Label::Integer(value)).collect());
    }
    if *kind == DataType::Boolean {
        let values = array.as_boolean().values().iter();
        return Ok(values.map(Label::Bool).collect());
    }
    if kind.is_numeric() {
        let numbers = doubles(name, array)?;
        let is_whole = |number: &f64| number.fract() == 0.0 && number.abs() <= HELD;
        if !numbers.iter().all(is_whole) {
            return Err(refused());
        }
        let whole = numbers.into_iter().map(|number| number as i64);
        return Ok(whole.map(Label::Integer).collect());
    }
    if kind.is_nested() || kind.is_temporal() {
        return Err(refused());
    }
    let texts = texts(name, array)?.into_iter().flatten();
    Ok(texts.map(Label::Text).collect())
}

pub(crate) fn probabilities(probabilities: &Array2<f64>, model: &Model) -> ArrayRef {
    of_columns(
        probabilities,
        model.classes().iter().map(ToString::to_string),
    )
}

/// A struct of the columns of a matrix.
fn of_columns(matrix: &Array2<f64>, names: impl Iterator<Item = String>) -> ArrayRef {
    let field = |name| Field::new(name, DataType::Float64, false);
    let columns = matrix.columns().into_iter();
    let columns = columns.map(|column| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(column.iter().copied()))
    });
    let fields: Fields = names.map(field).collect();
    Arc::new(StructArray::new(fields, columns.collect(), None))
}

/// A list for each row of a matrix.
pub(crate) fn lists(matrix: &Array2<f64>) -> ArrayRef {
    let values = Float64Array::from_iter_values(matrix.iter().copied());
    let lengths = std::iter::repeat_n(matrix.ncols(), matrix.nrows());
    Arc::new(ListArray::new(
        Arc::new(Field::new_list_field(DataType::Float64, false)),
        OffsetBuffer::from_lengths(lengths),
        Arc::new(values),
        None,
    ))
}

/// The negated decision of a detector, or the squared distance from the space of coordinates.
pub(crate) fn novelty(model: &Model, data: &Data) -> Result<ArrayRef, Error> {
    let is_detector = model.has(Ability::DecisionFunction) && model.classes().is_empty();
    let novelty: ScalarBuffer<f64> = if is_detector {
        let decisions = model.decision_function(data)?;
        decisions.iter().map(|decision| -decision).collect()
    } else if model.has(Ability::Residuals) {
        model.residuals(data)?.to_vec().into()
    } else {
        return Err(Error::NoNovelty {
            method: model.estimator().to_string(),
        });
    };
    Ok(Arc::new(Float64Array::new(novelty, None)))
}
