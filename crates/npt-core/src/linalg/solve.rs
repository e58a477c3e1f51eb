//! Triangular solves.

use super::PANEL;
use crate::{
    Scalar,
    watch::{Carrier, Progress},
};
use ndarray::{Array2, ArrayView2, Axis};
use rayon::prelude::*;

/// Computes L⁻¹B for a lower triangular L, in parallel over the columns of B.
///
/// # Panics
/// Panics if L is not square or B has another number of rows.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg;
///
/// let solution = linalg::solve_lower(array![[2.0, 0.0], [1.0, 4.0]].view(), array![[2.0], [5.0]].view());
/// assert_eq!(solution, array![[1.0], [1.0]]);
/// ```
pub fn solve_lower<F: Scalar>(l: ArrayView2<'_, F>, b: ArrayView2<'_, F>) -> Array2<F> {
    assert!(
        l.dim() == (b.nrows(), b.nrows()),
        "shapes of a triangular solve"
    );
    solve_panels(b, |b| F::solve_lower(l, b))
}

/// Computes L⁻ᵀB for a lower triangular L, in parallel over the columns of B.
///
/// # Panics
/// Panics if L is not square or B has another number of rows.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg;
///
/// let l = array![[2.0, 0.0], [1.0, 4.0]];
/// let solution = linalg::solve_lower_transposed(l.view(), array![[3.0], [4.0]].view());
/// assert_eq!(solution, array![[1.0], [1.0]]);
/// ```
pub fn solve_lower_transposed<F: Scalar>(l: ArrayView2<'_, F>, b: ArrayView2<'_, F>) -> Array2<F> {
    assert!(
        l.dim() == (b.nrows(), b.nrows()),
        "shapes of a triangular solve"
    );
    solve_panels(b, |b| F::solve_upper(l.reversed_axes(), b))
}

/// The number of multiplications, about a tenth of a second, from which a triangular solve is a stage of its own.
const MANY_MULTIPLICATIONS: usize = 1 << 33;

/// Computes the solutions for all columns of B, in parallel. `solve` gets panels of columns, row-major.
pub(super) fn solve_panels<F: Scalar>(
    b: ArrayView2<'_, F>,
    solve: impl Fn(&mut Array2<F>) + Sync,
) -> Array2<F> {
    let (rows, columns) = b.dim();
    let mut x = Array2::zeros((rows, columns));
    let multiplications = rows.saturating_mul(rows).saturating_mul(columns) / 2;
    let progress = (multiplications >= MANY_MULTIPLICATIONS)
        .then(|| Progress::start("triangular solve", columns));
    let steps = progress.as_ref().map(Progress::steps);
    let carrier = Carrier::new();
    x.axis_chunks_iter_mut(Axis(1), PANEL)
        .into_par_iter()
        .zip(b.axis_chunks_iter(Axis(1), PANEL).into_par_iter())
        .for_each(|(mut x, b)| {
            let mut panel = b.as_standard_layout().into_owned();
            carrier.over(|| {
                solve(&mut panel);
                if let Some(steps) = &steps {
                    steps.take(panel.ncols());
                }
            });
            x.assign(&panel);
        });
    x
}
