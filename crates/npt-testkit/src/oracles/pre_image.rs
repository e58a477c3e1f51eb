//! Points of a feature space as sums over training samples, and the distances of inputs from them.

use super::kpca;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// The coefficients γ, one row a new sample, shape (m, n), of the projection Σ γᵢφ(xᵢ) of φ(x) on the
/// first `components` principal components, with the mean added back. With the axes α and the scores of
/// kernel PCA, they are
///
/// γ = (I − E) Σₖ scoreₖ(x)·αₖ + 1/n,
///
/// from the centred kernel matrix and the centred kernel values of new with training samples.
///
/// # References
/// S. Mika, B. Schölkopf, A. Smola, K.-R. Müller, M. Scholz, G. Rätsch, "Kernel PCA and De-Noising in
/// Feature Spaces", NIPS 11, 1998, equation 6.
pub fn projections(
    k: ArrayView2<'_, f64>,
    k_new: ArrayView2<'_, f64>,
    components: usize,
) -> Array2<f64> {
    let (_, alpha) = kpca::axes(k, components);
    let mut gamma = k_new.dot(&alpha).dot(&alpha.t());
    let means = gamma.sum_axis(Axis(1)) / k.nrows() as f64;
    gamma -= &means.insert_axis(Axis(1));
    gamma + 1.0 / k.nrows() as f64
}

/// The squared distance ‖φ(z) − Σ γᵢφ(xᵢ)‖² = κ(z, z) − 2 Σ γᵢκ(xᵢ, z) + Σ γᵢγⱼκ(xᵢ, xⱼ).
pub fn squared_distance(
    gram: ArrayView2<'_, f64>,
    k_z: ArrayView1<'_, f64>,
    k_zz: f64,
    gamma: ArrayView1<'_, f64>,
) -> f64 {
    k_zz - 2.0 * gamma.dot(&k_z) + gamma.dot(&gram.dot(&gamma))
}

/// Half the gradient of [`squared_distance`] with respect to z for κ(x, z) = exp(−‖x − z‖²/w²), times w²:
/// −2 Σ γᵢκ(xᵢ, z)(xᵢ − z).
pub fn gaussian_gradient(
    x: ArrayView2<'_, f64>,
    z: ArrayView1<'_, f64>,
    k_z: ArrayView1<'_, f64>,
    gamma: ArrayView1<'_, f64>,
) -> Array1<f64> {
    let mut gradient = Array1::zeros(z.len());
    for ((x, &k), &gamma) in x.outer_iter().zip(k_z).zip(gamma) {
        gradient.scaled_add(-2.0 * gamma * k, &(&x - &z));
    }
    gradient
}
