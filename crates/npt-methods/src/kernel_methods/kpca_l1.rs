//! Kernel principal component analysis by the L1 norm.

use crate::linear::{PcaL1, PcaL1Params};
use npt_core::{Axes, Exact, KernelMethod};

/// Kernel principal component analysis by the L1 norm: [`PcaL1`] in kernel coordinates, a method
/// that has no formulation by the kernel trick alone.
///
/// # Definition
/// Directions w of the feature space that maximise Σ |⟨w, φ(xᵢ) − φ̄⟩| over ‖w‖ = 1, greedily
/// (algorithm 2). The fitted model `transform`s and `predict`s scores; `inner()` has objectives and
/// iteration counts.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`PcaL1`] documents.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::KpcaL1;
///
/// let x = array![[0.0_f64, 1.0], [2.0, 0.0], [1.0, 1.0], [4.0, 3.0]];
/// let params = KpcaL1::params(1, Gaussian::new(0.2)).method(|m| m.starts(5));
/// let model = params.fit(&DatasetBase::from(x.clone()))?;
/// let scores = model.transform(x);
/// let magnitude: f64 = scores.column(0).iter().map(|score| score.abs()).sum();
/// assert!((magnitude - model.inner().objectives()[0]).abs() < 1e-14);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, algorithm 2.
/// doi:10.1109/TNNLS.2013.2272292
#[derive(Debug, Clone, Copy)]
pub struct KpcaL1;

impl KpcaL1 {
    /// The first `components` components in the exact space of `kernel`.
    pub fn params<K>(components: usize, kernel: K) -> KernelMethod<PcaL1Params, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(PcaL1::params(components), builder)
    }
}
