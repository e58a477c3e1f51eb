//! The records of a text, by RFC 4180: a record is one line, except for line breaks in quotes.

use crate::{Place, SourceError};
use std::io::{BufRead, BufReader, Read};

/// The largest number of bytes of a record. A file with a longer one is no table.
const LONGEST: usize = 1 << 26;

/// The number of bytes that are read from the file at once.
const BUFFER: usize = 1 << 16;

/// The number of letters of a value that an error shows.
const TOLD: usize = 40;

/// The mark that some programs put before a text in UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a text record by record.
///
/// The crate `csv` is not used, because it tells neither whether a value was in quotes nor that its input ended inside of
/// quotes; a test checks that both read the same records.
pub(super) struct Records<R> {
    file: BufReader<R>,
    delimiter: u8,
    /// The last record that was read, the end of its last line included.
    text: Vec<u8>,
    fields: Vec<Field>,
    /// The number of lines that were read; `line` is the line, from 1, in which the record begins.
    lines: u64,
    line: u64,
    /// The place in the text where the last line that was read begins.
    line_start: usize,
    has_mark: bool,
}

/// A value of a record, as a range of bytes of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    start: usize,
    end: usize,
    /// Is true if the value was in quotes. The quotes are not in the range.
    pub(super) is_quoted: bool,
    /// Is true if there are doubled quotes in the value.
    pub(super) has_quotes: bool,
}

impl<R: Read> Records<R> {
    pub(super) fn new(file: R, delimiter: u8) -> Self {
        Self {
            file: BufReader::with_capacity(BUFFER, file),
            delimiter,
            text: Vec::new(),
            fields: Vec::new(),
            lines: 0,
            line: 0,
            line_start: 0,
            has_mark: false,
        }
    }

    /// The line in which the last record begins.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The bytes of the last record, as the file has them.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns whether the text began with the mark of UTF-8. The mark is left out of the records.
    pub(super) fn has_mark(&self) -> bool {
        self.has_mark
    }

    pub(super) fn fields(&self) -> &[Field] {
        &self.fields
    }

    pub(super) fn bytes(&self, field: Field) -> &[u8] {
        &self.text[field.start..field.end]
    }

    /// Reads the next record that is not empty; returns false at the end. After [`SourceError::AfterQuote`] the next line is the next record.
    pub(super) fn read(&mut self, names: &[String]) -> Result<bool, SourceError> {
        loop {
            self.text.clear();
            self.fields.clear();
            let is_line = self.read_line()?;
            self.line = self.lines;
            if !is_line {
                return Ok(false);
            }
            if self.text.len() >= LONGEST {
                let place = Place::Line(self.line);
                let reason = "it has 64 MB or more: its end is missing, or a quote is not closed";
                return Err(SourceError::unreadable(place, &reason));
            }
            if self.lines == 1 && self.text.starts_with(MARK) {
                self.text.drain(..MARK.len());
                self.has_mark = true;
            }
            if !self.is_blank() {
                return self.split(names).map(|()| true);
            }
        }
    }

    /// Returns whether the line is empty, or has only spaces that are no delimiters.
    fn is_blank(&self) -> bool {
        let is_space = |&byte: &u8| byte.is_ascii_whitespace() && byte != self.delimiter;
        self.text.iter().all(is_space)
    }

    /// Appends the next line to the text, up to the size that a record may have; returns false at the end.
    fn read_line(&mut self) -> Result<bool, SourceError> {
        self.lines += 1;
        self.line_start = self.text.len();
        let room = LONGEST.saturating_sub(self.text.len());
        let mut file = (&mut self.file).take(room as u64);
        let read = file.read_until(b'\n', &mut self.text);
        let place = Place::Line(self.lines);
        let read = read.map_err(|error| SourceError::unreadable(place, &error))?;
        Ok(read > 0)
    }

    /// The end of the text, without the end of its last line.
    fn end(&self) -> usize {
        let text = self.text.strip_suffix(b"\n").unwrap_or(&self.text);
        text.strip_suffix(b"\r").unwrap_or(text).len()
    }

    /// Finds the fields of the record, and reads the next line if a line ends inside of quotes.
    fn split(&mut self, names: &[String]) -> Result<(), SourceError> {
        let (mut start, mut end) = (0, self.end());
        loop {
            let open = start + self.spaces(&self.text[start..end]);
            if open < end && self.text[open] == b'"' {
                start = self.quoted(open, names)?;
                end = self.end();
            } else {
                let stop = self.delimiter_in(start, end);
                self.fields.push(Field {
                    start,
                    end: stop,
                    is_quoted: false,
                    has_quotes: false,
                });
                start = stop;
            }
            if start == end {
                return Ok(());
            }
            start += 1;
        }
    }

    /// Counts the spaces at the beginning, which are no part of a value. It returns 0 if the space is the delimiter.
    fn spaces(&self, bytes: &[u8]) -> usize {
        if self.delimiter == b' ' {
            return 0;
        }
        let others = bytes.iter().position(|&byte| byte != b' ');
        others.unwrap_or(bytes.len())
    }

    /// The place of the next delimiter, or `end`.
    fn delimiter_in(&self, start: usize, end: usize) -> usize {
        let mut bytes = self.text[start..end].iter();
        let found = bytes.position(|&byte| byte == self.delimiter);
        found.map_or(end, |offset| start + offset)
    }

    /// Reads the field whose quote opens here; returns the place of the delimiter after it, or the end.
    fn quoted(&mut self, open: usize, names: &[String]) -> Result<usize, SourceError> {
        let (place, byte) = (Place::Line(self.lines), open - self.line_start + 1);
        let (mut from, mut has_quotes) = (open + 1, false);
        let close = loop {
            match self.text[from..].iter().position(|&byte| byte == b'"') {
                Some(offset) if self.text.get(from + offset + 1) == Some(&b'"') => {
                    from += offset + 2;
                    has_quotes = true;
                }
                Some(offset) => break from + offset,
                None => {
                    from = self.text.len();
                    if from >= LONGEST || !self.read_line()? {
                        return Err(SourceError::UnclosedQuote {
                            place,
                            byte: byte as u64,
                            column: self.column(names),
                        });
                    }
                }
            }
        };
        let (behind, end) = (close + 1, self.end());
        let stop = behind + self.spaces(&self.text[behind..end]);
        if stop < end && self.text[stop] != self.delimiter {
            let rest = &self.text[behind..self.delimiter_in(behind, end)];
            return Err(SourceError::AfterQuote {
                place: Place::Line(self.lines),
                column: self.column(names),
                value: told(rest),
            });
        }
        self.fields.push(Field {
            start: open + 1,
            end: close,
            is_quoted: true,
            has_quotes,
        });
        Ok(stop)
    }

    /// The name of the column that comes next, or its number.
    fn column(&self, names: &[String]) -> String {
        let column = self.fields.len();
        let number = || column.to_string();
        names.get(column).cloned().unwrap_or_else(number)
    }
}

/// The beginning of a value, as an error shows it.
pub(super) fn told(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.escape_ascii().to_string(),
    };
    text.chars().take(TOLD).collect()
}
