//! Kernel support vector classification without slack.

use crate::linear::{HardMarginSvc, HardMarginSvcParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Support vector classification with a kernel, without slack: [`HardMarginSvc`] in kernel coordinates.
///
/// # Definition
/// The dual of the kernel trick, maximise Σ αᵢ − ½ Σ αᵢαⱼyᵢyⱼκ(xᵢ, xⱼ) over αᵢ ≥ 0 and Σ αᵢyᵢ = 0 (equation 18 of the
/// paper); centring κ does not change it. Targets are `bool`; the fitted model `predict`s `bool` and `transform`s to
/// the values of the decision function, which are ±1 at the margin and beyond it for all other training samples.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`HardMarginSvc`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict, Transformer}};
/// use ndarray::{Array1, array};
/// use npt_core::{KernelizedError, Linear, Polynomial};
/// use npt_methods::{Error, KernelHardMarginSvc};
///
/// let xor = Dataset::new(
///     array![[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]],
///     array![false, false, true, true],
/// );
/// let kernel = Polynomial::homogeneous(2);
/// let model = KernelHardMarginSvc::params(kernel).method(|m| m.tolerance(1e-9)).fit(&xor)?;
/// let values: Array1<f64> = model.transform(xor.records.view());
/// assert!((&values - &array![-1.0, -1.0, 1.0, 1.0]).iter().all(|d| d.abs() < 1e-8));
///
/// // No line separates them.
/// let error = KernelizedError::Method(Error::NoMargin { method: "HardMarginSvc" });
/// assert_eq!(KernelHardMarginSvc::params(Linear::new()).fit(&xor).err(), Some(error));
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, equations 17 to 20.
/// doi:10.1109/TNNLS.2013.2272292
#[derive(Debug, Clone, Copy)]
pub struct KernelHardMarginSvc;

impl KernelHardMarginSvc {
    /// The classifier in the exact space of `kernel`, with the defaults of [`HardMarginSvc::params`].
    pub fn params<K>(kernel: K) -> KernelMethod<HardMarginSvcParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(HardMarginSvc::params(), builder)
    }
}
