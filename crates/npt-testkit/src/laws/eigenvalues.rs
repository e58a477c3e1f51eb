//! A space has the eigenvalues of K.

use super::{
    case::Case,
    tolerance::{assert_close, frobenius, widen},
};
use crate::oracles::jacobi;
use npt_core::{Fitted, Kernel, KernelSpace, Samples, Scalar};

/// The largest number of samples for which single eigenvalues are compared with the oracle, which is slow; beyond it only sums are.
const MOST_FOR_ORACLE: usize = 100;

/// Checks a space of full rank: its eigenvalues are not negative, they descend, and they are those of K, which has
/// no others above rounding level.
///
/// # Panics
/// If one of these does not hold.
pub fn check_eigenvalues<S, K, P>(space: &Fitted<P>, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let values = space.eigenvalues().mapv(Scalar::as_f64);
    let entry = case.tolerance.entry();
    assert_eq!(values.len(), space.rank(), "number of eigenvalues");
    for (k, &value) in values.iter().enumerate() {
        assert!(value >= 0.0, "eigenvalue {k} is {value:e}");
        assert!(k == 0 || value <= values[k - 1], "eigenvalue {k} ascends");
    }
    let y = widen(space.training_coordinates());
    assert_close(
        "sum of the eigenvalues",
        values.sum(),
        y.mapv(|v| v * v).sum(),
        entry,
    );
    let of_all = case.tolerance.trace(case.x.len(), values.len(), values[0]);
    assert_close("trace of K", values.sum(), case.gram.diag().sum(), of_all);
    assert_close(
        "root of the sum of the squared eigenvalues",
        frobenius(&values),
        frobenius(&case.gram),
        entry,
    );
    if case.x.len() <= MOST_FOR_ORACLE {
        for (k, &expected) in jacobi::eigenvalues(&case.gram).iter().enumerate() {
            let value = values.get(k).copied().unwrap_or(0.0);
            assert_close(&format!("eigenvalue {k}"), value, expected, entry);
        }
    }
}
