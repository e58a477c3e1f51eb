//! Gaussian processes by coordinates, in spaces of any kind.

use super::{
    Evidence, GaussianProcessParams, LeaveOneOut, centered, log_marginal_likelihood, of_targets,
};
use crate::{
    Error,
    error::{require_finite, require_no_weights},
    linear::RidgeSolver,
    targets::checked_targets,
};
use linfa::{
    DatasetBase,
    dataset::{AsSingleTargets, Records},
    traits::{Fit, PredictInplace},
};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use npt_core::{
    AsSamples, KernelSpace, KernelizedError, Scalar, SpaceBuilder, linalg, require_feature_names,
};
use std::fmt;

/// What targets say of the weights w of coordinates y.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct CoordinateWeights<F> {
    /// The mean of w, shape (r, 1).
    pub(super) mean: Array2<F>,
    /// L, with the covariance σ²(YᵀY + σ²I)⁻¹ = σ²(LLᵀ)⁻¹.
    pub(super) lower: Array2<F>,
    pub(super) leave_one_out: LeaveOneOut<F>,
}

impl<B> GaussianProcessParams<B> {
    /// The process by coordinates: its model keeps the space, and predicts through it. So it stands on random features, and
    /// on any other space whose coordinates are no sums of kernel values.
    ///
    /// Its covariance is that of the coordinates: of a space that is centred, which others than the default one are unless they are
    /// told otherwise, that of the centred kernel. An exact space leaves out axes that are rounding, of which a process on kernel values with very
    /// little noise still knows something.
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
    pub fn by_coordinates(self) -> GaussianProcessByCoordinatesParams<B> {
        GaussianProcessByCoordinatesParams { process: self }
    }

    /// By the distribution of the weights of coordinates, for targets less their mean m.
    pub(super) fn weights_of<F: Scalar>(
        &self,
        y: ArrayView2<'_, F>,
        (targets, mean): (Array2<F>, F),
    ) -> Result<(CoordinateWeights<F>, Evidence<F>), Error> {
        let solver = RidgeSolver::new(y, false, "GaussianProcess", "noise")?;
        let projected = solver.project(targets.view());
        let mut log_marginal_likelihoods = Vec::with_capacity(self.noise.len());
        for &noise in &self.noise {
            solver.check_gram(noise)?;
            log_marginal_likelihoods.push(log_marginal_likelihood(&solver, &projected, noise));
        }
        let mut best = 0;
        for (i, likelihood) in log_marginal_likelihoods.iter().enumerate() {
            if *likelihood > log_marginal_likelihoods[best] {
                best = i;
            }
        }
        let noise = self.noise[best];
        // The covariance of w takes more where there are more coordinates than samples.
        solver.check_scatter(noise)?;
        let weights = solver.weights(&projected, F::cast(noise));
        let numbers = log_marginal_likelihoods.iter().chain(&weights);
        require_finite("GaussianProcess", numbers)?;
        let mut scatter = linalg::symmetric_rank_k(y);
        scatter.diag_mut().mapv_inplace(|v| v + F::cast(noise));
        let weights = CoordinateWeights {
            mean: weights,
            lower: linalg::cholesky(&scatter)?,
            leave_one_out: LeaveOneOut::of_solver(&solver, &projected, mean, noise)?,
        };
        let evidence = Evidence {
            mean,
            noise,
            log_marginal_likelihoods,
            best,
        };
        Ok((weights, evidence))
    }
}

/// Parameters of a [`GaussianProcess`](super::GaussianProcess) by coordinates.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GaussianProcessByCoordinatesParams<B> {
    process: GaussianProcessParams<B>,
}

impl<R, T, B> Fit<R, T, KernelizedError<Error>> for GaussianProcessByCoordinatesParams<B>
where
    R: Records + AsSamples,
    B: SpaceBuilder<R::Samples>,
    T: AsSingleTargets<Elem = <B::Space as KernelSpace>::Scalar>,
{
    type Object = GaussianProcessByCoordinatesModel<B::Space>;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<Error>> {
        let process = &self.process;
        process.validate().map_err(KernelizedError::Method)?;
        require_no_weights("fits of GaussianProcess", dataset).map_err(KernelizedError::Method)?;
        let (samples, targets) = (dataset.nsamples(), dataset.as_single_targets().len());
        if samples != targets {
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        let fitted = process.builder.fit_space(dataset.records())?;
        let (space, coordinates, _) = fitted.into_parts();
        let targets = checked_targets(dataset.targets()).map_err(of_targets)?;
        let targets = centered(targets, process.mean_of_targets);
        let found = process.weights_of(coordinates.view(), targets);
        let (weights, evidence) = found.map_err(KernelizedError::Method)?;
        Ok(GaussianProcessByCoordinatesModel {
            space,
            weights,
            evidence,
            feature_names: dataset.feature_names().to_vec(),
        })
    }
}

/// A Gaussian process given its targets, by the coordinates of a space of any kind:
/// [`GaussianProcessParams::by_coordinates`] fitted.
///
/// # Panics
/// linfa's `predict` has no error to return: it panics where the records are empty, not finite, or
/// of another width than at fit. [`try_predict`](Self::try_predict) and
/// [`predict_with_variance`](Self::predict_with_variance) return these errors.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "P: serde::Serialize, P::Scalar: serde::Serialize"))
)]
pub struct GaussianProcessByCoordinatesModel<P: KernelSpace> {
    space: P,
    weights: CoordinateWeights<P::Scalar>,
    evidence: Evidence<P::Scalar>,
    feature_names: Vec<String>,
}

impl<P: KernelSpace> GaussianProcessByCoordinatesModel<P> {
    /// The names of the features that the model takes, in their order; empty if it was fitted to features without names.
    pub fn feature_names(&self) -> &[String] {
        &self.feature_names
    }

    /// The fitted kernel space.
    pub fn space(&self) -> &P {
        &self.space
    }

    /// The mean m of the process before the targets were known.
    pub fn prior_mean(&self) -> P::Scalar {
        self.evidence.mean
    }

    /// The variance σ² of the noise: the given one, or the best of several.
    pub fn noise(&self) -> f64 {
        self.evidence.noise
    }

    /// The log marginal likelihood of the targets, for the noise taken.
    pub fn log_marginal_likelihood(&self) -> P::Scalar {
        self.evidence.log_marginal_likelihoods[self.evidence.best]
    }

    /// The log marginal likelihoods of the targets for each noise that was given, in that order.
    pub fn log_marginal_likelihoods(&self) -> &[P::Scalar] {
        &self.evidence.log_marginal_likelihoods
    }

    /// Each training target as the others predict it.
    pub fn leave_one_out(&self) -> &LeaveOneOut<P::Scalar> {
        &self.weights.leave_one_out
    }

    /// The means of f + m at new records.
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates`].
    pub fn try_predict<R>(&self, x: &R) -> Result<Array1<P::Scalar>, npt_core::Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        require_feature_names(&self.feature_names, x.feature_names())?;
        Ok(self.means(self.space.coordinates(x)?.view()))
    }

    /// The means and the variances of f + m at new records, each by itself. Add
    /// [`noise`](Self::noise) for the variance of an observation.
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates_and_residuals`].
    pub fn predict_with_variance<R>(
        &self,
        x: &R,
    ) -> Result<(Array1<P::Scalar>, Array1<P::Scalar>), npt_core::Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        require_feature_names(&self.feature_names, x.feature_names())?;
        let (y, residuals) = self.space.coordinates_and_residuals(x)?;
        let variances = variances(y.view(), residuals, &self.weights.lower, self.noise());
        Ok((self.means(y.view()), variances))
    }

    fn means(&self, y: ArrayView2<'_, P::Scalar>) -> Array1<P::Scalar> {
        let means = linalg::product(y, self.weights.mean.view());
        means.remove_axis(Axis(1)) + self.evidence.mean
    }
}

/// σ²y(x)ᵀ(YᵀY + σ²I)⁻¹y(x) and the residual, with LLᵀ = YᵀY + σ²I.
pub(super) fn variances<F: Scalar>(
    y: ArrayView2<'_, F>,
    mut residuals: Array1<F>,
    lower: &Array2<F>,
    noise: f64,
) -> Array1<F> {
    let half = linalg::solve_lower(lower.view(), y.t());
    for (variance, column) in residuals.iter_mut().zip(half.axis_iter(Axis(1))) {
        *variance += F::cast(noise) * column.dot(&column);
    }
    residuals
}

predict_row!(
    [F: Scalar, P: KernelSpace<Samples = npt_core::Rows<F>, Scalar = F>] GaussianProcessByCoordinatesModel<P>, F, F,
    "The mean of f + m at one new vector."
);

impl<P: KernelSpace + Clone> Clone for GaussianProcessByCoordinatesModel<P> {
    fn clone(&self) -> Self {
        Self {
            space: self.space.clone(),
            weights: self.weights.clone(),
            evidence: self.evidence.clone(),
            feature_names: self.feature_names.clone(),
        }
    }
}

predicts_means!(KernelSpace, GaussianProcessByCoordinatesModel);

npt_core::checked! {
    CoordinateWeights<F> { mean: Array2<F>, lower: Array2<F>, leave_one_out: LeaveOneOut<F> }
    where F: Scalar
}

npt_core::checked! {
    #[serde(bound(deserialize = "P: serde::Deserialize<'de>"))]
    GaussianProcessByCoordinatesModel<P> {
        space: P,
        weights: CoordinateWeights<P::Scalar>,
        evidence: Evidence<P::Scalar>,
        #[serde(default)]
        feature_names: Vec<String>,
    }
    where P: KernelSpace, P::Scalar: serde::de::DeserializeOwned
}

#[cfg(feature = "serde")]
impl<F: Scalar> CoordinateWeights<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite};
        agree("columns of weights", self.mean.ncols(), "process", 1)?;
        finite("the weights", &self.mean)?;
        super::model::check_factor(&self.lower, "weights", self.mean.nrows())
    }
}

#[cfg(feature = "serde")]
impl<P: KernelSpace> GaussianProcessByCoordinatesModel<P> {
    fn check_parts(&self) -> Result<(), String> {
        let weights = self.weights.mean.nrows();
        npt_core::serial::agree("weights", weights, "axes", self.space.rank())
    }
}
