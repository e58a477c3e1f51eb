//! The Matérn kernels of smoothness ½, 3⁄2 and 5⁄2.

use super::{
    SpectralMeasure,
    distance::Scales,
    of_distance::{OfDistance, of_distance},
};
use crate::{
    Error, Kernel, ParameterError, ParameterType, ParameterValue, Rows, Scalar, error,
    kernels::{finite, logarithm_from_distance, weighted_sums},
};
use ndarray::ArrayView2;
use rand::{Rng, RngCore};
use rand_distr::ChiSquared;

/// The Matérn kernels of smoothness ν = ½, 3⁄2 and 5⁄2, between the exponential (ν = ½) and the
/// Gaussian (ν → ∞). A process with such a kernel is 0, 1 and 2 times differentiable.
///
/// # Definition
/// With r = ‖a − b‖ the Euclidean distance and t = √(2ν)·r/ℓ:
///
/// | ν | constructor | κ(a, b) |
/// |---|---|---|
/// | ½ | [`half`](Self::half) | exp(−t) |
/// | 3⁄2 | [`three_halves`](Self::three_halves) | (1 + t) exp(−t) |
/// | 5⁄2 | [`five_halves`](Self::five_halves) | (1 + t + t²/3) exp(−t) |
///
/// # Parameters
/// `length_scale` ℓ > 0; by name also `smoothness` ν, 0.5, 1.5 or 2.5.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `length_scale`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Matern};
///
/// let (a, b) = ([1.0, 2.0], [4.0, -2.0]); // 5 apart
/// assert_eq!(Matern::half(2.0).eval(&a, &b), (-5.0_f64 / 2.0).exp());
///
/// let t = 3.0_f64.sqrt() * 5.0 / 2.0;
/// assert_eq!(Matern::three_halves(2.0).eval(&a, &b), (1.0 + t) * (-t).exp());
///
/// let t = 5.0_f64.sqrt() * 5.0 / 2.0;
/// assert_eq!(Matern::five_halves(2.0).eval(&a, &b), (1.0 + t + t * t / 3.0) * (-t).exp());
/// ```
///
/// # References
/// C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press 2006,
/// equations 4.16 and 4.17.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "matern")
)]
pub struct Matern<F> {
    smoothness: Smoothness,
    length_scale: F,
}

crate::composable!(impl<F> Matern<F>);

/// The smoothness ν.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Smoothness {
    Half,
    ThreeHalves,
    FiveHalves,
}

impl ParameterType for Smoothness {
    fn value(&self) -> ParameterValue {
        ParameterValue::Real(match self {
            Self::Half => 0.5,
            Self::ThreeHalves => 1.5,
            Self::FiveHalves => 2.5,
        })
    }

    fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let ParameterValue::Real(smoothness) = value else {
            return Err(value.wrong_kind(name, "a real number"));
        };
        *self = if smoothness == 0.5 {
            Self::Half
        } else if smoothness == 1.5 {
            Self::ThreeHalves
        } else if smoothness == 2.5 {
            Self::FiveHalves
        } else {
            return Err(ParameterError::Value {
                parameter: name.to_owned(),
                value,
                allowed: "0.5, 1.5 or 2.5",
            });
        };
        Ok(())
    }
}

/// The largest t. From here on exp(−t) is 0 in `f64`, and a power of t must not overflow beside it.
const VANISHED: f64 = 750.0;

impl<F: Scalar> Matern<F> {
    /// The kernel exp(−r/ℓ), with ν = ½; the range is checked at fit.
    pub fn half(length_scale: F) -> Self {
        Self {
            smoothness: Smoothness::Half,
            length_scale,
        }
    }

    /// The kernel (1 + √3·r/ℓ) exp(−√3·r/ℓ), with ν = 3⁄2; the range is checked at fit.
    pub fn three_halves(length_scale: F) -> Self {
        Self {
            smoothness: Smoothness::ThreeHalves,
            length_scale,
        }
    }

    /// The kernel (1 + √5·r/ℓ + 5r²/(3ℓ²)) exp(−√5·r/ℓ), with ν = 5⁄2; the range is checked at fit.
    pub fn five_halves(length_scale: F) -> Self {
        Self {
            smoothness: Smoothness::FiveHalves,
            length_scale,
        }
    }

    /// Twice the smoothness, 2ν.
    fn twice_smoothness(&self) -> F {
        match self.smoothness {
            Smoothness::Half => F::one(),
            Smoothness::ThreeHalves => F::cast(3),
            Smoothness::FiveHalves => F::cast(5),
        }
    }

    /// The exponent t = √(2ν)·r/ℓ, at most [`VANISHED`].
    fn exponent(&self, squared_distance: F) -> F {
        let t = self.twice_smoothness().sqrt() * squared_distance.sqrt() / self.length_scale;
        t.min(F::cast(VANISHED))
    }

    /// The exponent t with ln κ = ln p(t) − t, where p is the polynomial that exp(−t) is multiplied by.
    ///
    /// t − ln p(t) is convex and increasing, so that Newton's steps from above its root only ever
    /// descend to it; they end where rounding stops the descent.
    fn exponent_of_value(&self, logarithm: F) -> F {
        let target = -logarithm;
        // This t is above the root: t − ln p(t) exceeds the target there, for each of the three p.
        let mut t = F::cast(2) * target + (F::cast(6) * target).sqrt();
        loop {
            let p = self.polynomial(t);
            let slope_of_p = match self.smoothness {
                Smoothness::Half => F::zero(),
                Smoothness::ThreeHalves => F::one(),
                Smoothness::FiveHalves => F::one() + F::cast(2) * t / F::cast(3),
            };
            let next = t - (t - p.ln() - target) / (F::one() - slope_of_p / p);
            // Negated, so that 0/0 at t = 0 ends the loop as well.
            if !(next < t && next > F::zero()) {
                return t;
            }
            t = next;
        }
    }

    /// The quotient −κ′(t)/t without its factor exp(−t): times t², it is −t·κ′(t) without that factor.
    fn slope_over_exponent(&self, t: F) -> F {
        match self.smoothness {
            Smoothness::Half if t > F::zero() => t.recip(),
            Smoothness::Half => F::zero(),
            Smoothness::ThreeHalves => F::one(),
            Smoothness::FiveHalves => (F::one() + t) / F::cast(3),
        }
    }

    /// The polynomial p(t) that exp(−t) is multiplied by.
    fn polynomial(&self, t: F) -> F {
        match self.smoothness {
            Smoothness::Half => F::one(),
            Smoothness::ThreeHalves => F::one() + t,
            Smoothness::FiveHalves => F::one() + t + t * t / F::cast(3),
        }
    }
}

/// The last term of the power series of κ − 1 that is added up. For t ≤ 1 the first ones left out are below 10⁻¹⁷ of the
/// sum.
const TERMS: u32 = 20;

impl<F: Scalar> Matern<F> {
    /// The difference p(t)·exp(−t) − 1. For small t it is the sum of the power series Σ (−t)ᵏ/k!·cₖ, as p(t) and exp(−t)
    /// each differ from 1 by more than their product does.
    fn less_one(&self, t: F) -> F {
        if self.smoothness == Smoothness::Half {
            return (-t).exp_m1();
        }
        if t > F::one() {
            return self.polynomial(t) * (-t).exp() - F::one();
        }
        let (mut sum, mut power) = (F::zero(), -t);
        for k in 2..=TERMS {
            let k = F::cast(k);
            power *= -t / k;
            // The terms of cₖ come from the products of exp(−t) with 1 + t, and with t²/3.
            let of_square = match self.smoothness {
                Smoothness::FiveHalves => k * (k - F::one()) / F::cast(3),
                _ => F::zero(),
            };
            sum += power * (F::one() - k + of_square);
        }
        sum
    }
}

impl<F: Scalar> OfDistance<F> for Matern<F> {
    fn value(&self, squared_distance: F) -> F {
        let t = self.exponent(squared_distance);
        self.polynomial(t) * (-t).exp()
    }

    fn values(&self, squared_distances: &mut [F]) {
        let mut factors = Vec::with_capacity(squared_distances.len());
        for value in squared_distances.iter_mut() {
            let t = self.exponent(*value);
            factors.push(self.polynomial(t));
            *value = -t;
        }
        F::exp_in_place(squared_distances);
        for (value, factor) in squared_distances.iter_mut().zip(factors) {
            *value *= factor;
        }
    }

    fn values_less_one(&self, squared_distances: &mut [F]) {
        for value in squared_distances.iter_mut() {
            *value = self.less_one(self.exponent(*value));
        }
    }

    fn derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, F>,
        scales: Scales<'_, F>,
    ) -> Vec<Option<F>> {
        // There is no derivative by ν; the derivative by ℓ is −tκ′(t)/ℓ.
        let by_scale = weighted_sums(weights, &self.distances(x, x, scales), |squared| {
            let t = self.exponent(squared);
            // If ν = ½, t alone is the factor, as κ′(t)/t has no limit at 0.
            let square = match self.smoothness {
                Smoothness::Half => t,
                _ => t * t * self.slope_over_exponent(t),
            };
            [square * (-t).exp() / self.length_scale]
        });
        std::iter::once(None).chain(by_scale).collect()
    }

    fn slope(&self, squared_distance: F) -> Option<F> {
        // t² = 2νr²/ℓ², and so dκ/dr² = κ′(t)/t · ν/ℓ².
        let t = self.exponent(squared_distance);
        let slope = -self.slope_over_exponent(t) * (-t).exp() / F::cast(2);
        Some(slope * self.twice_smoothness() / self.length_scale / self.length_scale)
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Matern<F> {
    type Scalar = F;

    crate::parameters!("matern", smoothness, length_scale);

    of_distance!();

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Matern", "length_scale", self.length_scale.as_f64())
    }

    /// Solves κ = 1 − ½‖φ(a) − φ(b)‖² for t, and returns the square of r = t·ℓ/√(2ν).
    fn squared_distance_of_inputs(&self, squared: F) -> Option<F> {
        let t = self.exponent_of_value(logarithm_from_distance(squared)?);
        let distance = t * self.length_scale / self.twice_smoothness().sqrt();
        finite(distance * distance)
    }

    fn spectral_measure(&self) -> Option<Box<dyn SpectralMeasure + '_>> {
        Some(Box::new(self))
    }
}

impl<F: Scalar> SpectralMeasure for Matern<F> {
    fn draw_deviations(&self, rng: &mut dyn RngCore, deviations: &mut [f64]) {
        let twice_smoothness = self.twice_smoothness().as_f64();
        let squares = ChiSquared::new(twice_smoothness).map_or(f64::NAN, |chi| rng.sample(chi));
        deviations.fill((twice_smoothness / squares).sqrt() / self.length_scale.as_f64());
    }
}
