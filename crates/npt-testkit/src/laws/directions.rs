//! Lemma 6 and corollary 7: a direction is a combination of training samples.

use super::{
    case::Case,
    residuals::map,
    tolerance::{assert_close, epsilon, smallest, widen},
};
use ndarray::{Array1, Array2};
use npt_core::{Error, Fitted, Kernel, KernelSpace, Samples, Scalar};

/// Checks in a space of full rank that w = Σ αᵢφ(xᵢ) projects new samples to Σ αᵢk(xᵢ, x), that
/// their projections onto w are γ = ββᵀy/βᵀβ, and that a wrong number of coefficients is refused.
///
/// # Panics
/// If one of these does not hold.
pub fn check_directions<S, K, P>(space: &Fitted<P>, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let n = case.x.len();
    // The coefficients have both signs and different sizes, and none of them is 0.
    let alpha: Array1<f64> = (0..n).map(|i| (i as f64 * 2.7 + 1.0).cos() + 0.1).collect();
    let alpha = alpha.mapv(<K::Scalar as linfa::Float>::cast);
    let beta = space
        .direction(alpha.view())
        .expect("one coefficient a sample");
    assert_eq!(beta.len(), space.rank(), "length of β");

    let (y, residuals) = map(space, case.x_new);
    let alpha_wide = alpha.mapv(Scalar::as_f64);
    let size: f64 = alpha_wide.iter().map(|a| a.abs()).sum();
    let expected = case.cross.dot(&alpha_wide);
    let projected = y.dot(&beta.mapv(Scalar::as_f64));
    // The tolerance is that of the products ⟨φ(xᵢ), φ(x)⟩, each as exact as `check_new_coordinates` requires.
    let weights = Case::<S, K>::weights(&y, &widen(space.training_coordinates()));
    for (i, &value) in projected.iter().enumerate() {
        let tolerance = size * case.tolerance_of_product(space, residuals[i], weights[i]);
        assert_close(&format!("⟨w, φ(new {i})⟩"), value, expected[i], tolerance);
    }

    check_projections(space, case, &beta, &y);

    let short = alpha.slice(ndarray::s![1..]);
    assert_eq!(
        space.direction(short),
        Err(Error::CoefficientCount {
            expected: n,
            found: n - 1
        })
    );
}

/// Checks that projections onto a direction are γ = ββᵀy/βᵀβ.
fn check_projections<S, K, P>(
    space: &Fitted<P>,
    case: &Case<'_, S, K>,
    beta: &Array1<K::Scalar>,
    y: &Array2<f64>,
) where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let gamma = space.projections(case.x_new, beta.view());
    let largest = beta.fold(0.0_f64, |largest, v| largest.max(v.as_f64().abs()));
    if largest == 0.0 {
        assert!(gamma.is_err(), "projections onto a direction of length 0");
        return;
    }
    let gamma = widen(gamma.expect("a direction of some length").view());
    // The squares of β may overflow or vanish, so that β is scaled first.
    let beta = beta.mapv(|v| v.as_f64() / largest);
    let squared = beta.dot(&beta);
    let roundings = 8.0 * (beta.len() + 8) as f64 * epsilon::<K::Scalar>();
    for (i, (gamma, y)) in gamma.outer_iter().zip(y.outer_iter()).enumerate() {
        let expected = &beta * (beta.dot(&y) / squared);
        let largest = y.fold(0.0_f64, |largest, v| largest.max(v.abs()));
        // Products near the smallest numbers may lose a few of these.
        let tolerance = roundings * beta.len() as f64 * largest + 1e3 * smallest::<K::Scalar>();
        for (k, (&value, &expected)) in gamma.iter().zip(&expected).enumerate() {
            let what = format!("coordinate {k} of new {i} projected onto w");
            assert_close(&what, value, expected, tolerance);
        }
    }
}
