//! The vectors of a text, and their coefficients.

use super::{Header, Lines, error, number};
use crate::Error;
use npt_core::watch::Progress;
use std::str::SplitAsciiWhitespace;

/// The contents of the lines after `SV`.
pub(super) struct Vectors {
    /// The coefficients of each vector.
    pub(super) coefficients: Vec<Vec<f64>>,
    /// The columns and values of each vector that are not 0.
    pub(super) entries: Vec<Vec<(usize, f64)>>,
    /// The largest column, plus one.
    pub(super) columns: usize,
}

/// The largest index of LIBSVM, which is a C int.
const LARGEST_INDEX: usize = i32::MAX as usize;

impl Vectors {
    pub(super) fn read(
        lines: &mut Lines<'_>,
        header: &Header,
        columns: Option<usize>,
    ) -> Result<Self, Error> {
        let mut vectors = Self {
            coefficients: Vec::new(),
            entries: Vec::new(),
            columns: 0,
        };
        let of_each = header.labels.len().max(2) - 1;
        let largest = columns.unwrap_or(LARGEST_INDEX).min(LARGEST_INDEX);
        let mut progress = Progress::start("vectors of a text", header.total);
        for done in 0..header.total {
            progress.at(done);
            let (at, line) = lines.next();
            let Some(line) = line else {
                return Err(error(at, "", "one more vector, of total_sv"));
            };
            vectors.take(at, line, of_each, largest)?;
        }
        while let (at, Some(line)) = lines.next() {
            if !line.is_empty() {
                return Err(error(at, line, "nothing more than total_sv vectors"));
            }
        }
        if vectors.entries.is_empty() {
            // Without vectors the model is a constant: it gets one vector, whose coefficients are 0.
            vectors.entries.push(Vec::new());
            vectors.coefficients.push(vec![0.0; of_each]);
        }
        Ok(vectors)
    }

    fn take(&mut self, at: usize, line: &str, of_each: usize, largest: usize) -> Result<(), Error> {
        let mut words = line.split_ascii_whitespace();
        let mut coefficients = Vec::new();
        for _ in 0..of_each {
            let word = words.next().unwrap_or("");
            let expected = "a coefficient for each class but one, a number";
            coefficients.push(number(word).ok_or_else(|| error(at, word, expected))?);
        }
        let entries = entries(at, words, largest)?;
        if let Some(last) = entries.last() {
            self.columns = self.columns.max(last.0 + 1);
        }
        self.coefficients.push(coefficients);
        self.entries.push(entries);
        Ok(())
    }
}

fn entries(
    at: usize,
    words: SplitAsciiWhitespace<'_>,
    largest: usize,
) -> Result<Vec<(usize, f64)>, Error> {
    let mut entries = Vec::new();
    let mut least = 1;
    for word in words {
        let expected = "index:value, a whole number from 1 to the number of columns and a finite number, ascending";
        let entry = word.split_once(':').and_then(|(index, value)| {
            let index: usize = index.parse().ok()?;
            Some((index, number(value)?))
        });
        let entry = entry.filter(|(index, _)| (least..=largest).contains(index));
        let (index, value) = entry.ok_or_else(|| error(at, word, expected))?;
        least = index + 1;
        entries.push((index - 1, value));
    }
    Ok(entries)
}
