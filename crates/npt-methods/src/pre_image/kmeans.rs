//! Kernel k-means whose centroids are inputs.

use super::{PreImage, PreImageMap, Training, WithPreImage, with_pre_image};
use crate::{
    Error,
    linear::{KMeans, KMeansParams},
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::{Fit, Predict, PredictInplace, Transformer},
};
use ndarray::{Array2, ArrayView2};
use npt_core::{
    AsSamples, KernelMethod, KernelSpace, KernelizedError, KernelizedModel, Rows, Scalar,
    SpaceBuilder,
};

/// Fitted kernel k-means of vectors, with the prototypes of its clusters: the centroids as inputs,
/// which kernel k-means by itself does not have. [`KernelKMeans`](crate::KernelKMeans) with
/// a [`pre_image`](super::PreImageExt::pre_image) fits this model. It `predict`s and `transform`s as kernel k-means
/// by coordinates does, to squared distances inside the space, and quantises vectors: a sample is coded
/// by its cluster, and decoded by the cluster's prototype.
///
/// The type of a field is `Prototypes<ExactSpace<Rows<f64>, Gaussian<f64>>>`. Prototypes are found at fit; nothing of
/// the pre-image method is kept.
///
/// # Definition
/// The prototype of a cluster c is the pre-image of its centroid 1/|c| Σ_{i∈c} φ(xᵢ).
///
/// # Panics
/// `predict` and `transform` panic where the records are at fault, as those of [`KernelizedModel`] do.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::{KernelKMeans, pre_image::{FixedPoint, PreImageExt}};
///
/// let x = DatasetBase::from(array![[0.0], [0.2], [7.0], [7.2]]);
/// let means = KernelKMeans::params(2, Gaussian::new(0.1)).pre_image(FixedPoint::new());
/// let model = means.fit(&x)?;
/// let codes = model.predict(&x);
/// assert!((model.prototypes()[[codes[0], 0]] - 0.1_f64).abs() < 1e-7);
/// assert!((model.prototypes()[[codes[2], 0]] - 7.1_f64).abs() < 1e-7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Prototypes<P, F = f64> {
    model: KernelizedModel<KMeans<F>, P>,
    prototypes: Array2<F>,
}

/// # Errors
/// The errors of kernel k-means without pre-images, the errors of the pre-image method at its fit, and
/// [`Error::NoPreImage`] with the number of the cluster for a centroid without prototype.
impl<R, T, F, B, Q> Fit<R, T, KernelizedError<Error>>
    for WithPreImage<KernelMethod<KMeansParams, B>, Q>
where
    R: Records + AsSamples<Samples = Rows<F>>,
    T: AsTargets,
    T::Elem: Clone + 'static,
    F: Scalar,
    B: SpaceBuilder<Rows<F>>,
    B::Space: KernelSpace<Samples = Rows<F>, Scalar = F>,
    Q: PreImage<B::Space>,
{
    type Object = Prototypes<B::Space, F>;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<Error>> {
        let means = self.inner();
        let (means, fitted) = with_pre_image::fit(means.inner(), means.builder(), dataset)?;
        let find = || {
            let map = self
                .pre_image_method()
                .fit(&Training::new(&fitted, dataset.records())?)?;
            map.pre_images(fitted.space(), means.centroids())
        };
        let prototypes = find().map_err(with_pre_image::error)?;
        let model = KernelizedModel::new(means, fitted.into_parts().0)
            .with_feature_names(dataset.feature_names().to_vec());
        Ok(Prototypes { model, prototypes })
    }
}

impl<P, F> Prototypes<P, F> {
    /// The kernel k-means model: centroids, inertia, space, and forms of `predict` and `transform` that
    /// return errors.
    pub fn model(&self) -> &KernelizedModel<KMeans<F>, P> {
        &self.model
    }

    /// The prototypes, one row per cluster, shape (clusters, features).
    pub fn prototypes(&self) -> ArrayView2<'_, F> {
        self.prototypes.view()
    }
}

with_pre_image::forward!(Prototypes<P, F>, KernelizedModel<KMeans<F>, P>);

npt_core::checked! {
    Prototypes<P, F> { model: KernelizedModel<KMeans<F>, P>, prototypes: Array2<F> }
    where F: Scalar, P: KernelSpace
}

#[cfg(feature = "serde")]
impl<F: Scalar, P: KernelSpace> Prototypes<P, F> {
    fn check_parts(&self) -> Result<(), String> {
        let (rows, clusters) = (
            self.prototypes.nrows(),
            self.model.inner().centroids().nrows(),
        );
        npt_core::serial::agree("prototypes", rows, "clusters", clusters)?;
        npt_core::serial::finite("the prototypes", &self.prototypes)
    }
}
