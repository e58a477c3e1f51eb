//! Kernel quantile regression.

use crate::linear::{QuantileRegression, QuantileRegressionParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Quantile regression with a kernel: [`QuantileRegression`] in kernel coordinates.
///
/// # Definition
/// The dual of the kernel trick, minimise ½ Σ βᵢβⱼκ(xᵢ, xⱼ) − Σ tᵢβᵢ over C(τ − 1) ≤ βᵢ ≤ Cτ and Σ βᵢ = 0; centring κ does
/// not change it. The fitted model `predict`s and `transform`s values Σ βᵢκ(xᵢ, x) + b.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`QuantileRegression`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Polynomial;
/// use npt_methods::KernelQuantileRegression;
///
/// // The parabola through the medians, 3 at x² = 0 and 15 at x² = 4: 3x² + 3.
/// let x = array![[0.0], [0.0], [0.0], [-2.0], [2.0], [2.0]];
/// let data = Dataset::new(x, array![1.0, 3.0, 7.0, 10.0, 15.0, 90.0]);
/// let params = KernelQuantileRegression::params(Polynomial::homogeneous(2));
/// let model = params.method(|m| m.c(10.0).tolerance(1e-9)).fit(&data)?;
/// let value = model.predict(&array![[1.0]]);
/// assert!((value[0] - 6.0_f64).abs() < 1e-8);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// I. Takeuchi, Q. V. Le, T. D. Sears, A. J. Smola, "Nonparametric Quantile Estimation", Journal of Machine Learning
/// Research 7, 2006. <https://jmlr.org/papers/v7/takeuchi06a.html>
#[derive(Debug, Clone, Copy)]
pub struct KernelQuantileRegression;

impl KernelQuantileRegression {
    /// The regression in the exact space of `kernel`, with the defaults of [`QuantileRegression::params`].
    pub fn params<K>(kernel: K) -> KernelMethod<QuantileRegressionParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(QuantileRegression::params(), builder)
    }
}
