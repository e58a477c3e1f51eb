//! Comma-separated values.

use super::{Blocks, Column, Place, Row, Source, SourceError};
use csv::{ByteRecord, ReaderBuilder, Terminator};
use ndarray::Array1;
use std::io::{BufRead, BufReader, Read};

/// Bytes of a line: what has more is no table.
const LONGEST: u64 = 1 << 26;

/// What stands for a missing value, besides nothing.
const MISSING: [&str; 4] = ["NA", "NaN", "null", "?"];

/// [`Blocks`] of comma-separated values.
///
/// # Example
/// ```
/// use npt_methods::{linear::Ridge, streaming::{CsvBlocks, FitMoments, Moments}};
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

/// Comma-separated values. The first line has the names of the columns, or [none does](CsvBlocks::without_names); a row is one line,
/// and empty lines are none. Where [values may be missing](Blocks::with_missing_values), one is where there is nothing, `NA`, `NaN`,
/// `null` or `?`.
pub struct CsvRows<R> {
    file: BufReader<R>,
    /// The last line that was read, and its number from 1.
    text: Vec<u8>,
    line: u64,
    names: Vec<String>,
    /// Whether the line is a row that was not given away yet.
    is_next: bool,
}

impl<R: Read> CsvBlocks<R> {
    /// Of a file, or anything else that bytes are read from; it is buffered here.
    ///
    /// # Errors
    /// [`SourceError::NoFeatures`], [`SourceError::Unreadable`].
    pub fn new(file: R) -> Result<Self, SourceError> {
        let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        Self::of_first_line(file, |line| line.iter().map(name).collect(), false)
    }

    /// Of a file whose first line is a row. The columns are named by their places: 0, 1, …
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Example
    /// ```
    /// use npt_methods::streaming::CsvBlocks;
    ///
    /// let text = "1,0.5,7\n2,,8\n";
    /// let data = CsvBlocks::without_names(text.as_bytes())?.with_missing_values().target("0")?.read()?;
    /// assert_eq!(data.targets, ndarray::array![1.0, 2.0]);
    /// assert!(data.records[[1, 0]].is_nan());
    /// # Ok::<(), npt_methods::streaming::SourceError>(())
    /// ```
    pub fn without_names(file: R) -> Result<Self, SourceError> {
        let places = |line: &ByteRecord| (0..line.len()).map(|place| place.to_string()).collect();
        Self::of_first_line(file, places, true)
    }

    fn of_first_line(
        file: R,
        names: impl Fn(&ByteRecord) -> Vec<String>,
        is_row: bool,
    ) -> Result<Self, SourceError> {
        let mut rows = CsvRows {
            file: BufReader::new(file),
            text: Vec::new(),
            line: 0,
            names: Vec::new(),
            is_next: false,
        };
        if rows.read_line()? {
            rows.names = names(&values(&rows.text));
            if rows.names.iter().any(|name| name.contains('\r')) {
                let reason = "there is a carriage return in it; lines end with line feeds";
                return Err(SourceError::unreadable(Place::Line(rows.line), &reason));
            }
            rows.is_next = is_row;
        }
        Self::of(rows)
    }
}

impl<R: Read> CsvRows<R> {
    /// Reads the next line that is not empty; whether there is one.
    fn read_line(&mut self) -> Result<bool, SourceError> {
        if std::mem::take(&mut self.is_next) {
            return Ok(true);
        }
        loop {
            self.text.clear();
            self.line += 1;
            let place = Place::Line(self.line);
            let mut file = (&mut self.file).take(LONGEST);
            let bytes = file.read_until(b'\n', &mut self.text);
            let bytes = bytes.map_err(|error| SourceError::unreadable(place, &error))?;
            if bytes as u64 == LONGEST {
                return Err(SourceError::unreadable(place, &"it has 64 MB or more"));
            }
            if bytes == 0 || !self.text.trim_ascii().is_empty() {
                return Ok(bytes > 0);
            }
        }
    }
}

impl<R: Read> Source for CsvRows<R> {
    fn columns(&self) -> &[String] {
        &self.names
    }

    fn line(&self) -> Option<u64> {
        Some(self.line)
    }

    fn read_row(&mut self, columns: &[Column], row: &mut Row<'_>) -> Result<bool, SourceError> {
        if !self.read_line()? {
            return Ok(false);
        }
        let (values, place) = (values(&self.text), Place::Line(self.line));
        let (expected, found) = (self.names.len(), values.len());
        if expected != found {
            return Err(SourceError::Width {
                place,
                expected,
                found,
            });
        }
        for column in columns {
            let bytes = &values[column.index()];
            match std::str::from_utf8(bytes) {
                Ok(text) if is_missing(text.trim()) => row.missing_as(text.trim()),
                Ok(text) => row.text(text.trim()),
                Err(_) => row.not_in_encoding(bytes, "UTF-8"),
            }
        }
        Ok(true)
    }
}

fn is_missing(text: &str) -> bool {
    text.is_empty() || MISSING.iter().any(|name| name.eq_ignore_ascii_case(text))
}

/// The values of a line, without the quotes around them and the end of the line.
fn values(line: &[u8]) -> ByteRecord {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .terminator(Terminator::Any(b'\n'))
        .buffer_capacity(line.len())
        .from_reader(line);
    let mut row = ByteRecord::new();
    // One record in memory: nothing to be read, nothing to compare its length with.
    reader.read_byte_record(&mut row).unwrap_or_default();
    row
}
