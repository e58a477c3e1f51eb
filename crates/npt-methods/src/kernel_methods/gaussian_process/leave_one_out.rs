//! Leave-one-out predictions: each target predicted from all other targets.

use crate::{
    Error,
    linear::{Projected, RidgeSolver},
};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use npt_core::{Scalar, linalg};
use std::f64::consts::TAU;

/// Leave-one-out predictions: each target predicted from all other targets, noise included.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LeaveOneOut<F> {
    means: Array1<F>,
    variances: Array1<F>,
    /// The targets less the means, kept because rounding may leave nothing of this difference.
    residuals: Array1<F>,
}

impl<F: Scalar> LeaveOneOut<F> {
    /// The means tᵢ − [C⁻¹(t − m)]ᵢ/[C⁻¹]ᵢᵢ, one per sample (equation 5.12).
    pub fn means(&self) -> ArrayView1<'_, F> {
        self.means.view()
    }

    /// The variances 1/[C⁻¹]ᵢᵢ of observations, one per sample (equation 5.12).
    pub fn variances(&self) -> ArrayView1<'_, F> {
        self.variances.view()
    }

    /// The log densities of the targets under these means and variances, one per sample
    /// (equation 5.10). Their sum judges a model as the marginal likelihood does (equation 5.11).
    pub fn log_densities(&self) -> Array1<F> {
        let half = F::cast(0.5);
        ndarray::Zip::from(&self.residuals)
            .and(&self.variances)
            .map_collect(|&e, &v| -half * (v.ln() + e / v * e + F::cast(TAU.ln())))
    }
}

impl<F: Scalar> LeaveOneOut<F> {
    /// Computes the predictions from α = C⁻¹(t − m), t − m, m and the Cholesky factor of C.
    pub(super) fn of_factor(
        alpha: &Array1<F>,
        targets: &Array1<F>,
        mean: F,
        lower: &Array2<F>,
    ) -> Self {
        let inverse = linalg::solve_lower(lower.view(), Array2::eye(lower.nrows()).view());
        let diagonal = inverse.map_axis(Axis(0), |column| column.dot(&column));
        let residuals = alpha / &diagonal;
        Self {
            means: targets - &residuals + mean,
            variances: diagonal.mapv_into(F::recip),
            residuals,
        }
    }

    /// Computes the predictions from the solver of ridge regression on coordinates.
    pub(super) fn of_solver(
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

npt_core::checked! {
    LeaveOneOut<F> { means: Array1<F>, variances: Array1<F>, residuals: Array1<F> } where F: Scalar
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
