//! The Laplacian kernel: the exponential of the city-block distance.

use super::{
    SpectralMeasure,
    distance::Scales,
    of_distance::{OfDistance, of_distance},
};
use crate::{
    Error, Kernel, Rows, Scalar, error,
    kernels::{unless_vanished, weighted_sums},
};
use ndarray::{Array2, ArrayView2};
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
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "laplacian")
)]
pub struct Laplacian<F> {
    gamma: F,
}

crate::composable!(impl<F> Laplacian<F>);

impl<F: Scalar> Laplacian<F> {
    /// The kernel exp(−γ‖a − b‖₁); the range is checked at fit.
    pub fn new(gamma: F) -> Self {
        Self { gamma }
    }
}

impl<F: Scalar> OfDistance<F> for Laplacian<F> {
    fn distance(&self, a: &[F], b: &[F], scales: Scales<'_, F>) -> F {
        scales.sum(a, b, num_traits::Float::abs)
    }

    fn distances(&self, a: &Rows<F>, b: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        scales.sums(a, b, num_traits::Float::abs, |_| ())
    }

    fn value(&self, distance: F) -> F {
        (-self.gamma * distance).exp()
    }

    fn values(&self, distances: &mut [F]) {
        for value in distances.iter_mut() {
            *value *= -self.gamma;
        }
        F::exp_in_place(distances);
    }

    fn values_less_one(&self, distances: &mut [F]) {
        for value in distances.iter_mut() {
            *value *= -self.gamma;
        }
        F::exp_m1_in_place(distances);
    }

    fn block(&self, a: &Rows<F>, b: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        scales.sums(a, b, num_traits::Float::abs, |row| self.values(row))
    }

    fn derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, F>,
        scales: Scales<'_, F>,
    ) -> Vec<Option<F>> {
        // The derivative by γ is −‖a − b‖₁κ.
        weighted_sums(weights, &self.distances(x, x, scales), |distance| {
            [unless_vanished(-distance, self.value(distance))]
        })
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Laplacian<F> {
    type Scalar = F;

    crate::parameters!("laplacian", gamma);

    of_distance!();

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Laplacian", "gamma", self.gamma.as_f64())
    }

    fn spectral_measure(&self) -> Option<Box<dyn SpectralMeasure + '_>> {
        Some(Box::new(self))
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
