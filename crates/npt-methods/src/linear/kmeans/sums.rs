//! Means of clusters that exchange some of their samples.

use super::points::Points;
use crate::weights::Weights;
use ndarray::{Array1, Array2};
use npt_core::{Scalar, watch::Carrier};
use rayon::prelude::*;

/// The sums of the samples of each cluster. Samples that join are added, samples that leave are subtracted. A sum is computed
/// anew before these changes round by much more than the sum itself.
pub(super) struct Sums<'p, 'a, F> {
    points: &'p Points<'a, F>,
    weights: &'p Weights<F>,
    /// Σ wx, one row per cluster.
    rows: Array2<F>,
    tallies: Vec<Tally<F>>,
}

/// The number, weight and lengths of the samples in a sum.
#[derive(Clone, Copy)]
struct Tally<F> {
    samples: usize,
    weight: F,
    /// Σ w‖x‖
    length: F,
    /// The number of samples that have joined and left since the sum was computed.
    changes: usize,
    weight_gone: F,
    length_gone: F,
}

impl<F: Scalar> Tally<F> {
    fn new() -> Self {
        Self {
            samples: 0,
            weight: F::zero(),
            length: F::zero(),
            changes: 0,
            weight_gone: F::zero(),
            length_gone: F::zero(),
        }
    }

    fn join(&mut self, weight: F, length: F) {
        self.samples += 1;
        self.weight += weight;
        self.length += length;
    }

    fn leave(&mut self, weight: F, length: F) {
        self.samples -= 1;
        self.weight -= weight;
        self.length -= length;
        self.weight_gone += weight;
        self.length_gone += length;
    }

    /// Returns whether a sum must be computed anew. Otherwise no sum on the way was larger than twice the present one, and there were at
    /// most three times as many terms.
    fn is_stale(&self) -> bool {
        self.changes > self.samples
            || !(self.weight_gone <= self.weight)
            || !(self.length_gone <= self.length)
    }
}

impl<'p, 'a, F: Scalar> Sums<'p, 'a, F> {
    pub(super) fn new(
        points: &'p Points<'a, F>,
        weights: &'p Weights<F>,
        clusters: &Array1<usize>,
        count: usize,
    ) -> Self {
        let mut sums = Self {
            points,
            weights,
            rows: Array2::zeros((count, points.rows.ncols())),
            tallies: vec![Tally::new(); count],
        };
        sums.make(&vec![true; count], clusters);
        sums
    }

    pub(super) fn mean(&self, cluster: usize) -> Array1<F> {
        &self.rows.row(cluster) / self.tallies[cluster].weight
    }

    /// Updates the sums, and returns the clusters whose samples have changed, ascending.
    pub(super) fn update(&mut self, before: &Array1<usize>, now: &Array1<usize>) -> Vec<usize> {
        let pairs = before.iter().zip(now).enumerate();
        let moved = pairs.filter_map(|(i, (&from, &to))| (from != to).then_some((i, from, to)));
        let moved: Vec<(usize, usize, usize)> = moved.collect();
        let mut has_changed = vec![false; self.tallies.len()];
        for &(i, from, to) in &moved {
            let (weight, length) = self.weight_and_length(i);
            self.tallies[from].leave(weight, length);
            self.tallies[to].join(weight, length);
            for cluster in [from, to] {
                self.tallies[cluster].changes += 1;
                has_changed[cluster] = true;
            }
        }
        let stale: Vec<bool> = self.tallies.iter().map(Tally::is_stale).collect();
        for &(i, from, to) in &moved {
            let weight = self.weights.of(i);
            for (cluster, weight) in [(from, -weight), (to, weight)] {
                if !stale[cluster] {
                    let points = self.points;
                    add(self.row_mut(cluster), weight, points.row(i));
                }
            }
        }
        self.make(&stale, now);
        let changed = (0..has_changed.len()).filter(|&cluster| has_changed[cluster]);
        changed.collect()
    }

    /// Computes the sums of the clusters in `which` anew.
    fn make(&mut self, which: &[bool], clusters: &Array1<usize>) {
        if !which.contains(&true) {
            return;
        }
        let mut members = vec![Vec::new(); which.len()];
        for (i, &cluster) in clusters.iter().enumerate() {
            if which[cluster] {
                members[cluster].push(i);
            }
        }
        let carrier = Carrier::new();
        let sums: Vec<_> = members
            .par_iter()
            .map(|members| carrier.over(|| self.sum(members)))
            .collect();
        for (cluster, (sum, tally)) in sums.into_iter().enumerate() {
            if which[cluster] {
                self.row_mut(cluster).copy_from_slice(&sum);
                self.tallies[cluster] = tally;
            }
        }
    }

    fn sum(&self, members: &[usize]) -> (Vec<F>, Tally<F>) {
        let mut sum = vec![F::zero(); self.rows.ncols()];
        let mut tally = Tally::new();
        for &i in members {
            let (weight, length) = self.weight_and_length(i);
            tally.join(weight, length);
            add(&mut sum, weight, self.points.row(i));
        }
        (sum, tally)
    }

    fn weight_and_length(&self, i: usize) -> (F, F) {
        let weight = self.weights.of(i);
        (weight, weight * self.points.length(i))
    }

    fn row_mut(&mut self, cluster: usize) -> &mut [F] {
        let row = self.rows.row_mut(cluster).into_slice();
        row.expect("sums are in row-major order")
    }
}

fn add<F: Scalar>(sum: &mut [F], weight: F, row: &[F]) {
    for (sum, &value) in sum.iter_mut().zip(row) {
        *sum += weight * value;
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    /// A sum lasts while the samples, weights and lengths that have gone are no more than those that are there.
    #[test]
    fn when_a_sum_is_made_anew() {
        let of = |joined: &[(f64, f64)], gone: &[(f64, f64)]| {
            let mut tally = Tally::new();
            for &(weight, length) in joined {
                tally.join(weight, length);
            }
            for &(weight, length) in gone {
                tally.leave(weight, length);
                tally.changes += 1;
            }
            tally.is_stale()
        };
        let even = [(1.0, 1.0); 4];
        assert!(!of(&even, &even[..2]));
        assert!(of(&even, &even[..3]));
        // One sample that stays is heavier and longer than all that go.
        let light = [(1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (9.0, 9.0)];
        assert!(!of(&light, &light[..2]));
        assert!(of(&light, &light[..3]));
        let heavy = [(3.0, 1.0), (2.0, 1.0), (1.0, 1.0)];
        assert!(!of(&heavy, &heavy[..1]));
        assert!(of(&[(3.5, 1.0), (2.0, 1.0), (1.0, 1.0)], &[(3.5, 1.0)]));
        let long = [(1.0, 3.0), (1.0, 2.0), (1.0, 1.0)];
        assert!(!of(&long, &long[..1]));
        assert!(of(&[(1.0, 3.5), (1.0, 2.0), (1.0, 1.0)], &[(1.0, 3.5)]));
        // The sum of a cluster that becomes empty is computed anew.
        assert!(of(&even, &even));
        assert!(!of(&even, &[]));
    }
}
