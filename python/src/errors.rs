//! Errors as Python's exceptions.

use npt::{KernelizedError, estimator::Error};
use pyo3::{
    PyErr,
    exceptions::{PyFileNotFoundError, PyMemoryError, PyOSError, PyValueError},
};
use std::io;

/// `MemoryError` for what would not fit, `OSError` for files that the system refuses, `ValueError` for all else, with the text of the
/// error.
pub(crate) fn exception(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Fit(KernelizedError::Space(npt::Error::Memory { .. })) => {
            PyMemoryError::new_err(text)
        }
        Error::Fit(KernelizedError::Method(npt::methods::Error::Core(npt::Error::Memory {
            ..
        }))) => PyMemoryError::new_err(text),
        Error::File(npt::model_file::Error::File { kind, .. }) => match kind {
            io::ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
            _ => PyOSError::new_err(text),
        },
        _ => PyValueError::new_err(text),
    }
}

/// The exception of an error of samples.
pub(crate) fn of_samples(error: npt::Error) -> PyErr {
    exception(error.into())
}
