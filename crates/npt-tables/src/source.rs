//! The trait of tables that are read row by row, and the row that their values are written to.

use crate::{
    SourceError,
    categories::Codes,
    error::{Fault, Kind},
};
use std::{collections::BTreeMap, fmt::Display};

/// The number of letters of a value that an error shows.
const TOLD: usize = 40;

/// A table that is read row by row.
pub trait Source {
    /// The names of the columns.
    fn columns(&self) -> &[String];

    /// The places of columns that number or name the rows, where the table itself says so. They are no features and no targets unless
    /// they are named. There are none by default.
    fn index_columns(&self) -> &[usize] {
        &[]
    }

    /// Writes the values of the given columns of the next row, in the order in which the columns are given; returns false if there is no row
    /// left. The columns are the same for all rows.
    ///
    /// # Errors
    /// [`SourceError::Width`] if the next row may be right; any other error ends the table. A wrong value is no error
    /// here: [`Row`] finds it.
    fn read_row(&mut self, columns: &[Column], row: &mut Row<'_>) -> Result<bool, SourceError>;

    /// The line of a text, from 1, with the row that was read last; `None`, the default, if errors count rows.
    fn line(&self) -> Option<u64> {
        None
    }
}

/// A column that is read, with its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    index: usize,
    role: Role,
}

/// The role of a column that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Feature,
    /// A feature whose values are texts.
    Category,
    Target,
    /// A target that is a text.
    Label,
    Weight,
}

impl Column {
    pub(crate) fn new(index: usize, role: Role) -> Self {
        Self { index, role }
    }

    pub(crate) fn is_feature(self) -> bool {
        matches!(self.role, Role::Feature | Role::Category)
    }

    /// The place of the column in [`Source::columns`].
    pub fn index(self) -> usize {
        self.index
    }

    /// Returns whether the values of the column are taken for texts, as categories or labels; otherwise they are numbers.
    pub fn is_text(self) -> bool {
        matches!(self.role, Role::Category | Role::Label)
    }
}

/// The row that a [`Source`] writes its values to, in the order of the columns that were asked for.
pub struct Row<'r> {
    columns: &'r [Column],
    values: &'r mut Vec<f64>,
    /// The numbers that stand for texts, for each column of texts.
    codes: &'r mut BTreeMap<usize, Codes>,
    /// Is true if a missing feature is written as NaN, and is no error.
    missing_values: bool,
    /// The number of values that were written; `fault` is the first that is wrong.
    written: usize,
    fault: Option<Fault>,
    /// The columns that got a new text in this row.
    new_texts: Vec<usize>,
}

impl<'r> Row<'r> {
    pub(crate) fn new(
        columns: &'r [Column],
        values: &'r mut Vec<f64>,
        codes: &'r mut BTreeMap<usize, Codes>,
        missing_values: bool,
    ) -> Self {
        Self {
            columns,
            values,
            codes,
            missing_values,
            written: 0,
            fault: None,
            new_texts: Vec::new(),
        }
    }

    /// Writes a number; NaN is a missing value. In a column of texts it is written as its shortest text.
    pub fn number(&mut self, value: f64) {
        // The sum gives zero no sign.
        self.number_as(value, &(value + 0.0));
    }

    /// Writes a number, with the text that stands for it in a column of texts: for numbers whose digits in f64 are not those of the table,
    /// such as `f32` and decimal numbers.
    pub fn number_as(&mut self, value: f64, text: &dyn Display) {
        let Some(column) = self.next() else { return };
        if value.is_nan() {
            self.no_value(column, "NaN");
        } else if column.is_text() && value.is_finite() {
            self.code(column, &text.to_string());
        } else {
            self.check(column, value, || text.to_string());
        }
    }

    /// Writes a whole number. A column of texts gets all its digits. A feature or a target for which `f64` does not have that number is
    /// refused ([`SourceError::WholeNumber`]): two numbers that differ would become one.
    ///
    /// # Example
    /// ```
    /// use npt_tables::{Blocks, Column, Row, Source, SourceError};
    ///
    /// /// Two identifiers.
    /// struct Users([String; 2], Vec<i64>);
    ///
    /// impl Source for Users {
    ///     fn columns(&self) -> &[String] {
    ///         &self.0
    ///     }
    ///
    ///     fn read_row(&mut self, columns: &[Column], row: &mut Row<'_>) -> Result<bool, SourceError> {
    ///         let Some(user) = self.1.pop() else { return Ok(false) };
    ///         for column in columns {
    ///             row.integer([user, 1][column.index()]);
    ///         }
    ///         Ok(true)
    ///     }
    /// }
    ///
    /// let names = ["user", "count"].map(String::from);
    /// let users = || Blocks::of(Users(names.clone(), vec![9_007_199_254_740_993, 9_007_199_254_740_992]));
    /// let data = users()?.labels("user")?.read()?;
    /// assert_eq!(data.targets.to_vec(), ["9007199254740992", "9007199254740993"]);
    ///
    /// let error = users()?.read_records().unwrap_err().to_string();
    /// assert!(error.starts_with("row 1 has 9007199254740993 in column user, a whole number that f64 cannot hold"));
    /// # Ok::<(), SourceError>(())
    /// ```
    pub fn integer(&mut self, value: impl Into<i128>) {
        let Some(column) = self.next() else { return };
        let value = value.into();
        let number = value as f64;
        // `i128::MAX` is the largest number to which the cast back can lead.
        let is_held = number.abs() < 2.0_f64.powi(127) && number as i128 == value;
        if column.is_text() {
            self.code(column, &value.to_string());
        } else {
            self.check_whole(column, number, is_held, || value.to_string());
        }
    }

    /// Returns whether the next value is taken for a text.
    #[cfg(feature = "parquet")]
    pub(crate) fn takes_text(&self) -> bool {
        self.columns
            .get(self.written)
            .is_some_and(|column| column.is_text())
    }

    /// Writes a text; in a column of numbers it is read as a number, which must not lose digits, as in [`integer`](Self::integer). The text is
    /// taken literally: `NA` is the code of Namibia. Where a text stands for a missing value, the source calls
    /// [`missing_as`](Self::missing_as).
    pub fn text(&mut self, text: &str) {
        let Some(column) = self.next() else { return };
        if column.is_text() {
            self.code(column, text);
        } else {
            let text = text.trim();
            let number = text.parse().ok().filter(|number: &f64| !number.is_nan());
            let number = number.unwrap_or(f64::INFINITY);
            let is_held = !number.is_finite() || holds(number, text);
            self.check_whole(column, number, is_held, || text.to_owned());
        }
    }

    /// Writes a value that is neither a number nor a text; `text` is shown in the error.
    pub fn neither(&mut self, text: &str) {
        match self.next() {
            Some(column) if column.is_text() => self.is_wrong(column, text, Kind::Missing),
            Some(column) => self.check(column, f64::INFINITY, || text.to_owned()),
            None => {}
        }
    }

    /// Writes a value whose bytes are no text in `encoding`, such as `"UTF-8"`. No byte of it is replaced by a guess.
    pub fn not_in_encoding(&mut self, bytes: &[u8], encoding: &'static str) {
        if let Some(column) = self.next() {
            let text = bytes.escape_ascii().to_string();
            self.is_wrong(column, &text, Kind::Encoding(encoding));
        }
    }

    /// Writes a missing value.
    pub fn missing(&mut self) {
        self.missing_as("null");
    }

    /// Writes a missing value, which the table marks by this text.
    pub fn missing_as(&mut self, text: &str) {
        if let Some(column) = self.next() {
            self.no_value(column, text);
        }
    }

    fn next(&mut self) -> Option<Column> {
        let column = self.columns.get(self.written).copied();
        self.written += 1;
        column
    }

    fn no_value(&mut self, column: Column, text: &str) {
        match column.role {
            Role::Feature | Role::Category if self.missing_values => self.values.push(f64::NAN),
            Role::Category | Role::Label => self.is_wrong(column, text, Kind::Missing),
            Role::Feature | Role::Target => self.is_wrong(column, text, Kind::Number),
            Role::Weight => self.is_wrong(column, text, Kind::Weight),
        }
    }

    /// Writes a number, or refuses it as a whole number that `f64` does not have (`is_held` is false).
    fn check_whole(
        &mut self,
        column: Column,
        value: f64,
        is_held: bool,
        text: impl Fn() -> String,
    ) {
        // A weight is no identifier, and is rounded to f32 in any case.
        if is_held || column.role == Role::Weight {
            self.check(column, value, text);
        } else {
            self.is_wrong(column, &text(), Kind::WholeNumber);
        }
    }

    fn check(&mut self, column: Column, value: f64, text: impl Fn() -> String) {
        // A weight above 0 must not become 0, which would leave its sample out.
        let weight = value as f32;
        let is_weight = value == 0.0 || weight > 0.0 && weight.is_finite();
        if column.role == Role::Weight && !is_weight {
            self.is_wrong(column, &text(), Kind::Weight);
        } else if value.is_finite() {
            self.values.push(value);
        } else {
            self.is_wrong(column, &text(), Kind::Number);
        }
    }

    /// Writes the number that stands for a text.
    fn code(&mut self, column: Column, text: &str) {
        let codes = self.codes.entry(column.index).or_default();
        let known = codes.texts().len();
        match codes.code(text) {
            Ok(code) => self.values.push(code as f64),
            Err(kind) => return self.is_wrong(column, text, kind),
        }
        if codes.texts().len() > known {
            self.new_texts.push(column.index);
        }
    }

    fn is_wrong(&mut self, column: Column, text: &str, kind: Kind) {
        self.fault.get_or_insert_with(|| Fault {
            column: column.index,
            value: text.chars().take(TOLD).collect(),
            kind,
        });
    }

    /// Returns the number of values that were written, and the first that is wrong. A row that is left out leaves no new text behind.
    pub(crate) fn finish(self) -> (usize, Option<Fault>) {
        if self.fault.is_some() || self.written != self.columns.len() {
            for column in &self.new_texts {
                self.codes.entry(*column).or_default().forget_last();
            }
        }
        (self.written, self.fault)
    }
}

/// Returns whether a number is the one that a text of digits means; true for every other text.
fn holds(number: f64, text: &str) -> bool {
    /// The number of digits up to which `f64` has every whole number.
    const HELD: usize = 15;
    /// The largest number of digits of an identifier of 64 bits. A longer text is a floating-point number that a program writes without
    /// exponent: the digits that tell it from others, and zeros behind them.
    const LONGEST: usize = 20;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    if digits.len() <= HELD || !is_whole {
        return true;
    }
    let digits = digits.trim_start_matches('0');
    let number = number.abs();
    let is_shortest = || digits.len() > LONGEST && number.to_string() == digits;
    digits.len() <= HELD || format!("{number:.0}") == digits || is_shortest()
}

#[cfg(test)]
mod tests;
