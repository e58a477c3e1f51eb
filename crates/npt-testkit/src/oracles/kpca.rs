//! Kernel PCA by the kernel trick.

use super::jacobi;
use ndarray::{Array2, ArrayView2, s};

/// Equation 14: the scores Λ^-½Uᵀk(x) of new samples along the first `components` axes, shape
/// (m, components), from the centred kernel matrix K = UΛUᵀ and the centred kernel values k of new
/// with training samples, shape (m, n). Each axis points to where the training score of largest
/// magnitude is positive.
pub fn scores(
    k: ArrayView2<'_, f64>,
    k_new: ArrayView2<'_, f64>,
    components: usize,
) -> Array2<f64> {
    let (values, vectors) = jacobi::eigh(k);
    let mut axes = vectors.slice(s![.., ..components]).to_owned();
    for (mut axis, value) in axes.columns_mut().into_iter().zip(&values) {
        let sign = super::sign_of_largest(axis.view());
        axis.mapv_inplace(|u| sign * u / value.sqrt());
    }
    k_new.dot(&axes)
}
