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

/// The error of each target under the prediction from all other samples, in a feature space that is
/// centred anew without the sample: n fits, one after the other.
pub fn leave_one_out(k: ArrayView2<'_, f64>, y: ArrayView1<'_, f64>, penalty: f64) -> Array1<f64> {
    Array1::from_shape_fn(y.len(), |i| {
        let others: Vec<usize> = (0..y.len()).filter(|&j| j != i).collect();
        let (rest, of_rest) = (k.select(Axis(0), &others), y.select(Axis(0), &others));
        let row = rest.column(i).to_owned();
        let rest = rest.select(Axis(1), &others);
        let means = rest.mean_axis(Axis(0)).expect("there are other samples");
        let mean = means.sum() / means.len() as f64;
        let centered = &rest - &means - &(&means - mean).insert_axis(Axis(1));
        let alpha = coefficients(centered.view(), of_rest.view(), penalty);
        let row = (&row - &means) - (row.sum() / means.len() as f64 - mean);
        y[i] - of_rest.sum() / of_rest.len() as f64 - alpha.dot(&row)
    })
}
