//! The Cholesky factor of one small matrix, in which some pivots are passed over.

use crate::Scalar;
use ndarray::Array2;

/// A matrix from which the rows that became pivots are eliminated.
struct Elimination<F> {
    matrix: Array2<F>,
    pivots: Vec<usize>,
    /// The columns of the factor, one a pivot.
    columns: Vec<Vec<F>>,
}

impl<F: Scalar> Elimination<F> {
    fn new(matrix: Array2<F>) -> Self {
        Self {
            matrix,
            pivots: Vec::new(),
            columns: Vec::new(),
        }
    }

    fn diagonal(&self, i: usize) -> F {
        self.matrix[[i, i]]
    }

    /// Makes a row the next pivot, and eliminates it from the rows and columns `others`.
    fn take(&mut self, pivot: usize, others: &[usize]) {
        let root = self.diagonal(pivot).sqrt();
        let mut column: Vec<F> = self
            .matrix
            .column(pivot)
            .iter()
            .map(|&v| v / root)
            .collect();
        column[pivot] = root;
        for &i in others {
            for &j in others {
                self.matrix[[i, j]] -= column[i] * column[j];
            }
        }
        self.pivots.push(pivot);
        self.columns.push(column);
    }

    /// Returns the pivots in the order in which they were taken, and their triangular factor.
    fn finish(self) -> (Vec<usize>, Array2<F>) {
        let taken = self.pivots.len();
        let lower = Array2::from_shape_fn((taken, taken), |(i, j)| {
            if j <= i {
                self.columns[j][self.pivots[i]]
            } else {
                F::zero()
            }
        });
        (self.pivots, lower)
    }
}

/// Takes pivots in strict greedy order, until the largest remaining diagonal entry is below its floor. The first
/// pivot is always taken.
pub(super) fn greedy_cholesky<F: Scalar>(
    matrix: Array2<F>,
    floors: &[F],
) -> (Vec<usize>, Array2<F>) {
    let mut order: Vec<usize> = (0..matrix.nrows()).collect();
    let mut left = Elimination::new(matrix);
    for k in 0..order.len() {
        let mut best = k;
        for i in k + 1..order.len() {
            if left.diagonal(order[i]) > left.diagonal(order[best]) {
                best = i;
            }
        }
        let pivot = order[best];
        if k > 0 && !(left.diagonal(pivot) >= floors[pivot]) {
            break;
        }
        order.swap(k, best);
        left.take(pivot, &order[k + 1..]);
    }
    left.finish()
}

/// Takes at most `most` pivots in the order of the rows: those that `accepts` takes by their row and remaining
/// diagonal entry.
pub(super) fn ordered_cholesky<F: Scalar>(
    matrix: Array2<F>,
    most: usize,
    mut accepts: impl FnMut(usize, F) -> bool,
) -> (Vec<usize>, Array2<F>) {
    let order: Vec<usize> = (0..matrix.nrows()).collect();
    let mut left = Elimination::new(matrix);
    for k in 0..order.len() {
        if left.pivots.len() == most {
            break;
        }
        if accepts(k, left.diagonal(k)) {
            left.take(k, &order[k + 1..]);
        }
    }
    left.finish()
}
