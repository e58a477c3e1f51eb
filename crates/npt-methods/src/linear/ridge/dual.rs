//! Ridge regression on inner products.

use super::{
    Center, PATH, Problem, Projected, Ridge, RidgeParams, RidgeSolver, RidgeValidParams,
    iterative::{Solution as Iterated, solve_preconditioned},
    rounding,
    single::Solved,
    solve,
};
use crate::{
    Error,
    magnitude::largest,
    targets::checked_targets,
    weights::{WeighedProducts, Weights},
};
use linfa::{ParamGuard, dataset::AsTargets};
use ndarray::{Array1, Array2, ArrayView1};
use npt_core::{Dual, DualForm, ExpansionMethod, InnerProducts, Scalar, linalg};

impl<F: Scalar, T: AsTargets<Elem = F>> ExpansionMethod<F, T, Error> for RidgeParams {
    fn dual_form(&self) -> Option<&dyn DualForm<F, T, Error, Expanded = Ridge<F, T::Ix>>> {
        Some(self)
    }
}

/// Fits α = (K + λI)⁻¹y, with K and y centred if there is an intercept.
impl<F: Scalar, T: AsTargets<Elem = F>> DualForm<F, T, Error> for RidgeParams {
    type Expanded = Ridge<F, T::Ix>;

    fn ignores_shift(&self) -> bool {
        self.0.intercept
    }

    fn fit_dual(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Dual<Self::Expanded, F>>, Error> {
        let params = self.check_ref()?;
        let weights = Weights::new(weights, products.samples())?;
        if weights.given().is_some() && params.penalty.len() > 1 {
            return Err(Error::Weights { of: PATH });
        }
        let (y, mut offsets) = dual_targets(targets, params.intercept, &weights)?;
        let solution = if let Some(x) = products.coordinates() {
            params.by_coordinates(weights.select(x.to_owned()), y, &weights)?
        } else {
            let mut solved = params.by_products(products, &y, &weights)?;
            if solved.is_none() && params.precision.is_below::<F>() {
                solved = params.by_single_factor(products, &y, &weights)?;
            }
            if let Some(Solved { penalty, x, means }) = solved {
                offsets -= &means;
                return Ok(Some(Dual {
                    method: Ridge::of_predictions(y.ncols(), penalty),
                    coefficients: weights.spread(weights.times_roots(x)),
                    offsets,
                }));
            }
            params.by_gram(weights.gram(products)?, &y, &weights)?
        };
        let Some(Solution {
            penalty,
            mut alpha,
            means,
        }) = solution
        else {
            return Ok(None);
        };
        if params.intercept {
            // Centred inner products are ⟨xᵢ, x⟩ less their mean over the samples. As the α sum
            // to 0, the difference is a constant.
            weights.of_uncentered(&mut alpha);
            offsets -= &means.dot(&alpha);
        }
        Ok(Some(Dual {
            method: Ridge::of_predictions(alpha.ncols(), penalty),
            coefficients: weights.spread(alpha),
            offsets,
        }))
    }
}

/// Returns the targets of samples with positive weight, times the roots of the weights, and the means that an intercept takes
/// away from the targets.
pub(super) fn dual_targets<F: Scalar, T: AsTargets<Elem = F>>(
    targets: &T,
    intercept: bool,
    weights: &Weights<F>,
) -> Result<(Array2<F>, Array1<F>), Error> {
    let mut y = weights.select(checked_targets(targets)?);
    let means = if intercept {
        weights.center(&mut y)
    } else {
        Array1::zeros(y.ncols())
    };
    Ok((weights.times_roots(y), means))
}

struct Solution<F> {
    penalty: f64,
    alpha: Array2<F>,
    /// The weighted mean of each sample's inner products with all samples.
    means: Array1<F>,
}

impl RidgeValidParams {
    /// Returns the penalty with the smallest leave-one-out error.
    fn best_penalty<F: Scalar>(
        &self,
        solver: &RidgeSolver<F>,
        targets: &Projected<'_, F>,
    ) -> Result<f64, Error> {
        let (mut best, mut least) = (self.penalty[0], F::infinity());
        for &penalty in &self.penalty {
            let residuals = solver.leave_one_out(targets, penalty)?;
            let error: F = residuals.iter().map(|&e| e * e).sum();
            if error < least {
                (best, least) = (penalty, error);
            }
        }
        Ok(best)
    }

    fn by_gram<F: Scalar>(
        &self,
        mut k: Array2<F>,
        y: &Array2<F>,
        weights: &Weights<F>,
    ) -> Result<Option<Solution<F>>, Error> {
        let mut means = Array1::zeros(k.nrows());
        if self.intercept {
            means = weights.center_gram(&mut k);
        }
        if let [penalty] = self.penalty[..] {
            weights.scale_gram(&mut k);
            return match solve(k, y.view(), penalty, 0.0) {
                Ok(alpha) => Ok(Some(Solution {
                    penalty,
                    alpha: weights.times_roots(alpha),
                    means,
                })),
                Err(Error::Singular { .. }) => Ok(None),
                Err(other) => Err(other),
            };
        }
        let solver = RidgeSolver::of_gram(k, self.intercept, "Ridge", "penalty")?;
        if !self
            .penalty
            .iter()
            .all(|&penalty| solver.is_regular(penalty))
        {
            return Ok(None);
        }
        let targets = solver.project(y.view());
        let penalty = self.best_penalty(&solver, &targets)?;
        Ok(Some(Solution {
            penalty,
            alpha: solver.weights(&targets, F::cast(penalty)),
            means,
        }))
    }

    /// Solves by conjugate gradients, which the coordinates of a smooth kernel make converge in a few steps. The equations are those
    /// of the inner products themselves: what coordinates leave of these may be more than the penalty. Returns `None` without
    /// coordinates, and where the steps are too many.
    fn by_products<F: Scalar>(
        &self,
        products: &dyn InnerProducts<F>,
        y: &Array2<F>,
        weights: &Weights<F>,
    ) -> Result<Option<Solved<F>>, Error> {
        let Some(features) = products.approximate_coordinates() else {
            return Ok(None);
        };
        let mut features = weights.times_roots(weights.select(features.to_owned()));
        if self.intercept {
            weights.take_constant(&mut features);
        }
        let penalty = if let [penalty] = self.penalty[..] {
            penalty
        } else {
            let level = least_penalty(&features);
            if self.penalty.iter().any(|&v| F::cast(v) <= level) {
                return Ok(None);
            }
            let solver = RidgeSolver::new(features.view(), self.intercept, "Ridge", "penalty")?;
            self.best_penalty(&solver, &solver.project(y.view()))?
        };
        let weighed = WeighedProducts::new(products, weights);
        let equations = (F::cast(penalty), self.intercept);
        let solution = solve_preconditioned(&weighed, weights, features, equations, y)?;
        Ok(solution.map(|Iterated { x, means, .. }| Solved { penalty, x, means }))
    }

    /// Solves for w in coordinates. What w leaves of the targets, times the weights, is λα.
    fn by_coordinates<F: Scalar>(
        &self,
        mut x: Array2<F>,
        y: Array2<F>,
        weights: &Weights<F>,
    ) -> Result<Option<Solution<F>>, Error> {
        let mut origin = Array1::zeros(x.ncols());
        if self.intercept {
            origin = weights.center(&mut x);
        }
        // The means are ⟨xᵢ, x̄⟩, from centred rows.
        let means = x.dot(&origin) + origin.dot(&origin);
        x = weights.times_roots(x);
        let level = least_penalty(&x);
        if self
            .penalty
            .iter()
            .any(|&penalty| F::cast(penalty) <= level)
        {
            return Ok(None);
        }
        let penalty = if let [penalty] = self.penalty[..] {
            penalty
        } else {
            let solver = RidgeSolver::new(x.view(), self.intercept, "Ridge", "penalty")?;
            self.best_penalty(&solver, &solver.project(y.view()))?
        };
        let columns = y.ncols();
        let problem = Problem {
            x,
            y,
            lost: Array1::zeros(origin.len()),
            center: Center {
                records: origin,
                targets: Array1::zeros(columns),
            },
        };
        let w = problem.weights(penalty)?;
        let fitted = linalg::product(problem.x.view(), w.view());
        let left = (problem.y - fitted) / F::cast(penalty);
        Ok(Some(Solution {
            penalty,
            alpha: weights.times_roots(left),
            means,
        }))
    }
}

/// Returns the level below which a penalty is rounding beside the squares of coordinates.
fn least_penalty<F: Scalar>(x: &Array2<F>) -> F {
    rounding::<F>(x.nrows()) * largest(&x.mapv(|v| v * v)) * F::cast(x.nrows())
}
