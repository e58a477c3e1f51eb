//! ColumnPanels without their means.

use ndarray::{Array1, ArrayView1, ArrayView2, ArrayViewMut1, s};
use npt_core::{Scalar, linalg::ColumnPanels};
use std::ops::Range;

/// Rows of a block that are centred and multiplied at a time: in single precision, half as many.
pub(super) const fn rows_at_once<F>() -> usize {
    1024 * size_of::<F>()
}

/// The columns of rows less their (weighted) means, so that their squares are weighted squares, and the means. These are of the
/// numbers as they are: what the type of the rows rounds off a mean stays in the rows, so that it is added to the mean.
pub(super) fn centred<F: Scalar>(
    rows: ArrayView2<'_, F>,
    weights: Option<ArrayView1<'_, F>>,
) -> (ColumnPanels<F>, Array1<f64>) {
    let all = 0..rows.nrows();
    let (columns, mut means) = centred_by(rows, weights, &[all]);
    (columns, means.remove(0))
}

/// The same, each range of rows less its own means.
pub(super) fn centred_by<F: Scalar>(
    rows: ArrayView2<'_, F>,
    weights: Option<ArrayView1<'_, F>>,
    ranges: &[Range<usize>],
) -> (ColumnPanels<F>, Vec<Array1<f64>>) {
    let roots = weights.map(|weights| weights.mapv(F::sqrt));
    let mut columns = ColumnPanels::of(rows);
    let of_columns = columns.map(|mut column| {
        let of_range = |range: &Range<usize>| {
            let weights = weights.map(|weights| weights.slice_move(s![range.clone()]));
            centre(&mut column.slice_mut(s![range.clone()]), weights)
        };
        let means: Vec<f64> = ranges.iter().map(of_range).collect();
        if let Some(roots) = &roots {
            column *= roots;
        }
        means
    });
    let of_range = |range: usize| of_columns.iter().map(|means| means[range]).collect();
    let means = (0..ranges.len()).map(of_range).collect();
    (columns, means)
}

fn centre<F: Scalar>(column: &mut ArrayViewMut1<'_, F>, weights: Option<ArrayView1<'_, F>>) -> f64 {
    // The rounded mean of equal numbers may be another: what is left would pass for variance.
    let near = if column.iter().all(|&value| value == column[0]) {
        column[0]
    } else {
        column.sum() / F::cast(column.len())
    };
    *column -= near;
    let mut mean = near.as_f64();
    if weights.is_some() {
        let near = F::cast(mean_of(column, weights));
        *column -= near;
        mean += near.as_f64();
    }
    mean + mean_of(column, weights)
}

fn mean_of<F: Scalar>(column: &ArrayViewMut1<'_, F>, weights: Option<ArrayView1<'_, F>>) -> f64 {
    let values = column.iter().map(|value| value.as_f64());
    match weights {
        None => values.sum::<f64>() / column.len() as f64,
        Some(weights) => {
            let weighted = values
                .zip(weights)
                .map(|(value, weight)| value * weight.as_f64());
            weighted.sum::<f64>() / total(weights)
        }
    }
}

pub(super) fn total<F: Scalar>(weights: ArrayView1<'_, F>) -> f64 {
    weights.iter().map(|weight| weight.as_f64()).sum()
}
