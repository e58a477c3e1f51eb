//! Targets of one column or several, as a matrix and back.

use crate::Error;
use linfa::dataset::{AsTargets, TargetDim};
use ndarray::{Array, Array2};
use npt_core::Scalar;

/// The targets, checked: finite, one row a sample, one column a target.
pub(super) fn finite_targets<F: Scalar, T: AsTargets<Elem = F>>(
    targets: &T,
) -> Result<Array2<F>, Error> {
    let targets = targets.as_targets();
    let rows = targets.len_of(ndarray::Axis(0));
    let columns = targets.len().checked_div(rows).unwrap_or(0);
    let matrix = Array2::from_shape_vec((rows, columns), targets.iter().copied().collect())
        .expect("as many values as the shape has");
    for ((row, column), value) in matrix.indexed_iter() {
        if !value.is_finite() {
            return Err(Error::TargetNotFinite {
                row,
                column,
                value: value.as_f64(),
            });
        }
    }
    Ok(matrix)
}

/// Zeros for predictions, in the shape that the targets had.
pub(super) fn zeros<F: Scalar, I: TargetDim>(samples: usize, columns: usize) -> Array<F, I> {
    let mut shape = I::zeros(I::NDIM.expect("targets have one axis or two"));
    shape.as_array_view_mut().fill(columns);
    Array::zeros(shape.nsamples(samples))
}
