//! The principal axes of features.

use super::{
    Rank,
    rotation::select_rank,
    rows::{axis_signs, change_panels, column_squares},
};
use crate::{Error, Scalar, linalg, watch::Progress};
use ndarray::{Array1, Array2, Axis};

pub(super) struct PrincipalAxes<F> {
    /// The axes, one a column.
    pub(super) vectors: Array2<F>,
    /// The coordinates of the samples on these axes.
    pub(super) coordinates: Array2<F>,
    /// The sums of the squares of the coordinates along each axis, in descending order.
    pub(super) values: Array1<F>,
}

/// Computes the principal axes of features. Of the `available` longest axes with sums of squares above `floor`, as many
/// are kept as `rank` says.
pub(super) fn principal_axes<F: Scalar>(
    features: Array2<F>,
    available: usize,
    floor: F,
    rank: Rank,
) -> Result<PrincipalAxes<F>, Error> {
    let _stage = Progress::start("principal axes", None);
    if 4 * features.nrows() <= 3 * features.ncols() {
        // All axes are in the span of the samples. With hardly fewer samples than features, finding a basis of the span
        // takes longer than it saves.
        let span = linalg::orthonormal_rows(features.view());
        let within = linalg::product(features.view(), span.t());
        let mut principal = principal_axes(within, available, floor, rank)?;
        principal.vectors = linalg::product(span.t(), principal.vectors.view());
        return Ok(principal);
    }
    let scatter = linalg::symmetric_rank_k(features.view());
    let (_, vectors) = linalg::eigh_by_rows(scatter)?;
    let coordinates = linalg::product(features.view(), vectors.t());
    drop(features);
    // The eigenvalues are computed by their definition, each to its own rounding.
    let values = column_squares(coordinates.view());
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[j].as_f64().total_cmp(&values[i].as_f64()));
    order.truncate(available);
    if floor > F::zero() {
        order.retain(|&k| values[k] > floor);
    }
    if order.is_empty() {
        let samples = coordinates.nrows();
        return Err(Error::NoVariance { samples });
    }
    let kept = select_rank(values.select(Axis(0), &order).view(), rank)?;
    order.truncate(kept);
    let mut coordinates = select_columns(coordinates, &order);
    let signs = axis_signs(coordinates.view());
    change_panels(&mut coordinates, |_, panel| *panel *= &signs);
    let values = values.select(Axis(0), &order);
    let mut vectors = if order.len() == vectors.nrows() && is_in_order(&order) {
        vectors
    } else {
        vectors.select(Axis(0), &order)
    };
    vectors *= &signs.insert_axis(Axis(1));
    Ok(PrincipalAxes {
        vectors: vectors.reversed_axes(),
        coordinates,
        values,
    })
}

fn is_in_order(order: &[usize]) -> bool {
    order
        .iter()
        .enumerate()
        .all(|(position, &of)| position == of)
}

/// Selects the columns `order` of a matrix, row-major and in place, because it may be the largest matrix there is.
fn select_columns<F: Scalar>(matrix: Array2<F>, order: &[usize]) -> Array2<F> {
    let (rows, columns) = matrix.dim();
    if order.len() == columns && is_in_order(order) {
        return matrix;
    }
    let mut values = linalg::row_major(matrix).into_raw_vec_and_offset().0;
    let mut selected = Vec::with_capacity(order.len());
    for row in 0..rows {
        selected.extend(order.iter().map(|&column| values[row * columns + column]));
        values[row * order.len()..][..order.len()].copy_from_slice(&selected);
        selected.clear();
    }
    values.truncate(rows * order.len());
    Array2::from_shape_vec((rows, order.len()), values).expect("as many values as selected")
}

#[cfg(test)]
mod tests {
    use super::is_in_order;

    #[test]
    fn orders() {
        assert!(is_in_order(&[]) && is_in_order(&[0, 1, 2]));
        assert!(!is_in_order(&[1, 0]) && !is_in_order(&[1, 0, 3, 2]));
    }
}
