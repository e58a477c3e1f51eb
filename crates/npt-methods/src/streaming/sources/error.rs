//! What can be wrong with a table of samples.

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
    /// A row has more or fewer values than there are columns.
    #[error("{place} has {found} values; there are {expected} columns")]
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
    /// Several columns have this name.
    #[error("{found} columns are named {name}")]
    AmbiguousColumn {
        /// The name.
        name: String,
        /// How many.
        found: usize,
    },
    /// The target is one of the columns that were selected for features.
    #[error("column {name} is the target, and was selected for a feature")]
    TargetSelected {
        /// Its name.
        name: String,
    },
    /// There are fewer than two columns: a feature and the target.
    #[error("there are {found} columns; a feature and the target take 2")]
    NoFeatures {
        /// How many there are.
        found: usize,
    },
    /// There are no rows.
    #[error("the table has no rows")]
    NoRows,
    /// Samples without targets are read at once, and blocks of the table were read before.
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
    /// Arrays that are side by side have different numbers of rows.
    #[error("one array has {expected} rows, another beside it {found}")]
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
    /// [`Unreadable`](Self::Unreadable), for what a [`Source`](super::Source) cannot read.
    pub fn unreadable(place: Place, reason: &dyn fmt::Display) -> Self {
        Self::Unreadable {
            place,
            reason: reason.to_string(),
        }
    }

    /// Whether it is the fault of one row, and the next may be right.
    pub(super) fn is_of_a_row(&self) -> bool {
        matches!(self, Self::Number { .. } | Self::Width { .. })
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
