//! Orthonormal bases.

use super::{Real, clear_vector_state, default, reflections::Reflections};
use crate::watch::Progress;
use faer::{
    Mat, MatMut, Par,
    dyn_stack::{MemBuffer, MemStack},
    linalg::qr::no_pivoting::factor::{qr_in_place, qr_in_place_scratch},
};
use ndarray::{Array2, s};

/// The number of rows that are decomposed before the rows after them are reflected.
const WIDTH: usize = 128;

/// Returns an orthonormal basis, one vector a row, of a span that contains the rows of a row-major matrix. The
/// matrix has no more rows than columns.
pub(crate) fn orthonormal_rows<F: Real>(mut a: Array2<F>) -> Array2<F> {
    let (rows, columns) = a.dim();
    // A single panel reports no progress.
    let mut progress = (rows > WIDTH).then(|| Progress::start("orthonormal basis", 2 * rows));
    let mut at = |done| progress.iter_mut().for_each(|progress| progress.at(done));
    let mut basis = Array2::zeros((rows, columns));
    basis.diag_mut().fill(F::one());
    let starts = (0..rows).step_by(WIDTH);
    let mut triangles = Vec::new();
    for start in starts.clone() {
        at(start);
        let end = (start + WIDTH).min(rows);
        let triangle = decompose(&mut a, start, end);
        let block = reflections(&a, start, triangle);
        let others = a.as_slice_mut().expect("made row-major by the seam");
        block.apply_transposed(&mut others[end * columns..], columns);
        triangles.push(block.triangle);
    }
    for (start, triangle) in starts.rev().zip(triangles.into_iter().rev()) {
        at(2 * rows - start - triangle.nrows());
        // The rows before `start` would not be changed: they are 0 from column `start` on.
        let others = basis.as_slice_mut().expect("fresh matrices are row-major");
        reflections(&a, start, triangle).apply(&mut others[start * columns..], columns);
    }
    clear_vector_state();
    basis
}

/// Decomposes the rows from `start` to `end`, from their diagonal on. Their reflections overwrite the entries to
/// the right of the diagonal; the triangle of the reflections is returned.
fn decompose<F: Real>(a: &mut Array2<F>, start: usize, end: usize) -> Array2<F> {
    let (columns, width) = (a.ncols(), end - start);
    let mut triangle = Mat::zeros(width, width);
    let scratch = qr_in_place_scratch::<F>(columns - start, width, width, Par::Seq, default());
    let rows = a.as_slice_mut().expect("made row-major by the seam");
    // faer decomposes the transpose: the rows are its columns.
    let part = &mut rows[start * columns + start..end * columns];
    qr_in_place(
        MatMut::from_column_major_slice_with_stride_mut(part, columns - start, width, columns),
        triangle.as_mut(),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        default(),
    );
    clear_vector_state();
    Array2::from_shape_fn((width, width), |(i, j)| {
        if i <= j { triangle[(i, j)] } else { F::zero() }
    })
}

/// Returns the reflections of the rows from `start` on, taken from what [`decompose`] leaves.
fn reflections<F: Real>(a: &Array2<F>, start: usize, triangle: Array2<F>) -> Reflections<F> {
    let end = start + triangle.nrows();
    let mut directions = a.slice(s![start..end, start..]).to_owned();
    for (k, mut direction) in directions.outer_iter_mut().enumerate() {
        direction.slice_mut(s![..k]).fill(F::zero());
        direction[k] = F::one();
    }
    Reflections {
        first: start,
        directions,
        triangle,
    }
}
