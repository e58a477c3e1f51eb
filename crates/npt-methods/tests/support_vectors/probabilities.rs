//! Tests of probabilities: the sigmoid and the coupling, against their definitions.

use super::normal;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict},
};
use ndarray::{Array1, Array2, Axis};
use npt_core::{Gaussian, KernelizedError};
use npt_methods::{
    Error, KernelCalibratedSvc,
    linear::{CalibratedSvc, Svc},
};

/// Makes three classes whose log odds are linear: normal clouds of the same shape, so that the true
/// probabilities are known.
fn clouds(count: usize, seed: u64) -> (Dataset<f64, usize, ndarray::Ix1>, Array2<f64>) {
    let centers = [[1.5, 0.0], [-1.0, 1.0], [-0.5, -1.5]];
    let mut x = normal(count, 2, seed);
    let labels = Array1::from_shape_fn(count, |i| i % 3);
    for (mut row, &label) in x.outer_iter_mut().zip(&labels) {
        row += &ndarray::arr1(&centers[label]);
    }
    let mut truth = Array2::from_shape_fn((count, 3), |(i, k)| {
        let distance = &x.row(i) - &ndarray::arr1(&centers[k]);
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
    let model = CalibratedSvc::params().fit(&train).unwrap();
    let found = model.predict_probabilities(new.records());
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

/// The probabilities of two classes are a sigmoid of the decision value: their log odds are linear.
#[test]
fn of_two_classes_the_log_odds_are_linear() {
    let (train, _) = clouds(300, 3);
    let labels = train.targets().mapv(|label| label == 1);
    let train = DatasetBase::new(train.records().clone(), labels);
    let model = CalibratedSvc::params().seed(7).fit(&train).unwrap();
    let values = model.svc().decision_function(train.records());
    let odds = model
        .predict_probabilities(train.records())
        .map_axis(Axis(1), |p| (p[0] / p[1]).ln());
    let (f0, f1) = (values[[0, 0]], values[[1, 0]]);
    let slope = (odds[1] - odds[0]) / (f1 - f0);
    assert!(slope > 0.0, "positive values are those of the first class");
    for (f, odds_of) in values.column(0).iter().zip(&odds) {
        assert!((odds[0] + slope * (f - f0) - odds_of).abs() < 1e-9);
    }
}

/// The slopes, in A and B, of the loss that the sigmoid 1/(1 + exp(A f + B)) minimises on values of
/// both classes: Σ f(t − p) and Σ (t − p), for t = (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2).
fn slopes([a, b]: [f64; 2], first: &[f64], second: &[f64]) -> f64 {
    let targets = [
        (first.len() as f64 + 1.0) / (first.len() as f64 + 2.0),
        1.0 / (second.len() as f64 + 2.0),
    ];
    let (mut by_a, mut by_b) = (0.0_f64, 0.0_f64);
    for (values, t) in [first, second].into_iter().zip(targets) {
        for f in values {
            let residual = t - 1.0 / (1.0 + (a * f + b).exp());
            (by_a, by_b) = (by_a + f * residual, by_b + residual);
        }
    }
    by_a.abs().max(by_b.abs())
}

/// The sigmoid is the optimum for held-out values. Three folds of three members per class hold out one member of each class, in one of
/// six ways to pair them. The sigmoid is the optimum for the values of one of these ways, but not for the values at the
/// training samples.
#[test]
fn the_sigmoid_is_that_of_held_out_values() {
    const PAIRINGS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for seed in 0..10 {
        let x = normal(6, 2, seed);
        let labels = Array1::from_shape_fn(6, |i| i >= 3);
        let params = CalibratedSvc::params().folds(3).c(2.0);
        let params = params.tolerance(1e-11).seed(seed);
        let model = params
            .fit(&DatasetBase::new(x.clone(), labels.clone()))
            .unwrap();
        let values = model.svc().decision_function(&x).column(0).to_vec();
        let odds = model
            .predict_probabilities(&x)
            .map_axis(Axis(1), |p| (p[1] / p[0]).ln());
        let a = (odds[3] - odds[0]) / (values[3] - values[0]);
        let sigmoid = [a, odds[0] - a * values[0]];

        let held_out = |second: [usize; 3]| {
            let (mut of_first, mut of_second) = (Vec::new(), Vec::new());
            for (i, j) in (0..3).zip(second) {
                let kept: Vec<usize> = (0..6).filter(|&row| row != i && row != 3 + j).collect();
                // The values are those of the first class, `false`.
                let side = labels.select(Axis(0), &kept).mapv(|label| !label);
                let data = DatasetBase::new(x.select(Axis(0), &kept), side);
                let svc = Svc::params().c(2.0).tolerance(1e-11);
                let values = svc.fit(&data).unwrap().decision_function(&x);
                of_first.push(values[i]);
                of_second.push(values[3 + j]);
            }
            slopes(sigmoid, &of_first, &of_second)
        };
        let least = PAIRINGS.map(held_out).into_iter().fold(1.0, f64::min);
        // Newton's method stops where the loss falls no more, which is to √ε in its slopes.
        assert!(least < 1e-6, "seed {seed}: {least:e}");
        let leaked = slopes(sigmoid, &values[..3], &values[3..]);
        assert!(leaked > 1e-2, "seed {seed}: {leaked:e}");
    }
}

/// Labels that have nothing to do with the features, with more features than samples, have uncertain probabilities. The planes
/// separate the samples that they were trained with, and know nothing of other samples.
#[test]
fn noise_that_is_separated_is_known_for_noise() {
    let (x, new) = (normal(100, 300, 1), normal(200, 300, 2));
    let labels = Array1::from_shape_fn(100, |i| i % 2 == 0);
    let data = DatasetBase::new(x, labels);
    let model = CalibratedSvc::params().fit(&data).unwrap();
    let values = model.svc().decision_function(data.records());
    let first = data.targets().mapv(|label| if label { -1.0 } else { 1.0 });
    assert!((&values.column(0) * &first).iter().all(|&m| m > 0.99));
    let p = model.predict_probabilities(&new).column(0).to_owned();
    let certainty = p.mapv(|p| (p - 0.5).abs()).mean().unwrap();
    assert!(certainty < 0.1, "{certainty}");
}

#[test]
fn folds_are_seeded() {
    let (train, _) = clouds(90, 4);
    let fit = |seed| CalibratedSvc::params().seed(seed).fit(&train).unwrap();
    assert_eq!(fit(1), fit(1));
    assert_ne!(fit(1), fit(2));
    let kernel = |seed| {
        let params =
            KernelCalibratedSvc::params(Gaussian::new(0.3)).method(|m| m.folds(3).seed(seed));
        let model = params.fit(&train).unwrap();
        model.predict_probabilities(train.records()).unwrap()
    };
    assert_eq!(kernel(5), kernel(5));
}

#[test]
fn a_class_too_small_for_the_folds() {
    let (train, _) = clouds(12, 5);
    let error = CalibratedSvc::params().fit(&train).err();
    let refused = Error::ClassMembers {
        members: 4,
        folds: 5,
    };
    assert_eq!(error, Some(refused.clone()));
    let error = KernelCalibratedSvc::params(Gaussian::new(1.0))
        .fit(&train)
        .err();
    assert_eq!(error, Some(KernelizedError::Method(refused)));
    assert!(CalibratedSvc::params().folds(4).fit(&train).is_ok());
}

/// Separable classes have no certain probabilities. Values that separate the classes without error would drive the sigmoid to a
/// step, which its targets (n₊ + 1)/(n₊ + 2) prevent.
#[test]
fn separable_classes_have_no_certainty() {
    let x = Array2::from_shape_fn(
        (40, 1),
        |(i, _)| if i < 20 { -5.0 } else { 5.0 } + 0.01 * i as f64,
    );
    let labels = Array1::from_shape_fn(40, |i| i >= 20);
    let model = CalibratedSvc::params()
        .fit(&Dataset::new(x, labels))
        .unwrap();
    let p = model.predict_probabilities(&ndarray::array![[-5.0], [5.0], [1e6]]);
    assert!((p[[0, 0]] - 21.0 / 22.0).abs() < 0.01 && (p[[1, 1]] - 21.0 / 22.0).abs() < 0.01);
    assert!(p[[2, 1]] > 0.999 && p.iter().all(|v| v.is_finite()));
}
