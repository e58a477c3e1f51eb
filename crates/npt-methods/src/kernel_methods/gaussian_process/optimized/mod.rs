//! The search for parameters of kernel and noise by the marginal likelihood.

mod likelihood;
mod run;
mod variables;

pub use run::{OptimizerRun, OptimizerStep};

use super::{GaussianProcess, GaussianProcessModel};
use crate::{
    Error,
    error::{require_no_weights, require_positive},
    targets::checked_targets,
};
use likelihood::Likelihood;
use linfa::{
    DatasetBase,
    dataset::{AsSingleTargets, Records},
    traits::Fit,
};
use ndarray::Axis;
use npt_core::{AsSamples, Exact, ExpansionSpace, Kernel, KernelizedError, SpaceBuilder};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;
use variables::{Settings, Variables};

/// Parameters of a [`GaussianProcess`] whose kernel parameters are to be found.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OptimizedGaussianProcessParams<K> {
    kernel: K,
    noise: f64,
    mean_of_targets: bool,
    settings: Settings,
    restarts: usize,
    seed: u64,
}

impl GaussianProcess {
    /// The process with covariance `kernel`, σ² = 1 and m = 0, whose kernel parameters and σ² are
    /// changed until the marginal likelihood of the targets is at a maximum. The search begins at the parameters of
    /// `kernel`.
    ///
    /// # What is moved
    /// σ², named `noise`, and every real parameter above 0 of the kernel and its parts, by the names
    /// of [`Kernel::parameters`]. Each number of a list is moved by itself. A parameter stays as it is if it is 0 or
    /// less, an integer, a smoothness that takes few values, or named by [`keep`].
    /// [`OptimizerRun::names`] lists the parameters that were moved. Two parameters that do the same, as the γ and the length
    /// scales of [`LengthScales`](npt_core::LengthScales), have no maximum but a ridge: keep one of them.
    ///
    /// # How
    /// The search is L-BFGS on ln θ, by the derivatives ½ tr((ααᵀ − C⁻¹) ∂C/∂θ), α = C⁻¹(t − m). A parameter stays
    /// between its bounds by ln θ = c + h sin(u/h), with c the middle of the logarithms of the bounds and h half of
    /// their distance. Derivatives are those of [`Kernel::parameter_derivatives`]; a derivative that a
    /// kernel does not know is taken from differences of kernel values.
    ///
    /// An evaluation takes some n³ flops, most for the inverse of C, and about six matrices of n², one
    /// more for each product within a product of kernels; a search takes some tens of evaluations. For
    /// more samples than that allows, search on some of them, and fit the kernel found to all.
    ///
    /// # Errors
    /// The errors of [`GaussianProcess`]. Some of them come after the search, such as that of a kernel that is not positive semidefinite
    /// with the parameters found. Besides these, [`Error::UnknownParameter`], [`Error::Bounds`],
    /// [`Error::Singular`] where C is singular wherever a search begins, and
    /// [`Error::SetParameter`] for a kernel with parameters that cannot be set, as behind an `Arc`.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::{Fit, Predict}};
    /// use ndarray::Array;
    /// use npt_core::Gaussian;
    /// use npt_methods::GaussianProcess;
    ///
    /// let x = Array::linspace(0.0_f64, 6.0, 30).insert_axis(ndarray::Axis(1));
    /// let noise = x.column(0).mapv(|x| 0.1 * (50.0 * x).sin());
    /// let targets = x.column(0).mapv(f64::sin) + &noise;
    /// let kernel = Gaussian::new(10.0).scaled(1.0);
    /// let search = GaussianProcess::optimized(kernel).restarts(2);
    /// let model = search.fit(&Dataset::new(x, targets))?;
    ///
    /// // sin has a length scale of about 1.5: γ = 1/(2·1.5²) = 0.2.
    /// let gamma = model.kernel().inner().gamma();
    /// assert!((0.1..0.4).contains(&gamma), "{gamma}");
    /// // The noise has the variance 0.1²/2.
    /// assert!((0.003..0.008).contains(&model.noise()), "{}", model.noise());
    ///
    /// let first = &model.runs()[0];
    /// assert_eq!(first.names(), ["factor", "kernel.gamma", "noise"]);
    /// assert!((first.path()[0].parameters[1] - 10.0).abs() < 1e-12);
    /// assert!(first.has_converged());
    /// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
    /// ```
    ///
    /// # References
    /// C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press 2006,
    /// equation 5.9. D. C. Liu, J. Nocedal, "On the limited memory BFGS method for large scale
    /// optimization", Mathematical Programming 45, 1989, doi:10.1007/BF01589116.
    ///
    /// [`keep`]: OptimizedGaussianProcessParams::keep
    pub fn optimized<K>(kernel: K) -> OptimizedGaussianProcessParams<K> {
        OptimizedGaussianProcessParams {
            kernel,
            noise: 1.0,
            mean_of_targets: false,
            settings: Settings::default(),
            restarts: 0,
            seed: 0,
        }
    }
}

impl<K> OptimizedGaussianProcessParams<K> {
    /// The variance σ² > 0 of the noise at which the search begins, 1 by default, in units of the
    /// squared targets.
    pub fn noise(mut self, noise: f64) -> Self {
        self.noise = noise;
        self
    }

    /// Sets m to the mean of the targets if true, and to 0 if false, the default.
    pub fn mean_of_targets(mut self, mean_of_targets: bool) -> Self {
        self.mean_of_targets = mean_of_targets;
        self
    }

    /// The bounds of a parameter, 0 < low < high; by default 10⁵ times less and more than its start.
    /// The name of a list, as `length_scales`, is for all its numbers,
    /// `length_scales[0]` for the first. Of several bounds for one parameter the last count. A parameter whose start is at a bound
    /// begins a thousandth of the way, in the logarithm, inside of the bound. [`OptimizerRun::at_bounds`] lists the
    /// parameters that end at a bound.
    pub fn bounds(mut self, name: impl Into<String>, low: f64, high: f64) -> Self {
        self.settings.bounds.push((name.into(), low, high));
        self
    }

    /// Keeps a parameter, one of the kernel or `noise`, at its value.
    pub fn keep(mut self, name: impl Into<String>) -> Self {
        self.settings.kept.push(name.into());
        self
    }

    /// The number of further searches, 0 by default. Each begins with other parameters, drawn between
    /// their bounds, uniformly in the logarithm, and at least a thousandth
    /// of the way from the bounds. The best of all searches is taken.
    pub fn restarts(mut self, restarts: usize) -> Self {
        self.restarts = restarts;
        self
    }

    /// The seed of the drawn starts, 0 by default.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}

impl<R, T, K> Fit<R, T, KernelizedError<Error>> for OptimizedGaussianProcessParams<K>
where
    R: Records + AsSamples,
    K: Kernel<R::Samples> + Clone,
    Exact<K>: SpaceBuilder<R::Samples>,
    <Exact<K> as SpaceBuilder<R::Samples>>::Space: ExpansionSpace<Scalar = K::Scalar>,
    T: AsSingleTargets<Elem = K::Scalar>,
{
    type Object = GaussianProcessModel<<Exact<K> as SpaceBuilder<R::Samples>>::Space>;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<Error>> {
        let (kernel, noise, runs) = self.search(dataset)?;
        let params = GaussianProcess::params(kernel).noise(noise);
        let model = params.mean_of_targets(self.mean_of_targets).fit(dataset)?;
        Ok(model.with_runs(runs))
    }
}

impl<K> OptimizedGaussianProcessParams<K> {
    /// Returns the kernel and σ² of the largest likelihood found, and all searches.
    fn search<R, T>(
        &self,
        dataset: &DatasetBase<R, T>,
    ) -> Result<(K, f64, Vec<OptimizerRun>), KernelizedError<Error>>
    where
        R: Records + AsSamples,
        K: Kernel<R::Samples> + Clone,
        T: AsSingleTargets<Elem = K::Scalar>,
    {
        let of_method = KernelizedError::Method;
        require_no_weights("fits of GaussianProcess", dataset).map_err(of_method)?;
        require_positive("GaussianProcess", "noise", self.noise).map_err(of_method)?;
        let samples = dataset.nsamples();
        let targets = dataset.as_single_targets().len();
        if samples != targets {
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        let x = dataset.records().as_samples()?;
        if samples == 0 {
            return Err(npt_core::Error::NoSamples.into());
        }
        self.kernel.check(x.as_ref())?;
        npt_core::require_memory::<K::Scalar>(
            "six matrices of kernel values",
            6 * samples,
            samples,
        )?;
        let targets = checked_targets(dataset.targets()).map_err(super::of_targets)?;
        let (targets, _) = super::centered(targets, self.mean_of_targets);
        let likelihood = Likelihood::new(x.as_ref(), targets.remove_axis(Axis(1)));

        let variables = Variables::new(&self.kernel, self.noise, &self.settings);
        let variables = variables.map_err(of_method)?;
        let mut rng = Xoshiro256Plus::seed_from_u64(self.seed);
        let mut starts = vec![variables.start()];
        starts.extend((0..self.restarts).map(|_| variables.draw(&mut rng)));
        let runs = starts
            .iter()
            .map(|start| run::run(&likelihood, &variables, start))
            .collect::<Result<Vec<_>, _>>();
        let runs = runs.map_err(of_method)?;
        let steps = runs.iter().filter_map(|run| run.path().last());
        let best = steps.max_by(|a, b| {
            a.log_marginal_likelihood
                .total_cmp(&b.log_marginal_likelihood)
        });
        let Some(best) = best else {
            return Err(of_method(likelihood.no_start(&self.kernel, self.noise)));
        };
        let (kernel, noise) = variables.set(&best.parameters).map_err(of_method)?;
        Ok((kernel, noise, runs))
    }
}
