//! Tests of the fixed-point iteration, step by step, and of its ends.

use super::{Space, pre_images, waves};
use approx::assert_abs_diff_eq;
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, Axis, array, concatenate, s};
use npt_core::{Exact, Gaussian, KernelSpace, KernelizedModel, Linear, SpaceBuilder};
use npt_methods::{
    Error, Kpca,
    linear::Pca,
    pre_image::{
        DistanceConstraints, FixedPoint, KpcaDenoiser, PreImage, PreImageExt, PreImageMap, Training,
    },
};

/// A batch of points has the pre-images of its points one by one, and the same seed gives the same bits.
#[test]
fn points_do_not_depend_on_their_company() {
    let x = waves(60, 3);
    let data = DatasetBase::from(x.clone());
    let kpca = Kpca::params(4, Gaussian::new(1.0)).pre_image(FixedPoint::new().seed(7));
    let model = kpca.fit(&data).unwrap();
    let all = model.denoise(&x).unwrap();
    assert_eq!(all, kpca.fit(&data).unwrap().denoise(&x).unwrap());
    for i in 0..x.nrows() {
        let alone = x.slice(s![i..=i, ..]);
        let alone = model.denoise(&alone).unwrap();
        assert_abs_diff_eq!(alone.row(0), all.row(i), epsilon = 1e-7);
    }
}

/// A sample that no landmark is near to, even one out of range in units of the kernel's width, is
/// no start: the iteration goes on from landmarks.
#[test]
fn samples_far_from_everything() {
    let x = waves(30, 2);
    let data = DatasetBase::from(x.clone());
    let kpca = Kpca::params(3, Gaussian::new(4.0)).pre_image(FixedPoint::new());
    let model = kpca.fit(&data).unwrap();
    for far in [1e3, 1e200, 1e308] {
        let far = array![[far, 0.0]];
        let found = model.denoise(&far).unwrap();
        let scores: Array2<f64> = model.transform(far);
        let expected = model.inverse_transform(&scores).unwrap();
        // The iteration begins from another start, and ends within its tolerance.
        assert_abs_diff_eq!(found, expected, epsilon = 1e-8);
        assert!(found.iter().all(|v| v.abs() < 2.0));
    }
}

/// Each step is the fixed-point map: the last iterate of a failure is the map z ← Σ γᵢκ(xᵢ, z)xᵢ /
/// Σ γᵢκ(xᵢ, z), applied as often as there are evaluations after the first. With γ ≥ 0 each step raises
/// g, and no step is halved.
#[test]
fn each_step_is_the_fixed_point_map() {
    let x = array![[0.0, 0.0], [1.0, 0.2], [-0.3, 0.8]];
    let (width, gamma) = (0.7, array![0.5, 0.4, 0.3]);
    let builder = Exact::new(Gaussian::new(width)).centered(false);
    let space = builder.fit_space(&x).unwrap();
    let point = gamma
        .dot(&space.training_coordinates())
        .insert_axis(Axis(0));
    let weights = |z: &Array1<f64>| {
        let squared = x.outer_iter().map(|x| (&x - z).dot(&(&x - z)));
        let kernel: Array1<f64> = squared.map(|d| (-width * d).exp()).collect();
        kernel * &gamma
    };
    let start = array![0.2, 0.9];
    let mut z = start.clone();
    for evaluations in 1..8 {
        let method = FixedPoint::new().starts(1).max_iterations(evaluations);
        let near = start.view().insert_axis(Axis(0));
        let found = method.pre_images_near(space.space(), point.view(), near);
        let Err(Error::NoPreImage {
            iterate, residual, ..
        }) = found
        else {
            panic!("{evaluations} evaluations are not enough");
        };
        // The tolerance is for the rounding of a few values of order 1, and of γ from coordinates.
        assert_abs_diff_eq!(Array1::from(iterate), z, epsilon = 1e-14);
        let squared = point.row(0).dot(&point.row(0));
        let expected = 1.0 - 2.0 * weights(&z).sum() + squared;
        assert_abs_diff_eq!(residual, expected, epsilon = 1e-14);
        z = weights(&z).dot(&x) / weights(&z).sum();
    }
}

#[test]
fn points_without_pre_image() {
    let x = array![[0.0], [1.0]];
    let space = Exact::new(Gaussian::new(1.0))
        .centered(false)
        .fit_space(&x)
        .unwrap();
    // The last point is −φ(0): the farther an input is from 0, the nearer is its φ.
    let points = concatenate![
        Axis(0),
        space.training_coordinates(),
        -space.coordinates(&array![[0.0]]).unwrap()
    ];
    let Err(Error::NoPreImage {
        point,
        iterate,
        residual,
    }) = pre_images(&FixedPoint::new(), &space, &x, points.view())
    else {
        panic!("there is none");
    };
    assert_eq!((point, iterate), (2, vec![1.0]));
    assert_abs_diff_eq!(residual, 2.0 + 2.0 * (-1.0_f64).exp(), epsilon = 1e-13);
    let far = pre_images(&DistanceConstraints::new(), &space, &x, points.view());
    assert!(matches!(far, Err(Error::NoPreImage { point: 2, residual, .. }) if residual > 2.0));

    // One evaluation is too few everywhere but at a maximum.
    let between = space.coordinates(&array![[0.3]]).unwrap();
    let one = pre_images(
        &FixedPoint::new().max_iterations(1),
        &space,
        &x,
        between.view(),
    );
    assert!(matches!(one, Err(Error::NoPreImage { point: 0, residual, .. }) if residual > 0.0));
}

/// The origin of the feature space is as far from one input as from another, alone and among other points;
/// with the linear kernel it is the input 0.
#[test]
fn the_origin_of_the_feature_space() {
    let x = waves(6, 2);
    let exact = Exact::new(Gaussian::new(1.0)).centered(false);
    let space = exact.fit_space(&x).unwrap();
    let mut points = concatenate![
        Axis(0),
        space.training_coordinates(),
        Array2::zeros((1, space.rank()))
    ];
    let found = pre_images(&FixedPoint::new(), &space, &x, points.view());
    assert!(matches!(
        found,
        Err(Error::NoPreImage { point: 6, residual, .. }) if (residual - 1.0).abs() < 1e-13
    ));
    points.fill(0.0);
    let found = pre_images(&FixedPoint::new(), &space, &x, points.view());
    let Err(Error::NoPreImage {
        point,
        iterate,
        residual,
    }) = found
    else {
        panic!("there is none");
    };
    assert_eq!((point, iterate.len(), residual), (0, 2, 1.0));
    let linear = Exact::new(Linear::new()).centered(false);
    let space = linear.fit_space(&x).unwrap();
    let origin = Array2::zeros((1, space.rank()));
    let found = pre_images(&FixedPoint::new(), &space, &x, origin.view());
    assert_eq!(found, Ok(Array2::zeros((1, 2))));
}

/// The fixed point keeps nothing of the training samples: its fitted map is its parameters, without
/// memory of its own. A model has this map and kernel PCA, and nothing else.
#[test]
fn the_fixed_point_keeps_no_training_samples() {
    let x = waves(25, 3);
    let fitted = Exact::new(Gaussian::new(0.5)).fit_space(&x).unwrap();
    let parameters = FixedPoint::new().starts(3).seed(5);
    let training = Training::new(&fitted, &x).unwrap();
    let map: FixedPoint = parameters.fit(&training).unwrap();
    assert_eq!(map, parameters);
    assert!(!std::mem::needs_drop::<FixedPoint>());
    assert_eq!(
        size_of::<KpcaDenoiser<Space, FixedPoint>>(),
        size_of::<KernelizedModel<Pca<f64>, Space>>() + size_of::<FixedPoint>()
    );
    // So the map needs no fit, and the space alone is enough, behind a pointer as well.
    let (space, coordinates, _) = fitted.into_parts();
    let z = parameters.pre_images(&Box::new(space), coordinates.view());
    assert_abs_diff_eq!(z.unwrap(), x, epsilon = 1e-7);
}

/// A weight below 0 throws the iteration over the top, to a smaller value than before: the step is then halved.
#[test]
fn steps_that_go_too_far_are_halved() {
    let x = array![[0.0], [1.0]];
    let space = Exact::new(Gaussian::new(0.5)).centered(false);
    let space = space.fit_space(&x).unwrap();
    let of_samples = space.training_coordinates().to_owned();
    for weight in [-0.5, -0.9, -0.99, -0.999] {
        let value = |z: f64| (-0.5 * z * z).exp() + weight * (-0.5 * (z - 1.0).powi(2)).exp();
        // The start is the first sample.
        let from = weight * (-0.5_f64).exp();
        let first = from / (1.0 + from);
        let top = (-40_000..10_000).map(|i| f64::from(i) * 1e-4);
        let top = top.fold(0.0, |best, z| if value(z) > value(best) { z } else { best });
        assert!(weight > -0.9 || value(first) < value(0.0));
        let point = &of_samples.row(0) + &(&of_samples.row(1) * weight);
        let point = point.insert_axis(Axis(0));
        let found = pre_images(&FixedPoint::new(), &space, &x, point.view()).unwrap();
        assert!(
            (found[[0, 0]] - top).abs() < 2e-4,
            "{weight}: {found} {top}"
        );
    }
}
