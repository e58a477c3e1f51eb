//! Kernel support vector regression.

use crate::linear::{Svr, SvrParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Support vector regression with a kernel: [`Svr`] in kernel coordinates.
///
/// # Definition
/// The dual of the kernel trick, maximise Σ yᵢβᵢ − ε Σ |βᵢ| − ½ Σ βᵢβⱼκ(xᵢ, xⱼ) over |βᵢ| ≤ C and
/// Σ βᵢ = 0; centring κ does not change it. The fitted model `predict`s and `transform`s values.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`Svr`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Polynomial;
/// use npt_methods::KernelSvr;
///
/// // The flattest parabola within 1 of all targets: 3x² + 1.
/// let data = Dataset::new(array![[-2.0], [0.0], [2.0]], array![14.0, 0.0, 14.0]);
/// let kernel = Polynomial::homogeneous(2);
/// let params = KernelSvr::params(kernel).method(|m| m.c(10.0).epsilon(1.0).tolerance(1e-9));
/// let model = params.fit(&data)?;
/// let value = model.predict(&array![[1.0]]);
/// assert!((value[0] - 4.0_f64).abs() < 1e-8);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// A. Smola, B. Schölkopf, "A Tutorial on Support Vector Regression", Statistics and Computing
/// 14(3), 2004. doi:10.1023/B:STCO.0000035301.49549.88
#[derive(Debug, Clone, Copy)]
pub struct KernelSvr;

impl KernelSvr {
    /// The regression in the exact space of `kernel`, with the defaults of [`Svr::params`].
    pub fn params<K>(kernel: K) -> KernelMethod<SvrParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(Svr::params(), builder)
    }
}
