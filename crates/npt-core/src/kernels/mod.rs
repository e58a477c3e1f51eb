//! The kernels that come with the crate, and their composition.

mod compose;
mod counts;
mod gaussian;
mod graphs;
mod laplacian;
mod linear;
mod polynomial;
mod precomputed;
mod sets;
mod sigmoid;
mod sparse;
mod strings;
mod weighted_sum;

pub use compose::{Product, Scaled, Sum};
pub use gaussian::Gaussian;
pub use graphs::WeisfeilerLehman;
pub use laplacian::Laplacian;
pub use linear::Linear;
pub use polynomial::Polynomial;
pub use precomputed::Precomputed;
pub use sets::{FiniteSet, Jaccard};
pub use sigmoid::Sigmoid;
pub use sparse::{IgnoresCommonZeros, Sparse};
pub use strings::{Mismatch, Spectrum, Subsequence};
pub use weighted_sum::WeightedSum;

use crate::{
    Rows, Scalar,
    linalg::{self, fill_rows},
};
use ndarray::Array2;

/// ⟨a, b⟩ of two vectors of one length.
fn inner_product<F: Scalar>(a: &[F], b: &[F]) -> F {
    a.iter().zip(b).map(|(&a, &b)| a * b).sum()
}

/// The matrix of `f(⟨a, b⟩)` over two sets of vectors.
fn map_inner_products<F: Scalar>(a: &Rows<F>, b: &Rows<F>, f: impl Fn(F) -> F + Sync) -> Array2<F> {
    let mut matrix = linalg::product(a.view(), b.view().reversed_axes());
    fill_rows(&mut matrix, |_, row| {
        for value in row {
            *value = f(*value);
        }
    });
    matrix
}
