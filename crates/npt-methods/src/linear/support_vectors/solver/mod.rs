//! One solver for the quadratic programs of all support vector methods.
//!
//! With signed coefficients β (yᵢαᵢ of the field), the dual of each method is
//!
//! min ½ βᵀKβ + pᵀβ over lᵢ ≤ βᵢ ≤ uᵢ, with Σ βᵢ over each group as it was at the start.
//!
//! A sample has one variable, or two with the same row of K (regression has one for either side
//! of its tube). The solver takes rows xᵢ, with K their inner products, or K by blocks. For hundreds of
//! samples it holds K whole. For more it holds the matrix of a working set: time and memory then grow with the
//! number of samples that move, not of all. For many short rows, coordinate descent finds where most
//! samples are, and pairs move only what it leaves.
//!
//! Optimality is judged by all scores ⟨xⱼ, w⟩, at the end by scores in which rounding is a small share of the tolerance.
//! The solver computes in `f64` whatever the type of the samples: in `f32` the last violations drown in rounding.

mod coordinate_descent;
mod inputs;
mod interior_point;
mod iterations;
mod kernel_rows;
mod loops;
mod optimality;
mod scores;
mod smo;
mod training;
mod working_set;

pub(super) use inputs::{Inputs, to_unit};
pub(super) use training::Training;

use crate::Error;
use iterations::{Iterations, VIOLATION};
use ndarray::Array2;
use npt_core::{Scalar, memory_limit, watch::Carrier};
use optimality::Optimality;
pub(super) use scores::Scores;
use smo::{Memory, Subproblem};
use working_set::{States, WorkingSet};

/// The number of moves of pairs that are allowed, besides 100 per variable.
const MOVES: usize = 10_000_000;

/// The number of moves between two looks at all scores, besides 100 per sample: the rounding of moves adds up.
const MOVES_A_ROUND: usize = 1000;

/// The number of working sets that are allowed, besides one for 100 samples.
const ROUNDS: usize = 10_000;

/// The numbers in rows of the kernel matrix that are kept: 256 MB of them, or more where there is memory.
const IN_ROWS: usize = 1 << 25;

/// The divisor of the memory that rows may take in all threads together. Without room for the rows of the support
/// vectors, scores are computed from kernel values anew in each round.
const SHARE_OF_ROWS: u64 = 4;

/// The violation of optimality that rounding of the solver itself is expected to leave, as a share of the size of the terms.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The number of iterations in a row without a smaller violation, after which a settled point is accepted.
const PATIENCE: usize = 4;

/// The violation, in tolerances, up to which scores that were followed from change to change are computed anew, if their
/// rounding may have added up to more than [`DRIFT`] of a tolerance.
const NEAR: f64 = 4.0;

/// The share of the tolerance that rounding may take.
const DRIFT: f64 = 1.0 / 65_536.0;

/// The number of samples that move at a time at the start. It doubles after [`PATIENCE`] rounds that have not
/// halved the violation. Moves of few samples are many times faster.
const FEW_ACTIVE: usize = 512;

/// The safety of a sample at its bounds, in units of the worst violation, with which it is not likely to leave
/// them before that violation is mended.
const SLACK: f64 = 2.0;

/// The looks of coordinate descent at a variable; each `FEATURES_A_LOOK` features allow one more look. Interior point steps take
/// about as long: some hundred passes over the rows, and about thirty products of features.
const LOOKS: usize = 100;
const FEATURES_A_LOOK: usize = 2;

/// A quadratic program. The variables of the first layer come first, one per sample, then those of
/// the second layer, if there is one.
pub(super) struct Problem {
    pub(super) samples: usize,
    /// p
    pub(super) linear: Vec<f64>,
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    /// The sum that a variable belongs to, counted from 0.
    pub(super) group: Vec<usize>,
    pub(super) groups: usize,
    /// A feasible point.
    pub(super) start: Vec<f64>,
    /// The scores at the start, if they are known.
    pub(super) scores: Option<Scores>,
}

/// A point that satisfies the conditions of optimality.
pub(super) struct Solution {
    /// Kβ + p, one per variable.
    pub(super) gradient: Vec<f64>,
    /// Kβ, and β, the sum of the variables of each sample.
    pub(super) scores: Scores,
    /// The multiplier of each group's constraint: the value −(Kβ + p)ᵢ that all its variables
    /// between their bounds share. Without such variables, it is the middle of what is optimal.
    pub(super) levels: Vec<f64>,
    /// The rounding to which the levels are known.
    pub(super) rounding: f64,
    /// True if the solver was told to end before the solution was found.
    pub(super) is_unfinished: bool,
}

impl Problem {
    /// Returns whether a variable of the sample has room to move.
    fn has_room(&self, sample: usize) -> bool {
        let mut layers = (sample..self.linear.len()).step_by(self.samples);
        layers.any(|t| self.lower[t] < self.upper[t])
    }

    /// Returns the indices of the variables of some samples, layer by layer.
    fn variables(&self, samples: &[usize]) -> Vec<usize> {
        let layers = (0..self.linear.len()).step_by(self.samples);
        layers
            .flat_map(|first| samples.iter().map(move |i| first + i))
            .collect()
    }

    /// Returns a point between the bounds, with each sum as it was at the start. The excess of a sum is taken from variables
    /// between their bounds, and only then from others.
    fn feasible(&self, mut point: Vec<f64>) -> Vec<f64> {
        for group in 0..self.groups {
            let members: Vec<usize> = (0..point.len())
                .filter(|&t| self.group[t] == group)
                .collect();
            let mut excess: f64 = members.iter().map(|&t| point[t] - self.start[t]).sum();
            for only_between in [true, false] {
                for &t in &members {
                    let (lower, upper, before) = (self.lower[t], self.upper[t], point[t]);
                    if excess != 0.0 && (!only_between || (lower < before && before < upper)) {
                        point[t] = (before - excess).clamp(lower, upper);
                        excess += point[t] - before;
                    }
                }
            }
        }
        point
    }

    /// Restores the sums, which drift by the rounding of many moves: the variable of each group with most room takes
    /// the drift back.
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
}

/// Solves the problem to a violation of at most `tolerance`, or to what rounding leaves of it.
pub(super) fn minimise(
    inputs: &Inputs<'_>,
    problem: &Problem,
    tolerance: f64,
    method: &'static str,
) -> Result<Solution, Error> {
    let rounds = ROUNDS + problem.samples / 100;
    if problem.samples <= FEW_ACTIVE {
        return minimise_with((IN_ROWS, rounds), inputs, problem, tolerance, method);
    }
    let in_rows = numbers_in_rows(memory_limit(), rayon::current_num_threads());
    let minimise = || minimise_with((in_rows, rounds), inputs, problem, tolerance, method);
    // It runs on a thread of the pool: the many small parts of large problems need not wait for others to wake.
    let carrier = Carrier::new();
    rayon::scope(|_| carrier.over(minimise))
}

/// Converts an error of the solver to the units of the targets, `unit` times its own. Scores that leave the range of `F` are the error
/// before their rounding is.
pub(super) fn in_units<F: Scalar>(unit: f64) -> impl Fn(Error) -> Error {
    move |error| match error {
        Error::LostInRounding {
            method,
            rounding,
            target,
        } => {
            let (rounding, target) = (rounding * unit, target * unit);
            if rounding / ROUNDING > F::max_value().as_f64() {
                return Error::Overflow { of: method };
            }
            Error::LostInRounding {
                method,
                rounding,
                target,
            }
        }
        other => other,
    }
}

/// Returns the numbers in rows of the kernel matrix that each of `threads` threads may keep.
fn numbers_in_rows(limit: Option<u64>, threads: usize) -> usize {
    let of_thread = |limit: u64| limit / (SHARE_OF_ROWS * threads.max(1) as u64);
    let numbers = limit.map_or(0, |limit| of_thread(limit) / size_of::<f64>() as u64);
    usize::try_from(numbers).unwrap_or(usize::MAX).max(IN_ROWS)
}

/// Solves with at most `in_rows` numbers in rows of the kernel matrix, and at most `rounds` working sets.
fn minimise_with(
    (in_rows, mut rounds): (usize, usize),
    inputs: &Inputs<'_>,
    problem: &Problem,
    tolerance: f64,
    method: &'static str,
) -> Result<Solution, Error> {
    let samples = problem.samples;
    let mut iterations = Iterations::begin();
    let mut point = first_point(inputs, problem, tolerance, &mut iterations);
    let (mut set, mut memory) = (WorkingSet::new(inputs, in_rows)?, Memory::default());
    let mut scores = problem
        .scores
        .clone()
        .unwrap_or_else(|| Scores::new(samples));
    let mut pace = Pace::new();
    let mut moves = MOVES + 100 * point.len();
    loop {
        scores.follow(&point, inputs, &set)?;
        let mut optimality = Optimality::new(&point, problem, inputs, &scores);
        if scores.drift() > DRIFT * tolerance && optimality.is_settled(NEAR * tolerance) {
            scores.renew(inputs, &set)?;
            optimality = Optimality::new(&point, problem, inputs, &scores);
        }
        pace.note(optimality.violation);
        let violation = optimality.violation;
        let settled = optimality.is_settled(tolerance);
        let ends = pace.has_stalled() || iterations.left() == Some(0);
        let is_done = optimality.is_optimal(tolerance) || (ends && settled);
        if !is_done && iterations.should_finish(violation) {
            let mut solution = optimality.into_solution(tolerance, scores);
            solution.is_unfinished = true;
            return Ok(solution);
        }
        if let Some((rounding, target)) = optimality.lost() {
            return Err(Error::LostInRounding {
                method,
                rounding,
                target,
            });
        }
        if is_done {
            iterations.tell(violation);
            return Ok(optimality.into_solution(tolerance, scores));
        }
        let states = States::new(problem, &point, &optimality);
        let grown = set.extend(inputs, &scores.dual, &states)?;
        let active = set.active(&states, SLACK * violation, pace.most_active);
        // Others will undo what this part gains: that is not worth the last digits, and rounding is worth no move.
        let enough = if active.samples.len() == samples {
            tolerance
        } else {
            tolerance.max(violation / 10.0)
        };
        let most = moves.min(MOVES_A_ROUND + 100 * active.samples.len());
        let most = iterations.left().map_or(most, |left| left.min(most));
        let mut part = Subproblem::new(problem, active, &point, &optimality.gradient, memory);
        let moved = part.minimise(enough.max(optimality.rounding), most);
        moves -= moved;
        rounds -= 1;
        iterations.moved(moved);
        if moved == 0 && rounds > 0 && (grown || pace.most_active < samples || scores.drift() > 0.0)
        {
            // There may be no two samples that move together among those that may, so far.
            pace.most_active = samples;
            scores.renew(inputs, &set)?;
            memory = Memory::default();
            continue;
        }
        if moved == 0 || moves == 0 || rounds == 0 {
            return if settled {
                Ok(optimality.into_solution(tolerance, scores))
            } else {
                Err(Error::NotConverged {
                    method,
                    measure: VIOLATION,
                    value: violation,
                })
            };
        }
        memory = part.write(&mut point);
        problem.restore_sums(&mut point);
    }
}

/// Returns the point where pairs begin to move.
fn first_point(
    inputs: &Inputs<'_>,
    problem: &Problem,
    tolerance: f64,
    iterations: &mut Iterations,
) -> Vec<f64> {
    if problem.samples <= FEW_ACTIVE || problem.scores.is_some() {
        return problem.start.clone();
    }
    let enough = tolerance / 2.0;
    let features = inputs.rows().map_or(0, Array2::ncols);
    let may_approach = problem.samples >= interior_point::SAMPLES_A_FEATURE * features;
    let more = if may_approach {
        features / FEATURES_A_LOOK
    } else {
        0
    };
    let point = match coordinate_descent::descend(inputs, problem, enough, LOOKS + more, iterations)
    {
        Some((point, false)) if !iterations.are_to_finish() => {
            let approached = interior_point::approach(inputs, problem, enough, iterations);
            Some(approached.unwrap_or(point))
        }
        other => other.map(|(point, _)| point),
    };
    // Penalties near the end of the range overflow there.
    let point = point.filter(|point| point.iter().all(|value| value.is_finite()));
    point.unwrap_or_else(|| problem.start.clone())
}

/// The pace of the rounds: how the violation falls from round to round, and how many samples are to move.
struct Pace {
    rounds: usize,
    least: f64,
    /// The number of rounds in a row without a smaller violation.
    stalled: usize,
    /// The violation [`PATIENCE`] rounds ago, or fewer.
    before: f64,
    most_active: usize,
}

impl Pace {
    fn new() -> Self {
        Self {
            rounds: 0,
            least: f64::INFINITY,
            stalled: 0,
            before: f64::INFINITY,
            most_active: FEW_ACTIVE,
        }
    }

    fn note(&mut self, violation: f64) {
        if self.rounds.is_multiple_of(PATIENCE) {
            if violation > self.before / 2.0 {
                self.most_active = self.most_active.saturating_mul(2);
            }
            self.before = violation;
        }
        self.rounds += 1;
        self.stalled = if violation < self.least {
            0
        } else {
            self.stalled + 1
        };
        self.least = self.least.min(violation);
    }

    fn has_stalled(&self) -> bool {
        self.stalled >= PATIENCE
    }
}

#[cfg(test)]
mod tests;
