//! The share of samples that a machine promises, kept by the values that the machine itself gives the samples.

use super::Weights;
use ndarray::Array1;
use npt_core::Scalar;
use std::cmp::Ordering;

/// The number of ε of the largest value by which the level is lower than the value that it is made of: single samples may be
/// evaluated in another order than all samples together.
const ROUNDING: f64 = 8.0;

/// The values of training samples. Samples below a level are outside, and at most a share of all, by weight, may be outside.
pub(super) struct Promised<'a, F> {
    pub(super) values: &'a Array1<F>,
    pub(super) weights: &'a Weights<F>,
    pub(super) share: f64,
}

impl<F: Scalar> Promised<'_, F> {
    /// Returns the highest level that keeps the share, is not above `level`, and is not above the value of a sample that is inside or on
    /// the margin. `is_outside` tells which samples are outside at any level. A value that is below `level` by more
    /// than `slack` is not on the margin, as in a machine that was ended before it was finished.
    pub(super) fn level(&self, level: F, slack: F, is_outside: impl Fn(usize) -> bool) -> F {
        let weights = self.weights.of_all();
        let counts = |i: &usize| weights[*i] > F::zero();
        let samples: Vec<usize> = (0..weights.len()).filter(counts).collect();
        let values = samples.iter().map(|&i| self.values[i]);
        let on_margin = samples.iter().filter(|&&i| !is_outside(i));
        let on_margin = on_margin.map(|&i| self.values[i]);
        let lowest = on_margin.filter(|&value| value >= level - slack);
        let lowest = lowest.fold(self.highest(&samples, &weights), F::min);
        if lowest == level {
            return level;
        }
        let largest = values.fold(F::zero(), |m, value| m.max(value.abs()));
        level.min(lowest - F::cast(ROUNDING) * F::epsilon() * largest)
    }

    /// Returns the highest of the values below which at most the share lies.
    fn highest(&self, samples: &[usize], weights: &Array1<F>) -> F {
        let mut order = samples.to_vec();
        let (of, equal) = (|i: usize| self.values[i], Ordering::Equal);
        order.sort_by(|&i, &j| of(i).partial_cmp(&of(j)).unwrap_or(equal));
        let (total, mut below) = (self.weights.sum(), 0.0);
        let mut highest = F::infinity();
        for equal in order.chunk_by(|&i, &j| self.values[i] == self.values[j]) {
            if below / total > self.share {
                break;
            }
            highest = self.values[equal[0]];
            below += equal.iter().map(|&i| weights[i].as_f64()).sum::<f64>();
        }
        highest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn as_many_as_the_share_are_below() {
        let values = array![3.0, 1.0, 2.0, 2.0, 5.0];
        let none = Weights::none(5);
        let given = array![1.0_f32, 0.0, 1.0, 1.0, 2.0];
        let given = Weights::new(Some(given.view()), 5).unwrap();
        for (weights, share, expected) in [
            (&none, 0.19, 1.0),
            (&none, 0.2, 2.0),
            (&none, 0.59, 2.0),
            (&none, 0.6, 3.0),
            (&none, 1.0, 5.0),
            // The sample of value 1 has weight 0.
            (&given, 0.1, 2.0),
            (&given, 0.4, 3.0),
            (&given, 0.6, 5.0),
        ] {
            let promised = Promised {
                values: &values,
                weights,
                share,
            };
            // All samples are outside at any level: the share alone counts.
            let level = promised.level(9.0, 0.0, |_| true);
            assert!(
                level < expected && level > expected - 1e-12,
                "{share}: {level}"
            );
            assert_eq!(promised.level(0.5, 0.0, |_| true), 0.5);
        }
        let promised = Promised {
            values: &values,
            weights: &none,
            share: 0.6,
        };
        let of_margin = |slack: f64| -> f64 { promised.level(3.0, slack, |i| i != 2) };
        assert!((of_margin(1.0) - 2.0).abs() < 1e-12 && (of_margin(0.5) - 3.0).abs() < 1e-12);
    }
}
