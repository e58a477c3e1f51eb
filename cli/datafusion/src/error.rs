//! Errors of the functions.

use datafusion::error::DataFusionError;
use std::fmt;

/// An error of the functions. DataFusion hands it on as the root of its own error.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The first argument is no text of the query itself.
    #[error("{function}: the first argument names {of}, and must be a text of the query itself")]
    NotLiteral {
        /// The function.
        function: &'static str,
        /// The thing that the argument names: a model, or sums.
        of: &'static str,
    },
    /// The program has not given this name to anything.
    #[error("there is nothing of the name {name:?}; there is {}", listed(.known))]
    Unknown {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// Other columns than the model takes.
    #[error("the columns are {}, where the model takes {}", .found.join(", "), .expected.join(", "))]
    Columns {
        /// The columns that the model takes.
        expected: Vec<String>,
        /// The columns that there are, by their names in the query.
        found: Vec<String>,
    },
    /// Another number of columns than the model takes, where columns are given by their places.
    #[error("the number of columns is {found}, and the model takes {expected}")]
    ColumnCount {
        /// The number of columns of the model.
        expected: usize,
        /// The number of arguments.
        found: usize,
    },
    /// A column of a type that the model does not take.
    #[error("the column {column} has {found}; it takes {takes}")]
    ColumnType {
        /// The column.
        column: String,
        /// The type of the column, in words.
        found: String,
        /// The types that the model takes there, in words.
        takes: &'static str,
    },
    /// A value is missing where an aggregate needs one.
    #[error(
        "there is no value in the column {column}; `where {column} is not null` leaves such rows out"
    )]
    Missing {
        /// The column.
        column: String,
    },
    /// A whole number that no double holds.
    #[error("the column {column} has {value}, which no double holds")]
    NotHeld {
        /// The column.
        column: String,
        /// The number.
        value: i128,
    },
    /// A model that does not tell how novel a sample is.
    #[error(
        "{method} does not tell how novel a sample is; detectors of novelty and kernel coordinates do"
    )]
    NoNovelty {
        /// The method.
        method: String,
    },
    /// A file that is no model or no sums; or the model or the sums refuse the values.
    #[error(transparent)]
    Estimator(#[from] npt_estimator::Error),
}

/// Prints the words of [`Display`](fmt::Display): a cluster hands on errors of its machines in debug form, inside the text of other errors.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NptError").field(&self.to_string()).finish()
    }
}

/// Lists names, or says that there are none.
fn listed(names: &[String]) -> String {
    match names {
        [] => "no name at all".to_owned(),
        names => names.join(", "),
    }
}

impl From<Error> for DataFusionError {
    fn from(error: Error) -> Self {
        Self::External(Box::new(error))
    }
}
