//! Kernel principal component analysis.

use crate::linear::{Pca, PcaParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Kernel principal component analysis: [`Pca`] in kernel coordinates.
///
/// # Definition
/// With K = UΛUᵀ the centred kernel matrix and k(x) the centred kernel values of x with the
/// training samples, the scores of x are the leading entries of Λ^-½Uᵀk(x) (equation 14).
///
/// The fitted model `transform`s and `predict`s scores; `inner()` has the eigenvalues and the
/// explained variance ratio.
///
/// # Parameters
/// The number of components, from 1 to the rank of the centred kernel matrix.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`Error::Components`](crate::Error::Components) for too many components.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::Kpca;
///
/// let x = array![[0.0, 1.0], [2.0, 0.0], [1.0, 1.0], [4.0, 3.0]];
/// let model = Kpca::params(2, Gaussian::new(0.2)).fit(&DatasetBase::from(x.clone()))?;
/// let scores = model.transform(x);
/// let squares: f64 = scores.column(0).iter().map(|score| score * score).sum();
/// assert!((squares - model.inner().eigenvalues()[0]).abs() < 1e-14);
/// assert!(model.inner().explained_variance_ratio().sum() > 0.9);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// B. Schölkopf, A. Smola, K.-R. Müller, "Nonlinear Component Analysis as a Kernel Eigenvalue
/// Problem", Neural Computation 10(5), 1998. doi:10.1162/089976698300017467
#[derive(Debug, Clone, Copy)]
pub struct Kpca;

impl Kpca {
    /// The first `components` components in the exact space of `kernel`.
    pub fn params<K>(components: usize, kernel: K) -> KernelMethod<PcaParams, Exact<K>> {
        // PCA turns the axes itself; turning them twice would double the work.
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(Pca::params(components), builder)
    }
}
