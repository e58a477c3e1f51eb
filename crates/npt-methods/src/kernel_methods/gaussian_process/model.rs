//! The fitted process.

use super::{Posterior, TAU};
use linfa::{Float as _, dataset::Records, traits::PredictInplace};
use ndarray::{Array1, ArrayView1, Axis};
use npt_core::{
    AsSamples, Error, Expansion, Kernel, KernelSpace, LandmarkSpace, Samples, Scalar, linalg,
};

/// A Gaussian process given its targets: [`GaussianProcess`](super::GaussianProcess) fitted.
///
/// # Panics
/// linfa's `predict` has no error to return: it panics where the records are empty, not finite, or
/// of another width than at fit. [`try_predict`](Self::try_predict) and
/// [`predict_with_variance`](Self::predict_with_variance) return these errors.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianProcessModel<P: KernelSpace> {
    space: P,
    posterior: Posterior<P::Scalar>,
}

/// Each target predicted from all others, noise included.
#[derive(Debug, Clone, PartialEq)]
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

impl<P: KernelSpace> GaussianProcessModel<P> {
    pub(super) fn new(space: P, posterior: Posterior<P::Scalar>) -> Self {
        Self { space, posterior }
    }

    /// The fitted kernel space.
    pub fn space(&self) -> &P {
        &self.space
    }

    /// The mean of w, one entry a coordinate.
    pub fn weights(&self) -> ArrayView1<'_, P::Scalar> {
        self.posterior.weights.column(0)
    }

    /// The mean m of the process before the targets were known.
    pub fn prior_mean(&self) -> P::Scalar {
        self.posterior.mean
    }

    /// The variance σ² of the noise: the given one, or the best of several.
    pub fn noise(&self) -> f64 {
        self.posterior.noise
    }

    /// The log marginal likelihood of the targets, for the noise taken.
    pub fn log_marginal_likelihood(&self) -> P::Scalar {
        self.posterior.log_marginal_likelihoods[self.posterior.best]
    }

    /// The log marginal likelihoods of the targets for each noise that was given, in that order.
    pub fn log_marginal_likelihoods(&self) -> &[P::Scalar] {
        &self.posterior.log_marginal_likelihoods
    }

    /// Each training target as the others predict it.
    pub fn leave_one_out(&self) -> &LeaveOneOut<P::Scalar> {
        &self.posterior.leave_one_out
    }

    /// The means of f + m at new records.
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates`].
    pub fn try_predict<R>(&self, x: &R) -> Result<Array1<P::Scalar>, Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        Ok(self.space.coordinates(x)?.dot(&self.weights()) + self.posterior.mean)
    }

    /// The means and the variances of f + m at new records, each by itself. Add
    /// [`noise`](Self::noise) for the variance of an observation.
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates`].
    pub fn predict_with_variance<R>(
        &self,
        x: &R,
    ) -> Result<(Array1<P::Scalar>, Array1<P::Scalar>), Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        let samples = x.as_samples()?;
        let (y, mut variances) = self.space.map_with_residuals(samples.as_ref())?;
        let half = linalg::solve_lower(self.posterior.lower.view(), y.t());
        let noise = P::Scalar::cast(self.posterior.noise);
        for (variance, column) in variances.iter_mut().zip(half.axis_iter(Axis(1))) {
            *variance += noise * column.dot(&column);
        }
        Ok((y.dot(&self.weights()) + self.posterior.mean, variances))
    }
}

impl<S: Samples, K: Kernel<S>> GaussianProcessModel<LandmarkSpace<S, K>> {
    /// The mean of f + m as a sum Σ αᵢκ(xᵢ, ·) + b.
    ///
    /// # Errors
    /// None for a model that was fitted.
    pub fn expansion(&self) -> Result<Expansion<S, K>, Error> {
        let offsets = Array1::from_elem(1, self.posterior.mean);
        let weights = self.posterior.weights.view();
        self.space.expansion(weights, offsets.view())
    }
}

/// The mean.
impl<R, P> PredictInplace<R, Array1<P::Scalar>> for GaussianProcessModel<P>
where
    R: Records + AsSamples<Samples = P::Samples>,
    P: KernelSpace,
{
    fn predict_inplace<'a>(&'a self, x: &'a R, y: &mut Array1<P::Scalar>) {
        let means = self
            .try_predict(x)
            .unwrap_or_else(|error| panic!("{error}"));
        y.assign(&means);
    }

    fn default_target(&self, x: &R) -> Array1<P::Scalar> {
        Array1::from_elem(x.nsamples(), self.posterior.mean)
    }
}
