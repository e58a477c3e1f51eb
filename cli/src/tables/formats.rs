//! The formats of tables, by the ends of their names.

use crate::Error;
use clap::ValueEnum;
use std::path::Path;

/// The format of a table in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Comma-separated values, the first line with the names of the columns.
    Csv,
    /// Values with tabs between.
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow's files.
    Arrow,
    /// NumPy's arrays.
    Npy,
    /// LIBSVM's lines: a target, and pairs index:value.
    Libsvm,
}

impl Format {
    /// The end of the names of its files.
    pub fn end(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Npy => "npy",
            Self::Libsvm => "libsvm",
        }
    }

    /// The format that the end of a name says.
    ///
    /// # Errors
    /// The end of the name says no format.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let end = path
            .extension()
            .map(|end| end.to_string_lossy().to_lowercase());
        Ok(match end.as_deref() {
            Some("csv" | "data" | "txt") => Self::Csv,
            Some("tsv" | "tab") => Self::Tsv,
            Some("parquet" | "pq") => Self::Parquet,
            Some("arrow" | "feather" | "ipc") => Self::Arrow,
            Some("npy") => Self::Npy,
            Some("libsvm" | "svm") => Self::Libsvm,
            _ => {
                let known = Self::value_variants().iter().map(|format| format.end());
                return Err(Error::Usage(format!(
                    "{}: the end of the name says no format; --format is one of {}",
                    path.display(),
                    known.collect::<Vec<_>>().join(", ")
                )));
            }
        })
    }
}
