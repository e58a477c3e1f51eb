//! Law 4: residuals are the part of k(x, x) that the coordinates leave. Lemma 5: the distance from the space is one coordinate more.

use super::{
    case::Case,
    tolerance::{assert_close, epsilon, widen},
};
use ndarray::{Array1, Array2, s};
use npt_core::{Fitted, Kernel, KernelSpace, Samples, Scalar};

/// Checks that residuals are at least 0 and equal k(x, x) − ‖y(x)‖², for training and new samples; if `at_full_rank`, that the residuals
/// of training samples are 0; and that new samples have the length √k(x, x) if their distance from the space is added as one more
/// coordinate.
///
/// # Panics
/// If one of these does not hold.
pub fn check_residuals<S, K, P>(space: &Fitted<P>, case: &Case<'_, S, K>, at_full_rank: bool)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let (y_new, residuals) = map(space, case.x_new);
    let weights = Case::<S, K>::weights(&y_new, &widen(space.training_coordinates()));
    // The mean of the training samples may be outside the space by as much as they are.
    let of_sum = |i: usize| case.tolerance_of_sum(space, residuals[i], weights[i]);
    check_complement("new sample", &y_new, &residuals, &case.diag, of_sum);

    check_extended(space, case, &y_new, &residuals, of_sum);

    let (y, of_training) = map(space, case.x);
    let diag = case.gram.diag().to_owned();
    let of_entry = |i: usize| 2.0 * case.tolerance_of(space, of_training[i]);
    check_complement("training sample", &y, &of_training, &diag, of_entry);
    if at_full_rank {
        for (i, &residual) in of_training.iter().enumerate() {
            let what = format!("residual of training sample {i} at full rank");
            assert_close(&what, residual, 0.0, case.tolerance.entry());
        }
    }
}

/// Checks that a residual is at least 0, and is k(x, x) − ‖y(x)‖².
fn check_complement(
    what: &str,
    y: &Array2<f64>,
    residuals: &Array1<f64>,
    diag: &Array1<f64>,
    tolerance: impl Fn(usize) -> f64,
) {
    for (i, &residual) in residuals.iter().enumerate() {
        let what = format!("residual of {what} {i}");
        assert!(residual >= 0.0, "{what} is {residual:e}");
        let left = diag[i] - y.row(i).dot(&y.row(i));
        assert_close(&what, residual, left, tolerance(i));
    }
}

/// Checks lemma 5: with its distance from the space as one coordinate more, a sample has k(x, x) as its squared length.
fn check_extended<S, K, P>(
    space: &Fitted<P>,
    case: &Case<'_, S, K>,
    y: &Array2<f64>,
    residuals: &Array1<f64>,
    tolerance: impl Fn(usize) -> f64,
) where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let extended = space.extended_coordinates(case.x_new);
    let extended = widen(extended.expect("they have coordinates").view());
    let rank = space.rank();
    assert_eq!(
        extended.dim(),
        (y.nrows(), rank + 1),
        "shape of the extended coordinates"
    );
    assert_eq!(
        extended.slice(s![.., ..rank]),
        y,
        "the first r extended coordinates"
    );
    for (i, row) in extended.outer_iter().enumerate() {
        let rounding = 4.0 * epsilon::<K::Scalar>() * residuals[i];
        let what = format!("squared distance of new sample {i} from the space");
        assert_close(&what, row[rank] * row[rank], residuals[i], rounding);
        let what = format!("squared extended length of new sample {i}");
        assert_close(&what, row.dot(&row), case.diag[i], tolerance(i) + rounding);
    }
}

/// Returns coordinates and residuals, widened to `f64`.
pub(super) fn map<P: KernelSpace>(space: &Fitted<P>, x: &P::Samples) -> (Array2<f64>, Array1<f64>) {
    let (y, residuals) = space
        .coordinates_and_residuals(x)
        .expect("samples that pass the border have coordinates");
    assert_eq!(y.dim(), (x.len(), space.rank()), "shape of the coordinates");
    assert_eq!(residuals.len(), x.len(), "number of residuals");
    (widen(y.view()), residuals.mapv(Scalar::as_f64))
}
