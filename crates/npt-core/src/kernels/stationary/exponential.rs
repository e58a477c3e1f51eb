//! The exponential kernel: the exponential of the Euclidean distance.

use super::{
    SpectralMeasure,
    distance::Scales,
    of_distance::{OfDistance, of_distance},
};
use crate::{
    Error, Kernel, Rows, Scalar, error,
    kernels::{finite, logarithm_from_distance, unless_vanished, weighted_sums},
};
use ndarray::ArrayView2;
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
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "exponential")
)]
pub struct Exponential<F> {
    gamma: F,
}

crate::composable!(impl<F> Exponential<F>);

impl<F: Scalar> Exponential<F> {
    /// The kernel exp(−γ‖a − b‖); the range is checked at fit.
    pub fn new(gamma: F) -> Self {
        Self { gamma }
    }
}

impl<F: Scalar> OfDistance<F> for Exponential<F> {
    fn value(&self, squared_distance: F) -> F {
        (-self.gamma * squared_distance.sqrt()).exp()
    }

    fn values(&self, squared_distances: &mut [F]) {
        for value in squared_distances.iter_mut() {
            *value = -self.gamma * value.sqrt();
        }
        F::exp_in_place(squared_distances);
    }

    fn values_less_one(&self, squared_distances: &mut [F]) {
        for value in squared_distances.iter_mut() {
            *value = -self.gamma * value.sqrt();
        }
        F::exp_m1_in_place(squared_distances);
    }

    fn derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, F>,
        scales: Scales<'_, F>,
    ) -> Vec<Option<F>> {
        // The derivative by γ is −rκ with r = ‖a − b‖.
        weighted_sums(weights, &self.distances(x, x, scales), |squared| {
            [unless_vanished(-squared.sqrt(), self.value(squared))]
        })
    }

    fn slope(&self, squared_distance: F) -> Option<F> {
        let twice = F::cast(2) * squared_distance.sqrt();
        Some(if twice > F::zero() {
            -self.gamma * self.value(squared_distance) / twice
        } else {
            F::zero()
        })
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Exponential<F> {
    type Scalar = F;

    crate::parameters!("exponential", gamma);

    of_distance!();

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Exponential", "gamma", self.gamma.as_f64())
    }

    /// Solves κ = 1 − ½‖φ(a) − φ(b)‖² for ‖a − b‖ = −ln κ / γ.
    fn squared_distance_of_inputs(&self, squared: F) -> Option<F> {
        finite((logarithm_from_distance(squared)? / self.gamma).powi(2))
    }

    fn spectral_measure(&self) -> Option<Box<dyn SpectralMeasure + '_>> {
        Some(Box::new(self))
    }
}

impl<F: Scalar> SpectralMeasure for Exponential<F> {
    fn draw_deviations(&self, rng: &mut dyn RngCore, deviations: &mut [f64]) {
        let z: f64 = rng.sample(StandardNormal);
        deviations.fill(self.gamma.as_f64() / z.abs());
    }
}
