//! Platt's sigmoid: decision values to probabilities.

/// P(first class | f) = 1/(1 + exp(A f + B)).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sigmoid {
    a: f64,
    b: f64,
}

/// Newton steps that are allowed; some ten are needed.
const STEPS: usize = 100;

/// Added to the diagonal of the Hessian, which is singular where the sigmoid saturates.
const RIDGE: f64 = 1e-12;

/// A Newton step, and the square of its decrement: twice the expected gain.
struct Step {
    a: f64,
    b: f64,
    decrement: f64,
}

impl Sigmoid {
    /// The sigmoid that fits decision values of both classes best: A and B minimise
    /// −Σ tᵢ ln pᵢ + (1 − tᵢ) ln(1 − pᵢ) with tᵢ = (n₊ + 1)/(n₊ + 2) for the n₊ values of the first
    /// class, and 1/(n₋ + 2) for the n₋ of the second.
    ///
    /// # References
    /// H.-T. Lin, C.-J. Lin, R. Weng, "A Note on Platt's Probabilistic Outputs for Support Vector
    /// Machines", Machine Learning 68(3), 2007. doi:10.1007/s10994-007-5018-6
    pub(super) fn fit(first: &[f64], second: &[f64]) -> Self {
        let (n_first, n_second) = (first.len() as f64, second.len() as f64);
        // In units of the largest value the Hessian is well scaled.
        let scale = first
            .iter()
            .chain(second)
            .fold(0.0_f64, |m, v| m.max(v.abs()));
        let scale = if scale > 0.0 { scale } else { 1.0 };
        let of_first = first
            .iter()
            .map(|f| (f / scale, (n_first + 1.0) / (n_first + 2.0)));
        let of_second = second.iter().map(|f| (f / scale, 1.0 / (n_second + 2.0)));
        let points: Vec<(f64, f64)> = of_first.chain(of_second).collect();
        let start = ((n_second + 1.0) / (n_first + 1.0)).ln();
        let mut sigmoid = Sigmoid { a: 0.0, b: start };
        let mut loss = sigmoid.loss(&points);
        let rounding = points.len() as f64 * f64::EPSILON;
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let step = sigmoid.newton_step(&points);
            // The loss does not tell smaller gains from its rounding. So close, a whole step squares what is
            // missing, until rounding is all that is left.
            if step.decrement <= rounding * loss {
                if !(step.decrement < last / 4.0) {
                    break;
                }
                (sigmoid, last) = (sigmoid.after(&step, 1.0), step.decrement);
                continue;
            }
            let Some((next, lower)) = sigmoid.search(&points, &step, loss) else {
                break;
            };
            (sigmoid, loss) = (next, lower);
        }
        sigmoid.a /= scale;
        sigmoid
    }

    /// The probability of the first class.
    pub(super) fn probability(&self, value: f64) -> f64 {
        let z = self.a * value + self.b;
        // exp of nothing positive: neither form overflows nor cancels.
        if z >= 0.0 {
            (-z).exp() / (1.0 + (-z).exp())
        } else {
            1.0 / (1.0 + z.exp())
        }
    }

    fn loss(&self, points: &[(f64, f64)]) -> f64 {
        let terms = points.iter().map(|&(f, t)| {
            let z = self.a * f + self.b;
            // −t ln p − (1 − t) ln(1 − p), with ln(1 + exp(−|z|)) kept apart
            (-z.abs()).exp().ln_1p() + if z >= 0.0 { t * z } else { (t - 1.0) * z }
        });
        terms.sum()
    }

    fn newton_step(self, points: &[(f64, f64)]) -> Step {
        let curvature = |f| self.probability(f) * self.complement(f);
        let (bb, ab) = points.iter().fold((RIDGE, 0.0), |(bb, ab), &(f, _)| {
            (bb + curvature(f), ab + f * curvature(f))
        });
        // About this value the Hessian is diagonal. Its determinant would cancel where all values
        // are alike.
        let centre = ab / bb;
        let (mut aa, mut ga, mut gb) = (RIDGE, 0.0, 0.0);
        for &(f, t) in points {
            let (from_centre, residual) = (f - centre, t - self.probability(f));
            aa += from_centre * from_centre * curvature(f);
            ga += from_centre * residual;
            gb += residual;
        }
        let (da, at_centre) = (-ga / aa, -gb / bb);
        Step {
            a: da,
            b: at_centre - centre * da,
            decrement: -(ga * da + gb * at_centre),
        }
    }

    fn after(self, step: &Step, share: f64) -> Self {
        Self {
            a: self.a + share * step.a,
            b: self.b + share * step.b,
        }
    }

    /// The first of the steps 1, ½, ¼, … that gains a share of what its slope promises, and its loss.
    fn search(self, points: &[(f64, f64)], step: &Step, loss: f64) -> Option<(Self, f64)> {
        let mut share = 1.0;
        while share >= 1e-10 {
            let next = self.after(step, share);
            let reached = next.loss(points);
            if reached < loss - 1e-4 * share * step.decrement {
                return Some((next, reached));
            }
            share /= 2.0;
        }
        None
    }

    /// 1 − [`probability`](Self::probability), where that is 1 to rounding.
    fn complement(self, value: f64) -> f64 {
        let turned = Sigmoid {
            a: -self.a,
            b: -self.b,
        };
        turned.probability(value)
    }
}

#[cfg(test)]
mod tests {
    use super::Sigmoid;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256Plus;

    /// The gradient is 0 to rounding, not to the root of it, from where on the loss does not fall.
    #[test]
    fn the_minimum_is_found_to_rounding() {
        for seed in 0..50 {
            let mut rng = Xoshiro256Plus::seed_from_u64(seed);
            let mut values = |count, from: f64| -> Vec<f64> {
                (0..count)
                    .map(|_| from + 2.0 * rng.r#gen::<f64>())
                    .collect()
            };
            let (first, second) = (values(20 + seed as usize % 20, 0.0), values(30, -1.0));
            let sigmoid = Sigmoid::fit(&first, &second);
            let count = |values: &[f64]| f64::from(values.len() as u32);
            let targets = [
                (count(&first) + 1.0) / (count(&first) + 2.0),
                1.0 / (count(&second) + 2.0),
            ];
            let mut gradient = [0.0_f64; 2];
            for (values, target) in [(&first[..], targets[0]), (&second[..], targets[1])] {
                for &value in values {
                    let residual = target - sigmoid.probability(value);
                    gradient[0] += value * residual;
                    gradient[1] += residual;
                }
            }
            let largest = gradient[0].abs().max(gradient[1].abs());
            assert!(largest <= 60.0 * 64.0 * f64::EPSILON, "{seed}: {largest:e}");
        }
    }

    /// Of equal values, in any number, the probability is the share of their targets:
    /// (n₊(n₊ + 1)/(n₊ + 2) + n₋/(n₋ + 2))/n.
    #[test]
    fn values_that_are_all_alike() {
        for (first, second) in [(4, 16), (20_000, 80_000)] {
            let sigmoid = Sigmoid::fit(&vec![0.7; first], &vec![0.7; second]);
            let (first, second) = (f64::from(first as u32), f64::from(second as u32));
            let targets = first * (first + 1.0) / (first + 2.0) + second / (second + 2.0);
            let share = targets / (first + second);
            assert!((sigmoid.probability(0.7) / share - 1.0).abs() < 1e-6);
        }
    }
}
