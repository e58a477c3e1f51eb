//! Law 2 at reduced rank: the error of the inner products consists of exactly the dropped eigenvalues.

use super::{
    case::Case,
    residuals::{check_residuals, map},
    tolerance::{assert_close, frobenius, widen},
};
use npt_core::{Fitted, Kernel, KernelSpace, Samples, Scalar};

/// Checks a space on fewer principal axes against the space of full rank. It keeps the largest
/// eigenvalues; the others are the error of YYᵀ, in trace, Frobenius norm and every entry; and inner
/// products with new samples are off by no more than the residuals.
///
/// # Panics
/// If one of these does not hold.
pub fn check_reduced_rank<S, K, P, Q>(full: &Fitted<P>, reduced: &Fitted<Q>, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
    Q: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let (rank, entry) = (reduced.rank(), case.tolerance.entry());
    let all = full.eigenvalues().mapv(Scalar::as_f64);
    assert!(rank <= all.len(), "rank {rank} of {}", all.len());
    for (k, value) in reduced.eigenvalues().iter().enumerate() {
        assert_close(&format!("eigenvalue {k}"), value.as_f64(), all[k], entry);
    }
    let dropped = all.slice(ndarray::s![rank..]).to_owned();
    let next = dropped.first().copied().unwrap_or(0.0);

    let y = widen(reduced.training_coordinates());
    assert_eq!(y.dim(), (case.x.len(), rank), "shape of the coordinates");
    let error = &case.gram - &y.dot(&y.t());
    assert_close(
        "trace of the error",
        error.diag().sum(),
        dropped.sum(),
        case.tolerance.trace(case.x.len(), all.len(), all[0]),
    );
    assert_close(
        "norm of the error",
        frobenius(&error),
        frobenius(&dropped),
        entry,
    );
    for ((i, j), &value) in error.indexed_iter() {
        let what = format!("error of ⟨y{i}, y{j}⟩");
        assert_close(&what, value, 0.0, next + entry);
    }
    check_residuals(reduced, case, false);
    check_products_within_residuals(reduced, case);

    let again = map(reduced, case.x).0;
    let along_axis = case.tolerance.along_axis(reduced);
    for ((i, k), &value) in again.indexed_iter() {
        let what = format!("coordinate {k} of training sample {i} at rank {rank}");
        assert_close(&what, value, y[[i, k]], along_axis);
    }
}

/// Checks |⟨y(x), yᵢ⟩ − k(x, xᵢ)|² ≤ r(x)·rᵢ: only the parts outside the space are missing.
pub(super) fn check_products_within_residuals<S, K, P>(space: &Fitted<P>, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let ((y_new, residuals), (_, of_training)) = (map(space, case.x_new), map(space, case.x));
    let y = widen(space.training_coordinates());
    let weights = Case::<S, K>::weights(&y_new, &y);
    for ((i, j), &product) in y_new.dot(&y.t()).indexed_iter() {
        let what = format!("⟨y(new {i}), y{j}⟩ at rank {}", space.rank());
        // A residual of 0 may stand for any value below rounding level.
        let known = |residual: f64| (residual + case.tolerance.entry()).sqrt();
        let missing = known(residuals[i]) * known(of_training[j]);
        let tolerance = missing + case.tolerance_of_product(space, residuals[i], weights[i]);
        assert_close(&what, product, case.cross[[i, j]], tolerance);
    }
}
