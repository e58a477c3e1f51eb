use super::{Lloyd, Weights, nearest};
use crate::linear::KMeans;
use linfa::ParamGuard;
use ndarray::{Array1, Array2, Axis, array};
use rand::{SeedableRng, seq::index::sample};
use rand_xoshiro::Xoshiro256Plus;

/// xᵢⱼ = sin(3i + 2j + 0.7·i·j)
fn waves(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        let (i, j) = (i as f64, j as f64);
        (3.0 * i + 2.0 * j + 0.7 * i * j).sin()
    })
}

fn sizes(clusters: &Array1<usize>, count: usize) -> Vec<usize> {
    let mut sizes = vec![0; count];
    clusters.iter().for_each(|&cluster| sizes[cluster] += 1);
    sizes
}

/// Whether Lloyd's algorithm as it is in the books, which fills nothing, loses a cluster on its way.
fn runs_empty(lloyd: &Lloyd<'_, f64>, mut centroids: Array2<f64>) -> bool {
    let mut clusters: Option<Array1<usize>> = None;
    loop {
        let next = nearest(lloyd.x, centroids.view(), clusters.as_ref());
        if sizes(&next, centroids.nrows()).contains(&0) {
            return true;
        }
        if clusters.as_ref() == Some(&next) {
            return false;
        }
        centroids = lloyd.means(&next, centroids.nrows());
        clusters = Some(next);
    }
}

/// Starts of greedy k-means++ hardly ever run empty; samples drawn at random, without regard to their
/// distances, do.
#[test]
fn clusters_that_run_empty_are_filled() {
    let x = waves(60, 2);
    let weights = Weights::none(x.nrows());
    let lloyd = Lloyd::new(x.view(), &weights, 0.0);
    let params = KMeans::params(20).check().unwrap();
    let mut ran_empty = 0;
    for seed in 0..500 {
        let mut rng = Xoshiro256Plus::seed_from_u64(seed);
        let start = x.select(Axis(0), &sample(&mut rng, 60, 20).into_vec());
        ran_empty += usize::from(runs_empty(&lloyd, start.clone()));
        let found = lloyd.descend(start, &params, 1.0).unwrap();
        let clusters = nearest(x.view(), found.centroids.view(), None);
        assert!(!sizes(&clusters, 20).contains(&0), "seed {seed}");
    }
    assert!(ran_empty >= 5, "only {ran_empty} ran empty");
}

/// The sample at 9 is the farthest from its centroid of those that are not alone; the one at 100 is
/// farther, but alone. Then that at 0 is: the one at 9 has become a cluster of its own.
#[test]
fn what_fills_an_empty_cluster() {
    let x = array![[0.0], [3.0], [9.0], [4.0], [100.0]];
    let weights = Weights::none(x.nrows());
    let lloyd = Lloyd::new(x.view(), &weights, 0.0);
    let centroids = array![[3.5], [80.0], [-300.0], [-400.0]];
    let mut clusters = nearest(x.view(), centroids.view(), None);
    assert_eq!(clusters, array![0, 0, 0, 0, 1]);
    lloyd.fill_empty(&mut clusters, &centroids);
    assert_eq!(clusters, array![3, 0, 2, 0, 1]);
}
