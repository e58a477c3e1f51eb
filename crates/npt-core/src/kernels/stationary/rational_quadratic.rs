//! The rational quadratic kernel: a mixture of Gaussians of all widths.

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
use rand_distr::Gamma;

/// The rational quadratic kernel: Gaussians of all length scales, mixed by a gamma distribution
/// of ℓ⁻². With α → ∞ it is the Gaussian of length scale ℓ.
///
/// # Definition
/// κ(a, b) = (1 + ‖a − b‖² / (2αℓ²))^−α, with ‖·‖ the Euclidean norm.
///
/// # Parameters
/// `length_scale` ℓ > 0; `alpha` α > 0.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `length_scale` or `alpha`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, RationalQuadratic};
///
/// // ‖a − b‖² = 25
/// let value: f64 = RationalQuadratic::new(2.0, 3.0).eval(&[1.0, 2.0], &[4.0, -2.0]);
/// assert!((value - (1.0 + 25.0 / (2.0 * 3.0 * 4.0_f64)).powi(-3)).abs() < 1e-16);
/// ```
///
/// # References
/// C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press 2006,
/// equation 4.19.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "rational_quadratic")
)]
pub struct RationalQuadratic<F> {
    length_scale: F,
    alpha: F,
}

crate::composable!(impl<F> RationalQuadratic<F>);

impl<F: Scalar> RationalQuadratic<F> {
    /// The kernel (1 + ‖a − b‖² / (2αℓ²))^−α; ranges are checked at fit.
    pub fn new(length_scale: F, alpha: F) -> Self {
        Self {
            length_scale,
            alpha,
        }
    }

    /// The quotient u = ‖a − b‖² / (2αℓ²).
    fn mixed(&self, squared_distance: F) -> F {
        // Divided by one ℓ at a time, as the square of a small ℓ is 0.
        let squared = squared_distance / self.length_scale / self.length_scale;
        squared / (F::cast(2) * self.alpha)
    }

    /// The logarithm ln κ, computed without the sum 1 + u: for a large α all of u would be lost in it.
    fn logarithm(&self, squared_distance: F) -> F {
        -self.alpha * self.mixed(squared_distance).ln_1p()
    }
}

impl<F: Scalar> OfDistance<F> for RationalQuadratic<F> {
    fn value(&self, squared_distance: F) -> F {
        self.logarithm(squared_distance).exp()
    }

    fn values(&self, squared_distances: &mut [F]) {
        for value in squared_distances.iter_mut() {
            *value = self.logarithm(*value);
        }
        F::exp_in_place(squared_distances);
    }

    fn values_less_one(&self, squared_distances: &mut [F]) {
        for value in squared_distances.iter_mut() {
            *value = self.logarithm(*value);
        }
        F::exp_m1_in_place(squared_distances);
    }

    fn derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, F>,
        scales: Scales<'_, F>,
    ) -> Vec<Option<F>> {
        // With u = r²/(2αℓ²), the derivatives are 2αu/(1 + u)·κ/ℓ by ℓ, and (u/(1 + u) − ln(1 + u))κ by α.
        weighted_sums(weights, &self.distances(x, x, scales), |squared| {
            let value = self.value(squared);
            let u = self.mixed(squared);
            let share = (F::one() + u.recip()).recip();
            let by_scale = F::cast(2) * self.alpha * share * value / self.length_scale;
            [by_scale, unless_vanished(share - u.ln_1p(), value)]
        })
    }

    fn slope(&self, squared_distance: F) -> Option<F> {
        let of_sum = F::cast(2) * (F::one() + self.mixed(squared_distance));
        let value = self.value(squared_distance);
        Some(-value / of_sum / self.length_scale / self.length_scale)
    }
}

impl<F: Scalar> Kernel<Rows<F>> for RationalQuadratic<F> {
    type Scalar = F;

    crate::parameters!("rational_quadratic", length_scale, alpha);

    of_distance!();

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive(
            "RationalQuadratic",
            "length_scale",
            self.length_scale.as_f64(),
        )?;
        error::positive("RationalQuadratic", "alpha", self.alpha.as_f64())
    }

    /// Solves κ = 1 − ½‖φ(a) − φ(b)‖² for ‖a − b‖² = 2αℓ²(κ^(−1/α) − 1).
    fn squared_distance_of_inputs(&self, squared: F) -> Option<F> {
        let power = (-logarithm_from_distance(squared)? / self.alpha).exp_m1();
        let scale = F::cast(2) * self.alpha * self.length_scale * self.length_scale;
        finite(scale * power)
    }

    fn spectral_measure(&self) -> Option<Box<dyn SpectralMeasure + '_>> {
        Some(Box::new(self))
    }
}

impl<F: Scalar> SpectralMeasure for RationalQuadratic<F> {
    fn draw_deviations(&self, rng: &mut dyn RngCore, deviations: &mut [f64]) {
        let (alpha, length_scale) = (self.alpha.as_f64(), self.length_scale.as_f64());
        // A shape out of range is refused at fit, before this.
        let precision = Gamma::new(alpha, 1.0).map_or(f64::NAN, |gamma| rng.sample(gamma) / alpha);
        deviations.fill(precision.sqrt() / length_scale);
    }
}
