//! The fitted Gaussian process.

use super::{
    LeaveOneOut, OptimizerRun,
    process::{Given, Process, ProcessRoad, SpaceProcess},
};
use crate::model_selection::{ByCoordinates, ByKernelValues};
use linfa::{dataset::Records, traits::PredictInplace};
use ndarray::Array1;
use npt_core::{
    AsSamples, Error, Expansion, ExpansionSpace, KernelSpace, Scalar, require_feature_names,
};
use std::{fmt, sync::OnceLock};

/// A fitted [`GaussianProcess`](super::GaussianProcess): the process given its targets. Its mean is an expansion in kernel values or, fitted
/// [`by_coordinates`](super::GaussianProcessParams::by_coordinates), a linear function of the coordinates of a space of any kind.
///
/// # Panics
/// linfa's `predict` has no error to return: it panics where the records are empty, not finite, or
/// of another width than at fit. [`try_predict`](Self::try_predict) and
/// [`predict_with_variance`](Self::predict_with_variance) return these errors.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "W::Given: serde::Serialize, P::Scalar: serde::Serialize",))
)]
pub struct GaussianProcessModel<P: KernelSpace, W: ProcessRoad<P> = ByKernelValues> {
    process: W::Given,
    evidence: Evidence<P::Scalar>,
    #[cfg_attr(feature = "serde", serde(with = "npt_core::serial::once"))]
    leave_one_out: OnceLock<LeaveOneOut<P::Scalar>>,
    runs: Vec<OptimizerRun>,
    feature_names: Vec<String>,
}

/// The prior mean and the noise of a process, with the likelihoods of the targets.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Evidence<F> {
    /// The mean m of the process before the targets were known.
    pub(super) mean: F,
    /// The variance σ² of the noise.
    pub(super) noise: f64,
    /// One likelihood per variance of the noise; the largest is at `best`.
    pub(super) log_marginal_likelihoods: Vec<F>,
    pub(super) best: usize,
}

impl<P: KernelSpace, W: ProcessRoad<P>> GaussianProcessModel<P, W> {
    pub(super) fn new(process: W::Given, evidence: Evidence<P::Scalar>) -> Self {
        Self {
            process,
            evidence,
            leave_one_out: OnceLock::new(),
            runs: Vec::new(),
            feature_names: Vec::new(),
        }
    }

    pub(super) fn with_runs(self, runs: Vec<OptimizerRun>) -> Self {
        Self { runs, ..self }
    }

    pub(super) fn with_feature_names(self, feature_names: Vec<String>) -> Self {
        Self {
            feature_names,
            ..self
        }
    }

    /// The names of the features that the model takes, in their order; empty if it was fitted to features without names.
    pub fn feature_names(&self) -> &[String] {
        &self.feature_names
    }

    /// The searches for parameters; the first begins at the given parameters. Empty if there was no search
    /// ([`GaussianProcess::optimized`](super::GaussianProcess::optimized)).
    pub fn runs(&self) -> &[OptimizerRun] {
        &self.runs
    }

    /// The mean m of the process before the targets were known.
    pub fn prior_mean(&self) -> P::Scalar {
        self.evidence.mean
    }

    /// The variance σ² of the noise: the given one, the best of several, or the one that a search found.
    pub fn noise(&self) -> f64 {
        self.evidence.noise
    }

    /// The log marginal likelihood of the targets, for the noise that was taken.
    pub fn log_marginal_likelihood(&self) -> P::Scalar {
        self.evidence.log_marginal_likelihoods[self.evidence.best]
    }

    /// The log marginal likelihoods of the targets for each noise that was given, in that order.
    pub fn log_marginal_likelihoods(&self) -> &[P::Scalar] {
        &self.evidence.log_marginal_likelihoods
    }

    /// The predictions of each training target from all other targets, computed at the first call.
    pub fn leave_one_out(&self) -> &LeaveOneOut<P::Scalar> {
        if let Some(known) = self.leave_one_out.get() {
            return known;
        }
        // Computed before the lock is taken: a thread that waits for the lock may be one that the computation is divided among.
        let computed = self.process.leave_one_out(self.evidence.mean);
        self.leave_one_out.get_or_init(|| computed)
    }

    /// The means of f + m at new records.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`], or [`KernelSpace::coordinates`].
    pub fn try_predict<R>(&self, x: &R) -> Result<Array1<P::Scalar>, Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        require_feature_names(&self.feature_names, x.feature_names())?;
        self.process.means(x, self.evidence.mean)
    }

    /// The means and the variances of f + m at new records, without covariances between records. Add
    /// [`noise`](Self::noise) for the variance of an observation.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`], or [`KernelSpace::coordinates_and_residuals`].
    pub fn predict_with_variance<R>(
        &self,
        x: &R,
    ) -> Result<(Array1<P::Scalar>, Array1<P::Scalar>), Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        require_feature_names(&self.feature_names, x.feature_names())?;
        let Evidence { mean, noise, .. } = self.evidence;
        self.process.means_and_variances(x, mean, noise)
    }
}

impl<P: ExpansionSpace> GaussianProcessModel<P> {
    /// The kernel, with the parameters that were given or found.
    pub fn kernel(&self) -> &P::Kernel {
        self.expansion().kernel()
    }

    /// The fitted kernel space; `None` if the process is conditioned on kernel values as they are,
    /// without coordinates.
    pub fn space(&self) -> Option<&P> {
        match &self.process {
            Process::Products { .. } => None,
            Process::Coordinates { space, .. } => Some(space),
        }
    }

    /// The mean of f + m, written as an expansion Σ αᵢκ(xᵢ, ·) + b.
    pub fn expansion(&self) -> &Expansion<P::Samples, P::Kernel, P::Scalar> {
        self.process.expansion()
    }
}

impl<P: KernelSpace> GaussianProcessModel<P, ByCoordinates> {
    /// The fitted kernel space.
    pub fn space(&self) -> &P {
        let SpaceProcess { space, .. } = &self.process;
        space
    }
}

predict_row!(
    [F: Scalar, P: KernelSpace<Samples = npt_core::Rows<F>, Scalar = F>, W: ProcessRoad<P>] GaussianProcessModel<P, W>, F, F,
    "The mean of f + m at one new vector."
);

impl<P: KernelSpace, W: ProcessRoad<P>> Clone for GaussianProcessModel<P, W>
where
    W::Given: Clone,
{
    fn clone(&self) -> Self {
        Self {
            process: self.process.clone(),
            evidence: self.evidence.clone(),
            leave_one_out: self.leave_one_out.clone(),
            runs: self.runs.clone(),
            feature_names: self.feature_names.clone(),
        }
    }
}

/// Shows the evidence only; neither spaces nor samples need be `Debug`.
impl<P: KernelSpace, W: ProcessRoad<P>> fmt::Debug for GaussianProcessModel<P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GaussianProcessModel")
            .field("evidence", &self.evidence)
            .finish_non_exhaustive()
    }
}

predict_referenced!([P: KernelSpace, W: ProcessRoad<P>] GaussianProcessModel<P, W>, Array1<P::Scalar>);
npt_core::predict_by_names!([P: KernelSpace, W: ProcessRoad<P>] GaussianProcessModel<P, W>);

impl<P: KernelSpace, W: ProcessRoad<P>> npt_core::FeatureNames for GaussianProcessModel<P, W> {
    fn feature_names(&self) -> &[String] {
        &self.feature_names
    }
}

/// Predicts the means of f + m.
impl<R, P, W> PredictInplace<R, Array1<P::Scalar>> for GaussianProcessModel<P, W>
where
    R: Records + AsSamples<Samples = P::Samples>,
    P: KernelSpace,
    W: ProcessRoad<P>,
{
    fn predict_inplace<'a>(&'a self, x: &'a R, y: &mut Array1<P::Scalar>) {
        let means = self
            .try_predict(x)
            .unwrap_or_else(|error| panic!("{error}"));
        y.assign(&means);
    }

    fn default_target(&self, x: &R) -> Array1<P::Scalar> {
        Array1::from_elem(x.nsamples(), self.evidence.mean)
    }
}

npt_core::checked! {
    #[serde(bound(deserialize = ""))]
    GaussianProcessModel<P, W> {
        process: W::Given,
        evidence: Evidence<P::Scalar>,
        #[serde(with = "npt_core::serial::once")]
        leave_one_out: OnceLock<LeaveOneOut<P::Scalar>>,
        runs: Vec<OptimizerRun>,
        feature_names: Vec<String>,
    }
    where
        P: KernelSpace,
        P::Scalar: serde::de::DeserializeOwned,
        W: ProcessRoad<P>,
        W::Given: serde::de::DeserializeOwned
}

npt_core::checked! {
    Evidence<F> { mean: F, noise: f64, log_marginal_likelihoods: Vec<F>, best: usize }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<P: KernelSpace, W: ProcessRoad<P>> GaussianProcessModel<P, W> {
    fn check_parts(&self) -> Result<(), String> {
        self.process.check_parts()
    }
}

#[cfg(feature = "serde")]
impl<F: Scalar> Evidence<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{finite, not_negative, place};
        let likelihoods = &self.log_marginal_likelihoods;
        place("best noise", self.best, likelihoods.len())?;
        not_negative("the noise", self.noise)?;
        let numbers = likelihoods.iter().chain([&self.mean]);
        finite("the mean and the likelihoods", numbers)
    }
}
