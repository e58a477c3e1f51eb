//! Errors, each of one line and with an exit code.

use std::path::PathBuf;

/// The reason why the program did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A text is no range.
    #[error(
        "{text} is no range: it is written 0.01..1, or 0.01..1:5 for five values of at most 1000, from a number above 0 to a larger one"
    )]
    Range { text: String },
    /// Arguments do not go together.
    #[error("{0}")]
    Usage(String),
    /// A file that cannot be read or written.
    #[error("{}: {reason}", .path.display())]
    File { path: PathBuf, reason: String },
    /// The data are at fault; the text says where.
    #[error("{0}")]
    Data(String),
    /// An error of an estimator, a fit or a model, in its own words.
    #[error(transparent)]
    Estimator(npt_estimator::Error),
    /// A query, or what it reads, is at fault.
    #[error("{0}")]
    Query(String),
    /// A cluster does not answer, or failed.
    #[error("{0}")]
    Cluster(String),
    /// A fit would not be possible in the memory that there is.
    #[error("{0}")]
    Memory(String),
    /// Somebody pressed Ctrl-C.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// Nobody reads the output any more.
    #[error("the output was closed")]
    Closed,
}

impl From<npt_estimator::Error> for Error {
    fn from(error: npt_estimator::Error) -> Self {
        let text = error.to_string();
        match error {
            npt_estimator::Error::Description { .. }
            | npt_estimator::Error::Combination { .. }
            | npt_estimator::Error::Ability { .. }
            | npt_estimator::Error::NotExported { .. } => Self::Usage(text),
            npt_estimator::Error::Fit(npt_core::KernelizedError::Space(
                npt_core::Error::Memory { .. },
            )) => Self::Memory(text),
            other => Self::Estimator(other),
        }
    }
}

impl Error {
    pub fn file(path: impl Into<PathBuf>, reason: impl ToString) -> Self {
        let (path, reason) = (path.into(), reason.to_string());
        // Some libraries name the file themselves.
        let again = format!("{}: ", path.display());
        let reason = reason.strip_prefix(&again).unwrap_or(&reason).to_owned();
        Self::File { path, reason }
    }

    /// The exit code of the program.
    pub fn code(&self) -> u8 {
        match self {
            Self::Range { .. } | Self::Usage(_) => 2,
            Self::Memory(_) => 3,
            Self::Interrupted => 130,
            // As if the signal of a closed pipe had ended the program, about which shells say nothing.
            Self::Closed => 0,
            Self::File { .. }
            | Self::Data(_)
            | Self::Estimator(_)
            | Self::Query(_)
            | Self::Cluster(_) => 1,
        }
    }
}
