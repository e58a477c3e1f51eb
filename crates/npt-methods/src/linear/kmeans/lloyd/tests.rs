use super::{Assignment, Lloyd, Points, State, Sums, Weights, squared_distance};
use crate::{
    Error,
    linear::{KMeans, kmeans::points::Centroids},
};
use linfa::ParamGuard;
use ndarray::{Array1, Array2, Axis, array, s};
use npt_core::Scalar;
use rand::{Rng, SeedableRng, seq::index::sample};
use rand_xoshiro::Xoshiro256Plus;

/// xᵢⱼ = sin(3i + 2j + 0.7·i·j)
fn waves(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        let (i, j) = (i as f64, j as f64);
        (3.0 * i + 2.0 * j + 0.7 * i * j).sin()
    })
}

/// Finds the nearest centroid of each sample by a look at all centroids.
fn nearest<F: Scalar>(
    points: &Points<'_, F>,
    centroids: &Array2<F>,
    current: Option<&Array1<usize>>,
) -> Array1<usize> {
    let all: Vec<usize> = (0..points.rows.nrows()).collect();
    let found = points.nearest(&all, &Centroids::new(centroids.view()), current);
    found.into_iter().map(|nearest| nearest.cluster).collect()
}

fn sizes(clusters: &Array1<usize>, count: usize) -> Vec<usize> {
    let mut sizes = vec![0; count];
    clusters.iter().for_each(|&cluster| sizes[cluster] += 1);
    sizes
}

/// Returns whether textbook Lloyd's algorithm, which fills no empty cluster, loses a cluster on its way.
fn runs_empty(lloyd: &Lloyd<'_, f64>, mut centroids: Array2<f64>) -> bool {
    let mut clusters: Option<Array1<usize>> = None;
    loop {
        let next = nearest(&lloyd.points, &centroids, clusters.as_ref());
        if sizes(&next, centroids.nrows()).contains(&0) {
            return true;
        }
        if clusters.as_ref() == Some(&next) {
            return false;
        }
        let sums = Sums::new(&lloyd.points, lloyd.weights, &next, centroids.nrows());
        for (cluster, mut centroid) in centroids.outer_iter_mut().enumerate() {
            centroid.assign(&sums.mean(cluster));
        }
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
        let found = lloyd.descend(start, &params, |inertia| inertia).unwrap();
        let clusters = nearest(&lloyd.points, &found.centroids, None);
        assert!(!sizes(&clusters, 20).contains(&0), "seed {seed}");
    }
    assert!(ran_empty >= 5, "only {ran_empty} ran empty");
}

/// The last iteration is the first that gains no more than the tolerance times the inertia that is left.
#[test]
fn a_tolerance_is_what_the_last_iteration_gains() {
    let x = waves(600, 3);
    let weights = Weights::none(x.nrows());
    let lloyd = Lloyd::new(x.view(), &weights, 0.0);
    let start = || x.slice(s![..12, ..]).to_owned();
    let inertia_after = |iterations| {
        let params = KMeans::params(12).max_iterations(iterations).check();
        match lloyd.descend(start(), &params.unwrap(), |inertia| inertia) {
            Err(Error::NotConverged { value, .. }) => value,
            _ => panic!("settled before {iterations}"),
        }
    };
    for tolerance in [0.1, 0.03, 0.01] {
        let params = KMeans::params(12).tolerance(tolerance).check().unwrap();
        let found = lloyd.descend(start(), &params, |inertia| inertia).unwrap();
        let inertias: Vec<f64> = (1..=found.iterations).map(inertia_after).collect();
        assert_eq!(inertias.last(), Some(&found.inertia));
        let gains = inertias.windows(2).map(|pair| pair[0] / pair[1] - 1.0);
        let first = gains.clone().position(|gain| gain <= tolerance);
        assert_eq!(first, Some(inertias.len() - 2), "{gains:?}");
    }
}

/// The sample at 9 is farthest from its centroid of those that are not alone in their cluster; the sample at 100 is
/// farther, but alone. Then the sample at 0 is the farthest: the one at 9 has become a cluster of its own.
#[test]
fn what_fills_an_empty_cluster() {
    let x = array![[0.0], [3.0], [9.0], [4.0], [100.0]];
    let weights = Weights::none(x.nrows());
    let lloyd = Lloyd::new(x.view(), &weights, 0.0);
    let centroids = array![[3.5], [80.0], [-300.0], [-400.0]];
    let mut assignment = Assignment::new(&lloyd.points, &centroids);
    assert_eq!(assignment.clusters, array![0, 0, 0, 0, 1]);
    lloyd.fill_empty(&mut assignment, &centroids);
    assert_eq!(assignment.clusters, array![3, 0, 2, 0, 1]);
}

/// Returns the distances of a sample from its own centroid and from the nearest of the others.
fn own_and_next<F: Scalar>(
    points: &Points<'_, F>,
    centroids: &Array2<F>,
    assignment: &Assignment<F>,
    i: usize,
) -> (F, F) {
    let own = assignment.clusters[i];
    let distance = |c: usize| squared_distance(points.rows.row(i), centroids.row(c)).sqrt();
    let others = (0..centroids.nrows()).filter(|&c| c != own).map(distance);
    (distance(own), others.fold(F::infinity(), F::min))
}

/// Checks, as long as samples move, that bounds give the same clusters as a look at all centroids, and that distances keep the bounds.
fn check_bounds<F: Scalar>(x: &Array2<F>, clusters: usize) {
    let weights = Weights::none(x.nrows());
    let lloyd = Lloyd::new(x.view(), &weights, F::zero());
    let mut rng = Xoshiro256Plus::seed_from_u64(1);
    let mut state = State::new(&lloyd, lloyd.random_rows(clusters, &mut rng));
    let mut iterations = 0;
    while !state.changed.is_empty() {
        let before = state.assignment.clusters.clone();
        let moves = state.move_to_means();
        let mut expected = Assignment::new(&lloyd.points, &state.centroids);
        expected.clusters = nearest(&lloyd.points, &state.centroids, Some(&before));
        lloyd.fill_empty(&mut expected, &state.centroids);
        state.reassign(&moves);
        assert_eq!(state.assignment.clusters, expected.clusters);
        for i in 0..x.nrows() {
            let (own, next) = own_and_next(&lloyd.points, &state.centroids, &state.assignment, i);
            assert!(state.assignment.within[i] >= own && state.assignment.beyond[i] <= next);
        }
        iterations += 1;
    }
    assert!(iterations > 3, "{iterations}");
}

#[test]
fn bounds_change_no_cluster() {
    check_bounds(&waves(3000, 3), 30);
    check_bounds(&waves(700, 40), 10);
    check_bounds(&waves(700, 40).mapv(|v| v as f32), 10);
    check_bounds(&(waves(700, 3) + 1e6), 10);
    // Many samples are equally far from two centroids.
    check_bounds(
        &Array2::from_shape_fn((900, 2), |(i, j)| [i / 30, i % 30][j] as f64),
        25,
    );
}

/// Bounds are near their distances. A bound that is far off would be right, but samples would be looked at for nothing.
#[test]
fn bounds_are_tight_where_all_centroids_are_looked_at() {
    let x = waves(200, 5);
    let points = Points::new(x.view());
    let centroids = x.slice(s![..9, ..]).to_owned() * 0.9;
    let assignment = Assignment::new(&points, &centroids);
    for i in 0..x.nrows() {
        let (own, next) = own_and_next(&points, &centroids, &assignment, i);
        let (within, beyond) = (assignment.within[i], assignment.beyond[i]);
        // Distances are some 0.1 to 3, their squares known to 1e-14.
        assert!(own <= within && within <= own + 1e-12, "{own} {within}");
        assert!(next - 1e-12 <= beyond && beyond <= next, "{next} {beyond}");
    }
}

/// The bound for a sample's own centroid follows the move of that centroid, the bound for the others the largest of their moves.
#[test]
fn bounds_follow_moves() {
    let x: Array2<f64> = array![[0.0], [10.0], [29.0], [31.0]];
    let points = Points::new(x.view());
    let mut assignment = Assignment::new(&points, &array![[1.0], [10.5], [30.0]]);
    let moved = array![[1.5], [10.25], [32.0]];
    assignment.update(&points, &moved, &[0.5, 0.25, 2.0]);
    assert_eq!(assignment.clusters, array![0, 1, 2, 2]);
    let expected: Array2<f64> = array![[1.5, 8.5], [0.75, 7.0], [3.0, 18.0], [3.0, 20.0]];
    // These are bounds of distances up to 32, whose squares are known to 1e-11.
    for (i, expected) in expected.outer_iter().enumerate() {
        assert!((assignment.within[i] - expected[0]).abs() < 1e-11);
        assert!((assignment.beyond[i] - expected[1]).abs() < 1e-11);
    }
}

/// The inertia of the error is in the units of the samples.
#[test]
fn the_inertia_where_iterations_end() {
    let x = array![[0.0], [2.0], [10.0], [11.0]];
    let weights = Weights::none(x.nrows());
    let lloyd = Lloyd::new(x.view(), &weights, 0.0);
    let params = KMeans::params(2).max_iterations(1).check().unwrap();
    // Means of the first alone and of the others: 0 and 23/3.
    let end = lloyd.descend(array![[0.0], [3.0]], &params, |inertia| 16.0 * inertia);
    let inertia = 16.0 * (225.0 - 23.0 * 23.0 / 3.0);
    match end {
        Err(Error::NotConverged {
            method: "KMeans",
            value,
            ..
        }) => {
            assert!((value - inertia).abs() < 1e-12 * inertia, "{value}");
        }
        _ => panic!("converged, or another error"),
    }
}

/// Squared distances are right for rows of a transposed matrix, which are no slices.
#[test]
fn squared_distances_of_what_is_strided() {
    let x = waves(2, 21);
    let strided = x.t().as_standard_layout().into_owned();
    let (a, b) = (strided.column(0), strided.column(1));
    let expected = (&x.row(0) - &x.row(1)).mapv(|v| v * v).sum();
    for found in [squared_distance(a, b), squared_distance(x.row(0), x.row(1))] {
        assert!((found - expected).abs() < 1e-14 * expected);
    }
}

/// Sums stay those of their samples. Samples of very different lengths and weights change clusters at random. A sum from which the
/// long and heavy samples have gone is that of the samples that are left.
#[test]
fn sums_are_those_of_their_samples() {
    let (samples, clusters) = (300, 4);
    let mut rng = Xoshiro256Plus::seed_from_u64(3);
    let x = waves(samples, 5);
    let lengths = Array1::from_shape_fn(samples, |i| if i % 7 == 0 { 1e12 } else { 1.0 });
    let x = x * &lengths.insert_axis(Axis(1));
    let heavy = Array1::from_shape_fn(samples, |i| if i % 5 == 0 { 1e12_f32 } else { 1.0 });
    for weights in [None, Some(heavy.view())] {
        let weights = Weights::new(weights, samples).unwrap();
        let points = Points::new(x.view());
        let mut at = Array1::from_shape_fn(samples, |i| i % clusters);
        let mut sums = Sums::new(&points, &weights, &at, clusters);
        for round in 0..60 {
            let before = at.clone();
            for _ in 0..=5 * (round % 9) {
                at[rng.gen_range(0..samples)] = rng.gen_range(0..clusters);
            }
            if round == 30 {
                // All samples that are long or heavy go.
                (0..samples)
                    .filter(|i| i % 7 == 0 || i % 5 == 0)
                    .for_each(|i| at[i] = 0);
            }
            let changed = sums.update(&before, &at);
            let anew = Sums::new(&points, &weights, &at, clusters);
            for cluster in 0..clusters {
                let moved = before
                    .iter()
                    .zip(&at)
                    .any(|(&from, &to)| from != to && (from == cluster || to == cluster));
                assert_eq!(changed.contains(&cluster), moved);
                let (mut weight, mut scale) = (0.0, 0.0_f64);
                for i in (0..samples).filter(|&i| at[i] == cluster) {
                    weight += weights.of(i);
                    scale += weights.of(i) * points.length(i);
                }
                let off = sums.mean(cluster) - anew.mean(cluster);
                let few = 1e-14 * scale / weight;
                assert!(
                    off.iter().all(|off| off.abs() <= few),
                    "round {round}: {off}"
                );
            }
        }
    }
}

/// Squared distances come from products where these suffice, and from differences where products cancel: for samples that are nearly or
/// quite the same, far from 0.
#[test]
fn squared_distances_from_some() {
    let mut x = waves(40, 3) * 1e-7 + 1.0;
    x.slice_mut(s![20.., ..]).mapv_inplace(|v| 3.0 * v);
    let copy = x.row(0).to_owned();
    x.row_mut(30).assign(&copy);
    let points = Points::new(x.view());
    let some = [0, 25];
    let found = points.squared_distances(&some, 0.0);
    for ((i, k), &found) in found.indexed_iter() {
        let expected = squared_distance(x.row(i), x.row(some[k]));
        assert!((found - expected).abs() <= expected / 16.0);
    }
    assert_eq!(
        (found[[0, 0]], found[[30, 0]], found[[25, 1]]),
        (0.0, 0.0, 0.0)
    );
    assert_eq!(
        points.squared_distances(&some, 20.0),
        Array2::<f64>::zeros((40, 2))
    );
}
