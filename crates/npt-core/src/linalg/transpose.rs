//! Transposed matrices.

use super::{PANEL, fill_symmetric_by, fill_tiles, multiply_in_stretches, stretch};
use crate::{Scalar, parallel};
use ndarray::{Array2, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis, s};
use std::ops::Range;

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

/// Returns Aᵀ, row-major in memory of its own.
pub(crate) fn transposed<F: Scalar>(a: ArrayView2<'_, F>) -> Array2<F> {
    let mut transposed = Array2::zeros((a.ncols(), a.nrows()));
    assign_transposed(transposed.view_mut(), a);
    transposed
}

/// The columns of a matrix A, each in one stretch of memory, for the products AᵀA and AᵀB.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg::ByColumns;
///
/// let mut a = ByColumns::of(array![[1.0, 2.0], [3.0, 6.0]].view());
/// let means: Vec<f64> = a.map(|mut column| {
///     let mean = column.sum() / 2.0;
///     column -= mean;
///     mean
/// });
/// assert_eq!(means, [2.0, 4.0]);
/// assert_eq!(a.symmetric_rank_k(), array![[2.0, 4.0], [4.0, 8.0]]);
/// let b = ByColumns::of(array![[1.0], [0.0]].view());
/// assert_eq!(a.products(&b), array![[-1.0], [-2.0]]);
/// ```
#[doc(hidden)]
pub struct ByColumns<F> {
    /// Aᵀ, row-major.
    columns: Array2<F>,
}

/// The number of columns of a tile of AᵀA.
const SQUARE: usize = 128;

impl<F: Scalar> ByColumns<F> {
    /// Takes the columns of a matrix that is not needed any more, without a copy if the matrix is column-major.
    pub fn from_matrix(a: Array2<F>) -> Self {
        if a.t().is_standard_layout() {
            let columns = a.reversed_axes();
            Self { columns }
        } else {
            Self::of(a.view())
        }
    }

    /// Copies the columns of A, in parallel.
    pub fn of(a: ArrayView2<'_, F>) -> Self {
        let mut columns = Array2::zeros((a.ncols(), a.nrows()));
        let from = a.axis_chunks_iter(Axis(1), PANEL);
        let mut panels: Vec<_> = columns
            .axis_chunks_iter_mut(Axis(0), PANEL)
            .zip(from)
            .collect();
        // The matrix is a whole column-major one, or rows of a larger one.
        let is_by_columns = a.strides()[0] == 1;
        parallel::map_mut(&mut panels, |_, (panel, from)| {
            if is_by_columns {
                panel.assign(&from.t());
            } else {
                assign_transposed(panel.view_mut(), *from);
            }
        });
        Self { columns }
    }

    /// Changes every column by `work`, in parallel, and returns the results of `work` in the order of the columns.
    pub fn map<R: Send + Sync>(
        &mut self,
        work: impl Fn(ArrayViewMut1<'_, F>) -> R + Sync,
    ) -> Vec<R> {
        let panels = self.columns.axis_chunks_iter_mut(Axis(0), PANEL);
        let of_panels = parallel::map_mut(&mut panels.collect::<Vec<_>>(), |_, panel| {
            let columns = panel.outer_iter_mut();
            columns.map(&work).collect::<Vec<R>>()
        });
        of_panels.into_iter().flatten().collect()
    }

    /// Computes AᵀA, in parallel, each inner product once.
    pub fn symmetric_rank_k(&self) -> Array2<F> {
        symmetric_rank_k(self.columns.view())
    }

    /// Computes AᵀA from the given rows of A alone, in parallel.
    ///
    /// # Panics
    /// Panics if A does not have all of these rows.
    pub fn symmetric_rank_k_of(&self, rows: Range<usize>) -> Array2<F> {
        symmetric_rank_k(self.columns.slice(s![.., rows]))
    }

    /// Computes AᵀB, in parallel.
    ///
    /// # Panics
    /// Panics unless B has as many rows as A.
    pub fn products(&self, b: &Self) -> Array2<F> {
        let shape = (self.columns.nrows(), b.columns.nrows());
        if shape.0 == 0 || shape.1 == 0 {
            return Array2::zeros(shape);
        }
        fill_tiles(shape.0, shape.1, &|rows, columns, tile| {
            multiply(tile, self.some(rows), b.some(columns));
        })
    }

    fn some(&self, columns: Range<usize>) -> ArrayView2<'_, F> {
        self.columns.slice(s![columns, ..])
    }
}

/// Computes BBᵀ, each inner product once.
fn symmetric_rank_k<F: Scalar>(b: ArrayView2<'_, F>) -> Array2<F> {
    if b.nrows() == 0 {
        return Array2::zeros((0, 0));
    }
    fill_symmetric_by(SQUARE, b.nrows(), &|rows, columns, tile| {
        multiply(tile, b.slice(s![rows, ..]), b.slice(s![columns, ..]));
    })
}

/// C ← ABᵀ
fn multiply<F: Scalar>(c: &mut Array2<F>, a: ArrayView2<'_, F>, b: ArrayView2<'_, F>) {
    let stretch = stretch(c.dim());
    multiply_in_stretches(&mut c.view_mut(), a, b.t(), stretch);
}
