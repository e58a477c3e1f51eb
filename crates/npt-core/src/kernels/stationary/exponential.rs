//! The exponential kernel: the exponential of the Euclidean distance.

use super::{
    SpectralMeasure,
    distance::{exp_of_distances, squared_distance, squared_distances},
};
use crate::{
    Error, Kernel, Rows, Samples, Scalar, error,
    kernels::{finite, logarithm_from_distance, unless_vanished, weighted_sums},
};
use ndarray::{Array1, Array2, ArrayView2};
use rand::{Rng, RngCore};
use rand_distr::StandardNormal;

/// The exponential kernel: the Ornstein–Uhlenbeck process, continuous and nowhere smooth.
///
/// It is [`Matern::half`](crate::Matern::half) with length scale 1/γ. In one dimension it is the
/// [`Laplacian`](crate::Laplacian) as well, whose distance is the city-block one.
///
/// # Definition
/// κ(a, b) = exp(−γ‖a − b‖), with ‖·‖ the Euclidean norm (not squared).
///
/// # Parameters
/// `gamma` γ > 0.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `gamma`.
///
/// # Example
/// ```
/// use npt_core::{Exponential, Kernel};
///
/// let value = Exponential::new(0.5).eval(&[1.0, 2.0], &[4.0, -2.0]);
/// assert_eq!(value, (-0.5_f64 * (3.0_f64.powi(2) + 4.0_f64.powi(2)).sqrt()).exp());
/// ```
///
/// # References
/// C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press 2006,
/// section 4.2.1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Exponential<F> {
    gamma: F,
}

crate::composable!(impl<F> Exponential<F>);

impl<F: Scalar> Exponential<F> {
    /// exp(−γ‖a − b‖); the range is checked at fit.
    pub fn new(gamma: F) -> Self {
        Self { gamma }
    }
}

impl<F: Scalar> Exponential<F> {
    fn logarithm(&self, squared_distance: F) -> F {
        -self.gamma * squared_distance.sqrt()
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Exponential<F> {
    type Scalar = F;

    crate::parameters!("exponential", gamma);

    fn eval(&self, a: &[F], b: &[F]) -> F {
        self.logarithm(squared_distance(a, b)).exp()
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        exp_of_distances(squared_distances(a, b), |squared| self.logarithm(squared))
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        Array1::ones(x.len())
    }

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Exponential", "gamma", self.gamma.as_f64())
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn parameter_derivatives(&self, x: &Rows<F>, weights: ArrayView2<'_, F>) -> Vec<Option<F>> {
        // −rκ
        weighted_sums(weights, &squared_distances(x, x), |squared| {
            [unless_vanished(
                -squared.sqrt(),
                self.logarithm(squared).exp(),
            )]
        })
    }

    fn squared_distance_derivatives(&self, x: &Rows<F>) -> Option<Array2<F>> {
        Some(squared_distances(x, x).mapv_into(|squared| {
            let twice = F::cast(2) * squared.sqrt();
            if twice > F::zero() {
                -self.gamma * self.logarithm(squared).exp() / twice
            } else {
                F::zero()
            }
        }))
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }

    /// κ = 1 − ½‖φ(a) − φ(b)‖², and ‖a − b‖ = −ln κ / γ.
    fn squared_distance_of_inputs(&self, squared: F) -> Option<F> {
        finite((logarithm_from_distance(squared)? / self.gamma).powi(2))
    }
}

impl<F: Scalar> SpectralMeasure for Exponential<F> {
    fn draw_deviations(&self, rng: &mut dyn RngCore, deviations: &mut [f64]) {
        let z: f64 = rng.sample(StandardNormal);
        deviations.fill(self.gamma.as_f64() / z.abs());
    }
}
