//! Gaussian process regression.

mod by_coordinates;
mod by_kernel_values;
mod leave_one_out;
mod model;
mod optimized;
mod params;
mod process;

pub use leave_one_out::LeaveOneOut;
pub use model::GaussianProcessModel;
pub use optimized::{OptimizedGaussianProcessParams, OptimizerRun, OptimizerStep};
pub use params::GaussianProcessParams;
pub use process::ProcessRoad;

use crate::model_selection::ByKernelValues;
use model::Evidence;
use npt_core::{Axes, Exact};
use params::{centered, of_targets};

/// Gaussian process regression: a distribution over functions, given noisy values of one of them.
///
/// # Definition
/// Targets are tᵢ = m + f(xᵢ) + noise of variance σ², with f a Gaussian process of mean 0 and
/// covariance κ. With C = 𝒦 + σ²I and κ(x) the kernel values of x with the training samples, f(x) + m
/// given the targets has
///
/// | | |
/// |---|---|
/// | mean | m + κ(x)ᵀC⁻¹(t − m) |
/// | variance | κ(x, x) − κ(x)ᵀC⁻¹κ(x) |
///
/// and log p(t) = −½(t − m)ᵀC⁻¹(t − m) − ½ log det C − ½n log 2π is the log marginal likelihood. An
/// observation at x has σ² more variance.
///
/// In coordinates y of the space, which is not centred, f(x) = ⟨w, y(x)⟩ + e(x). w has independent
/// standard normal entries; e(x) is independent of w, and its variance is the residual of x. Targets inform
/// about w alone. The variance of f(x) is then σ²y(x)ᵀ(YᵀY + σ²I)⁻¹y(x) plus the residual, a sum in
/// which nothing cancels. In a space of reduced rank, 𝒦 is YYᵀ, and the part of a new sample outside the
/// space keeps its variance.
///
/// m is 0, or the mean of the targets. The kernel is the covariance in full: scale it by the
/// variance of f ([`Kernel::scaled`](npt_core::Kernel::scaled)). [`GaussianProcess::optimized`] finds the
/// parameters of the kernel. In a space of another builder the covariance is the kernel that the space represents. Random features, whose
/// coordinates are not sums of kernel values, take [`by_coordinates`](GaussianProcessParams::by_coordinates).
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel; in
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method): [`Error::Parameter`] for σ² < 0, NaN or infinite, and for no σ² at all;
/// [`Error::Singular`] where σ² is too small for the rank of 𝒦, or where rounding may be more than a hundredth of the tᵀC⁻¹t in the log
/// marginal likelihood; [`Error::LeaveOneOut`] where it is hardly large enough; [`npt_core::Error::TargetNotFinite`];
/// [`Error::Weights`] for samples with weights; [`Error::Overflow`].
///
/// [`Error::Parameter`]: crate::Error::Parameter
/// [`Error::Singular`]: crate::Error::Singular
/// [`Error::LeaveOneOut`]: crate::Error::LeaveOneOut
/// [`Error::Weights`]: crate::Error::Weights
/// [`Error::Overflow`]: crate::Error::Overflow
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Linear;
/// use npt_methods::GaussianProcess;
///
/// // f(x) = w·x: 𝒦 = 4, C = 5.
/// let data = Dataset::new(array![[2.0_f64]], array![10.0]);
/// let model = GaussianProcess::params(Linear::new()).noise(1.0).fit(&data)?;
/// let (mean, variance) = model.predict_with_variance(&array![[1.0], [3.0]])?;
/// // κ(x) = 2 and 6: 2·10/5 and 6·10/5; 1 − 2·2/5 and 9 − 6·6/5.
/// assert!((mean - array![4.0, 12.0]).iter().all(|d| d.abs() < 1e-14));
/// assert!((variance - array![0.2, 1.8]).iter().all(|d| d.abs() < 1e-14));
/// let expected = -0.5 * (10.0 * 10.0 / 5.0 + (5.0 * std::f64::consts::TAU).ln());
/// assert!((model.log_marginal_likelihood() - expected).abs() < 1e-14);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press 2006,
/// chapter 2, equations 2.25, 2.26 and 2.30; leave-one-out: equations 5.10 to 5.12.
#[derive(Debug, Clone, Copy)]
pub struct GaussianProcess;

impl GaussianProcess {
    /// The process with covariance `kernel`, σ² = 1 and m = 0, in the exact space that is not
    /// centred.
    pub fn params<K>(kernel: K) -> GaussianProcessParams<Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky).centered(false);
        GaussianProcessParams::new(builder, ByKernelValues)
    }
}
