//! Probabilities: the sigmoid and the coupling, against their definitions.

use super::normal;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, Axis};
use npt_core::{Gaussian, KernelizedError};
use npt_methods::{Error, KernelCalibratedSvc, linear::CalibratedSvc};

/// Three classes whose log odds are linear: normal clouds of the same shape, so that the true
/// probabilities are known.
fn clouds(count: usize, seed: u64) -> (Dataset<f64, usize, ndarray::Ix1>, Array2<f64>) {
    let centres = [[1.5, 0.0], [-1.0, 1.0], [-0.5, -1.5]];
    let mut x = normal(count, 2, seed);
    let labels = Array1::from_shape_fn(count, |i| i % 3);
    for (mut row, &label) in x.outer_iter_mut().zip(&labels) {
        row += &ndarray::arr1(&centres[label]);
    }
    let mut truth = Array2::from_shape_fn((count, 3), |(i, k)| {
        let distance = &x.row(i) - &ndarray::arr1(&centres[k]);
        (-0.5 * distance.dot(&distance)).exp()
    });
    for mut row in truth.outer_iter_mut() {
        row /= row.sum();
    }
    (DatasetBase::new(x, labels), truth)
}

#[test]
fn probabilities_are_near_the_true_ones() {
    let (train, _) = clouds(600, 1);
    let (new, truth) = clouds(300, 2);
    let model = CalibratedSvc::<f64, usize>::params().fit(&train).unwrap();
    let found = model.probabilities(new.records());
    assert!(
        found
            .sum_axis(Axis(1))
            .iter()
            .all(|s| (s - 1.0).abs() < 1e-14)
    );
    assert!(found.iter().all(|&p| (0.0..=1.0).contains(&p)));
    let error = (&found - &truth).mapv(f64::abs).mean().unwrap();
    assert!(error < 0.05, "the mean distance is {error}");
    // A constant guess is far worse.
    assert!((&truth - 1.0 / 3.0).mapv(f64::abs).mean().unwrap() > 0.25);
    for (p, label) in found.outer_iter().zip(&model.predict(new.records())) {
        let largest = p.fold(0.0_f64, |m, &v| m.max(v));
        assert_eq!(p[*label], largest);
    }
}

/// Of two classes the probabilities are a sigmoid of the decision value: its log odds are linear.
#[test]
fn of_two_classes_the_log_odds_are_linear() {
    let (train, _) = clouds(300, 3);
    let labels = train.targets().mapv(|label| label == 1);
    let train = DatasetBase::new(train.records().clone(), labels);
    let model = CalibratedSvc::<f64, bool>::params()
        .seed(7)
        .fit(&train)
        .unwrap();
    let values = model.svc().decision_function(train.records());
    let odds = model
        .probabilities(train.records())
        .map_axis(Axis(1), |p| (p[0] / p[1]).ln());
    let (f0, f1) = (values[[0, 0]], values[[1, 0]]);
    let slope = (odds[1] - odds[0]) / (f1 - f0);
    assert!(slope > 0.0, "positive values are those of the first class");
    for (f, odds_of) in values.column(0).iter().zip(&odds) {
        assert!((odds[0] + slope * (f - f0) - odds_of).abs() < 1e-9);
    }
}

#[test]
fn folds_are_seeded() {
    let (train, _) = clouds(90, 4);
    let fit = |seed| {
        CalibratedSvc::<f64, usize>::params()
            .seed(seed)
            .fit(&train)
            .unwrap()
    };
    assert_eq!(fit(1), fit(1));
    assert_ne!(fit(1), fit(2));
    let kernel = |seed| {
        let params = KernelCalibratedSvc::params(Gaussian::new(0.3))
            .folds(3)
            .seed(seed);
        let model = params.fit(&train).unwrap();
        let p: Array2<f64> = model.transform(train.records().clone());
        p
    };
    assert_eq!(kernel(5), kernel(5));
}

#[test]
fn a_class_too_small_for_the_folds() {
    let (train, _) = clouds(12, 5);
    let error = CalibratedSvc::<f64, usize>::params().fit(&train).err();
    let refused = Error::ClassMembers {
        members: 4,
        folds: 5,
    };
    assert_eq!(error, Some(refused.clone()));
    let error = KernelCalibratedSvc::params(Gaussian::new(1.0))
        .fit(&train)
        .err();
    assert_eq!(error, Some(KernelizedError::Method(refused)));
    assert!(
        CalibratedSvc::<f64, usize>::params()
            .folds(4)
            .fit(&train)
            .is_ok()
    );
}

/// Values that separate the classes without error drive the sigmoid to a step, which its targets
/// (n₊ + 1)/(n₊ + 2) prevent.
#[test]
fn separable_classes_have_no_certainty() {
    let x = Array2::from_shape_fn(
        (40, 1),
        |(i, _)| if i < 20 { -5.0 } else { 5.0 } + 0.01 * i as f64,
    );
    let labels = Array1::from_shape_fn(40, |i| i >= 20);
    let model = CalibratedSvc::<f64, bool>::params()
        .fit(&Dataset::new(x, labels))
        .unwrap();
    let p = model.probabilities(&ndarray::array![[-5.0], [5.0], [1e6]]);
    assert!((p[[0, 0]] - 21.0 / 22.0).abs() < 0.01 && (p[[1, 1]] - 21.0 / 22.0).abs() < 0.01);
    assert!(p[[2, 1]] > 0.999 && p.iter().all(|v| v.is_finite()));
}
