//! Quantile regression.

use super::{
    plane::{Plane, plane_fits, plane_model},
    scaled_penalty,
    solver::{self, Inputs, Problem, Training},
    svr::{Targets, require_range},
};
use crate::{Error, linear::parameters, targets::checked_targets, weights::Weights};
use linfa::{dataset::AsSingleTargets, traits::PredictInplace};
use ndarray::{Array1, ArrayBase, Axis, Data, Ix2};
use npt_core::{Scalar, catalogue::Range};

parameters! {
    QuantileRegression: QuantileRegressionParams, QuantileRegressionValidParams;
    default {
        /// The quantile must be > 0 and < 1; ½ is the median.
        quantile: f64 = 0.5, Range::ProperFraction, "The share τ of the targets that are to lie below the function.";
        /// The penalty must be > 0.
        c: f64 = 1.0, Range::Positive, "The penalty C of deviations from the function.";
        /// The tolerance must be > 0. The default is LIBSVM's.
        tolerance: f64 = 1e-3, Range::Positive, "The largest violation of the optimality conditions at which the solver stops, in units of the targets.";
    }
}

/// Quantile regression: the linear function below which a share τ of the targets lies, with the others above.
///
/// # Definition
/// w and b minimise ½‖w‖² + C Σ ρ(tᵢ − wᵀxᵢ − b), with the check loss ρ(u) = τu for u ≥ 0 and (τ − 1)u for u < 0. With
/// sample weights sᵢ the sum is of sᵢρ(…), and n is Σ sᵢ. `predict` and `transform` give wᵀx + b.
///
/// At most (1 − τ)n of the training targets lie above the function, and at most τn below it, except for targets that are on it to
/// the tolerance and to rounding. The reason is that b is not penalised, so that the coefficients of the dual, which are Csᵢτ
/// above and Csᵢ(τ − 1) below, sum to 0.
/// The functions of two quantiles are found each for itself, and may cross.
///
/// # Errors
/// [`Error::Parameter`], [`npt_core::Error::Weight`], [`npt_core::Error::NoWeight`] if all weights are 0,
/// [`npt_core::Error::TargetNotFinite`], [`Error::NotConverged`], [`Error::LostInRounding`], [`Error::Overflow`],
/// [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_methods::linear::QuantileRegression;
///
/// // Three targets at 0 and three at 1: the line of the medians is from 1 to 12, that of three quarters from 5 to 20.
/// let x = array![[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]];
/// let data = Dataset::new(x, array![0.0, 1.0, 5.0, 10.0, 12.0, 20.0]);
/// let params = QuantileRegression::params().c(100.0).tolerance(1e-9);
/// let median = params.clone().fit(&data)?;
/// assert!((median.weights()[0] - 11.0_f64).abs() < 1e-8 && (median.bias() - 1.0).abs() < 1e-8);
/// let upper = params.quantile(0.75).fit(&data)?;
/// assert!((upper.weights()[0] - 15.0_f64).abs() < 1e-8 && (upper.bias() - 5.0).abs() < 1e-8);
///
/// // ½w² + C Σ ρ(tᵢ − wxᵢ − b), which no other line makes smaller.
/// let objective = |w: f64, b: f64| {
///     let rho = |u: f64| if u < 0.0 { (0.75 - 1.0) * u } else { 0.75 * u };
///     let points = data.records().column(0).to_owned();
///     let losses = points.iter().zip(data.targets()).map(|(x, t)| rho(t - w * x - b));
///     w * w / 2.0 + 100.0 * losses.sum::<f64>()
/// };
/// assert_eq!(objective(15.0, 5.0), 112.5 + 100.0 * 0.25 * (5.0 + 4.0 + 10.0 + 8.0));
/// for (w, b) in [(14.9, 5.0), (15.1, 5.0), (15.0, 4.9), (15.0, 5.1)] {
///     assert!(objective(w, b) > objective(15.0, 5.0));
/// }
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// I. Takeuchi, Q. V. Le, T. D. Sears, A. J. Smola, "Nonparametric Quantile Estimation", Journal of Machine Learning
/// Research 7, 2006. <https://jmlr.org/papers/v7/takeuchi06a.html>
///
/// R. Koenker, G. Bassett, "Regression Quantiles", Econometrica 46(1), 1978. doi:10.2307/1913643
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QuantileRegression<F> {
    plane: Plane<F>,
}

impl QuantileRegression<f64> {
    /// Parameters for the median (τ = ½), with C = 1 and tolerance 10⁻³.
    pub fn params() -> QuantileRegressionParams {
        QuantileRegressionParams(QuantileRegressionValidParams::new())
    }
}

plane_model!(
    QuantileRegression,
    "The dual coefficients βᵢ with w = Σ βᵢxᵢ and Σ βᵢ = 0, one a training sample: Csᵢτ where the \
     target is above the function, Csᵢ(τ − 1) where it is below, and between where it is on it."
);

plane_fits!(
    QuantileRegressionParams,
    QuantileRegressionValidParams,
    QuantileRegression,
    [AsSingleTargets<Elem = F>],
    true
);

impl QuantileRegressionValidParams {
    fn solve<F: Scalar, T: AsSingleTargets<Elem = F>>(
        &self,
        inputs: &Inputs<'_>,
        targets: &T,
        weights: &Weights<F>,
    ) -> Result<QuantileRegression<F>, Error> {
        const OF: &str = "QuantileRegression";
        let targets = checked_targets(&targets.as_single_targets())?.remove_axis(Axis(1));
        let targets = Targets::new(&weights.select(targets));
        let c = scaled_penalty(inputs, OF, "c", self.c)? / targets.unit;
        let penalties = (0..inputs.samples()).map(|i| c * weights.of(i).as_f64());
        let problem = self.problem(&targets, &penalties.collect::<Vec<f64>>());
        let bounds = problem.upper.iter().chain(&problem.lower);
        bounds
            .into_iter()
            .try_for_each(|&bound| require_range(OF, bound))?;
        let tolerance = self.tolerance / targets.unit;
        let solution = solver::minimise(inputs, &problem, tolerance, OF)
            .map_err(solver::in_units::<F>(targets.unit))?;
        let dual = solution.scores.dual.iter().map(|v| v * targets.unit);
        let bias = solution.levels[0] * targets.unit + targets.first;
        let plane = Plane::new(OF, inputs, &dual.collect::<Vec<f64>>(), bias)?;
        Ok(QuantileRegression { plane })
    }

    /// Makes the problem min ½ Σ βᵢβⱼ⟨xᵢ, xⱼ⟩ − Σ tᵢβᵢ with Σ βᵢ = 0 and Cᵢ(τ − 1) ≤ βᵢ ≤ Cᵢτ.
    fn problem(&self, targets: &Targets, penalties: &[f64]) -> Problem {
        let samples = penalties.len();
        let times = |factor: f64| penalties.iter().map(|c| c * factor).collect();
        Problem {
            samples,
            linear: targets.values.iter().map(|t| -t).collect(),
            lower: times(self.quantile - 1.0),
            upper: times(self.quantile),
            group: vec![0; samples],
            groups: 1,
            start: vec![0.0; samples],
            scores: None,
        }
    }
}

impl<F: Scalar, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array1<F>>
    for QuantileRegression<F>
{
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<F>) {
        y.assign(&self.decision_function(x));
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<F> {
        Array1::zeros(x.nrows())
    }
}

npt_core::checked! { QuantileRegression<F> { plane: Plane<F> } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> QuantileRegression<F> {
    fn check_parts(&self) -> Result<(), String> {
        self.plane.check_parts_of::<Self>()
    }
}
