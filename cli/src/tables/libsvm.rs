//! LIBSVM's lines: a target, then pairs of an index from 1 and a value.

use super::{Column, Table, Values};
use crate::Error;
use npt_core::require_memory;
use std::{
    fs::File,
    io::{BufRead as _, BufReader},
    path::Path,
};

/// The name of the column of targets.
pub const TARGET: &str = "target";

/// The lines of a file, as they stand; an index that is left out has the value 0.
pub struct Lines {
    pub targets: Vec<f64>,
    /// The pairs of each line, their indices from 0 and ascending.
    pub pairs: Vec<Vec<(usize, f64)>>,
    /// One more than the largest index.
    pub width: usize,
}

pub fn lines(path: &Path) -> Result<Lines, Error> {
    let file = File::open(path).map_err(|error| Error::file(path, error))?;
    let (mut targets, mut pairs, mut width) = (Vec::new(), Vec::new(), 0);
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let wrong = |reason: String| Error::file(path, format!("line {}: {reason}", number + 1));
        let line = line.map_err(|error| wrong(error.to_string()))?;
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        let Some(target) = words.next() else { continue };
        let target: f64 = target.parse().map_err(|_| {
            wrong(format!(
                "{target} is no number; a line begins with its target"
            ))
        })?;
        let mut of_line: Vec<(usize, f64)> = Vec::new();
        for word in words {
            let pair = word.split_once(':').and_then(|(index, value)| {
                let index = index.parse::<usize>().ok()?.checked_sub(1)?;
                let value = value
                    .parse::<f64>()
                    .ok()
                    .filter(|value| value.is_finite())?;
                Some((index, value))
            });
            let pair = pair.ok_or_else(|| {
                wrong(format!(
                    "{word} is no pair of an index from 1 and a finite number"
                ))
            })?;
            if of_line.last().is_some_and(|last| last.0 >= pair.0) {
                return Err(wrong(format!(
                    "the index of {word} is not above the one before it"
                )));
            }
            of_line.push(pair);
        }
        width = width.max(of_line.last().map_or(0, |last| last.0 + 1));
        targets.push(target);
        pairs.push(of_line);
    }
    Ok(Lines {
        targets,
        pairs,
        width,
    })
}

pub fn read(path: &Path) -> Result<Table, Error> {
    let lines = lines(path)?;
    let rows = lines.targets.len();
    require_memory::<f64>("the table", rows, lines.width).map_err(|error| {
        Error::Memory(format!(
            "{}: {error}; npt svm-train keeps such lines sparse",
            path.display()
        ))
    })?;
    let mut values = vec![vec![0.0; rows]; lines.width];
    for (row, pairs) in lines.pairs.iter().enumerate() {
        for &(column, value) in pairs {
            values[column][row] = value;
        }
    }
    let target = Column {
        name: TARGET.to_owned(),
        values: Values::numbers(lines.targets),
    };
    let features = values.into_iter().zip(1..).map(|(values, index)| Column {
        name: index.to_string(),
        values: Values::numbers(values),
    });
    Ok(Table::new(
        std::iter::once(target).chain(features).collect(),
    ))
}
