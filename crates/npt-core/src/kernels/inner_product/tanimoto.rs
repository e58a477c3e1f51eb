//! The Tanimoto kernel: the Jaccard index of bit vectors, continued to all vectors.

use super::inner_product;
use crate::{
    Kernel, Rows, Samples, Scalar,
    linalg::{self, fill_rows},
};
use ndarray::{Array1, Array2};

/// The Tanimoto kernel. For vectors of 0 and 1, such as molecular fingerprints, it is the Jaccard
/// index: the number of ones that both vectors have, as a share of the ones that either has.
///
/// # Definition
/// κ(a, b) = ⟨a, b⟩ / (‖a‖² + ‖b‖² − ⟨a, b⟩), and 1 for two zero vectors.
///
/// It is positive semidefinite on all vectors, negative features included: with s = ‖a‖² + ‖b‖² it
/// is the sum over k ≥ 1 of (⟨a, b⟩/s)ᵏ, which converges as |⟨a, b⟩| ≤ s/2, and 1/sᵏ is the
/// integral of products τᵏ⁻¹e^(−τ‖a‖²)·e^(−τ‖b‖²)/(k − 1)!.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Tanimoto};
///
/// let value: f64 = Tanimoto::new().eval(&[1.0, 1.0, 0.0, 1.0], &[1.0, 0.0, 0.0, 1.0]);
/// assert_eq!(value, 2.0 / 3.0); // two ones in both, three in either
/// ```
///
/// # References
/// L. Ralaivola, S. J. Swamidass, H. Saigo, P. Baldi, "Graph kernels for chemical informatics",
/// Neural Networks 18(8), 2005. doi:10.1016/j.neunet.2005.07.009
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "tanimoto")
)]
pub struct Tanimoto;

crate::composable!(Tanimoto);

impl Tanimoto {
    /// The Tanimoto kernel; it has no parameters.
    pub fn new() -> Self {
        Self
    }
}

/// The value ⟨a, b⟩ / (‖a‖² + ‖b‖² − ⟨a, b⟩), or 1 for two zero vectors.
fn index<F: Scalar>(product: F, squares: F) -> F {
    if squares.is_zero() {
        F::one()
    } else {
        product / (squares - product)
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Tanimoto {
    type Scalar = F;

    crate::parameters!("tanimoto");

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let squares = inner_product(a, a) + inner_product(b, b);
        index(inner_product(a, b), squares)
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        let squares = |x: &Rows<F>| -> Array1<F> {
            (0..x.len())
                .map(|i| inner_product(x.get(i), x.get(i)))
                .collect()
        };
        let (a_squares, b_squares) = (squares(a), squares(b));
        let mut matrix = linalg::product(a.view(), b.view().reversed_axes());
        fill_rows(&mut matrix, |i, row| {
            for (value, &b_square) in row.iter_mut().zip(&b_squares) {
                *value = index(*value, a_squares[i] + b_square);
            }
        });
        matrix
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }
}
