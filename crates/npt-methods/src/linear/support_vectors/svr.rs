//! Support vector regression.

use super::{
    filled,
    plane::{Plane, plane_fits, plane_model},
    promised::Promised,
    scaled_penalty,
    solver::{self, Inputs, Problem, Training, to_unit},
};
use crate::{
    Error, error::require_finite, linear::parameters, targets::checked_targets, weights::Weights,
};
use linfa::{dataset::AsSingleTargets, traits::PredictInplace};
use ndarray::{Array1, ArrayBase, Axis, Data, Ix2};
use npt_core::{Scalar, catalogue::Range};

parameters! {
    Svr: SvrParams, SvrValidParams;
    default {
        /// The penalty must be > 0.
        c: f64 = 1.0, Range::Positive, "The penalty C of deviations beyond the tube.";
        /// The tolerance must be > 0. The default is LIBSVM's.
        tolerance: f64 = 1e-3, Range::Positive, "The largest violation of the optimality conditions at which the solver stops, in units of the targets.";
    }
    held {
        epsilon: f64 = 0.1, Range::NotNegative, "The deviation ε that costs nothing.";
    }
    held_optional {
        nu: f64, Range::Share, "The share ν of the samples that may lie outside the tube, in the place of epsilon.";
    }
}

impl SvrParams {
    /// Sets the deviation ε ≥ 0 that costs nothing, 0.1 by default; it replaces ν.
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        (self.0.epsilon, self.0.nu) = (epsilon, None);
        self
    }

    /// Sets the share ν in (0, 1] of samples that may lie outside the tube; it replaces ε. Where the ε
    /// that results is above 0, at most this share lies outside, by the predictions of the model itself, and at least this share are
    /// support vectors.
    pub fn nu(mut self, nu: f64) -> Self {
        (self.0.epsilon, self.0.nu) = (SvrValidParams::new().epsilon, Some(nu));
        self
    }
}

/// Support vector regression, with a tube of half-width ε in which deviations cost nothing.
///
/// # Definition
/// w and b minimise ½‖w‖² + C Σ max(0, |wᵀxᵢ + b − yᵢ| − ε). With [`nu`](SvrParams::nu), ε is a
/// variable as well: w, b and ε minimise ½‖w‖² + C(νnε + Σ max(0, |wᵀxᵢ + b − yᵢ| − ε)). With sample weights sᵢ the
/// sums are of sᵢ max(0, …), and n is Σ sᵢ. `predict` and `transform` give wᵀx + b.
///
/// # Errors
/// [`Error::Parameter`], [`npt_core::Error::Weight`], [`npt_core::Error::NoWeight`] if all weights are 0,
/// [`npt_core::Error::TargetNotFinite`], [`Error::NotConverged`], [`Error::Overflow`], [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_methods::linear::Svr;
///
/// // The flattest line within 1 of all targets, from (0, 1) to (4, 7): w = 1.5, b = 1.
/// let data = Dataset::new(array![[0.0], [2.0], [4.0]], array![0.0, 4.0, 8.0]);
/// let svr = Svr::params().c(10.0).epsilon(1.0).tolerance(1e-9).fit(&data)?;
/// assert!((svr.weights()[0] - 1.5_f64).abs() < 1e-9 && (svr.bias() - 1.0).abs() < 1e-9);
/// let line = svr.predict(&array![[1.0]]);
/// assert!((line[0] - 2.5_f64).abs() < 1e-9);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// A. Smola, B. Schölkopf, "A Tutorial on Support Vector Regression", Statistics and Computing
/// 14(3), 2004. doi:10.1023/B:STCO.0000035301.49549.88
///
/// B. Schölkopf, A. Smola, R. Williamson, P. Bartlett, "New Support Vector Algorithms", Neural
/// Computation 12(5), 2000. doi:10.1162/089976600300015565
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Svr<F> {
    plane: Plane<F>,
    epsilon: F,
}

impl Svr<f64> {
    /// Parameters with C = 1, ε = 0.1 and tolerance 10⁻³.
    pub fn params() -> SvrParams {
        SvrParams(SvrValidParams::new())
    }
}

impl<F: Scalar> Svr<F> {
    /// The half-width ε of the tube, as given or as ν made it.
    pub fn epsilon(&self) -> F {
        self.epsilon
    }
}

plane_model!(
    Svr,
    "The dual coefficients βᵢ with w = Σ βᵢxᵢ, one a training sample: above 0 where the target is \
     above the tube, 0 for all within it."
);

plane_fits!(
    SvrParams,
    SvrValidParams,
    Svr,
    [AsSingleTargets<Elem = F>],
    true,
    settle_by
);

impl SvrValidParams {
    fn solve<F: Scalar, T: AsSingleTargets<Elem = F>>(
        &self,
        inputs: &Inputs<'_>,
        targets: &T,
        weights: &Weights<F>,
    ) -> Result<Svr<F>, Error> {
        let targets = checked_targets(&targets.as_single_targets())?.remove_axis(Axis(1));
        let targets = Targets::new(&weights.select(targets));
        let c = scaled_penalty(inputs, "Svr", "c", self.c)? / targets.unit;
        let penalties: Vec<f64> = (0..inputs.samples())
            .map(|i| c * weights.of(i).as_f64())
            .collect();
        penalties
            .iter()
            .try_for_each(|&c| require_range("Svr", c))?;
        let problem = self.problem(&targets, &penalties);
        let tolerance = self.tolerance / targets.unit;
        let solution = solver::minimise(inputs, &problem, tolerance, "Svr")
            .map_err(solver::in_units::<F>(targets.unit))?;
        let (bias, epsilon) = match (self.nu, &solution.levels[..]) {
            (Some(_), &[above, below]) => (
                f64::midpoint(above, below),
                // At ε = 0 rounding may leave less.
                ((above - below) / 2.0).max(0.0) * targets.unit,
            ),
            (Some(_), _) => unreachable!("ν has a constraint for either side"),
            (None, levels) => (levels[0], self.epsilon),
        };
        let dual: Vec<f64> = solution
            .scores
            .dual
            .iter()
            .map(|v| v * targets.unit)
            .collect();
        let bias = bias * targets.unit + targets.first;
        let plane = Plane::new("Svr", inputs, &dual, bias)?;
        let epsilon = F::cast(epsilon);
        require_finite("Svr", [&epsilon].into_iter())?;
        Ok(Svr { plane, epsilon })
    }
}

impl SvrValidParams {
    /// Raises an ε that ν has set to the deviations of samples that are to be in the tube. `sums` are the values without bias.
    fn settle_by<F: Scalar, T: AsSingleTargets<Elem = F>>(
        &self,
        model: &mut Svr<F>,
        bias: &mut F,
        sums: &Array1<F>,
        targets: &T,
        weights: &Weights<F>,
    ) {
        let (Some(share), dual) = (self.nu, &model.plane.dual) else {
            return;
        };
        if !(model.epsilon > F::zero()) || dual.len() != sums.len() {
            return;
        }
        let of_all = weights.of_all();
        let known = 1.0 - 16.0 * F::epsilon().as_f64();
        let is_outside = |i: usize| dual[i].as_f64().abs() >= self.c * of_all[i].as_f64() * known;
        let targets = targets.as_single_targets();
        let off = sums
            .iter()
            .zip(targets)
            .map(|(&sum, &y)| -((sum + *bias) - y).abs());
        let promised = Promised {
            values: &off.collect(),
            weights,
            share,
        };
        let slack = F::cast(4.0 * self.tolerance) + F::epsilon().sqrt() * model.epsilon;
        let epsilon = -promised.level(-model.epsilon, slack, is_outside);
        if epsilon.is_finite() {
            model.epsilon = epsilon;
        }
    }
}

/// The targets as the solver sees them: y = y₁ + t·y′. In the units of y′, the coefficients, the
/// penalty, ε and the tolerance are 1/t of what they are. So squares neither overflow nor vanish, and
/// targets that are far from 0 keep the digits in which they differ.
pub(super) struct Targets {
    pub(super) values: Array1<f64>,
    pub(super) first: f64,
    pub(super) unit: f64,
}

impl Targets {
    pub(super) fn new<F: Scalar>(targets: &Array1<F>) -> Self {
        let mut values = targets.mapv(F::as_f64);
        let unit = to_unit(&mut values);
        let first = values[0];
        values -= first;
        let inner_unit = to_unit(&mut values);
        Self {
            values,
            first: first * unit,
            unit: unit * inner_unit,
        }
    }
}

/// Refuses a penalty in the units of the solver that leaves the range of `f64`.
pub(super) fn require_range(of: &'static str, penalty: f64) -> Result<(), Error> {
    if penalty.is_normal() {
        Ok(())
    } else {
        Err(Error::Overflow { of })
    }
}

impl SvrValidParams {
    /// Makes the problem of βᵢ = αᵢ − αᵢ*. αᵢ and αᵢ* have a variable each, the second with its sign turned:
    /// min ½ Σ βᵢβⱼ⟨xᵢ, xⱼ⟩ − Σ yᵢβᵢ + ε Σ (αᵢ + αᵢ*) with Σ βᵢ = 0 and 0 ≤ αᵢ, αᵢ* ≤ Cᵢ.
    /// With ν, the last term is a constraint instead: the αᵢ sum to ν/2 Σ Cᵢ, and so do the αᵢ*.
    fn problem(&self, targets: &Targets, penalties: &[f64]) -> Problem {
        let samples = targets.values.len();
        let zeros = || std::iter::repeat_n(0.0, samples);
        let above = || penalties.iter().copied();
        let (epsilon, groups, sum) = match self.nu {
            // The targets differ by less than 4: in any tube that wide lies a constant.
            None => ((self.epsilon / targets.unit).min(4.0), 1, 0.0),
            Some(nu) => (0.0, 2, nu * above().sum::<f64>() / 2.0),
        };
        let start = || filled(above(), sum);
        let sides = [epsilon, -epsilon].into_iter();
        Problem {
            samples,
            linear: sides
                .flat_map(|e| targets.values.iter().map(move |y| e - y))
                .collect(),
            lower: zeros().chain(above().map(|c| -c)).collect(),
            upper: above().chain(zeros()).collect(),
            group: (0..2 * samples)
                .map(|t| (groups - 1) * (t / samples))
                .collect(),
            groups,
            start: start().chain(start().map(|s| -s)).collect(),
            scores: None,
        }
    }
}

impl<F: Scalar, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array1<F>> for Svr<F> {
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<F>) {
        y.assign(&self.decision_function(x));
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<F> {
        Array1::zeros(x.nrows())
    }
}

npt_core::checked! { Svr<F> { plane: Plane<F>, epsilon: F } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> Svr<F> {
    fn check_parts(&self) -> Result<(), String> {
        npt_core::serial::not_negative("ε", self.epsilon)?;
        self.plane.check_parts_of::<Self>()
    }
}
