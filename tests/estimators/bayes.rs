//! Tests naive Bayes, which has one distribution an axis.

use super::{
    Row, Verdict,
    tasks::{quadrants, quadratic, rings},
    verdict::{CLASSES, Scores, verdict},
};
use linfa_bayes::{BernoulliNb, GaussianNb, MultinomialNb};
use ndarray::Array1;
use npt::{Axes, Kernelized};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "GaussianNb",
        from: "linfa-bayes",
        way: "fit",
        check: || verdict(GaussianNb::params, &quadrants(), &CLASSES, &SCORES),
    },
    Row {
        name: "BernoulliNb",
        from: "linfa-bayes",
        way: "fit",
        // The feature is the sign of each coordinate.
        check: || {
            let bayes = || BernoulliNb::params().binarize(Some(0.0));
            verdict(bayes, &rings(), &CLASSES, &SCORES)
        },
    },
    Row {
        name: "MultinomialNb",
        from: "linfa-bayes",
        way: "fit",
        check: multinomial_nb,
    },
];

const SCORES: Scores = Scores {
    linear: 0.65,
    kernelized: 0.7,
};

/// Tests that multinomial Bayes makes no sense on coordinates. Its records are counts, of which it takes logarithms, and
/// coordinates are negative about as often as not. It fits all the same, to NaN, and panics when it has to choose a class.
fn multinomial_nb() -> Verdict {
    let task = rings();
    let estimator = Kernelized::new(MultinomialNb::params(), quadratic(Axes::Principal));
    let model = estimator.fit(&task.train).expect("it fits");
    let predicted = catch_unwind(AssertUnwindSafe(|| -> Array1<usize> {
        model.predict(task.new.records())
    }));
    assert!(predicted.is_err(), "it makes sense after all");
    Verdict::No
}
