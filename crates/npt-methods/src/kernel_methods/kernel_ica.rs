//! Kernel independent component analysis.

use crate::linear::{FastIca, FastIcaParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Independent components of the first kernel principal components: [`FastIca`] in kernel
/// coordinates. It separates mixtures that are not linear.
///
/// # Definition
/// The scores of `components` kernel principal components, scaled to variance 1, are turned by the
/// rotation W that makes them least Gaussian. The fitted model `transform`s and `predict`s sources.
///
/// The number of components is a choice. Components beyond it take no part. With too many, the first to be found are
/// components of small variance that stand out on a few samples. (Bach and Jordan's method of the same
/// name differs: it measures the dependence of linear components by kernels.)
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`FastIca`] documents.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::Array2;
/// use npt_core::FnKernel;
/// use npt_methods::KernelIca;
///
/// // Two microphones hear loudness, the root of a sum of powers: 7 levels of one, 5 of the other.
/// let power = |i: usize| [(i % 7) as f64, (i / 7) as f64];
/// let loudness = Array2::from_shape_fn((35, 2), |(i, microphone)| match (power(i), microphone) {
///     ([p, q], 0) => (p + q).sqrt(),
///     ([p, q], _) => (p + 3.0 * q).sqrt(),
/// });
/// // In squares the mixture is linear.
/// let squares = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a * b).powi(2)).sum::<f64>();
/// let model = KernelIca::params(2, FnKernel::new(squares).assume_positive_semidefinite())
///     .method(|m| m.tolerance(1e-12))
///     .fit(&DatasetBase::from(loudness.clone()))?;
/// let sources: Array2<f64> = model.transform(loudness);
/// // The power p at variance 1 is (p − 3)/2, up to its sign.
/// let p = (0..2).any(|k| (0..35).all(|i| {
///     let sign = sources[[34, k]].signum();
///     (sign * sources[[i, k]] - (power(i)[0] - 3.0) / 2.0).abs() < 1e-10
/// }));
/// assert!(p);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// J. Yang, X. Gao, D. Zhang, J. Yang, "Kernel ICA: An alternative formulation and its application to
/// face recognition", Pattern Recognition 38(10), 2005.
#[derive(Debug, Clone, Copy)]
pub struct KernelIca;

impl KernelIca {
    /// The independent components of the first `components` principal ones in the exact space of
    /// `kernel`, with the defaults of [`FastIca::params`].
    pub fn params<K>(components: usize, kernel: K) -> KernelMethod<FastIcaParams, Exact<K>> {
        // Whitening turns the axes; turning them twice would double the work.
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(FastIca::params().components(components), builder)
    }
}
