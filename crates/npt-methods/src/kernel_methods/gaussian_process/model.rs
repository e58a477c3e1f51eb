//! The fitted process.

use super::{OptimizerRun, TAU, by_coordinates::variances};
use linfa::{Float as _, dataset::Records, traits::PredictInplace};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use npt_core::{
    AsSamples, Error, Expansion, Foldable, Kernel, Samples, Scalar, linalg, require_feature_names,
    watch::Progress,
};
use num_traits::Float as _;
use std::{
    fmt,
    sync::{Arc, OnceLock},
};

/// A Gaussian process given its targets: [`GaussianProcess`](super::GaussianProcess) fitted.
///
/// # Panics
/// linfa's `predict` has no error to return: it panics where the records are empty, not finite, or
/// of another width than at fit. [`try_predict`](Self::try_predict) and
/// [`predict_with_variance`](Self::predict_with_variance) return these errors.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(
        serialize = "P: serde::Serialize, P::Scalar: serde::Serialize, P::Samples: serde::Serialize, P::Kernel: serde::Serialize",
    ))
)]
pub struct GaussianProcessModel<P: Foldable> {
    process: Process<P>,
    evidence: Evidence<P::Scalar>,
    #[cfg_attr(feature = "serde", serde(with = "npt_core::serial::once"))]
    leave_one_out: OnceLock<LeaveOneOut<P::Scalar>>,
    runs: Vec<OptimizerRun>,
    feature_names: Vec<String>,
}

/// The process given its targets, by either road.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "P: serde::Serialize, P::Scalar: serde::Serialize, P::Samples: serde::Serialize, P::Kernel: serde::Serialize",
        deserialize = "P: serde::Deserialize<'de>, P::Scalar: serde::Deserialize<'de>, P::Samples: serde::Deserialize<'de>, P::Kernel: serde::Deserialize<'de>"
    ))
)]
pub(super) enum Process<P: Foldable> {
    /// K + σ²I = LLᵀ.
    Products {
        kernel: Arc<P::Kernel>,
        samples: P::Samples,
        expansion: Expansion<P::Samples, P::Kernel, P::Scalar>,
        /// α = (K + σ²I)⁻¹(t − m)
        residuals: Array1<P::Scalar>,
        /// t − m
        targets: Array1<P::Scalar>,
        lower: Array2<P::Scalar>,
    },
    /// Weights w of coordinates, of covariance σ²(YᵀY + σ²I)⁻¹, YᵀY + σ²I = LLᵀ.
    Coordinates {
        space: P,
        expansion: Expansion<P::Samples, P::Kernel, P::Scalar>,
        lower: Array2<P::Scalar>,
        leave_one_out: LeaveOneOut<P::Scalar>,
    },
}

/// What the targets say of the noise.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Evidence<F> {
    /// m
    pub(super) mean: F,
    /// σ²
    pub(super) noise: f64,
    /// One a variance of the noise, the largest at `best`.
    pub(super) log_marginal_likelihoods: Vec<F>,
    pub(super) best: usize,
}

/// Each target predicted from all others, noise included.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LeaveOneOut<F> {
    pub(super) means: Array1<F>,
    pub(super) variances: Array1<F>,
    /// Targets less means, of which rounding may leave nothing in their difference.
    pub(super) residuals: Array1<F>,
}

impl<F: Scalar> LeaveOneOut<F> {
    /// The means tᵢ − [C⁻¹(t − m)]ᵢ/[C⁻¹]ᵢᵢ, one a sample (equation 5.12).
    pub fn means(&self) -> ArrayView1<'_, F> {
        self.means.view()
    }

    /// The variances 1/[C⁻¹]ᵢᵢ, one a sample: those of observations (equation 5.12).
    pub fn variances(&self) -> ArrayView1<'_, F> {
        self.variances.view()
    }

    /// The log densities of the targets under these means and variances, one a sample
    /// (equation 5.10); their sum judges a model as the marginal likelihood does (equation 5.11).
    pub fn log_densities(&self) -> Array1<F> {
        let half = F::cast(0.5);
        ndarray::Zip::from(&self.residuals)
            .and(&self.variances)
            .map_collect(|&e, &v| -half * (v.ln() + e / v * e + F::cast(TAU.ln())))
    }
}

impl<F: Scalar> LeaveOneOut<F> {
    /// From α = C⁻¹(t − m), t − m, m and the Cholesky factor of C.
    fn of_factor(alpha: &Array1<F>, targets: &Array1<F>, mean: F, lower: &Array2<F>) -> Self {
        let inverse = linalg::solve_lower(lower.view(), Array2::eye(lower.nrows()).view());
        let diagonal = inverse.map_axis(Axis(0), |column| column.dot(&column));
        let residuals = alpha / &diagonal;
        Self {
            means: targets - &residuals + mean,
            variances: diagonal.mapv_into(F::recip),
            residuals,
        }
    }
}

impl<P: Foldable> GaussianProcessModel<P> {
    pub(super) fn new(process: Process<P>, evidence: Evidence<P::Scalar>) -> Self {
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

    /// The kernel, with the parameters that were given or found.
    pub fn kernel(&self) -> &P::Kernel {
        self.expansion().kernel()
    }

    /// The searches for parameters, the first from those that were given; none if there was no search
    /// ([`GaussianProcess::optimized`](super::GaussianProcess::optimized)).
    pub fn runs(&self) -> &[OptimizerRun] {
        &self.runs
    }

    /// The fitted kernel space; `None` if the process is conditioned on kernel values as they are,
    /// without coordinates.
    pub fn space(&self) -> Option<&P> {
        match &self.process {
            Process::Products { .. } => None,
            Process::Coordinates { space, .. } => Some(space),
        }
    }

    /// The mean m of the process before the targets were known.
    pub fn prior_mean(&self) -> P::Scalar {
        self.evidence.mean
    }

    /// The variance σ² of the noise: the given one, the best of several, or that found by a search.
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

    /// Each training target as the others predict it. Computed at the first call.
    pub fn leave_one_out(&self) -> &LeaveOneOut<P::Scalar> {
        if let Some(known) = self.leave_one_out.get() {
            return known;
        }
        // Not while the lock is held: whoever waits for it may be a thread that this is divided among.
        let computed = match &self.process {
            Process::Products {
                residuals,
                targets,
                lower,
                ..
            } => LeaveOneOut::of_factor(residuals, targets, self.evidence.mean, lower),
            Process::Coordinates { leave_one_out, .. } => leave_one_out.clone(),
        };
        self.leave_one_out.get_or_init(|| computed)
    }

    /// The mean of f + m as a sum Σ αᵢκ(xᵢ, ·) + b.
    pub fn expansion(&self) -> &Expansion<P::Samples, P::Kernel, P::Scalar> {
        match &self.process {
            Process::Products { expansion, .. } | Process::Coordinates { expansion, .. } => {
                expansion
            }
        }
    }

    /// The means of f + m at new records.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`].
    pub fn try_predict<R>(&self, x: &R) -> Result<Array1<P::Scalar>, Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        require_feature_names(&self.feature_names, x.feature_names())?;
        Ok(self.expansion().evaluate(x)?.remove_axis(Axis(1)))
    }

    /// The means and the variances of f + m at new records, each by itself. Add
    /// [`noise`](Self::noise) for the variance of an observation.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`].
    pub fn predict_with_variance<R>(
        &self,
        x: &R,
    ) -> Result<(Array1<P::Scalar>, Array1<P::Scalar>), Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        let means = self.try_predict(x)?;
        let variances = match &self.process {
            Process::Products {
                kernel,
                samples,
                lower,
                ..
            } => {
                let x = x.as_samples()?;
                let mut variances = kernel.diag(&x);
                let mut progress = Progress::start("variances", x.len());
                for (rows, mut part) in (0..x.len())
                    .collect::<Vec<_>>()
                    .chunks(PANEL)
                    .zip(variances.axis_chunks_iter_mut(Axis(0), PANEL))
                {
                    progress.at(rows[0]);
                    let cross = kernel.cross(samples, &x.select(rows));
                    let half = linalg::solve_lower(lower.view(), cross.view());
                    for (variance, column) in part.iter_mut().zip(half.axis_iter(Axis(1))) {
                        *variance = (*variance - column.dot(&column)).max(P::Scalar::cast(0.0));
                    }
                }
                variances
            }
            Process::Coordinates { space, lower, .. } => {
                let (y, residuals) = space.coordinates_and_residuals(x)?;
                variances(y.view(), residuals, lower, self.evidence.noise)
            }
        };
        Ok((means, variances))
    }
}

/// New samples whose kernel values are in memory together.
const PANEL: usize = 1024;

predict_row!(
    [F: Scalar, P: Foldable<Samples = npt_core::Rows<F>, Scalar = F>] GaussianProcessModel<P>, F, F,
    "The mean of f + m at one new vector."
);

/// Shares the kernel; it need not be `Clone`.
impl<P: Foldable + Clone> Clone for GaussianProcessModel<P> {
    fn clone(&self) -> Self {
        let process = match &self.process {
            Process::Products {
                kernel,
                samples,
                expansion,
                residuals,
                targets,
                lower,
            } => Process::Products {
                kernel: Arc::clone(kernel),
                samples: samples.clone(),
                expansion: expansion.clone(),
                residuals: residuals.clone(),
                targets: targets.clone(),
                lower: lower.clone(),
            },
            Process::Coordinates {
                space,
                expansion,
                lower,
                leave_one_out,
            } => Process::Coordinates {
                space: space.clone(),
                expansion: expansion.clone(),
                lower: lower.clone(),
                leave_one_out: leave_one_out.clone(),
            },
        };
        Self {
            process,
            evidence: self.evidence.clone(),
            leave_one_out: self.leave_one_out.clone(),
            runs: self.runs.clone(),
            feature_names: self.feature_names.clone(),
        }
    }
}

predicts_means!(Foldable, GaussianProcessModel);

npt_core::checked! {
    #[serde(bound(deserialize = "P: serde::Deserialize<'de>"))]
    GaussianProcessModel<P> {
        process: Process<P>,
        evidence: Evidence<P::Scalar>,
        #[serde(with = "npt_core::serial::once")]
        leave_one_out: OnceLock<LeaveOneOut<P::Scalar>>,
        runs: Vec<OptimizerRun>,
        #[serde(default)]
        feature_names: Vec<String>,
    }
    where
        P: Foldable,
        P::Scalar: serde::de::DeserializeOwned,
        P::Samples: serde::de::DeserializeOwned,
        P::Kernel: serde::de::DeserializeOwned
}

npt_core::checked! {
    Evidence<F> { mean: F, noise: f64, log_marginal_likelihoods: Vec<F>, best: usize }
    where F: Scalar
}

npt_core::checked! {
    LeaveOneOut<F> { means: Array1<F>, variances: Array1<F>, residuals: Array1<F> } where F: Scalar
}

#[cfg(feature = "serde")]
impl<P: Foldable> GaussianProcessModel<P> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite};
        agree("functions", self.expansion().offsets().len(), "process", 1)?;
        match &self.process {
            Process::Products {
                kernel,
                samples,
                expansion,
                residuals,
                targets,
                lower,
            } => {
                agree("targets", targets.len(), "samples", samples.len())?;
                agree("residuals", residuals.len(), "samples", samples.len())?;
                finite("the targets and residuals", targets.iter().chain(residuals))?;
                check_factor(lower, "samples", samples.len())?;
                let compatible = expansion.samples().check_compatible(samples);
                let checked = compatible.and_then(|()| kernel.check(samples));
                checked.map_err(|error| error.to_string())
            }
            Process::Coordinates { space, lower, .. } => check_factor(lower, "axes", space.rank()),
        }
    }
}

/// That a triangle is the factor of a positive definite matrix of so many rows.
#[cfg(feature = "serde")]
pub(super) fn check_factor<F: Scalar>(
    lower: &Array2<F>,
    what: &str,
    expected: usize,
) -> Result<(), String> {
    use npt_core::serial::{agree, finite, positive};
    agree("rows of the factor", lower.nrows(), what, expected)?;
    agree("columns of the factor", lower.ncols(), what, expected)?;
    finite("the entries of the factor", lower)?;
    let mut diagonal = lower.diag().into_iter();
    diagonal.try_for_each(|&entry| positive("an entry of the factor's diagonal", entry))
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

#[cfg(feature = "serde")]
impl<F: Scalar> LeaveOneOut<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite};
        let samples = self.means.len();
        agree("variances", self.variances.len(), "means", samples)?;
        agree("residuals", self.residuals.len(), "means", samples)?;
        finite(
            "the means and residuals",
            self.means.iter().chain(&self.residuals),
        )
    }
}
