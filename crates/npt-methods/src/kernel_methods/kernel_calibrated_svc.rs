//! Kernel support vector classification with probabilities.

use crate::linear::{CalibratedSvc, CalibratedSvcParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Support vector classification of two or more classes with a kernel and with probabilities:
/// [`CalibratedSvc`] in kernel coordinates.
///
/// # Definition
/// The fitted model gives the probabilities of [`CalibratedSvc`] by
/// [`predict_probabilities`](npt_core::ExpansionModel::predict_probabilities), one column per class, and `predict`s the most probable class.
/// The folds of the calibration divide the coordinates. All coordinates are in the one kernel space of all samples, which does not
/// see the classes.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`CalibratedSvc`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use ndarray::{Array2, array};
/// use npt_core::Gaussian;
/// use npt_methods::KernelCalibratedSvc;
///
/// let x = Array2::from_shape_fn((30, 1), |(i, _)| i as f64 / 5.0 - 3.0);
/// let inside = x.column(0).mapv(|v: f64| v.abs() < 1.5);
/// let params = KernelCalibratedSvc::params(Gaussian::new(0.5)).method(|m| m.c(10.0));
/// let model = params.fit(&Dataset::new(x, inside))?;
/// let p = model.predict_probabilities(&array![[0.0], [1.5], [2.9]])?;
/// assert!(p[[0, 1]] > 0.8 && p[[2, 1]] < 0.2);
/// assert!(p[[0, 1]] > p[[1, 1]] && p[[1, 1]] > p[[2, 1]]);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// H.-T. Lin, C.-J. Lin, R. Weng, "A Note on Platt's Probabilistic Outputs for Support Vector
/// Machines", Machine Learning 68(3), 2007. doi:10.1007/s10994-007-5018-6
#[derive(Debug, Clone, Copy)]
pub struct KernelCalibratedSvc;

impl KernelCalibratedSvc {
    /// The classifier in the exact space of `kernel`, with the defaults of
    /// [`CalibratedSvc::params`].
    pub fn params<K>(kernel: K) -> KernelMethod<CalibratedSvcParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(CalibratedSvc::params(), builder)
    }
}
