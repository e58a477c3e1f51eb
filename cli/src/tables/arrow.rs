//! Columns of Arrow's record batches.

use super::{Column, Table, Values};
use crate::Error;
use datafusion::arrow::{
    array::{Array, ArrayRef, AsArray as _, RecordBatch, new_empty_array},
    compute::{cast, concat},
    datatypes::{DataType, Schema},
};
use npt_datafusion::{doubles, words_of_type};

/// The table of these batches, all of one schema.
pub fn table(
    schema: &Schema,
    batches: impl Iterator<Item = Result<RecordBatch, Error>>,
) -> Result<Table, Error> {
    let mut arrays = vec![Vec::new(); schema.fields().len()];
    for batch in batches {
        for (arrays, array) in arrays.iter_mut().zip(batch?.columns()) {
            arrays.push(array.clone());
        }
    }
    // The columns are converted one by one, so that no more than one is in memory twice.
    let columns = schema.fields().iter().zip(arrays).map(|(field, arrays)| {
        let arrays: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
        let array = match arrays.as_slice() {
            [] => new_empty_array(field.data_type()),
            arrays => concat(arrays)
                .map_err(|error| Error::Data(format!("the column {}: {error}", field.name())))?,
        };
        Ok(Column {
            name: field.name().clone(),
            values: values(field.name(), &array)?,
        })
    });
    Ok(Table::new(columns.collect::<Result<_, Error>>()?))
}

/// The table of one batch.
pub fn of_batch(batch: &RecordBatch) -> Result<Table, Error> {
    table(&batch.schema(), std::iter::once(Ok(batch.clone())))
}

fn values(name: &str, array: &ArrayRef) -> Result<Values, Error> {
    let kind = array.data_type();
    let converted = |to: &DataType| {
        cast(array, to).map_err(|error| Error::Data(format!("the column {name}: {error}")))
    };
    Ok(match kind {
        DataType::Boolean => Values::Booleans(array.as_boolean().iter().collect()),
        _ if kind.is_numeric() => numbers(name, array)?,
        DataType::Null => Values::numbers(vec![f64::NAN; array.len()]),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            texts(&converted(&DataType::Utf8)?)
        }
        DataType::Dictionary(_, of) if of.is_string() => texts(&converted(&DataType::Utf8)?),
        // The values are kept as they are printed, so that they can be written beside results.
        _ => Values::Other {
            kind: words_of_type(kind),
            texts: match cast(array, &DataType::Utf8) {
                Ok(texts) => texts
                    .as_string::<i32>()
                    .iter()
                    .map(|text| text.map(str::to_owned))
                    .collect(),
                Err(_) => vec![Some(words_of_type(kind)); array.len()],
            },
        },
    })
}

fn texts(array: &ArrayRef) -> Values {
    let texts = array.as_string::<i32>().iter();
    Values::Texts(texts.map(|text| text.map(str::to_owned)).collect())
}

/// Reads numbers. A column with whole numbers beyond 2⁵³ is kept as texts: a column that is only passed on need not be one of numbers.
fn numbers(name: &str, array: &ArrayRef) -> Result<Values, Error> {
    let numbers = match doubles(name, array) {
        Err(npt_datafusion::Error::NotHeld { .. }) => {
            let texts = cast(array, &DataType::Utf8)
                .map_err(|error| Error::Data(format!("the column {name}: {error}")))?;
            return Ok(Values::Other {
                kind: "whole numbers that a double cannot hold".to_owned(),
                texts: texts
                    .as_string::<i32>()
                    .iter()
                    .map(|text| text.map(str::to_owned))
                    .collect(),
            });
        }
        numbers => numbers.map_err(|error| Error::Data(error.to_string()))?,
    };
    match numbers.iter().position(|value| value.is_infinite()) {
        Some(row) => Err(Error::Data(format!(
            "row {} has {} in the column {name}, where a finite number should be",
            row + 1,
            numbers[row]
        ))),
        None => Ok(Values::numbers(numbers)),
    }
}
