//! The exponential function without branches or calls, so that a loop over it is vectorised.

use super::Vectorized;
use std::f64::consts::LOG2_E;

/// Cody and Waite's split of ln 2: the product of the first part with an exponent is exact.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Adding 1.5·2⁵² leaves a number's nearest integer in the low bits of the sum.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// Taylor coefficients 1/13!, 1/12!, …, 1/0!: on |r| ≤ ½ ln 2 the rest is below 10⁻¹⁷.
const COEFFICIENTS: [f64; 14] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// exp(x) for x ≤ 0 to within 2 units in the last place. Below the smallest normal number
/// (x < −708) the result is 0 or about 10⁻³⁰⁸.
// Inlined into its loop, or the loop is not vectorised for the instructions chosen there.
#[allow(clippy::inline_always)]
#[inline(always)]
fn exp_of_negative<const FUSED: bool>(x: f64) -> f64 {
    let multiply_add = |a: f64, b, c| if FUSED { a.mul_add(b, c) } else { a * b + c };
    let x = if x > -708.0 { x } else { -708.0 };
    // x = k·ln 2 + r with k an integer
    let shifted = multiply_add(x, LOG2_E, TO_INTEGER);
    let k = shifted - TO_INTEGER;
    let r = multiply_add(k, -LN_2_LOW, multiply_add(k, -LN_2_HIGH, x));
    let mut power = 0.0;
    for coefficient in COEFFICIENTS {
        power = multiply_add(power, r, coefficient);
    }
    // 2ᵏ, by its exponent bits
    let two_to_k = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52));
    power * two_to_k
}

/// v ← exp(v) for values v ≤ 0.
pub(super) struct ExpInPlace<'a, F>(pub(super) &'a mut [F]);

/// vⱼ ← exp(factor·vⱼ − a − bⱼ), and 1 where that exponent is above 0 or no number.
pub(super) struct ExpOfDistances<'a, F> {
    pub(super) values: &'a mut [F],
    pub(super) factor: F,
    pub(super) a: F,
    pub(super) b: &'a [F],
}

/// In `f64` for both: of an `f32`, nothing is lost but its own rounding.
macro_rules! vectorized {
    ($($float:ty),*) => {$(
        impl Vectorized for ExpInPlace<'_, $float> {
            #[inline(always)]
            fn run<const FUSED: bool>(self) {
                for value in self.0 {
                    *value = exp_of_negative::<FUSED>(f64::from(*value)) as $float;
                }
            }
        }

        impl Vectorized for ExpOfDistances<'_, $float> {
            #[inline(always)]
            fn run<const FUSED: bool>(self) {
                for (value, b) in self.values.iter_mut().zip(self.b) {
                    let exponent = self.factor * *value - self.a - b;
                    let exponent = if exponent < 0.0 { exponent } else { 0.0 };
                    *value = exp_of_negative::<FUSED>(f64::from(exponent)) as $float;
                }
            }
        }
    )*};
}

vectorized!(f32, f64);

#[cfg(test)]
mod tests {
    use super::exp_of_negative;

    /// At all exponents, and between them.
    #[test]
    fn within_two_units_in_the_last_place() {
        const POINTS: i32 = 1_000_000;
        for i in 0..POINTS {
            let x = -708.0 * (f64::from(i) + 0.37) / f64::from(POINTS);
            let exact = x.exp();
            // Of the largest power of two in it, by its bits: the number less its fraction.
            let power = f64::from_bits(exact.to_bits() >> 52 << 52);
            for found in [exp_of_negative::<true>(x), exp_of_negative::<false>(x)] {
                let off = (found - exact).abs() / power;
                assert!(off <= 2.0 * f64::EPSILON, "{x}: {off:e}");
            }
        }
    }

    #[test]
    fn at_the_ends_of_the_range() {
        assert_eq!(exp_of_negative::<true>(0.0), 1.0);
        assert_eq!(exp_of_negative::<false>(0.0), 1.0);
        let least = exp_of_negative::<false>(f64::NEG_INFINITY);
        assert!(least < 4e-308, "{least:e}");
    }
}
