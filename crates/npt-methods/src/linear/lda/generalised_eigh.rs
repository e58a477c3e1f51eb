//! The eigenvalue problem of two scatters.

use crate::Error;
use ndarray::{Array1, Array2, Axis, s};
use npt_core::{Scalar, linalg};

/// Returns the largest eigenvalues θ of AᵀA·w = θ·LLᵀ·w, descending, and their eigenvectors w (rows) with wᵀLLᵀw = 1.
///
/// The problem is that of D Dᵀ with D = L⁻¹Aᵀ; where A has few rows, the small matrix
/// DᵀD has the same eigenvalues.
pub(super) fn generalised_eigh<F: Scalar>(
    a: &Array2<F>,
    l: &Array2<F>,
    count: usize,
) -> Result<(Array1<F>, Array2<F>), Error> {
    let d = linalg::solve_lower(l.view(), a.t());
    let (values, whitened) = if a.nrows() < a.ncols() {
        let (values, vectors) = linalg::eigh(&linalg::symmetric_rank_k(d.view()))?;
        let mut whitened = linalg::product(d.view(), vectors.slice(s![.., ..count]));
        for mut column in whitened.axis_iter_mut(Axis(1)) {
            let length = column.dot(&column).sqrt();
            if length > F::zero() {
                column /= length;
            }
        }
        (values, whitened)
    } else {
        let (values, vectors) = linalg::eigh(&linalg::symmetric_rank_k(d.t()))?;
        (values, vectors.slice(s![.., ..count]).to_owned())
    };
    let axes = linalg::solve_lower_transposed(l.view(), whitened.view());
    Ok((
        values.slice(s![..count]).to_owned(),
        axes.reversed_axes().as_standard_layout().into_owned(),
    ))
}
