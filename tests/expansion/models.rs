//! Tests models that are expansions: all forms of prediction, any linear model, any space, any samples.

use super::{ROADS, TOLERANCE, assert_close};
use linfa::DatasetBase;
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2, Axis, array};
use npt::{Error, Expansion, KernelRows, prelude::*};
use npt_testkit::data::{circles, normal};

/// An expansion predicts labels and scores in all forms of linfa, and in the forms that do not panic.
#[test]
fn an_expansion_model_predicts_in_all_forms() {
    let (x, labels) = circles(60, 1);
    let data = DatasetBase::new(x, labels);
    let params = Kfd::params(Gaussian::new(0.5));
    let model = params.fit(&data).unwrap();
    let new = normal(20, 2, 2);
    let by_coordinates = params.by_coordinates().fit(&data).unwrap();
    let expected: Array1<usize> = by_coordinates.predict(&new);
    assert!(expected.iter().any(|&l| l == 0) && expected.iter().any(|&l| l == 1));

    assert_eq!(model.predict(&new), expected);
    assert_eq!(model.predict(new.clone()).targets, expected);
    let rows = Rows::new(new.clone()).unwrap();
    assert_eq!(model.predict(&rows), expected);
    assert_eq!(model.try_predict(&new), Ok(expected.clone()));
    let mut in_place = Array1::zeros(20);
    model.try_predict_inplace(&rows, &mut in_place).unwrap();
    assert_eq!(in_place, expected);

    let scores: Array2<f64> = model.transform(rows.clone());
    assert_eq!(model.try_transform(&new), Ok(scores));
    let wide: Result<Array1<usize>, Error> = model.try_predict(&normal(2, 5, 1));
    let (expected, found) = (2, 5);
    assert_eq!(wide, Err(Error::ColumnCount { expected, found }));
    let wide: Result<Array2<f64>, Error> = model.try_transform(&normal(2, 5, 1));
    assert_eq!(wide, Err(Error::ColumnCount { expected, found }));
}

/// A regression of linfa, in a space of few components, is written as an expansion by its weights.
#[test]
fn a_regression_of_linfa_is_expanded_by_its_weights() {
    let x = normal(60, 2, 1);
    let y = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1]);
    let space = Exact::new(Gaussian::new(0.5)).rank(Rank::Components(15));
    let estimator = Kernelized::new(LinearRegression::new(), space);
    let model = estimator.fit(&DatasetBase::new(x, y)).unwrap();
    let weights = model.inner().params().view().insert_axis(Axis(1));
    let offset = array![model.inner().intercept()];
    let expansion = model.space().expand(weights, offset.view()).unwrap();
    let new = normal(300, 2, 2);
    let expected: Array1<f64> = model.predict(&new);
    let found = expansion.evaluate(&new).unwrap();
    assert_close(
        "regression",
        &found,
        &expected.insert_axis(Axis(1)),
        TOLERANCE,
    );
}

/// A model in the space of an indefinite kernel whose negative part is clipped can be written as an expansion, centred and not.
#[test]
fn clipped_spaces_are_expanded() {
    let x = normal(25, 3, 1);
    for centered in [true, false] {
        let space = Exact::new(Sigmoid::new(0.8, -0.5))
            .indefinite(Indefinite::Clip)
            .centered(centered)
            .fit_space(&x)
            .unwrap();
        let directions = normal(space.rank(), 2, 3);
        let offsets = array![0.3, -1.0];
        let expansion = space
            .space()
            .expand(directions.view(), offsets.view())
            .unwrap();
        let new = normal(9, 3, 2);
        let expected = space.coordinates(&new).unwrap().dot(&directions) + &offsets;
        assert_close(
            "clipped",
            &expansion.evaluate(&new).unwrap(),
            &expected,
            TOLERANCE,
        );
    }
}

/// Every axis of a clipped space is an expansion to rounding. The coefficients of axes with small eigenvalues are large, and
/// eigenvectors are free of the mean only up to rounding.
#[test]
fn every_axis_of_a_clipped_space_is_expanded_to_rounding() {
    let x = Array1::linspace(-1.0, 1.0, 40).insert_axis(Axis(1));
    let space = Exact::new(Sigmoid::new(1.0, 1.0))
        .indefinite(Indefinite::Clip)
        .fit_space(&x)
        .unwrap();
    let rank = space.rank();
    assert!(space.eigenvalues()[rank - 1] < 1e-10 * space.eigenvalues()[0]);
    let (axes, none) = (Array2::eye(rank), Array1::zeros(rank));
    let expansion = space.space().expand(axes.view(), none.view()).unwrap();
    let new = array![[-0.93], [0.11], [1.5]];
    let off = expansion.evaluate(&new).unwrap() - space.coordinates(&new).unwrap();
    // The kernel values are at most 1.
    let terms = expansion
        .coefficients()
        .map_axis(Axis(0), |alpha| alpha.mapv(f64::abs).sum());
    for (axis, terms) in terms.iter().enumerate() {
        let off = off.column(axis).fold(0.0_f64, |m, v| m.max(v.abs()));
        assert!(
            off <= 8.0 * f64::EPSILON * terms,
            "{axis}: {off:e} of {terms:e}"
        );
    }
}

/// The expansion of a support vector machine is over its support vectors.
#[test]
fn samples_without_weight_are_dropped() {
    let (x, labels) = circles(80, 1);
    let data = DatasetBase::new(x, labels.mapv(|label| label == 1));
    let params = KernelSvc::params(Laplacian::new(1.0)).method(|m| m.c(10.0));
    let model = params.fit(&data).unwrap();
    let support = model.inner().dual().iter().filter(|&&v| v != 0.0).count();
    let expansion: &Expansion<_, _, _> = model.expansion();
    assert!(support < 80, "some samples are no support vectors");
    assert_eq!(expansion.samples().len(), support);
    let whole = assert_expanded!("SVC", params, &data, data.records(), Array1<f64>);
    assert_eq!(whole.expansion().unwrap().samples().len(), support);
}

#[test]
fn samples_that_are_no_vectors() {
    let gram = Gaussian::new(0.3).gram(&Rows::new(normal(20, 3, 1)).unwrap());
    let rows = KernelRows::training(gram.view()).unwrap();
    let data = DatasetBase::from(rows.clone());
    let params = Kpca::params(3, Precomputed::new());
    let by_kernel_values: Array2<f64> = params.fit(&data).unwrap().transform(rows.clone());
    let whole = params.by_coordinates().fit(&data).unwrap();
    let by_coordinates: Array2<f64> = whole.transform(rows);
    assert_close("precomputed", &by_kernel_values, &by_coordinates, TOLERANCE);
}

#[test]
fn wrong_shapes_and_records_are_refused() {
    let x = normal(12, 3, 1);
    let fitted = Exact::new(Gaussian::new(0.5)).fit_space(&x).unwrap();
    let space = fitted.space();
    let rank = space.rank();
    let refused = |rows: usize, columns: usize| {
        let directions = Array2::<f64>::ones((rows, columns));
        space.expand(directions.view(), array![0.0].view()).err()
    };
    let error = |expected, found| Some(Error::CoefficientCount { expected, found });
    assert_eq!(refused(rank - 1, 1), error(rank, rank - 1));
    assert_eq!(refused(rank, 2), error(1, 2));

    let directions = Array2::ones((rank, 1));
    let expansion = space.expand(directions.view(), array![0.0].view()).unwrap();
    let (expected, found) = (3, 4);
    assert_eq!(
        expansion.evaluate(&normal(2, 4, 1)).err(),
        Some(Error::ColumnCount { expected, found })
    );
    let mut not_finite = normal(2, 3, 1);
    not_finite[[1, 2]] = f64::INFINITY;
    let (row, column, value) = (1, 2, f64::INFINITY);
    assert_eq!(
        expansion.evaluate(&not_finite).err(),
        Some(Error::SampleNotFinite { row, column, value })
    );
}
