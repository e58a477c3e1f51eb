//! The values of the columns of a Parquet file.

use super::kinds::{is_decimal, is_unsigned};
use crate::{Row, value::Value};
use half::f16;
use parquet::{
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::{ByteArray, DataType},
    errors::ParquetError,
    schema::types::ColumnDescriptor,
};

/// A value that is not missing.
pub(super) enum Cell {
    Number(Value),
    /// Bytes that should be UTF-8.
    Text(ByteArray),
    /// Bytes that are no number of their column's type.
    Neither(ByteArray),
}

impl Cell {
    /// Writes the value as the next one of a row.
    pub(super) fn write(&self, row: &mut Row<'_>) {
        match self {
            Self::Number(value) => value.write(row),
            Self::Text(text) => match text.as_utf8() {
                Ok(text) => row.text(text),
                Err(_) => row.neither(&String::from_utf8_lossy(text.data())),
            },
            Self::Neither(bytes) => row.neither(&format!("{:02X?}", bytes.data())),
        }
    }
}

/// Appends the next values of a column, at most `rows`.
pub(super) fn read(
    reader: &mut ColumnReader,
    column: &ColumnDescriptor,
    rows: usize,
    into: &mut Vec<Option<Cell>>,
) -> Result<(), ParquetError> {
    let mut into = Into {
        values: into,
        rows,
        present: column.max_def_level(),
    };
    let unsigned = is_unsigned(column);
    // Only decimal numbers have a scale.
    let scale = is_decimal(column).then(|| column.type_scale().unsigned_abs());
    let whole = |value: i64| match scale {
        Some(scale) => Value::Decimal {
            units: value.into(),
            scale,
        },
        None => Value::Signed(value),
    };
    match reader {
        ColumnReader::BoolColumnReader(reader) => into.numbers(reader, Value::Truth),
        ColumnReader::Int32ColumnReader(reader) if unsigned => {
            into.numbers(reader, |v| Value::Unsigned(v.cast_unsigned().into()))
        }
        ColumnReader::Int32ColumnReader(reader) => into.numbers(reader, |v| whole(v.into())),
        ColumnReader::Int64ColumnReader(reader) if unsigned => {
            into.numbers(reader, |v| Value::Unsigned(v.cast_unsigned()))
        }
        ColumnReader::Int64ColumnReader(reader) => into.numbers(reader, whole),
        ColumnReader::FloatColumnReader(reader) => into.numbers(reader, Value::Single),
        ColumnReader::DoubleColumnReader(reader) => into.numbers(reader, Value::Double),
        ColumnReader::ByteArrayColumnReader(reader) => into.values(reader, |bytes| match scale {
            Some(scale) => decimal(bytes, scale),
            None => Cell::Text(bytes),
        }),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => {
            into.values(reader, |bytes| match scale {
                Some(scale) => decimal(bytes.into(), scale),
                None => half(bytes.into()),
            })
        }
        ColumnReader::Int96ColumnReader(_) => Ok(()),
    }
}

/// The vector that the values of a column are appended to, and the largest number of them.
struct Into<'v> {
    values: &'v mut Vec<Option<Cell>>,
    rows: usize,
    /// The level of definition of the values that are present; the level of a missing value is lower.
    present: i16,
}

impl Into<'_> {
    fn numbers<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        value: impl Fn(T::T) -> Value,
    ) -> Result<(), ParquetError> {
        self.values(reader, |number| Cell::Number(value(number)))
    }

    fn values<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        value: impl Fn(T::T) -> Cell,
    ) -> Result<(), ParquetError> {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        reader.read_records(self.rows, Some(&mut levels), None, &mut values)?;
        let mut values = values.into_iter().map(value);
        if self.present == 0 {
            self.values.extend(values.map(Some));
            return Ok(());
        }
        self.values.extend(levels.iter().map(|&level| {
            if level == self.present {
                values.next()
            } else {
                None
            }
        }));
        Ok(())
    }
}

/// Reads a number of half precision, the lowest byte first.
fn half(bytes: ByteArray) -> Cell {
    match <[u8; 2]>::try_from(bytes.data()) {
        Ok(of_number) => Cell::Number(Value::Single(f16::from_le_bytes(of_number).to_f32())),
        Err(_) => Cell::Neither(bytes),
    }
}

/// Reads a decimal number in two's complement, the highest byte first, of any length.
fn decimal(bytes: ByteArray, scale: u32) -> Cell {
    const LENGTH: usize = size_of::<i128>();
    let data = bytes.data();
    let (more, last) = data.split_at(data.len().saturating_sub(LENGTH));
    let is_negative = data.first().is_some_and(|&first| first >= 0x80);
    let sign = if is_negative { 0xFF } else { 0 };
    let mut number = [sign; LENGTH];
    number[LENGTH - last.len()..].copy_from_slice(last);
    let units = i128::from_be_bytes(number);
    // The bytes before the last 16 must repeat the sign, or 16 bytes have no room for the number.
    let is_held = more.iter().all(|&byte| byte == sign) && (units < 0) == is_negative;
    if is_held && !data.is_empty() {
        Cell::Number(Value::Decimal { units, scale })
    } else {
        Cell::Neither(bytes)
    }
}
