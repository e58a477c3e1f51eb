//! The kernels that come with the crate, a module a family, and kernels composed of kernels.
//!
//! Each states in its own file, beside its values, all that is known of it: how it joins `+` and `*`
//! ([`composable!`](crate::composable)), its name and parameters
//! ([`parameters!`](crate::parameters)), and the closed forms of it that methods may use.

mod anova;
mod categorical;
mod compose;
mod histogram;
mod inner_product;
mod precomputed;
mod sparse;
mod spline;
mod stationary;
mod structured;

pub use anova::Anova;
pub use categorical::*;
pub use compose::*;
pub use histogram::*;
pub use inner_product::*;
pub use precomputed::Precomputed;
pub use sparse::Sparse;
pub use spline::Spline;
pub use stationary::*;
pub use structured::*;

use crate::{Error, Rows, Samples, Scalar, linalg::fill_rows};
use ndarray::Array2;

/// For all pairs of samples `first`, then `next(k, value, aₖ, bₖ)` feature by feature, then `finish` for
/// each row of `a`. The inner loop runs along the samples of `b`, where it can be vectorised.
fn fold_features<F: Scalar>(
    a: &Rows<F>,
    b: &Rows<F>,
    first: F,
    next: impl Fn(usize, F, F, F) -> F + Sync,
    finish: impl Fn(usize, &mut [F]) + Sync,
) -> Array2<F> {
    let features = b.view().reversed_axes().as_standard_layout().into_owned();
    let mut matrix = Array2::from_elem((a.len(), b.len()), first);
    fill_rows(&mut matrix, |i, row| {
        for (k, (&a, feature)) in a.get(i).iter().zip(features.outer_iter()).enumerate() {
            for (value, &b) in row.iter_mut().zip(feature) {
                *value = next(k, *value, a, b);
            }
        }
        finish(i, row);
    });
    matrix
}

/// For all pairs exp(−γ·Σₖ `term(aₖ, bₖ)`).
fn exp_of_sums<F: Scalar>(
    a: &Rows<F>,
    b: &Rows<F>,
    gamma: F,
    term: impl Fn(F, F) -> F + Sync,
) -> Array2<F> {
    let add = |_, sum: F, a: F, b: F| sum + term(a, b);
    fold_features(a, b, F::zero(), add, |_, row| {
        for value in row.iter_mut() {
            *value *= -gamma;
        }
        F::exp_in_place(row);
    })
}

/// The sums of `term(aₖ, bₖ)` over the features, for all pairs.
fn sums<F: Scalar>(a: &Rows<F>, b: &Rows<F>, term: impl Fn(F, F) -> F + Sync) -> Array2<F> {
    let add = |_, sum: F, a: F, b: F| sum + term(a, b);
    fold_features(a, b, F::zero(), add, |_, _| ())
}

/// Refuses samples with a negative feature.
fn non_negative<F: Scalar>(kernel: &'static str, x: &Rows<F>) -> Result<(), Error> {
    match x
        .view()
        .indexed_iter()
        .find(|&(_, &value)| value < F::zero())
    {
        None => Ok(()),
        Some(((row, column), _)) => Err(Error::SampleOutsideDomain {
            row,
            column: Some(column),
            kernel,
            needs: "features of at least 0",
        }),
    }
}

/// ln κ of the value κ = 1 − ½‖φ(a) − φ(b)‖² of a kernel with κ(x, x) = 1. `None` unless κ > √ε: κ is
/// known to some ε whatever its size, so that half of the digits of a smaller one are noise.
pub(crate) fn logarithm_from_distance<F: Scalar>(squared: F) -> Option<F> {
    let less = squared / F::cast(2);
    (F::one() - less > F::epsilon().sqrt()).then(|| (-less).ln_1p())
}

/// The value, unless it is NaN or infinite.
pub(crate) fn finite<F: Scalar>(value: F) -> Option<F> {
    value.is_finite().then_some(value)
}
