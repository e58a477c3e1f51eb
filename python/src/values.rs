//! Values and weights of kernels by name.

use crate::{
    samples::{Given, Samples},
    work::{Work, run},
};
use npt::estimator;
use numpy::{IntoPyArray as _, PyArray1, PyArray2};
use pyo3::prelude::*;

/// The values of a kernel between the samples, or between the samples and others, one row a sample.
#[pyfunction]
#[pyo3(signature = (kernel, samples, others=None, work=None))]
pub(crate) fn kernel_matrix<'py>(
    py: Python<'py>,
    kernel: String,
    samples: &Samples,
    others: Option<&Samples>,
    work: Option<&Work>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, y) = (
        samples.data.clone(),
        others.map(|others| others.data.clone()),
    );
    let values = run(py, work, move || match &y {
        Some(y) => estimator::cross_kernel_matrix(&kernel, &x, y),
        None => estimator::kernel_matrix(&kernel, &x),
    })?;
    Ok(values.into_pyarray(py))
}

/// Returns the samples as rows of their kernel matrix, and the kernel that looks their values up.
#[pyfunction]
#[pyo3(signature = (kernel, samples, work=None))]
pub(crate) fn precompute(
    py: Python<'_>,
    kernel: String,
    samples: &Samples,
    work: Option<&Work>,
) -> PyResult<(Samples, String)> {
    let x = samples.data.clone();
    let (known, kernel) = run(py, work, move || estimator::precompute(&kernel, &x))?;
    Ok((known.into(), kernel))
}

/// The values of a kernel of each sample with itself.
#[pyfunction]
#[pyo3(signature = (kernel, samples, work=None))]
pub(crate) fn kernel_diagonal<'py>(
    py: Python<'py>,
    kernel: String,
    samples: &Samples,
    work: Option<&Work>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let x = samples.data.clone();
    let values = run(py, work, move || estimator::kernel_diagonal(&kernel, &x))?;
    Ok(values.into_pyarray(py))
}

/// The weights of kernels in their sum, learned from targets.
#[pyfunction]
#[pyo3(signature = (method, kernels, samples, targets, work=None))]
pub(crate) fn kernel_weights<'py>(
    py: Python<'py>,
    method: String,
    kernels: Vec<String>,
    samples: &Samples,
    targets: Given<'_>,
    work: Option<&Work>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (x, targets) = (samples.data.clone(), targets.targets());
    let weights = run(py, work, move || {
        estimator::kernel_weights(&method, &kernels, &x, targets)
    })?;
    Ok(weights.into_pyarray(py))
}
