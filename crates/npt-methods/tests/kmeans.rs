//! Tests of k-means on plain matrices and in kernel coordinates.

use approx::assert_relative_eq;
use linfa::{
    DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, Axis, array, concatenate};
use npt_core::{Gaussian, KernelizedError, Linear};
use npt_methods::{Error, KernelKMeans, linear::KMeans};

/// Records that are the same in every language: xᵢⱼ = sin(3i + 2j + 0.7·i·j).
fn waves(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        let (i, j) = (i as f64, j as f64);
        (3.0 * i + 2.0 * j + 0.7 * i * j).sin()
    })
}

/// The inertia is that of scikit-learn 1.9.1, `KMeans(k, n_init=200, random_state=0, tol=0, algorithm='lloyd')`, inertia_.
#[test]
fn inertia_is_that_of_scikit_learn() {
    let data = DatasetBase::from(waves(60, 3));
    for (clusters, expected) in [
        (2, 64.924_558_538_304_38),
        (3, 45.527_588_233_345_43),
        (5, 24.195_370_339_897_79),
        (8, 11.706_480_016_449_66),
        (59, 0.000_393_877_393_456_654_6),
    ] {
        let params = KMeans::params(clusters).starts(200);
        let found = params.fit(&data).unwrap().inertia();
        assert_relative_eq!(found, expected, max_relative = 1e-12);
        // Law 6: the linear kernel changes nothing.
        let params = KernelKMeans::params(clusters, Linear::new()).method(|m| m.starts(200));
        let found = params.fit(&data).unwrap().inner().inertia();
        assert_relative_eq!(found, expected, max_relative = 1e-11);
    }
}

/// Checks that every sample is nearest to its own centroid, and that every centroid is the mean of its samples. The tests call it at
/// any scale, far from the origin, and in both precisions.
fn check_local_minimum<F: npt_core::Scalar>(x: &Array2<F>, clusters: usize, starts: usize) {
    let data = DatasetBase::from(x.clone());
    let params = KMeans::params(clusters).starts(starts);
    let model = params.fit(&data).unwrap();
    let (labels, distances) = (model.predict(&data), model.transform(x.clone()));
    let mut inertia = F::zero();
    for (row, &label) in distances.outer_iter().zip(&labels) {
        let few = F::one() + F::cast(100) * F::epsilon();
        assert!(row.iter().all(|&other| row[label] <= other * few));
        inertia += row[label];
    }
    assert_relative_eq!(
        inertia.as_f64(),
        model.inertia().as_f64(),
        max_relative = 1e-4
    );
    let extent = x.iter().fold(F::zero(), |m, v| m.max(v.abs()));
    for cluster in 0..clusters {
        let members: Vec<usize> = (0..x.nrows()).filter(|&i| labels[i] == cluster).collect();
        assert!(!members.is_empty());
        // Divided first: sums of the largest values overflow.
        let share = F::cast(members.len());
        let mean = (x.select(Axis(0), &members) / share).sum_axis(Axis(0));
        let off = mean - model.centroids().row(cluster);
        let few = F::cast(100) * F::epsilon() * extent;
        assert!(off.iter().all(|v| v.abs() <= few));
    }
}

#[test]
fn ends_in_a_local_minimum() {
    for scale in [1e-150, 1.0, 1e150] {
        check_local_minimum(&(waves(50, 4) * scale), 6, 3);
    }
    check_local_minimum(&(waves(50, 4) + 1e6), 6, 3);
    check_local_minimum(&waves(50, 4).mapv(|v| v as f32), 6, 3);
    check_local_minimum(&waves(3, 40), 3, 1);
    // On a grid, many samples are equally far from two centroids.
    let grid = Array2::from_shape_fn((64, 2), |(i, k)| {
        (if k == 0 { i / 8 } else { i % 8 }) as f64
    });
    for seed in 0..20 {
        let data = DatasetBase::from(grid.clone());
        let params = KMeans::params(5).starts(1).seed(seed).max_iterations(100);
        assert!(params.fit(&data).unwrap().inertia() > 0.0);
    }
    check_local_minimum(&grid, 7, 5);
}

/// The inertia is a finite number where the square of the unit is not.
#[test]
fn units_whose_squares_are_out_of_range() {
    let apart = KMeans::params(2).fit(&DatasetBase::from(array![[1e160], [-1e160]]));
    assert_eq!(apart.unwrap().inertia(), 0.0);
    // Two pairs, each 2⁴⁵ apart, at ±2⁶⁵, whose square is beyond single precision. The steps of single precision there are 2⁴².
    let (far, near) = (2.0_f32.powi(65), 2.0_f32.powi(45));
    let x = array![[far], [far + near], [-far], [-far - near]];
    let model = KMeans::params(2).fit(&DatasetBase::from(x)).unwrap();
    assert_relative_eq!(model.inertia(), near * near, max_relative = 1e-4);
}

/// Clusters are those at any other scale where squares of distances vanish; an inertia that is not finite is
/// refused.
#[test]
fn squares_out_of_range() {
    let x = waves(50, 4);
    let fit = |x: &Array2<f64>| KMeans::params(6).fit(&DatasetBase::from(x.clone()));
    let (unit, huge) = (2.0_f64.powi(-700), 2.0_f64.powi(700));
    let (model, tiny) = (fit(&x).unwrap(), fit(&(&x * unit)).unwrap());
    assert_eq!(tiny.predict(&(&x * unit)), model.predict(&x));
    assert_eq!(tiny.centroids(), &model.centroids() * unit);
    assert_eq!(tiny.inertia(), 0.0);
    let overflow = Error::Overflow { of: "KMeans" };
    assert_eq!(fit(&(x * huge)).err(), Some(overflow));
}

/// Samples are told apart in two pairs so close that their squared distance vanishes beside the distance of the pairs.
#[test]
fn close_samples_are_told_apart() {
    let x = array![[0.0], [1e-9], [1.0], [1.0 + 1e-9]];
    let data = DatasetBase::from(x);
    let model = KMeans::params(4).fit(&data).unwrap();
    assert_eq!(model.inertia(), 0.0);
    let mut labels = model.predict(&data).to_vec();
    labels.sort_unstable();
    assert_eq!(labels, [0, 1, 2, 3]);
    let coarse = KMeans::params(4).resolution(8.0).fit(&data).err();
    let (requested, distinct) = (4, 2);
    assert_eq!(
        coarse,
        Some(Error::Clusters {
            requested,
            distinct
        })
    );
}

#[test]
fn fewer_distinct_samples_than_clusters() {
    let distinct = waves(4, 3);
    let copies = concatenate![Axis(0), distinct, distinct, distinct];
    let data = DatasetBase::from(copies);
    let too_many = Error::Clusters {
        requested: 5,
        distinct: 4,
    };
    let error = KMeans::params(5).fit(&data).err();
    assert_eq!(error, Some(too_many.clone()));
    for gamma in [0.01, 1.0, 100.0] {
        let error = KernelKMeans::params(5, Gaussian::new(gamma))
            .fit(&data)
            .err();
        assert_eq!(error, Some(KernelizedError::Method(too_many.clone())));
        let model = KernelKMeans::params(4, Gaussian::new(gamma))
            .fit(&data)
            .unwrap();
        let labels: Array1<usize> = model.predict(&data);
        assert!((0..4).all(|i| labels[i] == labels[i + 4] && labels[i] == labels[i + 8]));
    }
    check_local_minimum(data.records(), 4, 1);
    let one = DatasetBase::from(array![[2.0, 3.0]]);
    assert_eq!(KMeans::params(1).fit(&one).unwrap().inertia(), 0.0);
    let none = KMeans::params(2).fit(&one).err();
    let (requested, distinct) = (2, 1);
    assert_eq!(
        none,
        Some(Error::Clusters {
            requested,
            distinct
        })
    );
}

/// No cluster is empty with as many clusters as there are distinct samples, or nearly as many. Starts that run empty on their way
/// are rare; the algorithm's own tests begin with some.
#[test]
fn no_cluster_is_empty() {
    let rounded = waves(60, 2).mapv(|v| (v * 2.0).round());
    for seed in 0..30 {
        for (x, clusters) in [
            (waves(60, 2), 59),
            (waves(60, 2), 20),
            (rounded.clone(), 12),
        ] {
            let data = DatasetBase::from(x);
            let params = KMeans::params(clusters).starts(1).seed(seed);
            let model = params.fit(&data).unwrap();
            let labels = model.predict(&data);
            assert!((0..clusters).all(|cluster| labels.iter().any(|&label| label == cluster)));
            assert!(model.centroids().iter().all(|v| v.is_finite()));
        }
    }
}

#[test]
fn same_seed_same_bits() {
    let data = DatasetBase::from(waves(40, 3));
    let fit = |seed| KMeans::params(6).starts(2).seed(seed).fit(&data).unwrap();
    assert_eq!(fit(4), fit(4));
    assert!((5..25).any(|seed| fit(seed) != fit(4)));
}

#[test]
fn bad_parameters() {
    let data = DatasetBase::from(waves(10, 2));
    let refused = |parameter| {
        Some(Error::Parameter {
            of: "KMeans",
            parameter,
            value: 0.0,
            allowed: "at least 1",
        })
    };
    assert_eq!(KMeans::params(0).fit(&data).err(), refused("clusters"));
    let none = KMeans::params(2).starts(0).fit(&data).err();
    assert_eq!(none, refused("starts"));
    let none = KMeans::params(2).max_iterations(0).fit(&data).err();
    assert_eq!(none, refused("max_iterations"));
    for resolution in [-1.0, f64::INFINITY] {
        let error = KMeans::params(2).resolution(resolution).fit(&data).err();
        let (of, parameter, allowed) = ("KMeans", "resolution", "finite and at least 0");
        let value = resolution;
        let refused = Error::Parameter {
            of,
            parameter,
            value,
            allowed,
        };
        assert_eq!(error, Some(refused));
    }
    let kernel = KernelKMeans::params(0, Linear::new()).fit(&data).err();
    assert_eq!(kernel, refused("clusters").map(KernelizedError::Method));
    let one = KMeans::params(3).max_iterations(1).fit(&data).err();
    assert!(
        matches!(one, Some(Error::NotConverged { method: "KMeans", value, .. }) if value > 0.0)
    );
}
