//! Arrays of Arrow as the columns that a model takes.

use crate::Error;
use datafusion::arrow::{
    array::{Array as _, ArrayRef, AsArray as _},
    buffer::NullBuffer,
    compute::cast,
    datatypes::{DataType, Fields, Float64Type, Int64Type, UInt64Type},
};
use npt_estimator::{Categories, Column, Data};
use std::sync::Arc;

/// The largest number up to which f64 holds all whole numbers, 2⁵³.
pub(crate) const HELD: f64 = 9_007_199_254_740_992.0;

/// The columns that a model takes.
pub(crate) struct Takes<'m> {
    /// The names of the columns, in their order; empty if they have none.
    pub names: &'m [String],
    pub categories: &'m Categories,
}

impl Takes<'_> {
    /// The columns of the arguments, in the model's order and with its names.
    ///
    /// # Errors
    /// [`Error::Columns`] for other columns, or for columns in each other's places; [`Error::ColumnCount`] for another number of columns.
    pub fn arranged<T: Clone>(&self, given: &Given<T>) -> Result<Vec<(String, T)>, Error> {
        let found: Vec<String> = given.columns.iter().map(|(name, _)| name.clone()).collect();
        if self.names.is_empty() {
            // No names are compared, and two expressions may have the same name, so the columns are numbered.
            let numbered = given.columns.iter().enumerate();
            let numbered = numbered.map(|(place, (_, column))| (place.to_string(), column.clone()));
            return Ok(numbered.collect());
        }
        let refused = || Error::Columns {
            expected: self.names.to_vec(),
            found: found.clone(),
        };
        if given.by_name {
            let of_name = |name: &String| {
                let place = found.iter().position(|field| field == name);
                let column = &given.columns[place.ok_or_else(refused)?].1;
                Ok((name.clone(), column.clone()))
            };
            return self.names.iter().map(of_name).collect();
        }
        if found.len() != self.names.len() {
            return Err(Error::ColumnCount {
                expected: self.names.len(),
                found: found.len(),
            });
        }
        let is_elsewhere =
            |(found, here): (&String, &String)| found != here && self.names.contains(found);
        if found.iter().zip(self.names).any(is_elsewhere) {
            return Err(refused());
        }
        let columns = given.columns.iter().map(|(_, column)| column.clone());
        Ok(self.names.iter().cloned().zip(columns).collect())
    }

    /// Checks what is known before there are rows: the columns and their types.
    pub fn check(&self, given: &Given<DataType>) -> Result<(), Error> {
        for (name, kind) in self.arranged(given)? {
            check_type(&name, &kind, self.categories.of(&name).is_some())?;
        }
        Ok(())
    }

    /// The samples of columns that were [arranged](Self::arranged).
    pub fn data(&self, columns: Vec<(String, ArrayRef)>) -> Result<Data, Error> {
        let column = |(name, array): (String, ArrayRef)| {
            let is_category = self.categories.of(&name).is_some();
            let column = column(&name, &array, is_category)?;
            Ok((name, column))
        };
        let columns = columns.into_iter().map(column);
        Ok(Data::from_columns(
            columns.collect::<Result<Vec<_>, Error>>()?,
        )?)
    }
}

/// The columns among the arguments of a function: their arrays, or their types.
pub(crate) struct Given<T> {
    /// The columns, with the names that they have in the query.
    columns: Vec<(String, T)>,
    /// `true` for the fields of one struct, whose order does not matter.
    by_name: bool,
}

impl Given<DataType> {
    pub fn types(names: Vec<String>, types: Vec<DataType>) -> Self {
        let fields = as_struct(&types).cloned();
        match fields {
            Some(fields) => Self {
                columns: fields
                    .iter()
                    .map(|field| (field.name().clone(), field.data_type().clone()))
                    .collect(),
                by_name: true,
            },
            None => Self {
                columns: names.into_iter().zip(types).collect(),
                by_name: false,
            },
        }
    }
}

impl Given<ArrayRef> {
    pub fn arrays(names: Vec<String>, arrays: &[ArrayRef]) -> Self {
        let types: Vec<DataType> = arrays
            .iter()
            .map(|array| array.data_type().clone())
            .collect();
        match as_struct(&types) {
            Some(fields) => {
                let columns = arrays[0].as_struct().columns().iter();
                let names = fields.iter().map(|field| field.name().clone());
                Self {
                    columns: names.zip(columns.cloned()).collect(),
                    by_name: true,
                }
            }
            None => Self {
                columns: names.into_iter().zip(arrays.iter().cloned()).collect(),
                by_name: false,
            },
        }
    }
}

/// The fields of the struct, if the arguments are one struct.
fn as_struct(types: &[DataType]) -> Option<&Fields> {
    match types {
        [DataType::Struct(fields)] => Some(fields),
        _ => None,
    }
}

fn check_type(name: &str, kind: &DataType, is_category: bool) -> Result<(), Error> {
    let is_number = kind.is_numeric() || matches!(kind, DataType::Boolean | DataType::Null);
    if is_number || is_category && is_text(kind) {
        return Ok(());
    }
    Err(Error::ColumnType {
        column: name.to_owned(),
        found: words_of_type(kind),
        takes: if is_category {
            "texts, which are categories"
        } else {
            "numbers"
        },
    })
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, of) => is_text(of),
        kind => kind.is_string(),
    }
}

/// Converts an array to a column of categories or of numbers, whichever the model takes there.
fn column(name: &str, array: &ArrayRef, is_category: bool) -> Result<Column, Error> {
    check_type(name, array.data_type(), is_category)?;
    if !is_category {
        return Ok(doubles(name, array)?.into());
    }
    Ok(texts(name, array)?.into())
}

/// The texts of an array; numbers become texts.
pub(crate) fn texts(name: &str, array: &ArrayRef) -> Result<Vec<Option<String>>, Error> {
    if array.data_type().is_floating() {
        let numbers = doubles(name, array)?.into_iter();
        let text = |number: f64| (!number.is_nan()).then(|| number.to_string());
        return Ok(numbers.map(text).collect());
    }
    let texts = cast_to(name, array, &DataType::Utf8)?;
    let texts = texts.as_string::<i32>().iter();
    Ok(texts.map(|text| text.map(str::to_owned)).collect())
}

/// The numbers of an array, true as 1 and NaN in the place of missing values.
///
/// # Errors
/// [`Error::ColumnType`] for values that are no numbers; [`Error::NotHeld`] for a whole number beyond 2⁵³.
pub fn doubles(name: &str, array: &ArrayRef) -> Result<Vec<f64>, Error> {
    check_type(name, array.data_type(), false)?;
    if let Some(value) = too_large(array) {
        return Err(Error::NotHeld {
            column: name.to_owned(),
            value,
        });
    }
    let numbers = cast_to(name, array, &DataType::Float64)?;
    let numbers = numbers.as_primitive::<Float64Type>();
    if numbers.null_count() == 0 {
        return Ok(numbers.values().to_vec());
    }
    Ok(numbers
        .iter()
        .map(|value| value.unwrap_or(f64::NAN))
        .collect())
}

/// A whole number of the array that no double holds, if there is one.
fn too_large(array: &ArrayRef) -> Option<i128> {
    let kind = array.data_type();
    if *kind == DataType::UInt64 {
        let mut whole = array.as_primitive::<UInt64Type>().iter().flatten();
        return whole.find(|&value| value > HELD as u64).map(i128::from);
    }
    if !kind.is_integer() {
        return None;
    }
    let whole = cast(array, &DataType::Int64).ok()?;
    let mut whole = whole.as_primitive::<Int64Type>().iter().flatten();
    whole
        .find(|value| value.unsigned_abs() > HELD as u64)
        .map(i128::from)
}

/// The rows that have a value, neither null nor NaN; `None` if all rows have one.
pub(crate) fn present(array: &ArrayRef) -> Option<NullBuffer> {
    let nulls = array.logical_nulls();
    if !array.data_type().is_floating() {
        return nulls;
    }
    let numbers = cast(array, &DataType::Float64).ok()?;
    let numbers = numbers.as_primitive::<Float64Type>().values();
    if !numbers.iter().any(|value| value.is_nan()) {
        return nulls;
    }
    let are_numbers = numbers.iter().map(|value| !value.is_nan());
    NullBuffer::union(nulls.as_ref(), Some(&are_numbers.collect::<NullBuffer>()))
}

fn cast_to(name: &str, array: &ArrayRef, to: &DataType) -> Result<ArrayRef, Error> {
    if array.data_type() == to {
        return Ok(Arc::clone(array));
    }
    cast(array, to).map_err(|_| Error::ColumnType {
        column: name.to_owned(),
        found: words_of_type(array.data_type()),
        takes: "numbers or texts",
    })
}

/// A type of columns, in words.
pub fn words_of_type(kind: &DataType) -> String {
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
        kind if is_text(kind) => "texts",
        other => return other.to_string(),
    }
    .to_owned()
}
