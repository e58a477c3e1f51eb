//! How large numbers are, and what rounding may leave of them.

use ndarray::{Array, ArrayBase, Data, Dimension};
use npt_core::{Scalar, linalg};

/// The relative error that `n` terms can gather: (n + 8)·ε.
pub(crate) fn rounding<F: Scalar>(n: usize) -> F {
    F::cast(n + 8) * F::epsilon()
}

/// The largest magnitude among the entries.
pub(crate) fn largest<F: Scalar, S: Data<Elem = F>, D: Dimension>(a: &ArrayBase<S, D>) -> F {
    a.iter().fold(F::zero(), |m, v| m.max(v.abs()))
}

/// A power of two near the largest magnitude: divided by it nothing is rounded, sums of squares do
/// not overflow, and none vanish that count.
pub(crate) fn unit_of<F: Scalar, D: Dimension>(values: &Array<F, D>) -> F {
    linalg::power_of_two_near(largest(values))
}
