//! Tests the values that replace missing ones.

use linfa::DatasetBase;
use ndarray::{Array1, Array2, array};
use npt::{
    Error::{NoSamples, SampleNotFinite},
    methods::{Error, preprocessing::Imputer},
    prelude::*,
};

/// Weights act as repeated samples, in f32 too.
#[test]
fn what_fills_in() {
    let x: Array2<f32> = array![[1.0, f32::NAN], [2.0, 5.0], [9.0, -1.0], [f32::NAN, 5.0]];
    let values = |params: npt::methods::preprocessing::ImputerParams,
                  weights: Option<Array1<f32>>| {
        let data = DatasetBase::from(x.clone());
        let data = match weights {
            Some(weights) => data.with_weights(weights),
            None => data,
        };
        params.fit(&data).map(|imputer| imputer.values().to_owned())
    };
    assert_eq!(values(Imputer::mean(), None), Ok(array![4.0, 3.0]));
    assert_eq!(values(Imputer::median(), None), Ok(array![2.0, 5.0]));
    assert_eq!(values(Imputer::most_frequent(), None), Ok(array![1.0, 5.0]));
    assert_eq!(
        values(Imputer::constant(-7.0), None),
        Ok(array![-7.0, -7.0])
    );
    let weights = || Some(array![2.0, 0.0, 2.0, 1.0]);
    assert_eq!(values(Imputer::mean(), weights()), Ok(array![5.0, 1.0]));
    assert_eq!(values(Imputer::median(), weights()), Ok(array![5.0, -1.0]));
    assert_eq!(
        values(Imputer::most_frequent(), weights()),
        Ok(array![1.0, -1.0])
    );
    // With half of the weight on either side, the median is the mean of two values.
    assert_eq!(
        values(Imputer::median(), Some(array![1.0, 1.0, 2.0, 2.0])),
        Ok(array![5.5, 5.0])
    );
    let huge = DatasetBase::from(array![[f32::MAX], [f32::MAX], [f32::NAN]]);
    for params in [Imputer::mean(), Imputer::median()] {
        assert_eq!(params.fit(&huge).unwrap().values(), array![f32::MAX]);
    }

    let only_second = Some(array![0.0, 0.0, 0.0, 1.0]);
    assert_eq!(
        values(Imputer::mean(), only_second),
        Err(Error::NoValues { column: 0 })
    );
    let negative = values(Imputer::mean(), Some(array![1.0, -1.0, 1.0, 1.0]));
    assert_eq!(
        negative,
        Err(Error::Core(npt::Error::Weight {
            row: 1,
            value: -1.0
        }))
    );
    let refused = values(Imputer::constant(1e300), None).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "constant of Imputer is 1e300; it must be finite"
    );
    let infinite = DatasetBase::from(array![[1.0, 2.0], [3.0, f64::INFINITY]]);
    let expected = SampleNotFinite {
        row: 1,
        column: 1,
        value: f64::INFINITY,
    };
    assert_eq!(Imputer::median().fit(&infinite), Err(Error::Core(expected)));
    let none = DatasetBase::from(Array2::<f64>::zeros((0, 2)));
    assert_eq!(Imputer::median().fit(&none), Err(Error::Core(NoSamples)));
}
