//! The errors of tables of samples.

use npt_core::wording::count;
use std::fmt;

/// An error of a table that samples are read from, with its place.
///
/// The page `docs/errors.md` of the repository says what each means, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A value is no finite number.
    #[error("{place} has \"{value}\" in column {column}, where a finite number should be")]
    Number {
        /// The place of the value.
        place: Place,
        /// The name of the column.
        column: String,
        /// The value that is there; a long text is cut.
        value: String,
    },
    /// A whole number is a feature or a target, and `f64` does not have that number: the nearest one has other digits.
    #[error(
        "{place} has {value} in column {column}, a whole number that f64 cannot hold: read the column by `labels` or \
        `categorical`, which keep all digits, leave it out by `select`, or write it as floating-point numbers"
    )]
    WholeNumber {
        /// The place of the value.
        place: Place,
        /// The name of the column.
        column: String,
        /// The number.
        value: String,
    },
    /// A row has more or fewer values than there are columns.
    #[error("{place} has {}; the table has {}", count(*.found, "value"), count(*.expected, "column"))]
    Width {
        /// The place of the row.
        place: Place,
        /// The number of columns.
        expected: usize,
        /// The number of values.
        found: usize,
    },
    /// There is no column of the name that is asked for.
    #[error("there is no column {name}; there are {}", .columns.join(", "))]
    NoColumn {
        /// The name.
        name: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// The name of a column that is asked for is the name of several columns.
    #[error("{found} columns are named \"{name}\": give each a name of its own, or select others")]
    AmbiguousColumn {
        /// The name.
        name: String,
        /// The number of columns with this name.
        found: usize,
    },
    /// A text is none of the categories that were given for its column.
    #[error(
        "{place} has \"{value}\" in column {column}, which is not among the {known} categories that are known"
    )]
    Category {
        /// The place of the value.
        place: Place,
        /// The name of the column.
        column: String,
        /// The text that is there; a long one is cut.
        value: String,
        /// The number of categories that were given.
        known: usize,
    },
    /// A category or a label is missing.
    #[error("{place} has \"{value}\" in column {column}, which is a missing value, not a category")]
    Missing {
        /// The place of the value.
        place: Place,
        /// The name of the column.
        column: String,
        /// The value that is there.
        value: String,
    },
    /// The bytes of a value are no text in the encoding of the table.
    #[error(
        "{place} has \"{value}\" in column {column}, which is not {encoding}: say what the encoding of the table is, or write it in UTF-8"
    )]
    Encoding {
        /// The place of the value.
        place: Place,
        /// The name of the column; its number, from 0, if the name itself is not in this encoding.
        column: String,
        /// The value that is there; a long one is cut, and bytes that are not ASCII are shown as `\xf6`.
        value: String,
        /// The encoding that the table was read in.
        encoding: &'static str,
    },
    /// A quote is not closed before the end of the file, or within 64 MB. The text behind it is part of no row.
    #[error(
        "byte {byte} of {place}, in column {column}, is a quote that is never closed: close it, or put the whole value in quotes and double those inside"
    )]
    UnclosedQuote {
        /// The line with the quote.
        place: Place,
        /// The quote's byte in its line, from 1.
        byte: u64,
        /// The name of the column, or its number, from 0, if the column has no name.
        column: String,
    },
    /// A value goes on behind the quote that closes it.
    #[error(
        "{place} has \"{value}\" in column {column} behind a closing quote: quotes inside of quotes are doubled"
    )]
    AfterQuote {
        /// The line with the closing quote.
        place: Place,
        /// The name of the column, or its number, from 0, if the column has no name.
        column: String,
        /// The text behind the quote; a long one is cut.
        value: String,
    },
    /// The first line is one column, and would be several with another delimiter.
    #[error(
        "{place} has one column, \"{value}\", and would have {columns} columns with the delimiter {delimiter:?}: name the delimiter of the table"
    )]
    OneColumn {
        /// The first line that is not empty.
        place: Place,
        /// The first line; a long one is cut.
        value: String,
        /// The delimiter with which the line has several columns.
        delimiter: char,
        /// The number of columns with that delimiter.
        columns: usize,
    },
    /// The delimiter is a character that cannot stand between values.
    #[error(
        "{delimiter:?} cannot be a delimiter: it is one ASCII character that is no quote, line end, letter or digit, nor one of + - ."
    )]
    NoDelimiter {
        /// The character.
        delimiter: char,
    },
    /// A sample weight is not a finite number of at least 0.
    #[error(
        "{place} has \"{value}\" in column {column}, where a weight should be, a finite number of at least 0"
    )]
    Weight {
        /// The place of the value.
        place: Place,
        /// The name of the column.
        column: String,
        /// The value that is there; a long one is cut.
        value: String,
    },
    /// A column of categories or labels has more texts than are allowed.
    #[error("column {column} has more than {most} texts: it is not one of categories or labels")]
    TooManyCategories {
        /// The name of the column.
        column: String,
        /// The largest number of categories.
        most: usize,
    },
    /// A column was asked for twice, in two roles.
    #[error("column {name} was chosen twice, as a {first} and as a {second}")]
    TwoRoles {
        /// The name of the column.
        name: String,
        /// `"feature"` or `"target"`.
        first: &'static str,
        /// `"target"` or `"weight"`.
        second: &'static str,
    },
    /// The list of columns for the targets is empty.
    #[error("`targets` needs at least one column name")]
    NoTargets,
    /// Datasets are asked for, and no call says which column is their target.
    #[error(
        "no column is named for the target: name it by `.target`, `.targets` or `.labels`, take the last by \
        `.last_column_as_target`, or none by `.without_target`; the columns are {}",
        .columns.join(", ")
    )]
    NoTarget {
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// A model that is to say which columns are read was fitted to features without names.
    #[error(
        "the model has no names of features, as it was fitted to records without names: `select` the features by name"
    )]
    NamelessModel,
    /// A column that is read as a feature has no name, and no call selects the features.
    #[error(
        "column {column} of the table, counted from 1, has no name: name it in the file, or select the features by name"
    )]
    Unnamed {
        /// The place of the column, from 1.
        column: usize,
    },
    /// Categories were asked for, or given, for a column that is no feature.
    #[error("column {name} was named as categorical, but is not selected as a feature")]
    CategoriesOfNoFeature {
        /// The name of the column.
        name: String,
    },
    /// No column is left for a feature.
    #[error("the table has {}, and no feature beside targets and weights", count(*.found, "column"))]
    NoFeatures {
        /// The number of columns.
        found: usize,
    },
    /// A call selects features, and names none.
    #[error("no column is selected for a feature")]
    NothingSelected,
    /// The table has no rows.
    #[error("the table has no rows")]
    NoRows,
    /// Rows were read before a call that needs a table from its start: one that changes what is read, or one that reads all samples without
    /// targets.
    #[error("options must be set before the first row of the table is read")]
    Begun,
    /// The values of a column are not single numbers, or are of a kind that is not read.
    #[error("column {column} has {found}, which are not read as numbers")]
    NotNumbers {
        /// The name of the column.
        column: String,
        /// The kind of its values.
        found: String,
    },
    /// The values of a column of categories or labels are neither texts nor numbers.
    #[error("column {column} has {found}, which are not read as texts")]
    NotTexts {
        /// The name of the column.
        column: String,
        /// The kind of its values.
        found: String,
    },
    /// Arrays that are side by side have different numbers of rows.
    #[error("one array has {}, and another {found}: all arrays of a dataset have as many rows", count(*.expected as usize, "row"))]
    Rows {
        /// The number of rows of the first array.
        expected: u64,
        /// The number of rows of the other array.
        found: u64,
    },
    /// The file cannot be read.
    #[error("{place} cannot be read: {reason}")]
    Unreadable {
        /// The place of the first row or line that was not read.
        place: Place,
        /// The error of the system, or of the reader of the format.
        reason: String,
    },
}

impl SourceError {
    /// Makes [`Unreadable`](Self::Unreadable), for a [`Source`](crate::Source) that cannot read on.
    pub fn unreadable(place: Place, reason: &dyn fmt::Display) -> Self {
        Self::Unreadable {
            place,
            reason: reason.to_string(),
        }
    }

    /// Makes the error for a column whose values are not texts (if `is_text`) or not numbers.
    #[cfg(feature = "parquet")]
    pub(crate) fn unread(column: String, found: String, is_text: bool) -> Self {
        if is_text {
            Self::NotTexts { column, found }
        } else {
            Self::NotNumbers { column, found }
        }
    }

    /// Returns whether the error is one row's, so that the next row may be right.
    pub(crate) fn is_of_a_row(&self) -> bool {
        matches!(
            self,
            Self::Number { .. }
                | Self::WholeNumber { .. }
                | Self::Width { .. }
                | Self::Category { .. }
                | Self::Missing { .. }
                | Self::Weight { .. }
                | Self::Encoding { .. }
                | Self::AfterQuote { .. }
        )
    }
}

/// A value that is wrong, in the column of that index.
pub(crate) struct Fault {
    pub(crate) column: usize,
    pub(crate) value: String,
    pub(crate) kind: Kind,
}

/// The ways in which a value is wrong.
pub(crate) enum Kind {
    Number,
    /// A whole number that `f64` does not have.
    WholeNumber,
    Missing,
    Weight,
    /// Bytes that are not in this encoding.
    Encoding(&'static str),
    /// A text that is none of so many categories.
    Category(usize),
    /// A new category, when the column has the largest number of them already.
    TooMany(usize),
}

impl Fault {
    /// Makes the error for this place, in a table with these columns.
    pub(crate) fn at(self, place: Place, columns: &[String]) -> SourceError {
        let (column, value) = (columns[self.column].clone(), self.value);
        match self.kind {
            Kind::Number => SourceError::Number {
                place,
                column,
                value,
            },
            Kind::WholeNumber => SourceError::WholeNumber {
                place,
                column,
                value,
            },
            Kind::Missing => SourceError::Missing {
                place,
                column,
                value,
            },
            Kind::Weight => SourceError::Weight {
                place,
                column,
                value,
            },
            Kind::Category(known) => SourceError::Category {
                place,
                column,
                value,
                known,
            },
            Kind::Encoding(encoding) => SourceError::Encoding {
                place,
                column,
                value,
                encoding,
            },
            Kind::TooMany(most) => SourceError::TooManyCategories { column, most },
        }
    }
}

/// A place in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A line of a text, from 1; the line of the names of columns counts.
    Line(u64),
    /// A row, from 0.
    Row(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

#[cfg(test)]
mod tests;
