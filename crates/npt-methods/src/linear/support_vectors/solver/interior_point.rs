//! Interior point steps, where samples are many and their rows short.
//!
//! A few dozen steps are enough, and hardly more for more samples, larger penalties or more digits. Each step takes one matrix of
//! inner products of features, with the rows weighted by how far their variables are from bounds.

use super::{Inputs, Iterations, Problem};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use npt_core::linalg;

/// The number of steps that are allowed.
const STEPS: usize = 100;

/// The share of the violation at the start, in the middle, that may be left where steps break down.
const NEARER: f64 = 1e-3;

/// The share of the way to the nearest bound that a step may go.
const SHARE: f64 = 0.995;

/// The share of a gradient's size below which no multiplier tells of a bound: where all variables end between their bounds, all
/// multipliers vanish together, and none is small beside the others.
const LEAST_MULTIPLIER: f64 = 1e-3;

/// The number of rows that are weighted and multiplied at a time.
const PANEL: usize = 2048;

/// The number of samples per feature from which on interior point steps pay.
pub(super) const SAMPLES_A_FEATURE: usize = 8;

/// Returns a feasible point near the solution: within `tolerance` of optimal, as far as rounding lets the steps come. Returns
/// `None` if the steps come nowhere near, and where moving pairs of variables is as fast: without rows, or with long rows.
pub(super) fn approach(
    inputs: &Inputs<'_>,
    problem: &Problem,
    tolerance: f64,
    iterations: &mut Iterations,
) -> Option<Vec<f64>> {
    let x = inputs.rows()?;
    if x.nrows() < SAMPLES_A_FEATURE * x.ncols() {
        return None;
    }
    let mut inside = Inside::new(x, problem);
    let first = inside.violation();
    for _ in 0..STEPS {
        let violation = inside.violation();
        iterations.count(violation);
        let is_enough = violation <= tolerance || iterations.are_to_finish();
        if is_enough || inside.advance().is_none() {
            break;
        }
    }
    let last = inside.violation();
    let is_near = last <= tolerance || last < NEARER * first;
    is_near.then(|| problem.feasible(inside.point()))
}

/// A point between the bounds, with multipliers λ of the sums, z of the lower and v of the upper bounds.
///
/// The point is optimal where Kβ + p + λ = z − v, zᵢ(βᵢ − lᵢ) = 0 and vᵢ(uᵢ − βᵢ) = 0. A step solves these equations: the
/// first exactly, the others to first order, and with what a trial step tells of the second order.
///
/// # References
/// S. Mehrotra, "On the Implementation of a Primal-Dual Interior Point Method", SIAM Journal on Optimization
/// 2(4), 1992. doi:10.1137/0802028
///
/// M. C. Ferris, T. S. Munson, "Interior-Point Methods for Massive Support Vector Machines", SIAM Journal on
/// Optimization 13(3), 2002. doi:10.1137/S1052623400374379
struct Inside<'a> {
    x: &'a Array2<f64>,
    problem: &'a Problem,
    /// The variables that have room between their bounds.
    variables: Vec<Variable>,
    /// Kβ, one per sample.
    scores: Array1<f64>,
    /// λ
    multipliers: Array1<f64>,
    /// The amount that each sum lacks.
    missing: Array1<f64>,
    /// The largest ‖xᵢ‖.
    length: f64,
    /// The mean size of the gradient in the middle between the bounds.
    mean_gradient: f64,
}

#[derive(Clone, Copy)]
struct Variable {
    index: usize,
    sample: usize,
    group: usize,
    /// β − l and u − β.
    above: f64,
    below: f64,
    /// z and v
    lower: f64,
    upper: f64,
}

/// The change of a variable and its multipliers.
#[derive(Clone, Copy)]
struct Change {
    value: f64,
    lower: f64,
    upper: f64,
}

/// The changes of variables, scores and multipliers in a step.
struct Step {
    changes: Vec<Change>,
    scores: Array1<f64>,
    multipliers: Array1<f64>,
}

/// The equations of a step, for any right hand side.
struct Equations {
    /// 1 / (z/(β − l) + v/(u − β))
    weights: Vec<f64>,
    /// L with LLᵀ = I + XᵀEX for features, bordered by those for λ.
    factor: Array2<f64>,
}

impl Variable {
    /// Returns the mean of the products that vanish at the solution.
    fn gap(&self) -> f64 {
        f64::midpoint(self.above * self.lower, self.below * self.upper)
    }

    fn moved(&self, change: Change, length: f64) -> Self {
        Self {
            above: self.above + length * change.value,
            below: self.below - length * change.value,
            lower: self.lower + length * change.lower,
            upper: self.upper + length * change.upper,
            ..*self
        }
    }

    /// Returns how far the variable may go along a change before its distance from a bound, or a multiplier, becomes 0.
    fn room(&self, change: Change) -> f64 {
        let until = |value: f64, change: f64| {
            if change < 0.0 {
                -value / change
            } else {
                f64::INFINITY
            }
        };
        until(self.above, change.value)
            .min(until(self.below, -change.value))
            .min(until(self.lower, change.lower))
            .min(until(self.upper, change.upper))
    }
}

impl<'a> Inside<'a> {
    /// Makes the point in the middle between the bounds, with multipliers for which the first equation holds.
    fn new(x: &'a Array2<f64>, problem: &'a Problem) -> Self {
        let samples = problem.samples;
        let mut dual = Array1::zeros(samples);
        let mut missing = Array1::zeros(problem.groups);
        let mut variables = Vec::new();
        for (index, (&least, &most)) in problem.lower.iter().zip(&problem.upper).enumerate() {
            let (sample, group) = (index % samples, problem.group[index]);
            let half = (most - least) / 2.0;
            dual[sample] += least + half;
            missing[group] += problem.start[index] - (least + half);
            if half > 0.0 {
                variables.push(Variable {
                    index,
                    sample,
                    group,
                    above: half,
                    below: half,
                    lower: 0.0,
                    upper: 0.0,
                });
            }
        }
        let scores = product(x.view(), combine(x, dual.view()).view());
        let gradient = |v: &Variable| scores[v.sample] + problem.linear[v.index];
        let sizes = variables.iter().map(|v| gradient(v).abs());
        let mean = sizes.sum::<f64>() / variables.len().max(1) as f64;
        for variable in &mut variables {
            let gradient = gradient(variable);
            variable.lower = gradient.max(0.0) + mean;
            variable.upper = (-gradient).max(0.0) + mean;
        }
        let squares = x.outer_iter().map(|row| row.dot(&row));
        Self {
            length: squares.fold(0.0, f64::max).sqrt(),
            multipliers: Array1::zeros(problem.groups),
            mean_gradient: mean,
            x,
            problem,
            variables,
            scores,
            missing,
        }
    }

    /// Returns the largest distance from optimal that [`point`](Self::point) may have.
    fn violation(&self) -> f64 {
        let size = self.size();
        let (mut free, mut moved) = (0.0_f64, 0.0);
        for variable in &self.variables {
            match variable.bound(size) {
                None => free = free.max((variable.lower - variable.upper).abs()),
                Some(Bound::Lower) => moved += variable.above,
                Some(Bound::Upper) => moved += variable.below,
            }
        }
        let missing: f64 = self.missing.iter().map(|m| m.abs()).sum();
        2.0 * (free + self.length * self.length * (moved + missing))
    }

    /// Returns the largest multiplier, or the least that one has to be to count as large.
    fn size(&self) -> f64 {
        let sizes = self.variables.iter().map(|v| v.lower.max(v.upper));
        sizes.fold(LEAST_MULTIPLIER * self.mean_gradient, f64::max)
    }

    /// Returns the point, with variables at the bounds that they approach.
    fn point(&self) -> Vec<f64> {
        let (size, mut point) = (self.size(), self.problem.lower.clone());
        for variable in &self.variables {
            let (least, most) = (
                self.problem.lower[variable.index],
                self.problem.upper[variable.index],
            );
            point[variable.index] = match variable.bound(size) {
                Some(Bound::Lower) => least,
                Some(Bound::Upper) => most,
                None if variable.above < variable.below => least + variable.above,
                None => most - variable.below,
            };
        }
        point
    }

    /// Takes a step; returns `None` if rounding leaves no step.
    fn advance(&mut self) -> Option<()> {
        let gap = mean_gap(self.variables.iter());
        let equations = self.equations()?;
        let nothing = vec![(0.0, 0.0); self.variables.len()];
        let trial = self.solve(&equations, &nothing);
        let after = self.moved(&trial, self.room(&trial).min(1.0));
        let centering = (mean_gap(after.iter()) / gap).powi(3).min(1.0) * gap;
        let corrections = self.variables.iter().zip(&trial.changes);
        let corrections: Vec<(f64, f64)> = corrections
            .map(|(v, change)| {
                let lower = (centering - change.value * change.lower) / v.above;
                let upper = (centering + change.value * change.upper) / v.below;
                (lower, upper)
            })
            .collect();
        let step = self.solve(&equations, &corrections);
        let length = (SHARE * self.room(&step)).min(1.0);
        if !(length > f64::EPSILON) || !step.scores.iter().all(|v| v.is_finite()) {
            return None;
        }
        self.variables = self.moved(&step, length);
        self.scores.scaled_add(length, &step.scores);
        self.multipliers.scaled_add(length, &step.multipliers);
        self.missing *= 1.0 - length;
        Some(())
    }

    fn moved(&self, step: &Step, length: f64) -> Vec<Variable> {
        let pairs = self.variables.iter().zip(&step.changes);
        pairs.map(|(v, &change)| v.moved(change, length)).collect()
    }

    fn room(&self, step: &Step) -> f64 {
        let pairs = self.variables.iter().zip(&step.changes);
        let rooms = pairs.map(|(v, &change)| v.room(change));
        rooms.fold(f64::INFINITY, f64::min)
    }

    fn equations(&self) -> Option<Equations> {
        let (features, groups) = (self.x.ncols(), self.problem.groups);
        let weight = |v: &Variable| 1.0 / (v.lower / v.above + v.upper / v.below);
        let weights: Vec<f64> = self.variables.iter().map(weight).collect();
        let mut of_groups = Array2::zeros((self.problem.samples, groups));
        for (variable, weight) in self.variables.iter().zip(&weights) {
            of_groups[[variable.sample, variable.group]] += weight;
        }
        let mut matrix = Array2::zeros((features + groups, features + groups));
        let roots = of_groups.sum_axis(Axis(1)).mapv_into(f64::sqrt);
        let parts = self.x.axis_chunks_iter(Axis(0), PANEL);
        for (x, roots) in parts.zip(roots.axis_chunks_iter(Axis(0), PANEL)) {
            let weighted = &x * &roots.insert_axis(Axis(1));
            let mut of_features = matrix.slice_mut(s![..features, ..features]);
            of_features += &linalg::symmetric_rank_k(weighted.view());
        }
        let cross = linalg::product(self.x.t(), of_groups.view());
        matrix.slice_mut(s![..features, features..]).assign(&cross);
        matrix
            .slice_mut(s![features.., ..features])
            .assign(&cross.t());
        let of_sums = of_groups.sum_axis(Axis(0));
        let mut diagonal = matrix.diag_mut();
        diagonal.slice_mut(s![..features]).mapv_inplace(|v| v + 1.0);
        diagonal.slice_mut(s![features..]).assign(&of_sums);
        linalg::cholesky_in_place(&mut matrix).ok()?;
        Some(Equations {
            weights,
            factor: matrix,
        })
    }

    /// Solves for the step to zᵢ(βᵢ − lᵢ) = (βᵢ − lᵢ)cᵢ and vᵢ(uᵢ − βᵢ) = (uᵢ − βᵢ)dᵢ, for pairs of c and d.
    fn solve(&self, equations: &Equations, corrections: &[(f64, f64)]) -> Step {
        let features = self.x.ncols();
        let variables = || self.variables.iter().zip(&equations.weights);
        let wanted = variables().zip(corrections).map(|((v, _), (c, d))| {
            let gradient = self.scores[v.sample] + self.problem.linear[v.index];
            c - d - gradient - self.multipliers[v.group]
        });
        let wanted: Vec<f64> = wanted.collect();
        let mut of_samples = Array1::zeros(self.problem.samples);
        let mut right = Array2::zeros((features + self.problem.groups, 1));
        for ((variable, weight), wanted) in variables().zip(&wanted) {
            of_samples[variable.sample] += weight * wanted;
            right[[features + variable.group, 0]] += weight * wanted;
        }
        let mut of_sums = right.slice_mut(s![features.., 0]);
        of_sums -= &self.missing;
        let of_features = combine(self.x, of_samples.view());
        right.slice_mut(s![..features, 0]).assign(&of_features);
        let half = linalg::solve_lower(equations.factor.view(), right.view());
        let solution = linalg::solve_lower_transposed(equations.factor.view(), half.view());
        let solution = solution.column(0);
        let scores = product(self.x.view(), solution.slice(s![..features]));
        let multipliers = solution.slice(s![features..]).to_owned();
        let changes = variables().zip(&wanted).zip(corrections);
        let changes = changes.map(|(((v, weight), wanted), (c, d))| {
            let value = weight * (wanted - scores[v.sample] - multipliers[v.group]);
            Change {
                value,
                lower: c - v.lower - v.lower / v.above * value,
                upper: d - v.upper + v.upper / v.below * value,
            }
        });
        Step {
            changes: changes.collect(),
            scores,
            multipliers,
        }
    }
}

/// The bound that a variable approaches.
#[derive(Clone, Copy)]
enum Bound {
    Lower,
    Upper,
}

impl Variable {
    /// Returns the bound that the variable approaches: it is nearer to that bound, in units of the distance between the bounds, than
    /// its multiplier is to 0, in units of the largest.
    fn bound(&self, largest: f64) -> Option<Bound> {
        let width = self.above + self.below;
        if self.above * largest < self.lower * width {
            Some(Bound::Lower)
        } else if self.below * largest < self.upper * width {
            Some(Bound::Upper)
        } else {
            None
        }
    }
}

fn mean_gap<'v>(variables: impl ExactSizeIterator<Item = &'v Variable>) -> f64 {
    let count = variables.len() as f64;
    variables.map(Variable::gap).sum::<f64>() / count
}

/// Returns Σ βᵢxᵢ.
fn combine(x: &Array2<f64>, dual: ArrayView1<'_, f64>) -> Array1<f64> {
    product(x.t(), dual)
}

fn product(a: ArrayView2<'_, f64>, b: ArrayView1<'_, f64>) -> Array1<f64> {
    linalg::product(a, b.insert_axis(Axis(1))).remove_axis(Axis(1))
}

#[cfg(test)]
mod tests;
