//! Kernel ridge regression by the kernel trick.

use ndarray::{Array1, ArrayView1, ArrayView2, Axis};

/// The coefficients α = (K + λI)⁻¹(y − ȳ) of w = Σ αᵢφ(xᵢ), from the centred kernel matrix; the
/// prediction for centred kernel values k(x) of new with training samples is ȳ + αᵀk(x).
///
/// # References
/// C. Saunders, A. Gammerman, V. Vovk, "Ridge Regression Learning Algorithm in Dual Variables",
/// ICML 1998.
pub fn coefficients(k: ArrayView2<'_, f64>, y: ArrayView1<'_, f64>, penalty: f64) -> Array1<f64> {
    let mean = y.sum() / y.len() as f64;
    let mut matrix = k.to_owned();
    matrix.diag_mut().mapv_inplace(|v| v + penalty);
    let alpha = super::solve(matrix, y.mapv(|v| v - mean).insert_axis(Axis(1)));
    alpha.column(0).to_owned()
}
