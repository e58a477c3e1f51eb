//! The Cholesky factor, by panels of columns.

use super::{PANEL, solve_lower};
use crate::{
    Error, Scalar, parallel,
    watch::{Carrier, Progress},
};
use ndarray::{Array2, ArrayView2, Axis, s};
use rayon::prelude::*;

/// The numbers of columns of panels at three levels: panels of the whole matrix, panels of its diagonal blocks,
/// and panels of the diagonal blocks of these.
const WIDTHS: [usize; 3] = [PANEL, 64, 16];

/// Returns the lower triangular L with A = LLᵀ. Only the lower triangle of A is read.
///
/// # Errors
/// [`Error::NotPositiveDefinite`] at the first pivot that is not above 0, or not finite.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg;
///
/// let l = linalg::cholesky(&array![[4.0, 2.0], [2.0, 5.0]])?;
/// assert_eq!(l, array![[2.0, 0.0], [1.0, 2.0]]);
/// # Ok::<(), npt_core::Error>(())
/// ```
pub fn cholesky<F: Scalar>(a: &Array2<F>) -> Result<Array2<F>, Error> {
    parallel::in_pool(a.nrows(), || {
        let panels = of_whole(a.view())?;
        let mut l = Array2::zeros(a.dim());
        write(&panels, &mut l);
        Ok(l)
    })
}

/// Overwrites A with the lower triangular L with A = LLᵀ, which [`cholesky`] returns. An error leaves A as it was.
///
/// # Errors
/// The errors of [`cholesky`].
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg;
///
/// let mut a = array![[4.0, 2.0], [2.0, 5.0]];
/// linalg::cholesky_in_place(&mut a)?;
/// assert_eq!(a, array![[2.0, 0.0], [1.0, 2.0]]);
/// # Ok::<(), npt_core::Error>(())
/// ```
#[doc(hidden)]
pub fn cholesky_in_place<F: Scalar>(a: &mut Array2<F>) -> Result<(), Error> {
    parallel::in_pool(a.nrows(), || {
        let panels = of_whole(a.view())?;
        let _no_tokens = Carrier::new();
        let parts = a.axis_chunks_iter_mut(Axis(0), PANEL).into_par_iter();
        parts.enumerate().for_each(|(number, mut rows)| {
            let end = number * PANEL + rows.nrows();
            rows.slice_mut(s![.., end..]).fill(F::zero());
        });
        write(&panels, a);
        Ok(())
    })
}

/// Returns the L of a diagonal block whose first pivot has the number `first`.
fn by_panels<F: Scalar>(
    a: ArrayView2<'_, F>,
    widths: &[usize],
    first: usize,
) -> Result<Array2<F>, Error> {
    if widths.is_empty() {
        return by_columns(a, first);
    }
    let panels = panels(a, widths, first, &mut |_| ())?;
    let mut l = Array2::zeros(a.dim());
    write(&panels, &mut l);
    Ok(l)
}

/// Returns the panels of L for the whole matrix.
fn of_whole<F: Scalar>(a: ArrayView2<'_, F>) -> Result<Vec<Array2<F>>, Error> {
    if a.nrows() <= PANEL {
        return panels(a, &WIDTHS, 0, &mut |_| ());
    }
    let mut progress = Progress::start("Cholesky factor", a.nrows());
    panels(a, &WIDTHS, 0, &mut |columns| progress.at(columns))
}

/// Returns the panels of L, each from its diagonal block down. Before each panel, `done` is called with the
/// number of columns that are done.
fn panels<F: Scalar>(
    a: ArrayView2<'_, F>,
    widths: &[usize],
    first: usize,
    done: &mut dyn FnMut(usize),
) -> Result<Vec<Array2<F>>, Error> {
    let (width, narrower) = (widths[0], &widths[1..]);
    // Each panel has memory of its own, so that no product reads with strides.
    let mut panels: Vec<Array2<F>> = Vec::new();
    for start in (0..a.nrows()).step_by(width) {
        done(start);
        let end = (start + width).min(a.nrows());
        let rest = a.slice(s![start.., start..end]);
        let mut panel = unexplained(rest, &panels, start);
        let (diagonal, below) = panel.view().split_at(Axis(0), end - start);
        let diagonal = by_panels(diagonal, narrower, first + start)?;
        // The rows below are the X with X·Lᵀ = `below`, the part of them that is left.
        let below = solve_lower(diagonal.view(), below.reversed_axes());
        panel.slice_mut(s![..end - start, ..]).assign(&diagonal);
        let no_tokens = Carrier::new();
        let solved = below.axis_chunks_iter(Axis(1), PANEL).into_par_iter();
        let mut rest = panel.slice_mut(s![end - start.., ..]);
        let rest = rest.axis_chunks_iter_mut(Axis(0), PANEL).into_par_iter();
        rest.zip(solved)
            .for_each(|(mut rows, solved)| rows.assign(&solved.t()));
        drop(no_tokens);
        panels.push(panel);
    }
    Ok(panels)
}

/// Writes the panels into L, which is 0 already to the right of them.
fn write<F: Scalar>(panels: &[Array2<F>], l: &mut Array2<F>) {
    let width = panels.first().map_or(1, Array2::ncols);
    let _no_tokens = Carrier::new();
    let parts = l.axis_chunks_iter_mut(Axis(0), width).into_par_iter();
    parts.enumerate().for_each(|(number, mut rows)| {
        for (k, panel) in panels[..=number].iter().enumerate() {
            let from = (number - k) * width;
            let (height, columns) = (rows.nrows(), k * width..k * width + panel.ncols());
            rows.slice_mut(s![.., columns])
                .assign(&panel.slice(s![from..from + height, ..]));
        }
    });
}

/// Returns the panel that begins at row `start`, less the part that the panels before it explain.
fn unexplained<F: Scalar>(
    panel: ArrayView2<'_, F>,
    before: &[Array2<F>],
    start: usize,
) -> Array2<F> {
    let width = panel.ncols();
    let mut left = Array2::zeros(panel.dim());
    // The position of row `start` in an earlier panel.
    let offset = |number: usize| start - number * before[0].ncols();
    let remove = |rows: usize, mut part: ndarray::ArrayViewMut2<'_, F>| {
        part.assign(&panel.slice(s![rows..rows + part.nrows(), ..]));
        for (number, done) in before.iter().enumerate() {
            let from = offset(number);
            let own = done.slice(s![from + rows..from + rows + part.nrows(), ..]);
            let top = done.slice(s![from..from + width, ..]);
            F::multiply(part.view_mut(), true, -F::one(), own, top.reversed_axes());
        }
    };
    let carrier = Carrier::new();
    let parts = left.axis_chunks_iter_mut(Axis(0), PANEL).into_par_iter();
    parts
        .enumerate()
        .for_each(|(number, part)| carrier.over(|| remove(number * PANEL, part)));
    left
}

/// Returns the L of a small block, computed column by column.
fn by_columns<F: Scalar>(a: ArrayView2<'_, F>, first: usize) -> Result<Array2<F>, Error> {
    let size = a.nrows();
    let mut l = Array2::zeros((size, size));
    for k in 0..size {
        for i in k..size {
            let explained = l.slice(s![i, ..k]).dot(&l.slice(s![k, ..k]));
            l[[i, k]] = a[[i, k]] - explained;
        }
        let pivot = l[[k, k]];
        if !(pivot > F::zero() && pivot.is_finite()) {
            return Err(Error::NotPositiveDefinite {
                pivot: first + k,
                value: pivot.as_f64(),
            });
        }
        let root = pivot.sqrt();
        l.slice_mut(s![k.., k]).mapv_inplace(|v| v / root);
    }
    Ok(l)
}
