//! Kernel PCA by the kernel trick.

use super::jacobi;
use ndarray::{Array1, Array2, ArrayView2, s};

/// The leading eigenvalues λ and coefficients α (columns, shape (n, components)) of equation 13,
/// Kα = λα for the centred kernel matrix K. The coefficients have αᵀKα = 1, so that the axes Σ αᵢφ(xᵢ) have
/// length 1. Each axis points to the side on which the training score of largest magnitude is positive.
pub fn axes(k: ArrayView2<'_, f64>, components: usize) -> (Array1<f64>, Array2<f64>) {
    let (values, vectors) = jacobi::eigh(k);
    let mut alpha = vectors.slice(s![.., ..components]).to_owned();
    for (mut axis, value) in alpha.columns_mut().into_iter().zip(&values) {
        let sign = super::sign_of_largest(axis.view());
        axis.mapv_inplace(|u| sign * u / value.sqrt());
    }
    (values.slice_move(s![..components]), alpha)
}

/// The scores αᵀk(x) of new samples along the first `components` axes (equation 14), shape
/// (m, components), from the centred kernel matrix and the centred kernel values k of new with
/// training samples, shape (m, n).
pub fn scores(
    k: ArrayView2<'_, f64>,
    k_new: ArrayView2<'_, f64>,
    components: usize,
) -> Array2<f64> {
    k_new.dot(&axes(k, components).1)
}
