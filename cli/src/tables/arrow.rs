//! Columns of Arrow's record batches.

use super::{Column, Table, Values};
use crate::Error;
use datafusion::arrow::{
    array::{Array, ArrayRef, AsArray as _, RecordBatch, new_empty_array},
    compute::{cast, concat},
    datatypes::{DataType, Float64Type, Int64Type, Schema},
};

/// The largest number up to which f64 has all whole ones.
const HELD: i64 = super::HELD as i64;

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
    // Column by column, so that no more than one is there twice.
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

fn values(name: &str, array: &ArrayRef) -> Result<Values, Error> {
    let kind = array.data_type();
    let converted = |to: &DataType| {
        cast(array, to).map_err(|error| Error::Data(format!("the column {name}: {error}")))
    };
    Ok(match kind {
        DataType::Boolean => Values::Booleans(array.as_boolean().iter().collect()),
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32 => {
            let whole = converted(&DataType::Int64)?;
            let whole = whole.as_primitive::<Int64Type>();
            let is_held =
                |value: &Option<i64>| value.is_none_or(|value| (-HELD..=HELD).contains(&value));
            if !whole.iter().all(|value| is_held(&value)) {
                return Ok(Values::Other {
                    kind: "whole numbers that a double cannot hold".to_owned(),
                    texts: whole
                        .iter()
                        .map(|value| value.map(|value| value.to_string()))
                        .collect(),
                });
            }
            Values::numbers(
                whole
                    .iter()
                    .map(|value| value.map_or(f64::NAN, |value| value as f64))
                    .collect(),
            )
        }
        _ if kind.is_numeric() => {
            let numbers = converted(&DataType::Float64)?;
            let numbers = numbers.as_primitive::<Float64Type>().iter();
            let numbers: Vec<f64> = numbers.map(|value| value.unwrap_or(f64::NAN)).collect();
            if let Some(row) = numbers.iter().position(|value| value.is_infinite()) {
                return Err(Error::Data(format!(
                    "row {} has {} in the column {name}, where a finite number should be",
                    row + 1,
                    numbers[row]
                )));
            }
            Values::numbers(numbers)
        }
        DataType::Null => Values::numbers(vec![f64::NAN; array.len()]),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            texts(&converted(&DataType::Utf8)?)
        }
        DataType::Dictionary(_, of) if of.is_string() => texts(&converted(&DataType::Utf8)?),
        // As they are printed, so that they may stand beside results.
        _ => Values::Other {
            kind: words(kind),
            texts: match cast(array, &DataType::Utf8) {
                Ok(texts) => texts
                    .as_string::<i32>()
                    .iter()
                    .map(|text| text.map(str::to_owned))
                    .collect(),
                Err(_) => vec![Some(words(kind)); array.len()],
            },
        },
    })
}

fn texts(array: &ArrayRef) -> Values {
    let texts = array.as_string::<i32>().iter();
    Values::Texts(texts.map(|text| text.map(str::to_owned)).collect())
}

/// A type that no kernel takes, in words.
fn words(kind: &DataType) -> String {
    match kind {
        DataType::Date32 | DataType::Date64 => "dates",
        DataType::Timestamp(..) => "times",
        DataType::Time32(_) | DataType::Time64(_) => "times of day",
        DataType::Duration(_) | DataType::Interval(_) => "spans of time",
        DataType::Struct(_) => "nested columns",
        DataType::Map(..)
        | DataType::List(_)
        | DataType::LargeList(_)
        | DataType::FixedSizeList(..)
        | DataType::ListView(_)
        | DataType::LargeListView(_) => "lists",
        DataType::Binary
        | DataType::LargeBinary
        | DataType::FixedSizeBinary(_)
        | DataType::BinaryView => "bytes",
        other => return other.to_string(),
    }
    .to_owned()
}
