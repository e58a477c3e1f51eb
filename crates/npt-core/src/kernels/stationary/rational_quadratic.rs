//! The rational quadratic kernel: a mixture of Gaussians of all widths.

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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RationalQuadratic<F> {
    length_scale: F,
    alpha: F,
}

crate::composable!(impl<F> RationalQuadratic<F>);

impl<F: Scalar> RationalQuadratic<F> {
    /// (1 + ‖a − b‖² / (2αℓ²))^−α; ranges are checked at fit.
    pub fn new(length_scale: F, alpha: F) -> Self {
        Self {
            length_scale,
            alpha,
        }
    }

    /// u = ‖a − b‖² / (2αℓ²).
    fn mixed(&self, squared_distance: F) -> F {
        // One ℓ at a time: the square of a small one is 0.
        let squared = squared_distance / self.length_scale / self.length_scale;
        squared / (F::cast(2) * self.alpha)
    }

    /// ln κ. Not by a power of 1 + u: for a large α all of u would be lost in it.
    fn logarithm(&self, squared_distance: F) -> F {
        -self.alpha * self.mixed(squared_distance).ln_1p()
    }
}

impl<F: Scalar> Kernel<Rows<F>> for RationalQuadratic<F> {
    type Scalar = F;

    crate::parameters!("rational_quadratic", length_scale, alpha);

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
        error::positive(
            "RationalQuadratic",
            "length_scale",
            self.length_scale.as_f64(),
        )?;
        error::positive("RationalQuadratic", "alpha", self.alpha.as_f64())
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn parameter_derivatives(&self, x: &Rows<F>, weights: ArrayView2<'_, F>) -> Vec<Option<F>> {
        // With u = r²/(2αℓ²): 2αu/(1 + u)·κ/ℓ, and (u/(1 + u) − ln(1 + u))κ.
        weighted_sums(weights, &squared_distances(x, x), |squared| {
            let value = self.logarithm(squared).exp();
            let u = self.mixed(squared);
            let share = (F::one() + u.recip()).recip();
            let by_scale = F::cast(2) * self.alpha * share * value / self.length_scale;
            [by_scale, unless_vanished(share - u.ln_1p(), value)]
        })
    }

    fn squared_distance_derivatives(&self, x: &Rows<F>) -> Option<Array2<F>> {
        Some(squared_distances(x, x).mapv_into(|squared| {
            let of_sum = F::cast(2) * (F::one() + self.mixed(squared));
            -self.logarithm(squared).exp() / of_sum / self.length_scale / self.length_scale
        }))
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }

    /// κ = 1 − ½‖φ(a) − φ(b)‖², and ‖a − b‖² = 2αℓ²(κ^(−1/α) − 1).
    fn squared_distance_of_inputs(&self, squared: F) -> Option<F> {
        let power = (-logarithm_from_distance(squared)? / self.alpha).exp_m1();
        let scale = F::cast(2) * self.alpha * self.length_scale * self.length_scale;
        finite(scale * power)
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
