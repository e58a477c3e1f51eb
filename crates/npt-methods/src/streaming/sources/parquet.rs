//! Parquet.

use super::{Blocks, Column, Place, Row, Source, SourceError, pages::CheckedPages, pandas};
use ndarray::Array1;
use parquet::{
    basic::{ConvertedType, LogicalType, Type},
    column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader},
    data_type::{ByteArray, DataType},
    errors::ParquetError,
    file::{
        metadata::{ParquetMetaData, ParquetMetaDataReader},
        reader::ChunkReader,
    },
    schema::types::ColumnDescriptor,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// Rows that are taken out of each column at a time.
const ROWS: usize = 1024;

/// [`Blocks`] of a Parquet file: numbers and truth values, and texts where [categories](Self::categorical) or [labels](Self::labels)
/// are asked for; compressed with Snappy or gzip or not at all. Values that are missing are errors, unless they
/// [may be](Self::with_missing_values).
///
/// What else the crate `parquet` can decompress are features of that crate: `zstd` (which takes a compiler of C), `lz4`,
/// `brotli`. A page that says that it becomes more than its compression can make of its bytes is refused before memory is taken for
/// it, but for `brotli`, for which no bound is known.
///
/// # Example
/// ```no_run
/// use npt_methods::streaming::ParquetBlocks;
/// use std::fs::File;
///
/// let blocks = ParquetBlocks::new(File::open("flights.parquet")?)?;
/// for block in blocks.select(&["distance", "month"])?.target("delay")? {
///     println!("{} rows", block?.records.nrows());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type ParquetBlocks<R, T = Array1<f64>> = Blocks<ParquetRows<R>, T>;

/// The rows of a Parquet file, one row group after the other.
pub struct ParquetRows<R: ChunkReader + 'static> {
    file: Arc<R>,
    metadata: ParquetMetaData,
    names: Vec<String>,
    /// Those which are the index of a pandas frame.
    index_columns: Vec<usize>,
    /// The next row group.
    group: usize,
    /// Of the columns that are read, in the row group before.
    readers: Vec<ColumnReader>,
    /// Rows that are left of that group.
    left: usize,
    /// Values that were taken out, one vector a column, and how many of each were given away.
    values: Vec<Vec<Option<Value>>>,
    given: usize,
    /// Why there are no more.
    fault: Option<SourceError>,
    /// Rows that were given away in all.
    row: u64,
}

/// A value that is not missing.
enum Value {
    Number(f64),
    /// Which should be UTF-8.
    Text(ByteArray),
}

impl<R: ChunkReader + 'static> ParquetBlocks<R> {
    /// Of a file, or of bytes.
    ///
    /// # Errors
    /// [`SourceError::NoFeatures`], [`SourceError::Unreadable`]; columns that are not of numbers are
    /// [`SourceError::NotNumbers`] when the first block is read, unless others are [selected](Self::select).
    pub fn new(file: R) -> Result<Self, SourceError> {
        let metadata = guarded(|| ParquetMetaDataReader::new().parse_and_finish(&file));
        let metadata = metadata.map_err(|error| unreadable(0, &error))?;
        let columns = metadata.file_metadata().schema_descr().columns();
        let names = columns.iter().map(|column| column.path().string());
        let names: Vec<String> = names.collect();
        Self::of(ParquetRows {
            index_columns: pandas::index_columns(&metadata, &names)?,
            names,
            file: Arc::new(file),
            metadata,
            group: 0,
            readers: Vec::new(),
            left: 0,
            values: Vec::new(),
            given: 0,
            fault: None,
            row: 0,
        })
    }
}

/// What the crate `parquet` does with a file, whose damage it does not always find before it relies on it.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(ParquetError::General(format!(
            "the file is damaged ({})",
            text.unwrap_or("its reader gave up")
        )))
    })
}

fn unreadable(row: u64, error: &ParquetError) -> SourceError {
    SourceError::unreadable(Place::Row(row), error)
}

/// Whether its values are single numbers.
fn is_of_numbers(column: &ColumnDescriptor) -> bool {
    let is_stored_as_one = matches!(
        column.physical_type(),
        Type::BOOLEAN | Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE
    );
    let means_one = match column.logical_type_ref() {
        Some(meaning) => matches!(meaning, LogicalType::Integer(_)),
        None => {
            column.converted_type() == ConvertedType::NONE || is_integer(column.converted_type())
        }
    };
    column.max_rep_level() == 0 && is_stored_as_one && means_one
}

/// Whether its values are single texts.
fn is_of_texts(column: &ColumnDescriptor) -> bool {
    let means_text = match column.logical_type_ref() {
        Some(meaning) => matches!(meaning, LogicalType::String | LogicalType::Enum),
        None => matches!(
            column.converted_type(),
            ConvertedType::UTF8 | ConvertedType::ENUM
        ),
    };
    column.max_rep_level() == 0 && column.physical_type() == Type::BYTE_ARRAY && means_text
}

/// What its values are.
fn kind(column: &ColumnDescriptor) -> String {
    let meaning = match column.logical_type_ref() {
        Some(meaning) => format!(" ({meaning:?})"),
        None if column.converted_type() == ConvertedType::NONE => String::new(),
        None => format!(" ({})", column.converted_type()),
    };
    let repeated = if column.max_rep_level() > 0 {
        "lists of "
    } else {
        ""
    };
    format!("{repeated}{}{meaning}", column.physical_type())
}

fn is_integer(converted: ConvertedType) -> bool {
    use ConvertedType as T;
    let signed = [T::INT_8, T::INT_16, T::INT_32, T::INT_64];
    signed.contains(&converted) || is_unsigned(converted)
}

fn is_unsigned(converted: ConvertedType) -> bool {
    use ConvertedType as T;
    [T::UINT_8, T::UINT_16, T::UINT_32, T::UINT_64].contains(&converted)
}

impl<R: ChunkReader + 'static> ParquetRows<R> {
    /// Opens the next row group; whether there is one.
    fn open_group(&mut self, columns: &[Column]) -> Result<bool, SourceError> {
        let Some(group) = self.metadata.row_groups().get(self.group) else {
            return Ok(false);
        };
        let schema = self.metadata.file_metadata().schema_descr();
        for column in columns {
            let (is_text, column) = (column.is_text(), schema.column(column.index()));
            if !(is_of_numbers(&column) || is_text && is_of_texts(&column)) {
                let (name, found) = (column.path().string(), kind(&column));
                return Err(SourceError::unread(name, found, is_text));
            }
        }
        let rows = group.num_rows();
        let rows = usize::try_from(rows).map_err(|_| {
            let reason = format!("a row group has {rows} rows");
            SourceError::unreadable(Place::Row(self.row), &reason)
        })?;
        let readers = guarded(|| {
            let readers = columns.iter().map(|column| {
                let column = column.index();
                let pages = CheckedPages::new(&self.file, group.column(column), rows)?;
                Ok(get_column_reader(schema.column(column), Box::new(pages)))
            });
            readers.collect()
        });
        self.readers = readers.map_err(|error| unreadable(self.row, &error))?;
        self.left = rows;
        self.group += 1;
        Ok(true)
    }

    /// Takes the next values out of each column. Where one cannot be read on, the rows up to there come first, and what
    /// is wrong afterwards.
    fn take(&mut self, columns: &[Column]) {
        let mut rows = self.left.min(ROWS);
        let schema = self.metadata.file_metadata().schema_descr();
        self.values.resize_with(columns.len(), Vec::new);
        for ((column, reader), values) in
            columns.iter().zip(&mut self.readers).zip(&mut self.values)
        {
            values.clear();
            let is_text = column.is_text();
            let descriptor = schema.column(column.index());
            while values.len() < rows {
                let before = values.len();
                let read = guarded(|| read(reader, &descriptor, is_text, rows - before, values));
                let ends = || ParquetError::EOF(format!("column {} ends", descriptor.path()));
                let fault = read.err().or_else(|| (values.len() == before).then(ends));
                if let Some(fault) = fault {
                    rows = before;
                    self.fault = Some(unreadable(self.row + before as u64, &fault));
                }
            }
        }
        for values in &mut self.values {
            values.truncate(rows);
        }
        self.given = 0;
        self.left -= rows;
    }
}

/// The next values of a column, as many as `rows` or fewer.
fn read(
    reader: &mut ColumnReader,
    column: &ColumnDescriptor,
    is_text: bool,
    rows: usize,
    into: &mut Vec<Option<Value>>,
) -> Result<(), ParquetError> {
    let mut into = Into {
        values: into,
        rows,
        present: column.max_def_level(),
        is_text,
    };
    let unsigned = is_unsigned(column.converted_type());
    match reader {
        ColumnReader::BoolColumnReader(reader) => {
            into.numbers(reader, |v| f64::from(u8::from(v)), |v| v.to_string())
        }
        ColumnReader::Int32ColumnReader(reader) if unsigned => {
            let number = |v: i32| f64::from(v.cast_unsigned());
            into.numbers(reader, number, |v| v.cast_unsigned().to_string())
        }
        ColumnReader::Int32ColumnReader(reader) => {
            into.numbers(reader, f64::from, |v| v.to_string())
        }
        ColumnReader::Int64ColumnReader(reader) if unsigned => {
            let number = |v: i64| v.cast_unsigned() as f64;
            into.numbers(reader, number, |v| v.cast_unsigned().to_string())
        }
        ColumnReader::Int64ColumnReader(reader) => {
            into.numbers(reader, |v| v as f64, |v| v.to_string())
        }
        ColumnReader::FloatColumnReader(reader) => {
            into.numbers(reader, f64::from, |v| (v + 0.0).to_string())
        }
        ColumnReader::DoubleColumnReader(reader) => into.values(reader, Value::Number),
        ColumnReader::ByteArrayColumnReader(reader) => into.values(reader, Value::Text),
        _ => Ok(()),
    }
}

/// Where the values of a column go, and how many at most.
struct Into<'v> {
    values: &'v mut Vec<Option<Value>>,
    rows: usize,
    /// The level of definition of those that are present; of those that are missing it is lower.
    present: i16,
    is_text: bool,
}

impl Into<'_> {
    /// Numbers, or what one writes for them, where f64 might not hold all of their digits or has more.
    fn numbers<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        number: impl Fn(T::T) -> f64,
        text: impl Fn(T::T) -> String,
    ) -> Result<(), ParquetError> {
        if !self.is_text {
            return self.values(reader, |value| Value::Number(number(value)));
        }
        self.values(reader, |value| {
            let number = number(value.clone());
            if number.is_finite() {
                Value::Text(text(value).into_bytes().into())
            } else {
                Value::Number(number)
            }
        })
    }

    fn values<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        value: impl Fn(T::T) -> Value,
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

impl<R: ChunkReader + 'static> Source for ParquetRows<R> {
    fn columns(&self) -> &[String] {
        &self.names
    }

    fn index_columns(&self) -> &[usize] {
        &self.index_columns
    }

    fn read_row(&mut self, columns: &[Column], row: &mut Row<'_>) -> Result<bool, SourceError> {
        while self
            .values
            .first()
            .is_none_or(|values| values.len() == self.given)
        {
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            } else if self.left > 0 {
                self.take(columns);
            } else if !self.open_group(columns)? {
                return Ok(false);
            }
        }
        let at = self.given;
        self.given += 1;
        self.row += 1;
        for of_column in &self.values {
            match &of_column[at] {
                Some(Value::Number(number)) => row.number(*number),
                None => row.missing(),
                Some(Value::Text(text)) => match text.as_utf8() {
                    Ok(text) => row.text(text),
                    Err(_) => row.neither(&String::from_utf8_lossy(text.data())),
                },
            }
        }
        Ok(true)
    }
}
