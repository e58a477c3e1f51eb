//! The Gaussian kernel: the exponential of the squared Euclidean distance.

mod blocks;

use super::{
    SpectralMeasure,
    distance::{Scales, are_few},
    of_distance::{OfDistance, of_distance},
};
use crate::{
    Error, Kernel, Rows, Scalar, error,
    kernels::{unless_vanished, weighted_sums},
    linalg::fill_rows,
};
use blocks::Blocks;
use ndarray::{Array2, ArrayView2};
use rand::RngCore;

/// The Gaussian kernel, also called radial basis function (RBF).
///
/// # Definition
/// κ(a, b) = exp(−γ‖a − b‖²), with ‖·‖ the Euclidean norm.
///
/// # Parameters
/// `gamma` γ > 0.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `gamma`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Gaussian};
///
/// let value = Gaussian::new(0.5).eval(&[1.0, 2.0], &[3.0, 1.0]);
/// assert_eq!(value, (-0.5_f64 * ((1.0_f64 - 3.0).powi(2) + (2.0_f64 - 1.0).powi(2))).exp());
/// ```
///
/// # References
/// B. Schölkopf, A. Smola, *Learning with Kernels*, MIT Press 2002, section 2.3.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "gaussian")
)]
pub struct Gaussian<F> {
    gamma: F,
}

crate::composable!(impl<F> Gaussian<F>);

impl<F: Scalar> Gaussian<F> {
    /// The kernel exp(−γ‖a − b‖²); the range is checked at fit.
    pub fn new(gamma: F) -> Self {
        Self { gamma }
    }

    /// The kernel exp(−‖a − b‖² / (2ℓ²)), by the length scale ℓ of Gaussian processes, which is the σ of a density.
    ///
    /// ```
    /// use npt_core::Gaussian;
    /// assert_eq!(Gaussian::from_length_scale(2.0), Gaussian::new(1.0 / (2.0 * 2.0_f64.powi(2))));
    /// ```
    pub fn from_length_scale(length_scale: F) -> Self {
        Self::new((F::cast(2) * length_scale * length_scale).recip())
    }

    /// The kernel exp(−‖a − b‖² / eps), by the convention of linfa's kernels.
    ///
    /// ```
    /// use npt_core::Gaussian;
    /// assert_eq!(Gaussian::from_linfa_eps(4.0), Gaussian::new(1.0 / 4.0_f64));
    /// ```
    pub fn from_linfa_eps(eps: F) -> Self {
        Self::new(eps.recip())
    }

    /// The factor γ.
    pub fn gamma(&self) -> F {
        self.gamma
    }
}

impl<F: Scalar> OfDistance<F> for Gaussian<F> {
    fn value(&self, squared_distance: F) -> F {
        (-self.gamma * squared_distance).exp()
    }

    fn values(&self, squared_distances: &mut [F]) {
        for value in squared_distances.iter_mut() {
            *value *= -self.gamma;
        }
        F::exp_in_place(squared_distances);
    }

    fn values_less_one(&self, squared_distances: &mut [F]) {
        for value in squared_distances.iter_mut() {
            *value = -self.gamma * *value;
        }
        F::exp_m1_in_place(squared_distances);
    }

    fn block(&self, a: &Rows<F>, b: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        if are_few(a) {
            let mut matrix = self.distances(a, b, scales);
            fill_rows(&mut matrix, |_, row| self.values(row));
            return matrix;
        }
        let gamma = self.gamma;
        Blocks { gamma, scales }.cross(a, b)
    }

    fn symmetric_block(&self, x: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        let gamma = self.gamma;
        Blocks { gamma, scales }.gram(x)
    }

    fn derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, F>,
        scales: Scales<'_, F>,
    ) -> Vec<Option<F>> {
        // The derivative by γ is −r²κ with r = ‖a − b‖.
        weighted_sums(weights, &self.distances(x, x, scales), |squared| {
            [unless_vanished(-squared, self.value(squared))]
        })
    }

    fn slope(&self, squared_distance: F) -> Option<F> {
        Some(-self.gamma * self.value(squared_distance))
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Gaussian<F> {
    type Scalar = F;

    crate::parameters!("gaussian", gamma);

    of_distance!();

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Gaussian", "gamma", self.gamma.as_f64())
    }

    fn gaussian_gamma(&self) -> Option<F> {
        Some(self.gamma)
    }
}

impl<F: Scalar> SpectralMeasure for Gaussian<F> {
    fn draw_deviations(&self, _: &mut dyn RngCore, deviations: &mut [f64]) {
        deviations.fill((2.0 * self.gamma.as_f64()).sqrt());
    }
}
