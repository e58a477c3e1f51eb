//! Ridge regression by conjugate gradients.

mod conjugate_gradients;
mod of_blocks;
mod of_products;
mod preconditioner;

use super::{Problem, Ridge, dual::dual_targets, predict_targets};
use crate::{
    Error,
    linear::parameters,
    weights::{WeighedProducts, Weights},
};
pub(super) use conjugate_gradients::Solution;
pub(super) use of_products::solve_preconditioned;

use conjugate_gradients::Stop;
use linfa::{DatasetBase, ParamGuard, dataset::AsTargets, traits::Fit};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Data, Ix1, Ix2};
use npt_core::{Dual, DualForm, ExpansionMethod, InnerProducts, Scalar, catalogue::Range, linalg};

parameters! {
    IterativeRidge: IterativeRidgeParams, IterativeRidgeValidParams;
    default {
        /// The penalty must be > 0.
        penalty: f64 = 1.0, Range::Positive, "The penalty λ of squared weights, in units of the squared records.";
        /// The function is 0 at the origin without an intercept.
        intercept: bool = true, Range::Boolean, "Whether there is an intercept, which is not penalised.";
        /// The tolerance must be > 0. In `f32` some 10⁻⁶ is the least that can be reached. [`fit_blocks`](Self::fit_blocks) solves other
        /// equations, and its tolerance is that of their residual.
        tolerance: f64 = 1e-6, Range::Positive, "The residual ‖y − (K + λI)α‖ to come to, as a share of ‖y‖.";
        /// The number must be at least 1. Each iteration takes all inner products once.
        iterations: usize = 1000, Range::AtLeast(1), "The number of iterations that are allowed.";
        /// The preconditioner keeps n times as many numbers. More pivots need fewer iterations; with 0 there is no preconditioner.
        pivots: usize = 500, Range::AtLeast(0), "The number of samples that the preconditioner is made of.";
        seed: u64 = 0, Range::AtLeast(0), "The seed of the choice of these samples.";
    }
}

/// Ridge regression by preconditioned conjugate gradients, for so many samples that their inner products do not fit in memory.
/// The model is that of [`Ridge`](super::Ridge).
///
/// # Definition
/// w = Σ αᵢxᵢ with (K + λI)α = y for the inner products K of the records. K and y are centred if there is an
/// intercept. K is multiplied tile by tile, n² inner products each iteration, and never kept.
///
/// The preconditioner is FFᵀ + λI with FFᵀ the part of K that randomly chosen pivots explain
/// ([`low_rank_factor`](npt_core::low_rank_factor)). It takes away the large eigenvalues, so that iterations
/// are few where the other eigenvalues add up to little more than λ.
///
/// Sample weights are those of [`Ridge`](super::Ridge): K, y and the residual are then those of samples times the roots
/// of their weights.
///
/// The fit ends by the true residual, not by the residual that conjugate gradients keep, and never by the number of
/// iterations: [`relative_residual`](Self::relative_residual) is what was left.
///
/// # Errors
/// [`Error::Parameter`]; [`Error::NotConverged`] where the iterations that are allowed do not come to the tolerance;
/// [`npt_core::Error::TargetNotFinite`], [`Error::NoTargets`], [`Error::Overflow`]; [`npt_core::Error::Weight`], and
/// [`npt_core::Error::NoWeight`] if all weights are 0; [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_methods::linear::IterativeRidge;
///
/// // Centred, Σx² = 2 and Σxy = 4: w = 4/(2 + λ), b = 3 − w.
/// let data = Dataset::new(array![[0.0], [1.0], [2.0]], array![1.0_f64, 3.0, 5.0]);
/// let ridge = IterativeRidge::params().penalty(2.0).fit(&data)?;
/// assert!((ridge.weights()[[0, 0]] - 1.0).abs() < 1e-6);
/// assert!((ridge.intercept()[0] - 2.0).abs() < 1e-6);
/// assert!(ridge.relative_residual() <= 1e-6);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// M. Díaz, E. N. Epperly, Z. Frangella, J. A. Tropp, R. J. Webber, "Robust, Randomized Preconditioning for
/// Kernel Ridge Regression", 2023. arXiv:2304.12465
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "F: serde::Serialize, I: ndarray::Dimension",))
)]
pub struct IterativeRidge<F, I = Ix1> {
    ridge: Ridge<F, I>,
    iterations: usize,
    relative_residual: f64,
}

impl IterativeRidge<f64> {
    /// Parameters with λ = 1, an intercept, and tolerance 10⁻⁶.
    pub fn params() -> IterativeRidgeParams {
        IterativeRidgeParams(IterativeRidgeValidParams::new())
    }
}

impl<F: Scalar, I> IterativeRidge<F, I> {
    fn of_solution(ridge: Ridge<F, I>, solution: &Solution<F>) -> Self {
        let Solution {
            iterations,
            relative_residual,
            ..
        } = *solution;
        Self {
            ridge,
            iterations,
            relative_residual,
        }
    }

    /// Returns this regression as one that predicts a matrix, with one column per target.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::{Fit, Predict}};
    /// use ndarray::{Array1, Array2, Axis, array};
    /// use npt_methods::linear::IterativeRidge;
    ///
    /// let x = array![[0.0], [1.0], [2.0]];
    /// let model = IterativeRidge::params().fit(&Dataset::new(x.clone(), array![1.0, 2.0, 4.0]))?;
    /// let numbers: Array1<f64> = model.predict(&x);
    /// let column: Array2<f64> = model.of_columns().predict(&x);
    /// assert_eq!(column, numbers.insert_axis(Axis(1)));
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn of_columns(self) -> IterativeRidge<F, ndarray::Ix2> {
        IterativeRidge {
            ridge: self.ridge.of_columns(),
            iterations: self.iterations,
            relative_residual: self.relative_residual,
        }
    }

    /// The weights w, shape (features, targets).
    pub fn weights(&self) -> ArrayView2<'_, F> {
        self.ridge.weights()
    }

    /// The intercepts b, one per target.
    pub fn intercept(&self) -> Array1<F> {
        self.ridge.intercept()
    }

    /// The penalty λ.
    pub fn penalty(&self) -> f64 {
        self.ridge.penalty()
    }

    /// Returns the number of iterations that the fit took.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// ‖y − (K + λI)α‖ / ‖y‖, the largest of all targets; from [`fit_blocks`](IterativeRidgeParams::fit_blocks)
    /// ‖Yᵀt − (YᵀY + λI)w‖ / ‖Yᵀt‖.
    pub fn relative_residual(&self) -> f64 {
        self.relative_residual
    }

    fn targets(&self) -> usize {
        self.ridge.targets()
    }

    fn values(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        self.ridge.values(x)
    }
}

impl IterativeRidgeValidParams {
    fn stop(&self) -> Stop {
        Stop {
            tolerance: self.tolerance,
            iterations: self.iterations,
            rounding: 0.0,
        }
    }
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for IterativeRidgeValidParams
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets<Elem = F>,
{
    type Object = IterativeRidge<F, T::Ix>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Self::Object, Error> {
        let (mut problem, weights) = Problem::new(dataset, self.intercept)?;
        let solution = self.solve(&problem.x, &problem.y, &weights)?;
        // For centred records Kα has no mean: the means are what rounding had left in the targets.
        problem.center.targets -= &solution.means;
        let weights = linalg::product(problem.x.t(), solution.x.view());
        let ridge = problem.model(weights, self.penalty)?;
        Ok(IterativeRidge::of_solution(ridge, &solution))
    }
}

impl<F: Scalar, T: AsTargets<Elem = F>> ExpansionMethod<F, T, Error> for IterativeRidgeParams {
    fn dual_form(&self) -> Option<&dyn DualForm<F, T, Error, Expanded = IterativeRidge<F, T::Ix>>> {
        Some(self)
    }
}

impl<F: Scalar, T: AsTargets<Elem = F>> DualForm<F, T, Error> for IterativeRidgeParams {
    type Expanded = IterativeRidge<F, T::Ix>;

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
        let (y, mut offsets) = dual_targets(targets, params.intercept, &weights)?;
        let products = WeighedProducts::new(products, &weights);
        let mut solution = params.solve(&products, &y, &weights)?;
        // b is the mean of what the inner products leave of the targets.
        offsets -= &solution.means;
        let ridge = Ridge::of_predictions(y.ncols(), params.penalty);
        solution.x = weights.spread(weights.times_roots(solution.x));
        Ok(Some(Dual {
            method: IterativeRidge::of_solution(ridge, &solution),
            coefficients: solution.x,
            offsets,
        }))
    }
}

predict_targets!(IterativeRidge);

impl<F: Scalar, I> npt_core::LinearFunctions<F> for IterativeRidge<F, I> {
    /// Returns the predictions, one column per target.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        self.ridge.linear_functions()
    }
}

impl<F: Scalar, I: Clone> npt_core::Expand<F> for IterativeRidge<F, I> {
    type Expanded = Self;

    fn expanded(&self) -> Self {
        Self {
            ridge: self.ridge.expanded(),
            ..self.clone()
        }
    }
}

npt_core::checked! {
    IterativeRidge<F, I> { ridge: Ridge<F, I>, iterations: usize, relative_residual: f64 }
    where F: Scalar, I: ndarray::Dimension + 'static
}

#[cfg(feature = "serde")]
impl<F: Scalar, I: ndarray::Dimension + 'static> IterativeRidge<F, I> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{method, not_negative};
        not_negative("the relative residual", self.relative_residual)?;
        method::takes::<Self>(self.ridge.weights().nrows());
        Ok(())
    }
}
