//! The exponential function without branches or calls, so that a loop over it is vectorised.

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

/// exp(x) for x ≤ 0 to within 3 units in the last place. Below the smallest normal number
/// (x < −708) the result is 0 or about 10⁻³⁰⁸.
// Inlined into its loop, or the loop is not vectorised for the instructions chosen there.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(super) fn exp_of_negative(x: f64) -> f64 {
    let x = if x > -708.0 { x } else { -708.0 };
    // x = k·ln 2 + r with k an integer
    let shifted = x * std::f64::consts::LOG2_E + TO_INTEGER;
    let k = shifted - TO_INTEGER;
    let r = x - k * LN_2_HIGH - k * LN_2_LOW;
    let mut power = 0.0;
    for coefficient in COEFFICIENTS {
        power = power * r + coefficient;
    }
    // 2ᵏ, by its exponent bits
    let two_to_k = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52));
    power * two_to_k
}
