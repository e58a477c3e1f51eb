//! The share of features in which two samples agree.

use crate::{Kernel, Rows, Samples, Scalar, kernels::sums};
use ndarray::{Array1, Array2};

/// The simple matching coefficient, for features that are categories: numbers that are the same or not, however near.
///
/// # Definition
/// κ(a, b) = #{k : aₖ = bₖ} / d, the share of the d features that are equal.
///
/// Where some columns are categories and others are measured, take [`Columns`](crate::Columns) of this kernel and of another, or
/// [`Gower`].
///
/// # Example
/// ```
/// use npt_core::{Columns, Gaussian, Kernel, SimpleMatching};
///
/// let value: f64 = SimpleMatching::new().eval(&[1.0, 4.0, 2.0, 0.0], &[1.0, 3.0, 2.0, 0.0]);
/// assert_eq!(value, 0.75);
///
/// // Two categories, and two measurements.
/// let mixed = Columns::new(SimpleMatching::new(), 0..2) * Columns::new(Gaussian::new(0.5), 2..4);
/// let value: f64 = mixed.eval(&[1.0, 4.0, 0.1, 0.2], &[1.0, 3.0, 0.1, 1.2]);
/// assert_eq!(value, 0.5 * (-0.5 * (1.2_f64 - 0.2).powi(2)).exp());
/// ```
///
/// # References
/// R. Sokal, C. Michener, "A statistical method for evaluating systematic relationships", University of Kansas Science Bulletin
/// 38, 1958. The kernel is positive semidefinite, as the mean of kernels [aₖ = bₖ].
///
/// [`Gower`]: crate::Gower
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "simple_matching")
)]
pub struct SimpleMatching;

crate::composable!(SimpleMatching);

impl SimpleMatching {
    /// The simple matching coefficient; it has no parameters.
    pub fn new() -> Self {
        Self
    }
}

/// Returns 1 for equal values, 0 for others.
fn matches<F: Scalar>(a: F, b: F) -> F {
    if a == b { F::one() } else { F::zero() }
}

impl<F: Scalar> Kernel<Rows<F>> for SimpleMatching {
    type Scalar = F;

    crate::parameters!("simple_matching");

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let count: F = a.iter().zip(b).map(|(&a, &b)| matches(a, b)).sum();
        count / F::cast(a.len())
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        sums(a, b, matches) / F::cast(a.view().ncols())
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        Array1::ones(x.len())
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}
