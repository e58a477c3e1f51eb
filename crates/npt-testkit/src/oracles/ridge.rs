//! Kernel ridge regression by the kernel trick.

use ndarray::{Array1, ArrayView1, ArrayView2, Axis};

/// Predictions ȳ + k(x)ᵀ(K + λI)⁻¹(y − ȳ) for new samples, from the centred kernel matrix and the
/// centred kernel values of new with training samples, shape (m, n).
///
/// # References
/// C. Saunders, A. Gammerman, V. Vovk, "Ridge Regression Learning Algorithm in Dual Variables",
/// ICML 1998.
pub fn predict(
    k: ArrayView2<'_, f64>,
    k_new: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    penalty: f64,
) -> Array1<f64> {
    let mean = y.sum() / y.len() as f64;
    let mut matrix = k.to_owned();
    matrix.diag_mut().mapv_inplace(|v| v + penalty);
    let alpha = super::solve(matrix, y.mapv(|v| v - mean).insert_axis(Axis(1)));
    k_new.dot(&alpha.column(0)) + mean
}
