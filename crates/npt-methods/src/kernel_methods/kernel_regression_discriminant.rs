//! Kernel discriminant analysis for regression.

use crate::linear::{RegressionDiscriminant, RegressionDiscriminantParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Kernel discriminant analysis for regression: [`RegressionDiscriminant`] in kernel coordinates.
///
/// # Definition
/// Directions w of the feature space that maximise ⟨w, S_b w⟩ / (⟨w, S_w w⟩ + μ‖w‖²), with the
/// scatters of the φ(xᵢ). In the kernel-trick form w = Σ αᵢφ(xᵢ), with the Laplacians L_b and L_w of
/// the pairs with distant and with near targets, the scatters are KL_bK/n_b and KL_wK/n_w, and the
/// penalty is μ·αᵀKα. The fitted model `transform`s and `predict`s scores.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`RegressionDiscriminant`]
/// documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Transformer}};
/// use ndarray::{Array2, array};
/// use npt_core::Gaussian;
/// use npt_methods::KernelRegressionDiscriminant;
///
/// // The target is the distance from the origin: the first score has its order.
/// let data = Dataset::new(
///     array![[0.0, 0.1], [-0.2, 0.0], [1.0, 0.0], [0.0, -1.1], [2.0, 0.1], [0.1, 2.2]],
///     array![0.1, 0.2, 1.0, 1.1, 2.0, 2.2],
/// );
/// let params = KernelRegressionDiscriminant::params(1, Gaussian::new(0.1));
/// let model = params.method(|m| m.ridge(0.01)).fit(&data)?;
/// let scores: Array2<f64> = model.transform(data.records);
/// let sign = (scores[[5, 0]] - scores[[0, 0]]).signum();
/// let means = [0, 2, 4].map(|i| sign * (scores[[i, 0]] + scores[[i + 1, 0]]));
/// assert!(means[0] < means[1] && means[1] < means[2]);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// N. Kwak, "Kernel discriminant analysis for regression problems", Pattern Recognition 45(5), 2012.
#[derive(Debug, Clone, Copy)]
pub struct KernelRegressionDiscriminant;

impl KernelRegressionDiscriminant {
    /// The analysis for `components` directions in the exact space of `kernel`, with the defaults of
    /// [`RegressionDiscriminant::params`].
    pub fn params<K>(
        components: usize,
        kernel: K,
    ) -> KernelMethod<RegressionDiscriminantParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(RegressionDiscriminant::params(components), builder)
    }
}
