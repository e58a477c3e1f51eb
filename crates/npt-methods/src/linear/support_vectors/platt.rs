//! Platt's sigmoid: decision values to probabilities.

/// The sigmoid P(first class | f) = 1/(1 + exp(A f + B)).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Sigmoid {
    a: f64,
    b: f64,
}

/// A decision value, and its weight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weighed {
    pub(super) value: f64,
    pub(super) weight: f64,
}

/// A decision value, its target, and its weight.
#[derive(Clone, Copy)]
struct Point {
    f: f64,
    t: f64,
    w: f64,
}

/// The number of Newton steps that are allowed; some ten are needed.
const STEPS: usize = 100;

/// A number added to the diagonal of the Hessian, which is singular where the sigmoid saturates.
const RIDGE: f64 = 1e-12;

/// A Newton step, and the square of its decrement: twice the expected gain.
struct Step {
    a: f64,
    b: f64,
    decrement: f64,
}

impl Sigmoid {
    /// Fits the sigmoid to decision values of both classes. A and B minimise
    /// −Σ wᵢ(tᵢ ln pᵢ + (1 − tᵢ) ln(1 − pᵢ)), with tᵢ = (n₊ + 1)/(n₊ + 2) for values of the first class, whose
    /// weights add up to n₊, and tᵢ = 1/(n₋ + 2) for those of the second class, whose weights add up to n₋.
    ///
    /// # References
    /// H.-T. Lin, C.-J. Lin, R. Weng, "A Note on Platt's Probabilistic Outputs for Support Vector
    /// Machines", Machine Learning 68(3), 2007. doi:10.1007/s10994-007-5018-6
    pub(super) fn fit(first: &[Weighed], second: &[Weighed]) -> Self {
        let total = |values: &[Weighed]| values.iter().map(|v| v.weight).sum::<f64>();
        let (n_first, n_second) = (total(first), total(second));
        // In units of the largest value the Hessian is well scaled.
        let scale = first
            .iter()
            .chain(second)
            .fold(0.0_f64, |m, v| m.max(v.value.abs()));
        let scale = if scale > 0.0 { scale } else { 1.0 };
        let point = |t| {
            move |v: &Weighed| Point {
                f: v.value / scale,
                t,
                w: v.weight,
            }
        };
        let of_first = first.iter().map(point((n_first + 1.0) / (n_first + 2.0)));
        let of_second = second.iter().map(point(1.0 / (n_second + 2.0)));
        let points: Vec<Point> = of_first.chain(of_second).collect();
        let start = ((n_second + 1.0) / (n_first + 1.0)).ln();
        let mut sigmoid = Sigmoid { a: 0.0, b: start };
        let mut loss = sigmoid.loss(&points);
        let rounding = points.len() as f64 * f64::EPSILON;
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let step = sigmoid.newton_step(&points);
            // The loss does not tell smaller gains from its rounding. So close to the minimum, a whole step squares the error that is
            // left, until only rounding is left.
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

    /// Returns A and B.
    pub(super) fn coefficients(self) -> [f64; 2] {
        [self.a, self.b]
    }

    /// Returns the probability of the first class.
    pub(super) fn probability(&self, value: f64) -> f64 {
        let z = self.a * value + self.b;
        // exp takes nothing positive: neither form overflows nor cancels.
        if z >= 0.0 {
            (-z).exp() / (1.0 + (-z).exp())
        } else {
            1.0 / (1.0 + z.exp())
        }
    }

    fn loss(&self, points: &[Point]) -> f64 {
        let terms = points.iter().map(|&Point { f, t, w }| {
            let z = self.a * f + self.b;
            // −t ln p − (1 − t) ln(1 − p), with ln(1 + exp(−|z|)) kept apart
            w * ((-z.abs()).exp().ln_1p() + if z >= 0.0 { t * z } else { (t - 1.0) * z })
        });
        terms.sum()
    }

    fn newton_step(self, points: &[Point]) -> Step {
        let curvature = |p: &Point| p.w * self.probability(p.f) * self.complement(p.f);
        let (bb, ab) = points.iter().fold((RIDGE, 0.0), |(bb, ab), p| {
            (bb + curvature(p), ab + p.f * curvature(p))
        });
        // About this value the Hessian is diagonal. Its determinant would cancel where all values
        // are alike.
        let center = ab / bb;
        let (mut aa, mut ga, mut gb) = (RIDGE, 0.0, 0.0);
        for point @ &Point { f, t, w } in points {
            let (from_center, residual) = (f - center, w * (t - self.probability(f)));
            aa += from_center * from_center * curvature(point);
            ga += from_center * residual;
            gb += residual;
        }
        let (da, at_center) = (-ga / aa, -gb / bb);
        Step {
            a: da,
            b: at_center - center * da,
            decrement: -(ga * da + gb * at_center),
        }
    }

    fn after(self, step: &Step, share: f64) -> Self {
        Self {
            a: self.a + share * step.a,
            b: self.b + share * step.b,
        }
    }

    /// Returns the sigmoid after the first of the steps 1, ½, ¼, … that gains a share of what its slope promises, and its loss.
    fn search(self, points: &[Point], step: &Step, loss: f64) -> Option<(Self, f64)> {
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

    /// Returns 1 − [`probability`](Self::probability), also where the probability is 1 to rounding.
    fn complement(self, value: f64) -> f64 {
        let turned = Sigmoid {
            a: -self.a,
            b: -self.b,
        };
        turned.probability(value)
    }
}

npt_core::checked! { Sigmoid { a: f64, b: f64 } }

#[cfg(feature = "serde")]
impl Sigmoid {
    fn check_parts(&self) -> Result<(), String> {
        npt_core::serial::finite("the coefficients of a sigmoid", [&self.a, &self.b])
    }
}

#[cfg(test)]
mod tests {
    use super::{Sigmoid, Weighed};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256Plus;

    fn once(values: &[f64]) -> Vec<Weighed> {
        let weight = 1.0;
        let weighed = values.iter().map(|&value| Weighed { value, weight });
        weighed.collect()
    }

    /// A value of weight k counts as k values.
    #[test]
    fn weights() {
        let mut rng = Xoshiro256Plus::seed_from_u64(3);
        let mut values = |from: f64| -> Vec<Weighed> {
            let weights = [1.0, 3.0, 2.0].into_iter().cycle().take(30);
            let of = |weight| Weighed {
                value: from + 2.0 * rng.r#gen::<f64>(),
                weight,
            };
            weights.map(of).collect()
        };
        let (first, second) = (values(0.0), values(-1.0));
        let repeated = |values: &[Weighed]| -> Vec<Weighed> {
            let times = |v: &&Weighed, k: f64| v.weight > k;
            let all = [0.0, 1.0, 2.0].map(|k| values.iter().filter(move |v| times(v, k)));
            let all = all.into_iter().flatten();
            all.map(|v| Weighed { weight: 1.0, ..*v }).collect()
        };
        let found = Sigmoid::fit(&first, &second);
        let expected = Sigmoid::fit(&repeated(&first), &repeated(&second));
        assert!((found.a / expected.a - 1.0).abs() < 1e-12);
        assert!((found.b - expected.b).abs() < 1e-12 * expected.a.abs());
        let unweighted =
            |values: &[Weighed]| once(&values.iter().map(|v| v.value).collect::<Vec<_>>());
        let other = Sigmoid::fit(&unweighted(&first), &unweighted(&second));
        assert!((other.a / expected.a - 1.0).abs() > 1e-3);
    }

    /// The gradient at the minimum is 0 to rounding, not to the root of rounding, from where on the loss does not fall.
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
            let sigmoid = Sigmoid::fit(&once(&first), &once(&second));
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

    /// The probability of equal values, in any number, is the mean of their targets:
    /// (n₊(n₊ + 1)/(n₊ + 2) + n₋/(n₋ + 2))/n.
    #[test]
    fn values_that_are_all_alike() {
        for (first, second) in [(4, 16), (20_000, 80_000)] {
            let sigmoid = Sigmoid::fit(&once(&vec![0.7; first]), &once(&vec![0.7; second]));
            let (first, second) = (f64::from(first as u32), f64::from(second as u32));
            let targets = first * (first + 1.0) / (first + 2.0) + second / (second + 2.0);
            let share = targets / (first + second);
            assert!((sigmoid.probability(0.7) / share - 1.0).abs() < 1e-6);
        }
    }
}
