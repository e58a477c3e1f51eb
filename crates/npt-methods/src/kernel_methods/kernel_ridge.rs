//! Kernel ridge regression.

use crate::linear::{Ridge, RidgeParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Kernel ridge regression: [`Ridge`] in kernel coordinates.
///
/// # Definition
/// The function f = b + ⟨w, φ(·)⟩ that minimises Σ (yᵢ − f(xᵢ))² + λ‖w‖². In the kernel-trick form
/// w = Σ αᵢφ(xᵢ) with α = (K + λI)⁻¹(y − ȳ) for the centred kernel matrix K, and f = ȳ at the mean
/// of the φ(xᵢ).
///
/// In a space that is not centred, and without an intercept, f(x) = Σ αᵢκ(xᵢ, x) with
/// α = (𝒦 + λI)⁻¹y.
///
/// [`penalties`](crate::linear::RidgeParams::penalties) chooses λ by the exact leave-one-out errors; a
/// [`RidgePath`](crate::linear::RidgePath) in [`Kernelized`](npt_core::Kernelized) gives these errors for each λ.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`Ridge`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Linear;
/// use npt_methods::KernelRidge;
///
/// let data = Dataset::new(array![[1.0], [2.0]], array![3.0, 5.0]);
/// // Centred: w = Σxy/(Σx² + λ) = 1/(½ + ½), and f = 4 in the middle.
/// let model = KernelRidge::params(Linear::new()).method(|m| m.penalty(0.5)).fit(&data)?;
/// assert!((model.predict(&array![[2.5]])[0] - 5.0_f64).abs() < 1e-14);
/// // Through the origin: w = 13/(5 + 1.5).
/// let model = KernelRidge::params(Linear::new())
///     .space(|s| s.centered(false))
///     .method(|m| m.intercept(false).penalty(1.5))
///     .fit(&data)?;
/// assert!((model.predict(&array![[2.5]])[0] - 5.0_f64).abs() < 1e-14);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// C. Saunders, A. Gammerman, V. Vovk, "Ridge Regression Learning Algorithm in Dual Variables",
/// ICML 1998.
#[derive(Debug, Clone, Copy)]
pub struct KernelRidge;

impl KernelRidge {
    /// The regression in the exact space of `kernel`, with the defaults of [`Ridge::params`].
    pub fn params<K>(kernel: K) -> KernelMethod<RidgeParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(Ridge::params(), builder)
    }
}
