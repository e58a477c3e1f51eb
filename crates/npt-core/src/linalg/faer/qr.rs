//! Orthonormal bases.

use super::{Real, clear_vector_state, default};
use faer::{
    Conj, Mat, MatMut, MatRef, Par,
    dyn_stack::{MemBuffer, MemStack},
    linalg::{
        householder::{
            apply_block_householder_sequence_on_the_left_in_place_scratch as apply_scratch,
            apply_block_householder_sequence_on_the_left_in_place_with_conj as apply,
        },
        qr::no_pivoting::factor::{qr_in_place, qr_in_place_scratch, recommended_block_size},
    },
};
use ndarray::Array2;

/// Of the span of the rows of a row-major matrix, no more than columns; one a row.
pub(crate) fn orthonormal_rows<F: Real>(mut a: Array2<F>) -> Array2<F> {
    let (rows, columns) = a.dim();
    let mut basis = Array2::zeros((rows, columns));
    basis.diag_mut().fill(F::one());
    let block = recommended_block_size::<F>(columns, rows);
    let mut factor = Mat::zeros(block, rows);
    let scratch = qr_in_place_scratch::<F>(columns, rows, block, Par::Seq, default())
        .or(apply_scratch::<F>(columns, block, rows));
    let (mut memory, fresh) = (MemBuffer::new(scratch), "fresh matrices are row-major");
    // The transposes, one column a row of theirs.
    let reflections = a.as_slice_mut().expect("made row-major by the seam");
    qr_in_place(
        MatMut::from_column_major_slice_mut(reflections, columns, rows),
        factor.as_mut(),
        Par::Seq,
        MemStack::new(&mut memory),
        default(),
    );
    apply(
        MatRef::from_column_major_slice(reflections, columns, rows),
        factor.as_ref(),
        Conj::No,
        MatMut::from_column_major_slice_mut(basis.as_slice_mut().expect(fresh), columns, rows),
        Par::Seq,
        MemStack::new(&mut memory),
    );
    clear_vector_state();
    basis
}
