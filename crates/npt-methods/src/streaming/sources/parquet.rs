//! Parquet.

use super::{Blocks, Place, Source, SourceError, pages::CheckedPages};
use parquet::{
    basic::{ConvertedType, LogicalType, Type},
    column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader},
    data_type::DataType,
    errors::ParquetError,
    file::reader::{ChunkReader, FileReader, SerializedFileReader},
    schema::types::ColumnDescriptor,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Rows that are taken out of each column at a time.
const ROWS: usize = 1024;

/// [`Blocks`] of a Parquet file: numbers and truth values, compressed with Snappy or gzip or not at all. Values that
/// are missing are no numbers, unless they [may be](Self::with_missing_values).
///
/// What else the crate `parquet` can decompress are features of that crate: `zstd` (which takes a compiler of C), `lz4`,
/// `brotli`.
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
pub type ParquetBlocks<R> = Blocks<ParquetRows<R>>;

/// The rows of a Parquet file, one row group after the other.
pub struct ParquetRows<R: ChunkReader + 'static> {
    file: SerializedFileReader<R>,
    names: Vec<String>,
    /// The next row group.
    group: usize,
    /// Of the columns that are read, in the row group before.
    readers: Vec<ColumnReader>,
    /// Rows that are left of that group.
    left: usize,
    /// Values that were taken out, one vector a column, and how many of each were given away.
    values: Vec<Vec<Option<f64>>>,
    given: usize,
    /// Whether what is missing is NaN, but in the target.
    missing_values: bool,
    target: Option<usize>,
    /// Why there are no more.
    fault: Option<SourceError>,
    /// Rows that were given away in all.
    row: u64,
}

impl<R: ChunkReader + 'static> ParquetBlocks<R> {
    /// Of a file, or of bytes.
    ///
    /// # Errors
    /// [`SourceError::NoFeatures`], [`SourceError::Unreadable`]; columns that are not of numbers are
    /// [`SourceError::NotNumbers`] when the first block is read, unless others are [selected](Self::select).
    pub fn new(file: R) -> Result<Self, SourceError> {
        let file = guarded(|| SerializedFileReader::new(file));
        let file = file.map_err(|error| unreadable(0, &error))?;
        let columns = file.metadata().file_metadata().schema_descr().columns();
        let names = columns.iter().map(|column| column.path().string());
        Self::of(ParquetRows {
            names: names.collect(),
            file,
            group: 0,
            readers: Vec::new(),
            left: 0,
            values: Vec::new(),
            given: 0,
            missing_values: false,
            target: None,
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
    fn open_group(&mut self, columns: &[usize]) -> Result<bool, SourceError> {
        if self.group == self.file.num_row_groups() {
            return Ok(false);
        }
        let schema = self.file.metadata().file_metadata().schema_descr();
        for &column in columns {
            let column = schema.column(column);
            if !is_of_numbers(&column) {
                return Err(SourceError::NotNumbers {
                    column: column.path().string(),
                    found: kind(&column),
                });
            }
        }
        let opened = guarded(|| {
            let group = self.file.get_row_group(self.group)?;
            let readers = columns.iter().map(|&column| {
                let pages = CheckedPages(group.get_column_page_reader(column)?);
                Ok(get_column_reader(schema.column(column), Box::new(pages)))
            });
            Ok((
                readers.collect::<Result<_, ParquetError>>()?,
                group.metadata().num_rows(),
            ))
        });
        let (readers, rows) = opened.map_err(|error| unreadable(self.row, &error))?;
        self.readers = readers;
        self.left = usize::try_from(rows).map_err(|_| {
            let reason = format!("a row group has {rows} rows");
            SourceError::unreadable(Place::Row(self.row), &reason)
        })?;
        self.group += 1;
        Ok(true)
    }

    /// Takes the next values out of each column. Where one cannot be read on, the rows up to there come first, and what
    /// is wrong afterwards.
    fn take(&mut self, columns: &[usize]) {
        let mut rows = self.left.min(ROWS);
        let schema = self.file.metadata().file_metadata().schema_descr();
        self.values.resize_with(columns.len(), Vec::new);
        for ((&column, reader), values) in
            columns.iter().zip(&mut self.readers).zip(&mut self.values)
        {
            values.clear();
            let descriptor = schema.column(column);
            while values.len() < rows {
                let before = values.len();
                let read = guarded(|| read(reader, &descriptor, rows - before, values));
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
    rows: usize,
    into: &mut Vec<Option<f64>>,
) -> Result<(), ParquetError> {
    let present = column.max_def_level();
    let unsigned = is_unsigned(column.converted_type());
    match reader {
        ColumnReader::BoolColumnReader(reader) => {
            extend(reader, present, rows, into, |&v| f64::from(u8::from(v)))
        }
        ColumnReader::Int32ColumnReader(reader) if unsigned => {
            extend(reader, present, rows, into, |&v| {
                f64::from(v.cast_unsigned())
            })
        }
        ColumnReader::Int32ColumnReader(reader) => {
            extend(reader, present, rows, into, |&v| f64::from(v))
        }
        ColumnReader::Int64ColumnReader(reader) if unsigned => {
            extend(reader, present, rows, into, |&v| v.cast_unsigned() as f64)
        }
        ColumnReader::Int64ColumnReader(reader) => {
            extend(reader, present, rows, into, |&v| v as f64)
        }
        ColumnReader::FloatColumnReader(reader) => {
            extend(reader, present, rows, into, |&v| f64::from(v))
        }
        ColumnReader::DoubleColumnReader(reader) => extend(reader, present, rows, into, |&v| v),
        _ => Ok(()),
    }
}

/// With None for those that are missing: whose level of definition is below that of those `present`.
fn extend<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    present: i16,
    rows: usize,
    into: &mut Vec<Option<f64>>,
    number: impl Fn(&T::T) -> f64,
) -> Result<(), ParquetError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    reader.read_records(rows, Some(&mut levels), None, &mut values)?;
    if present == 0 {
        into.extend(values.iter().map(|value| Some(number(value))));
        return Ok(());
    }
    let mut values = values.iter();
    into.extend(levels.iter().map(|&level| {
        let value = if level == present {
            values.next()
        } else {
            None
        };
        value.map(&number)
    }));
    Ok(())
}

impl<R: ChunkReader + 'static> Source for ParquetRows<R> {
    fn columns(&self) -> &[String] {
        &self.names
    }

    fn read_row(&mut self, columns: &[usize], values: &mut Vec<f64>) -> Result<bool, SourceError> {
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
        let (at, place) = (self.given, Place::Row(self.row));
        self.given += 1;
        self.row += 1;
        for (&column, of_column) in columns.iter().zip(&self.values) {
            let may_miss = self.missing_values && self.target != Some(column);
            let missing = may_miss.then_some(f64::NAN);
            let value = of_column[at].or(missing);
            let value = value.ok_or_else(|| SourceError::Number {
                place,
                column: self.names[column].clone(),
                value: "null".to_owned(),
            })?;
            values.push(value);
        }
        Ok(true)
    }

    fn read_missing_as_nan(&mut self, target: Option<usize>) {
        self.missing_values = true;
        self.target = target;
    }
}
