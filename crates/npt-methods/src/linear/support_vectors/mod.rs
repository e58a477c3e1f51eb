//! Support vector methods: planes that few samples hold in place.

mod calibrated;
mod coupling;
mod folds;
mod hard_margin;
mod labels;
mod multiclass;
mod nu_svc;
mod of_blocks;
mod one_class;
mod plane;
mod platt;
mod promised;
mod quantile_regression;
mod solver;
mod svc;
mod svr;

pub use calibrated::{CalibratedSvc, CalibratedSvcParams};
pub use hard_margin::{HardMarginSvc, HardMarginSvcParams};
pub use labels::{Classes, Sides, SvcKind, SvcLabel};
pub use multiclass::{MulticlassSvc, MulticlassSvcParams, Strategy};
pub use nu_svc::{NuSvc, NuSvcParams};
pub use one_class::{OneClassSvm, OneClassSvmParams};
pub use quantile_regression::{QuantileRegression, QuantileRegressionParams};
pub use svc::{Svc, SvcParams};
pub use svr::{Svr, SvrParams};

use crate::{Error, magnitude::largest, weights::Weights};
use npt_core::{Scalar, linalg};
use solver::{Inputs, Problem, Solution};

/// Returns the penalty in the units of the inputs, or an error that names the parameter `c`.
fn scaled_penalty(
    inputs: &Inputs<'_>,
    of: &'static str,
    parameter: &'static str,
    c: f64,
) -> Result<f64, Error> {
    inputs.penalty(c, of).map_err(|_| Error::Parameter {
        of,
        parameter,
        value: c,
        allowed: "neither too large nor too small for the squared size of the records: scale one \
                  of them",
    })
}

/// Returns variables for the start: as many as the sum allows are at their upper bounds, the next takes what is left, the others are 0.
fn filled(bounds: impl IntoIterator<Item = f64>, sum: f64) -> impl Iterator<Item = f64> {
    let mut left = sum;
    bounds.into_iter().map(move |bound| {
        let value = left.clamp(0.0, bound);
        left -= value;
        value
    })
}

/// Returns the weights of samples in a unit near the largest, for problems in which a common factor means nothing.
fn relative_weights<F: Scalar>(inputs: &Inputs<'_>, weights: &Weights<F>) -> Vec<f64> {
    match weights.given() {
        Some(weights) => {
            let weights = weights.mapv(Scalar::as_f64);
            let unit = linalg::power_of_two_near(largest(&weights));
            (weights / unit).to_vec()
        }
        None => vec![1.0; inputs.samples()],
    }
}

/// Solves a problem whose solution is stated in units of its own margin, to `tolerance` in these
/// units. Returns the solution and the margin.
fn minimise_in_margins(
    inputs: &Inputs<'_>,
    mut problem: Problem,
    tolerance: f64,
    of: &'static str,
    margin: impl Fn(&[f64]) -> f64,
) -> Result<(Solution, f64), Error> {
    let mut absolute = tolerance;
    loop {
        let solution = solver::minimise(inputs, &problem, absolute, of)?;
        let margin = margin(&solution.levels);
        if solution.is_unfinished {
            return if margin > 0.0 {
                Ok((solution, margin))
            } else {
                Err(Error::NotConverged {
                    method: of,
                    measure: "the margin",
                    value: margin,
                })
            };
        }
        // Up to two levels make a margin, and each is known to rounding only.
        let known = margin > 4.0 * solution.rounding;
        if known && absolute <= (tolerance * margin).max(solution.rounding) {
            return Ok((solution, margin));
        }
        if absolute <= solution.rounding {
            return Err(Error::NoMargin { method: of });
        }
        // Half of what is needed, as the margin may still shrink. While the margin is not known, it may
        // just be smaller than the last tolerance.
        let needed = if known { tolerance * margin / 2.0 } else { 0.0 };
        absolute = needed.max(absolute / 100.0).min(absolute / 2.0);
        debug_assert_eq!(
            problem.start.len(),
            problem.samples,
            "one variable a sample"
        );
        problem.start.clone_from(&solution.scores.dual);
        problem.scores = Some(solution.scores);
    }
}
