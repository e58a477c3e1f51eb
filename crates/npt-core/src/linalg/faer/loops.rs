//! Loops over rows of matrices, for wide instructions.

use super::Real;
use crate::linalg::Vectorized;
use num_traits::Float;
use std::array::from_fn;

/// Adds to `sum` the contribution of some rows of a symmetric matrix to its product with v. The rows are read
/// from the diagonal to the right; the mirror image of what is read contributes, too.
pub(super) struct SymmetricProduct<'a, F> {
    pub(super) rows: &'a [F],
    pub(super) size: usize,
    /// The number of the first row.
    pub(super) first: usize,
    pub(super) v: &'a [F],
    pub(super) sum: &'a mut [F],
}

impl<F: Real> Vectorized for SymmetricProduct<'_, F> {
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn run<const FUSED: bool>(mut self) {
        let count = self.rows.len() / self.size;
        let fours = count / 4 * 4;
        for row in (0..fours).step_by(4) {
            self.add::<FUSED, 4>(row);
        }
        for row in fours..count {
            self.add::<FUSED, 1>(row);
        }
    }
}

impl<F: Real> SymmetricProduct<'_, F> {
    /// Adds the contribution of N rows.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn add<const FUSED: bool, const N: usize>(&mut self, row: usize) {
        let start = self.first + row;
        let rows: [&[F]; N] = from_fn(|k| &self.rows[(row + k) * self.size..][start..self.size]);
        let (own, v) = self.v[start..].split_at(N);
        let (sums, mirrored) = self.sum[start..].split_at_mut(N);
        for k in 0..N {
            sums[k] = multiply_add::<F, FUSED>(rows[k][k], own[k], sums[k]);
            for other in k + 1..N {
                sums[k] = multiply_add::<F, FUSED>(rows[k][other], own[other], sums[k]);
                sums[other] = multiply_add::<F, FUSED>(rows[k][other], own[k], sums[other]);
            }
        }
        let rest = rows.map(|row| &row[N..][..v.len()]);
        let eights = rest.map(|row| row.as_chunks::<8>().0);
        let mut lanes = [[F::zero(); 8]; N];
        let (mirrored_eights, mirrored_rest) = mirrored.as_chunks_mut::<8>();
        let (v_eights, v_rest) = v.as_chunks::<8>();
        for (i, (mirrored, v)) in mirrored_eights.iter_mut().zip(v_eights).enumerate() {
            // These are copies; otherwise the loops over them are not vectorised.
            let (mut sums, v) = (*mirrored, *v);
            for k in 0..N {
                let row = eights[k][i];
                lanes[k] = from_fn(|l| multiply_add::<F, FUSED>(row[l], v[l], lanes[k][l]));
                sums = from_fn(|l| multiply_add::<F, FUSED>(row[l], own[k], sums[l]));
            }
            *mirrored = sums;
        }
        let done = v_eights.len() * 8;
        for k in 0..N {
            let mut sum = total(lanes[k]);
            let last = rest[k][done..].iter().zip(v_rest).zip(&mut *mirrored_rest);
            for ((&entry, &v), mirrored) in last {
                sum = multiply_add::<F, FUSED>(entry, v, sum);
                *mirrored = multiply_add::<F, FUSED>(entry, own[k], *mirrored);
            }
            sums[k] += sum;
        }
    }
}

/// Adds rows of a matrix to `sum`, each times its weight. The rows are read from column `first` on.
pub(super) struct AddRows<'a, F> {
    pub(super) rows: &'a [F],
    pub(super) stride: usize,
    pub(super) first: usize,
    pub(super) weights: &'a [F],
    pub(super) sum: &'a mut [F],
}

impl<F: Real> Vectorized for AddRows<'_, F> {
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let length = self.sum.len();
        let row = |r: usize| &self.rows[r * self.stride + self.first..][..length];
        let (fours, rest) = self.weights.as_chunks::<4>();
        for (four, weights) in fours.iter().enumerate() {
            let rows: [&[F]; 4] = from_fn(|k| row(4 * four + k));
            for (i, sum) in self.sum.iter_mut().enumerate() {
                let mut value = *sum;
                for k in 0..4 {
                    value = multiply_add::<F, FUSED>(rows[k][i], weights[k], value);
                }
                *sum = value;
            }
        }
        for (r, &weight) in rest.iter().enumerate() {
            for (sum, &value) in self.sum.iter_mut().zip(row(4 * fours.len() + r)) {
                *sum = multiply_add::<F, FUSED>(value, weight, *sum);
            }
        }
    }
}

/// Computes the inner products of a vector with rows of a matrix. The rows are read from column `first` on.
pub(super) struct InnerProducts<'a, F> {
    pub(super) rows: &'a [F],
    pub(super) stride: usize,
    pub(super) first: usize,
    pub(super) with: &'a [F],
    pub(super) products: &'a mut [F],
}

impl<F: Real> Vectorized for InnerProducts<'_, F> {
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let (with, with_rest) = self.with.as_chunks::<32>();
        for (r, dot) in self.products.iter_mut().enumerate() {
            let row = &self.rows[r * self.stride + self.first..][..self.with.len()];
            let (row, row_rest) = row.as_chunks::<32>();
            let mut lanes = [F::zero(); 32];
            for (row, with) in row.iter().zip(with) {
                for lane in 0..32 {
                    lanes[lane] = multiply_add::<F, FUSED>(row[lane], with[lane], lanes[lane]);
                }
            }
            *dot = total(lanes);
            for (&value, &with) in row_rest.iter().zip(with_rest) {
                *dot = multiply_add::<F, FUSED>(value, with, *dot);
            }
        }
    }
}

#[allow(clippy::inline_always)]
#[inline(always)]
fn multiply_add<F: Real, const FUSED: bool>(a: F, b: F, c: F) -> F {
    if FUSED {
        Float::mul_add(a, b, c)
    } else {
        a * b + c
    }
}

#[allow(clippy::inline_always)]
#[inline(always)]
fn total<F: Real, const N: usize>(mut lanes: [F; N]) -> F {
    let mut width = N;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            let upper = lanes[lane + width];
            lanes[lane] += upper;
        }
    }
    lanes[0]
}
