//! Errors as Python's exceptions.

use npt::{KernelizedError, estimator::Error, methods};
use pyo3::{
    IntoPyObject, PyErr, Python,
    exceptions::{PyFileNotFoundError, PyMemoryError, PyOSError, PyValueError},
    types::PyAnyMethods as _,
};
use std::io;

/// The exception of an error, with its text: `MemoryError` for what would not fit in memory, `OSError` for files that the system refuses,
/// `ValueError` for all else. If there are fewer components or landmarks than were asked for, the attribute `available` is their number.
/// If the kernel is not positive semidefinite, `smallest_eigenvalue` is a negative eigenvalue.
pub(crate) fn exception(error: Error) -> PyErr {
    let text = error.to_string();
    if let Error::File(npt::model_file::Error::File { kind, .. }) = &error {
        return match kind {
            io::ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
            _ => PyOSError::new_err(text),
        };
    }
    match cause(&error) {
        Some(Cause::Core(npt::Error::Memory { .. })) => PyMemoryError::new_err(text),
        Some(
            Cause::Core(
                npt::Error::Rank { available, .. } | npt::Error::Landmarks { available, .. },
            )
            | Cause::Method(methods::Error::Components { available, .. }),
        ) => with(PyValueError::new_err(text), "available", *available),
        Some(Cause::Core(npt::Error::NoVariance { .. })) => {
            with(PyValueError::new_err(text), "available", 0_usize)
        }
        Some(Cause::Core(npt::Error::Indefinite { eigenvalue, .. })) => with(
            PyValueError::new_err(text),
            "smallest_eigenvalue",
            *eigenvalue,
        ),
        _ => PyValueError::new_err(text),
    }
}

enum Cause<'a> {
    Core(&'a npt::Error),
    Method(&'a methods::Error),
}

/// The error of the space or of the method of a fit.
fn cause(error: &Error) -> Option<Cause<'_>> {
    Some(match error {
        Error::Fit(
            KernelizedError::Space(error) | KernelizedError::Method(methods::Error::Core(error)),
        ) => Cause::Core(error),
        Error::Fit(KernelizedError::Method(error)) => Cause::Method(error),
        _ => return None,
    })
}

/// Gives the exception a number as an attribute of this name.
fn with(error: PyErr, name: &str, number: impl for<'py> IntoPyObject<'py>) -> PyErr {
    Python::attach(|py| {
        // If this fails, the text of the exception still has the number.
        let _ = error.value(py).setattr(name, number);
    });
    error
}

/// The exception of an error of samples.
pub(crate) fn of_samples(error: npt::Error) -> PyErr {
    exception(error.into())
}
