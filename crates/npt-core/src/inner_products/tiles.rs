//! A matrix of inner products that is multiplied tile by tile, and never in memory.

use super::InnerProducts;
use crate::{Error, Scalar, parallel, watch::check};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use std::ops::Range;

/// Rows of a tile, and columns: it stays in the cache of the core that computes it.
const TILE: usize = 256;

/// Rows of tiles that are multiplied side by side, each into memory of its own, whatever the number of threads:
/// so sums are added up in the same order on all machines.
const SIDE_BY_SIDE: usize = 8;

/// The product with a matrix. Of two tiles that are each other's transpose, one is computed.
pub(super) fn multiply<F: Scalar>(
    products: &(impl InnerProducts<F> + ?Sized),
    a: ArrayView2<'_, F>,
) -> Result<Array2<F>, Error> {
    assert_eq!(a.nrows(), products.samples(), "one row a sample");
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
                add_tile(products, (range(row), range(column)), a, part.view_mut())?;
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

/// Adds what a tile and its transpose contribute, to the product from the tile's first row on.
fn add_tile<F: Scalar>(
    products: &(impl InnerProducts<F> + ?Sized),
    (rows, columns): (Range<usize>, Range<usize>),
    a: ArrayView2<'_, F>,
    mut part: ArrayViewMut2<'_, F>,
) -> Result<(), Error> {
    let ids = |range: &Range<usize>| range.clone().collect::<Vec<usize>>();
    let tile = products.block(&ids(&rows), &ids(&columns))?;
    let first = rows.start;
    let place = |range: &Range<usize>| range.start - first..range.end - first;
    let of = |range: &Range<usize>| a.slice(s![range.clone(), ..]);
    let mut above = part.slice_mut(s![place(&rows), ..]);
    above += &product(tile.view(), of(&columns));
    if rows != columns {
        let mut below = part.slice_mut(s![place(&columns), ..]);
        below += &product(tile.t(), of(&rows));
    }
    Ok(())
}

/// On the thread that has the tile. A single column takes sums of rows or of columns, as they lie in memory.
fn product<F: Scalar>(tile: ArrayView2<'_, F>, a: ArrayView2<'_, F>) -> Array2<F> {
    if a.ncols() != 1 {
        return tile.dot(&a);
    }
    let a = a.index_axis(Axis(1), 0);
    if tile.is_standard_layout() {
        return tile.dot(&a).insert_axis(Axis(1));
    }
    let mut sum = Array2::zeros((tile.nrows(), 1));
    for (column, &weight) in tile.axis_iter(Axis(1)).zip(a) {
        sum.column_mut(0).scaled_add(weight, &column);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the product with all of the matrix; tiles that are full, the last that are not, one column and
    /// several.
    #[test]
    fn tiles_multiply_as_the_matrix_does() {
        for samples in [1, 7, 256, 257, 2500] {
            let value = |i: usize, j: usize| ((37 * i + 11 * j) % 29) as f64 - 14.0;
            let x = Array2::from_shape_fn((samples, 3), |(i, j)| value(i, j));
            for columns in [1, 3] {
                let a = Array2::from_shape_fn((samples, columns), |(i, j)| value(j, i));
                let expected = x.dot(&x.t().dot(&a));
                // Whole numbers: none is rounded.
                assert_eq!(multiply(&x, a.view()).unwrap(), expected);
            }
        }
    }
}
