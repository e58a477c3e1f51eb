//! Kernel ridge regression by conjugate gradients.

use crate::linear::{IterativeRidge, IterativeRidgeParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Kernel ridge regression of so many samples that a kernel matrix would not fit into memory: [`KernelRidge`](crate::KernelRidge) by
/// preconditioned conjugate gradients.
///
/// # Definition
/// f(x) = Σ αᵢκ(xᵢ, x) + b, where (K + λI)α = y − ȳ with the centred kernel matrix K, solved to a residual that is a given share
/// of y. In a space that is not centred, and without an intercept, (𝒦 + λI)α = y; f is then the mean of a Gaussian process
/// with noise of variance λ. Kernel values are computed in tiles, anew in each iteration, and never kept; what is kept is n
/// times [`pivots`](IterativeRidgeParams::pivots) numbers. The kernel has to
/// [say](npt_core::Kernel::is_positive_semidefinite) that it is positive semidefinite: to find this out would take the n² numbers
/// that this method avoids.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`IterativeRidge`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::Array2;
/// use npt_core::Gaussian;
/// use npt_methods::{IterativeKernelRidge, KernelRidge};
///
/// let x = Array2::from_shape_fn((500, 1), |(i, _)| (i as f64 * 0.618).fract() * 6.0);
/// let waves = x.column(0).mapv(f64::sin);
/// let data = Dataset::new(x, waves);
///
/// let params = IterativeKernelRidge::params(Gaussian::new(2.0));
/// let model = params.method(|m| m.penalty(0.1).tolerance(1e-9).pivots(20)).fit(&data)?;
/// let exact = KernelRidge::params(Gaussian::new(2.0)).method(|m| m.penalty(0.1)).fit(&data)?;
/// let off = model.predict(data.records()) - exact.predict(data.records());
/// assert!(off.iter().all(|d: &f64| d.abs() < 1e-7));
/// assert!(model.inner().iterations() < 20);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// M. Díaz, E. N. Epperly, Z. Frangella, J. A. Tropp, R. J. Webber, "Robust, Randomized Preconditioning for
/// Kernel Ridge Regression", 2023. arXiv:2304.12465
#[derive(Debug, Clone, Copy)]
pub struct IterativeKernelRidge;

impl IterativeKernelRidge {
    /// The regression in the exact space of `kernel`, with the defaults of [`IterativeRidge::params`].
    pub fn params<K>(kernel: K) -> KernelMethod<IterativeRidgeParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(IterativeRidge::params(), builder)
    }
}
