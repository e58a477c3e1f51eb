//! What can be wrong with a table of samples.

use npt_core::wording::count;
use std::fmt;

/// What is wrong with a table that samples are read from, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A value is no finite number.
    #[error("{place} has \"{value}\" in column {column}, where a finite number should be")]
    Number {
        /// Where.
        place: Place,
        /// The name of the column.
        column: String,
        /// What is there, of a long text the beginning.
        value: String,
    },
    /// A whole number is a feature or a target, and `f64` has no such number: the nearest one has other digits.
    #[error(
        "{place} has {value} in column {column}, a whole number that f64 cannot hold: read the column by `labels` or \
        `categorical`, which keep all digits, leave it out by `select`, or write it as floating-point numbers"
    )]
    WholeNumber {
        /// Where.
        place: Place,
        /// The name of the column.
        column: String,
        /// The number.
        value: String,
    },
    /// A row has more or fewer values than there are columns.
    #[error("{place} has {}, and the table {}", count(*.found, "value"), count(*.expected, "column"))]
    Width {
        /// Where.
        place: Place,
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
    /// A column is asked for whose name several columns have.
    #[error("{found} columns are named \"{name}\": give each a name of its own, or select others")]
    AmbiguousColumn {
        /// The name.
        name: String,
        /// How many.
        found: usize,
    },
    /// A text is none of the categories that were given for its column.
    #[error(
        "{place} has \"{value}\" in column {column}, which is none of the {known} that are known"
    )]
    Category {
        /// Where.
        place: Place,
        /// The name of the column.
        column: String,
        /// What is there, of a long text the beginning.
        value: String,
        /// How many categories there are.
        known: usize,
    },
    /// A category or a label is missing.
    #[error("{place} has \"{value}\" in column {column}, which stands for no category")]
    Missing {
        /// Where.
        place: Place,
        /// The name of the column.
        column: String,
        /// What is there.
        value: String,
    },
    /// The bytes of a value are no text in the encoding of the table.
    #[error(
        "{place} has \"{value}\" in column {column}, which is not {encoding}: say what the encoding of the table is, or write it in UTF-8"
    )]
    Encoding {
        /// Where.
        place: Place,
        /// The name of the column. A name that is not in this encoding itself is told as the number of its column, from 0.
        column: String,
        /// What is there, of a long text the beginning; bytes that are not ASCII as `\xf6`.
        value: String,
        /// The encoding that the table was read in.
        encoding: &'static str,
    },
    /// A quote opens, and none closes it before the end of the file, or within 64 MB. What follows it is part of no row.
    #[error(
        "byte {byte} of {place}, in column {column}, is a quote that is never closed: close it, or put the whole value in quotes and double those inside"
    )]
    UnclosedQuote {
        /// The line with the quote.
        place: Place,
        /// The quote's byte in its line, from 1.
        byte: u64,
        /// The name of the column, or its number, from 0, where it has none.
        column: String,
    },
    /// A value goes on behind the quote that closes it.
    #[error(
        "{place} has \"{value}\" in column {column} behind a closing quote: quotes inside of quotes are doubled"
    )]
    AfterQuote {
        /// The line with the closing quote.
        place: Place,
        /// The name of the column, or its number, from 0, where it has none.
        column: String,
        /// What follows the quote, of a long text the beginning.
        value: String,
    },
    /// The first line is one column, and would be several with another delimiter.
    #[error(
        "{place} is one column, \"{value}\", and would be {columns} with the delimiter {delimiter:?}: name the delimiter of the table, this one or that of a single column"
    )]
    OneColumn {
        /// The first line that is not empty.
        place: Place,
        /// That line, of a long one the beginning.
        value: String,
        /// The delimiter that it may be meant to have.
        delimiter: char,
        /// The columns that it would have.
        columns: usize,
    },
    /// A character cannot stand between values.
    #[error(
        "{delimiter:?} cannot be a delimiter: it is one ASCII character that is no quote, line end, letter or digit, nor one of + - ."
    )]
    NoDelimiter {
        /// The character.
        delimiter: char,
    },
    /// A sample weight is none.
    #[error(
        "{place} has \"{value}\" in column {column}, where a weight should be, a finite number of at least 0"
    )]
    Weight {
        /// Where.
        place: Place,
        /// The name of the column.
        column: String,
        /// What is there, of a long text the beginning.
        value: String,
    },
    /// A column has more texts than are taken for categories.
    #[error("column {column} has more than {most} texts: it is not one of categories or labels")]
    TooManyCategories {
        /// The name of the column.
        column: String,
        /// How many there may be.
        most: usize,
    },
    /// A column was asked for twice, as different things.
    #[error("column {name} is asked for as a {first}, and as a {second}")]
    TwoRoles {
        /// Its name.
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
    /// A model is to say which columns are read, and was fitted to features without names.
    #[error(
        "the model knows no names of features: it was fitted to none; `select` the features by name"
    )]
    NamelessModel,
    /// A column that nothing says to leave out has no name.
    #[error(
        "column {column} of the table, counted from 1, has no name: name it in the file, or select the features by name"
    )]
    Unnamed {
        /// Its place, from 1.
        column: usize,
    },
    /// A column was said to have categories, or its categories were given, and it is no feature.
    #[error("column {name} has categories, and is not selected for a feature")]
    CategoriesOfNoFeature {
        /// Its name.
        name: String,
    },
    /// No column is a feature: a dataset has at least two, a feature and the target.
    #[error("the table has {}, and no feature beside targets and weights", count(*.found, "column"))]
    NoFeatures {
        /// How many there are.
        found: usize,
    },
    /// Features were to be selected, and none was named.
    #[error("no column is selected for a feature")]
    NothingSelected,
    /// There are no rows.
    #[error("the table has no rows")]
    NoRows,
    /// What is read of a table was to be changed, or samples without targets to be read at once, and rows were read before.
    #[error("rows of the table were read already")]
    Begun,
    /// A column is not one of single numbers, or of a kind that is not read.
    #[error("column {column} is of {found}, which are not read as numbers")]
    NotNumbers {
        /// The name of the column.
        column: String,
        /// What its values are.
        found: String,
    },
    /// A column that is asked for as categories or labels is of neither texts nor numbers.
    #[error("column {column} is of {found}, which are not read as texts")]
    NotTexts {
        /// The name of the column.
        column: String,
        /// What its values are.
        found: String,
    },
    /// Arrays that are side by side have different numbers of rows.
    #[error("one array has {}, another beside it {found}", count(*.expected as usize, "row"))]
    Rows {
        /// Rows of the first.
        expected: u64,
        /// Rows of the other.
        found: u64,
    },
    /// The file cannot be read.
    #[error("{place} cannot be read: {reason}")]
    Unreadable {
        /// The first that was not read.
        place: Place,
        /// What the system says, or the reader of the format.
        reason: String,
    },
}

impl SourceError {
    /// [`Unreadable`](Self::Unreadable), for what a [`Source`](crate::Source) cannot read.
    pub fn unreadable(place: Place, reason: &dyn fmt::Display) -> Self {
        Self::Unreadable {
            place,
            reason: reason.to_string(),
        }
    }

    /// A column of values that are not what is asked for.
    #[cfg(feature = "parquet")]
    pub(crate) fn unread(column: String, found: String, is_text: bool) -> Self {
        if is_text {
            Self::NotTexts { column, found }
        } else {
            Self::NotNumbers { column, found }
        }
    }

    /// Returns whether it is the fault of one row, and the next may be right.
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

/// A value that is none, in the column of that index.
pub(crate) struct Fault {
    pub(crate) column: usize,
    pub(crate) value: String,
    pub(crate) kind: Kind,
}

/// What is wrong with a value.
pub(crate) enum Kind {
    Number,
    /// One that f64 has not.
    WholeNumber,
    Missing,
    Weight,
    /// Not in this encoding.
    Encoding(&'static str),
    /// None of so many.
    Category(usize),
    /// A new category, beside as many as there may be.
    TooMany(usize),
}

impl Fault {
    /// In a table with these columns.
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
    /// A line of a text, from 1, that of the names of columns among them.
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
