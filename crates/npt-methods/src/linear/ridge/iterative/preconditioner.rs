//! The preconditioner of conjugate gradients, which takes the large eigenvalues away.

use super::IterativeRidgeValidParams;
use crate::{Error, weights::Weights};
use ndarray::{Array2, ArrayView2};
use npt_core::{InnerProducts, Scalar, linalg, low_rank_factor};

/// The preconditioner (FFᵀ + λI)⁻¹, computed with the small matrix FᵀF + λI.
pub(super) struct Preconditioner<F> {
    /// F, shape (samples, pivots), centred if the inner products are. It has no pivots if there is no preconditioner.
    features: Array2<F>,
    /// L with LLᵀ = FᵀF + λI.
    factor: Array2<F>,
}

impl IterativeRidgeValidParams {
    pub(super) fn preconditioner<F: Scalar>(
        &self,
        products: &dyn InnerProducts<F>,
        weights: &Weights<F>,
    ) -> Result<Preconditioner<F>, Error> {
        let mut features = if self.pivots == 0 {
            Array2::zeros((products.samples(), 0))
        } else {
            low_rank_factor(products, self.pivots, self.seed)?
        };
        if self.intercept {
            weights.take_constant(&mut features);
        }
        Preconditioner::new(features, F::cast(self.penalty))
    }
}

/// Returns L with LLᵀ = A + λI for a positive semidefinite A. A λ that is less than the rounding of A is raised to that.
pub(super) fn factor<F: Scalar>(mut a: Array2<F>, penalty: F) -> Result<Array2<F>, Error> {
    let rounding = F::epsilon() * a.diag().sum();
    let penalty = penalty.max(rounding);
    a.diag_mut().mapv_inplace(|v| v + penalty);
    linalg::cholesky_in_place(&mut a)?;
    Ok(a)
}

impl<F: Scalar> Preconditioner<F> {
    /// Makes the preconditioner of features that are centred if the inner products are.
    pub(super) fn new(features: Array2<F>, penalty: F) -> Result<Self, Error> {
        let factor = factor(linalg::symmetric_rank_k(features.view()), penalty)?;
        Ok(Self { features, factor })
    }

    /// Returns λ(FFᵀ + λI)⁻¹r = r − F(FᵀF + λI)⁻¹Fᵀr.
    pub(super) fn apply(&self, residuals: ArrayView2<'_, F>) -> Array2<F> {
        if self.features.ncols() == 0 {
            return residuals.to_owned();
        }
        let along = linalg::product(self.features.t(), residuals);
        let half = linalg::solve_lower(self.factor.view(), along.view());
        let solution = linalg::solve_lower_transposed(self.factor.view(), half.view());
        &residuals - &linalg::product(self.features.view(), solution.view())
    }
}
