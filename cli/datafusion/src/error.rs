//! Errors of the functions.

use datafusion::error::DataFusionError;
use std::fmt;

/// An error of the functions; DataFusion hands it on as the root of its own.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The first argument is no text of the query itself.
    NotLiteral {
        /// The function.
        function: &'static str,
        /// The thing that the argument names: a model, sums.
        of: &'static str,
    },
    /// The program has not given this name to anything.
    Unknown {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A file that is no model, or no sums.
    File(npt_model_file::Error),
    /// Other columns than the model takes.
    Columns {
        /// The columns that it takes.
        expected: Vec<String>,
        /// The columns that there are, by their names in the query.
        found: Vec<String>,
    },
    /// Another number of columns than the model takes, none of which it has names for.
    ColumnCount {
        /// The number of columns of the model.
        expected: usize,
        /// The number of arguments.
        found: usize,
    },
    /// A column of a type that the model does not take.
    ColumnType {
        /// The column.
        column: String,
        /// Its type, in words.
        found: String,
        /// The types that it takes, in words.
        takes: &'static str,
    },
    /// A value is missing where an aggregate needs one.
    Missing {
        /// The column.
        column: String,
    },
    /// A whole number that no double holds.
    NotHeld {
        /// The column.
        column: String,
        /// The number.
        value: i128,
    },
    /// A model that does not tell how novel a sample is.
    NoNovelty {
        /// The method.
        method: String,
    },
    /// The model or the sums refuse the values.
    Estimator(npt_estimator::Error),
}

/// In the words of [`Display`](fmt::Display): a cluster hands errors of its machines on as they are debugged, in the middle of others.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NptError").field(&self.to_string()).finish()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLiteral { function, of } => write!(
                f,
                "{function}: the first argument names {of}, and must be a text of the query itself"
            ),
            Self::Unknown { name, known } => {
                write!(f, "there is nothing of the name {name:?}; there is ")?;
                match known.as_slice() {
                    [] => f.write_str("no name at all"),
                    known => f.write_str(&known.join(", ")),
                }
            }
            Self::File(error) => error.fmt(f),
            Self::Columns { expected, found } => write!(
                f,
                "the columns are {}, where the model takes {}",
                found.join(", "),
                expected.join(", ")
            ),
            Self::ColumnCount { expected, found } => write!(
                f,
                "the number of columns is {found}, and the model takes {expected}"
            ),
            Self::ColumnType {
                column,
                found,
                takes,
            } => write!(f, "the column {column} has {found}; it takes {takes}"),
            Self::Missing { column } => write!(
                f,
                "there is no value in the column {column}; `where {column} is not null` leaves such rows out"
            ),
            Self::NotHeld { column, value } => {
                write!(f, "the column {column} has {value}, which no double holds")
            }
            Self::NoNovelty { method } => write!(
                f,
                "{method} does not tell how novel a sample is; detectors of novelty and kernel coordinates do"
            ),
            Self::Estimator(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::Estimator(error) => Some(error),
            _ => None,
        }
    }
}

impl From<npt_estimator::Error> for Error {
    fn from(error: npt_estimator::Error) -> Self {
        Self::Estimator(error)
    }
}

impl From<npt_model_file::Error> for Error {
    fn from(error: npt_model_file::Error) -> Self {
        Self::File(error)
    }
}

impl From<Error> for DataFusionError {
    fn from(error: Error) -> Self {
        Self::External(Box::new(error))
    }
}
