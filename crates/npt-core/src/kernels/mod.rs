//! The kernels that come with the crate, and their composition.

mod anova;
mod compose;
mod histogram;
mod inner_product;
mod precomputed;
mod sparse;
mod spline;
mod stationary;
mod structured;

pub use anova::Anova;
pub use compose::{
    Centered, Columns, FnKernel, Normalized, Product, Scaled, Sum, Tensor, WeightedSum,
};
pub use histogram::{AdditiveChiSquared, ChiSquared, HistogramIntersection, MinMax};
pub use inner_product::{Cosine, Linear, Polynomial, Sigmoid, Tanimoto};
pub use precomputed::Precomputed;
pub use sparse::{IgnoresCommonZeros, Sparse};
pub use spline::Spline;
pub use stationary::{
    Exponential, Gaussian, Laplacian, LengthScales, Matern, Periodic, RationalQuadratic,
};
pub use structured::{FiniteSet, Jaccard, Mismatch, Spectrum, Subsequence, WeisfeilerLehman};

use crate::{Error, Rows, Samples, Scalar, linalg::fill_rows};
use ndarray::Array2;

/// For all pairs of samples `first`, then `next(value, aₖ, bₖ)` feature by feature, then `finish` for
/// each row of `a`. The inner loop runs along the samples of `b`, where it can be vectorised.
fn fold_features<F: Scalar>(
    a: &Rows<F>,
    b: &Rows<F>,
    first: F,
    next: impl Fn(F, F, F) -> F + Sync,
    finish: impl Fn(usize, &mut [F]) + Sync,
) -> Array2<F> {
    let features = b.view().reversed_axes().as_standard_layout().into_owned();
    let mut matrix = Array2::from_elem((a.len(), b.len()), first);
    fill_rows(&mut matrix, |i, row| {
        for (&a, feature) in a.get(i).iter().zip(features.outer_iter()) {
            for (value, &b) in row.iter_mut().zip(feature) {
                *value = next(*value, a, b);
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
    let add = |sum: F, a: F, b: F| sum + term(a, b);
    fold_features(a, b, F::zero(), add, |_, row| {
        for value in row.iter_mut() {
            *value *= -gamma;
        }
        F::exp_in_place(row);
    })
}

/// The sums of `term(aₖ, bₖ)` over the features, for all pairs.
fn sums<F: Scalar>(a: &Rows<F>, b: &Rows<F>, term: impl Fn(F, F) -> F + Sync) -> Array2<F> {
    let add = |sum: F, a: F, b: F| sum + term(a, b);
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
