//! Rows of a block, part by part, and their columns without the means.

use crate::Error;
use ndarray::{Array1, ArrayView1, ArrayViewMut1, CowArray, Ix2, Slice, s};
use npt_core::{Rows, Scalar, linalg::ByColumns, watch::Progress};
use std::ops::Range;

/// The number of rows of a block that are centred and multiplied at a time; half as many in single precision.
const fn rows_at_once<F>() -> usize {
    1024 * size_of::<F>()
}

/// Refuses a caller's rows that are not finite. Owned rows were computed by a space, which has checked them.
pub(super) fn check_given<F: Scalar>(rows: &CowArray<'_, F, Ix2>) -> Result<(), npt_core::Error> {
    if rows.is_owned() {
        Ok(())
    } else {
        Rows::check(rows.view())
    }
}

/// Calls `work` with the rows of a block, part by part, and merges the results; returns `None` for no rows.
pub(super) fn of_parts<F: Scalar, R>(
    rows: CowArray<'_, F, Ix2>,
    work: impl Fn(CowArray<'_, F, Ix2>, Slice) -> Result<R, Error>,
    mut merge: impl FnMut(&mut R, &R) -> Result<(), Error>,
) -> Result<Option<R>, Error> {
    let (count, most) = (rows.nrows(), rows_at_once::<F>());
    if count == 0 {
        return Ok(None);
    }
    let first_part = 0..count.min(most);
    if count <= most {
        return work(rows, first_part.into()).map(Some);
    }
    let mut progress = Progress::start("moments of a block", count);
    let mut all = work(
        rows.slice(s![first_part.clone(), ..]).into(),
        first_part.into(),
    )?;
    for start in (most..count).step_by(most) {
        progress.at(start);
        let part = start..count.min(start + most);
        let more = work(rows.slice(s![part.clone(), ..]).into(), part.into())?;
        merge(&mut all, &more)?;
    }
    Ok(Some(all))
}

/// Returns the columns of rows. Owned rows that are column-major are not copied.
fn columns<F: Scalar>(rows: CowArray<'_, F, Ix2>) -> ByColumns<F> {
    if rows.is_owned() {
        ByColumns::from_matrix(rows.into_owned())
    } else {
        ByColumns::of(rows.view())
    }
}

/// Returns the columns of rows less their (weighted) means, so that their squares are weighted squares, and the means. The means are more
/// exact than the type of the rows: the part of a mean that this type rounds off stays in the rows, and is added to the mean.
pub(super) fn centered<F: Scalar>(
    rows: CowArray<'_, F, Ix2>,
    weights: Option<ArrayView1<'_, F>>,
) -> (ByColumns<F>, Array1<f64>) {
    let all = 0..rows.nrows();
    let (columns, mut means) = centered_columns(columns(rows), weights, &[all]);
    (columns, means.remove(0))
}

/// Centres rows as `centered` does, in another order, each range of them by its own means.
pub(super) fn centered_by<F: Scalar>(
    rows: CowArray<'_, F, Ix2>,
    order: &[usize],
    weights: Option<ArrayView1<'_, F>>,
    ranges: &[Range<usize>],
) -> (ByColumns<F>, Vec<Array1<f64>>) {
    let mut columns = columns(rows);
    columns.map(|mut column| {
        let before = column.to_owned();
        let ordered = order.iter().map(|&row| before[row]);
        column
            .iter_mut()
            .zip(ordered)
            .for_each(|(to, from)| *to = from);
    });
    centered_columns(columns, weights, ranges)
}

fn centered_columns<F: Scalar>(
    mut columns: ByColumns<F>,
    weights: Option<ArrayView1<'_, F>>,
    ranges: &[Range<usize>],
) -> (ByColumns<F>, Vec<Array1<f64>>) {
    let roots = weights.map(|weights| weights.mapv(F::sqrt));
    let of_columns = columns.map(|mut column| {
        let of_range = |range: &Range<usize>| {
            let weights = weights.map(|weights| weights.slice_move(s![range.clone()]));
            center(&mut column.slice_mut(s![range.clone()]), weights)
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

fn center<F: Scalar>(column: &mut ArrayViewMut1<'_, F>, weights: Option<ArrayView1<'_, F>>) -> f64 {
    // The rounded mean of equal numbers may differ from them, and the difference would pass for variance.
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
