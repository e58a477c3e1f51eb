//! Matrices that are filled row by row.

use crate::{
    Scalar,
    watch::{Carrier, Progress},
};
use ndarray::Array2;
use rayon::prelude::*;

/// Fills the rows of a fresh matrix, in parallel where there are many.
pub(crate) fn fill_rows<F: Scalar>(matrix: &mut Array2<F>, fill: impl Fn(usize, &mut [F]) + Sync) {
    let columns = matrix.ncols().max(1);
    let values = matrix.as_slice_mut().expect("fresh matrices are row-major");
    fill_chunks(values, columns, &fill);
}

/// The number of kernel values from which computing them is a stage of its own.
const MANY_VALUES: usize = 1 << 17;

/// Fills the rows of a fresh matrix with kernel values that no matrix product gives. Many of them take long, so
/// they are a stage of their own.
pub(crate) fn fill_values<F: Scalar>(
    matrix: &mut Array2<F>,
    fill: impl Fn(usize, &mut [F]) + Sync,
) {
    let rows = matrix.nrows();
    let progress = (matrix.len() >= MANY_VALUES).then(|| Progress::start("kernel values", rows));
    let steps = progress.as_ref().map(Progress::steps);
    fill_rows(matrix, |i, row| {
        fill(i, row);
        if let Some(steps) = &steps {
            steps.take(1);
        }
    });
}

/// Fills chunks of `columns` values, in parallel. The function is not generic over the closure, for the reason
/// given in [`parallel`](crate::parallel).
fn fill_chunks<F: Scalar>(
    values: &mut [F],
    columns: usize,
    fill: &(dyn Fn(usize, &mut [F]) + Sync),
) {
    let carrier = Carrier::new();
    values
        .par_chunks_exact_mut(columns)
        .with_min_len(16)
        .enumerate()
        .for_each(|(i, row)| carrier.over(|| fill(i, row)));
}
