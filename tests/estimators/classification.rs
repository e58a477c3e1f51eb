//! Tests classifiers by a likelihood with an L2 penalty, and a calibration around a regression.

use super::{
    Row, Verdict,
    tasks::{quadratic, rings},
    verdict::{CLASSES, Scores, relative_difference, share, verdict},
};
use linfa::{
    Dataset,
    composing::platt_scaling::Platt,
    dataset::Pr,
    traits::{FitWith, Predict},
};
use linfa_linear::LinearRegression;
use linfa_logistic::{LogisticRegression, MultiLogisticRegression};
use ndarray::{Array1, Axis};
use npt::{Axes, Kernelized};

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "LogisticRegression",
        from: "linfa-logistic",
        way: "fit",
        check: || {
            let logistic = || LogisticRegression::default().gradient_tolerance(1e-6);
            verdict(logistic, &rings(), &CLASSES, &SCORES)
        },
    },
    Row {
        name: "MultiLogisticRegression",
        from: "linfa-logistic",
        way: "fit",
        check: || {
            let logistic = || MultiLogisticRegression::default().gradient_tolerance(1e-6);
            verdict(logistic, &rings(), &CLASSES, &SCORES)
        },
    },
    Row {
        name: "Platt",
        from: "linfa",
        way: "around",
        check: platt,
    },
];

const SCORES: Scores = Scores {
    linear: 0.8,
    kernelized: 0.98,
};

/// Tests Platt's calibration, which takes a fitted model: it goes around the adapter, not into it.
fn platt() -> Verdict {
    let task = rings().map(|&ring| ring == 0);
    let values = task.train.targets().mapv(f64::from);
    let train = Dataset::new(task.train.records().clone(), values);
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let estimator = Kernelized::new(LinearRegression::new(), quadratic(axes));
        let regression = estimator.fit(&train).expect("regression");
        let calibration = Platt::params().sigma(1e-6);
        let model = calibration
            .fit_with(regression, &task.train)
            .expect("calibration");

        let predicted: Array1<Pr> = model.predict(task.new.records());
        let sides = predicted.mapv(|p| *p > 0.5);
        assert!(share(&sides, task.new.targets()) > 0.98);
        let probe: Array1<Pr> = model.predict(&task.probe);
        probe.mapv(|p| f64::from(*p)).insert_axis(Axis(1))
    });
    // Probabilities are in single precision.
    Verdict::of(relative_difference(&principal, &cholesky), 1e-3, 1e-2)
}
