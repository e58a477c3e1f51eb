//! A kernel method with a pre-image method.

use crate::{
    Error,
    error::require_no_weights,
    linear::{KMeansParams, PcaParams},
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
};
use ndarray::Array;
use npt_core::{
    AsSamples, Fitted, KernelMethod, KernelSpace, Kernelized, KernelizedError, LinearMethod,
    Samples, SpaceBuilder,
};

/// Kernel methods that can be fitted with pre-images: kernel PCA, whose model then is a
/// [`KpcaDenoiser`](super::KpcaDenoiser), and kernel k-means, whose model then is
/// [`Prototypes`](super::Prototypes).
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::Fit};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::{Kpca, pre_image::{FixedPoint, PreImageExt}};
///
/// // One component of two points: half its largest score is a quarter of the way from the middle.
/// let x = DatasetBase::from(array![[0.0], [1.0]]);
/// let model = Kpca::params(1, Gaussian::new(1e-4)).pre_image(FixedPoint::new()).fit(&x)?;
/// let largest: f64 = model.model().inner().eigenvalues()[0] / 2.0;
/// let z = model.inverse_transform(&array![[largest.sqrt() / 2.0]])?;
/// assert!(((z[[0, 0]] - 0.5).abs() - 0.25).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PreImageExt: Sized {
    /// Adds pre-images by `pre_image`, which is fitted to the same samples as the method.
    fn pre_image<Q>(self, pre_image: Q) -> WithPreImage<Self, Q> {
        WithPreImage {
            method: self,
            pre_image,
        }
    }
}

impl<B> PreImageExt for KernelMethod<PcaParams, B> {}
impl<B> PreImageExt for KernelMethod<KMeansParams, B> {}

/// A kernel method, and the pre-image method that is fitted with it. [`PreImageExt::pre_image`] makes
/// it. It is a linfa estimator, as the kernel method is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WithPreImage<M, Q> {
    method: M,
    pre_image: Q,
}

impl<M, Q> WithPreImage<M, Q> {
    /// The kernel method.
    pub fn inner(&self) -> &M {
        &self.method
    }

    /// The pre-image method.
    pub fn pre_image_method(&self) -> &Q {
        &self.pre_image
    }
}

/// Fits the method to the coordinates of a space. Returns the fitted method, and the space with the coordinates and residuals of
/// the training samples.
pub(super) fn fit<R, T, S, M, B>(
    method: &M,
    builder: &B,
    dataset: &DatasetBase<R, T>,
) -> Result<(M::Object, Fitted<B::Space>), KernelizedError<Error>>
where
    R: Records + AsSamples<Samples = S>,
    S: Samples,
    T: AsTargets,
    T::Elem: Clone + 'static,
    B: SpaceBuilder<S>,
    M: LinearMethod<<B::Space as KernelSpace>::Scalar, Array<T::Elem, T::Ix>, Error> + Clone,
{
    // Pre-images are learned from the samples, each once. The fit refuses another number of weights with an error of its own.
    if dataset.weights.len() == dataset.nsamples() {
        require_no_weights("fits with pre-images", dataset).map_err(KernelizedError::Method)?;
    }
    let model = Kernelized::new(method.clone(), KeepTraining(builder)).fit(dataset)?;
    Ok(model.into_parts())
}

/// Fits a space that keeps, as a [`Fitted`] does, the coordinates and residuals of the training samples.
struct KeepTraining<'b, B>(&'b B);

impl<S: Samples, B: SpaceBuilder<S>> SpaceBuilder<S> for KeepTraining<'_, B> {
    type Space = Fitted<B::Space>;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = S>,
    ) -> Result<Fitted<Self::Space>, npt_core::Error> {
        let fitted = self.0.fit_space(records)?;
        let coordinates = fitted.training_coordinates().to_owned();
        let residuals = fitted.training_residuals().to_owned();
        Ok(Fitted::new(fitted, coordinates, residuals))
    }
}

/// Converts an error of the pre-image method into an error of the whole fit.
pub(super) fn error(error: Error) -> KernelizedError<Error> {
    match error {
        Error::Core(error) => KernelizedError::Space(error),
        other => KernelizedError::Method(other),
    }
}

/// Implements `predict` and `transform` of a model by those of the kernel model inside.
macro_rules! forward {
    ($model:ident<$($generic:ident),*>, $inner:ty) => {
        impl<R: Records, T, $($generic),*> PredictInplace<R, T> for $model<$($generic),*>
        where
            $inner: PredictInplace<R, T>,
        {
            fn predict_inplace<'a>(&'a self, x: &'a R, y: &mut T) {
                self.model().predict_inplace(x, y);
            }

            fn default_target(&self, x: &R) -> T {
                self.model().default_target(x)
            }
        }

        impl<X, T, $($generic),*> Predict<&Rows<X>, T> for $model<$($generic),*>
        where
            Rows<X>: Records,
            Self: PredictInplace<Rows<X>, T>,
        {
            fn predict(&self, x: &Rows<X>) -> T {
                let mut targets = self.default_target(x);
                self.predict_inplace(x, &mut targets);
                targets
            }
        }

        npt_core::predict_by_names!([$($generic),*] $model<$($generic),*>);

        impl<$($generic),*> npt_core::FeatureNames for $model<$($generic),*> {
            fn feature_names(&self) -> &[String] {
                self.model().feature_names()
            }
        }

        impl<R: Records, T, $($generic),*> Transformer<R, T> for $model<$($generic),*>
        where
            $inner: Transformer<R, T>,
        {
            fn transform(&self, x: R) -> T {
                self.model().transform(x)
            }
        }
    };
}
pub(super) use forward;
