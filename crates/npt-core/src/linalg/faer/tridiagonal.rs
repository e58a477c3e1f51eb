//! Reduction of a symmetric matrix to tridiagonal form.

use super::{
    Real,
    loops::{AddRows, InnerProducts, SymmetricProduct},
    multiply_into, vectorized,
};
use crate::watch::{Carrier, Progress};
use faer::MatRef;
use num_traits::Float;
use rayon::prelude::*;

/// The number of reflections that are collected before all of them update the rest of the matrix.
const WIDTH: usize = 32;

/// The number of rows that are one task.
const ROWS: usize = 128;

/// A product of a vector with fewer entries of a matrix than this is one task.
const SMALL: usize = 1 << 16;

/// Rows of this many entries and more are divided among threads.
const LONG: usize = 1024;

/// The decomposition A = QTQᵀ with T tridiagonal.
pub(super) struct Tridiagonal<F> {
    pub(super) diagonal: Vec<F>,
    /// The entries beside the diagonal, and one more, which the solver wants.
    pub(super) beside: Vec<F>,
    /// The values ½‖v‖² of the reflections I − vvᵀ/(½‖v‖²) whose product is Q; 0 where there is no reflection.
    pub(super) halves: Vec<F>,
}

/// Reduces a symmetric row-major matrix of the given size to tridiagonal form. Only the upper triangle is read.
/// Afterwards row j holds, to the right of its diagonal, the vector v of reflection j, which begins with a 1
/// at j + 1.
///
/// The rest of the matrix is read once for each column, to multiply it with a vector, and written once for
/// each [`WIDTH`] columns.
///
/// # References
/// J. J. Dongarra, D. C. Sorensen, S. J. Hammarling, "Block Reduction of Matrices to Condensed Forms for
/// Eigenvalue Computations", Journal of Computational and Applied Mathematics 27, 1989.
/// doi:10.1016/0377-0427(89)90367-1
pub(super) fn tridiagonalize<F: Real>(a: &mut [F], size: usize) -> Tridiagonal<F> {
    let mut form = Tridiagonal {
        diagonal: vec![F::zero(); size],
        beside: vec![F::zero(); size],
        halves: vec![F::zero(); size],
    };
    let mut pending = Pending::new(size);
    let mut sums = Sums::new(size);
    let flush = |value: F| {
        if Float::abs(value) < least() {
            F::zero()
        } else {
            value
        }
    };
    let mut progress = Progress::start("reduction to tridiagonal form", size);
    for j in 0..size {
        progress.at(j);
        let row = &mut a[j * size..][j..size];
        pending.update_row(j, row);
        form.diagonal[j] = flush(row[0]);
        let next = j + 1;
        if next == size {
            break;
        }
        let v = &mut row[1..];
        let (beside, half) = reflect(v);
        (form.beside[j], form.halves[j]) = (flush(beside), half);
        if form.halves[j] > F::zero() {
            pending.add_direction(next, v);
            let weights = pending.multiply(a, next, &mut sums);
            pending.complete(next, &weights, &mut sums, form.halves[j]);
        }
        if pending.count == WIDTH {
            pending.update_rest(a, size, next);
        }
    }
    form
}

/// Returns the smallest number that counts. A smaller number is nothing beside entries of about 1, and loses
/// digits in a division.
fn least<F: Real>() -> F {
    <F as Float>::min_positive_value() / <F as Float>::epsilon()
}

/// Replaces x by the v with (I − vvᵀ/h)x = β·e₁ and v₁ = 1, and returns β and h = ½‖v‖². If all entries but x₁
/// vanish, there is no reflection, and h = 0.
fn reflect<F: Real>(x: &mut [F]) -> (F, F) {
    let (head, tail) = x.split_first_mut().expect("at least one entry");
    let largest = tail
        .iter()
        .fold(F::zero(), |m, &v| Float::max(m, Float::abs(v)));
    if largest <= least() {
        return (*head, F::zero());
    }
    let squares = tail.iter().map(|&v| (v / largest) * (v / largest));
    let length = largest * Float::sqrt(squares.fold(F::zero(), |sum, v| sum + v));
    let beta = -Float::copysign(Float::hypot(*head, length), *head);
    let first = *head - beta;
    let mut squares = F::zero();
    for value in tail {
        *value /= first;
        squares += *value * *value;
    }
    *head = F::one();
    (beta, (F::one() + squares) / (F::one() + F::one()))
}

/// The pairs v, w of some reflections v that A does not have yet: with them the matrix is A − Σ (vwᵀ + wvᵀ).
struct Pending<F> {
    size: usize,
    count: usize,
    /// The rows v₁, w₁, v₂, w₂, …; in `exchanged`, v and w of each pair change places.
    pairs: Vec<F>,
    exchanged: Vec<F>,
}

impl<F: Real> Pending<F> {
    fn new(size: usize) -> Self {
        Self {
            size,
            count: 0,
            pairs: vec![F::zero(); 2 * WIDTH * size],
            exchanged: vec![F::zero(); 2 * WIDTH * size],
        }
    }

    /// Updates the entries of row j from column j on.
    fn update_row(&self, j: usize, row: &mut [F]) {
        let of_row = |r: usize| -self.pairs[r * self.size + j];
        let weights: Vec<F> = (0..2 * self.count).map(of_row).collect();
        in_parts(row, |offset, sum| {
            self.add(&self.exchanged, j + offset, &weights, sum);
        });
    }

    /// Adds rows to `sum`, from column `first` on, each times its weight.
    fn add(&self, rows: &[F], first: usize, weights: &[F], sum: &mut [F]) {
        vectorized(AddRows {
            rows,
            stride: self.size,
            first,
            weights,
            sum,
        });
    }

    /// Begins the next pair with v, whose entries begin at `first`.
    fn add_direction(&mut self, first: usize, v: &[F]) {
        let start = 2 * self.count * self.size;
        for (rows, other) in [(&mut self.pairs, 0), (&mut self.exchanged, self.size)] {
            let row = &mut rows[start + other..][..self.size];
            row[..first].fill(F::zero());
            row[first..].copy_from_slice(v);
        }
    }

    /// Returns the v of the pair that was begun.
    fn direction(&self) -> &[F] {
        &self.pairs[2 * self.count * self.size..][..self.size]
    }

    /// Computes Av in parts, and returns the weights of the pairs in −Σ (vwᵀ + wvᵀ)v.
    fn multiply(&self, a: &[F], first: usize, sums: &mut Sums<F>) -> Vec<F> {
        let v = self.direction();
        let mut weights = vec![F::zero(); 2 * self.count];
        let inner = InnerProducts {
            rows: &self.exchanged,
            stride: self.size,
            first,
            with: &v[first..],
            products: &mut weights,
        };
        let mut of_matrix = || sums.multiply(a, self.size, first, v);
        if self.size - first < LONG {
            vectorized(inner);
            of_matrix();
        } else {
            let _no_tokens = Carrier::new();
            rayon::join(|| vectorized(inner), of_matrix);
        }
        for weight in &mut weights {
            *weight = -*weight;
        }
        weights
    }

    /// Completes the pair that was begun with w = p − ½(pᵀv/h)v, for p = (A − Σ (vwᵀ + wvᵀ))v/h.
    fn complete(&mut self, first: usize, weights: &[F], sums: &mut Sums<F>, half: F) {
        let v = self.direction()[first..].to_vec();
        let Sums { parts, total } = sums;
        let p = &mut total[first..];
        in_parts(p, |offset, sum| {
            add_up(parts, first, first + offset, sum);
            self.add(&self.pairs, first + offset, weights, sum);
        });
        let mut along = [F::zero()];
        vectorized(InnerProducts {
            rows: p,
            stride: p.len(),
            first: 0,
            with: &v,
            products: &mut along,
        });
        let weight = along[0] / (half + half) / half;
        for (p, &v) in p.iter_mut().zip(&v) {
            *p = *p / half - weight * v;
        }
        let start = 2 * self.count * self.size;
        for (rows, other) in [(&mut self.pairs, self.size), (&mut self.exchanged, 0)] {
            let row = &mut rows[start + other..][..self.size];
            row[..first].fill(F::zero());
            row[first..].copy_from_slice(p);
        }
        self.count += 1;
    }

    /// Updates the rows of A from `first` on, right of the diagonal, by all pairs, and forgets the pairs.
    fn update_rest(&mut self, a: &mut [F], size: usize, first: usize) {
        let (count, pairs, exchanged) = (2 * self.count, &self.pairs, &self.exchanged);
        let _no_tokens = Carrier::new();
        let parts = a.par_chunks_mut(ROWS * size).enumerate();
        parts.skip(first / ROWS).for_each(|(part, rows)| {
            let start = first.max(part * ROWS);
            let end = size.min((part + 1) * ROWS);
            let (below, right) = (end - start, size - start);
            let left =
                MatRef::from_row_major_slice_with_stride(&pairs[start..], count, below, size);
            let other =
                MatRef::from_row_major_slice_with_stride(&exchanged[start..], count, right, size);
            let rows = &mut rows[(start - part * ROWS) * size + start..];
            multiply_into(rows, size, -F::one(), left.transpose(), other);
        });
        self.count = 0;
    }
}

/// A product of the matrix with a vector, in parts.
struct Sums<F> {
    /// The parts, one for each stretch of rows: the contribution of the entries of its rows and of their mirror
    /// images.
    parts: Vec<Vec<F>>,
    total: Vec<F>,
}

impl<F: Real> Sums<F> {
    fn new(size: usize) -> Self {
        Self {
            parts: (0..size.div_ceil(ROWS))
                .map(|_| vec![F::zero(); size])
                .collect(),
            total: vec![F::zero(); size],
        }
    }

    /// Computes Av for the rows and columns of A from `first` on. Only the upper triangle of A is read.
    fn multiply(&mut self, a: &[F], size: usize, first: usize, v: &[F]) {
        let skipped = first / ROWS;
        let of_part = |(part, sum): (usize, &mut Vec<F>)| {
            let start = first.max(part * ROWS);
            sum[start..].fill(F::zero());
            vectorized(SymmetricProduct {
                rows: &a[start * size..size.min((part + 1) * ROWS) * size],
                size,
                first: start,
                v,
                sum,
            });
        };
        if (size - first) * (size - first) < SMALL {
            self.parts
                .iter_mut()
                .enumerate()
                .skip(skipped)
                .for_each(of_part);
        } else {
            let _no_tokens = Carrier::new();
            let parts = self.parts.par_iter_mut().enumerate();
            parts.skip(skipped).for_each(of_part);
        }
    }
}

/// Computes the `total` of the parts of all stretches of rows from `first` on, in some columns from `start` on.
fn add_up<F: Real>(parts: &[Vec<F>], first: usize, start: usize, total: &mut [F]) {
    total.fill(F::zero());
    let end = start + total.len();
    for (part, sum) in parts.iter().enumerate().skip(first / ROWS) {
        // A part has nothing in columns before its first row.
        let from = start.max(part * ROWS);
        if from < end {
            for (total, &sum) in total[from - start..].iter_mut().zip(&sum[from..]) {
                *total += sum;
            }
        }
    }
}

/// Works on a row, in parts and by all threads if it is long. `work` gets the offset of a part, and the part.
fn in_parts<F: Real>(row: &mut [F], work: impl Fn(usize, &mut [F]) + Sync) {
    if row.len() < LONG {
        work(0, row);
    } else {
        let _no_tokens = Carrier::new();
        let parts = row.par_chunks_mut(LONG / 2).enumerate();
        parts.for_each(|(part, row)| work(part * (LONG / 2), row));
    }
}
