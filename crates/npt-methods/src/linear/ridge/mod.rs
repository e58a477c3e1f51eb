//! Ridge regression.

mod dual;
mod iterative;
mod of_moments;
mod path;
mod single;
mod solver;

pub use iterative::{IterativeRidge, IterativeRidgeParams};
use path::RidgePathValidParams;
pub use path::{RidgePath, RidgePathParams, RidgePathPoint};
pub(crate) use solver::{Projected, RidgeSolver};

use super::{
    Precision, Weights, checked_targets, guarded_params, in_target_shape, largest, parameters,
    predict_targets, regular_cholesky, rounding, weighed_records,
};
use crate::{
    Error,
    error::{require, require_finite, require_no_weights, require_not_negative},
};
use linfa::{DatasetBase, dataset::AsTargets, traits::Fit};
use ndarray::{Array, Array1, Array2, ArrayBase, ArrayView2, Axis, Data, Ix1, Ix2};
use npt_core::{Scalar, catalogue::Range, linalg};
use std::marker::PhantomData;

parameters! {
    Ridge: RidgeParams, RidgeValidParams;
    default {
        /// The function is 0 at the origin without an intercept.
        intercept: bool = true, Range::Boolean, "Whether there is an intercept, which is not penalised.";
        /// It matters for one penalty, where the function is fitted to inner products alone, as by [`KernelRidge`](crate::KernelRidge) in
        /// its exact space.
        precision: Precision = Precision::Full, Range::Word(Precision::WORDS), "The precision of the n × n equations in the exact space; single takes half of the memory.";
    }
    held {
        penalty: Vec<f64> = vec![1.0], Range::NotNegatives, "The penalty λ of squared weights, in units of the squared records; of several the one with the smallest leave-one-out error.";
    }
    check check_penalties;
}

impl RidgeValidParams {
    fn check_penalties(&self) -> Result<(), Error> {
        let some = !self.penalty.is_empty();
        require(some, "Ridge", "number of penalties", 0.0, "at least 1")?;
        self.penalty
            .iter()
            .try_for_each(|&penalty| require_not_negative("Ridge", "penalty", penalty))
    }
}

impl RidgeParams {
    /// Sets the penalty λ ≥ 0, 1 by default, in units of the squared records.
    pub fn penalty(self, penalty: f64) -> Self {
        self.penalties(&[penalty])
    }

    /// Sets several penalties, of which the one with the smallest leave-one-out error is taken; see
    /// [`RidgePath`] for the errors themselves.
    pub fn penalties(mut self, penalties: &[f64]) -> Self {
        self.0.penalty = penalties.to_vec();
        self
    }
}

/// Ridge regression: least squares with a penalty on the squared weights, for targets of one column
/// or several.
///
/// # Definition
/// w and b minimise, for each column of targets by itself,
///
/// Σ (yᵢ − wᵀxᵢ − b)² + λ‖w‖².
///
/// With records and targets centred, w = (XᵀX + λI)⁻¹Xᵀy = Xᵀ(XXᵀ + λI)⁻¹y, whichever matrix is
/// the smaller, and b = ȳ − wᵀx̄. λ is a sum over samples, not a mean: twice the same samples take
/// twice the penalty.
///
/// Sample weights are factors of the squares, and means are weighted: a weight of 2 is a sample twice. With
/// several penalties they are refused.
///
/// Targets of shape (n) give predictions of shape (m), and targets of shape (n, columns) give predictions of
/// shape (m, columns).
///
/// # Errors
/// [`Error::Parameter`] for λ < 0, NaN or infinite, and for no λ at all; [`Error::Singular`] where λ
/// is too small, 0 in particular, for records whose columns are linearly dependent;
/// [`npt_core::Error::TargetNotFinite`], [`Error::NoTargets`], [`Error::Overflow`]; [`npt_core::Error::Weight`], and
/// [`npt_core::Error::NoWeight`] if all weights are 0; [`Error::Core`] for the records. With several penalties also the errors
/// of [`RidgePath`].
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_methods::linear::Ridge;
///
/// // Centred, Σx² = 2 and Σxy = 4: w = 4/(2 + λ), b = 3 − w.
/// let data = Dataset::new(array![[0.0], [1.0], [2.0]], array![1.0_f64, 3.0, 5.0]);
/// let line = Ridge::params().penalty(0.0).fit(&data)?;
/// assert!((&line.predict(&array![[3.0]]) - 7.0)[0].abs() < 1e-14);
/// let ridge = Ridge::params().penalty(2.0).fit(&data)?;
/// assert!((ridge.weights()[[0, 0]] - 1.0).abs() < 1e-15);
/// assert!((ridge.intercept()[0] - 2.0).abs() < 1e-15);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// A. E. Hoerl, R. W. Kennard, "Ridge Regression: Biased Estimation for Nonorthogonal Problems",
/// Technometrics 12(1), 1970. doi:10.1080/00401706.1970.10488634
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "F: serde::Serialize, I: ndarray::Dimension",))
)]
pub struct Ridge<F, I = Ix1> {
    /// The means; 0 without an intercept.
    center: Center<F>,
    /// One column per target.
    weights: Array2<F>,
    penalty: f64,
    #[cfg_attr(feature = "serde", serde(with = "npt_core::serial::axes"))]
    targets: PhantomData<I>,
}

/// The name of fits that take no weights: of a sample that stands for several, one or all could be left out.
const PATH: &str = "fits of RidgePath";

/// The means of records and targets that were taken away; 0 without an intercept.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
struct Center<F> {
    records: Array1<F>,
    targets: Array1<F>,
}

impl<F: Scalar> Center<F> {
    fn none(features: usize, targets: usize) -> Self {
        Self {
            records: Array1::zeros(features),
            targets: Array1::zeros(targets),
        }
    }
}

impl Ridge<f64> {
    /// Parameters with λ = 1 and an intercept.
    pub fn params() -> RidgeParams {
        RidgeParams(RidgeValidParams::new())
    }
}

impl<F: Scalar, I> Ridge<F, I> {
    /// Makes the regression whose records are the predictions themselves, one column per target.
    fn of_predictions(targets: usize, penalty: f64) -> Self {
        Self {
            center: Center::none(targets, targets),
            weights: Array2::eye(targets),
            penalty,
            targets: PhantomData,
        }
    }

    fn new(center: Center<F>, weights: Array2<F>, penalty: f64) -> Result<Self, Error> {
        require_finite("Ridge", weights.iter().chain(&center.targets))?;
        Ok(Self {
            center,
            weights,
            penalty,
            targets: PhantomData,
        })
    }

    /// Returns this regression as one that predicts a matrix, with one column per target.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::{Fit, Predict}};
    /// use ndarray::{Array1, Array2, Axis, array};
    /// use npt_methods::linear::Ridge;
    ///
    /// let x = array![[0.0], [1.0], [2.0]];
    /// let model = Ridge::params().fit(&Dataset::new(x.clone(), array![1.0, 2.0, 4.0]))?;
    /// let numbers: Array1<f64> = model.predict(&x);
    /// let column: Array2<f64> = model.of_columns().predict(&x);
    /// assert_eq!(column, numbers.insert_axis(Axis(1)));
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn of_columns(self) -> Ridge<F, ndarray::Ix2> {
        Ridge {
            center: self.center,
            weights: self.weights,
            penalty: self.penalty,
            targets: PhantomData,
        }
    }

    /// The weights w, shape (features, targets).
    pub fn weights(&self) -> ArrayView2<'_, F> {
        self.weights.view()
    }

    /// The intercepts b, one per target.
    pub fn intercept(&self) -> Array1<F> {
        &self.center.targets - &self.center.records.dot(&self.weights)
    }

    /// The penalty λ: the given one, or the best of several.
    pub fn penalty(&self) -> f64 {
        self.penalty
    }

    fn targets(&self) -> usize {
        self.weights.ncols()
    }

    fn values(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        // Records are centred first: far from the origin, wᵀx and b cancel.
        let x = &x - &self.center.records;
        linalg::product(x.view(), self.weights.view()) + &self.center.targets
    }
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for RidgeValidParams
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets<Elem = F>,
{
    type Object = Ridge<F, T::Ix>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Self::Object, Error> {
        let [penalty] = self.penalty[..] else {
            let path = RidgePathValidParams::new(self.clone()).fit(dataset)?;
            return Ok(path.into_best());
        };
        let (problem, _) = Problem::new(dataset, self.intercept)?;
        let weights = problem.weights(penalty)?;
        problem.model(weights, penalty)
    }
}

/// Records and targets, centred if there is to be an intercept, times the roots of weights if there are any.
struct Problem<F> {
    x: Array2<F>,
    y: Array2<F>,
    center: Center<F>,
    /// The part of the mean of the records that rounding lost: far from 0 it may count.
    lost: Array1<F>,
}

impl<F: Scalar> Problem<F> {
    fn new<D, T>(
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
        intercept: bool,
    ) -> Result<(Self, Weights<F>), Error>
    where
        D: Data<Elem = F>,
        T: AsTargets<Elem = F>,
    {
        let (mut x, weights) = weighed_records(dataset)?;
        let mut y = weights.select(checked_targets(dataset.targets())?);
        let (mut center, mut lost) = (Center::none(x.ncols(), y.ncols()), Array1::zeros(x.ncols()));
        if intercept {
            (center.records, lost) = weights.center_exactly(&mut x);
            center.targets = weights.center(&mut y);
        }
        let (x, y) = (weights.times_roots(x), weights.times_roots(y));
        let problem = Self { x, y, center, lost };
        Ok((problem, weights))
    }

    /// Makes the model with weights w.
    fn model<I>(&self, weights: Array2<F>, penalty: f64) -> Result<Ridge<F, I>, Error> {
        let mut center = self.center.clone();
        center.targets -= &self.lost.dot(&weights);
        Ridge::new(center, weights, penalty)
    }

    /// Computes w by one Cholesky factor.
    fn weights(&self, penalty: f64) -> Result<Array2<F>, Error> {
        let (x, y) = (self.x.view(), self.y.view());
        let (samples, features) = x.dim();
        if features <= samples {
            let right = linalg::product(x.t(), y);
            return solve(linalg::symmetric_rank_k(x), right.view(), penalty, 0.0);
        }
        let dual = solve(linalg::symmetric_rank_k(x.t()), y, penalty, 0.0)?;
        Ok(linalg::product(x.t(), dual.view()))
    }
}

/// Computes (A + λI)⁻¹B for a positive semidefinite A. The share `known` of the trace of A is its rounding, or that of its sums.
fn solve<F: Scalar>(
    mut a: Array2<F>,
    b: ArrayView2<'_, F>,
    penalty: f64,
    known: f64,
) -> Result<Array2<F>, Error> {
    let unknown = F::cast(known) * a.diag().sum();
    let level = rounding::<F>(a.nrows());
    let least = (level * largest(&a.diag())).max(unknown);
    let singular = || Error::Singular {
        of: "Ridge",
        parameter: "penalty",
        value: penalty,
        least: least.as_f64(),
    };
    a.diag_mut().mapv_inplace(|v| v + F::cast(penalty));
    let terms = a.diag().mapv(|v| v.max(unknown / level));
    if !regular_cholesky(&mut a, &terms)? {
        // An entry that is no number leaves no pivot that is one.
        require_finite("Ridge", a.iter())?;
        return Err(singular());
    }
    let half = linalg::solve_lower(a.view(), b);
    Ok(linalg::solve_lower_transposed(a.view(), half.view()))
}

predict_targets!(Ridge);

impl<F: Scalar, I> npt_core::LinearFunctions<F> for Ridge<F, I> {
    /// Returns the predictions, one column per target.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        (self.weights.clone(), self.intercept())
    }
}

impl<F: Scalar, I> npt_core::Expand<F> for Ridge<F, I> {
    type Expanded = Self;

    fn expanded(&self) -> Self {
        Self::of_predictions(self.weights.ncols(), self.penalty)
    }
}

npt_core::checked! {
    Ridge<F, I> {
        center: Center<F>,
        weights: Array2<F>,
        penalty: f64,
        #[serde(with = "npt_core::serial::axes")]
        targets: PhantomData<I>,
    }
    where F: Scalar, I: ndarray::Dimension + 'static
}

npt_core::checked! { Center<F> { records: Array1<F>, targets: Array1<F> } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar, I: ndarray::Dimension + 'static> Ridge<F, I> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, method, not_negative};
        let (features, columns) = self.weights.dim();
        crate::parts::check_functions(&self.weights, &self.center.targets)?;
        crate::parts::check_target_columns::<I>(columns)?;
        agree(
            "rows of weights",
            features,
            "features",
            self.center.records.len(),
        )?;
        not_negative("the penalty", self.penalty)?;
        method::takes::<Self>(features);
        Ok(())
    }
}

#[cfg(feature = "serde")]
impl<F: Scalar> Center<F> {
    fn check_parts(&self) -> Result<(), String> {
        let numbers = self.records.iter().chain(&self.targets);
        npt_core::serial::finite("the means", numbers)
    }
}
