//! Comma-separated values.

mod encoding;
mod format;
mod records;
#[cfg(test)]
mod tests;
mod values;

pub use encoding::Encoding;
pub use format::CsvFormat;

use crate::{Blocks, Column, Place, Row, Source, SourceError};
use ndarray::Array1;
use records::Records;
use std::io::Read;

/// [`Blocks`] of comma-separated values.
///
/// # Example
/// ```
/// use npt_methods::{linear::Ridge, streaming::{FitMoments, Moments}};
/// use npt_tables::CsvBlocks;
///
/// let text = "x,y\n0,1\n1,3\n2,five\n3,7\n";
/// let mut moments = Moments::new(1);
/// let mut blocks = CsvBlocks::new(text.as_bytes())?.target("y")?.rows(2).skip_bad_rows();
/// for block in &mut blocks {
///     moments.add(&block?)?;
/// }
/// assert_eq!((moments.count(), blocks.skipped()), (3, 1));
/// let line: Ridge<f64> = Ridge::params().penalty(0.0).fit_moments(&moments)?;
/// assert!((line.weights()[[0, 0]] - 2.0).abs() < 1e-14);
///
/// let error = CsvBlocks::new(text.as_bytes())?.target("y")?.find_map(Result::err).unwrap();
/// assert_eq!(error.to_string(), "line 4 has \"five\" in column y, where a finite number should be");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type CsvBlocks<R, T = Array1<f64>> = Blocks<CsvRows<R>, T>;

/// The rows of a text of comma-separated values (RFC 4180), or of values in another [`CsvFormat`].
///
/// A row is one line, except for line breaks in quotes; errors name the line in which the row begins. Empty lines are no rows. Spaces around
/// values and around quotes are no part of the values. A quote in quotes is doubled; a quote inside of a value that does not begin with one is
/// an ordinary letter. A quote that is never closed ends the table with [`SourceError::UnclosedQuote`].
///
/// Numbers are written as in Rust; `true` and `false`, in upper case or lower, are the numbers 1 and 0. Texts of
/// [categories](CsvBlocks::categorical) and [labels](CsvBlocks::labels) are taken literally if they are in quotes. Outside of quotes,
/// an empty value, `NA`, `NaN`, `null` and `?` are missing values, unless [other texts are](CsvFormat::missing).
pub struct CsvRows<R> {
    records: Records<R>,
    format: CsvFormat,
    names: Vec<String>,
    /// Is true if the record that was read last is a row that was not given away yet.
    is_next: bool,
}

impl<R: Read> CsvBlocks<R> {
    /// Reads a file, or anything else that gives bytes, in the default [format](CsvFormat). The reading is buffered here.
    ///
    /// # Errors
    /// The errors of [`CsvFormat::blocks`].
    pub fn new(file: R) -> Result<Self, SourceError> {
        CsvFormat::new().blocks(file)
    }

    /// Reads a file whose first line is a row. The names of the columns are their places: 0, 1, …
    ///
    /// # Errors
    /// The errors of [`CsvFormat::blocks`].
    ///
    /// # Example
    /// ```
    /// use npt_tables::CsvBlocks;
    ///
    /// let text = "1,0.5,7\n2,,8\n";
    /// let data = CsvBlocks::without_names(text.as_bytes())?.with_missing_values().target("0")?.read()?;
    /// assert_eq!(data.targets, ndarray::array![1.0, 2.0]);
    /// assert!(data.records[[1, 0]].is_nan());
    /// # Ok::<(), npt_tables::SourceError>(())
    /// ```
    pub fn without_names(file: R) -> Result<Self, SourceError> {
        CsvFormat::new().without_names().blocks(file)
    }
}

impl<R: Read> Source for CsvRows<R> {
    fn columns(&self) -> &[String] {
        &self.names
    }

    fn line(&self) -> Option<u64> {
        Some(self.records.line())
    }

    fn read_row(&mut self, columns: &[Column], row: &mut Row<'_>) -> Result<bool, SourceError> {
        if !std::mem::take(&mut self.is_next) && !self.records.read(&self.names)? {
            return Ok(false);
        }
        let fields = self.records.fields();
        let (expected, found) = (self.names.len(), fields.len());
        if expected != found {
            return Err(SourceError::Width {
                place: Place::Line(self.records.line()),
                expected,
                found,
            });
        }
        for &column in columns {
            let field = fields[column.index()];
            self.format.give(&self.records, field, column, row);
        }
        Ok(true)
    }
}
