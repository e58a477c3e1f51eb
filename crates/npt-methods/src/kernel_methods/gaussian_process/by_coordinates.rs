//! Gaussian processes by coordinates.

use super::{
    Evidence, GaussianProcessModel, GaussianProcessParams, LeaveOneOut, centered,
    process::{Process, SpaceProcess},
};
use crate::{
    Error,
    error::require_finite,
    linear::{Projected, RidgeSolver},
    model_selection::ByCoordinates,
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use npt_core::{ExpansionSpace, KernelSpace, Scalar, linalg};
use std::f64::consts::TAU;

/// The distribution of the weights w of coordinates y, given the targets.
struct Weights<F> {
    /// The mean of w, shape (r, 1).
    mean: Array2<F>,
    /// The Cholesky factor L: the covariance of w is σ²(YᵀY + σ²I)⁻¹ = σ²(LLᵀ)⁻¹.
    lower: Array2<F>,
    leave_one_out: LeaveOneOut<F>,
}

impl<B> GaussianProcessParams<B> {
    /// Fits the process by the distribution of the weights w of coordinates y; its mean is written as an expansion.
    pub(super) fn of_coordinates<P: ExpansionSpace>(
        &self,
        space: P,
        y: ArrayView2<'_, P::Scalar>,
        targets: Array2<P::Scalar>,
    ) -> Result<GaussianProcessModel<P>, Error> {
        let (weights, evidence) = self.weights_of(y, targets)?;
        let process = Process::Coordinates {
            expansion: space.expand(weights.mean.view(), ArrayView1::from(&[evidence.mean]))?,
            lower: weights.lower,
            leave_one_out: weights.leave_one_out,
            space,
        };
        Ok(GaussianProcessModel::new(process, evidence))
    }
}

impl<B> GaussianProcessParams<B, ByCoordinates> {
    /// Fits the process by the distribution of the weights w of coordinates y, and keeps the space.
    pub(super) fn of_space<P: KernelSpace>(
        &self,
        space: P,
        y: ArrayView2<'_, P::Scalar>,
        targets: Array2<P::Scalar>,
    ) -> Result<GaussianProcessModel<P, ByCoordinates>, Error> {
        let (weights, evidence) = self.weights_of(y, targets)?;
        let process = SpaceProcess {
            space,
            mean: weights.mean,
            lower: weights.lower,
            leave_one_out: weights.leave_one_out,
        };
        Ok(GaussianProcessModel::new(process, evidence))
    }
}

impl<B, W> GaussianProcessParams<B, W> {
    /// Computes the distribution of the weights of coordinates, given the targets, for the likeliest noise.
    fn weights_of<F: Scalar>(
        &self,
        y: ArrayView2<'_, F>,
        targets: Array2<F>,
    ) -> Result<(Weights<F>, Evidence<F>), Error> {
        let (targets, mean) = centered(targets, self.mean_of_targets);
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
        // The covariance of w takes more noise where there are more coordinates than samples.
        solver.check_scatter(noise)?;
        let weights = solver.weights(&projected, F::cast(noise));
        let numbers = log_marginal_likelihoods.iter().chain(&weights);
        require_finite("GaussianProcess", numbers)?;
        let mut scatter = linalg::symmetric_rank_k(y);
        scatter.diag_mut().mapv_inplace(|v| v + F::cast(noise));
        let weights = Weights {
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

/// The variances σ²y(x)ᵀ(YᵀY + σ²I)⁻¹y(x) plus the residuals, with LLᵀ = YᵀY + σ²I.
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
