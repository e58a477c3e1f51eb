//! Kernel PCA that goes back from scores to inputs.

use super::{PreImage, PreImageMap, PrincipalSubspace, Training, WithPreImage, with_pre_image};
use crate::{
    Error,
    linear::{Pca, PcaParams},
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::{Fit, Predict, PredictInplace, Transformer},
};
use ndarray::{Array2, ArrayBase, Data, Ix2};
use npt_core::{
    AsSamples, KernelMethod, KernelSpace, KernelizedError, KernelizedModel, Rows, Scalar,
    SpaceBuilder,
};

/// Fitted kernel PCA of vectors that finds inputs for its scores. [`Kpca`](crate::Kpca) with a
/// [`pre_image`](super::PreImageExt::pre_image) fits this model. It `transform`s and `predict`s scores as kernel
/// PCA without pre-images does.
///
/// The type of a field is `KpcaDenoiser<ExactSpace<Rows<f64>, Gaussian<f64>>, FixedPoint>`.
///
/// # Definition
/// Scores t belong to the point p = p̄ + Σₖ tₖwₖ, with wₖ the principal axes and p̄ the mean of the
/// training samples in feature space. `inverse_transform` gives pre-images of such points.
/// `denoise` gives pre-images of the projections of φ(x), which are x without the components that were dropped;
/// [`FixedPoint`](super::FixedPoint) then starts from x, and ends in the local minimum next to it.
///
/// # Panics
/// `predict` and `transform` panic where the records are at fault, as those of [`KernelizedModel`] do.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::{Array2, array};
/// use npt_core::Gaussian;
/// use npt_methods::{Kpca, pre_image::{FixedPoint, PreImageExt}};
///
/// // Points of a circle, and one outside: four components know little but the circle.
/// let x = Array2::from_shape_fn((40, 2), |(i, k)| {
///     let angle = i as f64 * std::f64::consts::TAU / 40.0;
///     if k == 0 { angle.cos() } else { angle.sin() }
/// });
/// let kpca = Kpca::params(4, Gaussian::new(0.5)).pre_image(FixedPoint::new());
/// let model = kpca.fit(&DatasetBase::from(x))?;
/// let z = model.denoise(&array![[1.2, 0.0]])?;
/// assert!((z[[0, 0]] - 1.0_f64).abs() < 0.02 && z[[0, 1]].abs() < 1e-8);
///
/// let scores: Array2<f64> = model.transform(array![[1.2, 0.0]]);
/// let same = model.inverse_transform(&scores)?;
/// assert!((same - z).iter().all(|d| d.abs() < 1e-7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// S. Mika, B. Schölkopf, A. Smola, K.-R. Müller, M. Scholz, G. Rätsch, "Kernel PCA and De-Noising in
/// Feature Spaces", NIPS 11, 1998.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        deserialize = "P: KernelSpace + serde::Deserialize<'de>, Q: serde::Deserialize<'de>, F: Scalar + serde::Deserialize<'de>"
    ))
)]
pub struct KpcaDenoiser<P, Q, F = f64> {
    subspace: PrincipalSubspace<P, F>,
    map: Q,
}

/// Fits kernel PCA to coordinates, and the pre-image method to scores, in the subspace that the components span.
///
/// # Errors
/// The errors of kernel PCA without pre-images, and the errors of the pre-image method at its fit.
impl<R, T, F, B, Q> Fit<R, T, KernelizedError<Error>>
    for WithPreImage<KernelMethod<PcaParams, B>, Q>
where
    R: Records + AsSamples<Samples = Rows<F>>,
    T: AsTargets,
    T::Elem: Clone + 'static,
    F: Scalar,
    B: SpaceBuilder<Rows<F>>,
    B::Space: KernelSpace<Samples = Rows<F>, Scalar = F>,
    Q: PreImage<PrincipalSubspace<B::Space, F>>,
{
    type Object = KpcaDenoiser<B::Space, Q::Map, F>;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<Error>> {
        let kpca = self.inner();
        let (pca, fitted) = with_pre_image::fit(kpca.inner(), kpca.builder(), dataset)?;
        let fit = || {
            let fitted = PrincipalSubspace::of(pca, fitted, dataset.feature_names())?;
            let map = self
                .pre_image_method()
                .fit(&Training::new(&fitted, dataset.records())?)?;
            let (subspace, ..) = fitted.into_parts();
            Ok(KpcaDenoiser { subspace, map })
        };
        fit().map_err(with_pre_image::error)
    }
}

impl<P, Q, F> KpcaDenoiser<P, Q, F>
where
    F: Scalar,
    P: KernelSpace<Samples = Rows<F>, Scalar = F>,
{
    /// Adds pre-images to kernel PCA that is fitted already, as to the moments of a stream. The pre-image method learns from some samples;
    /// for a stream, take the samples of a [`Reservoir`](crate::streaming::Reservoir).
    ///
    /// # Errors
    /// [`npt_core::Error::CoefficientCount`] if the components are of another number of coordinates than the space has, the errors
    /// of the samples as records, and the errors of the pre-image method at its fit.
    ///
    /// # Example
    /// ```
    /// use ndarray::{Array2, array};
    /// use npt_core::{Gaussian, KernelizedModel, Nystrom, Pivoting, SpaceBuilder};
    /// use npt_methods::{
    ///     linear::Pca,
    ///     pre_image::{FixedPoint, KpcaDenoiser},
    ///     streaming::{CoordinateMoments, FitMoments, Reservoir},
    /// };
    ///
    /// // Points of a circle, a hundred at a time.
    /// let block = |k: usize| Array2::from_shape_fn((100, 2), |(i, j)| {
    ///     let angle = (100 * k + i) as f64 * 0.7;
    ///     if j == 0 { angle.cos() } else { angle.sin() }
    /// });
    /// let mut some = Reservoir::new(200);
    /// (0..20).try_for_each(|k| some.add(&block(k)))?;
    /// let sample = some.into_samples()?;
    /// let builder = Nystrom::new(Gaussian::new(0.5), Pivoting::random(8)).centered(false);
    /// let space = builder.fit_space(&sample)?.into_parts().0;
    ///
    /// let mut sums = CoordinateMoments::of_records(&space)?;
    /// (0..20).try_for_each(|k| sums.add_records(&block(k)))?;
    /// let pca: Pca<f64> = Pca::params(4).fit_moments(&sums.into_moments()?)?;
    ///
    /// let kpca = KernelizedModel::new(pca, space);
    /// let model = KpcaDenoiser::new(kpca, &FixedPoint::new(), &sample)?;
    /// let z = model.denoise(&array![[1.2, 0.0]])?;
    /// assert!((z[[0, 0]] - 1.0).abs() < 0.03 && z[[0, 1]].abs() < 0.03);
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn new<M>(
        kpca: KernelizedModel<Pca<F>, P>,
        pre_image: &M,
        samples: &dyn AsSamples<Samples = Rows<F>>,
    ) -> Result<Self, Error>
    where
        M: PreImage<PrincipalSubspace<P, F>, Map = Q>,
        Q: PreImageMap<PrincipalSubspace<P, F>>,
    {
        let fitted = PrincipalSubspace::of_model(kpca, samples)?;
        let map = pre_image.fit(&Training::new(&fitted, samples)?)?;
        let (subspace, ..) = fitted.into_parts();
        Ok(Self { subspace, map })
    }
}

impl<P, Q, F> KpcaDenoiser<P, Q, F> {
    /// The kernel PCA model: eigenvalues, explained variance, space, and forms of `predict` and `transform`
    /// that return errors.
    pub fn model(&self) -> &KernelizedModel<Pca<F>, P> {
        self.subspace.model()
    }

    /// The subspace that the components span, in which scores are coordinates.
    pub fn subspace(&self) -> &PrincipalSubspace<P, F> {
        &self.subspace
    }

    /// The fitted pre-image method.
    pub fn pre_image_map(&self) -> &Q {
        &self.map
    }
}

impl<P, Q, F> KpcaDenoiser<P, Q, F>
where
    F: Scalar,
    P: KernelSpace<Samples = Rows<F>, Scalar = F>,
    Q: PreImageMap<PrincipalSubspace<P, F>>,
{
    /// Returns inputs with given scores, one row per sample, one column per component: shape (m, features).
    ///
    /// # Errors
    /// The errors of the scores as records, [`npt_core::Error::ColumnCount`] unless there is one score per
    /// component, and the errors of the pre-image method.
    pub fn inverse_transform<D: Data<Elem = F>>(
        &self,
        scores: &ArrayBase<D, Ix2>,
    ) -> Result<Array2<F>, Error> {
        self.map.pre_images(&self.subspace, scores.view())
    }

    /// Returns the records x without the part that the components do not explain: the pre-images of the projections,
    /// shape (m, features).
    ///
    /// # Errors
    /// The errors of [`inverse_transform`](Self::inverse_transform), and the errors of the records x.
    pub fn denoise(&self, x: &dyn AsSamples<Samples = Rows<F>>) -> Result<Array2<F>, Error> {
        npt_core::require_feature_names(self.model().feature_names(), x.feature_names())?;
        let x = x.as_samples()?;
        let scores = self.subspace.coordinates(x.as_ref())?;
        let (space, near) = (&self.subspace, x.view());
        self.map.pre_images_near(space, scores.view(), near)
    }
}

with_pre_image::forward!(KpcaDenoiser<P, Q, F>, KernelizedModel<Pca<F>, P>);
