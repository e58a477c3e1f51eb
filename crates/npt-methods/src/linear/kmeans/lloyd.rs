//! Lloyd's algorithm on centred samples.

use super::KMeansValidParams;
use crate::{Error, linear::Weights};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Zip};
use npt_core::{
    Scalar, linalg,
    watch::{Progress, check},
};
use rand::{Rng, seq::index};

/// A local minimum.
pub(super) struct Partition<F> {
    pub(super) centroids: Array2<F>,
    pub(super) inertia: F,
    pub(super) iterations: usize,
}

pub(super) struct Lloyd<'a, F> {
    x: ArrayView2<'a, F>,
    weights: &'a Weights<F>,
    /// Squared distances up to this are rounding of the coordinates.
    level: F,
}

impl<'a, F: Scalar> Lloyd<'a, F> {
    pub(super) fn new(x: ArrayView2<'a, F>, weights: &'a Weights<F>, resolution: F) -> Self {
        let lengths = x.outer_iter().map(|row| row.dot(&row));
        let level = resolution * F::epsilon() * lengths.fold(F::zero(), F::max);
        Self { x, weights, level }
    }

    /// Rows of x by greedy k-means++.
    pub(super) fn seeds(&self, clusters: usize, rng: &mut impl Rng) -> Result<Array2<F>, Error> {
        // The authors advise several, without a number; this many changes the cost by a logarithm.
        let trials = 2 + clusters.ilog2();
        let first = match self.weights.given() {
            Some(weights) => draw(weights, weights.sum() * F::cast(rng.r#gen::<f64>())),
            None => rng.gen_range(0..self.x.nrows()),
        };
        let mut chosen = vec![first];
        let mut distances = self.closer(None, first);
        while chosen.len() < clusters {
            // Of a sample that stands for several, each is as far.
            let cost = |distances: &Array1<F>| self.weights.times_each(distances.clone()).sum();
            let total = cost(&distances);
            if !(total > F::zero()) {
                return Err(Error::Clusters {
                    requested: clusters,
                    distinct: chosen.len(),
                });
            }
            let mut best: Option<(usize, Array1<F>)> = None;
            for _ in 0..trials {
                let chances = self.weights.times_each(distances.clone());
                let row = draw(&chances, total * F::cast(rng.r#gen::<f64>()));
                let with_it = self.closer(Some(&distances), row);
                if best
                    .as_ref()
                    .is_none_or(|(_, best)| cost(&with_it) < cost(best))
                {
                    best = Some((row, with_it));
                }
            }
            let (row, with_it) = best.expect("there is at least one trial");
            chosen.push(row);
            distances = with_it;
        }
        Ok(self.x.select(Axis(0), &chosen))
    }

    /// The squared distances of all rows from the nearest chosen one when `row` is chosen too; 0 where
    /// that is rounding.
    fn closer(&self, before: Option<&Array1<F>>, row: usize) -> Array1<F> {
        let chosen = self.x.row(row);
        let distance = |(i, other)| {
            let distance = squared_distance(other, chosen);
            let distance = if distance > self.level {
                distance
            } else {
                F::zero()
            };
            before.map_or(distance, |before| distance.min(before[i]))
        };
        self.x.outer_iter().enumerate().map(distance).collect()
    }

    /// Rows of x, each another.
    pub(super) fn random_rows(&self, count: usize, rng: &mut impl Rng) -> Array2<F> {
        let rows = index::sample(rng, self.x.nrows(), count).into_vec();
        self.x.select(Axis(0), &rows)
    }

    /// Centroids after some iterations, or fewer if no sample moves any more.
    pub(super) fn refine(&self, mut centroids: Array2<F>, iterations: usize) -> Array2<F> {
        let mut clusters = self.assign(&centroids, None);
        for _ in 0..iterations {
            check();
            centroids = self.means(&clusters, centroids.nrows());
            let next = self.assign(&centroids, Some(&clusters));
            if clusters == next {
                break;
            }
            clusters = next;
        }
        centroids
    }

    /// The cluster of each row, none of them empty.
    fn assign(&self, centroids: &Array2<F>, current: Option<&Array1<usize>>) -> Array1<usize> {
        let mut clusters = nearest(self.x, centroids.view(), current);
        self.fill_empty(&mut clusters, centroids);
        clusters
    }

    /// From centroids to a partition in which no sample moves any more, or little is gained by that; `scale` is the
    /// unit of x, for the error.
    pub(super) fn descend(
        &self,
        mut centroids: Array2<F>,
        params: &KMeansValidParams,
        scale: F,
    ) -> Result<Partition<F>, Error> {
        let mut clusters: Option<Array1<usize>> = None;
        let mut before = F::infinity();
        let mut progress = Progress::start("k-means", None);
        for iterations in 1..=params.max_iterations {
            let next = self.assign(&centroids, clusters.as_ref());
            let mut settled = clusters.as_ref() == Some(&next);
            if !settled {
                centroids = self.means(&next, centroids.nrows());
            }
            // Not known yet without a tolerance, and not worth another look at all samples.
            let inertia = (before * scale * scale).as_f64();
            settled |= progress.should_finish(iterations, "the inertia", inertia);
            if settled || params.tolerance > 0.0 {
                let inertia = self.inertia(&next, &centroids);
                settled |= before - inertia <= F::cast(params.tolerance) * inertia;
                if settled {
                    return Ok(Partition {
                        centroids,
                        inertia,
                        iterations,
                    });
                }
                before = inertia;
            }
            clusters = Some(next);
        }
        let last = clusters.expect("at least one iteration");
        let inertia = self.inertia(&last, &centroids) * scale * scale;
        Err(Error::NotConverged {
            method: "KMeans",
            measure: "the inertia",
            value: inertia.as_f64(),
        })
    }

    /// Gives each empty cluster the sample that is farthest from its centroid, and not alone there. Of several empty ones, each
    /// gets a sample that is far from those of the others as well: copies of one would stay where they are, each by itself.
    fn fill_empty(&self, clusters: &mut Array1<usize>, centroids: &Array2<F>) {
        let mut sizes = vec![0_usize; centroids.nrows()];
        clusters.iter().for_each(|&cluster| sizes[cluster] += 1);
        let mut distances = None;
        for empty in 0..sizes.len() {
            if sizes[empty] > 0 {
                continue;
            }
            let distances: &mut Vec<F> = distances.get_or_insert_with(|| {
                let rows = self.x.outer_iter().zip(clusters.iter());
                rows.map(|(row, &cluster)| squared_distance(row, centroids.row(cluster)))
                    .collect()
            });
            let mut farthest = None;
            for (row, (&distance, &cluster)) in distances.iter().zip(clusters.iter()).enumerate() {
                if sizes[cluster] > 1 && farthest.is_none_or(|(_, most)| distance > most) {
                    farthest = Some((row, distance));
                }
            }
            if let Some((row, _)) = farthest {
                sizes[clusters[row]] -= 1;
                sizes[empty] = 1;
                clusters[row] = empty;
                let given = self.x.row(row);
                for (other, distance) in self.x.outer_iter().zip(distances) {
                    *distance = distance.min(squared_distance(other, given));
                }
            }
        }
    }

    fn means(&self, clusters: &Array1<usize>, count: usize) -> Array2<F> {
        let mut means = Array2::zeros((count, self.x.ncols()));
        let mut sizes = Array2::<F>::zeros((count, 1));
        for (i, (row, &cluster)) in self.x.outer_iter().zip(clusters).enumerate() {
            let weight = self.weights.of(i);
            means.row_mut(cluster).scaled_add(weight, &row);
            sizes[[cluster, 0]] += weight;
        }
        means / sizes
    }

    fn inertia(&self, clusters: &Array1<usize>, centroids: &Array2<F>) -> F {
        let pairs = self.x.outer_iter().zip(clusters);
        pairs
            .enumerate()
            .map(|(i, (row, &c))| self.weights.of(i) * squared_distance(row, centroids.row(c)))
            .fold(F::zero(), |sum, d| sum + d)
    }
}

/// The nearest centroid of each row. A row leaves the cluster that it is in only for one that is
/// nearer by more than rounding: else samples on a border could change sides for ever.
///
/// Distances are compared by one matrix product, ½‖c‖² − ⟨x, c⟩, and where that cannot tell them
/// apart, by differences.
pub(super) fn nearest<F: Scalar>(
    x: ArrayView2<'_, F>,
    centroids: ArrayView2<'_, F>,
    current: Option<&Array1<usize>>,
) -> Array1<usize> {
    let half = F::one() / F::cast(2);
    let rounding = F::cast(x.ncols() + 8) * F::epsilon();
    let lengths: Array1<F> = centroids.outer_iter().map(|c| c.dot(&c)).collect();
    let products = linalg::product(x, centroids.t());
    let choose = |row: usize| {
        let (x, products) = (x.row(row), products.row(row));
        let score = |c: usize| half * lengths[c] - products[c];
        let best =
            (0..lengths.len()).fold(0, |best, c| if score(c) < score(best) { c } else { best });
        // ‖x‖‖c‖ is what cancels; half the sum of squares is more, and both centroids count.
        let doubt = |c: usize| rounding * (x.dot(&x) + lengths[c].max(lengths[best]));
        let mut chosen = current.map_or(best, |current| current[row]);
        let mut distance = squared_distance(x, centroids.row(chosen));
        for c in 0..lengths.len() {
            // Negated, so that scores that overflowed are looked at as well.
            if c == chosen || score(c) - score(best) > doubt(c) {
                continue;
            }
            let other = squared_distance(x, centroids.row(c));
            if other < distance * (F::one() - rounding) {
                (chosen, distance) = (c, other);
            }
        }
        chosen
    };
    (0..x.nrows()).map(choose).collect()
}

/// The index at which the running sum of the weights exceeds `left`; never one of weight 0.
fn draw<F: Scalar>(weights: &Array1<F>, mut left: F) -> usize {
    let mut drawn = 0;
    for (i, &weight) in weights.iter().enumerate() {
        if weight > F::zero() {
            drawn = i;
            left -= weight;
            if left < F::zero() {
                break;
            }
        }
    }
    drawn
}

pub(super) fn squared_distance<F: Scalar>(a: ArrayView1<'_, F>, b: ArrayView1<'_, F>) -> F {
    Zip::from(a).and(b).fold(F::zero(), |sum, &a, &b| {
        let difference = a - b;
        sum + difference * difference
    })
}

#[cfg(test)]
mod tests;
