//! Multiplies a matrix of inner products tile by tile; the whole matrix is never in memory.

use crate::{Error, Scalar, parallel, watch::check};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};
use std::ops::Range;

/// The number of rows, and of columns, of a tile: it stays in the cache of the core that computes it.
pub(super) const TILE: usize = 256;

/// The number of rows of tiles that are multiplied side by side, each into memory of its own. It does not depend on the
/// number of threads, so that sums are added up in the same order on all machines.
const SIDE_BY_SIDE: usize = 8;

/// Computes the entries in some rows and columns, each a range of at most [`TILE`] that begins at a multiple of [`TILE`].
type Tile<'t, F> = &'t (dyn Fn(Range<usize>, Range<usize>) -> Result<Array2<F>, Error> + Sync);

/// The product of a symmetric matrix with `a`, which has one row for each row of the matrix. Of two tiles that are each
/// other's transpose, only one is computed.
pub(super) fn multiply<F: Scalar>(
    tile: Tile<'_, F>,
    a: ArrayView2<'_, F>,
) -> Result<Array2<F>, Error> {
    let (samples, tiles) = (a.nrows(), a.nrows().div_ceil(TILE));
    let range = |tile: usize| tile * TILE..((tile + 1) * TILE).min(samples);
    let mut product = Array2::zeros(a.dim());
    for first in (0..tiles).step_by(SIDE_BY_SIDE) {
        let together = SIDE_BY_SIDE.min(tiles - first);
        let parts = parallel::map(together, |k| {
            let row = first + k;
            let mut part = Array2::zeros((samples - row * TILE, a.ncols()));
            for column in row..tiles {
                check();
                let (rows, columns) = (range(row), range(column));
                let values = tile(rows.clone(), columns.clone())?;
                add_tile(values.view(), (rows, columns), a, part.view_mut());
            }
            Ok(part)
        });
        for (k, part) in parts.into_iter().enumerate() {
            let start = (first + k) * TILE;
            let mut of_part = product.slice_mut(s![start.., ..]);
            of_part += &part?;
        }
    }
    Ok(product)
}

/// Adds the contributions of a tile and of its transpose to `part`: the product from the tile's first row on.
fn add_tile<F: Scalar>(
    tile: ArrayView2<'_, F>,
    (rows, columns): (Range<usize>, Range<usize>),
    a: ArrayView2<'_, F>,
    mut part: ArrayViewMut2<'_, F>,
) {
    let first = rows.start;
    let mut add = |to: &Range<usize>, tile: ArrayView2<'_, F>, from: &Range<usize>| {
        let sum = part.slice_mut(s![to.start - first..to.end - first, ..]);
        F::multiply(sum, true, F::one(), tile, a.slice(s![from.clone(), ..]));
    };
    add(&rows, tile, &columns);
    if rows != columns {
        add(&columns, tile.t(), &rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product by tiles is the product with the whole matrix, for full tiles, for last tiles that are not full, for one
    /// column and for several.
    #[test]
    fn tiles_multiply_as_the_matrix_does() {
        for samples in [1, 7, 256, 257, 2500] {
            let value = |i: usize, j: usize| ((37 * i + 11 * j) % 29) as f64 - 14.0;
            let x = Array2::from_shape_fn((samples, 3), |(i, j)| value(i, j));
            for columns in [1, 3] {
                let a = Array2::from_shape_fn((samples, columns), |(i, j)| value(j, i));
                let expected = x.dot(&x.t().dot(&a));
                let tile = |rows, columns| {
                    let of = |range: Range<usize>| x.slice(s![range, ..]);
                    Ok(of(rows).dot(&of(columns).t()))
                };
                // All numbers are whole, so that none is rounded.
                assert_eq!(multiply(&tile, a.view()).unwrap(), expected);
            }
        }
    }
}
