//! The equations of ridge regression on inner products.

use super::{
    IterativeRidgeValidParams,
    conjugate_gradients::{Solution, System, solve},
    preconditioner::Preconditioner,
};
use crate::{Error, error::require_positive, linear::Weights};
use ndarray::{Array1, Array2, ArrayView2};
use npt_core::{InnerProducts, Scalar};

/// (K + λI)α = y; centred if there is an intercept. With weights, of samples times their roots.
struct OfProducts<'a, F> {
    products: &'a dyn InnerProducts<F>,
    weights: &'a Weights<F>,
    penalty: F,
    intercept: bool,
    preconditioner: Preconditioner<F>,
}

impl<F: Scalar> System<F> for OfProducts<'_, F> {
    type Error = Error;

    fn apply(&mut self, a: ArrayView2<'_, F>) -> Result<(Array2<F>, Array1<F>), Error> {
        let mut image = self.products.apply(a)?;
        let means = self.centre(&mut image);
        image.scaled_add(self.penalty, &a);
        Ok((image, means))
    }

    fn centre(&self, columns: &mut Array2<F>) -> Array1<F> {
        if self.intercept {
            self.weights.take_constant(columns)
        } else {
            Array1::zeros(columns.ncols())
        }
    }

    fn precondition(&self, residuals: ArrayView2<'_, F>) -> Array2<F> {
        self.preconditioner.apply(residuals)
    }
}

impl IterativeRidgeValidParams {
    /// α of inner products and targets, these centred if there is an intercept.
    pub(super) fn solve<F: Scalar>(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &Array2<F>,
        weights: &Weights<F>,
    ) -> Result<Solution<F>, Error> {
        // In the type of the records.
        let penalty = F::cast(self.penalty);
        require_positive("IterativeRidge", "penalty", penalty.as_f64())?;
        let mut system = OfProducts {
            products,
            weights,
            penalty,
            intercept: self.intercept,
            preconditioner: self.preconditioner(products, weights)?,
        };
        solve(&mut system, targets, self.stop())
    }
}
