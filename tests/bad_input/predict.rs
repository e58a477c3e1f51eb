use super::regression;
use linfa::Dataset;
use ndarray::Array1;
use npt::{Error, prelude::*};
use npt_testkit::data;

#[test]
fn more_columns_at_predict() {
    let x = data::normal(5, 2, 1);
    let model = regression()
        .fit(&Dataset::new(x.clone(), x.column(0).to_owned()))
        .unwrap();
    for found in [1, 3] {
        let wide = data::normal(2, found, 3);
        let expected = Error::ColumnCount { expected: 2, found };
        assert_eq!(
            model.try_predict::<_, Array1<f64>>(&wide),
            Err(expected.clone())
        );
        assert_eq!(model.space().coordinates(&wide), Err(expected));
    }
}

#[test]
#[should_panic(expected = "the new samples have 3 columns; the training samples had 2")]
fn more_columns_at_predict_without_a_result() {
    let x = data::normal(5, 2, 1);
    let model = regression()
        .fit(&Dataset::new(x.clone(), x.column(0).to_owned()))
        .unwrap();
    let _: Array1<f64> = model.predict(&data::normal(2, 3, 3));
}

#[test]
fn coefficients_of_another_number() {
    let space = Exact::new(Linear::new())
        .fit_space(&data::normal(5, 2, 1))
        .unwrap();
    let short = Array1::zeros(4);
    let error = Error::CoefficientCount {
        expected: 5,
        found: 4,
    };
    assert_eq!(space.direction(short.view()), Err(error));
    let error = Error::CoefficientCount {
        expected: 2,
        found: 4,
    };
    let new = data::normal(3, 2, 1);
    assert_eq!(space.project(&new, short.view()), Err(error.clone()));
    assert_eq!(space.projections(&new, short.view()), Err(error));
}

#[test]
fn a_direction_without_length() {
    let space = Exact::new(Linear::new())
        .fit_space(&data::normal(5, 2, 1))
        .unwrap();
    let new = data::normal(3, 2, 1);
    for (beta, value) in [
        ([0.0, 0.0], 0.0),
        ([f64::INFINITY, 1.0], f64::INFINITY),
        ([f64::NEG_INFINITY, 0.0], f64::NEG_INFINITY),
    ] {
        let error = Error::Parameter {
            of: "projections",
            parameter: "the largest coefficient",
            value,
            allowed: "finite and above 0",
        };
        let beta = Array1::from(beta.to_vec());
        assert_eq!(space.projections(&new, beta.view()), Err(error));
    }
    let nan = Array1::from(vec![f64::NAN, 1.0]);
    assert!(space.projections(&new, nan.view()).is_err());
    // The squares of some directions leave the range of numbers; the directions do not.
    let unit = Array1::from(vec![0.6, 0.8]);
    let of_unit = space.projections(&new, unit.view()).unwrap();
    for scale in [1e-300, 1e300] {
        let scaled = space.projections(&new, (&unit * scale).view()).unwrap();
        assert!((scaled - &of_unit).iter().all(|d| d.abs() < 1e-14));
    }
}
