//! Matrices the other way round.

use super::{PANEL, fill_symmetric, fill_tiles, multiply_in_stretches, stretch};
use crate::{Scalar, parallel};
use ndarray::{Array2, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis};

/// A ← Bᵀ, in squares that stay in the innermost cache.
pub(super) fn assign_transposed<F: Scalar>(mut a: ArrayViewMut2<'_, F>, b: ArrayView2<'_, F>) {
    const SIDE: usize = 16;
    let rows = a.axis_chunks_iter_mut(Axis(0), SIDE);
    for (mut rows, columns) in rows.zip(b.axis_chunks_iter(Axis(1), SIDE)) {
        let squares = rows.axis_chunks_iter_mut(Axis(1), SIDE);
        for (mut square, mirrored) in squares.zip(columns.axis_chunks_iter(Axis(0), SIDE)) {
            square.assign(&mirrored.t());
        }
    }
}

/// Aᵀ in memory of its own, row by row.
pub(crate) fn transposed<F: Scalar>(a: ArrayView2<'_, F>) -> Array2<F> {
    let mut transposed = Array2::zeros((a.ncols(), a.nrows()));
    assign_transposed(transposed.view_mut(), a);
    transposed
}

/// The columns of a matrix A, each in one stretch of memory: what AᵀA and AᵀB are multiplied from.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg::ColumnPanels;
///
/// let mut a = ColumnPanels::of(array![[1.0, 2.0], [3.0, 6.0]].view());
/// let means: Vec<f64> = a.map(|mut column| {
///     let mean = column.sum() / 2.0;
///     column -= mean;
///     mean
/// });
/// assert_eq!(means, [2.0, 4.0]);
/// assert_eq!(a.symmetric_rank_k(), array![[2.0, 4.0], [4.0, 8.0]]);
/// let b = ColumnPanels::of(array![[1.0], [0.0]].view());
/// assert_eq!(a.products(&b), array![[-1.0], [-2.0]]);
/// ```
pub struct ColumnPanels<F> {
    /// Aᵀ, [`PANEL`] rows each.
    panels: Vec<Array2<F>>,
    count: usize,
}

impl<F: Scalar> ColumnPanels<F> {
    /// Copies those of A, in parallel.
    pub fn of(a: ArrayView2<'_, F>) -> Self {
        let panels: Vec<_> = a.axis_chunks_iter(Axis(1), PANEL).collect();
        Self {
            panels: parallel::map(panels.len(), |panel| transposed(panels[panel])),
            count: a.ncols(),
        }
    }

    /// Changes every column, in parallel; the results of `work`, in their order.
    pub fn map<R: Send + Sync>(
        &mut self,
        work: impl Fn(ArrayViewMut1<'_, F>) -> R + Sync,
    ) -> Vec<R> {
        let of_panels = parallel::map_mut(&mut self.panels, |_, panel| {
            let columns = panel.outer_iter_mut();
            columns.map(&work).collect::<Vec<R>>()
        });
        of_panels.into_iter().flatten().collect()
    }

    /// AᵀA, in parallel, each product once.
    pub fn symmetric_rank_k(&self) -> Array2<F> {
        if self.count == 0 {
            return Array2::zeros((0, 0));
        }
        fill_symmetric(self.count, &|rows, columns, tile| {
            self.multiply(rows.start, self, columns.start, tile);
        })
    }

    /// AᵀB, in parallel.
    ///
    /// # Panics
    /// Panics unless B has as many rows as A.
    pub fn products(&self, b: &Self) -> Array2<F> {
        if self.count == 0 || b.count == 0 {
            return Array2::zeros((self.count, b.count));
        }
        fill_tiles(self.count, b.count, &|rows, columns, tile| {
            self.multiply(rows.start, b, columns.start, tile);
        })
    }

    /// The products of a panel of columns with one of B, by their first columns.
    fn multiply(&self, first: usize, b: &Self, first_of_b: usize, tile: &mut Array2<F>) {
        let (a, b) = (&self.panels[first / PANEL], &b.panels[first_of_b / PANEL]);
        let stretch = stretch(tile.dim());
        multiply_in_stretches(&mut tile.view_mut(), a.view(), b.t(), stretch);
    }
}
