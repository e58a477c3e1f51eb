//! Rows of comma-separated values, block by block.

use csv::{ByteRecord, ReaderBuilder};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Ix1};
use std::io::{BufRead, BufReader, Error, Read};

/// Rows of a block, unless another number is asked for.
const ROWS: usize = 10_000;

/// Letters of a value that an error tells.
const TOLD: usize = 40;

/// Records and targets from comma-separated values, a block at a time: the file is read once, and no more of it than
/// a block is in memory.
///
/// The first line has the names of the columns. One column is the target, the last if no other is asked for; all
/// others are features, in their order. Values are finite numbers; a row is one line, and empty lines are none.
///
/// A row that is none is an error that names its line. The rows before it come with the next block, so that whoever
/// wants to may go on; [`skip_bad_rows`](Self::skip_bad_rows) does that, and counts them.
///
/// # Example
/// ```
/// use npt_methods::{linear::Ridge, streaming::{CsvBlocks, CsvError, FitMoments, Moments}};
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
pub struct CsvBlocks<R> {
    file: BufReader<R>,
    /// The last line that was read, and its number from 1.
    text: Vec<u8>,
    line: u64,
    names: Vec<String>,
    /// Which column is the target.
    target: usize,
    rows: usize,
    skips: bool,
    skipped: usize,
    is_at_end: bool,
    /// Of rows that are no block yet.
    records: Vec<f64>,
    targets: Vec<f64>,
}

/// The values of a line, without the quotes around them.
fn values(line: &[u8]) -> ByteRecord {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .buffer_capacity(line.len())
        .from_reader(line);
    let mut row = ByteRecord::new();
    // One record in memory: nothing to be read, nothing to compare its length with.
    reader.read_byte_record(&mut row).unwrap_or_default();
    row
}

/// What is wrong with a file of comma-separated values. Lines are counted from 1, the names of the columns among
/// them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CsvError {
    /// A value is no finite number.
    #[error("line {line} has \"{value}\" in column {column}, where a finite number should be")]
    Number {
        /// The line.
        line: u64,
        /// The name of the column.
        column: String,
        /// What is there, of a long text the beginning.
        value: String,
    },
    /// A row has more or fewer values than there are columns.
    #[error("line {line} has {found} values; there are {expected} columns")]
    Width {
        /// The line.
        line: u64,
        /// The number of columns.
        expected: usize,
        /// The number of values.
        found: usize,
    },
    /// There is no column of that name.
    #[error("there is no column {name}; there are {}", .columns.join(", "))]
    NoColumn {
        /// The name.
        name: String,
        /// Those that there are.
        columns: Vec<String>,
    },
    /// There are fewer than two columns: a feature and the target.
    #[error("there are {found} columns; a feature and the target take 2")]
    NoFeatures {
        /// How many there are.
        found: usize,
    },
    /// The file cannot be read.
    #[error("line {line} cannot be read: {reason}")]
    Unreadable {
        /// The first line that cannot.
        line: u64,
        /// What the system says.
        reason: String,
    },
}

impl<R: Read> CsvBlocks<R> {
    /// Of a file, or anything else that bytes are read from; it is buffered here.
    ///
    /// # Errors
    /// [`CsvError::NoFeatures`], [`CsvError::Unreadable`].
    pub fn new(file: R) -> Result<Self, CsvError> {
        let mut blocks = Self {
            file: BufReader::new(file),
            text: Vec::new(),
            line: 0,
            target: 0,
            names: Vec::new(),
            rows: ROWS,
            skips: false,
            skipped: 0,
            is_at_end: false,
            records: Vec::new(),
            targets: Vec::new(),
        };
        if blocks.read_line()? {
            let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
            blocks.names = values(&blocks.text).iter().map(name).collect();
        }
        let found = blocks.names.len();
        if found < 2 {
            return Err(CsvError::NoFeatures { found });
        }
        blocks.target = found - 1;
        Ok(blocks)
    }

    /// With this column for the target.
    ///
    /// # Errors
    /// [`CsvError::NoColumn`].
    pub fn target(mut self, name: &str) -> Result<Self, CsvError> {
        match self.names.iter().position(|column| column == name) {
            Some(target) => {
                self.target = target;
                Ok(self)
            }
            None => Err(CsvError::NoColumn {
                name: name.to_owned(),
                columns: self.names,
            }),
        }
    }

    /// With so many rows a block, at least 1; 10,000 by default. The last has what is left.
    pub fn rows(mut self, rows: usize) -> Self {
        self.rows = rows.max(1);
        self
    }

    /// Rows that are none are left out, and counted.
    pub fn skip_bad_rows(mut self) -> Self {
        self.skips = true;
        self
    }

    /// How many rows were left out so far.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// The names of the features.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        let others = self.names.iter().enumerate();
        let others = others.filter(|(column, _)| *column != self.target);
        others.map(|(_, name)| name.as_str())
    }

    /// Reads the next line that is not empty; whether there is one.
    fn read_line(&mut self) -> Result<bool, CsvError> {
        loop {
            self.text.clear();
            self.line += 1;
            let bytes = self.file.read_until(b'\n', &mut self.text);
            let bytes = bytes.map_err(|error: Error| CsvError::Unreadable {
                line: self.line,
                reason: error.to_string(),
            })?;
            if bytes == 0 || !self.text.trim_ascii().is_empty() {
                return Ok(bytes > 0);
            }
        }
    }

    /// Takes the values of the line in, all of them or none.
    fn take(&mut self) -> Result<(), CsvError> {
        let (row, line) = (values(&self.text), self.line);
        let (expected, found) = (self.names.len(), row.len());
        if expected != found {
            return Err(CsvError::Width {
                line,
                expected,
                found,
            });
        }
        let before = self.records.len();
        let mut target = 0.0;
        for (column, bytes) in row.iter().enumerate() {
            let number = std::str::from_utf8(bytes).ok();
            let number = number.and_then(|text| text.trim().parse::<f64>().ok());
            match number.filter(|number| number.is_finite()) {
                Some(number) if column == self.target => target = number,
                Some(number) => self.records.push(number),
                None => {
                    self.records.truncate(before);
                    let value = String::from_utf8_lossy(bytes);
                    return Err(CsvError::Number {
                        line,
                        column: self.names[column].clone(),
                        value: value.chars().take(TOLD).collect(),
                    });
                }
            }
        }
        self.targets.push(target);
        Ok(())
    }

    /// The rows that were taken in.
    fn block(&mut self) -> Dataset<f64, f64, Ix1> {
        let targets = Array1::from(std::mem::take(&mut self.targets));
        let shape = (targets.len(), self.names.len() - 1);
        let records = Array2::from_shape_vec(shape, std::mem::take(&mut self.records));
        DatasetBase::new(records.expect("all values of each row"), targets)
    }
}

impl<R: Read> Iterator for CsvBlocks<R> {
    type Item = Result<Dataset<f64, f64, Ix1>, CsvError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_at_end && self.targets.len() < self.rows {
            match self.read_line() {
                Ok(true) => match self.take() {
                    Ok(()) => {}
                    Err(_) if self.skips => self.skipped += 1,
                    Err(error) => return Some(Err(error)),
                },
                Ok(false) => self.is_at_end = true,
                Err(error) => {
                    // What could be read comes before it ends.
                    self.is_at_end = true;
                    return Some(Err(error));
                }
            }
        }
        (!self.targets.is_empty()).then(|| Ok(self.block()))
    }
}
