//! Steps of all variables between their bounds at once.
//!
//! The inner products of many such samples are badly conditioned, and with large penalties pairs take tens
//! of thousands of moves to the point that one factor of their matrix gives in a few steps.

// Inlined into the descent, or the loops are not compiled for the instructions chosen there.
#![allow(clippy::inline_always)]

use super::{
    super::{
        kernel_rows::row_of,
        loops::{add_rows, inner_product},
    },
    KernelMatrix, Subproblem,
};
use ndarray::Array2;
use npt_core::{linalg, watch::check};
use pulp::{Arch, Simd, WithSimd};

/// The most steps: without bounds on the way, few are needed.
const STEPS: usize = 32;

/// The ridges on the diagonal of the matrix that is factorised, in units of its trace. The matrix may be singular, and
/// its entries known to single precision. Where the first ridge is not enough, the second is added.
const RIDGES: [f64; 2] = [1e-12, 1e-6];

/// The most variables that are moved at once: their matrix takes 32 MB.
const MOST: usize = 2048;

/// The variables between their bounds, and where the conjugate gradients are; one entry per variable.
struct Face {
    variables: Vec<usize>,
    groups: Vec<usize>,
    /// The negative gradient, less its mean over the group.
    residuals: Vec<f64>,
    direction: Vec<f64>,
    /// The rows of the factor that belong to the variables.
    rows: Vec<usize>,
    /// The Cholesky factor of the inner products of all variables that were there at first.
    factor: Array2<f64>,
}

impl Subproblem<'_> {
    /// Moves the variables between their bounds together until their gradients agree to `tolerance`,
    /// with the sum of each group as it was: by conjugate gradients that are preconditioned with the
    /// factor of their inner products. A variable that reaches its bound on the way stays there. No step raises
    /// the objective.
    ///
    /// # References
    /// M. R. Hestenes, E. Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems", Journal of
    /// Research of the National Bureau of Standards 49(6), 1952. doi:10.6028/jres.049.044
    // Beside the descent, whose loops inlining would make slower.
    #[inline(never)]
    pub(super) fn relax(&mut self, tolerance: f64) {
        Arch::new().dispatch(Relaxation {
            subproblem: self,
            tolerance,
        });
    }

    #[inline(always)]
    fn relax_with<S: Simd>(&mut self, simd: S, tolerance: f64) {
        let Some(mut face) = self.face() else {
            return;
        };
        let start = face.variables.clone();
        let before: Vec<f64> = start.iter().map(|&t| self.coefficients[t]).collect();
        face.begin(simd);
        for _ in 0..STEPS {
            check();
            if face.residuals.iter().all(|r| r.abs() <= tolerance / 2.0) {
                break;
            }
            let mut images = vec![0.0; face.variables.len()];
            self.k.multiply(simd, &face, &mut images);
            let along = dot(&face.direction, &face.residuals);
            if !(along > 0.0) {
                break;
            }
            // Where only rounding is left of it, the curvature may be as large as that rounding.
            let length: f64 = face.direction.iter().map(|d| d.abs()).sum();
            let rounding = f64::EPSILON * length * length * self.k.largest();
            let optimum = along / dot(&face.direction, &images).max(rounding);
            let step = self.advance(&face, optimum);
            if !step.is_finite() {
                break;
            }
            for (residual, image) in face.residuals.iter_mut().zip(&images) {
                *residual -= step * image;
            }
            if step < optimum {
                face.retain(|t| self.is_free(t));
                face.begin(simd);
            } else {
                face.turn(simd, along);
            }
        }
        self.settle(simd, &start, &before);
    }

    fn is_free(&self, t: usize) -> bool {
        self.lower[t] < self.coefficients[t] && self.coefficients[t] < self.upper[t]
    }

    /// Returns all variables between their bounds, if there are two or more, not too many, and their matrix has a factor.
    fn face(&mut self) -> Option<Face> {
        let (mut variables, mut groups) = (Vec::new(), Vec::new());
        for (group, blocks) in self.blocks.iter().enumerate() {
            let blocked = blocks.up.iter().zip(&blocks.down);
            for (t, _) in blocked
                .enumerate()
                .filter(|(_, (up, down))| *up + *down == 0.0)
            {
                variables.push(t);
                groups.push(group);
            }
        }
        let count = variables.len();
        if !(2..=MOST).contains(&count) || self.singular {
            return None;
        }
        let samples = self.samples();
        let places: Vec<usize> = variables.iter().map(|t| t % samples).collect();
        let mut matrix = Array2::zeros((count, count));
        for (&place, mut row) in places.iter().zip(matrix.outer_iter_mut()) {
            self.k.gather(place);
            let values = self.k.gathered.row(place);
            for (value, &other) in row.iter_mut().zip(&places) {
                *value = values[other];
            }
        }
        let trace = matrix.diag().sum();
        self.singular = !RIDGES.iter().any(|ridge| {
            matrix.diag_mut().mapv_inplace(|v| v + ridge * trace);
            linalg::cholesky_in_place(&mut matrix).is_ok()
        });
        if self.singular {
            return None;
        }
        Some(Face {
            residuals: variables.iter().map(|&t| -self.gradient[t]).collect(),
            direction: Vec::new(),
            rows: (0..count).collect(),
            factor: matrix,
            variables,
            groups,
        })
    }

    /// Goes along the direction to its optimum, or to the first bound on the way. Variables that have reached
    /// a bound are put there exactly. Returns how far it went; it goes nowhere if the way is without end.
    fn advance(&mut self, face: &Face, optimum: f64) -> f64 {
        let moves = face.variables.iter().zip(&face.direction);
        let room = |(&t, &d): (&usize, &f64)| {
            let bound = if d > 0.0 {
                self.upper[t]
            } else {
                self.lower[t]
            };
            let room = (bound - self.coefficients[t]) / d;
            if d == 0.0 { f64::INFINITY } else { room }
        };
        let rooms: Vec<f64> = moves.clone().map(room).collect();
        let step = rooms.iter().fold(optimum, |least, &room| room.min(least));
        if !step.is_finite() {
            return step;
        }
        for ((&t, &d), &room) in moves.zip(&rooms) {
            let value = self.coefficients[t] + step * d;
            self.coefficients[t] = match room <= step {
                true if d > 0.0 => self.upper[t],
                true => self.lower[t],
                false => value.clamp(self.lower[t], self.upper[t]),
            };
        }
        step
    }

    /// Updates the gradient after variables have moved, and notes where they may go.
    #[inline(always)]
    fn settle<S: Simd>(&mut self, simd: S, variables: &[usize], before: &[f64]) {
        let samples = self.samples();
        let mut changes = vec![0.0; samples];
        for (&t, before) in variables.iter().zip(before) {
            changes[t % samples] += self.coefficients[t] - before;
        }
        let changed: Vec<usize> = (0..samples).filter(|&i| changes[i] != 0.0).collect();
        for pair in changed.chunks(2) {
            let (a, b) = (pair[0], pair[pair.len() - 1]);
            let of_b = if pair.len() == 2 { changes[b] } else { 0.0 };
            let first = (changes[a], self.k.gathered.row(a));
            let second = (of_b, self.k.gathered.row(b));
            for layer in self.gradient.chunks_exact_mut(samples) {
                add_rows(simd, layer, first, second);
            }
        }
        let mut blocks = std::mem::take(&mut self.blocks);
        for of_group in &mut blocks {
            for &t in variables {
                if of_group.up[t] + of_group.down[t] == 0.0 {
                    self.release(of_group, t);
                }
            }
        }
        self.blocks = blocks;
    }
}

/// The steps, compiled for the widest vector instructions of the machine.
struct Relaxation<'s, 'a> {
    subproblem: &'s mut Subproblem<'a>,
    tolerance: f64,
}

impl WithSimd for Relaxation<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.subproblem.relax_with(simd, self.tolerance);
    }
}

impl KernelMatrix<'_> {
    /// Returns the largest squared length of a sample.
    fn largest(&self) -> f64 {
        self.diagonal.iter().fold(0.0, |m, &v| v.max(m))
    }

    /// Multiplies the matrix by the direction. The row of a sample sees its two variables as one.
    #[inline(always)]
    fn multiply<S: Simd>(&self, simd: S, face: &Face, images: &mut [f64]) {
        let samples = self.diagonal.len();
        let mut directions = vec![0.0; samples];
        for (&t, &d) in face.variables.iter().zip(&face.direction) {
            directions[t % samples] += d;
        }
        for (image, &t) in images.iter_mut().zip(&face.variables) {
            *image = inner_product(simd, self.gathered.row(t % samples), &directions);
        }
    }
}

impl Face {
    /// Begins with the direction that the factor makes of the residuals.
    #[inline(always)]
    fn begin<S: Simd>(&mut self, simd: S) {
        center(&mut self.residuals, &self.groups);
        self.direction = self.preconditioned(simd);
    }

    /// Turns to the next direction, conjugate to the last, of which `along` was the product with the residuals.
    #[inline(always)]
    fn turn<S: Simd>(&mut self, simd: S, along: f64) {
        center(&mut self.residuals, &self.groups);
        let next = self.preconditioned(simd);
        let weight = dot(&next, &self.residuals) / along;
        for (direction, next) in self.direction.iter_mut().zip(next) {
            *direction = next + weight * *direction;
        }
    }

    /// Returns (LLᵀ)⁻¹ times the residuals; the residuals of variables that have left are 0.
    #[inline(always)]
    fn preconditioned<S: Simd>(&self, simd: S) -> Vec<f64> {
        let mut solution = vec![0.0; self.factor.nrows()];
        for (&row, &residual) in self.rows.iter().zip(&self.residuals) {
            solution[row] = residual;
        }
        for i in 0..solution.len() {
            let row = row_of(&self.factor, i);
            let known = inner_product(simd, &row[..i], &solution[..i]);
            solution[i] = (solution[i] - known) / row[i];
        }
        for i in (0..solution.len()).rev() {
            let row = row_of(&self.factor, i);
            let value = solution[i] / row[i];
            solution[i] = value;
            for (other, &entry) in solution[..i].iter_mut().zip(row) {
                *other -= value * entry;
            }
        }
        let mut values: Vec<f64> = self.rows.iter().map(|&row| solution[row]).collect();
        center(&mut values, &self.groups);
        values
    }

    fn retain(&mut self, stays: impl Fn(usize) -> bool) {
        let kept: Vec<bool> = self.variables.iter().map(|&t| stays(t)).collect();
        for indices in [&mut self.variables, &mut self.groups, &mut self.rows] {
            let mut kept = kept.iter();
            indices.retain(|_| *kept.next().expect("one a variable"));
        }
        let mut kept = kept.iter();
        self.residuals
            .retain(|_| *kept.next().expect("one a variable"));
    }
}

/// Subtracts the mean of each group.
fn center(values: &mut [f64], groups: &[usize]) {
    let count = groups.iter().max().map_or(0, |last| last + 1);
    let mut sums = vec![(0.0, 0.0); count];
    for (&group, value) in groups.iter().zip(values.iter()) {
        sums[group].0 += value;
        sums[group].1 += 1.0;
    }
    for (&group, value) in groups.iter().zip(values) {
        *value -= sums[group].0 / sums[group].1;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests;
