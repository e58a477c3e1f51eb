//! The Bessel kernel: waves of one length from all directions.

use super::{
    distance::Scales,
    of_distance::{OfDistance, of_distance},
};
use crate::{Error, Kernel, Rows, Scalar, error, kernels::weighted_sums};
use ndarray::ArrayView2;

/// The Bessel kernel: a mean of waves of one length from all directions, and powers of it.
///
/// Its values have both signs, and fall slowly with the distance. kernlab's `besseldot(sigma, order, degree)` has these
/// values, with γ = sigma.
///
/// # Definition
/// κ(a, b) = Ω(γ‖a − b‖)^d with Ω(t) = 2^ν·ν!·J_ν(t)/t^ν and Ω(0) = 1, J_ν being the Bessel function of the first kind.
///
/// It is positive semidefinite on vectors of up to 2ν + 2 features: Ω is then a mean of cos⟨ω, a − b⟩ over a measure on ‖ω‖ ≤ γ.
///
/// # Parameters
/// `order` ν, a whole number up to 100; `degree` d ≥ 1, a whole number; `gamma` γ > 0.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `order` for one above 100, or too low for the number of features; naming `degree` or `gamma`.
///
/// # Example
/// ```
/// use npt_core::{Bessel, Kernel};
///
/// // J₀ has its first zero at 2.404825557695773.
/// let kernel = Bessel::new(0, 1, 2.404825557695773_f64);
/// assert!(kernel.eval(&[0.0, 0.0], &[0.6, 0.8]).abs() < 1e-15);
/// assert_eq!(kernel.eval(&[1.0, 2.0], &[1.0, 2.0]), 1.0);
/// ```
///
/// # References
/// I. J. Schoenberg, "Metric spaces and completely monotone functions", Annals of Mathematics 39(4), 1938.
/// doi:10.2307/1968466
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "bessel")
)]
pub struct Bessel<F> {
    order: u32,
    degree: u32,
    gamma: F,
}

crate::composable!(impl<F> Bessel<F>);

/// The largest order. Beyond it, J_ν and the power of t that it is divided by leave the range of `f64` where Ω does not.
const LARGEST_ORDER: u32 = 100;

impl<F: Scalar> Bessel<F> {
    /// The kernel Ω(γ‖a − b‖)^d of the order ν; ranges are checked at fit.
    pub fn new(order: u32, degree: u32, gamma: F) -> Self {
        Self {
            order,
            degree,
            gamma,
        }
    }

    /// The argument t = γ‖a − b‖ of a squared distance.
    fn argument(&self, squared_distance: F) -> f64 {
        self.gamma.as_f64() * squared_distance.as_f64().sqrt()
    }

    /// The kernel value κ at t.
    fn power(&self, t: f64) -> f64 {
        omega(self.order, t).powi(self.exponent())
    }

    fn exponent(&self) -> i32 {
        i32::try_from(self.degree).unwrap_or(i32::MAX)
    }

    /// The derivative dκ/dt divided by t. Ω′ is −t·Ω of the next order / (2ν + 2).
    fn slope_over_argument(&self, t: f64) -> f64 {
        let outer = f64::from(self.degree) * omega(self.order, t).powi(self.exponent() - 1);
        -outer * omega(self.order + 1, t) / f64::from(2 * self.order + 2)
    }
}

/// The function Ω(t) of an order.
fn omega(order: u32, t: f64) -> f64 {
    if has_series(order, t) {
        return 1.0 + omega_less_one(order, t);
    }
    let scaled = (1..=order).fold(1.0, |product, k| product * f64::from(2 * k) / t);
    let order = i32::try_from(order).unwrap_or(i32::MAX);
    scaled * libm::jn(order, t)
}

/// Returns whether the terms of the series of Ω fall from the first, so that nothing cancels.
fn has_series(order: u32, t: f64) -> bool {
    t * t <= 4.0 * f64::from(order + 1)
}

/// The difference Ω(t) − 1 by its series: Σ (−t²/4)ᵏ / (k!·(ν + 1)…(ν + k)) over k ≥ 1.
fn omega_less_one(order: u32, t: f64) -> f64 {
    let quarter = -t * t / 4.0;
    let (mut sum, mut term, mut k) = (0.0_f64, 1.0, 0.0);
    loop {
        k += 1.0;
        term *= quarter / (k * (f64::from(order) + k));
        sum += term;
        if term.abs() <= f64::EPSILON / 8.0 * sum.abs() {
            return sum;
        }
    }
}

impl<F: Scalar> OfDistance<F> for Bessel<F> {
    fn value(&self, squared_distance: F) -> F {
        F::cast(self.power(self.argument(squared_distance)))
    }

    fn values(&self, squared_distances: &mut [F]) {
        for value in squared_distances {
            *value = self.value(*value);
        }
    }

    fn values_less_one(&self, squared_distances: &mut [F]) {
        for value in squared_distances {
            let t = self.argument(*value);
            let less_one = if has_series(self.order, t) {
                let of_base = omega_less_one(self.order, t).ln_1p();
                (f64::from(self.degree) * of_base).exp_m1()
            } else {
                self.power(t) - 1.0
            };
            *value = F::cast(less_one);
        }
    }

    fn derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, F>,
        scales: Scales<'_, F>,
    ) -> Vec<Option<F>> {
        // The derivative by γ is κ′(t)·r with r = ‖a − b‖.
        weighted_sums(weights, &self.distances(x, x, scales), |squared| {
            let t = self.argument(squared);
            let slope = self.slope_over_argument(t) * self.gamma.as_f64();
            [F::cast(slope) * squared]
        })
    }

    fn slope(&self, squared_distance: F) -> Option<F> {
        // t² = γ²r², and so dκ/dr² = κ′(t)/t · γ²/2.
        let slope = self.slope_over_argument(self.argument(squared_distance));
        Some(F::cast(slope / 2.0) * self.gamma * self.gamma)
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Bessel<F> {
    type Scalar = F;

    crate::parameters!("bessel", order, degree, gamma);

    of_distance!();

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        let features = x.view().ncols();
        let order = |allowed| Error::Parameter {
            of: "Bessel",
            parameter: "order",
            value: self.order.into(),
            allowed,
        };
        if self.order > LARGEST_ORDER {
            return Err(order("at most 100"));
        }
        if features > 2 * self.order as usize + 2 {
            return Err(order("at least half the number of features, less 1"));
        }
        error::positive("Bessel", "degree", self.degree.into())?;
        error::positive("Bessel", "gamma", self.gamma.as_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::{has_series, omega};

    /// The series and J_ν give the same value where they meet, to the rounding of J_ν.
    #[test]
    fn the_series_meets_the_function() {
        for order in [0, 1, 2, 5, 20, 100] {
            let meeting = 2.0 * f64::from(order + 1).sqrt();
            let (below, above) = (meeting * (1.0 - 1e-14), meeting * (1.0 + 1e-14));
            assert!(has_series(order, below) && !has_series(order, above));
            let difference = (omega(order, below) - omega(order, above)).abs();
            assert!(difference < 1e-13, "{order}: {difference:e}");
        }
    }
}
