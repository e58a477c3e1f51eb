//! Eigenvalues and eigenvectors of a symmetric matrix.

use super::{
    Real, clear_vector_state, default,
    reflections::Reflections,
    tridiagonal::{Tridiagonal, tridiagonalize},
};
use crate::watch::{Progress, detached};
use faer::{
    MatMut, Par,
    diag::{DiagMut, DiagRef},
    dyn_stack::{MemBuffer, MemStack},
    linalg::evd::{ComputeEigenvectors, self_adjoint_evd_scratch, tridiagonal_self_adjoint_evd},
};
use ndarray::{Array1, Array2};
use std::{num::NonZeroUsize, sync::Arc};

/// The number of parts that the tridiagonal solver divides its work into, whatever the number of threads:
/// another division rounds differently, and turns the axes of equal eigenvalues.
const PARTS: NonZeroUsize = NonZeroUsize::new(4).expect("not 0");

/// Tridiagonal problems from this size on take more than a few hundredths of a second.
const LARGE: usize = 1024;

/// The number of reflections that are applied to the eigenvectors at once.
const WIDTH: usize = 128;

/// Returns the eigenvalues, in ascending order, and the eigenvectors, one a row. Only the upper triangle of
/// the matrix is read.
pub(crate) fn eigh<F: Real>(a: Array2<F>) -> Option<(Array1<F>, Array2<F>)> {
    let size = a.nrows();
    if size == 0 {
        return Some((Array1::zeros(0), a));
    }
    let mut a = a.into_raw_vec_and_offset().0;
    let form = Arc::new(tridiagonalize(&mut a, size));
    keep_reflections(&mut a, size);
    let mut progress = Progress::start("eigenvectors", size);
    let (values, mut vectors) = if size < LARGE {
        of_tridiagonal(&form)
    } else {
        let form = Arc::clone(&form);
        detached(move || of_tridiagonal(&form))
    }?;
    let rows = vectors
        .as_slice_mut()
        .expect("fresh matrices are row-major");
    for start in (0..size.saturating_sub(1)).step_by(WIDTH).rev() {
        progress.at(size.saturating_sub(start + WIDTH));
        reflections(&a, &form, start).apply(rows, size);
    }
    clear_vector_state();
    Some((values, vectors))
}

/// Keeps the entries of a reduced matrix to the right of its diagonal, row behind row, and frees the rest.
fn keep_reflections<F: Real>(reduced: &mut Vec<F>, size: usize) {
    for row in 0..size {
        let right = row * size + row + 1..(row + 1) * size;
        reduced.copy_within(right, start_of(row, size));
    }
    reduced.truncate(start_of(size, size));
    reduced.shrink_to_fit();
}

/// Returns the position at which a row begins in what [`keep_reflections`] leaves.
fn start_of(row: usize, size: usize) -> usize {
    row * size - row * (row + 1) / 2
}

fn of_tridiagonal<F: Real>(form: &Tridiagonal<F>) -> Option<(Array1<F>, Array2<F>)> {
    let size = form.diagonal.len();
    let par = Par::Rayon(PARTS);
    let (mut values, mut vectors) = (vec![F::zero(); size], Array2::zeros((size, size)));
    let columns = vectors
        .as_slice_mut()
        .expect("fresh matrices are row-major");
    // The scratch memory of the whole problem is enough for the tridiagonal one.
    let scratch = self_adjoint_evd_scratch::<F>(size, ComputeEigenvectors::Yes, par, default());
    tridiagonal_self_adjoint_evd(
        DiagRef::from_slice(&form.diagonal),
        DiagRef::from_slice(&form.beside),
        DiagMut::from_slice_mut(&mut values),
        Some(MatMut::from_column_major_slice_mut(columns, size, size)),
        par,
        MemStack::new(&mut MemBuffer::new(scratch)),
        default(),
    )
    .ok()?;
    Some((Array1::from(values), vectors))
}

/// Returns the reflections of up to [`WIDTH`] rows from `start` on, taken from what [`keep_reflections`] leaves.
fn reflections<F: Real>(kept: &[F], form: &Tridiagonal<F>, start: usize) -> Reflections<F> {
    let size = form.halves.len();
    let (first, end) = (start + 1, (start + WIDTH).min(size - 1));
    let mut directions = Array2::zeros((end - start, size - first));
    for (k, row) in (start..end).enumerate() {
        if form.halves[row] > F::zero() {
            let v = &kept[start_of(row, size)..][..size - row - 1];
            let mut direction = directions.row_mut(k);
            direction
                .iter_mut()
                .skip(k)
                .zip(v)
                .for_each(|(d, &v)| *d = v);
        }
    }
    let mut triangle = crate::linalg::product(directions.view(), directions.t());
    for (k, row) in (start..end).enumerate() {
        let half = form.halves[row];
        triangle[[k, k]] = if half > F::zero() { half } else { F::one() };
    }
    Reflections {
        first,
        directions,
        triangle,
    }
}
