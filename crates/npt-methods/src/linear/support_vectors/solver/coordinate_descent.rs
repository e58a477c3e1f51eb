//! Dual coordinate descent, where samples are many and their rows short.
//!
//! One variable moves at a time, at the price of two passes over its row: w = Σ βᵢxᵢ is kept instead of
//! gradients. The constraint on a sum is a term of the objective, with a multiplier: it costs no pair.

// Inlined into the descent, or the loops are not compiled for the instructions chosen there.
#![allow(clippy::inline_always)]

use super::{
    Inputs, Iterations, Problem,
    kernel_rows::row_of,
    loops::{add_row, inner_product},
};
use ndarray::{Array2, Axis};
use pulp::{Arch, Simd, WithSimd};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256Plus;

/// The number of samples per feature from which on coordinate descent pays.
const SAMPLES_A_FEATURE: usize = 2;

/// Returns a feasible point, and whether it is near the solution, about `tolerance` from optimal. It is not near if that takes more
/// than `looks` looks at each variable. Returns `None` where moving pairs of variables is as fast: without rows, or with long
/// rows.
pub(super) fn descend(
    inputs: &Inputs<'_>,
    problem: &Problem,
    tolerance: f64,
    looks: usize,
    iterations: &mut Iterations,
) -> Option<(Vec<f64>, bool)> {
    let x = inputs.rows()?;
    if x.nrows() < SAMPLES_A_FEATURE * x.ncols() {
        return None;
    }
    let mut descent = Descent::new(x, problem);
    let is_near = Arch::new().dispatch(Run {
        descent: &mut descent,
        tolerance,
        looks,
        iterations,
    });
    Some((problem.feasible(descent.point), is_near))
}

/// The descent on ½‖Σ βᵢxᵢ‖² + pᵀβ + Σ λe + ½ρe² over the bounds. e is the excess of the sum of a group, and λ is its
/// multiplier, which is raised by ρe until e is 0.
///
/// # References
/// C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi, S. Sundararajan, "A Dual Coordinate Descent Method
/// for Large-scale Linear SVM", ICML 2008. doi:10.1145/1390156.1390208
///
/// M. J. D. Powell, "A Method for Nonlinear Constraints in Minimization Problems", Optimization, 1969.
struct Descent<'a> {
    x: &'a Array2<f64>,
    problem: &'a Problem,
    /// ‖xᵢ‖²
    squares: Vec<f64>,
    point: Vec<f64>,
    /// w
    sum: Vec<f64>,
    /// e, one per group.
    excess: Vec<f64>,
    /// λ, one per group.
    multipliers: Vec<f64>,
    /// ρ: as large as the curvature of a variable.
    weight: f64,
}

impl<'a> Descent<'a> {
    fn new(x: &'a Array2<f64>, problem: &'a Problem) -> Self {
        let squares: Vec<f64> = x.outer_iter().map(|row| row.dot(&row)).collect();
        let mean = squares.iter().sum::<f64>() / squares.len() as f64;
        let mut sum = vec![0.0; x.ncols()];
        for (t, &value) in problem.start.iter().enumerate() {
            let row = x.index_axis(Axis(0), t % problem.samples);
            if value != 0.0 {
                sum.iter_mut().zip(row).for_each(|(s, v)| *s += value * v);
            }
        }
        Self {
            x,
            problem,
            squares,
            point: problem.start.clone(),
            sum,
            excess: vec![0.0; problem.groups],
            multipliers: vec![0.0; problem.groups],
            weight: if mean > 0.0 { mean } else { 1.0 },
        }
    }

    /// Goes through the variables in random order, until all gradients are within `tolerance` of each other.
    /// Variables that press against their bound harder than any that moved in the last pass are left out until the
    /// others are done. Returns whether the descent came to an end.
    #[inline(always)]
    fn run<S: Simd>(
        &mut self,
        simd: S,
        tolerance: f64,
        looks: usize,
        iterations: &mut Iterations,
    ) -> bool {
        let (lower, upper) = (&self.problem.lower, &self.problem.upper);
        let movable = (0..self.point.len()).filter(|&t| lower[t] < upper[t]);
        let movable: Vec<usize> = movable.collect();
        let mut active = movable.clone();
        let mut rng = Xoshiro256Plus::seed_from_u64(0);
        let (mut looks, mut range) = (looks * movable.len(), Range::ALL);
        loop {
            match looks.checked_sub(active.len().max(1)) {
                None => return false,
                Some(rest) => looks = rest,
            }
            active.shuffle(&mut rng);
            let mut seen = Range::NONE;
            // No closure: it would not be compiled for the instructions chosen.
            let mut kept = 0;
            for position in 0..active.len() {
                let t = active[position];
                if self.step(simd, t, range, &mut seen) {
                    active[kept] = t;
                    kept += 1;
                }
            }
            active.truncate(kept);
            let mut apart = seen.width();
            for (multiplier, excess) in self.multipliers.iter_mut().zip(&self.excess) {
                *multiplier += self.weight * excess;
                apart = apart.max(self.weight * excess.abs());
            }
            iterations.count(apart);
            if iterations.are_to_finish() {
                return false;
            }
            if apart > tolerance && !active.is_empty() {
                range = seen.around_zero();
            } else if active.len() < movable.len() {
                active.clone_from(&movable);
                range = Range::ALL;
            } else {
                return true;
            }
        }
    }

    /// Moves a variable to its optimum, and notes its gradient if the variable may follow it. Returns whether the variable
    /// is to stay among those that move.
    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S, t: usize, range: Range, seen: &mut Range) -> bool {
        let (sample, group) = (t % self.problem.samples, self.problem.group[t]);
        let (lower, upper) = (self.problem.lower[t], self.problem.upper[t]);
        let row = row_of(self.x, sample);
        let of_sum = self.multipliers[group] + self.weight * self.excess[group];
        let gradient = inner_product(simd, row, &self.sum) + self.problem.linear[t] + of_sum;
        let before = self.point[t];
        if (before <= lower && gradient > range.most) || (before >= upper && gradient < range.least)
        {
            return false;
        }
        let curvature = self.squares[sample] + self.weight;
        let after = (before - gradient / curvature).clamp(lower, upper);
        let free = (before > lower || gradient < 0.0) && (before < upper || gradient > 0.0);
        seen.note(if free { gradient } else { 0.0 });
        if after != before {
            self.point[t] = after;
            self.excess[group] += after - before;
            add_row(simd, &mut self.sum, after - before, row);
        }
        true
    }
}

/// The descent, compiled for the widest vector instructions of the machine.
struct Run<'d, 'a> {
    descent: &'d mut Descent<'a>,
    tolerance: f64,
    looks: usize,
    iterations: &'d mut Iterations,
}

impl WithSimd for Run<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        (self.descent).run(simd, self.tolerance, self.looks, self.iterations)
    }
}

/// The range of the gradients of variables.
#[derive(Clone, Copy)]
struct Range {
    least: f64,
    most: f64,
}

impl Range {
    const ALL: Self = Self {
        least: f64::NEG_INFINITY,
        most: f64::INFINITY,
    };
    const NONE: Self = Self {
        least: f64::INFINITY,
        most: f64::NEG_INFINITY,
    };

    #[inline(always)]
    fn note(&mut self, gradient: f64) {
        self.least = self.least.min(gradient);
        self.most = self.most.max(gradient);
    }

    fn width(self) -> f64 {
        self.most - self.least
    }

    /// Returns the range with no end on a side of 0 where there are no gradients.
    fn around_zero(self) -> Self {
        Self {
            least: if self.least < 0.0 {
                self.least
            } else {
                f64::NEG_INFINITY
            },
            most: if self.most > 0.0 {
                self.most
            } else {
                f64::INFINITY
            },
        }
    }
}

#[cfg(test)]
mod tests;
