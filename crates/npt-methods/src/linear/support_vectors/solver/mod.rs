//! The quadratic programs of all support vector methods, by one solver.
//!
//! With signed coefficients β (yᵢαᵢ of the field), the dual of each method is
//!
//! min ½ βᵀKβ + pᵀβ over lᵢ ≤ βᵢ ≤ uᵢ, with Σ βᵢ over each group as it was at the start.
//!
//! A sample has one variable, or two with the same row of K (regression has one for either side
//! of its tube). It takes rows xᵢ, with K their inner products, or K by blocks. Of hundreds of
//! samples it holds K whole; of more, the matrix of a working set: time and memory then grow with the
//! number of samples that move, not of all, and optimality is judged by all scores ⟨xⱼ, w⟩ computed
//! anew. It computes in `f64` whatever the samples are: in `f32` the last violations drown in
//! rounding.

mod inputs;
mod kernel_rows;
mod smo;
mod training;
mod working_set;

pub(super) use inputs::{Inputs, to_unit};
pub(super) use training::Training;

use crate::Error;
use ndarray::Array1;
use smo::Subproblem;
use working_set::WorkingSet;

/// Moves of pairs that are allowed, besides 100 a variable.
const MOVES: usize = 10_000_000;

/// Moves between two looks at all scores, besides 100 a sample: their rounding adds up.
const MOVES_A_ROUND: usize = 1000;

/// Working sets that are allowed, besides one for 100 samples.
const ROUNDS: usize = 10_000;

/// Numbers in rows of the kernel matrix that are kept, 256 MB of them.
const IN_ROWS: usize = 1 << 25;

/// What rounding of the solver itself is expected to leave of optimality, by the size of the terms.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// By so many times that a point may be off when it does not come nearer; or by what the inner
/// products are known to.
const SETTLED: f64 = 16.0;

/// Rounds in which it did not.
const PATIENCE: usize = 4;

/// A sample that is safe at its bounds by so many times the worst violation is not likely to leave
/// them before that is mended.
const SLACK: f64 = 2.0;

/// A quadratic program. The variables of the first layer come first, one a sample, then those of
/// the second layer, if there is one.
pub(super) struct Problem {
    pub(super) samples: usize,
    /// p
    pub(super) linear: Vec<f64>,
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    /// Which sum a variable belongs to, from 0.
    pub(super) group: Vec<usize>,
    pub(super) groups: usize,
    /// A feasible point.
    pub(super) start: Vec<f64>,
}

/// A point that satisfies the conditions of optimality.
pub(super) struct Solution {
    /// Σ of the variables of each sample.
    pub(super) dual: Vec<f64>,
    /// The multiplier of each group's constraint: the value −(Kβ + p)ᵢ that all its variables
    /// between their bounds share. Where there are none, the middle of what is optimal.
    pub(super) levels: Vec<f64>,
    /// How far rounding lets the levels be known.
    pub(super) rounding: f64,
}

/// The two ends of a group: the most that could be gained by raising a variable, and the least
/// that is lost by lowering one. Optimal is where the first is not above the second.
#[derive(Clone, Copy)]
struct Extremes {
    up: f64,
    down: f64,
}

impl Problem {
    /// Indices of the variables of some samples, layer by layer.
    fn variables(&self, samples: &[usize]) -> Vec<usize> {
        let layers = (0..self.linear.len()).step_by(self.samples);
        layers
            .flat_map(|first| samples.iter().map(move |i| first + i))
            .collect()
    }

    /// Rounding of many moves lets the sums drift; of each group, the variable with most room takes
    /// that back.
    fn restore_sums(&self, point: &mut [f64]) {
        for group in 0..self.groups {
            let of_group = || (0..point.len()).filter(|&t| self.group[t] == group);
            let drift: f64 = of_group().map(|t| self.start[t] - point[t]).sum();
            let room = |t: usize| (self.upper[t] - point[t]).min(point[t] - self.lower[t]);
            let widest = of_group().max_by(|&a, &b| room(a).total_cmp(&room(b)));
            if let Some(t) = widest.filter(|&t| room(t) >= drift.abs()) {
                point[t] += drift;
            }
        }
    }

    fn extremes(&self, point: &[f64], gradient: &[f64]) -> Vec<Extremes> {
        let none = Extremes {
            up: f64::NEG_INFINITY,
            down: f64::INFINITY,
        };
        let mut extremes = vec![none; self.groups];
        for (t, (&value, &g)) in point.iter().zip(gradient).enumerate() {
            let group = &mut extremes[self.group[t]];
            if value < self.upper[t] {
                group.up = group.up.max(-g);
            }
            if value > self.lower[t] {
                group.down = group.down.min(-g);
            }
        }
        extremes
    }

    fn levels(&self, ends: &[Extremes], point: &[f64], gradient: &[f64]) -> Vec<f64> {
        let level = |group: usize| {
            let free = (0..point.len()).filter(|&t| {
                self.group[t] == group && self.lower[t] < point[t] && point[t] < self.upper[t]
            });
            let (sum, count) =
                free.fold((0.0, 0), |(sum, count), t| (sum - gradient[t], count + 1));
            let Extremes { up, down } = ends[group];
            match (count, up.is_finite(), down.is_finite()) {
                (1.., _, _) => sum / f64::from(count),
                (_, true, true) => f64::midpoint(up, down),
                (_, true, false) => up,
                _ => down,
            }
        };
        (0..self.groups).map(level).collect()
    }
}

/// Solves the problem to a violation of at most `tolerance`, or what rounding leaves of it.
pub(super) fn minimise(
    inputs: &Inputs<'_>,
    problem: &Problem,
    tolerance: f64,
    method: &'static str,
) -> Result<Solution, Error> {
    minimise_with(IN_ROWS, inputs, problem, tolerance, method)
}

fn minimise_with(
    in_rows: usize,
    inputs: &Inputs<'_>,
    problem: &Problem,
    tolerance: f64,
    method: &'static str,
) -> Result<Solution, Error> {
    let samples = problem.samples;
    let mut point = problem.start.clone();
    let mut moves = MOVES + 100 * point.len();
    let mut set = WorkingSet::new(inputs, in_rows)?;
    let mut rounds = ROUNDS + samples / 100;
    let (mut least, mut stalled) = (f64::INFINITY, 0);
    loop {
        let dual = dual(&point, samples);
        let (gradient, size) = gradient(inputs, &set, problem, &dual)?;
        let rounding = ROUNDING * size;
        let extremes = problem.extremes(&point, &gradient);
        let levels = problem.levels(&extremes, &point, &gradient);
        let violation = extremes
            .iter()
            .fold(0.0_f64, |m, ends| m.max(ends.up - ends.down));
        stalled = if violation < least { 0 } else { stalled + 1 };
        least = least.min(violation);
        let known = inputs.rounding() * size;
        let solution = Solution {
            dual,
            levels,
            rounding: known.max(violation - tolerance),
        };
        let settled = violation <= tolerance + known.max(SETTLED * rounding);
        if violation <= tolerance + rounding || (stalled >= PATIENCE && settled) {
            return Ok(solution);
        }
        let states = working_set::states(problem, &point, &gradient, &solution.levels);
        set.extend(inputs, &solution.dual, &states)?;
        let active = set.active(&states, SLACK * violation);
        // What others will undo is not worth the last digits, and those of rounding no move.
        let enough = if active.samples.len() == samples {
            tolerance
        } else {
            tolerance.max(violation / 10.0)
        };
        let enough = enough.max(rounding);
        let most = moves.min(MOVES_A_ROUND + 100 * active.samples.len());
        let mut part = Subproblem::new(problem, active, &point, &gradient);
        let moved = part.minimise(enough, most);
        moves -= moved;
        rounds -= 1;
        if moved == 0 || moves == 0 || rounds == 0 {
            return if settled {
                Ok(solution)
            } else {
                Err(Error::NotConverged {
                    method,
                    measure: "the violation of optimality",
                    value: violation,
                })
            };
        }
        part.write(&mut point);
        problem.restore_sums(&mut point);
    }
}

/// Kβ + p, and the size of the terms that add up to it.
fn gradient(
    inputs: &Inputs<'_>,
    set: &WorkingSet,
    problem: &Problem,
    dual: &[f64],
) -> Result<(Vec<f64>, f64), Error> {
    let scores = if dual.iter().all(|&coefficient| coefficient == 0.0) {
        Array1::zeros(dual.len())
    } else {
        set.scores(inputs, dual)?
    };
    let layered = problem.linear.chunks_exact(dual.len());
    let gradient = layered
        .flat_map(|layer| layer.iter().zip(&scores).map(|(&p, &score)| p + score))
        .collect();
    let linear = problem.linear.iter().fold(0.0_f64, |m, p| m.max(p.abs()));
    Ok((gradient, inputs.terms(dual) + linear))
}

fn dual(point: &[f64], samples: usize) -> Vec<f64> {
    let mut dual = vec![0.0; samples];
    for layer in point.chunks_exact(samples) {
        for (sum, value) in dual.iter_mut().zip(layer) {
            *sum += value;
        }
    }
    dual
}

#[cfg(test)]
mod tests;
