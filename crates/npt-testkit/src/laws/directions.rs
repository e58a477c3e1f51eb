//! Lemma 6 and corollary 7: a direction is a combination of training samples.

use super::{case::Case, residuals::map, tolerance::assert_close};
use ndarray::Array1;
use npt_core::{Error, Fitted, Kernel, KernelSpace, Samples, Scalar};

/// Checks in a space of full rank that w = Σ αᵢφ(xᵢ) projects new samples to Σ αᵢk(xᵢ, x), and that
/// coefficients of another number are refused.
///
/// # Panics
/// If one of that does not hold.
pub fn check_directions<S, K, P>(space: &Fitted<P>, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let n = case.x.len();
    // Of both signs and different sizes, none of them 0.
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
    for (i, &value) in projected.iter().enumerate() {
        let tolerance = size * case.tolerance_of(space, residuals[i]);
        assert_close(&format!("⟨w, φ(new {i})⟩"), value, expected[i], tolerance);
    }

    let short = alpha.slice(ndarray::s![1..]);
    assert_eq!(
        space.direction(short),
        Err(Error::CoefficientCount {
            expected: n,
            found: n - 1
        })
    );
}
