//! Tests linfa's support vector machines with their own linear kernel: the kernel of the space is ours.

use super::{
    Row, Verdict,
    tasks::{rings, surface},
    verdict::{ITERATED_VALUES, PROBABILITIES, SIDES, Scores, verdict},
};
use linfa::{DatasetBase, dataset::Pr};
use linfa_svm::Svm;
use ndarray::Array1;
use npt::{Axes, Exact, Gaussian, Kernelized};

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "Svm of labels",
        from: "linfa-svm",
        way: "fit",
        check: || {
            let machine = || Svm::<f64, bool>::params().pos_neg_weights(10.0, 10.0);
            let task = rings().map(|&ring| ring == 0);
            verdict(machine, &task, &SIDES, &SCORES)
        },
    },
    Row {
        name: "Svm of probabilities",
        from: "linfa-svm",
        way: "fit",
        check: || {
            let machine = || Svm::<f64, Pr>::params().pos_neg_weights(10.0, 10.0);
            let task = rings().map(|&ring| ring == 0);
            verdict(machine, &task, &PROBABILITIES, &SCORES)
        },
    },
    Row {
        name: "Svm of one class",
        from: "linfa-svm",
        way: "fit",
        check: one_class,
    },
    Row {
        name: "Svm of values",
        from: "linfa-svm",
        way: "fit",
        // The parameters are C and ε; the solution by ν in linfa 0.8.1 is not relied upon.
        check: || {
            let machine = || Svm::<f64, f64>::params().c_svr(10.0, Some(0.1));
            let scores = Scores {
                linear: 0.3,
                kernelized: 0.97,
            };
            verdict(machine, &surface(), &ITERATED_VALUES, &scores)
        },
    },
];

const SCORES: Scores = Scores {
    linear: 0.8,
    kernelized: 0.98,
};

/// Tests the one-class machine. It separates the samples from the origin, which must not be their mean: so the space is not centred.
/// A linear machine cannot know what lies between and around two rings.
fn one_class() -> Verdict {
    let task = rings();
    let samples = DatasetBase::from(task.train.records().clone());
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let machine = Svm::<f64, Pr>::params().nu_weight(0.03);
        let space = Exact::new(Gaussian::new(0.1)).axes(axes).centered(false);
        let estimator = Kernelized::new(machine, space);
        let model = estimator.fit(&samples).expect("one class");

        let inside: Array1<bool> = model.predict(task.new.records());
        let inside = inside.mapv(f64::from).mean().expect("samples");
        assert!(inside > 0.8, "{inside} of new samples are inside");
        let far: Array1<bool> = model.predict(&(task.new.records() * 2.5));
        let outer = far
            .iter()
            .zip(task.new.targets())
            .filter(|(_, ring)| **ring == 1);
        assert!(
            outer.clone().all(|(inside, _)| !inside),
            "far samples are outside"
        );
        model.predict(&task.probe)
    });
    Verdict::of_classes(&principal, &cholesky)
}
