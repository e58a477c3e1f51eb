//! Tables in Parquet files.

mod json;
mod kinds;
mod pandas;
mod values;

use self::{
    kinds::{is_of_numbers, is_of_texts, kind},
    values::{Cell, read},
};
use crate::{Blocks, Column, Place, Row, Source, SourceError, pages::CheckedPages};
use ndarray::Array1;
use parquet::{
    column::reader::{ColumnReader, get_column_reader},
    errors::ParquetError,
    file::{
        metadata::{ParquetMetaData, ParquetMetaDataReader},
        reader::ChunkReader,
    },
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// The number of rows that are taken out of each column at a time.
const ROWS: usize = 1024;

/// [`Blocks`] of a Parquet file. Columns may be of numbers, with decimal and half-precision ones, of truth values, and of texts if
/// [categories](Self::categorical) or [labels](Self::labels) are asked for. Missing values are errors, unless they
/// [are allowed](Self::with_missing_values).
///
/// Files may be compressed with Snappy, gzip, Zstandard, LZ4 or Brotli, or not at all; none of these takes a compiler of C. A
/// page that says that it becomes more than its compression can make of its bytes is refused before memory is taken for it.
///
/// The index of a pandas frame is no feature and no target, unless it is named: the file says which columns it is.
///
/// # Example
/// ```no_run
/// use npt_tables::ParquetBlocks;
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
    /// The columns that are the index of a pandas frame.
    index_columns: Vec<usize>,
    /// The number of the next row group.
    group: usize,
    /// The readers of the columns that are read, in the row group that is open.
    readers: Vec<ColumnReader>,
    /// The number of rows of that group that were not taken out yet.
    left: usize,
    /// Values that were taken out, one vector a column; `given` is the number of rows of them that were given away.
    values: Vec<Vec<Option<Cell>>>,
    given: usize,
    /// The error that comes after these values, if the file cannot be read on.
    fault: Option<SourceError>,
    /// The number of rows that were given away in all.
    row: u64,
}

impl<R: ChunkReader + 'static> ParquetBlocks<R> {
    /// Reads a file, or bytes in memory.
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

/// Checks the headers of all pages of a Parquet file, for programs that read it by another reader. A page that says that it becomes more than
/// its compression can make of its bytes is refused: that reader would take as much memory for it. [`ParquetBlocks`] make this check themselves.
///
/// # Errors
/// [`SourceError::Unreadable`].
///
/// # Example
/// ```no_run
/// npt_tables::check_parquet_pages(std::fs::File::open("flights.parquet")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_parquet_pages<R: ChunkReader + 'static>(file: R) -> Result<(), SourceError> {
    let file = Arc::new(file);
    let checked = guarded(|| {
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&*file)?;
        for group in metadata.row_groups() {
            let rows = usize::try_from(group.num_rows()).unwrap_or_default();
            for column in group.columns() {
                CheckedPages::new(&file, column, rows)?.check_headers()?;
            }
        }
        Ok(())
    });
    checked.map_err(|error| unreadable(0, &error))
}

/// Runs work of the crate `parquet`, and returns its panics as errors: that crate does not find all damage of a file before it relies on
/// the file.
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

impl<R: ChunkReader + 'static> ParquetRows<R> {
    /// Opens the next row group; returns false after the last.
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

    /// Takes the next values out of each column. If a column cannot be read on, the rows before that place come first, and the
    /// error after them.
    fn take(&mut self, columns: &[Column]) {
        let mut rows = self.left.min(ROWS);
        let schema = self.metadata.file_metadata().schema_descr();
        self.values.resize_with(columns.len(), Vec::new);
        for ((column, reader), values) in
            columns.iter().zip(&mut self.readers).zip(&mut self.values)
        {
            values.clear();
            let descriptor = schema.column(column.index());
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
                Some(cell) => cell.write(row),
                None => row.missing(),
            }
        }
        Ok(true)
    }
}
