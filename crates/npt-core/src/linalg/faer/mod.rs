//! The implementation of the seam by faer.

mod eigh;
mod loops;
mod qr;
mod reflections;
mod tridiagonal;

pub(super) use eigh::eigh;
pub(super) use qr::orthonormal_rows;

use super::{PANEL, Vectorized};
use crate::watch::check;
use faer::{
    Accum, MatMut, MatRef, Par,
    linalg::{
        matmul::matmul,
        triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place},
    },
    reborrow::{Reborrow, ReborrowMut},
    traits::RealField,
};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use pulp::{Arch, Simd, WithSimd};
use std::hint::black_box;

pub(super) fn multiply<F: RealField + Copy>(
    c: ArrayViewMut2<'_, F>,
    accumulate: bool,
    alpha: F,
    a: ArrayView2<'_, F>,
    b: ArrayView2<'_, F>,
) {
    let (mut a_copy, mut b_copy) = (None, None);
    let (a, b) = (as_faer(a, &mut a_copy), as_faer(b, &mut b_copy));
    let beta = if accumulate {
        Accum::Add
    } else {
        Accum::Replace
    };
    multiply_to(c, beta, alpha, a, b);
}

pub(super) fn multiply_rows<F: RealField + Copy>(
    c: ArrayViewMut2<'_, F>,
    a: ArrayView2<'_, F>,
    first: usize,
    b: ArrayView2<'_, F>,
) {
    let (mut a_copy, mut b_copy) = (None, None);
    let (a, b) = (as_faer(a, &mut a_copy), as_faer(b, &mut b_copy));
    let rows = a.subrows(first, c.nrows());
    multiply_to(c, Accum::Replace, F::one_impl(), rows, b);
}

fn multiply_to<F: RealField + Copy>(
    mut c: ArrayViewMut2<'_, F>,
    beta: Accum,
    alpha: F,
    a: MatRef<'_, F>,
    b: MatRef<'_, F>,
) {
    let (rows, columns) = c.dim();
    if let Some(c) = c.as_slice_mut() {
        let c = MatMut::from_row_major_slice_mut(c, rows, columns);
        matmul(c, beta, a, b, alpha, Par::Seq);
    } else {
        let mut copy: Vec<F> = c.iter().copied().collect();
        let into = MatMut::from_row_major_slice_mut(&mut copy, rows, columns);
        matmul(into, beta, a, b, alpha, Par::Seq);
        c.iter_mut().zip(copy).for_each(|(c, value)| *c = value);
    }
    clear_vector_state();
}

/// B ← L⁻¹B, by blocks of rows: faer's own solution of many rows takes long, and could not be cancelled.
pub(super) fn solve_lower<F: RealField + Copy>(l: ArrayView2<'_, F>, b: &mut Array2<F>) {
    let mut l_copy = None;
    let l = as_faer(l, &mut l_copy);
    let (rows, columns) = b.dim();
    let b = b.as_slice_mut().expect("made row-major by the seam");
    let mut b = MatMut::from_row_major_slice_mut(b, rows, columns);
    for start in (0..rows).step_by(PANEL) {
        let (solved, rest) = b.rb_mut().split_at_row_mut(start);
        let width = PANEL.min(rest.nrows());
        let mut own = rest.subrows_mut(0, width);
        let left = l.submatrix(start, 0, width, start);
        subtract_product(own.rb_mut(), left, solved.rb());
        let diagonal = l.submatrix(start, start, width, width);
        solve_lower_triangular_in_place(diagonal, own, Par::Seq);
    }
    clear_vector_state();
}

/// B ← U⁻¹B, by blocks of rows as in [`solve_lower`].
pub(super) fn solve_upper<F: RealField + Copy>(u: ArrayView2<'_, F>, b: &mut Array2<F>) {
    let mut u_copy = None;
    let u = as_faer(u, &mut u_copy);
    let (rows, columns) = b.dim();
    let b = b.as_slice_mut().expect("made row-major by the seam");
    let mut b = MatMut::from_row_major_slice_mut(b, rows, columns);
    for start in (0..rows).step_by(PANEL).rev() {
        let end = (start + PANEL).min(rows);
        let (rest, solved) = b.rb_mut().split_at_row_mut(end);
        let mut own = rest.subrows_mut(start, end - start);
        let right = u.submatrix(start, end, end - start, rows - end);
        subtract_product(own.rb_mut(), right, solved.rb());
        let diagonal = u.submatrix(start, start, end - start, end - start);
        solve_upper_triangular_in_place(diagonal, own, Par::Seq);
    }
    clear_vector_state();
}

/// C ← C − A·B, after a check for cancellation.
fn subtract_product<F: RealField + Copy>(c: MatMut<'_, F>, a: MatRef<'_, F>, b: MatRef<'_, F>) {
    check();
    if a.ncols() > 0 {
        matmul(c, Accum::Add, a, b, -F::one_impl(), Par::Seq);
    }
}

/// The floating point types with the properties that faer needs.
pub(super) trait Real: crate::Scalar + RealField + Copy {}

impl<F: crate::Scalar + RealField + Copy> Real for F {}

/// C ← C + α·A·B for a C whose rows are `stride` apart.
fn multiply_into<F: Real>(
    c: &mut [F],
    stride: usize,
    alpha: F,
    a: MatRef<'_, F>,
    b: MatRef<'_, F>,
) {
    // C is made as a transpose, because faer 0.24.4 takes the row stride of a mutable row-major matrix for its
    // column stride.
    let c = MatMut::from_column_major_slice_with_stride_mut(c, b.ncols(), a.nrows(), stride);
    matmul(c.transpose_mut(), Accum::Add, a, b, alpha, Par::Seq);
    clear_vector_state();
}

fn default<T: Default>() -> T {
    T::default()
}

/// Frees the upper halves of the vector registers, which faer's kernels leave in use. On some processors
/// each call of a function such as `tanh` then costs a hundred cycles more, until a function
/// that is compiled for those registers has returned. This is such a function.
fn clear_vector_state() {
    let mut lanes = black_box([0.0_f64; 8]);
    vectorized(Increase(&mut lanes));
    black_box(lanes);
}

struct Increase<'a>(&'a mut [f64]);

impl Vectorized for Increase<'_> {
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        self.0.iter_mut().for_each(|lane| *lane += 1.0);
    }
}

/// Runs a loop compiled for the widest vector instructions of the machine.
pub(super) fn vectorized(run: impl Vectorized) {
    Arch::new().dispatch(Wide(run));
}

struct Wide<V>(V);

impl<V: Vectorized> WithSimd for Wide<V> {
    type Output = ();

    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        // All sets of wider instructions have the fused one.
        if size_of::<S::f64s>() > size_of::<f64>() {
            self.0.run::<true>();
        } else {
            self.0.run::<false>();
        }
    }
}

/// Returns a faer view of the matrix: in place if the matrix is contiguous in either order, else of a `copy`.
fn as_faer<'a, 'b: 'a, F: RealField + Copy>(
    matrix: ArrayView2<'b, F>,
    copy: &'a mut Option<Array2<F>>,
) -> MatRef<'a, F> {
    let (rows, columns) = matrix.dim();
    if let Some(slice) = matrix.to_slice() {
        return MatRef::from_row_major_slice(slice, rows, columns);
    }
    if let Some(slice) = matrix.reversed_axes().to_slice() {
        return MatRef::from_column_major_slice(slice, rows, columns);
    }
    let copy = copy.insert(matrix.as_standard_layout().into_owned());
    let slice = copy.as_slice().expect("owned and row-major");
    MatRef::from_row_major_slice(slice, rows, columns)
}

#[cfg(test)]
mod tests {
    use super::{
        loops::{AddRows, InnerProducts, SymmetricProduct},
        *,
    };
    use crate::linalg::exp::{ExpInPlace, ExpM1InPlace, ExpOfDistances};

    /// Returns the portable instructions, and all sets of wider ones that this machine has.
    fn instructions() -> Vec<Arch> {
        let mut sets = vec![Arch::Scalar, Arch::new()];
        #[cfg(target_arch = "x86_64")]
        sets.extend(pulp::x86::V3::try_new().map(Arch::V3));
        sets
    }

    /// The exponential loops are exact with every set of instructions, for lengths at and beside those of registers.
    #[test]
    fn every_set_of_instructions() {
        for arch in instructions() {
            for length in [0, 1, 3, 4, 7, 8, 17, 100] {
                let b: Vec<f64> = (0..length).map(|i| 0.3 * f64::from(i)).collect();
                let mut found: Vec<f64> = b.iter().map(|v| -v).collect();
                arch.dispatch(Wide(ExpInPlace(&mut found)));
                for (found, b) in found.iter().zip(&b) {
                    assert!((found / (-b).exp() - 1.0).abs() <= 2.0 * f64::EPSILON);
                }
                let mut found: Vec<f64> = b.iter().map(|v| -v).collect();
                arch.dispatch(Wide(ExpM1InPlace(&mut found)));
                for (found, b) in found.iter().zip(&b) {
                    let expected = (-b).exp_m1();
                    assert!((found - expected).abs() <= 2.0 * f64::EPSILON * expected.abs());
                }
                let mut found = vec![0.25_f32; b.len()];
                let offsets: Vec<f32> = b.iter().map(|&v| v as f32).collect();
                arch.dispatch(Wide(ExpOfDistances {
                    values: &mut found,
                    factor: 2.0,
                    a: 1.5,
                    b: &offsets,
                }));
                for (&found, b) in found.iter().zip(&offsets) {
                    let expected = f64::from(0.5 - 1.5 - b).exp();
                    let off = (f64::from(found) / expected - 1.0).abs();
                    assert!(off <= f64::from(f32::EPSILON), "{length}: {off:e}");
                }
            }
        }
    }

    /// The loops over rows agree with their definitions, for lengths that leave remainders of all kinds.
    #[test]
    fn rows_by_every_set_of_instructions() {
        let value = |i: usize| ((37 * i + 11) % 29) as f64 - 14.0;
        for arch in instructions() {
            for (size, first, count) in
                [(1, 0, 1), (9, 0, 9), (40, 3, 6), (77, 70, 7), (100, 17, 33)]
            {
                let rows: Vec<f64> = (0..count * size).map(value).collect();
                let v: Vec<f64> = (0..size).map(|i| value(i * i)).collect();
                let entry = |i: usize, j: usize| rows[(i - first) * size + j];
                let mut expected = vec![1.0; size];
                for i in first..first + count {
                    expected[i] += entry(i, i) * v[i];
                    for j in i + 1..size {
                        expected[i] += entry(i, j) * v[j];
                        expected[j] += entry(i, j) * v[i];
                    }
                }
                let mut sum = vec![1.0; size];
                arch.dispatch(Wide(SymmetricProduct {
                    rows: &rows,
                    size,
                    first,
                    v: &v,
                    sum: &mut sum,
                }));
                assert_eq!(sum, expected);

                let weights: Vec<f64> = (0..count).map(|r| value(5 * r)).collect();
                let row = |r: usize| &rows[r * size + first..(r + 1) * size];
                let mut sum = v[first..].to_vec();
                arch.dispatch(Wide(AddRows {
                    rows: &rows,
                    stride: size,
                    first,
                    weights: &weights,
                    sum: &mut sum,
                }));
                for (i, &sum) in sum.iter().enumerate() {
                    let added: f64 = (0..count).map(|r| weights[r] * row(r)[i]).sum();
                    assert_eq!(sum, v[first + i] + added);
                }
                let mut products = vec![0.0; count];
                arch.dispatch(Wide(InnerProducts {
                    rows: &rows,
                    stride: size,
                    first,
                    with: &v[first..],
                    products: &mut products,
                }));
                for (r, &product) in products.iter().enumerate() {
                    let pairs = row(r).iter().zip(&v[first..]);
                    assert_eq!(product, pairs.map(|(a, b)| a * b).sum::<f64>());
                }
            }
        }
    }
}
