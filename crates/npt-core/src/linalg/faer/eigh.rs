//! Eigenvalues and eigenvectors of a symmetric matrix.

use super::{
    Real, clear_vector_state, default, multiply_into, solve_upper,
    tridiagonal::{Tridiagonal, tridiagonalize},
};
use crate::{
    linalg::PANEL,
    watch::{Carrier, detached},
};
use faer::{
    MatMut, MatRef, Par,
    diag::{DiagMut, DiagRef},
    dyn_stack::{MemBuffer, MemStack},
    linalg::evd::{ComputeEigenvectors, self_adjoint_evd_scratch, tridiagonal_self_adjoint_evd},
};
use ndarray::{Array1, Array2};
use rayon::prelude::*;
use std::{num::NonZeroUsize, sync::Arc};

/// How many parts the tridiagonal solver divides its work into, whatever the number of threads: another
/// division rounds otherwise, and turns the axes of equal eigenvalues.
const PARTS: NonZeroUsize = NonZeroUsize::new(4).expect("not 0");

/// Tridiagonal problems from this size on take more than a few hundredths of a second.
const LARGE: usize = 1024;

/// Reflections that are applied to the eigenvectors at once.
const WIDTH: usize = 128;

/// Ascending, one eigenvector a row. Only the upper triangle is read.
pub(crate) fn eigh<F: Real>(a: Array2<F>) -> Option<(Array1<F>, Array2<F>)> {
    let size = a.nrows();
    if size == 0 {
        return Some((Array1::zeros(0), a));
    }
    let mut a = a.into_raw_vec_and_offset().0;
    let form = Arc::new(tridiagonalize(&mut a, size));
    keep_reflections(&mut a, size);
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
        Reflections::new(&a, &form, start).apply(rows, size);
    }
    clear_vector_state();
    Some((values, vectors))
}

/// Leaves of a reduced matrix what is right of the diagonal, row behind row, and frees the rest.
fn keep_reflections<F: Real>(reduced: &mut Vec<F>, size: usize) {
    for row in 0..size {
        let right = row * size + row + 1..(row + 1) * size;
        reduced.copy_within(right, start_of(row, size));
    }
    reduced.truncate(start_of(size, size));
    reduced.shrink_to_fit();
}

/// Where a row of what [`keep_reflections`] leaves begins.
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
    // That of the whole problem is enough for the tridiagonal one.
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

/// Some reflections in a row, as one: I − VᵀT⁻¹V with T the upper triangle of VVᵀ, half of its diagonal.
///
/// # References
/// T. Joffrain, T. M. Low, E. S. Quintana-Ortí, R. van de Geijn, F. G. Van Zee, "Accumulating Householder
/// Transformations, Revisited", ACM TOMS 32(2), 2006. doi:10.1145/1141885.1141886
struct Reflections<F> {
    /// The index of the first entry that they change.
    first: usize,
    /// V, one reflection a row.
    directions: Array2<F>,
    /// T
    triangle: Array2<F>,
}

impl<F: Real> Reflections<F> {
    /// Those of up to [`WIDTH`] rows, as [`keep_reflections`] leaves them.
    fn new(reflections: &[F], form: &Tridiagonal<F>, start: usize) -> Self {
        let size = form.halves.len();
        let (first, end) = (start + 1, (start + WIDTH).min(size - 1));
        let mut directions = Array2::zeros((end - start, size - first));
        for (k, row) in (start..end).enumerate() {
            if form.halves[row] > F::zero() {
                let v = &reflections[start_of(row, size)..][..size - row - 1];
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
        Self {
            first,
            directions,
            triangle,
        }
    }

    /// Applies them to vectors, one a row.
    fn apply(&self, rows: &mut [F], size: usize) {
        let (count, length) = self.directions.dim();
        let directions = self.directions.as_slice().expect("made row by row");
        let directions = MatRef::from_row_major_slice(directions, count, length);
        let carrier = Carrier::new();
        let apply = |rows: &mut [F]| {
            let vectors = rows.len() / size;
            let rows = &mut rows[self.first..];
            let mut along = Array2::zeros((count, vectors));
            let parts = MatRef::from_row_major_slice_with_stride(rows, vectors, length, size);
            let slice = along.as_slice_mut().expect("fresh matrices are row-major");
            multiply_into(slice, vectors, F::one(), directions, parts.transpose());
            solve_upper(self.triangle.view(), &mut along);
            let slice = along.as_slice().expect("fresh matrices are row-major");
            let along = MatRef::from_row_major_slice(slice, count, vectors);
            multiply_into(rows, size, -F::one(), along.transpose(), directions);
        };
        let parts = rows.par_chunks_mut(PANEL * size);
        parts.for_each(|rows| carrier.over(|| apply(rows)));
    }
}
