//! Tables: columns with names, of numbers, yes and no, or texts.

mod arrow;
mod formats;
pub mod libsvm;
mod npy;
mod read;
mod write;

use crate::Error;
pub use arrow::of_batch;
pub use formats::Format;
use npt_core::wording::count;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
pub use read::{Input, Source, each_block, files, forecast, manifest, one_line, paths, read, sql};
use std::{collections::BTreeSet, path::PathBuf};
pub use write::{whole_file, write};

/// The largest number up to which f64 holds all whole numbers.
const HELD: f64 = 9_007_199_254_740_992.0;

/// Columns of the same length.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub columns: Vec<Column>,
    /// The files that the rows come from, one after the other, each with its number of rows; empty for rows that come from no file.
    pub origins: Vec<(PathBuf, usize)>,
    /// The name of rows that come from no file, in words.
    pub what: &'static str,
    /// The number of the first row in its file, from 0.
    pub first: usize,
    /// The number of each row among the rows of all files, if rows were selected.
    selected: Option<Vec<usize>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub values: Values,
}

/// The values of a column; some may be missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers, with NaN for a missing value; `whole` if all that are there are whole numbers.
    Numbers {
        numbers: Vec<f64>,
        whole: bool,
    },
    Booleans(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
    /// Values of another type, such as dates and lists: the type in words, and the values as they are printed.
    Other {
        kind: String,
        texts: Vec<Option<String>>,
    },
}

impl Values {
    /// Numbers; they are whole if all are whole numbers, none of them larger than [`HELD`].
    pub fn numbers(numbers: Vec<f64>) -> Self {
        let is_whole = |value: &f64| value.is_nan() || value.fract() == 0.0 && value.abs() <= HELD;
        let whole = numbers.iter().all(is_whole);
        Self::Numbers { numbers, whole }
    }

    /// Numbers of a computation; they never count as whole, even if they happen to be whole numbers.
    pub fn computed(numbers: impl IntoIterator<Item = f64>) -> Self {
        Self::Numbers {
            numbers: numbers.into_iter().collect(),
            whole: false,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Numbers { numbers, .. } => numbers.len(),
            Self::Booleans(values) => values.len(),
            Self::Texts(texts) => texts.len(),
            Self::Other { texts, .. } => texts.len(),
        }
    }

    /// The rows whose value is missing.
    pub fn missing(&self) -> Vec<usize> {
        let rows = 0..self.len();
        match self {
            Self::Numbers { numbers, .. } => rows.filter(|&row| numbers[row].is_nan()).collect(),
            Self::Booleans(values) => rows.filter(|&row| values[row].is_none()).collect(),
            Self::Texts(texts) => rows.filter(|&row| texts[row].is_none()).collect(),
            Self::Other { texts, .. } => rows.filter(|&row| texts[row].is_none()).collect(),
        }
    }

    /// The kind of the values, in words.
    pub fn kind(&self) -> String {
        match self {
            Self::Numbers { whole: true, .. } => "whole numbers".to_owned(),
            Self::Numbers { .. } => "numbers".to_owned(),
            Self::Booleans(_) => "true and false".to_owned(),
            Self::Texts(texts) => {
                let distinct = texts.iter().flatten().collect::<BTreeSet<_>>().len();
                format!("texts, {distinct} different ones")
            }
            Self::Other { kind, .. } => kind.clone(),
        }
    }

    fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Numbers { numbers, .. } => {
                Self::numbers(rows.iter().map(|&row| numbers[row]).collect())
            }
            Self::Booleans(values) => Self::Booleans(rows.iter().map(|&row| values[row]).collect()),
            Self::Texts(texts) => Self::Texts(rows.iter().map(|&row| texts[row].clone()).collect()),
            Self::Other { kind, texts } => Self::Other {
                kind: kind.clone(),
                texts: rows.iter().map(|&row| texts[row].clone()).collect(),
            },
        }
    }

    /// The value of a row, as it is printed; nothing for a missing one.
    pub fn text(&self, row: usize) -> String {
        match self {
            Self::Numbers { numbers, .. } if numbers[row].is_nan() => String::new(),
            Self::Numbers { numbers, .. } => numbers[row].to_string(),
            Self::Booleans(values) => values[row].map_or(String::new(), |value| value.to_string()),
            Self::Texts(texts) | Self::Other { texts, .. } => {
                texts[row].clone().unwrap_or_default()
            }
        }
    }

    /// Appends the values of another file; returns `false` if they are of another kind. Whole numbers and other numbers are of one kind.
    fn append(&mut self, more: Self) -> bool {
        match (self, more) {
            (
                Self::Numbers { numbers, whole },
                Self::Numbers {
                    numbers: more,
                    whole: and,
                },
            ) => {
                numbers.extend(more);
                *whole &= and;
            }
            (Self::Booleans(values), Self::Booleans(more)) => values.extend(more),
            (Self::Texts(texts), Self::Texts(more)) => texts.extend(more),
            (
                Self::Other { kind, texts },
                Self::Other {
                    kind: other,
                    texts: more,
                },
            ) if *kind == other => texts.extend(more),
            _ => return false,
        }
        true
    }
}

impl Table {
    pub fn new(columns: Vec<Column>) -> Self {
        Self {
            columns,
            origins: Vec::new(),
            what: "the query",
            first: 0,
            selected: None,
        }
    }

    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The column of a name.
    ///
    /// # Errors
    /// No column has this name, and the error has the nearest name; or several columns have it.
    pub fn column(&self, name: &str) -> Result<&Column, Error> {
        let mut found = self.columns.iter().filter(|column| column.name == name);
        match (found.next(), found.count()) {
            (Some(column), 0) => Ok(column),
            (Some(_), others) => Err(Error::Data(format!(
                "{}: {} columns have the name {name}",
                self.words(),
                others + 1
            ))),
            (None, _) => {
                let near = npt_core::wording::nearest(name, self.names());
                let near = near.map_or_else(
                    || format!("there are {}", self.names().collect::<Vec<_>>().join(", ")),
                    |near| format!("the nearest name is {near}"),
                );
                Err(Error::Data(format!(
                    "{}: there is no column {name}; {near}",
                    self.words()
                )))
            }
        }
    }

    /// The files, or the name of rows that come from no file, in words.
    pub fn words(&self) -> String {
        match self.origins.as_slice() {
            [] => self.what.to_owned(),
            [(path, _)] => path.display().to_string(),
            [(path, _), rest @ ..] => {
                format!("{} and {}", path.display(), count(rest.len(), "other file"))
            }
        }
    }

    /// The place of a row: its file, and its number there, from 1.
    pub fn place(&self, row: usize) -> String {
        let row = self.selected.as_ref().map_or(row, |rows| rows[row]);
        let mut before = 0;
        for (path, rows) in &self.origins {
            if row < before + rows {
                return format!("{}, row {}", path.display(), self.first + row - before + 1);
            }
            before += rows;
        }
        format!("row {} of {}", row + 1, self.what)
    }

    /// Selects the rows of these positions; they keep their places in the files.
    pub fn select(&self, rows: &[usize]) -> Self {
        let select = |column: &Column| Column {
            name: column.name.clone(),
            values: column.values.select(rows),
        };
        let number = |&row: &usize| self.selected.as_ref().map_or(row, |numbers| numbers[row]);
        Self {
            columns: self.columns.iter().map(select).collect(),
            origins: self.origins.clone(),
            what: self.what,
            first: self.first,
            selected: Some(rows.iter().map(number).collect()),
        }
    }

    /// Appends the rows of another file, whose columns may be in another order.
    fn append(&mut self, more: Self) -> Result<(), Error> {
        let (here, there) = (self.words(), more.words());
        let mut others = more.columns;
        if others.len() != self.columns.len() {
            let (a, b) = (
                count(self.columns.len(), "column"),
                count(others.len(), "column"),
            );
            return Err(Error::Data(format!("{here} has {a}, {there} has {b}")));
        }
        for column in &mut self.columns {
            let place = others.iter().position(|other| other.name == column.name);
            let Some(place) = place else {
                let name = &column.name;
                return Err(Error::Data(format!(
                    "{there} has no column {name}, which {here} has"
                )));
            };
            let other = others.swap_remove(place).values;
            let (kind, of_other) = (column.values.kind(), other.kind());
            if !column.values.append(other) {
                let name = &column.name;
                return Err(Error::Data(format!(
                    "the column {name} has {kind} in {here}, and {of_other} in {there}"
                )));
            }
        }
        self.origins.extend(more.origins);
        Ok(())
    }
}

/// Draws `wanted` of the rows at random, in ascending order.
pub fn some_rows(rows: usize, wanted: usize, seed: u64) -> Vec<usize> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut some = rand::seq::index::sample(&mut random, rows, wanted.min(rows)).into_vec();
    some.sort_unstable();
    some
}
