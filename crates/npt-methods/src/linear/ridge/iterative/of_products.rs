//! The equations of ridge regression on inner products.

use super::{
    IterativeRidgeValidParams,
    conjugate_gradients::{Solution, Stop, System, solve},
    preconditioner::Preconditioner,
};
use crate::{Error, error::require_positive, magnitude::largest, weights::Weights};
use ndarray::{Array1, Array2, ArrayView2};
use npt_core::{InnerProducts, Scalar};

/// The equations (K + λI)α = y, centred if there is an intercept; weighted samples are multiplied by the roots of their weights.
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
        let means = self.center(&mut image);
        image.scaled_add(self.penalty, &a);
        Ok((image, means))
    }

    fn center(&self, columns: &mut Array2<F>) -> Array1<F> {
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

/// The number of ε by which an inner product may be off.
const FEW: f64 = 4.0;

/// The relative error of α up to which α is accepted where rounding leaves no less: a Cholesky factor of the inner products may know more.
const KNOWN: f64 = 0.01;

/// The number of steps after which a Cholesky factor of the inner products costs no more.
const FEW_STEPS: usize = 50;

/// Solves for α to rounding, with the penalty λ, centred if there is an intercept. Returns `None` if that takes too many steps.
/// The features, which are centred likewise, have nearly these inner products.
pub(in super::super) fn solve_preconditioned<F: Scalar>(
    products: &dyn InnerProducts<F>,
    weights: &Weights<F>,
    features: Array2<F>,
    (penalty, intercept): (F, bool),
    targets: &Array2<F>,
) -> Result<Option<Solution<F>>, Error> {
    if !(penalty > F::zero()) {
        return Ok(None);
    }
    let size = largest(&products.diag()) + penalty;
    let rounding = FEW * F::epsilon().as_f64() * (products.samples() as f64).sqrt() * size.as_f64();
    let mut system = OfProducts {
        products,
        weights,
        penalty,
        intercept,
        preconditioner: Preconditioner::new(features, penalty)?,
    };
    let stop = Stop {
        tolerance: 0.0,
        iterations: FEW_STEPS,
        rounding: rounding.min(KNOWN * penalty.as_f64()),
    };
    match solve(&mut system, targets, stop) {
        Ok(solution) => Ok(Some(solution)),
        Err(Error::NotConverged { .. } | Error::Overflow { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

impl IterativeRidgeValidParams {
    /// Solves for α from inner products and targets; the targets are centred if there is an intercept.
    pub(super) fn solve<F: Scalar>(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &Array2<F>,
        weights: &Weights<F>,
    ) -> Result<Solution<F>, Error> {
        // The penalty in the type of the records.
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
