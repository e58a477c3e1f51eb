//! The functions exp(x) and exp(x) − 1, without branches or calls, so that a loop over them is vectorised.

use super::Vectorized;
use std::f64::consts::LOG2_E;

/// Cody and Waite's split of ln 2: the product of the first part with an exponent is exact.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Adding 1.5·2⁵² leaves a number's nearest integer in the low bits of the sum.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// Taylor coefficients of (exp(r) − 1)/r, 1/13!, 1/12!, …, 1/1!: on |r| ≤ ½ ln 2 the rest is below 10⁻¹⁷.
const COEFFICIENTS: [f64; 13] = [
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
];

/// The parts of exp(x) = 2ᵏ·(1 + p) for x ≤ 0: 2ᵏ, p/r with p = exp(r) − 1, and r = x − k·ln 2, |r| ≤ ½ ln 2.
struct Parts {
    two_to_k: f64,
    p_over_r: f64,
    r: f64,
}

#[allow(clippy::inline_always)]
#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

// The function has to be inlined into its loop; otherwise the loop is not vectorised for the instructions
// chosen there.
#[allow(clippy::inline_always)]
#[inline(always)]
fn parts<const FUSED: bool>(x: f64) -> Parts {
    let x = if x > -708.0 { x } else { -708.0 };
    // x = k·ln 2 + r with k an integer
    let shifted = multiply_add::<FUSED>(x, LOG2_E, TO_INTEGER);
    let k = shifted - TO_INTEGER;
    let r = multiply_add::<FUSED>(k, -LN_2_LOW, multiply_add::<FUSED>(k, -LN_2_HIGH, x));
    let mut p_over_r = 0.0;
    for coefficient in COEFFICIENTS {
        p_over_r = multiply_add::<FUSED>(p_over_r, r, coefficient);
    }
    Parts {
        // 2ᵏ is made of its exponent bits.
        two_to_k: f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52)),
        p_over_r,
        r,
    }
}

/// exp(x) for x ≤ 0 to within 2 units in the last place. Below the smallest normal number
/// (x < −708) the result is 0 or about 10⁻³⁰⁸.
#[allow(clippy::inline_always)]
#[inline(always)]
fn exp_of_negative<const FUSED: bool>(x: f64) -> f64 {
    let parts = parts::<FUSED>(x);
    multiply_add::<FUSED>(parts.p_over_r, parts.r, 1.0) * parts.two_to_k
}

/// exp(x) − 1 for x ≤ 0 to within 2 units in the last place: nothing cancels where x is small.
#[allow(clippy::inline_always)]
#[inline(always)]
fn exp_m1_of_negative<const FUSED: bool>(x: f64) -> f64 {
    let parts = parts::<FUSED>(x);
    // 2ᵏ − 1 is exact or −1, and 0 for small x, whose result is r·(p/r).
    let scaled = parts.r * parts.two_to_k;
    multiply_add::<FUSED>(parts.p_over_r, scaled, parts.two_to_k - 1.0)
}

/// v ← exp(v) for values v ≤ 0.
pub(super) struct ExpInPlace<'a, F>(pub(super) &'a mut [F]);

/// v ← exp(v) − 1 for values v ≤ 0.
pub(super) struct ExpM1InPlace<'a, F>(pub(super) &'a mut [F]);

/// vⱼ ← exp(factor·vⱼ − a − bⱼ), and 1 where that exponent is above 0 or not a number.
pub(super) struct ExpOfDistances<'a, F> {
    pub(super) values: &'a mut [F],
    pub(super) factor: F,
    pub(super) a: F,
    pub(super) b: &'a [F],
}

/// Implements the loops for both types. Both are computed in `f64`, so that an `f32` loses nothing but its own
/// rounding.
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

        impl Vectorized for ExpM1InPlace<'_, $float> {
            #[inline(always)]
            fn run<const FUSED: bool>(self) {
                for value in self.0 {
                    *value = exp_m1_of_negative::<FUSED>(f64::from(*value)) as $float;
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
    use super::{exp_m1_of_negative, exp_of_negative};

    /// exp(x) is exact to two units in the last place, at all exponents and between them.
    #[test]
    fn within_two_units_in_the_last_place() {
        const POINTS: i32 = 1_000_000;
        for i in 0..POINTS {
            let x = -708.0 * (f64::from(i) + 0.37) / f64::from(POINTS);
            let exact = x.exp();
            // The largest power of two in the number is made of its bits without the fraction.
            let power = f64::from_bits(exact.to_bits() >> 52 << 52);
            for found in [exp_of_negative::<true>(x), exp_of_negative::<false>(x)] {
                let off = (found - exact).abs() / power;
                assert!(off <= 2.0 * f64::EPSILON, "{x}: {off:e}");
            }
        }
    }

    /// exp(x) − 1 agrees with the standard library's to two units in the last place, where results are near −1 and
    /// at all exponents of arguments down to the smallest.
    #[test]
    fn less_one_within_two_units_in_the_last_place() {
        const POINTS: i32 = 300_000;
        let check = |x: f64| {
            let exact = x.exp_m1();
            let power = f64::from_bits(exact.abs().to_bits() >> 52 << 52);
            for found in [
                exp_m1_of_negative::<true>(x),
                exp_m1_of_negative::<false>(x),
            ] {
                let off = (found - exact).abs() / power;
                assert!(off <= 2.0 * f64::EPSILON, "{x}: {found:e}, {off:e}");
            }
        };
        for i in 0..POINTS {
            let share = (f64::from(i) + 0.37) / f64::from(POINTS);
            check(-40.0 * share);
            check(-3.0 * share);
            check(-(-700.0 * share).exp());
        }
    }

    #[test]
    fn at_the_ends_of_the_range() {
        for x in [f64::NEG_INFINITY, f64::NAN, -1e300, -800.0] {
            assert_eq!(exp_m1_of_negative::<true>(x), -1.0);
            assert_eq!(exp_m1_of_negative::<false>(x), -1.0);
        }
        assert_eq!(exp_m1_of_negative::<true>(0.0), 0.0);
        assert_eq!(
            exp_m1_of_negative::<false>(-f64::MIN_POSITIVE),
            -f64::MIN_POSITIVE
        );
        assert_eq!(exp_of_negative::<true>(0.0), 1.0);
        assert_eq!(exp_of_negative::<false>(0.0), 1.0);
        let least = exp_of_negative::<false>(f64::NEG_INFINITY);
        assert!(least < 4e-308, "{least:e}");
    }
}
