//! Kernel partial least squares.

use crate::linear::{Pls, PlsParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Kernel partial least squares regression: [`Pls`] in kernel coordinates.
///
/// # Definition
/// With K the centred kernel matrix and Y the centred targets, the scores of each component are
/// t = Ku/‖Ku‖, with u the leading eigenvector of YYᵀ in the metric of K (YYᵀKu ∝ u; u = Y for one
/// target), after which K ← (I − ttᵀ)K(I − ttᵀ) and Y ← Y − ttᵀY. With T and U of all components,
/// predictions are ȳ + k(x)ᵀU(TᵀKU)⁻¹TᵀY. Predictions come in the shape of the targets;
/// the fitted model `transform`s to scores.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`Pls`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Polynomial;
/// use npt_methods::KernelPls;
///
/// // The product of two features is one direction of the quadratic kernel.
/// let data = Dataset::new(
///     array![[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]],
///     array![3.0, 3.0, 1.0, 1.0],
/// );
/// let model = KernelPls::params(1, Polynomial::new(2, 1.0, 1.0)).fit(&data)?;
/// let predicted = model.predict(&array![[2.0, 0.5], [0.0, 7.0]]);
/// assert!((predicted[0] - 3.0_f64).abs() < 1e-13 && (predicted[1] - 2.0).abs() < 1e-13);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// R. Rosipal, L. J. Trejo, "Kernel Partial Least Squares Regression in Reproducing Kernel Hilbert
/// Space", Journal of Machine Learning Research 2, 2001.
#[derive(Debug, Clone, Copy)]
pub struct KernelPls;

impl KernelPls {
    /// Regression on `components` scores in the exact space of `kernel`.
    pub fn params<K>(components: usize, kernel: K) -> KernelMethod<PlsParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(Pls::params(components), builder)
    }
}
