//! Tests of the errors of ridge regression, and of the smallest problems.

use super::random;
use approx::assert_abs_diff_eq;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict},
};
use ndarray::{Array1, Array2, Axis, array, concatenate};
use npt_core::{KernelizedError, Linear};
use npt_methods::{
    Error, KernelRidge,
    linear::{Ridge, RidgePath},
};

#[test]
fn one_sample() {
    let data = Dataset::new(array![[2.0, 1.0]], array![5.0]);
    let model = Ridge::params().fit(&data).unwrap();
    assert_eq!(model.predict(&array![[9.0, 9.0]]), array![5.0]);
    let few = Error::TooFewSamples {
        found: 1,
        needed: 2,
    };
    let error = RidgePath::params(&[1.0]).fit(&data).err();
    assert_eq!(error, Some(few));
    // An uncentred space has room for one sample: w = x·y/(‖x‖² + λ).
    let model = KernelRidge::params(Linear::new())
        .space(|s| s.centered(false))
        .method(|m| m.intercept(false))
        .fit(&data)
        .unwrap();
    assert_abs_diff_eq!(
        model.predict(&array![[4.0, 2.0]]),
        array![50.0 / 6.0],
        epsilon = 1e-14
    );
}

#[test]
fn penalties_out_of_range() {
    let data = Dataset::new(random(5, 2, 1), Array1::<f64>::zeros(5));
    for penalty in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = |error: Option<Error>| {
            matches!(error, Some(Error::Parameter { of: "Ridge", parameter: "penalty", value, .. })
                if value.total_cmp(&penalty).is_eq())
        };
        assert!(refused(Ridge::params().penalty(penalty).fit(&data).err()));
        assert!(refused(RidgePath::params(&[1.0, penalty]).fit(&data).err()));
        let kernel = KernelRidge::params(Linear::new())
            .method(|m| m.penalty(penalty))
            .fit(&data);
        assert!(
            matches!(kernel.err(), Some(KernelizedError::Method(e)) if refused(Some(e.clone())))
        );
    }
    let none = RidgePath::params(&[]).fit(&data).err();
    assert!(matches!(
        none,
        Some(Error::Parameter {
            parameter: "number of penalties",
            ..
        })
    ));
}

/// A penalty is needed for columns that depend on each other, in a tall or a wide matrix, exactly or to rounding.
#[test]
fn a_penalty_is_needed() {
    let x = random(9, 2, 17);
    let twice = concatenate![Axis(1), x, x.sum_axis(Axis(1)).insert_axis(Axis(1)) / 3.0];
    let wide = random(3, 9, 18);
    for x in [twice, wide, Array2::ones((4, 2)), array![[1.0, 2.0]]] {
        let data = Dataset::new(x.clone(), Array1::ones(x.nrows()));
        for penalty in [0.0, 1e-18] {
            let error = Ridge::params().penalty(penalty).fit(&data).err();
            // Constant records have no scale above which the penalty would have to be.
            if penalty > 0.0 && (x.nrows() == 1 || x.nrows() == 4) {
                assert_eq!(error, None);
                continue;
            }
            let singular = |error: Option<Error>| {
                matches!(error, Some(Error::Singular { of: "Ridge", parameter: "penalty", value, least })
                    if value == penalty && (0.0..1e-13).contains(&least))
            };
            assert!(singular(error.clone()), "{error:?}");
            if x.nrows() > 1 {
                assert!(singular(RidgePath::params(&[penalty]).fit(&data).err()));
            }
        }
        assert!(Ridge::params().penalty(1e-9).fit(&data).is_ok());
    }
}

#[test]
fn targets_that_are_no_numbers() {
    let x = random(4, 2, 19);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let targets = array![[1.0, 2.0], [0.0, 1.0], [4.0, bad], [bad, 1.0]];
        let error = Ridge::params().fit(&Dataset::new(x.clone(), targets.clone()));
        assert!(
            matches!(error.err(), Some(Error::Core(npt_core::Error::TargetNotFinite { row: 2, column: 1, value }))
            if value.total_cmp(&bad).is_eq())
        );
        let column = targets.column(0).to_owned();
        let error = KernelRidge::params(Linear::new()).fit(&Dataset::new(x.clone(), column));
        assert!(matches!(
            error.err(),
            Some(KernelizedError::Space(npt_core::Error::TargetNotFinite {
                row: 3,
                column: 0,
                ..
            }))
        ));
    }
    let none = Dataset::new(x.clone(), Array2::<f64>::zeros((4, 0)));
    assert_eq!(Ridge::params().fit(&none).err(), Some(Error::NoTargets));
    let few = DatasetBase::new(x, Array1::<f64>::zeros(3));
    let (samples, targets) = (4, 3);
    let count = npt_core::Error::TargetCount { samples, targets };
    assert_eq!(Ridge::params().fit(&few).err(), Some(Error::Core(count)));
}

#[test]
fn results_out_of_range() {
    let of = "Ridge";
    let wide = Dataset::new(random(4, 2, 20) * 1e200, Array1::ones(4));
    assert_eq!(
        Ridge::params().fit(&wide).err(),
        Some(Error::Overflow { of })
    );
    let path = RidgePath::params(&[1.0]);
    assert_eq!(path.fit(&wide).err(), Some(Error::Overflow { of }));
    // The penalty is infinite in f32.
    let single = Dataset::new(Array2::<f32>::eye(3), Array1::ones(3));
    let error = Ridge::params().penalty(1e300).fit(&single).err();
    assert_eq!(error, Some(Error::Overflow { of }));
    let error = RidgePath::params(&[1e300]).fit(&single).err();
    assert_eq!(error, Some(Error::Overflow { of }));
    // The sum of targets is out of range; the mean of equal targets is not.
    let high = Dataset::new(random(4, 2, 21), array![f64::MAX, f64::MAX, f64::MAX, 0.0]);
    assert_eq!(
        Ridge::params().fit(&high).err(),
        Some(Error::Overflow { of })
    );
    let same = Dataset::new(random(4, 2, 21), Array1::from_elem(4, f64::MAX));
    let model = Ridge::params().fit(&same).unwrap();
    assert_eq!(model.predict(&same), same.targets);
}
