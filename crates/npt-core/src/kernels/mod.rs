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

/// The matrix of `exp(f(a, b))` over all pairs, with f ≤ 0.
fn map_pairs_exp<F: Scalar>(
    a: &Rows<F>,
    b: &Rows<F>,
    f: impl Fn(&[F], &[F]) -> F + Sync,
) -> Array2<F> {
    let mut matrix = Array2::zeros((a.len(), b.len()));
    fill_rows(&mut matrix, |i, row| {
        for (j, value) in row.iter_mut().enumerate() {
            *value = f(a.get(i), b.get(j));
        }
        F::exp_in_place(row);
    });
    matrix
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
