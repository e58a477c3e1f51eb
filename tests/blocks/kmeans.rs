//! Tests k-means on blocks.

use super::{blocks, spaces};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, s};
use npt::{
    KernelizedModel,
    methods::{Error, linear::KMeans},
    prelude::*,
};
use npt_testkit::data;

type Unlabelled = DatasetBase<Array2<f64>, Array1<()>>;

/// Samples in three clusters, `apart` from each other or, with 0, not.
fn samples(rows: usize, apart: f64, seed: u64) -> Unlabelled {
    let mut x = data::normal(rows, 3, seed);
    for (i, mut row) in x.outer_iter_mut().enumerate() {
        row[i % 3] += apart;
    }
    DatasetBase::new(x, Array1::from_elem(rows, ()))
}

/// Checks that each centroid is the mean of the samples that are nearest to it, and the inertia is that of these clusters.
fn assert_is_minimum(what: &str, y: &Array2<f64>, found: &KMeans<f64>) {
    let (clusters, distances) = (found.predict(y), found.squared_distances(y));
    let chosen = clusters.iter().enumerate().map(|(i, &c)| distances[[i, c]]);
    let inertia: f64 = chosen.sum();
    assert!(
        (inertia - found.inertia()).abs() <= 1e-10 * inertia,
        "{what}"
    );
    for (c, centroid) in found.centroids().outer_iter().enumerate() {
        let members: Vec<usize> = (0..y.nrows()).filter(|&i| clusters[i] == c).collect();
        assert!(!members.is_empty(), "{what}");
        let mean = y
            .select(ndarray::Axis(0), &members)
            .mean_axis(ndarray::Axis(0))
            .unwrap();
        let off = (&mean - &centroid).fold(0.0, |m: f64, v| m.max(v.abs()));
        assert!(off < 1e-9, "{what}: {off:e}");
    }
}

#[test]
fn it_ends_in_a_minimum_of_all_samples() {
    let data = samples(800, 1.5, 2);
    let some = samples(60, 1.5, 1).records;
    for (what, space) in spaces(&some) {
        let y = space.coordinates(&data.records).unwrap();
        for clusters in [1, 5] {
            let params = KMeans::params(clusters);
            let all = blocks(&data, &[1, 300, 300, 799]);
            let pass = || Ok::<_, Error>(all.iter().cloned().map(Ok));
            let found = params.fit_blocks(&space, pass).unwrap();
            assert_is_minimum(what, &y, &found);
            let whole = params.fit(&DatasetBase::from(y.clone())).unwrap();
            // One start from some of the samples is compared with the best of ten from all.
            assert!(found.inertia() <= 1.05 * whole.inertia(), "{what}");
        }
    }
}

/// Clusters that are apart are found whatever the tolerance.
#[test]
fn clusters_that_are_apart() {
    let data = samples(3000, 12.0, 2);
    let some = samples(50, 12.0, 1).records;
    let space = Nystrom::new(Gaussian::new(0.02), Pivoting::random(20));
    let space = space.fit_space(&some).unwrap();
    for tolerance in [0.0, 1e-4] {
        let params = KMeans::params(3).tolerance(tolerance);
        let mut passes = 0;
        let means = params.fit_blocks(&space, || {
            passes += 1;
            Ok::<_, Error>([Ok(data.clone())])
        });
        let means = means.unwrap();
        assert_eq!(passes, means.iterations() + 1);
        let space = space.space().clone();
        let model = KernelizedModel::new(means, space).expand().unwrap();
        let clusters = model.predict(&data.records);
        for (i, &cluster) in clusters.iter().enumerate() {
            assert_eq!(cluster, clusters[i % 3]);
        }
        assert!(clusters[0] != clusters[1] && clusters[1] != clusters[2]);
    }
}

/// A tolerance ends the iteration sooner, and the result is not much worse.
#[test]
fn ends_at_little_gain() {
    let data = samples(5000, 0.0, 2);
    let some = data.records.slice(s![..200, ..]).to_owned();
    let space = Nystrom::new(Gaussian::new(0.2), Pivoting::random(30));
    let space = space.fit_space(&some).unwrap();
    let [all, few] = [0.0, 1e-3].map(|tolerance| {
        let params = KMeans::params(8).tolerance(tolerance);
        params
            .fit_blocks(&space, || Ok::<_, Error>([Ok(data.clone())]))
            .unwrap()
    });
    assert!(few.iterations() < all.iterations());
    assert!(few.inertia() > all.inertia() && few.inertia() < 1.02 * all.inertia());
}

/// A cluster that runs empty takes other samples: here the samples of the space have a cluster that no block has.
#[test]
fn a_cluster_that_runs_empty() {
    let mut some = data::normal(60, 2, 1);
    some.slice_mut(s![..6, ..]).fill(40.0);
    let x = data::normal(1000, 2, 2);
    let data = DatasetBase::new(x.clone(), Array1::from_elem(1000, ()));
    let space = Exact::new(Gaussian::new(0.2)).fit_space(&some).unwrap();
    let means = KMeans::params(4).fit_blocks(&space, || Ok::<_, Error>([Ok(data.clone())]));
    assert_is_minimum(
        "full again",
        &space.coordinates(&x).unwrap(),
        &means.unwrap(),
    );
}

/// Blocks with fewer different samples than clusters.
#[test]
fn too_few_places() {
    let sites = ndarray::array![[0.0, 0.0], [5.0, 0.0], [0.0, 5.0], [5.0, 5.0]];
    let space = Exact::new(Gaussian::new(0.2)).fit_space(&sites).unwrap();
    for (places, clusters) in [(1, 4), (2, 4), (3, 4), (1, 2)] {
        let x = Array2::from_shape_fn((90, 2), |(i, k)| sites[[i % places, k]]);
        let data = DatasetBase::new(x, Array1::from_elem(90, ()));
        let mut passes = 0;
        let found = KMeans::params(clusters).fit_blocks(&space, || {
            passes += 1;
            Ok::<_, Error>([Ok(data.clone())])
        });
        assert!(passes <= 5, "{passes}");
        match found {
            Err(Error::Clusters {
                requested,
                distinct,
            }) => {
                assert_eq!(requested, clusters);
                assert!(distinct <= places);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The clusters are the same with kernel values near either end of the range.
#[test]
fn scales() {
    let data = samples(800, 1.5, 2);
    let some = samples(60, 1.5, 1).records;
    let of = |scale: f64| {
        let nystrom = Nystrom::new(Gaussian::new(0.2).scaled(scale), Pivoting::random(20));
        let space = nystrom.fit_space(&some).unwrap();
        let means = KMeans::params(5).fit_blocks(&space, || Ok::<_, Error>([Ok(data.clone())]));
        let means = means.unwrap();
        let y = space.coordinates(&data.records).unwrap();
        (means.predict(&y), means.inertia() / scale)
    };
    let (clusters, inertia) = of(1.0);
    // The scales are powers of 4, so that their roots are powers of 2, and nothing is rounded differently.
    for power in [-240, -30, 30, 240] {
        let found = of(4.0_f64.powi(power));
        assert_eq!(found.0, clusters, "{power}");
        assert!((found.1 / inertia - 1.0).abs() < 1e-12, "{power}");
    }
}

/// Sums of a hundred thousand squares do not lose samples in single precision.
#[test]
fn in_single_precision() {
    let some = data::normal(50, 2, 1).mapv(|v| v as f32);
    let x = data::normal(200_000, 2, 2);
    let space = Nystrom::new(Gaussian::new(0.3_f32), Pivoting::random(10)).fit_space(&some);
    let (space, wide) = (
        space.unwrap(),
        Nystrom::new(Gaussian::new(0.3), Pivoting::random(10)),
    );
    let wide = wide.fit_space(&some.mapv(f64::from)).unwrap();
    let narrow = DatasetBase::from(x.mapv(|v| v as f32));
    let x = DatasetBase::from(x);
    let params = KMeans::params(3).tolerance(1e-3).starts(2);
    let found = params
        .fit_blocks(&space, || Ok::<_, Error>([Ok(narrow.clone())]))
        .unwrap();
    let expected = params
        .fit_blocks(&wide, || Ok::<_, Error>([Ok(x.clone())]))
        .unwrap();
    let ratio = f64::from(found.inertia()) / expected.inertia();
    assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
}

#[test]
fn what_is_refused() {
    let some = data::duplicates(4, 5, 2, 1);
    let space = Exact::new(Gaussian::new(0.2)).fit_space(&some).unwrap();
    let data = DatasetBase::new(data::normal(50, 2, 2), Array1::from_elem(50, ()));
    let pass = || Ok::<_, Error>([Ok(data.clone())]);
    let params = KMeans::params(5).resolution(8.0);
    let (requested, distinct) = (5, 4);
    let expected = Error::Clusters {
        requested,
        distinct,
    };
    assert_eq!(params.fit_blocks(&space, pass), Err(expected));
    let error = KMeans::params(2)
        .tolerance(-1.0)
        .fit_blocks(&space, pass)
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::Parameter {
                parameter: "tolerance",
                ..
            }
        ),
        "{error}"
    );
    let error = KMeans::params(2).max_iterations(1).fit_blocks(&space, pass);
    assert!(matches!(
        error,
        Err(Error::NotConverged {
            method: "KMeans",
            ..
        })
    ));
    let mut bad = data.clone();
    bad.records[[3, 0]] = f64::NEG_INFINITY;
    let pass = || Ok::<_, Error>([Ok(data.clone()), Ok(bad.clone())]);
    let (row, column, value) = (53, 0, f64::NEG_INFINITY);
    let expected = npt::Error::SampleNotFinite { row, column, value };
    assert_eq!(
        KMeans::params(2).fit_blocks(&space, pass),
        Err(expected.into())
    );
}
