//! The Laplacian kernel: the exponential of the city-block distance.

use super::SpectralMeasure;
use crate::{
    Error, Kernel, Rows, Samples, Scalar, error,
    kernels::{exp_of_sums, sums, unless_vanished, weighted_sums},
};
use ndarray::{Array1, Array2, ArrayView2};
use rand::{Rng, RngCore};
use rand_distr::StandardNormal;

/// The Laplacian kernel: like the Gaussian, but with heavier tails and rougher functions.
///
/// # Definition
/// κ(a, b) = exp(−γ‖a − b‖₁), with ‖·‖₁ the sum of magnitudes (not squared).
///
/// # Parameters
/// `gamma` γ > 0.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `gamma`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Laplacian};
///
/// let value = Laplacian::new(0.5).eval(&[1.0, 2.0], &[3.0, -1.0]);
/// assert_eq!(value, (-0.5_f64 * ((1.0_f64 - 3.0).abs() + (2.0_f64 + 1.0).abs())).exp());
/// ```
///
/// # References
/// A. Rahimi, B. Recht, *Random Features for Large-Scale Kernel Machines*, NIPS 2007, figure 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Laplacian<F> {
    gamma: F,
}

crate::composable!(impl<F> Laplacian<F>);

impl<F: Scalar> Laplacian<F> {
    /// exp(−γ‖a − b‖₁); the range is checked at fit.
    pub fn new(gamma: F) -> Self {
        Self { gamma }
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Laplacian<F> {
    type Scalar = F;

    crate::parameters!("laplacian", gamma);

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let distance: F = a.iter().zip(b).map(|(&a, &b)| (a - b).abs()).sum();
        (-self.gamma * distance).exp()
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        exp_of_sums(a, b, self.gamma, |a, b| (a - b).abs())
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        Array1::ones(x.len())
    }

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Laplacian", "gamma", self.gamma.as_f64())
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn parameter_derivatives(&self, x: &Rows<F>, weights: ArrayView2<'_, F>) -> Vec<Option<F>> {
        // −‖a − b‖₁κ
        let distances = sums(x, x, |a, b| (a - b).abs());
        weighted_sums(weights, &distances, |distance| {
            [unless_vanished(-distance, (-self.gamma * distance).exp())]
        })
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }
}

impl<F: Scalar> SpectralMeasure for Laplacian<F> {
    fn draw_deviations(&self, rng: &mut dyn RngCore, deviations: &mut [f64]) {
        for deviation in deviations {
            let z: f64 = rng.sample(StandardNormal);
            *deviation = self.gamma.as_f64() / z.abs();
        }
    }

    fn is_isotropic(&self) -> bool {
        false
    }
}
