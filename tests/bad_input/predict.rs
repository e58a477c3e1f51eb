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
#[should_panic(expected = "the new samples have 3 columns, the training samples 2")]
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
    assert_eq!(
        space.project(&data::normal(3, 2, 1), short.view()),
        Err(error)
    );
}
