//! `npt._npt`: samples, estimators, sums and models by name, and work that can be interrupted, for the Python package `npt`.
//!
//! This module knows nothing of scikit-learn: arrays, texts and bytes go in and out. The interface of scikit-learn is written in Python.

mod borrowed;
mod errors;
mod estimator;
mod lists;
mod model;
mod samples;
mod sums;
mod values;
mod work;

use pyo3::prelude::*;

/// Samples, estimators, sums and models by name, and work that can be interrupted.
#[pymodule]
mod _npt {
    #[pymodule_export]
    use crate::estimator::Estimator;
    #[pymodule_export]
    use crate::lists::{describe_kernel, kernels, methods, pre_images, spaces};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::samples::Samples;
    #[pymodule_export]
    use crate::sums::{Sums, merge_parts};
    #[pymodule_export]
    use crate::values::{kernel_diagonal, kernel_matrix, kernel_weights, precompute};
    #[pymodule_export]
    use crate::work::{Work, set_threads, threads};
}
