//! The distance of a point from optimality, by all scores.

use super::{Inputs, Problem, ROUNDING, Solution, scores::Scores};

/// A point that comes no nearer is accepted if its violation is above the tolerance by no more than this
/// many times its rounding, or by no more than the rounding of the inner products.
const SETTLED: f64 = 16.0;

/// The distance of a point from optimality.
pub(super) struct Optimality {
    /// Kβ + p, one per variable.
    pub(super) gradient: Vec<f64>,
    /// The multiplier of each group's constraint.
    pub(super) levels: Vec<f64>,
    /// The largest violation of the conditions of optimality (Karush, Kuhn, Tucker).
    pub(super) violation: f64,
    /// The part of the violation that rounding of the solver leaves.
    pub(super) rounding: f64,
    /// The part of the violation that rounding of the inner products leaves.
    known: f64,
    /// The largest |p|.
    linear: f64,
}

impl Optimality {
    pub(super) fn new(
        point: &[f64],
        problem: &Problem,
        inputs: &Inputs<'_>,
        scores: &Scores,
    ) -> Self {
        let layers = problem.linear.chunks_exact(problem.samples);
        let gradient: Vec<f64> = layers
            .flat_map(|layer| {
                layer
                    .iter()
                    .zip(&scores.values)
                    .map(|(&p, &score)| p + score)
            })
            .collect();
        let linear = problem.linear.iter().fold(0.0_f64, |m, p| m.max(p.abs()));
        let size = inputs.terms(&scores.dual, |sample| problem.has_room(sample)) + linear;
        let ends = ends(problem, point, &gradient);
        let gaps = ends.iter().map(|ends| ends.up - ends.down);
        Self {
            violation: gaps.fold(0.0, f64::max),
            levels: levels(problem, &ends, point, &gradient),
            rounding: ROUNDING * size,
            known: inputs.rounding() * size,
            linear,
            gradient,
        }
    }

    /// Returns whether nothing above `tolerance` is left but rounding.
    pub(super) fn is_optimal(&self, tolerance: f64) -> bool {
        self.violation <= tolerance + self.rounding
    }

    /// Returns what rounding leaves and the largest |p|, where the first is the larger one: any point would count as optimal.
    pub(super) fn lost(&self) -> Option<(f64, f64)> {
        let is_lost = self.linear > 0.0 && self.rounding > self.linear;
        is_lost.then_some((self.rounding, self.linear))
    }

    /// Returns whether the point will do if it does not come nearer.
    pub(super) fn is_settled(&self, tolerance: f64) -> bool {
        self.violation <= tolerance + self.known.max(SETTLED * self.rounding)
    }

    pub(super) fn into_solution(self, tolerance: f64, scores: Scores) -> Solution {
        Solution {
            scores,
            rounding: self.known.max(self.violation - tolerance),
            gradient: self.gradient,
            levels: self.levels,
            is_unfinished: false,
        }
    }
}

/// The two ends of a group: the most that could be gained by raising a variable, and the least
/// that is lost by lowering one. The group is optimal where the first is not above the second.
#[derive(Clone, Copy)]
struct Ends {
    up: f64,
    down: f64,
}

fn ends(problem: &Problem, point: &[f64], gradient: &[f64]) -> Vec<Ends> {
    let none = Ends {
        up: f64::NEG_INFINITY,
        down: f64::INFINITY,
    };
    let mut ends = vec![none; problem.groups];
    for (t, (&value, &g)) in point.iter().zip(gradient).enumerate() {
        let group = &mut ends[problem.group[t]];
        if value < problem.upper[t] {
            group.up = group.up.max(-g);
        }
        if value > problem.lower[t] {
            group.down = group.down.min(-g);
        }
    }
    ends
}

/// Returns the level of each group: the mean over its variables between their bounds; without any, the middle between
/// its ends.
fn levels(problem: &Problem, ends: &[Ends], point: &[f64], gradient: &[f64]) -> Vec<f64> {
    let mut free = vec![(0.0, 0_u32); problem.groups];
    for (t, &value) in point.iter().enumerate() {
        if problem.lower[t] < value && value < problem.upper[t] {
            let (sum, count) = &mut free[problem.group[t]];
            *sum -= gradient[t];
            *count += 1;
        }
    }
    let level = |(&(sum, count), &Ends { up, down }): (&(f64, u32), &Ends)| match (
        count,
        up.is_finite(),
        down.is_finite(),
    ) {
        (1.., _, _) => sum / f64::from(count),
        (_, true, true) => f64::midpoint(up, down),
        (_, true, false) => up,
        _ => down,
    };
    free.iter().zip(ends).map(level).collect()
}

/// Returns the sum of the variables of each sample.
pub(super) fn dual(point: &[f64], samples: usize) -> Vec<f64> {
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
