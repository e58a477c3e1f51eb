//! Comma-separated values.

use super::{Blocks, Place, Source, SourceError};
use csv::{ByteRecord, ReaderBuilder, Terminator};
use std::io::{BufRead, BufReader, Read};

/// What stands for a missing value, besides nothing.
const MISSING: [&str; 4] = ["NA", "NaN", "null", "?"];

/// Letters of a value that an error tells.
const TOLD: usize = 40;

/// Bytes of a line: what has more is no table.
const LONGEST: u64 = 1 << 26;

/// [`Blocks`] of comma-separated values.
///
/// # Example
/// ```
/// use npt_methods::{linear::Ridge, streaming::{CsvBlocks, FitMoments, Moments}};
///
/// let text = "x,y\n0,1\n1,3\n2,five\n3,7\n";
/// let mut moments = Moments::new(1);
/// let mut blocks = CsvBlocks::new(text.as_bytes())?.rows(2).skip_bad_rows();
/// for block in &mut blocks {
///     moments.add(&block?)?;
/// }
/// assert_eq!((moments.count(), blocks.skipped()), (3, 1));
/// let line: Ridge<f64> = Ridge::params().penalty(0.0).fit_moments(&moments)?;
/// assert!((line.weights()[[0, 0]] - 2.0).abs() < 1e-14);
///
/// let error = CsvBlocks::new(text.as_bytes())?.find_map(Result::err).unwrap();
/// assert_eq!(error.to_string(), "line 4 has \"five\" in column y, where a finite number should be");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type CsvBlocks<R> = Blocks<CsvRows<R>>;

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
    /// Whether what is missing is NaN, but in the target.
    missing_values: bool,
    target: Option<usize>,
}

impl<R: Read> CsvBlocks<R> {
    /// Of a file, or anything else that bytes are read from; it is buffered here.
    ///
    /// # Errors
    /// [`SourceError::NoFeatures`], [`SourceError::Unreadable`].
    pub fn new(file: R) -> Result<Self, SourceError> {
        let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        Self::of_first_line(file, |line| line.iter().map(name).collect())
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
        let mut blocks = Self::of_first_line(file, places)?;
        blocks.source.is_next = true;
        Ok(blocks)
    }

    fn of_first_line(
        file: R,
        names: impl Fn(&ByteRecord) -> Vec<String>,
    ) -> Result<Self, SourceError> {
        let mut rows = CsvRows {
            file: BufReader::new(file),
            text: Vec::new(),
            line: 0,
            names: Vec::new(),
            is_next: false,
            missing_values: false,
            target: None,
        };
        if rows.read_line()? {
            rows.names = names(&values(&rows.text));
            if rows.names.iter().any(|name| name.contains('\r')) {
                let reason = "there is a carriage return in it; lines end with line feeds";
                return Err(SourceError::unreadable(Place::Line(rows.line), &reason));
            }
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

    fn read_row(&mut self, columns: &[usize], values: &mut Vec<f64>) -> Result<bool, SourceError> {
        if !self.read_line()? {
            return Ok(false);
        }
        let (row, place) = (self::values(&self.text), Place::Line(self.line));
        let (expected, found) = (self.names.len(), row.len());
        if expected != found {
            return Err(SourceError::Width {
                place,
                expected,
                found,
            });
        }
        for &column in columns {
            let text = std::str::from_utf8(&row[column]).map(str::trim);
            let may_miss = self.missing_values && self.target != Some(column);
            if may_miss && text.is_ok_and(is_missing) {
                values.push(f64::NAN);
                continue;
            }
            let number = text.ok().and_then(|text| text.parse::<f64>().ok());
            let Some(number) = number.filter(|number| number.is_finite()) else {
                let value = String::from_utf8_lossy(&row[column]);
                return Err(SourceError::Number {
                    place,
                    column: self.names[column].clone(),
                    value: value.chars().take(TOLD).collect(),
                });
            };
            values.push(number);
        }
        Ok(true)
    }

    fn read_missing_as_nan(&mut self, target: Option<usize>) {
        self.missing_values = true;
        self.target = target;
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
