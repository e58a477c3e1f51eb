//! Pivoted Cholesky of one small matrix.

use crate::Scalar;
use ndarray::Array2;

/// Cholesky with pivots in strict greedy order, until the largest remaining diagonal is below
/// its floor. The first pivot is always taken. Returns the pivots in the order chosen and their
/// triangular factor.
pub(super) fn greedy_cholesky<F: Scalar>(
    mut matrix: Array2<F>,
    floors: &[F],
) -> (Vec<usize>, Array2<F>) {
    let m = matrix.nrows();
    let mut order: Vec<usize> = (0..m).collect();
    let mut columns: Vec<Vec<F>> = Vec::new();
    for k in 0..m {
        let mut best = k;
        for i in k + 1..m {
            if matrix[[order[i], order[i]]] > matrix[[order[best], order[best]]] {
                best = i;
            }
        }
        let pivot = order[best];
        if k > 0 && !(matrix[[pivot, pivot]] >= floors[pivot]) {
            break;
        }
        order.swap(k, best);
        let root = matrix[[pivot, pivot]].sqrt();
        let mut column: Vec<F> = matrix.column(pivot).iter().map(|&v| v / root).collect();
        column[pivot] = root;
        for &i in &order[k + 1..] {
            for &j in &order[k + 1..] {
                matrix[[i, j]] -= column[i] * column[j];
            }
        }
        columns.push(column);
    }
    let chosen = columns.len();
    order.truncate(chosen);
    let lower = Array2::from_shape_fn((chosen, chosen), |(i, j)| {
        if j <= i {
            columns[j][order[i]]
        } else {
            F::zero()
        }
    });
    (order, lower)
}
