//! Matrices that are filled tile by tile, each in the cache of the core that computes it.

use super::PANEL;
use super::transpose::assign_transposed;
use crate::{
    Scalar,
    watch::{Carrier, Progress, check},
};
use ndarray::{Array2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;
use std::ops::Range;

/// Rows of a tile, and columns, as many as of a panel: 512 KB of `f64`.
const TILE: usize = PANEL;

/// Matrices of so many numbers, 128 MB of `f64`, are a stage.
const MANY: usize = 1 << 24;

/// The name of the stage of a large matrix.
fn stage_of(rows: usize, columns: usize) -> Option<&'static str> {
    (rows.saturating_mul(columns) >= MANY).then_some("tiles of a matrix")
}

/// The values of some rows in some columns, into a matrix of that shape that holds any others.
type Fill<'f, F> = &'f (dyn Fn(Range<usize>, Range<usize>, &mut Array2<F>) + Sync);

/// A matrix whose tiles are computed by `fill`, in parallel.
pub(crate) fn fill_tiles<F: Scalar>(rows: usize, columns: usize, fill: Fill<'_, F>) -> Array2<F> {
    let mut matrix = Array2::zeros((rows, columns));
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

/// As [`fill_tiles`], of a symmetric matrix: only tiles on the diagonal and right of it are computed.
pub(crate) fn fill_symmetric<F: Scalar>(size: usize, fill: Fill<'_, F>) -> Array2<F> {
    fill_symmetric_by(TILE, size, fill)
}

/// With so many rows in a tile: with fewer, less is computed twice, and threads wait less for each other.
pub(crate) fn fill_symmetric_by<F: Scalar>(
    side: usize,
    size: usize,
    fill: Fill<'_, F>,
) -> Array2<F> {
    fill_symmetric_at(stage_of(size, size), side, size, fill)
}

/// As a stage of that name.
fn fill_symmetric_at<F: Scalar>(
    stage: Option<&'static str>,
    side: usize,
    size: usize,
    fill: Fill<'_, F>,
) -> Array2<F> {
    let mut matrix = Array2::zeros((size, size));
    let (upper, mut lower): (Vec<_>, Vec<_>) = tiles(&mut matrix, side)
        .into_iter()
        .partition(|tile| tile.row <= tile.column);
    // By columns, as the upper ones are by rows.
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
            // On the diagonal, either half might be rounded otherwise.
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

/// Rows and columns of a tile whose entries take long, each by itself.
const FEW: usize = 16;

/// A symmetric matrix of kernel values, each computed once.
pub(crate) fn fill_pairs<F: Scalar>(
    size: usize,
    value: &(dyn Fn(usize, usize) -> F + Sync),
) -> Array2<F> {
    fill_symmetric_at(Some("kernel values"), FEW, size, &|rows, columns, tile| {
        for (i, mut row) in rows.zip(tile.outer_iter_mut()) {
            for (j, entry) in columns.clone().zip(&mut row) {
                // The other half of a tile on the diagonal is not looked at.
                if i <= j {
                    check();
                    *entry = value(i, j);
                }
            }
        }
    })
}

struct Tile<'a, F> {
    /// Rows of all but the last ones, and columns.
    side: usize,
    /// How many tiles are above it, and left of it.
    row: usize,
    column: usize,
    view: ArrayViewMut2<'a, F>,
}

impl<F: Scalar> Tile<'_, F> {
    /// In memory that was used before.
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

/// Row by row.
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

/// Each in the memory of another: what is allocated and freed for each is mapped and touched anew. One
/// alone is done here: threads would cost more than they save. Not generic over the closure, for the reason
/// given in [`parallel`](crate::parallel).
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
