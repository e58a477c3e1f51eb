//! The format of a text of values.

use super::{
    CsvBlocks, CsvRows, Encoding,
    records::{self, Records},
};
use crate::{Blocks, Place, SourceError};
use std::io::Read;

/// The texts that stand for a missing value, unless others are asked for.
const MISSING: [&str; 5] = ["", "NA", "NaN", "null", "?"];

/// The delimiters that are tried where a line seems to be one column.
const USUAL: [char; 4] = [',', ';', '\t', '|'];

/// The format of a text of values: delimiter, encoding, texts for missing values, whether the first line has names.
///
/// By default values stand between commas, the encoding is UTF-8, and the first line has the names of the columns. A missing value is an empty
/// value, `NA`, `NaN`, `null` or `?`, in upper case or lower, outside of quotes.
///
/// # Example
/// ```
/// use npt_tables::{CsvBlocks, CsvFormat};
///
/// // Written by a program that takes the comma for the decimal point; Namibia's code is NA, and a missing value is a hyphen.
/// let table = "country;height;weight\nNA;1,75;68,5\nDE;-;71\n";
/// let format = CsvFormat::new().delimiter(';').decimal_comma().missing(&["-"]);
/// let blocks = format.blocks(table.as_bytes())?.categorical(&["country"])?.target("weight")?;
/// let data = blocks.with_missing_values().read()?;
/// assert_eq!(data.targets, ndarray::array![68.5, 71.0]);
/// assert_eq!(data.records.row(0), ndarray::array![0.0, 1.75]);
/// assert!(data.records[[1, 1]].is_nan());
///
/// let error = CsvBlocks::new(table.as_bytes()).err().unwrap();
/// assert_eq!(
///     error.to_string(),
///     "line 1 has one column, \"country;height;weight\", and would have 3 columns with the delimiter ';': \
///      name the delimiter of the table"
/// );
/// # Ok::<(), npt_tables::SourceError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvFormat {
    /// The delimiter that was asked for; `None` means a comma, if that makes columns.
    delimiter: Option<char>,
    pub(super) encoding: Encoding,
    pub(super) missing: Vec<String>,
    pub(super) missing_in_quotes: bool,
    pub(super) decimal_comma: bool,
    names: bool,
}

impl Default for CsvFormat {
    fn default() -> Self {
        Self {
            delimiter: None,
            encoding: Encoding::Utf8,
            missing: MISSING.map(str::to_owned).to_vec(),
            missing_in_quotes: false,
            decimal_comma: false,
            names: true,
        }
    }
}

impl CsvFormat {
    /// The default format.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the character between values, such as `;`, a tab or `|`. It is ASCII, and no quote, line end, letter, digit, `+`, `-` or `.`.
    pub fn delimiter(mut self, delimiter: char) -> Self {
        self.delimiter = Some(delimiter);
        self
    }

    /// Sets the encoding; UTF-8 by default.
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// Sets the texts, in upper case or lower, that stand for missing values. They replace all others, also the empty text `""`.
    pub fn missing(mut self, texts: &[impl AsRef<str>]) -> Self {
        let texts = texts.iter().map(|text| text.as_ref().trim().to_owned());
        self.missing = texts.collect();
        self
    }

    /// Takes texts that stand for missing values as missing in quotes, too: for files in which every value is in quotes. By
    /// default a text in quotes is taken literally.
    pub fn missing_in_quotes(mut self) -> Self {
        self.missing_in_quotes = true;
        self
    }

    /// Takes the comma for the decimal point of numbers: `1,5` is one and a half, and `1.5` is no number.
    pub fn decimal_comma(mut self) -> Self {
        self.decimal_comma = true;
        self
    }

    /// Takes the first line for a row. The names of the columns are their places: 0, 1, …
    pub fn without_names(mut self) -> Self {
        self.names = false;
        self
    }

    /// Makes blocks of a file in this format, or of anything else that bytes are read from. The reading is buffered here.
    ///
    /// # Errors
    /// [`SourceError::NoDelimiter`], [`SourceError::NoFeatures`], [`SourceError::Unreadable`]; [`SourceError::OneColumn`] if no delimiter was asked
    /// for and the first line has another one than commas; [`SourceError::Encoding`], [`SourceError::UnclosedQuote`] and
    /// [`SourceError::AfterQuote`] for the names.
    pub fn blocks<R: Read>(self, file: R) -> Result<CsvBlocks<R>, SourceError> {
        let delimiter = self.checked_delimiter()?;
        let mut records = Records::new(file, delimiter);
        let read = records.read(&[]);
        self.check_beginning(&records)?;
        let has_line = match (read, self.other_delimiter(&records)) {
            (Ok(true) | Err(SourceError::AfterQuote { .. }), Some(error)) => return Err(error),
            (read, _) => read?,
        };
        let names = if self.names {
            self.names_in(&records)?
        } else {
            let places = 0..records.fields().len();
            places.map(|place| place.to_string()).collect()
        };
        Blocks::of(CsvRows {
            is_next: has_line && !self.names,
            format: self,
            names: if has_line { names } else { Vec::new() },
            records,
        })
    }

    fn checked_delimiter(&self) -> Result<u8, SourceError> {
        let delimiter = self.delimiter.unwrap_or(',');
        let is_of_values = delimiter.is_ascii_alphanumeric() || "\"\r\n+-.\0".contains(delimiter);
        match u8::try_from(delimiter) {
            Ok(byte) if byte.is_ascii() && !is_of_values => Ok(byte),
            _ => Err(SourceError::NoDelimiter { delimiter }),
        }
    }

    /// Refuses a text whose first bytes say that its encoding is another one.
    fn check_beginning<R: Read>(&self, records: &Records<R>) -> Result<(), SourceError> {
        let text = records.text();
        let is_utf16 = [b"\xff\xfe", b"\xfe\xff"]
            .iter()
            .any(|mark| text.starts_with(*mark));
        let reason = if is_utf16 && records.line() == 1 {
            "the file is in UTF-16; write it in UTF-8"
        } else if records.has_mark() && self.encoding != Encoding::Utf8 {
            "the file begins with the mark of UTF-8, and another encoding is asked for"
        } else {
            return Ok(());
        };
        Err(SourceError::unreadable(Place::Line(1), &reason))
    }

    /// Returns the error for a line that is one column, or cannot be read, and has columns with another delimiter. There is none if a delimiter
    /// was asked for.
    fn other_delimiter<R: Read>(&self, records: &Records<R>) -> Option<SourceError> {
        if self.delimiter.is_some() || records.fields().len() > 1 {
            return None;
        }
        let columns = |delimiter: char| {
            let mut line = Records::new(records.text(), u8::try_from(delimiter).ok()?);
            line.read(&[]).ok()?;
            Some((line.fields().len(), delimiter))
        };
        let found = USUAL.into_iter().filter_map(columns);
        let (columns, delimiter) = found.rev().max_by_key(|&(columns, _)| columns)?;
        (columns > 1).then(|| SourceError::OneColumn {
            place: Place::Line(records.line()),
            value: records::told(records.text().trim_ascii()),
            delimiter,
            columns,
        })
    }

    /// Reads the names of the columns from the last record.
    fn names_in<R: Read>(&self, records: &Records<R>) -> Result<Vec<String>, SourceError> {
        let place = Place::Line(records.line());
        let fields = records.fields().iter().enumerate();
        let names = fields.map(|(column, &field)| {
            let Some(text) = self.text(records, field) else {
                return Err(SourceError::Encoding {
                    place,
                    column: column.to_string(),
                    value: records::told(records.bytes(field)),
                    encoding: self.encoding.name(),
                });
            };
            if field.is_quoted {
                Ok(text.into_owned())
            } else if text.trim().contains('\r') {
                let reason = "there is a carriage return in it; lines end with line feeds";
                Err(SourceError::unreadable(place, &reason))
            } else {
                Ok(text.trim().to_owned())
            }
        });
        names.collect()
    }
}
