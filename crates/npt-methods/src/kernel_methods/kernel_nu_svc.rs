//! Kernel support vector classification by ν.

use crate::linear::{NuSvc, NuSvcParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Support vector classification with a kernel by the share of support vectors: [`NuSvc`] in kernel
/// coordinates.
///
/// # Definition
/// The dual of the kernel trick, minimise ½ Σ αᵢαⱼyᵢyⱼκ(xᵢ, xⱼ) over 0 ≤ αᵢ ≤ 1/n, Σ αᵢyᵢ = 0 and
/// Σ αᵢ = ν; centring κ does not change it. Targets are `bool`; the fitted model `predict`s `bool`
/// and `transform`s to the values of the decision function, which are ±1 at the margin.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`NuSvc`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict, Transformer}};
/// use ndarray::{Array1, array};
/// use npt_core::Polynomial;
/// use npt_methods::KernelNuSvc;
///
/// let xor = Dataset::new(
///     array![[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]],
///     array![false, false, true, true],
/// );
/// let params = KernelNuSvc::params(0.5, Polynomial::homogeneous(2)).method(|m| m.tolerance(1e-9));
/// let model = params.fit(&xor)?;
/// assert_eq!(&model.predict(&xor), xor.targets());
/// let values: Array1<f64> = model.transform(xor.records);
/// assert!((&values - &array![-1.0, -1.0, 1.0, 1.0]).iter().all(|d| d.abs() < 1e-8));
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// B. Schölkopf, A. Smola, R. Williamson, P. Bartlett, "New Support Vector Algorithms", Neural
/// Computation 12(5), 2000. doi:10.1162/089976600300015565
#[derive(Debug, Clone, Copy)]
pub struct KernelNuSvc;

impl KernelNuSvc {
    /// The classifier for ν in the exact space of `kernel`, with the defaults of [`NuSvc::params`].
    pub fn params<K>(nu: f64, kernel: K) -> KernelMethod<NuSvcParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(NuSvc::params(nu), builder)
    }
}
