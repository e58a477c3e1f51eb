//! Gaussian process regression.

/// What both models of a process have in common: that `predict` gives the means, and how they print.
macro_rules! predicts_means {
    ($space:ident, $model:ident) => {
        /// The evidence; neither spaces nor samples need be `Debug`.
        impl<P: $space> fmt::Debug for $model<P> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($model))
                    .field("evidence", &self.evidence)
                    .finish_non_exhaustive()
            }
        }

        predict_referenced!([P: $space] $model<P>, Array1<P::Scalar>);
        npt_core::predict_by_names!([P: $space] $model<P>);

        impl<P: $space> npt_core::FeatureNames for $model<P> {
            fn feature_names(&self) -> &[String] {
                &self.feature_names
            }
        }

        /// The mean.
        impl<R, P> PredictInplace<R, Array1<P::Scalar>> for $model<P>
        where
            R: Records + AsSamples<Samples = P::Samples>,
            P: $space,
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
    };
}

mod by_coordinates;
mod model;
mod optimized;

pub use by_coordinates::{GaussianProcessByCoordinatesModel, GaussianProcessByCoordinatesParams};
use model::{Evidence, Process};
pub use model::{GaussianProcessModel, LeaveOneOut};
pub use optimized::{OptimizedGaussianProcessParams, OptimizerRun, OptimizerStep};

use crate::{
    Error,
    error::{require, require_finite, require_no_weights, require_not_negative},
    linear::{Projected, RidgeSolver, checked_targets, regular_cholesky},
};
use linfa::Float as _;
use linfa::{
    DatasetBase,
    dataset::{AsSingleTargets, Records},
    traits::Fit,
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use npt_core::{
    AsSamples, Axes, Exact, Foldable, InnerProducts, KernelProducts, KernelSpace, KernelizedError,
    Scalar, SpaceBuilder, TrainingSamples, catalogue::Range, linalg,
};
use std::{f64::consts::TAU, sync::Arc};

/// Parameters of [`GaussianProcess`], and of its space.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GaussianProcessParams<B> {
    noise: Vec<f64>,
    mean_of_targets: bool,
    builder: B,
}

npt_core::parameters_by_name! {
    impl[B] Parameters for GaussianProcessParams<B>, "GaussianProcess"; {
        default {
            noise: Vec<f64> = vec![1.0], Range::NotNegatives, "The variance σ² of the noise, in units of the squared targets; of several the one with the largest marginal likelihood.";
            mean_of_targets: bool = false, Range::Boolean, "Whether m is the mean of the targets, and not 0.";
        }
    }
}

/// Gaussian process regression: a distribution over functions, given values of one with noise.
///
/// # Definition
/// Targets are tᵢ = m + f(xᵢ) + noise of variance σ², with f a Gaussian process of mean 0 and
/// covariance κ. With C = 𝒦 + σ²I and κ(x) the kernel values of x with the training samples, f(x) + m
/// given the targets has
///
/// | | |
/// |---|---|
/// | mean | m + κ(x)ᵀC⁻¹(t − m) |
/// | variance | κ(x, x) − κ(x)ᵀC⁻¹κ(x) |
///
/// and log p(t) = −½(t − m)ᵀC⁻¹(t − m) − ½ log det C − ½n log 2π is the log marginal likelihood. An
/// observation at x has σ² more variance.
///
/// In coordinates y of the space, which is not centred, f(x) = ⟨w, y(x)⟩ + e(x): w has independent
/// standard normal entries, and e(x), independent of w, the residual of x as its variance. Targets say
/// something of w alone. The variance is then σ²y(x)ᵀ(YᵀY + σ²I)⁻¹y(x) plus the residual, a sum in
/// which nothing cancels. In a space of reduced rank, 𝒦 is YYᵀ, and what new samples have outside the
/// space keeps its variance.
///
/// m is 0, or the mean of the targets. A kernel stands for its covariance in full: scale it by the
/// variance of f ([`Kernel::scaled`](npt_core::Kernel::scaled)). [`GaussianProcess::optimized`] finds its
/// parameters. In a space of another
/// builder the covariance is the kernel that the space represents; on random features, whose coordinates are no sums of kernel values,
/// [`by_coordinates`](GaussianProcessParams::by_coordinates).
///
/// # Errors
/// [`KernelizedError::Space`] for samples and kernel; in [`KernelizedError::Method`]:
/// [`Error::Parameter`] for σ² < 0, NaN or infinite, and for no σ² at all; [`Error::Singular`] where
/// σ² is too small for the rank of 𝒦, or where rounding may be more than a hundredth of the tᵀC⁻¹t in the log marginal likelihood; [`Error::LeaveOneOut`] where it is hardly large enough;
/// [`npt_core::Error::TargetNotFinite`]; [`Error::Weights`] for samples with weights; [`Error::Overflow`].
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Linear;
/// use npt_methods::GaussianProcess;
///
/// // f(x) = w·x: 𝒦 = 4, C = 5.
/// let data = Dataset::new(array![[2.0_f64]], array![10.0]);
/// let model = GaussianProcess::params(Linear::new()).noise(1.0).fit(&data)?;
/// let (mean, variance) = model.predict_with_variance(&array![[1.0], [3.0]])?;
/// // κ(x) = 2 and 6: 2·10/5 and 6·10/5; 1 − 2·2/5 and 9 − 6·6/5.
/// assert!((mean - array![4.0, 12.0]).iter().all(|d| d.abs() < 1e-14));
/// assert!((variance - array![0.2, 1.8]).iter().all(|d| d.abs() < 1e-14));
/// let expected = -0.5 * (10.0 * 10.0 / 5.0 + (5.0 * std::f64::consts::TAU).ln());
/// assert!((model.log_marginal_likelihood() - expected).abs() < 1e-14);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press 2006,
/// chapter 2, equations 2.25, 2.26 and 2.30; leave-one-out: equations 5.10 to 5.12.
#[derive(Debug, Clone, Copy)]
pub struct GaussianProcess;

impl GaussianProcess {
    /// The process with covariance `kernel`, σ² = 1 and m = 0, in the exact space that is not
    /// centred.
    pub fn params<K>(kernel: K) -> GaussianProcessParams<Exact<K>> {
        GaussianProcessParams {
            noise: vec![1.0],
            mean_of_targets: false,
            builder: Exact::new(kernel).axes(Axes::Cholesky).centered(false),
        }
    }
}

impl<B> GaussianProcessParams<B> {
    /// The variance σ² ≥ 0 of the noise, 1 by default, in units of the squared targets.
    pub fn noise(self, noise: f64) -> Self {
        self.noises(&[noise])
    }

    /// Several variances, of which the one with the largest marginal likelihood is taken.
    pub fn noises(mut self, noises: &[f64]) -> Self {
        self.noise = noises.to_vec();
        self
    }

    /// Whether m is the mean of the targets, and not 0; false by default. The mean is then taken for
    /// known: what there is to doubt about it is not in the variance.
    pub fn mean_of_targets(mut self, mean_of_targets: bool) -> Self {
        self.mean_of_targets = mean_of_targets;
        self
    }

    /// The builder of the kernel space.
    pub fn builder(&self) -> &B {
        &self.builder
    }

    /// Changes the builder of the kernel space, or takes another.
    pub fn space<Other>(self, change: impl FnOnce(B) -> Other) -> GaussianProcessParams<Other> {
        let builder = change(self.builder);
        GaussianProcessParams {
            noise: self.noise,
            mean_of_targets: self.mean_of_targets,
            builder,
        }
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

impl<R, T, B> Fit<R, T, KernelizedError<Error>> for GaussianProcessParams<B>
where
    R: Records + AsSamples,
    B: SpaceBuilder<R::Samples>,
    B::Space: Foldable,
    T: AsSingleTargets<Elem = <B::Space as KernelSpace>::Scalar>,
{
    type Object = GaussianProcessModel<B::Space>;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<Error>> {
        let model = self.given_targets(dataset)?;
        Ok(model.with_feature_names(dataset.feature_names().to_vec()))
    }
}

impl<B> GaussianProcessParams<B> {
    /// By kernel values where the builder takes them as they are and they are regular, else by coordinates.
    fn given_targets<R, T>(
        &self,
        dataset: &DatasetBase<R, T>,
    ) -> Result<GaussianProcessModel<B::Space>, KernelizedError<Error>>
    where
        R: Records + AsSamples,
        B: SpaceBuilder<R::Samples>,
        B::Space: Foldable,
        T: AsSingleTargets<Elem = <B::Space as KernelSpace>::Scalar>,
    {
        self.validate().map_err(KernelizedError::Method)?;
        require_no_weights("fits of GaussianProcess", dataset).map_err(KernelizedError::Method)?;
        let samples = dataset.nsamples();
        let targets = dataset.as_single_targets().len();
        if samples != targets {
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
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
                // Coordinates of low rank take less.
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

/// As the adapter says it: what is wrong with the dataset is no matter of the method.
fn of_targets(error: Error) -> KernelizedError<Error> {
    match error {
        Error::Core(error) => KernelizedError::Space(error),
        error => KernelizedError::Method(error),
    }
}

/// The targets less m, and m, their mean or 0.
fn centered<F: Scalar>(mut targets: Array2<F>, by_mean: bool) -> (Array2<F>, F) {
    let mut mean = F::zero();
    if by_mean {
        mean = targets.mean().expect("there are targets");
        targets -= mean;
    }
    (targets, mean)
}

impl<B> GaussianProcessParams<B> {
    /// By a Cholesky factor of K + σ²I; `None` where that is singular to rounding.
    fn of_products<P: Foldable>(
        &self,
        products: &KernelProducts<'_, P::Samples, P::Kernel, P::Scalar>,
        x: &P::Samples,
        targets: Array2<P::Scalar>,
    ) -> Result<Option<GaussianProcessModel<P>>, Error> {
        let (targets, mean) = centered(targets, self.mean_of_targets);
        let mut gram = products.gram()?;
        let mut log_marginal_likelihoods = Vec::with_capacity(self.noise.len());
        let mut best: Option<(usize, Array2<P::Scalar>, Array2<P::Scalar>)> = None;
        for (i, &noise) in self.noise.iter().enumerate() {
            // The last needs no copy.
            let mut lower = if i + 1 == self.noise.len() {
                std::mem::take(&mut gram)
            } else {
                gram.clone()
            };
            lower
                .diag_mut()
                .mapv_inplace(|v| v + P::Scalar::cast(noise));
            require_finite("GaussianProcess", lower.diag().into_iter())?;
            let diagonal = lower.diag().to_owned();
            if !regular_cholesky(&mut lower, &diagonal)? {
                return Ok(None);
            }
            let half = linalg::solve_lower(lower.view(), targets.view());
            let alpha = linalg::solve_lower_transposed(lower.view(), half.view());
            require_digits(noise, targets.column(0), alpha.column(0), &diagonal)?;
            let likelihood = log_density(half.column(0), &lower);
            let improves =
                |&(best, ..): &(usize, _, _)| likelihood > log_marginal_likelihoods[best];
            if best.as_ref().is_none_or(improves) {
                best = Some((i, lower, alpha));
            }
            log_marginal_likelihoods.push(likelihood);
        }
        let Some((best, lower, alpha)) = best else {
            return Ok(None);
        };
        require_finite(
            "GaussianProcess",
            log_marginal_likelihoods.iter().chain(&alpha),
        )?;
        let offsets = Array1::from_elem(1, mean);
        let expansion = products.expansion(alpha.clone(), offsets)?;
        let process = Process::Products {
            kernel: Arc::clone(products.kernel()),
            samples: x.clone(),
            expansion,
            residuals: alpha.remove_axis(Axis(1)),
            targets: targets.remove_axis(Axis(1)),
            lower,
        };
        Ok(Some(GaussianProcessModel::new(
            process,
            Evidence {
                mean,
                noise: self.noise[best],
                log_marginal_likelihoods,
                best,
            },
        )))
    }

    /// By the distribution of the weights w of coordinates y.
    fn of_coordinates<P: Foldable>(
        &self,
        space: P,
        y: ArrayView2<'_, P::Scalar>,
        targets: Array2<P::Scalar>,
    ) -> Result<GaussianProcessModel<P>, Error> {
        let targets = centered(targets, self.mean_of_targets);
        let (weights, evidence) = self.weights_of(y, targets)?;
        let process = Process::Coordinates {
            expansion: space.fold(weights.mean.view(), ArrayView1::from(&[evidence.mean]))?,
            lower: weights.lower,
            leave_one_out: weights.leave_one_out,
            space,
        };
        Ok(GaussianProcessModel::new(process, evidence))
    }
}

/// The share of tᵀC⁻¹t that rounding may be, above which a fit is refused.
const LOST: f64 = 1e-2;

/// Refuses a C = 𝒦 + σ²I whose rounding tᵀα, with α = C⁻¹t, does not survive. To first order tᵀα changes by αᵀEα where C changes by E;
/// of independent errors of ε of the largest entry, on the diagonal, this is ε·max C·‖α‖².
///
/// With λ the smallest eigenvalue of C, it is at most ε·max C/λ of tᵀα. A noise of ε·max C/[`LOST`] is always enough.
///
/// # Errors
/// [`Error::Singular`]
fn require_digits<F: Scalar>(
    noise: f64,
    targets: ArrayView1<'_, F>,
    alpha: ArrayView1<'_, F>,
    diagonal: &Array1<F>,
) -> Result<(), Error> {
    let largest = |values: ArrayView1<'_, F>| {
        let mut magnitudes = values.iter().map(|v| v.as_f64().abs());
        magnitudes
            .next()
            .map_or(0.0, |first| magnitudes.fold(first, f64::max))
    };
    // α in units of its largest entry, whose square may leave the range.
    let unit = largest(alpha);
    let (mut squares, mut fit) = (0.0, 0.0);
    for (&t, &a) in targets.iter().zip(alpha) {
        let a = a.as_f64() / unit;
        squares += a * a;
        fit += a * t.as_f64();
    }
    let rounding = F::epsilon().as_f64() * largest(diagonal.view());
    if rounding * unit * squares > LOST * fit.abs() {
        return Err(Error::Singular {
            of: "GaussianProcess",
            parameter: "noise",
            value: noise,
            least: rounding / LOST,
        });
    }
    Ok(())
}

/// The log density of t under a normal distribution of covariance C = LLᵀ, from L⁻¹t
/// (equation 2.30).
fn log_density<F: Scalar>(half: ArrayView1<'_, F>, lower: &Array2<F>) -> F {
    let log_root: F = lower.diag().iter().map(|v| v.ln()).sum();
    let constant = F::cast(half.len()) * F::cast(TAU.ln());
    -(half.dot(&half) + constant) / F::cast(2) - log_root
}

fn log_marginal_likelihood<F: Scalar>(
    solver: &RidgeSolver<F>,
    targets: &Projected<'_, F>,
    noise: f64,
) -> F {
    let noise = F::cast(noise);
    let (solved, _) = solver.residuals(targets, noise);
    let targets = targets.y();
    let fit = targets.column(0).dot(&solved.column(0)) * solver.inverse_scale(noise);
    let constant = F::cast(targets.nrows()) * F::cast(TAU.ln());
    -(fit + solver.log_determinant(noise) + constant) / F::cast(2)
}

impl<F: Scalar> LeaveOneOut<F> {
    fn of_solver(
        solver: &RidgeSolver<F>,
        targets: &Projected<'_, F>,
        mean: F,
        noise: f64,
    ) -> Result<Self, Error> {
        let residuals = solver.leave_one_out(targets, noise)?;
        let (_, diagonal) = solver.residuals(targets, F::cast(noise));
        let scale = solver.inverse_scale(F::cast(noise));
        Ok(Self {
            means: &targets.y().column(0) - &residuals.column(0) + mean,
            variances: diagonal.mapv(|d| (d * scale).recip()),
            residuals: residuals.column(0).to_owned(),
        })
    }
}
