//! Matrices that are filled tile by tile. Each tile stays in the cache of the core that computes it.

use super::{PANEL, spare::arbitrary, transpose::assign_transposed};
use crate::{
    Scalar,
    watch::{Carrier, Progress, check},
};
use ndarray::{Array2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;
use std::ops::Range;

/// The number of rows and of columns of a tile, as many as a panel has: 512 KB of `f64`.
const TILE: usize = PANEL;

/// The number of entries, 128 MB of `f64`, from which filling a matrix is a stage of its own.
const MANY: usize = 1 << 24;

/// The name of the stage in which a large matrix is filled; `None` for a small matrix.
fn stage_of(rows: usize, columns: usize) -> Option<&'static str> {
    (rows.saturating_mul(columns) >= MANY).then_some("tiles of a matrix")
}

/// A function that writes the values of some rows in some columns into a matrix of that shape, which holds
/// arbitrary values before.
type Fill<'f, F> = &'f (dyn Fn(Range<usize>, Range<usize>, &mut Array2<F>) + Sync);

/// Computes the tiles of a matrix by `fill`, in parallel.
pub(crate) fn fill_tiles<F: Scalar>(rows: usize, columns: usize, fill: Fill<'_, F>) -> Array2<F> {
    let mut matrix = arbitrary((rows, columns));
    if rows <= TILE && columns <= TILE {
        fill(0..rows, 0..columns, &mut matrix);
        return matrix;
    }
    let stage = stage_of(rows, columns);
    for_each(stage, tiles(&mut matrix, TILE), &|memory, mut tile| {
        tile.compute(rows, columns, fill, memory)
            .into_raw_vec_and_offset()
            .0
    });
    matrix
}

/// Computes a symmetric matrix by `fill`, in parallel: the tiles on the diagonal and to the right of it are
/// computed, the others are copied.
pub(crate) fn fill_symmetric<F: Scalar>(size: usize, fill: Fill<'_, F>) -> Array2<F> {
    fill_symmetric_by(TILE, size, fill)
}

/// Computes a symmetric matrix as [`fill_symmetric`] does, with `side` rows in a tile. With fewer rows, less is
/// computed twice, and threads wait less for each other.
pub(crate) fn fill_symmetric_by<F: Scalar>(
    side: usize,
    size: usize,
    fill: Fill<'_, F>,
) -> Array2<F> {
    fill_symmetric_at(stage_of(size, size), side, size, fill)
}

/// Computes a symmetric matrix as [`fill_symmetric_by`] does, as a stage if there is a name for it.
fn fill_symmetric_at<F: Scalar>(
    stage: Option<&'static str>,
    side: usize,
    size: usize,
    fill: Fill<'_, F>,
) -> Array2<F> {
    let mut matrix = arbitrary((size, size));
    let (upper, mut lower): (Vec<_>, Vec<_>) = tiles(&mut matrix, side)
        .into_iter()
        .partition(|tile| tile.row <= tile.column);
    // The lower tiles go by columns, because the upper tiles go by rows.
    lower.sort_by_key(|tile| (tile.column, tile.row));
    let mut lower = lower.into_iter();
    let mut pairs = Vec::new();
    for tile in upper {
        let mirrored = (tile.row < tile.column).then(|| lower.next()).flatten();
        pairs.push((tile, mirrored));
    }
    for_each(stage, pairs, &|memory, (mut tile, mirrored)| {
        let values = tile.compute(size, size, fill, memory);
        match mirrored {
            Some(mirrored) => assign_transposed(mirrored.view, values.view()),
            // In a tile on the diagonal the two halves might be rounded differently, so one is copied.
            None => {
                for (i, mut row) in tile.view.outer_iter_mut().enumerate() {
                    row.slice_mut(s![..i]).assign(&values.slice(s![..i, i]));
                }
            }
        }
        values.into_raw_vec_and_offset().0
    });
    matrix
}

/// The number of rows and columns of a tile if each entry by itself takes long.
const FEW: usize = 16;

/// Computes a symmetric matrix of kernel values, each value once.
pub(crate) fn fill_pairs<F: Scalar>(
    size: usize,
    value: &(dyn Fn(usize, usize) -> F + Sync),
) -> Array2<F> {
    fill_symmetric_at(Some("kernel values"), FEW, size, &|rows, columns, tile| {
        for (i, mut row) in rows.zip(tile.outer_iter_mut()) {
            for (j, entry) in columns.clone().zip(&mut row) {
                // The lower half of a tile on the diagonal is not read.
                if i <= j {
                    check();
                    *entry = value(i, j);
                }
            }
        }
    })
}

struct Tile<'a, F> {
    /// The number of rows and of columns of all tiles but the last ones.
    side: usize,
    /// The number of tiles above this one; `column` is the number of tiles to its left.
    row: usize,
    column: usize,
    view: ArrayViewMut2<'a, F>,
}

impl<F: Scalar> Tile<'_, F> {
    /// Computes the values of the tile in memory that was used before, and copies them into the matrix.
    fn compute(
        &mut self,
        rows: usize,
        columns: usize,
        fill: Fill<'_, F>,
        mut memory: Vec<F>,
    ) -> Array2<F> {
        let range = |tile: usize, most: usize| tile * self.side..((tile + 1) * self.side).min(most);
        memory.resize(self.view.len(), F::zero());
        let values = Array2::from_shape_vec(self.view.dim(), memory);
        let mut values = values.expect("as many numbers as the tile has");
        let (rows, columns) = (range(self.row, rows), range(self.column, columns));
        fill(rows, columns, &mut values);
        self.view.assign(&values);
        values
    }
}

/// Divides a matrix into tiles, row by row.
fn tiles<F>(matrix: &mut Array2<F>, side: usize) -> Vec<Tile<'_, F>> {
    let mut tiles = Vec::new();
    for (row, mut rest) in matrix.axis_chunks_iter_mut(Axis(0), side).enumerate() {
        let mut column = 0;
        while rest.ncols() > side {
            let (view, right) = rest.split_at(Axis(1), side);
            tiles.push(Tile {
                side,
                row,
                column,
                view,
            });
            column += 1;
            rest = right;
        }
        let view = rest;
        tiles.push(Tile {
            side,
            row,
            column,
            view,
        });
    }
    tiles
}

/// Calls `work` for each item, in parallel, with memory that an earlier item has used: memory that is
/// allocated and freed for each item would be mapped and touched anew. A single item is done on this thread,
/// because threads would cost more than they save. The function is not generic over the closure, for the
/// reason given in [`parallel`](crate::parallel).
fn for_each<F: Send, T: Send>(
    stage: Option<&'static str>,
    mut items: Vec<T>,
    work: &(dyn Fn(Vec<F>, T) -> Vec<F> + Sync),
) {
    let progress = stage.map(|stage| Progress::start(stage, items.len()));
    let steps = progress.as_ref().map(Progress::steps);
    let work = |memory, item| {
        let memory = work(memory, item);
        if let Some(steps) = &steps {
            steps.take(1);
        }
        memory
    };
    if items.len() > 1 {
        let carrier = Carrier::new();
        items
            .into_par_iter()
            .for_each_init(Vec::new, |memory, item| {
                *memory = carrier.over(|| work(std::mem::take(memory), item));
            });
    } else if let Some(only) = items.pop() {
        work(Vec::new(), only);
    }
}
