//! Tests of the errors of pre-images, by their names.

use super::{pre_images, waves};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, array};
use npt_core::{
    Exact, Gaussian, KernelSpace, KernelizedError, Laplacian, Linear, Rank, SpaceBuilder,
};
use npt_methods::{
    Error, KernelKMeans, Kpca,
    pre_image::{DistanceConstraints, FixedPoint, PreImageExt, PreImageRidge, Training},
};

#[test]
fn bad_input() {
    let x = waves(10, 2);
    let space = Exact::new(Gaussian::new(1.0))
        .rank(Rank::Components(3))
        .fit_space(&x)
        .unwrap();
    let (expected, found) = (3, 2);
    let wide = Some(Error::Core(npt_core::Error::ColumnCount {
        expected,
        found,
    }));
    let two = Array2::zeros((1, 2));
    let ridge = PreImageRidge::new(Laplacian::new(1.0), 1.0);
    assert_eq!(
        pre_images(&FixedPoint::new(), &space, &x, two.view()).err(),
        wide
    );
    assert_eq!(
        pre_images(&DistanceConstraints::new(), &space, &x, two.view()).err(),
        wide
    );
    assert_eq!(pre_images(&ridge, &space, &x, two.view()).err(), wide);

    let nan = array![[0.0, f64::NAN, 0.0]];
    let is_nan = |error| {
        let Some(Error::Core(npt_core::Error::SampleNotFinite { row, column, .. })) = error else {
            return false;
        };
        (row, column) == (0, 1)
    };
    assert!(is_nan(
        pre_images(&FixedPoint::new(), &space, &x, nan.view()).err()
    ));
    assert!(is_nan(
        pre_images(&DistanceConstraints::new(), &space, &x, nan.view()).err()
    ));
    assert!(is_nan(pre_images(&ridge, &space, &x, nan.view()).err()));
    let none = Array2::zeros((0, 3));
    let none = pre_images(&FixedPoint::new(), &space, &x, none.view()).err();
    assert_eq!(none, Some(Error::Core(npt_core::Error::NoSamples)));

    let short = waves(9, 2);
    let (samples, targets) = (9, 10);
    let count = npt_core::Error::TargetCount { samples, targets };
    assert_eq!(
        Training::new(&space, &short).err(),
        Some(Error::Core(count))
    );
    let wide = waves(10, 3);
    let (expected, found) = (2, 3);
    let columns = npt_core::Error::ColumnCount { expected, found };
    assert_eq!(
        Training::new(&space, &wide).err(),
        Some(Error::Core(columns))
    );

    let kpca = Kpca::params(2, Gaussian::new(1.0)).pre_image(ridge);
    let model = kpca.fit(&DatasetBase::from(x)).unwrap();
    let scores = model.inverse_transform(&Array2::zeros((1, 3)));
    let (expected, found) = (2, 3);
    let columns = npt_core::Error::ColumnCount { expected, found };
    assert_eq!(scores.err(), Some(Error::Core(columns)));
}

#[test]
fn bad_parameters() {
    let x = waves(10, 2);
    let space = Exact::new(Gaussian::new(1.0)).fit_space(&x).unwrap();
    let points = space.training_coordinates();
    let refused = |of, parameter, value, allowed| {
        Some(Error::Parameter {
            of,
            parameter,
            value,
            allowed,
        })
    };
    let none = pre_images(&FixedPoint::new().starts(0), &space, &x, points);
    assert_eq!(
        none.err(),
        refused("FixedPoint", "starts", 0.0, "at least 1")
    );
    let none = pre_images(&FixedPoint::new().max_iterations(0), &space, &x, points);
    assert_eq!(
        none.err(),
        refused("FixedPoint", "max_iterations", 0.0, "at least 1")
    );
    let none = pre_images(
        &DistanceConstraints::new().neighbours(0),
        &space,
        &x,
        points,
    );
    assert_eq!(
        none.err(),
        refused("DistanceConstraints", "neighbours", 0.0, "at least 1")
    );
    for bad in [0.0, -1.0, f64::INFINITY] {
        let none = pre_images(&FixedPoint::new().tolerance(bad), &space, &x, points);
        assert_eq!(
            none.err(),
            refused("FixedPoint", "tolerance", bad, "finite and above 0")
        );
    }
    for bad in [-1.0, f64::INFINITY] {
        let none = pre_images(&PreImageRidge::new(Linear::new(), bad), &space, &x, points);
        assert_eq!(
            none.err(),
            refused("PreImageRidge", "alpha", bad, "finite and at least 0")
        );
    }
    let nan = pre_images(
        &PreImageRidge::new(Linear::new(), f64::NAN),
        &space,
        &x,
        points,
    );
    assert!(matches!(nan, Err(Error::Parameter { value, .. }) if value.is_nan()));
    // Ten points span nine dimensions: without a penalty the map is not determined.
    let none = pre_images(&PreImageRidge::new(Linear::new(), 0.0), &space, &x, points);
    assert!(matches!(
        none,
        Err(Error::Singular { of: "PreImageRidge", parameter: "alpha", value: 0.0, least })
            if least > 0.0
    ));
    let bad = pre_images(
        &PreImageRidge::new(Gaussian::new(-1.0), 1.0),
        &space,
        &x,
        points,
    );
    assert!(matches!(
        bad,
        Err(Error::Core(npt_core::Error::Parameter { .. }))
    ));
}

/// Points are refused if their squares, or the points themselves as inputs, are not finite.
#[test]
fn points_out_of_range() {
    let x = waves(10, 2) * 100.0;
    let overflow = |of| Some(Error::Overflow { of });
    let of = "the coefficients";
    let is_refused = |found: &Result<_, Error>| {
        let error = found.as_ref().err();
        matches!(error, Some(Error::Core(npt_core::Error::Overflow { of: what, .. })) if *what == of)
    };
    let ridge = PreImageRidge::new(Linear::new(), 1.0);
    let constraints = DistanceConstraints::new();

    let space = Exact::new(Linear::new()).fit_space(&x).unwrap();
    for signs in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0]] {
        let far = array![signs] * 1.7e308;
        let found = pre_images(&FixedPoint::new(), &space, &x, far.view());
        // Along an axis of the space the points may still be inputs.
        assert!(is_refused(&found) || found.is_ok_and(|z| z.iter().all(|v| v.is_finite())));
        let found = pre_images(&constraints, &space, &x, far.view());
        assert_eq!(found.err(), overflow("DistanceConstraints"));
        let found = pre_images(&ridge, &space, &x, far.view());
        assert_eq!(found.err(), overflow("PreImageRidge"));
    }
    let space = Exact::new(Gaussian::new(1e-8)).fit_space(&x).unwrap();
    let far = Array2::from_elem((1, space.rank()), 1e308);
    let found = pre_images(&FixedPoint::new(), &space, &x, far.view());
    assert!(is_refused(&found), "{found:?}");
    let found = pre_images(&constraints, &space, &x, far.view());
    assert_eq!(found.err(), overflow("DistanceConstraints"));
}

/// A fit with pre-images returns the errors of the fit without, and of the pre-image method.
#[test]
fn errors_at_fit() {
    let x = waves(10, 2);
    let data = DatasetBase::from(x.clone());
    let kpca = |components| Kpca::params(components, Gaussian::new(1.0));
    let error = |of, parameter, value, allowed| {
        Some(KernelizedError::Method(Error::Parameter {
            of,
            parameter,
            value,
            allowed,
        }))
    };
    let found = kpca(2).pre_image(FixedPoint::new().starts(0)).fit(&data);
    let expected = error("FixedPoint", "starts", 0.0, "at least 1");
    assert_eq!(found.err(), expected);
    let none = DistanceConstraints::new().neighbours(0);
    let expected = error("DistanceConstraints", "neighbours", 0.0, "at least 1");
    assert_eq!(kpca(2).pre_image(none).fit(&data).err(), expected);
    let means = KernelKMeans::params(2, Gaussian::new(1.0));
    assert_eq!(means.pre_image(none).fit(&data).err(), expected);
    let ridge = PreImageRidge::new(Gaussian::new(-1.0), 1.0);
    assert!(matches!(
        kpca(2).pre_image(ridge).fit(&data),
        Err(KernelizedError::Space(npt_core::Error::Parameter { .. }))
    ));
    for components in [0, 10] {
        let with = kpca(components).pre_image(FixedPoint::new()).fit(&data);
        let without = kpca(components).fit(&data).err();
        assert!(without.is_some());
        assert_eq!(with.err(), without);
    }
    let weighted = data.with_weights(Array1::ones(3));
    let with = kpca(2).pre_image(FixedPoint::new()).fit(&weighted);
    assert_eq!(with.err(), kpca(2).fit(&weighted).err());

    // The centroid of a cluster has no input where one iteration is too few.
    let short = FixedPoint::new().max_iterations(1).starts(1);
    let means = KernelKMeans::params(2, Gaussian::new(1.0)).pre_image(short);
    assert!(matches!(
        means.fit(&DatasetBase::from(x)),
        Err(KernelizedError::Method(Error::NoPreImage { point: 0, .. }))
    ));
}
