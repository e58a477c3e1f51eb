//! The cosine kernel: the cosine of the angle between two vectors.

use super::inner_product;
use crate::{Error, Kernel, Rows, Samples, Scalar, linalg};
use ndarray::{Array1, Array2, Axis};

/// The cosine kernel: the inner product of directions, whatever the lengths.
///
/// # Definition
/// κ(a, b) = ⟨a, b⟩ / (‖a‖‖b‖), with ‖·‖ the Euclidean norm.
///
/// # Errors
/// At fit and for new samples, [`Error::SampleOutsideDomain`] naming a zero vector: it has no
/// direction.
///
/// # Example
/// ```
/// use npt_core::{Cosine, Kernel};
///
/// let value: f64 = Cosine::new().eval(&[3.0, 4.0], &[4.0, 3.0]);
/// assert_eq!(value, (3.0 * 4.0 + 4.0 * 3.0) / (5.0 * 5.0));
/// ```
///
/// # References
/// C. D. Manning, P. Raghavan, H. Schütze, *Introduction to Information Retrieval*, Cambridge
/// University Press 2008, section 6.3. doi:10.1017/CBO9780511809071
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "cosine")
)]
pub struct Cosine;

crate::composable!(Cosine);

impl Cosine {
    /// The cosine kernel; it has no parameters.
    pub fn new() -> Self {
        Self
    }
}

/// The vector divided by its length. It is divided by its largest magnitude first, as the square of that may overflow.
fn direction<F: Scalar>(sample: &[F]) -> Vec<F> {
    let largest = sample.iter().fold(F::zero(), |m, v| m.max(v.abs()));
    let scaled: Vec<F> = sample.iter().map(|&v| v / largest).collect();
    let length = inner_product(&scaled, &scaled).sqrt();
    scaled.into_iter().map(|v| v / length).collect()
}

/// The directions of all samples.
fn directions<F: Scalar>(x: &Rows<F>) -> Array2<F> {
    let mut matrix = Array2::zeros(x.view().dim());
    for (i, mut row) in matrix.axis_iter_mut(Axis(0)).enumerate() {
        row.assign(&Array1::from(direction(x.get(i))));
    }
    matrix
}

impl<F: Scalar> Kernel<Rows<F>> for Cosine {
    type Scalar = F;

    crate::parameters!("cosine");

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let largest = |v: &[F]| v.iter().fold(F::zero(), |m, v| m.max(v.abs()));
        let (a_scale, b_scale) = (largest(a), largest(b));
        let (mut product, mut a_square, mut b_square) = (F::zero(), F::zero(), F::zero());
        for (&a, &b) in a.iter().zip(b) {
            let (a, b) = (a / a_scale, b / b_scale);
            product += a * b;
            a_square += a * a;
            b_square += b * b;
        }
        product / (a_square * b_square).sqrt()
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        let (a, b) = (directions(a), directions(b));
        linalg::product(a.view(), b.view().reversed_axes())
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        Array1::ones(x.len())
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        let is_zero = |row: usize| x.get(row).iter().all(F::is_zero);
        match (0..x.len()).find(|&row| is_zero(row)) {
            None => Ok(()),
            Some(row) => Err(Error::SampleOutsideDomain {
                row,
                column: None,
                kernel: "Cosine",
                needs: "a vector that is not zero",
            }),
        }
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }
}
