//! Lloyd's algorithm on centred samples.

use super::{
    KMeansValidParams,
    assignment::Assignment,
    points::{Points, squared_distance},
    seeds::seeds,
    sums::Sums,
};
use crate::{Error, weights::Weights};
use ndarray::{Array2, ArrayView2, Axis};
use npt_core::{
    Scalar,
    watch::{Progress, check},
};
use rand::{Rng, seq::index};

/// A local minimum of the inertia.
pub(super) struct Partition<F> {
    pub(super) centroids: Array2<F>,
    pub(super) inertia: F,
    pub(super) iterations: usize,
}

pub(super) struct Lloyd<'a, F> {
    points: Points<'a, F>,
    weights: &'a Weights<F>,
    /// Squared distances up to this are rounding of the coordinates.
    level: F,
}

impl<'a, F: Scalar> Lloyd<'a, F> {
    pub(super) fn new(x: ArrayView2<'a, F>, weights: &'a Weights<F>, resolution: F) -> Self {
        let points = Points::new(x);
        let level = resolution * F::epsilon() * points.largest_square();
        Self {
            points,
            weights,
            level,
        }
    }

    /// Returns rows of x, chosen by greedy k-means++.
    pub(super) fn seeds(&self, clusters: usize, rng: &mut impl Rng) -> Result<Array2<F>, Error> {
        seeds(&self.points, self.weights, self.level, clusters, rng)
    }

    /// Returns `count` different rows of x, drawn at random.
    pub(super) fn random_rows(&self, count: usize, rng: &mut impl Rng) -> Array2<F> {
        let rows = index::sample(rng, self.points.rows.nrows(), count).into_vec();
        self.points.rows.select(Axis(0), &rows)
    }

    /// Returns the centroids after some iterations, or fewer if no sample moves any more.
    pub(super) fn refine(&self, centroids: Array2<F>, iterations: usize) -> Array2<F> {
        let mut state = State::new(self, centroids);
        for iteration in 1..=iterations {
            check();
            let moves = state.move_to_means();
            if iteration < iterations {
                state.reassign(&moves);
            }
            if state.changed.is_empty() {
                break;
            }
        }
        state.centroids
    }

    /// Descends from centroids to a partition in which no sample moves any more, or from which an iteration gains little.
    /// `in_units` converts the inertia to the units of the samples and weights, in which it is reported.
    pub(super) fn descend(
        &self,
        centroids: Array2<F>,
        params: &KMeansValidParams,
        in_units: impl Fn(F) -> F,
    ) -> Result<Partition<F>, Error> {
        let mut progress = Progress::start("k-means", None);
        let mut state = State::new(self, centroids);
        let mut before = F::infinity();
        for iterations in 1..=params.max_iterations {
            let mut settled = state.changed.is_empty();
            let moves = state.move_to_means();
            // Otherwise the inertia is not worth another look at all samples.
            let is_wanted = settled || params.tolerance > 0.0 || progress.is_to_finish();
            if is_wanted {
                let inertia = state.inertia();
                settled |= before - inertia <= F::cast(params.tolerance) * inertia;
                let told = in_units(inertia).as_f64();
                if settled {
                    progress.iterated(iterations, "the inertia", told);
                }
                if settled || progress.should_finish(iterations, "the inertia", told) {
                    return Ok(Partition {
                        centroids: state.centroids,
                        inertia,
                        iterations,
                    });
                }
                before = inertia;
            } else {
                progress.at(iterations);
            }
            if iterations < params.max_iterations {
                state.reassign(&moves);
            }
        }
        let inertia = in_units(state.inertia());
        Err(Error::NotConverged {
            method: "KMeans",
            measure: "the inertia",
            value: inertia.as_f64(),
        })
    }

    /// Gives each empty cluster the sample that is farthest from its own centroid and not alone in its cluster. Each of several
    /// empty clusters gets a sample that is also far from the samples of the others: copies of one sample would stay where they are,
    /// each in a cluster of its own.
    fn fill_empty(&self, assignment: &mut Assignment<F>, centroids: &Array2<F>) {
        let mut sizes = vec![0_usize; centroids.nrows()];
        for &cluster in &assignment.clusters {
            sizes[cluster] += 1;
        }
        let mut distances = None;
        for empty in 0..sizes.len() {
            if sizes[empty] > 0 {
                continue;
            }
            let clusters = &assignment.clusters;
            let distances: &mut Vec<F> = distances.get_or_insert_with(|| {
                let rows = self.points.rows.outer_iter().zip(clusters);
                rows.map(|(row, &cluster)| squared_distance(row, centroids.row(cluster)))
                    .collect()
            });
            let mut farthest = None;
            for (row, (&distance, &cluster)) in distances.iter().zip(clusters).enumerate() {
                if sizes[cluster] > 1 && farthest.is_none_or(|(_, most)| distance > most) {
                    farthest = Some((row, distance));
                }
            }
            if let Some((row, _)) = farthest {
                sizes[clusters[row]] -= 1;
                sizes[empty] = 1;
                assignment.move_to(row, empty);
                let given = self.points.rows.row(row);
                for (other, distance) in self.points.rows.outer_iter().zip(distances) {
                    *distance = distance.min(squared_distance(other, given));
                }
            }
        }
    }
}

/// Centroids and the samples that are nearest to them.
struct State<'p, 'a, F> {
    lloyd: &'p Lloyd<'a, F>,
    centroids: Array2<F>,
    assignment: Assignment<F>,
    sums: Sums<'p, 'a, F>,
    /// The clusters whose centroids may not be their means.
    changed: Vec<usize>,
}

impl<'p, 'a, F: Scalar> State<'p, 'a, F> {
    fn new(lloyd: &'p Lloyd<'a, F>, centroids: Array2<F>) -> Self {
        let mut assignment = Assignment::new(&lloyd.points, &centroids);
        lloyd.fill_empty(&mut assignment, &centroids);
        let clusters = centroids.nrows();
        Self {
            sums: Sums::new(&lloyd.points, lloyd.weights, &assignment.clusters, clusters),
            changed: (0..clusters).collect(),
            lloyd,
            centroids,
            assignment,
        }
    }

    /// Moves the centroids of changed clusters to their means, and returns how far each centroid has moved.
    fn move_to_means(&mut self) -> Vec<F> {
        let mut moves = vec![F::zero(); self.centroids.nrows()];
        for &cluster in &self.changed {
            let mean = self.sums.mean(cluster);
            let mut centroid = self.centroids.row_mut(cluster);
            moves[cluster] = squared_distance(mean.view(), centroid.view()).sqrt();
            centroid.assign(&mean);
        }
        moves
    }

    /// Assigns each sample to the nearest centroid, after the centroids have moved by `moves`. No cluster is empty then.
    fn reassign(&mut self, moves: &[F]) {
        let before = self.assignment.clusters.clone();
        self.assignment
            .update(&self.lloyd.points, &self.centroids, moves);
        self.lloyd.fill_empty(&mut self.assignment, &self.centroids);
        self.changed = self.sums.update(&before, &self.assignment.clusters);
    }

    fn inertia(&self) -> F {
        let rows = self.lloyd.points.rows.outer_iter();
        let pairs = rows.zip(&self.assignment.clusters).enumerate();
        pairs
            .map(|(i, (row, &cluster))| {
                let distance = squared_distance(row, self.centroids.row(cluster));
                self.lloyd.weights.of(i) * distance
            })
            .fold(F::zero(), |sum, d| sum + d)
    }
}

#[cfg(test)]
mod tests;
