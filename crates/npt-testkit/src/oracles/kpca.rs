//! Kernel PCA by the kernel trick.

use super::jacobi;
use ndarray::{Array1, Array2, ArrayView2, s};

/// The leading eigenvalues λ and coefficients α (columns, shape (n, components)) of equation 13,
/// Kα = λα for the centred kernel matrix K, of the length αᵀKα = 1 that gives the axes Σ αᵢφ(xᵢ)
/// length 1. Each axis points to where the training score of largest magnitude is positive.
pub fn axes(k: ArrayView2<'_, f64>, components: usize) -> (Array1<f64>, Array2<f64>) {
    let (values, vectors) = jacobi::eigh(k);
    let mut alpha = vectors.slice(s![.., ..components]).to_owned();
    for (mut axis, value) in alpha.columns_mut().into_iter().zip(&values) {
        let sign = super::sign_of_largest(axis.view());
        axis.mapv_inplace(|u| sign * u / value.sqrt());
    }
    (values.slice_move(s![..components]), alpha)
}

/// Equation 14: the scores αᵀk(x) of new samples along the first `components` axes, shape
/// (m, components), from the centred kernel matrix and the centred kernel values k of new with
/// training samples, shape (m, n).
pub fn scores(
    k: ArrayView2<'_, f64>,
    k_new: ArrayView2<'_, f64>,
    components: usize,
) -> Array2<f64> {
    k_new.dot(&axes(k, components).1)
}
