//! Kernels that are functions of inner products.

mod cosine;
mod linear;
mod polynomial;
mod sigmoid;
mod tanimoto;

pub use cosine::Cosine;
pub use linear::Linear;
pub use polynomial::Polynomial;
pub use sigmoid::Sigmoid;
pub use tanimoto::Tanimoto;

use crate::{
    Rows, Scalar,
    linalg::{self, fill_rows},
};
use ndarray::Array2;

/// The inner product ⟨a, b⟩ of two vectors of the same length.
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
