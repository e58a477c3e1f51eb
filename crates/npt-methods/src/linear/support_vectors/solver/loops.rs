//! The loops of a move, in the widest vector instructions of the machine.

// Inlined into the descent, or they are not compiled for the instructions chosen there.
#![allow(clippy::inline_always)]

use pulp::Simd;

/// The two ends of a group: the most that could be gained by raising a coefficient, and the least that
/// is lost by lowering one.
#[derive(Clone, Copy)]
pub(super) struct Extremes {
    pub(super) up: f64,
    pub(super) raised: usize,
    pub(super) down: f64,
}

/// Returns the largest −g − up, and where it is first; and the smallest down − g.
#[inline(always)]
pub(super) fn extremes<S: Simd>(simd: S, gradient: &[f64], up: &[f64], down: &[f64]) -> Extremes {
    let (g, g_rest) = S::as_simd_f64s(gradient);
    let (ups, up_rest) = S::as_simd_f64s(up);
    let (downs, down_rest) = S::as_simd_f64s(down);
    // With the signs reversed: the smallest g + up, the largest g − down.
    let mut least = simd.splat_f64s(f64::INFINITY);
    let mut most = simd.splat_f64s(f64::NEG_INFINITY);
    for ((&g, &up), &down) in g.iter().zip(ups).zip(downs) {
        least = simd.min_f64s(simd.add_f64s(g, up), least);
        most = simd.max_f64s(simd.sub_f64s(g, down), most);
    }
    let mut least = simd.reduce_min_f64s(least);
    let mut most = simd.reduce_max_f64s(most);
    for ((&g, &up), &down) in g_rest.iter().zip(up_rest).zip(down_rest) {
        least = smaller(g + up, least);
        most = larger(g - down, most);
    }
    let wanted = simd.splat_f64s(least);
    let lanes = size_of::<S::f64s>() / size_of::<f64>();
    let chunk = g.iter().zip(ups).position(|(&g, &up)| {
        let equal = simd.equal_f64s(simd.add_f64s(g, up), wanted);
        simd.first_true_m64s(equal) < lanes
    });
    let first = chunk.unwrap_or(g.len()) * lanes;
    let mut rest = gradient[first..].iter().zip(&up[first..]);
    Extremes {
        up: -least,
        raised: first + rest.position(|(&g, &up)| g + up == least).unwrap_or(0),
        down: -most,
    }
}

/// Returns the largest max(top + g − down, 0)²·inverse, and where it is first.
#[inline(always)]
pub(super) fn largest_decrease<S: Simd>(
    simd: S,
    top: f64,
    gradient: &[f64],
    down: &[f64],
    inverses: &[f64],
) -> (f64, usize) {
    let (g, g_rest) = S::as_simd_f64s(gradient);
    let (downs, down_rest) = S::as_simd_f64s(down);
    let (inverse, inverse_rest) = S::as_simd_f64s(inverses);
    let (tops, zeros) = (simd.splat_f64s(top), simd.splat_f64s(0.0));
    let decrease = |g, down, inverse| {
        let violation = simd.sub_f64s(simd.add_f64s(tops, g), down);
        let violation = simd.max_f64s(violation, zeros);
        simd.mul_f64s(simd.mul_f64s(violation, violation), inverse)
    };
    let mut most = zeros;
    for ((&g, &down), &inverse) in g.iter().zip(downs).zip(inverse) {
        most = simd.max_f64s(decrease(g, down, inverse), most);
    }
    let mut most = simd.reduce_max_f64s(most);
    let one = |g: f64, down: f64, inverse: f64| {
        let violation = larger(top + g - down, 0.0);
        violation * violation * inverse
    };
    for ((&g, &down), &inverse) in g_rest.iter().zip(down_rest).zip(inverse_rest) {
        most = larger(one(g, down, inverse), most);
    }
    let wanted = simd.splat_f64s(most);
    let lanes = size_of::<S::f64s>() / size_of::<f64>();
    let chunk = g.iter().zip(downs).zip(inverse);
    let chunk = chunk.clone().position(|((&g, &down), &inverse)| {
        let equal = simd.equal_f64s(decrease(g, down, inverse), wanted);
        simd.first_true_m64s(equal) < lanes
    });
    let first = chunk.unwrap_or(g.len()) * lanes;
    let rest = gradient[first..].iter().zip(&down[first..]);
    let mut rest = rest.zip(&inverses[first..]);
    let position = rest.position(|((&g, &down), &inverse)| one(g, down, inverse) == most);
    (most, first + position.unwrap_or(0))
}

/// Computes g ← g + α·a + β·b.
#[inline(always)]
pub(super) fn add_rows<S: Simd>(
    simd: S,
    gradient: &mut [f64],
    (alpha, a): (f64, &[f64]),
    (beta, b): (f64, &[f64]),
) {
    let (g, g_rest) = S::as_mut_simd_f64s(gradient);
    let (a, a_rest) = S::as_simd_f64s(a);
    let (b, b_rest) = S::as_simd_f64s(b);
    let (alphas, betas) = (simd.splat_f64s(alpha), simd.splat_f64s(beta));
    for ((g, &a), &b) in g.iter_mut().zip(a).zip(b) {
        *g = simd.mul_add_e_f64s(alphas, a, simd.mul_add_e_f64s(betas, b, *g));
    }
    for ((g, &a), &b) in g_rest.iter_mut().zip(a_rest).zip(b_rest) {
        *g += alpha * a + beta * b;
    }
}

/// Computes g ← g + α·a.
#[inline(always)]
pub(super) fn add_row<S: Simd>(simd: S, sum: &mut [f64], alpha: f64, a: &[f64]) {
    let (g, g_rest) = S::as_mut_simd_f64s(sum);
    let (a, a_rest) = S::as_simd_f64s(a);
    let alphas = simd.splat_f64s(alpha);
    for (g, &a) in g.iter_mut().zip(a) {
        *g = simd.mul_add_e_f64s(alphas, a, *g);
    }
    for (g, &a) in g_rest.iter_mut().zip(a_rest) {
        *g += alpha * a;
    }
}

/// Returns aᵀb.
#[inline(always)]
pub(super) fn inner_product<S: Simd>(simd: S, a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = S::as_simd_f64s(a);
    let (b, b_rest) = S::as_simd_f64s(b);
    let mut sums = [simd.splat_f64s(0.0); 4];
    let (a_fours, a_last) = a.as_chunks::<4>();
    let (b_fours, b_last) = b.as_chunks::<4>();
    for (a, b) in a_fours.iter().zip(b_fours) {
        for k in 0..4 {
            sums[k] = simd.mul_add_e_f64s(a[k], b[k], sums[k]);
        }
    }
    for (&a, &b) in a_last.iter().zip(b_last) {
        sums[0] = simd.mul_add_e_f64s(a, b, sums[0]);
    }
    let [p, q, r, s] = sums;
    let total = simd.add_f64s(simd.add_f64s(p, q), simd.add_f64s(r, s));
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| a * b);
    simd.reduce_sum_f64s(total) + rest.sum::<f64>()
}

/// Returns the larger number; `f64::max`, which looks for NaN, is slower.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulp::{Arch, WithSimd};

    struct Check<'a> {
        gradient: &'a [f64],
        up: &'a [f64],
        down: &'a [f64],
        inverses: &'a [f64],
    }

    impl WithSimd for Check<'_> {
        type Output = (Extremes, (f64, usize), Vec<f64>, f64);

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let ends = extremes(simd, self.gradient, self.up, self.down);
            let decrease = largest_decrease(simd, ends.up, self.gradient, self.down, self.inverses);
            let mut sum = self.gradient.to_vec();
            add_rows(simd, &mut sum, (2.0, self.up), (-3.0, self.inverses));
            let product = inner_product(simd, self.gradient, self.inverses);
            (ends, decrease, sum, product)
        }
    }

    /// The loops agree with the definitions, by all sets of instructions of this machine. Whole numbers make many of them equal,
    /// and none is rounded.
    #[test]
    fn every_set_of_instructions() {
        let mut sets = vec![Arch::Scalar, Arch::new()];
        #[cfg(target_arch = "x86_64")]
        sets.extend(pulp::x86::V3::try_new().map(Arch::V3));
        let value = |i: usize, modulus: usize| ((37 * i + 11) % modulus) as f64;
        for arch in sets {
            for length in [1, 2, 7, 8, 9, 31, 33, 64, 100, 513] {
                let of = |f: &dyn Fn(usize) -> f64| (0..length).map(f).collect::<Vec<f64>>();
                let blocked = |hit: bool| if hit { f64::INFINITY } else { 0.0 };
                let gradient = of(&|i| value(i, 23) - 11.0);
                let up = of(&|i| blocked(i % 3 == 1));
                let down = of(&|i| blocked(i % 4 == 2));
                let inverses = of(&|i| 1.0 + value(i, 5));
                let finite = of(&|i| if up[i] == 0.0 { 1.0 } else { 2.0 });
                let (ends, decrease, _, product) = arch.dispatch(Check {
                    gradient: &gradient,
                    up: &up,
                    down: &down,
                    inverses: &inverses,
                });
                let gains = of(&|i| -gradient[i] - up[i]);
                let top = gains.iter().fold(f64::NEG_INFINITY, |m, &v| m.max(v));
                let first = gains.iter().position(|&v| v == top);
                let losses = of(&|i| down[i] - gradient[i]);
                let least = losses.iter().fold(f64::INFINITY, |m, &v| m.min(v));
                assert_eq!((ends.up, Some(ends.raised), ends.down), (top, first, least));
                let decreases = of(&|i| (top - losses[i]).max(0.0).powi(2) * inverses[i]);
                let most = decreases.iter().fold(0.0_f64, |m, &v| m.max(v));
                let first = decreases.iter().position(|&v| v == most);
                assert_eq!((decrease.0, Some(decrease.1)), (most, first));
                let terms = gradient.iter().zip(&inverses);
                assert_eq!(product, terms.map(|(a, b)| a * b).sum::<f64>());
                let (_, _, sum, _) = arch.dispatch(Check {
                    gradient: &gradient,
                    up: &finite,
                    down: &down,
                    inverses: &inverses,
                });
                let expected = of(&|i| gradient[i] + 2.0 * finite[i] - 3.0 * inverses[i]);
                assert_eq!(sum, expected);
            }
        }
    }
}
