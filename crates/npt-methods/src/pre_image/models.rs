//! Pre-images of what fitted models know.

use super::{PreImage, Training};
use crate::{
    Error,
    linear::{KMeans, Pca},
};
use linfa::traits::Transformer;
use ndarray::{Array2, ArrayBase, Data, Ix2};
use npt_core::{
    AsSamples, FoldedModel, Kernel, KernelSpace, KernelizedModel, LandmarkSpace, Rows, Scalar,
};

/// Inputs for what kernel PCA keeps of samples; implemented by the fitted model of
/// [`Kpca`](crate::Kpca) on vectors.
///
/// # Definition
/// Scores t belong to the point p = p̄ + Σₖ tₖwₖ, with wₖ the principal axes and p̄ the mean of the
/// training samples in feature space. `inverse_transform` gives pre-images of such points, and
/// `denoise` of the projections of φ(x): what is left of x without the components that were dropped.
/// [`FixedPoint`](super::FixedPoint) then starts from x, and ends in the local minimum next to it.
///
/// Both take the training samples again, in their order: see [`Training`].
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::{Array2, array};
/// use npt_core::Gaussian;
/// use npt_methods::{Kpca, pre_image::{FixedPoint, KpcaPreImages}};
///
/// // Points of a circle, and one outside: four components know little but the circle.
/// let x = Array2::from_shape_fn((40, 2), |(i, k)| {
///     let angle = i as f64 * std::f64::consts::TAU / 40.0;
///     if k == 0 { angle.cos() } else { angle.sin() }
/// });
/// let model = Kpca::params(4, Gaussian::new(0.5)).fit(&DatasetBase::from(x.clone()))?;
/// let z = model.denoise(&FixedPoint::new(), &x, &array![[1.2, 0.0]])?;
/// assert!((z[[0, 0]] - 1.0_f64).abs() < 0.02 && z[[0, 1]].abs() < 1e-8);
///
/// let scores = model.transform(array![[1.2, 0.0]]);
/// let same = model.inverse_transform(&FixedPoint::new(), &x, &scores)?;
/// assert!((same - z).iter().all(|d| d.abs() < 1e-7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// S. Mika, B. Schölkopf, A. Smola, K.-R. Müller, M. Scholz, G. Rätsch, "Kernel PCA and De-Noising in
/// Feature Spaces", NIPS 11, 1998.
pub trait KpcaPreImages<F: Scalar, K: Kernel<Rows<F>, Scalar = F>> {
    /// Inputs with given scores, one row a component's worth of them: shape (m, features).
    ///
    /// # Errors
    /// As [`Training::new`] for the training samples, [`npt_core::Error::ColumnCount`] unless there
    /// is one score a component, and as the method says.
    fn inverse_transform<M, R, D>(
        &self,
        method: &M,
        training: &R,
        scores: &ArrayBase<D, Ix2>,
    ) -> Result<Array2<F>, Error>
    where
        M: PreImage<F, K>,
        R: AsSamples<Samples = Rows<F>>,
        D: Data<Elem = F>;

    /// The records x without what the components do not explain: pre-images of the projections,
    /// shape (m, features).
    ///
    /// # Errors
    /// As [`inverse_transform`](Self::inverse_transform), and what is wrong with the records x.
    fn denoise<M, R, Q>(&self, method: &M, training: &R, x: &Q) -> Result<Array2<F>, Error>
    where
        M: PreImage<F, K>,
        R: AsSamples<Samples = Rows<F>>,
        Q: AsSamples<Samples = Rows<F>>;
}

impl<F, K> KpcaPreImages<F, K> for KernelizedModel<Pca<F>, LandmarkSpace<Rows<F>, K>>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    fn inverse_transform<M, R, D>(
        &self,
        method: &M,
        training: &R,
        scores: &ArrayBase<D, Ix2>,
    ) -> Result<Array2<F>, Error>
    where
        M: PreImage<F, K>,
        R: AsSamples<Samples = Rows<F>>,
        D: Data<Elem = F>,
    {
        let points = self.inner().inverse_transform(scores)?;
        let training = projected(self, training)?;
        method.pre_images(&training, points.view())
    }

    fn denoise<M, R, Q>(&self, method: &M, training: &R, x: &Q) -> Result<Array2<F>, Error>
    where
        M: PreImage<F, K>,
        R: AsSamples<Samples = Rows<F>>,
        Q: AsSamples<Samples = Rows<F>>,
    {
        let x = x.as_samples()?;
        let scores: Array2<F> = self.try_transform(x.as_ref())?;
        let points = self.inner().inverse_transform(&scores)?;
        let training = projected(self, training)?;
        method.pre_images_near(&training, points.view(), x.view())
    }
}

/// The same for the model that [`Kpca`](crate::Kpca) fits.
impl<F, K> KpcaPreImages<F, K> for FoldedModel<Pca<F>, Rows<F>, K>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    fn inverse_transform<M, R, D>(
        &self,
        method: &M,
        training: &R,
        scores: &ArrayBase<D, Ix2>,
    ) -> Result<Array2<F>, Error>
    where
        M: PreImage<F, K>,
        R: AsSamples<Samples = Rows<F>>,
        D: Data<Elem = F>,
    {
        self.unfolded().inverse_transform(method, training, scores)
    }

    fn denoise<M, R, Q>(&self, method: &M, training: &R, x: &Q) -> Result<Array2<F>, Error>
    where
        M: PreImage<F, K>,
        R: AsSamples<Samples = Rows<F>>,
        Q: AsSamples<Samples = Rows<F>>,
    {
        self.unfolded().denoise(method, training, x)
    }
}

/// The training samples, and their projections on the components.
fn projected<'a, F, K, R>(
    model: &'a KernelizedModel<Pca<F>, LandmarkSpace<Rows<F>, K>>,
    training: &'a R,
) -> Result<Training<'a, F, K>, Error>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
    R: AsSamples<Samples = Rows<F>>,
{
    let (pca, space) = (model.inner(), model.space());
    let scores = pca.transform(space.training_coordinates());
    Training::with_points(space, training, pca.inverse_transform(&scores)?)
}

/// The centroids of a clustering as inputs, which kernel k-means by itself does not have; implemented
/// by the fitted model of [`KernelKMeans`](crate::KernelKMeans) on vectors. With them it quantises
/// vectors: a sample is coded by its cluster, and decoded by the cluster's prototype.
///
/// # Definition
/// The pre-image of each centroid 1/|c| Σ_{i∈c} φ(xᵢ).
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::Fit};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::{KernelKMeans, pre_image::{FixedPoint, Prototypes}};
///
/// let x = array![[0.0], [0.2], [7.0], [7.2]];
/// let model = KernelKMeans::params(2, Gaussian::new(0.1)).fit(&DatasetBase::from(x.clone()))?;
/// let mut prototypes = model.prototypes(&FixedPoint::new(), &x)?.into_raw_vec_and_offset().0;
/// prototypes.sort_by(f64::total_cmp);
/// assert!((prototypes[0] - 0.1_f64).abs() < 1e-7 && (prototypes[1] - 7.1).abs() < 1e-7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Prototypes<F: Scalar, K: Kernel<Rows<F>, Scalar = F>> {
    /// One row a cluster, shape (clusters, features). The training samples are needed again, in
    /// their order: see [`Training`].
    ///
    /// # Errors
    /// As [`Training::new`] for the training samples, and as the method says.
    fn prototypes<M, R>(&self, method: &M, training: &R) -> Result<Array2<F>, Error>
    where
        M: PreImage<F, K>,
        R: AsSamples<Samples = Rows<F>>;
}

impl<F, K> Prototypes<F, K> for KernelizedModel<KMeans<F>, LandmarkSpace<Rows<F>, K>>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    fn prototypes<M, R>(&self, method: &M, training: &R) -> Result<Array2<F>, Error>
    where
        M: PreImage<F, K>,
        R: AsSamples<Samples = Rows<F>>,
    {
        let training = Training::new(self.space(), training)?;
        method.pre_images(&training, self.inner().centroids())
    }
}
