//! Support vector classification by the share of support vectors.

use super::{
    filled, minimise_in_margins,
    plane::{Plane, plane_fits},
    relative_weights,
    solver::{Inputs, Problem, Training},
    svc::{Svc, balancing_factors, weighed_signs},
};
use crate::{Error, linear::parameters, weights::Weights};
use linfa::dataset::AsSingleTargets;
use npt_core::{Scalar, catalogue::Range};

parameters! {
    NuSvc: NuSvcParams, NuSvcValidParams;
    required {
        nu: f64, Range::Share, "The share ν of the samples that may violate the margin; at least so many are support vectors.";
    }
    default {
        /// Any ν has a solution if both classes count equally.
        balanced: bool = false, Range::Boolean, "Whether both classes count as much, as if each sample of the rarer class were several.";
        /// The tolerance must be > 0.
        tolerance: f64 = 1e-3, Range::Positive, "The largest violation of the optimality conditions at which the solver stops, in units of the margin.";
    }
}

/// Support vector classification of two classes with ν in place of C: at most a share ν of the
/// samples violates the margin, and at least a share ν are support vectors.
///
/// # Definition
/// With yᵢ = 1 for `true` and −1 for `false`, w, b and ρ minimise
/// ½‖w‖² − νρ + Σ max(0, ρ − yᵢ(wᵀxᵢ + b))/n. The fitted model is a [`Svc`], divided by ρ so that
/// its margin is 1: it is the [`Svc`] of C = 1/(nρ). With sample weights sᵢ the sum is that of sᵢ max(0, …), and n is Σ sᵢ.
///
/// # Parameters
/// ν in (0, 1], and at most twice the share of the smaller class, by weight.
///
/// # Errors
/// [`Error::InfeasibleNu`], [`Error::NoMargin`] where the optimum is w = 0, [`Error::Classes`]
/// unless both classes occur, with a weight above 0; [`npt_core::Error::Weight`], [`npt_core::Error::NoWeight`] if all
/// weights are 0, [`Error::Parameter`], [`Error::NotConverged`], [`Error::Overflow`],
/// [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use ndarray::array;
/// use npt_methods::linear::NuSvc;
///
/// // νn/2 = ¾: a support vector in each class is enough, as none may have more than 1. The margin
/// // lies between 1 and 3: w = 1, b = −2.
/// let data = Dataset::new(array![[0.0], [1.0], [3.0], [9.0]], array![false, false, true, true]);
/// let svc = NuSvc::params(0.375).tolerance(1e-9).fit(&data)?;
/// assert!((svc.weights()[0] - 1.0_f64).abs() < 1e-9 && (svc.bias() + 2.0).abs() < 1e-9);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// B. Schölkopf, A. Smola, R. Williamson, P. Bartlett, "New Support Vector Algorithms", Neural
/// Computation 12(5), 2000. doi:10.1162/089976600300015565
#[derive(Debug, Clone, Copy)]
pub struct NuSvc;

impl NuSvc {
    /// Parameters of the classifier for ν, with tolerance 10⁻³.
    pub fn params(nu: f64) -> NuSvcParams {
        NuSvcParams(NuSvcValidParams::new(nu))
    }
}

plane_fits!(
    NuSvcParams,
    NuSvcValidParams,
    Svc,
    [AsSingleTargets<Elem = bool>],
    true
);

impl NuSvcValidParams {
    /// Makes the problem of samples with these signs and weights.
    fn problem(&self, signs: &[f64], weights: &[f64]) -> Result<Problem, Error> {
        let samples = signs.len();
        let of_side = |side: f64| {
            let of_side = signs.iter().zip(weights);
            of_side.map(move |(y, &w)| if side * y > 0.0 { w } else { 0.0 })
        };
        let of_sides = [1.0, -1.0].map(|side| of_side(side).sum::<f64>());
        let total: f64 = of_sides.iter().sum();
        let (factors, largest) = if self.balanced {
            (balancing_factors(of_sides), 1.0)
        } else {
            ([1.0; 2], 2.0 * of_sides[0].min(of_sides[1]) / total)
        };
        let bounds = |side: f64| {
            let factor = factors[usize::from(side < 0.0)];
            of_side(side).map(move |w| w * factor)
        };
        if self.nu > largest {
            return Err(Error::InfeasibleNu {
                nu: self.nu,
                largest,
            });
        }
        // min ½ Σ αᵢαⱼyᵢyⱼ⟨xᵢ, xⱼ⟩ with 0 ≤ αᵢ ≤ sᵢ that sum to ν/2 Σ sᵢ in each class
        let sum = self.nu * total / 2.0;
        let start = filled(bounds(1.0), sum).zip(filled(bounds(-1.0), sum));
        Ok(Problem {
            samples,
            linear: vec![0.0; samples],
            lower: bounds(-1.0).map(|bound| -bound).collect(),
            upper: bounds(1.0).collect(),
            start: start.map(|(above, below)| above - below).collect(),
            scores: None,
            group: signs.iter().map(|&y| usize::from(y < 0.0)).collect(),
            groups: 2,
        })
    }

    fn solve<F: Scalar, T: AsSingleTargets<Elem = bool>>(
        &self,
        inputs: &Inputs<'_>,
        targets: &T,
        weights: &Weights<F>,
    ) -> Result<Svc<F>, Error> {
        let signs = weighed_signs(targets, weights)?;
        let problem = self.problem(&signs, &relative_weights(inputs, weights))?;
        between_hulls("NuSvc", inputs, problem, self.tolerance)
    }
}

/// Returns the plane half-way between the points of the two classes' (reduced) hulls that are nearest to each other, with
/// margin 1. The problem has no linear term, and its groups are the positive class and the negative one.
pub(super) fn between_hulls<F: Scalar>(
    of: &'static str,
    inputs: &Inputs<'_>,
    problem: Problem,
    tolerance: f64,
) -> Result<Svc<F>, Error> {
    inputs.require_range(of)?;
    // Samples between their bounds have wᵀxᵢ = ρ − b in one class, and −ρ − b in the other.
    let (solution, margin) = minimise_in_margins(inputs, problem, tolerance, of, |levels| {
        (levels[1] - levels[0]) / 2.0
    })?;
    let dual = solution.scores.dual.iter().map(|value| value / margin);
    let bias = f64::midpoint(solution.levels[0], solution.levels[1]) / margin;
    let plane = Plane::new(of, inputs, &dual.collect::<Vec<f64>>(), bias)?;
    Ok(Svc { plane })
}
