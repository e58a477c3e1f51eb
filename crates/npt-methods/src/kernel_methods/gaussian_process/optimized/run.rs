//! A search for the largest marginal likelihood from one start.

use super::{likelihood::Likelihood, variables::Variables};
use crate::{
    Error,
    descent::{Descent, Point, settle},
};
use npt_core::{Kernel, Samples, Scalar, watch::Progress};
use num_traits::Float as _;
use std::fmt;

/// The most descents of a search. A descent ends where its line search finds no way down, or stalls. Another descent from there,
/// without what the first knew of gradients, shows whether there is a way.
const DESCENTS: usize = 10;

/// The error of the cost of a sample, which is about 1, in roundings.
const FEW: f64 = 100.0;

/// The longest step, in units of the logarithms, that is taken by the gradient alone: the descents ended at the minimum, but for
/// rounding.
const LAST_STEP: f64 = 1e-3;

/// A search for the largest marginal likelihood: its start, and its steps from there.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OptimizerRun {
    names: Vec<String>,
    path: Vec<OptimizerStep>,
    bounds: Vec<[f64; 2]>,
    evaluations: usize,
    converged: bool,
}

/// The parameters at one step of a search, and their likelihood.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct OptimizerStep {
    /// The values of the parameters, in the order of [`OptimizerRun::names`].
    pub parameters: Vec<f64>,
    /// The log marginal likelihood ln p(t).
    pub log_marginal_likelihood: f64,
}

impl OptimizerRun {
    /// The names of the parameters that were moved, by their paths in the kernel; `noise` is σ².
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The start and the steps from it, each to a larger likelihood. The end is where the gradient is smallest: steps whose likelihood is
    /// larger by rounding alone are left out, but for the start. Empty if the matrix 𝒦 + σ²I of the start is singular.
    pub fn path(&self) -> &[OptimizerStep] {
        &self.path
    }

    /// Returns how often the likelihood and its derivatives were computed.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// The names of the parameters that ended at one of their bounds, to 10⁻⁶ of it: the likelihood may be
    /// larger beyond.
    pub fn at_bounds(&self) -> Vec<&str> {
        let Some(last) = self.path.last() else {
            return Vec::new();
        };
        let near = |value: f64, bound: f64| (value - bound).abs() <= 1e-6 * bound;
        let all = self.names.iter().zip(&last.parameters).zip(&self.bounds);
        all.filter(|((_, value), bounds)| bounds.iter().any(|&bound| near(**value, bound)))
            .map(|((name, _), _)| name.as_str())
            .collect()
    }

    /// Returns whether the search ended where nothing makes the likelihood larger, within the bounds.
    pub fn has_converged(&self) -> bool {
        self.converged
    }
}

/// Prints a table of one line per step.
impl fmt::Display for OptimizerRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>14}", "ln p(t)")?;
        for name in &self.names {
            write!(f, "  {name:>12}")?;
        }
        for step in &self.path {
            write!(f, "\n{:>14.6}", step.log_marginal_likelihood)?;
            for (name, value) in self.names.iter().zip(&step.parameters) {
                write!(f, "  {value:>width$.4e}", width = name.len().max(12))?;
            }
        }
        Ok(())
    }
}

/// A search as it goes on. It minimises −ln p(t)/n, so that steps are as large for many samples as for few.
struct Search<'a, S, K: Kernel<S>>
where
    S: Samples,
{
    likelihood: &'a Likelihood<'a, S, K::Scalar>,
    variables: &'a Variables<'a, S, K>,
    worst: f64,
    run: OptimizerRun,
    /// The points of the path.
    points: Vec<Point>,
}

impl<S: Samples, K: Kernel<S> + Clone> Search<'_, S, K> {
    fn look(&mut self, position: &[f64]) -> Result<Point, Error> {
        let samples = self.likelihood.samples() as f64;
        let parameters = self.variables.values(position);
        self.run.evaluations += 1;
        let Some(value) = self.likelihood.at(self.variables, &parameters)? else {
            // C is singular: the cost is above all costs that were seen, by enough to turn a line search back.
            return Ok(Point {
                position: position.to_vec(),
                cost: self.worst + 1.0,
                gradient: vec![0.0; position.len()],
            });
        };
        let mut gradient = value.derivatives;
        self.variables.unbound_derivatives(position, &mut gradient);
        let cost = -value.log_marginal_likelihood / samples;
        self.worst = self.worst.max(cost);
        let point = Point {
            position: position.to_vec(),
            cost,
            gradient: gradient.into_iter().map(|d| -d / samples).collect(),
        };
        if self.points.last().is_none_or(|best| cost < best.cost) {
            self.go(&point, parameters);
        }
        Ok(point)
    }

    /// Appends a step to the path.
    fn go(&mut self, point: &Point, parameters: Vec<f64>) {
        self.points.push(point.clone());
        self.run.path.push(OptimizerStep {
            parameters,
            log_marginal_likelihood: -point.cost * self.likelihood.samples() as f64,
        });
    }

    /// Goes on from the end of the path by the gradient alone. The point where this ends takes the place of the steps that cost less by
    /// rounding alone.
    fn settle(&mut self) -> Result<(), Error> {
        let size = self
            .points
            .last()
            .map_or(1.0, |best| best.cost.abs().max(1.0));
        // The rounding of the cost grows with the condition of the matrix; it stays below the 1 that a point without value costs more.
        let noise = (K::Scalar::epsilon().as_f64().sqrt() * size).min(0.5);
        let limits = (LAST_STEP, noise);
        let end = settle(self.points.clone(), limits, |position| self.look(position))?;
        if let Some(end) = end.filter(|end| self.points.last() != Some(end)) {
            let larger = self.points.iter().rposition(|point| point.cost > end.cost);
            let kept = larger.unwrap_or(0) + 1;
            self.points.truncate(kept);
            self.run.path.truncate(kept);
            self.go(&end, self.variables.values(&end.position));
        }
        Ok(())
    }
}

/// Searches from `start`, in unbounded variables, to the nearest maximum of the likelihood.
pub(super) fn run<S: Samples, K: Kernel<S> + Clone>(
    likelihood: &Likelihood<'_, S, K::Scalar>,
    variables: &Variables<'_, S, K>,
    start: &[f64],
) -> Result<OptimizerRun, Error> {
    let mut search = Search {
        likelihood,
        variables,
        worst: f64::NEG_INFINITY,
        points: Vec::new(),
        run: OptimizerRun {
            names: variables.names(),
            path: Vec::new(),
            bounds: variables.bounds(),
            evaluations: 0,
            converged: false,
        },
    };
    let mut at = search.look(start)?;
    if search.run.path.is_empty() {
        return Ok(search.run);
    }
    let rounding = K::Scalar::epsilon().as_f64();
    let descent = Descent {
        slope: rounding.sqrt(),
        change: FEW * rounding,
    };
    let mut progress = Progress::start("marginal likelihood", None);
    for _ in 0..DESCENTS {
        let (looks, likelihood) = (search.run.evaluations, -at.cost);
        if progress.should_finish(looks, "the log marginal likelihood of a sample", likelihood) {
            break;
        }
        let before = at.cost;
        if at.slope() > rounding.sqrt() {
            at = descent.run(at, |position| search.look(position))?;
        }
        if before - at.cost <= FEW * rounding * before.abs().max(1.0) {
            search.run.converged = true;
            search.settle()?;
            break;
        }
    }
    Ok(search.run)
}

npt_core::checked! {
    OptimizerRun {
        names: Vec<String>,
        path: Vec<OptimizerStep>,
        bounds: Vec<[f64; 2]>,
        evaluations: usize,
        converged: bool,
    }
}

#[cfg(feature = "serde")]
impl OptimizerRun {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::agree;
        let names = self.names.len();
        agree("bounds", self.bounds.len(), "parameters", names)?;
        let mut steps = self.path.iter();
        steps.try_for_each(|step| agree("values", step.parameters.len(), "parameters", names))
    }
}
