//! Backed by faer.

use super::Vectorized;
use faer::{
    Accum, Mat, MatMut, MatRef, Par,
    diag::Diag,
    dyn_stack::{MemBuffer, MemStack},
    linalg::{
        evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch},
        matmul::matmul,
        triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place},
    },
    traits::{
        RealField,
        pulp::{Arch, Simd, WithSimd},
    },
};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2};
use std::{hint::black_box, num::NonZeroUsize};

pub(super) fn multiply<F: RealField + Copy>(
    mut c: ArrayViewMut2<'_, F>,
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

pub(super) fn solve_lower<F: RealField + Copy>(l: ArrayView2<'_, F>, b: &mut Array2<F>) {
    let mut l_copy = None;
    let l = as_faer(l, &mut l_copy);
    let (rows, columns) = b.dim();
    let b = b.as_slice_mut().expect("made row-major by the seam");
    solve_lower_triangular_in_place(
        l,
        MatMut::from_row_major_slice_mut(b, rows, columns),
        Par::Seq,
    );
    clear_vector_state();
}

pub(super) fn solve_upper<F: RealField + Copy>(u: ArrayView2<'_, F>, b: &mut Array2<F>) {
    let mut u_copy = None;
    let u = as_faer(u, &mut u_copy);
    let (rows, columns) = b.dim();
    let b = b.as_slice_mut().expect("made row-major by the seam");
    solve_upper_triangular_in_place(
        u,
        MatMut::from_row_major_slice_mut(b, rows, columns),
        Par::Seq,
    );
    clear_vector_state();
}

/// How many parts the eigensolver divides its work into, whatever the number of threads: another
/// division rounds otherwise, and turns the axes of equal eigenvalues.
const PARTS: NonZeroUsize = NonZeroUsize::new(4).expect("not 0");

pub(super) fn eigh<F: RealField + Copy>(a: &Array2<F>) -> Option<(Array1<F>, Array2<F>)> {
    let size = a.nrows();
    let par = Par::Rayon(PARTS);
    let mut copy = None;
    let a = as_faer(a.view(), &mut copy);
    let (mut values, mut vectors) = (Diag::<F>::zeros(size), Mat::<F>::zeros(size, size));
    let scratch = self_adjoint_evd_scratch::<F>(size, ComputeEigenvectors::Yes, par, default());
    self_adjoint_evd(
        a,
        values.as_mut(),
        Some(vectors.as_mut()),
        par,
        MemStack::new(&mut MemBuffer::new(scratch)),
        default(),
    )
    .ok()?;
    clear_vector_state();
    Some((
        values.column_vector().iter().copied().collect(),
        Array2::from_shape_fn((size, size), |(i, j)| vectors[(i, j)]),
    ))
}

fn default<T: Default>() -> T {
    T::default()
}

/// faer's kernels end with the upper halves of the vector registers in use. On some processors
/// each call of a function such as `tanh` then costs a hundred cycles more, until a function
/// compiled for those registers has returned: this is one.
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
        // All wider instructions come with fused ones.
        if size_of::<S::f64s>() > size_of::<f64>() {
            self.0.run::<true>();
        } else {
            self.0.run::<false>();
        }
    }
}

/// The matrix as faer sees it, in place where it is contiguous in either order.
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
    use super::*;
    use crate::linalg::exp::{ExpInPlace, ExpOfDistances};

    /// Lengths beside those of the registers; the portable instructions, and the widest of this machine.
    #[test]
    fn every_set_of_instructions() {
        for arch in [Arch::Scalar, Arch::new()] {
            for length in [0, 1, 3, 4, 7, 8, 17, 100] {
                let b: Vec<f64> = (0..length).map(|i| 0.3 * f64::from(i)).collect();
                let mut found: Vec<f64> = b.iter().map(|v| -v).collect();
                arch.dispatch(Wide(ExpInPlace(&mut found)));
                for (found, b) in found.iter().zip(&b) {
                    assert!((found / (-b).exp() - 1.0).abs() <= 2.0 * f64::EPSILON);
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
}
