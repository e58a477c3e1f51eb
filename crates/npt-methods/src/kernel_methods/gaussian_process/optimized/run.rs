//! One search, from one start.

use super::{likelihood::Likelihood, variables::Variables};
use crate::Error;
use argmin::{
    core::{CostFunction, Executor, Gradient},
    solver::{linesearch::MoreThuenteLineSearch, quasinewton::LBFGS},
};
use npt_core::{Kernel, Samples, Scalar};
use num_traits::Float as _;
use std::{cell::RefCell, fmt};

/// Of so many steps L-BFGS knows the change of the gradient.
const MEMORY: usize = 10;

/// Steps of one descent at the most.
const STEPS: u64 = 200;

/// A descent ends where its line search finds no way down, or stalls; whether there is none, another says
/// from there, without what the first knew of gradients. So many at the most.
const DESCENTS: usize = 10;

/// After so many looks, two at a point, of which none is at a better one than the best before, a descent is at its end: a line search does not always
/// see that rounding is all that is left.
const PATIENCE: usize = 60;

/// So many roundings the cost of a sample is known to, which is about 1.
const FEW: f64 = 100.0;

/// Where a search for the largest marginal likelihood began, and how it went on.
#[derive(Debug, Clone, PartialEq)]
pub struct OptimizerRun {
    names: Vec<String>,
    path: Vec<OptimizerStep>,
    bounds: Vec<[f64; 2]>,
    evaluations: usize,
    converged: bool,
}

/// Parameters on the way, and what they are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct OptimizerStep {
    /// The values of the parameters, in the order of [`OptimizerRun::names`].
    pub parameters: Vec<f64>,
    /// ln p(t)
    pub log_marginal_likelihood: f64,
}

impl OptimizerRun {
    /// The names of the parameters that were moved, by their paths in the kernel; `noise` is σ².
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// From the start on, every step to a larger likelihood. Empty if the matrix 𝒦 + σ²I of the start
    /// is singular.
    pub fn path(&self) -> &[OptimizerStep] {
        &self.path
    }

    /// How often the likelihood and its derivatives were computed.
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

    /// Whether the search ended where nothing makes the likelihood larger, within the bounds.
    pub fn has_converged(&self) -> bool {
        self.converged
    }
}

/// A table, a line each step.
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

/// What the optimiser is told of a point: −ln p(t)/n, so that steps are as large for many samples as for
/// few.
#[derive(Clone)]
struct Point {
    unbounded: Vec<f64>,
    cost: f64,
    gradient: Vec<f64>,
}

/// What has been evaluated so far.
struct Seen {
    last: Option<Point>,
    worst: f64,
    run: OptimizerRun,
    /// The point of the last step of the path.
    best: Option<Point>,
    /// Looks since the best, in this descent.
    in_vain: usize,
    failure: Option<Error>,
}

struct Objective<'a, S, K: Kernel<S>>
where
    S: Samples,
{
    likelihood: &'a Likelihood<'a, S, K::Scalar>,
    variables: &'a Variables<'a, S, K>,
    seen: &'a RefCell<Seen>,
    /// What the optimiser sees is the cost times this: the first step is as long as the gradient, and no
    /// parameter is to change by more than a factor e by it.
    scale: f64,
}

impl<S: Samples, K: Kernel<S> + Clone> Objective<'_, S, K> {
    /// The point, evaluated unless it was the last one asked for.
    fn point(&self, unbounded: &[f64]) -> Result<Point, argmin::core::Error> {
        let seen = &mut *self.seen.borrow_mut();
        seen.in_vain += 1;
        if seen.in_vain > PATIENCE {
            return Err(argmin::core::Error::msg("no way down"));
        }
        if let Some(last) = &seen.last
            && last.unbounded == unbounded
        {
            return Ok(last.clone());
        }
        let point = self.evaluate(unbounded, seen).map_err(|error| {
            let text = error.to_string();
            seen.failure = Some(error);
            argmin::core::Error::msg(text)
        })?;
        seen.last = Some(point.clone());
        Ok(point)
    }

    fn evaluate(&self, unbounded: &[f64], seen: &mut Seen) -> Result<Point, Error> {
        let samples = self.likelihood.samples() as f64;
        let parameters = self.variables.values(unbounded);
        seen.run.evaluations += 1;
        let Some(value) = self.likelihood.at(self.variables, &parameters)? else {
            // Singular: worse than all that was seen, by as much as turns a line search back.
            return Ok(Point {
                unbounded: unbounded.to_vec(),
                cost: seen.worst + 1.0,
                gradient: vec![0.0; unbounded.len()],
            });
        };
        let mut gradient = value.derivatives;
        self.variables.unbound_derivatives(unbounded, &mut gradient);
        let point = Point {
            unbounded: unbounded.to_vec(),
            cost: -value.log_marginal_likelihood / samples,
            gradient: gradient.into_iter().map(|d| -d / samples).collect(),
        };
        seen.worst = seen.worst.max(point.cost);
        if seen.best.as_ref().is_none_or(|best| point.cost < best.cost) {
            seen.best = Some(point.clone());
            seen.in_vain = 0;
            seen.run.path.push(OptimizerStep {
                parameters,
                log_marginal_likelihood: value.log_marginal_likelihood,
            });
        }
        Ok(point)
    }
}

impl<S: Samples, K: Kernel<S> + Clone> CostFunction for Objective<'_, S, K> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, unbounded: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        Ok(self.point(unbounded)?.cost * self.scale)
    }
}

impl<S: Samples, K: Kernel<S> + Clone> Gradient for Objective<'_, S, K> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, unbounded: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        let gradient = self.point(unbounded)?.gradient;
        Ok(gradient.into_iter().map(|d| d * self.scale).collect())
    }
}

/// From `start`, unbounded, to where the likelihood is largest nearby.
pub(super) fn run<S: Samples, K: Kernel<S> + Clone>(
    likelihood: &Likelihood<'_, S, K::Scalar>,
    variables: &Variables<'_, S, K>,
    start: &[f64],
) -> Result<OptimizerRun, Error> {
    let seen = RefCell::new(Seen {
        last: None,
        worst: f64::NEG_INFINITY,
        best: None,
        in_vain: 0,
        failure: None,
        run: OptimizerRun {
            names: variables.names(),
            path: Vec::new(),
            bounds: variables.bounds(),
            evaluations: 0,
            converged: false,
        },
    });
    let objective = |scale: f64| Objective {
        likelihood,
        variables,
        seen: &seen,
        scale,
    };
    // An error is kept in what was seen.
    let _ = objective(1.0).point(start);
    let rounding = K::Scalar::epsilon().as_f64();
    for _ in 0..DESCENTS {
        let Some(from) = seen.borrow().best.clone() else {
            break;
        };
        let slope = from.gradient.iter().map(|d| d * d).sum::<f64>().sqrt();
        if slope <= rounding.sqrt() {
            seen.borrow_mut().run.converged = true;
            break;
        }
        {
            let seen = &mut *seen.borrow_mut();
            (seen.last, seen.in_vain) = (Some(from.clone()), 0);
        }
        descend(objective(slope.max(1.0).recip()), &from, rounding);
        let seen = &mut *seen.borrow_mut();
        let gain = from.cost - seen.best.as_ref().map_or(from.cost, |best| best.cost);
        seen.run.converged = gain <= FEW * rounding * from.cost.abs().max(1.0);
        if seen.run.converged || seen.failure.is_some() {
            break;
        }
    }
    let seen = seen.into_inner();
    match seen.failure {
        Some(error) => Err(error),
        None => Ok(seen.run),
    }
}

/// L-BFGS, as far as it goes; the objective keeps what it finds.
fn descend<O>(objective: O, from: &Point, rounding: f64)
where
    O: CostFunction<Param = Vec<f64>, Output = f64>
        + Gradient<Param = Vec<f64>, Gradient = Vec<f64>>,
{
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY);
    let solver = solver.with_tolerance_grad(rounding.sqrt());
    let solver = solver.and_then(|solver| solver.with_tolerance_cost(FEW * rounding));
    let Ok(solver) = solver else {
        return;
    };
    // Where it ends, and why, shows in what was seen.
    let _ = Executor::new(objective, solver)
        .configure(|state| state.param(from.unbounded.clone()).max_iters(STEPS))
        .ctrlc(false)
        .run();
}
