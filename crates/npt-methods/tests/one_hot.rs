//! Tests of categories as columns of 0 and 1.

use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array2, Axis, array};
use npt_core::{Gaussian, Kernel, Rows, SimpleMatching};
use npt_methods::{
    Error,
    preprocessing::{OneHot, OneHotParams},
};

fn fitted(params: &OneHotParams, x: &Array2<f64>) -> Result<OneHot<f64>, Error> {
    params.fit(&DatasetBase::from(x.view()))
}

/// Makes four columns of up to five categories.
fn categories() -> Array2<f64> {
    Array2::from_shape_fn((40, 4), |(i, j)| {
        ((i * i + 7 * i * j + j) % 11 % 5) as f64 - 2.0
    })
}

/// The squared distance ‖a − b‖² of encoded vectors is twice the number of columns in which they differ.
#[test]
fn distances_count_differences() {
    let x = categories();
    let encoder = fitted(&OneHot::params(), &x).unwrap();
    let encoded = encoder.transform(x.view());
    assert!(encoded.sum_axis(Axis(1)).iter().all(|&ones| ones == 4.0));
    let rows = |x: Array2<f64>| Rows::new(x).unwrap();
    let gaussian = Gaussian::new(0.3).gram(&rows(encoded));
    let agreeing = SimpleMatching::new().gram(&rows(x));
    for (value, share) in gaussian.iter().zip(&agreeing) {
        let differences: f64 = 4.0 * (1.0 - share);
        assert!((value - (-0.3 * 2.0 * differences).exp()).abs() < 1e-14);
    }
}

#[test]
fn columns_stay_in_their_order() {
    let x = array![[1.5, 4.0, 0.5, 7.0], [2.5, 2.0, 0.25, 7.0]];
    let encoder = fitted(&OneHot::params().columns([3, 1, 3]), &x).unwrap();
    assert_eq!((encoder.width(), encoder.encoded_width()), (4, 5));
    assert_eq!(encoder.categories(1).unwrap(), array![2.0, 4.0]);
    assert_eq!(encoder.categories(3).unwrap(), array![7.0]);
    assert!(encoder.categories(0).is_none() && encoder.categories(4).is_none());
    let expected = array![[1.5, 0.0, 1.0, 0.5, 1.0], [2.5, 1.0, 0.0, 0.25, 1.0]];
    assert_eq!(encoder.transform(x), expected);
    let none = fitted(&OneHot::params().columns([]), &expected).unwrap();
    assert_eq!(none.transform(expected.clone()), expected);
}

#[test]
fn what_is_none_of_the_categories() {
    let x = array![[-0.0, 1.0], [0.0, 2.0], [3.0, 3.0]];
    let encoder = fitted(&OneHot::params().columns([0]), &x).unwrap();
    // Both zeros are one category.
    assert_eq!(encoder.encoded_width(), 3);
    let encoded = encoder.transform(array![[0.0, 1.0], [1.0, 1.0], [f64::NAN, 1.0]]);
    assert_eq!(encoded.row(0), array![1.0, 0.0, 1.0]);
    assert_eq!(encoded.row(1), array![0.0, 0.0, 1.0]);
    assert!(encoded[[2, 0]].is_nan() && encoded[[2, 1]].is_nan() && encoded[[2, 2]] == 1.0);
}

/// A category that only samples of weight 0 have does not count, whatever the scalar.
#[test]
fn weights_and_f32() {
    let x = array![[1.0_f32], [2.0], [3.0]];
    let data = DatasetBase::from(x).with_weights(array![1.0, 0.0, 2.0]);
    let encoder: OneHot<f32> = OneHot::params().fit(&data).unwrap();
    assert_eq!(encoder.categories(0).unwrap(), array![1.0, 3.0]);
}

#[test]
fn what_is_refused() {
    let error = |params: &OneHotParams, x: &Array2<f64>| fitted(params, x).unwrap_err().to_string();
    let x = array![[1.0, f64::NAN], [2.0, 1.0]];
    assert!(fitted(&OneHot::params().columns([0]), &x).is_ok());
    assert_eq!(
        error(&OneHot::params(), &x),
        "sample 0 has the value NaN in column 1; all must be finite"
    );
    assert_eq!(
        error(&OneHot::params().columns([0, 2]), &x),
        "columns of OneHot is 2; it must be below the number of columns"
    );
    let none = Array2::zeros((0, 2));
    assert_eq!(
        fitted(&OneHot::params(), &none),
        Err(npt_core::Error::NoSamples.into())
    );
    let (samples, without) = (3, Array2::zeros((3, 0)));
    assert_eq!(
        fitted(&OneHot::params(), &without),
        Err(npt_core::Error::NoFeatures { samples }.into())
    );
}
