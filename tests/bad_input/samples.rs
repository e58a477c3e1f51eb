use super::{AXES, fit, fit_rank, regression};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, array};
use npt::{Error, prelude::*};
use npt_testkit::data;

#[test]
fn no_samples() {
    assert_eq!(
        fit(Linear::new(), &Array2::zeros((0, 3))),
        Err(Error::NoSamples)
    );
    assert_eq!(Items::<String>::new(Vec::new()), Err(Error::NoSamples));
}

#[test]
fn no_features() {
    assert_eq!(
        fit(Linear::new(), &Array2::zeros((4, 0))),
        Err(Error::NoFeatures { samples: 4 })
    );
}

#[test]
fn no_new_samples() {
    let space = Exact::new(Linear::new())
        .fit_space(&data::normal(4, 2, 1))
        .unwrap();
    assert_eq!(
        space.coordinates(&Array2::<f64>::zeros((0, 2))),
        Err(Error::NoSamples)
    );
    assert_eq!(
        space.residuals(&Array2::<f64>::zeros((0, 2))),
        Err(Error::NoSamples)
    );
}

#[test]
fn one_sample() {
    assert_eq!(
        fit(Gaussian::new(1.0), &array![[1.0, 2.0]]),
        Err(Error::NoVariance { samples: 1 })
    );
    assert_eq!(
        fit(Linear::new(), &array![[1e100]]),
        Err(Error::NoVariance { samples: 1 })
    );
}

#[test]
fn equal_samples() {
    for value in [0.0, 1.0, 0.1, -3e10, 1e-200] {
        let x = Array2::from_elem((7, 3), value);
        let expected = Err(Error::NoVariance { samples: 7 });
        for axes in AXES {
            assert_eq!(fit_rank(Rank::default(), axes, &x), expected, "{value}");
        }
        assert_eq!(fit(Gaussian::new(0.3), &x), expected, "{value}");
        assert_eq!(fit(Laplacian::new(0.3), &x), expected, "{value}");
    }
}

/// Zero vectors have no variance without centring either.
#[test]
fn zero_samples_uncentered() {
    let result = Exact::new(Linear::new())
        .centered(false)
        .fit_space(&Array2::<f64>::zeros((3, 2)));
    assert_eq!(result.err(), Some(Error::NoVariance { samples: 3 }));
}

#[test]
fn samples_not_finite_at_fit() {
    let mut x = data::normal(5, 3, 1);
    x[[3, 1]] = f64::INFINITY;
    let expected = Error::SampleNotFinite {
        row: 3,
        column: 1,
        value: f64::INFINITY,
    };
    assert_eq!(fit(Linear::new(), &x), Err(expected));
    x[[2, 0]] = f64::NAN;
    assert!(matches!(
        fit(Linear::new(), &x),
        Err(Error::SampleNotFinite { row: 2, column: 0, value }) if value.is_nan()
    ));
}

#[test]
fn samples_not_finite_at_predict() {
    let x = data::normal(5, 2, 1);
    let model = regression()
        .fit(&Dataset::new(x.clone(), x.column(0).to_owned()))
        .unwrap();
    let bad = array![[0.0, 1.0], [f64::NEG_INFINITY, 0.0]];
    let expected = Error::SampleNotFinite {
        row: 1,
        column: 0,
        value: f64::NEG_INFINITY,
    };
    assert_eq!(
        model.try_predict::<_, Array1<f64>>(&bad),
        Err(expected.clone())
    );
    assert_eq!(model.space().residuals(&bad), Err(expected));
    assert!(matches!(
        model.try_predict::<_, Array1<f64>>(&array![[0.0, f64::NAN]]),
        Err(Error::SampleNotFinite { row: 0, column: 1, value }) if value.is_nan()
    ));
}

#[test]
fn targets_of_another_length() {
    for targets in [0, 4, 6] {
        let dataset = DatasetBase::new(data::normal(5, 2, 1), Array1::<f64>::zeros(targets));
        assert!(matches!(
            regression().fit(&dataset).err(),
            Some(KernelizedError::Space(Error::TargetCount { samples: 5, targets: t })) if t == targets
        ));
    }
}

#[test]
fn weights_of_another_length() {
    for weights in [1, 4, 6] {
        let dataset = DatasetBase::new(data::normal(5, 2, 1), Array1::<f64>::zeros(5))
            .with_weights(Array1::ones(weights));
        assert!(matches!(
            regression().fit(&dataset).err(),
            Some(KernelizedError::Space(Error::WeightCount { samples: 5, weights: w })) if w == weights
        ));
    }
}
