//! The cluster of each sample while centroids move, found without a look at all centroids for each sample.
//!
//! A sample stays where it is if its own centroid was nearer than any other by more than both centroids have moved since.
//!
//! G. Hamerly, "Making k-means even faster", SIAM International Conference on Data Mining 2010. doi:10.1137/1.9781611972801.12

use super::points::{Centroids, Nearest, Points, rounding};
use ndarray::{Array1, Array2};
use npt_core::Scalar;

pub(super) struct Assignment<F> {
    pub(super) clusters: Array1<usize>,
    /// An upper bound of the distance of each sample from its own centroid.
    pub(super) within: Vec<F>,
    /// A lower bound of the distances of each sample from all other centroids.
    pub(super) beyond: Vec<F>,
}

impl<F: Scalar> Assignment<F> {
    /// Assigns each sample to the nearest centroid.
    pub(super) fn new(points: &Points<'_, F>, centroids: &Array2<F>) -> Self {
        let samples = points.rows.nrows();
        let mut assignment = Self {
            clusters: Array1::zeros(samples),
            within: vec![F::zero(); samples],
            beyond: vec![F::zero(); samples],
        };
        let all: Vec<usize> = (0..samples).collect();
        let found = points.nearest(&all, &Centroids::new(centroids.view()), None);
        assignment.put(&all, found);
        assignment
    }

    /// Assigns each sample to the nearest centroid again, after each centroid has moved as far as `moves` says.
    pub(super) fn update(&mut self, points: &Points<'_, F>, centroids: &Array2<F>, moves: &[F]) {
        let farthest =
            (0..moves.len()).fold(0, |far, c| if moves[c] > moves[far] { c } else { far });
        let others = moves.iter().enumerate().filter(|&(c, _)| c != farthest);
        let second = others.fold(F::zero(), |far, (_, &moved)| far.max(moved));
        // Rounding must make no bound tighter: neither that of the moves, nor that of one operation here.
        let little = F::epsilon() + F::epsilon();
        let (up, down) = (F::one() + little, F::one() - little);
        let moved = |far: F| far * (F::one() + rounding(points.rows.ncols()));
        let mut open = Vec::new();
        let bounds = self.within.iter_mut().zip(&mut self.beyond);
        for (i, ((within, beyond), &cluster)) in bounds.zip(&self.clusters).enumerate() {
            let far = if cluster == farthest {
                second
            } else {
                moves[farthest]
            };
            *within = (*within + moved(moves[cluster])) * up;
            *beyond = ((*beyond - moved(far)) * down).max(F::zero());
            // Negated, so that a sample whose bounds overflowed is looked at.
            if !(*within < *beyond) {
                open.push(i);
            }
        }
        let found = points.nearest(
            &open,
            &Centroids::new(centroids.view()),
            Some(&self.clusters),
        );
        self.put(&open, found);
    }

    fn put(&mut self, samples: &[usize], found: Vec<Nearest<F>>) {
        for (&i, found) in samples.iter().zip(found) {
            self.clusters[i] = found.cluster;
            self.within[i] = found.within;
            self.beyond[i] = found.beyond;
        }
    }

    /// Assigns a sample to a cluster whose centroid may be anywhere.
    pub(super) fn move_to(&mut self, sample: usize, cluster: usize) {
        self.clusters[sample] = cluster;
        self.within[sample] = F::infinity();
        self.beyond[sample] = F::zero();
    }
}
