//! The exponential χ² kernel.

use crate::{
    Error, Kernel, Rows, Samples, Scalar, error,
    kernels::{exp_of_sums, non_negative},
};
use ndarray::{Array1, Array2};

/// The exponential χ² kernel: a Gaussian for histograms, in which a difference counts more between
/// small bins than between large ones.
///
/// # Definition
/// κ(a, b) = exp(−γ Σₖ (aₖ − bₖ)² / (aₖ + bₖ)), where 0/0 is 0.
///
/// # Parameters
/// `gamma` γ > 0.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `gamma`; at fit and for new samples,
/// [`Error::SampleOutsideDomain`] naming a negative feature.
///
/// # Example
/// ```
/// use npt_core::{ChiSquared, Kernel};
///
/// let value = ChiSquared::new(0.5).eval(&[1.0, 2.0, 0.0], &[3.0, 2.0, 0.0]);
/// assert_eq!(value, (-0.5_f64 * (2.0 * 2.0 / 4.0 + 0.0 / 4.0)).exp());
/// ```
///
/// # References
/// J. Zhang, M. Marszałek, S. Lazebnik, C. Schmid, "Local features and kernels for classification
/// of texture and object categories", International Journal of Computer Vision 73(2), 2007.
/// doi:10.1007/s11263-006-9794-4
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "chi_squared")
)]
pub struct ChiSquared<F> {
    gamma: F,
}

crate::composable!(impl<F> ChiSquared<F>);

impl<F: Scalar> ChiSquared<F> {
    /// The kernel exp(−γ Σₖ (aₖ − bₖ)² / (aₖ + bₖ)); the range is checked at fit.
    pub fn new(gamma: F) -> Self {
        Self { gamma }
    }
}

/// The term (a − b)² / (a + b), computed without the square, which might overflow.
fn term<F: Scalar>(a: F, b: F) -> F {
    let difference = a - b;
    if difference.is_zero() {
        F::zero()
    } else {
        difference * (difference / (a + b))
    }
}

impl<F: Scalar> Kernel<Rows<F>> for ChiSquared<F> {
    type Scalar = F;

    crate::parameters!("chi_squared", gamma);

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let distance: F = a.iter().zip(b).map(|(&a, &b)| term(a, b)).sum();
        (-self.gamma * distance).exp()
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        exp_of_sums(a, b, self.gamma, term)
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        Array1::ones(x.len())
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        error::positive("ChiSquared", "gamma", self.gamma.as_f64())?;
        non_negative("ChiSquared", x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }
}
