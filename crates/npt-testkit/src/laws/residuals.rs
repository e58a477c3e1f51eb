//! Law 4: residuals are what the coordinates leave.

use super::{
    case::Case,
    tolerance::{assert_close, widen},
};
use ndarray::{Array1, Array2};
use npt_core::{Kernel, KernelSpace, Samples, Scalar};

/// Checks that residuals are at least 0 and k(x, x) − ‖y(x)‖², for training and new samples, and
/// `at_full_rank` that those of training samples are 0.
///
/// # Panics
/// If one of that does not hold.
pub fn check_residuals<S, K, P>(space: &P, case: &Case<'_, S, K>, at_full_rank: bool)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    // Inner products of training samples are entries of K, however they lie.
    let of_entry = |residual| 2.0 * case.tolerance_of(space, residual);
    let of_sum = |residual| case.tolerance_of_sum(space, residual);
    let check = |what: &str, x: &S, diag: &Array1<f64>, tolerance: &dyn Fn(f64) -> f64| {
        let (y, residuals) = map(space, x);
        for (i, &residual) in residuals.iter().enumerate() {
            let what = format!("residual of {what} {i}");
            assert!(residual >= 0.0, "{what} is {residual:e}");
            let left = diag[i] - y.row(i).dot(&y.row(i));
            // The mean of the training samples is outside the space as far as they are.
            assert_close(&what, residual, left, tolerance(residual));
        }
        residuals
    };
    check("new sample", case.x_new, &case.diag, &of_sum);
    let diag = case.gram.diag().to_owned();
    let of_training = check("training sample", case.x, &diag, &of_entry);
    if at_full_rank {
        for (i, &residual) in of_training.iter().enumerate() {
            let what = format!("residual of training sample {i} at full rank");
            assert_close(&what, residual, 0.0, case.tolerance.entry());
        }
    }
}

/// Coordinates and residuals, widened.
pub(super) fn map<P: KernelSpace>(space: &P, x: &P::Samples) -> (Array2<f64>, Array1<f64>) {
    let (y, residuals) = space
        .map_with_residuals(x)
        .expect("samples that pass the border have coordinates");
    assert_eq!(y.dim(), (x.len(), space.rank()), "shape of the coordinates");
    assert_eq!(residuals.len(), x.len(), "number of residuals");
    (widen(y.view()), residuals.mapv(Scalar::as_f64))
}
