//! Kernel one-class support vector machine.

use crate::linear::{OneClassSvm, OneClassSvmParams};
use npt_core::{Axes, Exact, KernelMethod};

/// One-class support vector machine with a kernel: [`OneClassSvm`] in kernel coordinates.
///
/// # Definition
/// The dual of the kernel trick, minimise ½ Σ αᵢαⱼκ(xᵢ, xⱼ) over 0 ≤ αᵢ ≤ 1/(νn) and Σ αᵢ = 1. The
/// fitted model `transform`s to Σ αᵢκ(xᵢ, x) − ρ and `predict`s whether this is at least 0, that is, whether
/// x is like the training samples. The coordinates are not centred, as the origin is that of κ;
/// a [`space`](npt_core::KernelMethod::space) of your own must not be centred either.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`OneClassSvm`] documents.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::KernelOneClassSvm;
///
/// let known = DatasetBase::from(array![[0.0], [0.5], [1.0], [8.0], [8.5], [9.0]]);
/// let model = KernelOneClassSvm::params(0.3, Gaussian::new(0.5)).fit(&known)?;
/// assert_eq!(model.predict(&array![[0.6], [4.5], [8.6]]), array![true, false, true]);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// B. Schölkopf, J. Platt, J. Shawe-Taylor, A. Smola, R. Williamson, "Estimating the Support of a
/// High-Dimensional Distribution", Neural Computation 13(7), 2001. doi:10.1162/089976601750264965
#[derive(Debug, Clone, Copy)]
pub struct KernelOneClassSvm;

impl KernelOneClassSvm {
    /// The machine for ν in the exact space of `kernel`, not centred, with the defaults of
    /// [`OneClassSvm::params`].
    pub fn params<K>(nu: f64, kernel: K) -> KernelMethod<OneClassSvmParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky).centered(false);
        KernelMethod::new(OneClassSvm::params(nu), builder)
    }
}
