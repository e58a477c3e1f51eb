//! Ridge regression on inner products.

use super::{
    Centre, Problem, Projected, Ridge, RidgeParams, RidgeSolver, RidgeValidParams, rounding, solve,
};
use crate::{
    Error,
    linear::{centre, largest, targets::checked_targets},
};
use linfa::{ParamGuard, dataset::AsTargets};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use npt_core::{Dual, DualForm, FoldableMethod, InnerProducts, Scalar, linalg};

impl<F: Scalar, T: AsTargets<Elem = F>> FoldableMethod<F, T, Error> for RidgeParams {
    fn dual_form(&self) -> Option<&dyn DualForm<F, T, Error, Folded = Ridge<F, T::Ix>>> {
        Some(self)
    }
}

/// α = (K + λI)⁻¹y, with K and y centred if there is an intercept.
impl<F: Scalar, T: AsTargets<Elem = F>> DualForm<F, T, Error> for RidgeParams {
    type Folded = Ridge<F, T::Ix>;

    fn ignores_shift(&self) -> bool {
        self.0.intercept
    }

    fn fit_dual(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
    ) -> Result<Option<Dual<Self::Folded, F>>, Error> {
        let params = self.check_ref()?;
        let (y, mut offsets) = dual_targets(targets, params.intercept)?;
        let solution = match products.coordinates() {
            Some(x) => params.by_coordinates(x, y)?,
            None => params.by_gram(products.gram()?, &y)?,
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
            // Centred inner products are ⟨xᵢ, x⟩ less their mean over the samples: where the α sum
            // to 0, that is a constant.
            let excess = alpha.mean_axis(Axis(0)).expect("there are samples");
            alpha -= &excess;
            offsets -= &means.dot(&alpha);
        }
        Ok(Some(Dual {
            method: Ridge::of_predictions(alpha.ncols(), penalty),
            coefficients: alpha,
            offsets,
        }))
    }
}

/// Targets, and their means where an intercept takes these away.
pub(super) fn dual_targets<F: Scalar, T: AsTargets<Elem = F>>(
    targets: &T,
    intercept: bool,
) -> Result<(Array2<F>, Array1<F>), Error> {
    let mut y = checked_targets(targets)?;
    let means = if intercept {
        centre(&mut y)
    } else {
        Array1::zeros(y.ncols())
    };
    Ok((y, means))
}

struct Solution<F> {
    penalty: f64,
    alpha: Array2<F>,
    /// The mean of each sample's inner products with all.
    means: Array1<F>,
}

impl RidgeValidParams {
    /// The one with the smallest leave-one-out error.
    fn best_penalty<F: Scalar>(
        &self,
        solver: &RidgeSolver<F>,
        targets: &Projected<'_, F>,
    ) -> Result<f64, Error> {
        let (mut best, mut least) = (self.penalties[0], F::infinity());
        for &penalty in &self.penalties {
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
    ) -> Result<Option<Solution<F>>, Error> {
        let mut means = Array1::zeros(k.nrows());
        if self.intercept {
            means = linalg::center(&mut k).of_rows;
        }
        if let [penalty] = self.penalties[..] {
            return match solve(k, y.view(), penalty) {
                Ok(alpha) => Ok(Some(Solution {
                    penalty,
                    alpha,
                    means,
                })),
                Err(Error::Singular { .. }) => Ok(None),
                Err(other) => Err(other),
            };
        }
        let solver = RidgeSolver::of_gram(k, self.intercept, "Ridge", "penalty")?;
        if !self
            .penalties
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

    /// What w leaves of the targets is λα.
    fn by_coordinates<F: Scalar>(
        &self,
        x: ArrayView2<'_, F>,
        y: Array2<F>,
    ) -> Result<Option<Solution<F>>, Error> {
        let mut x = x.to_owned();
        let mut origin = Array1::zeros(x.ncols());
        let uncentered = x.clone();
        if self.intercept {
            origin = centre(&mut x);
        }
        let means = uncentered.dot(&origin);
        let level = rounding::<F>(x.nrows()) * largest(&x.mapv(|v| v * v)) * F::cast(x.nrows());
        if self
            .penalties
            .iter()
            .any(|&penalty| F::cast(penalty) <= level)
        {
            return Ok(None);
        }
        let penalty = if let [penalty] = self.penalties[..] {
            penalty
        } else {
            let solver = RidgeSolver::new(x.view(), self.intercept, "Ridge", "penalty")?;
            self.best_penalty(&solver, &solver.project(y.view()))?
        };
        let columns = y.ncols();
        let problem = Problem {
            x,
            y,
            centre: Centre {
                records: origin,
                targets: Array1::zeros(columns),
            },
        };
        let weights = problem.weights(penalty)?;
        let fitted = linalg::product(problem.x.view(), weights.view());
        Ok(Some(Solution {
            penalty,
            alpha: (problem.y - fitted) / F::cast(penalty),
            means,
        }))
    }
}
