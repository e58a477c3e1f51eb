//! Kernel logistic regression.

use crate::linear::{Logistic, LogisticParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Kernel logistic regression for two classes or more: [`Logistic`] in kernel coordinates.
///
/// # Definition
/// Functions f_c = b_c + ⟨w_c, φ(·)⟩ that minimise −Σ log p_c(i)(xᵢ) + ½λ Σ ‖w_c‖². In the
/// kernel-trick form w_c = Σ αᵢ_cφ(xᵢ), and at the minimum λαᵢ_c is 1 − p_c(xᵢ) for the samples of
/// class c, −p_c(xᵢ) for the others. The fitted model `predict`s classes and `transform`s to the
/// values of f; [`predict_probabilities`](npt_core::ExpansionModel::predict_probabilities) gives the p_c.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`Logistic`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Polynomial;
/// use npt_methods::KernelLogistic;
///
/// let xor = Dataset::new(
///     array![[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]],
///     array!["same", "same", "unlike", "unlike"],
/// );
/// let params = KernelLogistic::params(Polynomial::<f64>::homogeneous(2)).method(|m| m.penalty(0.1));
/// let model = params.fit(&xor)?;
/// assert_eq!(&model.predict(&xor), xor.targets());
/// // Centred, there are two points, √8 apart: f = ±√2·w with λw = 4√2(1 − p), so f = ±80(1 − p).
/// let f = model.decision_function(&xor.records)?;
/// let p = model.predict_probabilities(&xor.records)?;
/// assert!((f[[2, 0]] - 80.0 * (1.0 - p[[2, 1]])).abs() < 1e-10);
/// assert!((f[[0, 0]] + f[[2, 0]]).abs() < 1e-10);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// J. Zhu, T. Hastie, "Kernel Logistic Regression and the Import Vector Machine", Journal of
/// Computational and Graphical Statistics 14(1), 2005. doi:10.1198/106186005X25619
#[derive(Debug, Clone, Copy)]
pub struct KernelLogistic;

impl KernelLogistic {
    /// The regression in the exact space of `kernel`, with the defaults of [`Logistic::params`].
    pub fn params<K>(kernel: K) -> KernelMethod<LogisticParams, Exact<K>> {
        // Principal axes would take more time than they save the conjugate gradients.
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(Logistic::params(), builder)
    }
}
