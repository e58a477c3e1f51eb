//! Kernel Fisher discriminant.

use crate::linear::{Lda, LdaParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Kernel Fisher discriminant for any number of classes: [`Lda`] in kernel coordinates.
///
/// # Definition
/// Directions w of the feature space that maximise ⟨w, S w⟩ / (⟨w, S_W w⟩ + μ‖w‖²), with the
/// scatters of the φ(xᵢ) and μ = ρ·tr(S_T)/n. In the kernel-trick form w = Σ αᵢφ(xᵢ) the same
/// penalty is μ·αᵀKα. The fitted model `transform`s to discriminant scores and `predict`s classes.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`Lda`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::Kfd;
///
/// let inner_and_outer = Dataset::new(
///     array![[0.0, 0.1], [0.1, 0.0], [2.0, 0.0], [-2.0, 0.1], [0.1, 2.0], [0.0, -2.0]],
///     array!["in", "in", "out", "out", "out", "out"],
/// );
/// let params = Kfd::params(Gaussian::new(0.5)).method(|m| m.ridge(0.1));
/// let model = params.fit(&inner_and_outer)?;
/// assert_eq!(&model.predict(&inner_and_outer), inner_and_outer.targets());
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// S. Mika, G. Rätsch, J. Weston, B. Schölkopf, K.-R. Müller, "Fisher Discriminant Analysis with
/// Kernels", NNSP 1999. doi:10.1109/NNSP.1999.788121
///
/// N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, equation 24.
/// doi:10.1109/TNNLS.2013.2272292
#[derive(Debug, Clone, Copy)]
pub struct Kfd;

impl Kfd {
    /// The discriminant in the exact space of `kernel`, with the defaults of [`Lda::params`].
    pub fn params<K>(kernel: K) -> KernelMethod<LdaParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(Lda::params(), builder)
    }
}
