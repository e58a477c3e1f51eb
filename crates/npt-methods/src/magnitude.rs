//! Magnitudes of numbers, and the relative error of their sums.

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

/// A power of two near the largest magnitude. Division by it rounds nothing; of the quotients, sums of squares do
/// not overflow, and no square that matters vanishes.
pub(crate) fn unit_of<F: Scalar, D: Dimension>(values: &Array<F, D>) -> F {
    linalg::power_of_two_near(largest(values))
}
