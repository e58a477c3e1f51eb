//! Parameters of a Gaussian process, and the road that it takes.

use super::GaussianProcessModel;
use crate::{
    Error,
    error::{require, require_no_weights, require_not_negative},
    model_selection::{ByCoordinates, ByKernelValues},
    targets::checked_targets,
};
use linfa::{
    DatasetBase,
    dataset::{AsSingleTargets, Records},
    traits::Fit,
};
use ndarray::Array2;
use npt_core::{
    AsSamples, ExpansionSpace, InnerProducts, KernelSpace, KernelizedError, Scalar, SpaceBuilder,
    TrainingSamples, catalogue::Range,
};

/// Parameters of [`GaussianProcess`](super::GaussianProcess), and of its space; `W` is the road that it takes.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GaussianProcessParams<B, W = ByKernelValues> {
    pub(super) noise: Vec<f64>,
    pub(super) mean_of_targets: bool,
    builder: B,
    road: W,
}

npt_core::parameters_by_name! {
    impl[B, W] Parameters for GaussianProcessParams<B, W>, "GaussianProcess"; {
        default {
            noise: Vec<f64> = vec![1.0], Range::NotNegatives, "The variance σ² of the noise, in units of the squared targets; of several the one with the largest marginal likelihood.";
            mean_of_targets: bool = false, Range::Boolean, "Whether m is the mean of the targets, and not 0.";
        }
    }
}

impl<B, W> GaussianProcessParams<B, W> {
    pub(super) fn new(builder: B, road: W) -> Self {
        Self {
            noise: vec![1.0],
            mean_of_targets: false,
            builder,
            road,
        }
    }

    /// The variance σ² ≥ 0 of the noise, 1 by default, in units of the squared targets.
    pub fn noise(self, noise: f64) -> Self {
        self.noises(&[noise])
    }

    /// Several variances of the noise; the fit takes the one with the largest marginal likelihood.
    pub fn noises(mut self, noises: &[f64]) -> Self {
        self.noise = noises.to_vec();
        self
    }

    /// Sets m to the mean of the targets if true, and to 0 if false, the default. The mean is then taken for
    /// known: the variance does not include its uncertainty.
    pub fn mean_of_targets(mut self, mean_of_targets: bool) -> Self {
        self.mean_of_targets = mean_of_targets;
        self
    }

    /// The builder of the kernel space.
    pub fn builder(&self) -> &B {
        &self.builder
    }

    /// Changes the builder of the kernel space, or takes another.
    pub fn space<Other>(self, change: impl FnOnce(B) -> Other) -> GaussianProcessParams<Other, W> {
        GaussianProcessParams {
            noise: self.noise,
            mean_of_targets: self.mean_of_targets,
            builder: change(self.builder),
            road: self.road,
        }
    }

    /// Refuses parameters outside their ranges, datasets with weights, and a number of targets that is not the number of samples.
    fn check<R, T>(&self, dataset: &DatasetBase<R, T>) -> Result<(), KernelizedError<Error>>
    where
        R: Records,
        T: AsSingleTargets,
    {
        self.validate().map_err(KernelizedError::Method)?;
        require_no_weights("fits of GaussianProcess", dataset).map_err(KernelizedError::Method)?;
        let samples = dataset.nsamples();
        let targets = dataset.as_single_targets().len();
        if samples == targets {
            return Ok(());
        }
        Err(npt_core::Error::TargetCount { samples, targets }.into())
    }

    fn validate(&self) -> Result<(), Error> {
        let some = !self.noise.is_empty();
        require(
            some,
            "GaussianProcess",
            "number of noises",
            0.0,
            "at least 1",
        )?;
        let mut noises = self.noise.iter();
        noises.try_for_each(|&noise| require_not_negative("GaussianProcess", "noise", noise))
    }
}

impl<B> GaussianProcessParams<B> {
    /// Fits the process by coordinates: its model keeps the space, and predicts through it. This works with random features, and
    /// with any other space whose coordinates are not sums of kernel values.
    ///
    /// The covariance is that of the coordinates. In a centred space it is the centred kernel; builders other than the default one
    /// make centred spaces unless they are told otherwise. An exact space leaves out axes at rounding level, of which a process on kernel values
    /// with very little noise still knows something.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Fit};
    /// use ndarray::{Array1, Array2, Axis};
    /// use npt_core::{Gaussian, RandomFourier};
    /// use npt_methods::GaussianProcess;
    ///
    /// let x = Array2::from_shape_fn((2000, 1), |(i, _)| (i as f64 * 0.618).fract() * 6.0);
    /// let waves: Array1<f64> = x.column(0).mapv(f64::sin);
    /// let kernel = Gaussian::new(0.5);
    /// let model = GaussianProcess::params(kernel)
    ///     .noise(1e-4)
    ///     .space(|_| RandomFourier::new(kernel, 50).centered(false))
    ///     .by_coordinates()
    ///     .fit(&Dataset::new(x, waves))?;
    ///
    /// let (mean, variance) = model.predict_with_variance(&ndarray::array![[1.0]])?;
    /// assert!((mean[0] - 1.0_f64.sin()).abs() < 1e-3 && variance[0] < 1e-3);
    /// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
    /// ```
    pub fn by_coordinates(self) -> GaussianProcessParams<B, ByCoordinates> {
        GaussianProcessParams {
            noise: self.noise,
            mean_of_targets: self.mean_of_targets,
            builder: self.builder,
            road: ByCoordinates,
        }
    }

    /// Fits by kernel values, where the builder takes them as they are and they are regular, else by coordinates.
    fn given_targets<R, T>(
        &self,
        dataset: &DatasetBase<R, T>,
    ) -> Result<GaussianProcessModel<B::Space>, KernelizedError<Error>>
    where
        R: Records + AsSamples,
        B: SpaceBuilder<R::Samples>,
        B::Space: ExpansionSpace,
        T: AsSingleTargets<Elem = <B::Space as KernelSpace>::Scalar>,
    {
        self.check(dataset)?;
        let x = dataset.records().as_samples()?;
        let x = TrainingSamples::new(&self.builder, x.as_ref());
        let products = x.inner_products(true)?;
        let products = products.filter(|products| !products.is_centered());
        let targets = checked_targets(dataset.targets()).map_err(of_targets);
        if let Some(products) = &products
            && products.coordinates().is_none()
        {
            match self.of_products(products, x.samples(), targets.clone()?) {
                Ok(Some(model)) => return Ok(model),
                // Coordinates of low rank take less memory.
                Err(Error::Core(npt_core::Error::Memory { .. }))
                    if products.approximate_coordinates().is_some() => {}
                Ok(None) => {}
                Err(error) => return Err(KernelizedError::Method(error)),
            }
        }
        let (space, coordinates, _) = x.fit_space()?.into_parts();
        let targets = targets?;
        let by_coordinates = self.of_coordinates(space, coordinates.view(), targets.clone());
        // The equations of coordinates are singular before those of kernel values are.
        if let (Some(products), Err(Error::Singular { .. })) = (&products, &by_coordinates)
            && products.coordinates().is_some()
            && let Ok(Some(model)) = self.of_products(products, x.samples(), targets)
        {
            return Ok(model);
        }
        by_coordinates.map_err(KernelizedError::Method)
    }
}

impl<R, T, B> Fit<R, T, KernelizedError<Error>> for GaussianProcessParams<B>
where
    R: Records + AsSamples,
    B: SpaceBuilder<R::Samples>,
    B::Space: ExpansionSpace,
    T: AsSingleTargets<Elem = <B::Space as KernelSpace>::Scalar>,
{
    type Object = GaussianProcessModel<B::Space>;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<Error>> {
        let model = self.given_targets(dataset)?;
        Ok(model.with_feature_names(dataset.feature_names().to_vec()))
    }
}

impl<R, T, B> Fit<R, T, KernelizedError<Error>> for GaussianProcessParams<B, ByCoordinates>
where
    R: Records + AsSamples,
    B: SpaceBuilder<R::Samples>,
    T: AsSingleTargets<Elem = <B::Space as KernelSpace>::Scalar>,
{
    type Object = GaussianProcessModel<B::Space, ByCoordinates>;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<Error>> {
        self.check(dataset)?;
        let (space, coordinates, _) = self.builder.fit_space(dataset.records())?.into_parts();
        let targets = checked_targets(dataset.targets()).map_err(of_targets)?;
        let model = self.of_space(space, coordinates.view(), targets);
        let model = model.map_err(KernelizedError::Method)?;
        Ok(model.with_feature_names(dataset.feature_names().to_vec()))
    }
}

/// Converts an error of the targets as the adapter does: an error of the dataset is not an error of the method.
pub(super) fn of_targets(error: Error) -> KernelizedError<Error> {
    match error {
        Error::Core(error) => KernelizedError::Space(error),
        error => KernelizedError::Method(error),
    }
}

/// Returns the targets less m, and m, which is their mean or 0.
pub(super) fn centered<F: Scalar>(mut targets: Array2<F>, by_mean: bool) -> (Array2<F>, F) {
    let mut mean = F::zero();
    if by_mean {
        mean = targets.mean().expect("there are targets");
        targets -= mean;
    }
    (targets, mean)
}
