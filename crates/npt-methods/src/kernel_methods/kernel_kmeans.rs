//! Kernel k-means.

use crate::linear::{KMeans, KMeansParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Kernel k-means: [`KMeans`] in kernel coordinates.
///
/// # Definition
/// A partition of the samples into clusters c that minimises the sum of the squared distances of the
/// φ(xᵢ) from the centroids of their clusters, each of which is
///
/// κ(x, x) − 2/|c| Σ_{i∈c} κ(x, xᵢ) + 1/|c|² Σ_{i,j∈c} κ(xᵢ, xⱼ).
///
/// The fitted model `predict`s clusters, numbered from 0, and `transform`s to squared distances from
/// the centroids, each less the squared distance from the mean of all φ(xᵢ): terms that all centroids have in common, such as
/// κ(x, x), are left out. Fitted [`by_coordinates`](npt_core::KernelMethod::by_coordinates), the model
/// keeps the space and the centroids in it, and `transform`s to the distances inside the space.
/// [`Prototypes`](crate::pre_image::Prototypes) are the centroids as inputs.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`KMeans`] documents.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, SpaceBuilder};
/// use npt_methods::KernelKMeans;
///
/// // An arc, and its centre.
/// let x = array![[0.0_f64, 0.1], [0.1, 0.0], [2.0, 0.0], [1.4, 1.4], [0.0, 2.0], [-1.4, 1.4], [-2.0, 0.0]];
/// let data = DatasetBase::from(x);
/// let model = KernelKMeans::params(2, Gaussian::new(0.3)).fit(&data)?;
/// let clusters = model.predict(&data);
/// assert!(clusters[0] == clusters[1]);
/// // Less than about one centroid, the mean of all.
/// let whole = Exact::new(Gaussian::new(0.3)).fit_space(data.records())?;
/// assert!(model.inner().inertia() < whole.eigenvalues().sum());
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// B. Schölkopf, A. Smola, K.-R. Müller, "Nonlinear Component Analysis as a Kernel Eigenvalue
/// Problem", Neural Computation 10(5), 1998. doi:10.1162/089976698300017467
///
/// I. Dhillon, Y. Guan, B. Kulis, "Kernel k-means: spectral clustering and normalized cuts", KDD
/// 2004. doi:10.1145/1014052.1014118
#[derive(Debug, Clone, Copy)]
pub struct KernelKMeans;

impl KernelKMeans {
    /// Kernel k-means with `clusters` clusters in the exact space of `kernel`, with the defaults of [`KMeans::params`].
    pub fn params<K>(clusters: usize, kernel: K) -> KernelMethod<KMeansParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(KMeans::params(clusters).resolution(8.0), builder)
    }
}
