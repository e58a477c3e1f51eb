//! Tests regressions with an L2 penalty or none.

use super::{
    Row, Verdict,
    tasks::{rng, surface},
    verdict::{ITERATED_VALUES, Scores, VALUES, verdict},
};
use linfa::{
    Dataset,
    prelude::SingleTargetRegression,
    traits::{Fit, Predict},
};
use linfa_linear::{IsotonicRegression, LinearRegression, TweedieRegressor};
use ndarray::{Array1, Axis};
use npt::{Axes, Exact, Kernelized, Polynomial, Rank};
use rand::Rng;

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "LinearRegression",
        from: "linfa-linear",
        way: "fit",
        check: || verdict(LinearRegression::new, &surface(), &VALUES, &SCORES),
    },
    Row {
        name: "TweedieRegressor",
        from: "linfa-linear",
        way: "fit",
        check: tweedie,
    },
    Row {
        name: "IsotonicRegression",
        from: "linfa-linear",
        way: "fit",
        check: isotonic,
    },
];

const SCORES: Scores = Scores {
    linear: 0.3,
    kernelized: 0.98,
};

/// Tests a Poisson regression: positive targets, exponential in the surface, for its logarithmic link.
fn tweedie() -> Verdict {
    let task = surface().map(|&y| (0.2 * y).exp());
    let regressor = || TweedieRegressor::params().power(1.0).alpha(1e-3).tol(1e-8);
    let scores = Scores {
        linear: 0.3,
        kernelized: 0.85,
    };
    verdict(regressor, &task, &ITERATED_VALUES, &scores)
}

/// Tests isotonic regression. It needs one column (and panics on two): a space with `Rank::Components(1)`, or a kernel of rank
/// one as here, φ(x) = x². linfa 0.8.1 reads the thresholds of its steps from the samples in the
/// order given, not sorted: the samples have to come sorted.
fn isotonic() -> Verdict {
    let dataset = |samples, seed| {
        let mut rng = rng(seed);
        let mut x: Vec<f64> = (0..samples).map(|_| rng.gen_range(-2.0..2.0)).collect();
        x.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let x = Array1::from(x);
        let y = x.mapv(|x| x.abs().sqrt() + rng.gen_range(-0.05..0.05));
        Dataset::new(x.insert_axis(Axis(1)), y)
    };
    let (train, new) = (dataset(80, 1), dataset(60, 2));
    let linear = IsotonicRegression::new().fit(&train).expect("one column");
    let score = linear.predict(&new).r2(&new).expect("values");
    assert!(score < 0.3, "the linear R² is {score}");

    // The method reads sample weights: where all others weigh next to nothing, it fits one sample in ten.
    let weights = Array1::from_iter((0..80).map(|i| if i % 10 == 0 { 1.0 } else { 1e-6 }));
    let weighted = Dataset::new(train.records().clone(), train.targets().clone());
    let squares = Exact::new(Polynomial::new(2, 1.0, 0.0)).rank(Rank::Components(1));
    let fit = |data| Kernelized::new(IsotonicRegression::new(), squares.clone()).fit(data);
    let [with, without] = [&weighted.with_weights(weights), &train]
        .map(|data| fit(data).expect("one component").predict(&new));
    assert!((with - without).iter().any(|d| d.abs() > 0.02));

    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let squares = Exact::new(Polynomial::new(2, 1.0, 0.0)).axes(axes);
        let space = squares.rank(Rank::Components(1));
        let model = Kernelized::new(IsotonicRegression::new(), space).fit(&train);
        let predicted = model.expect("one component").predict(&new);
        let score = predicted.r2(&new).expect("values");
        assert!(score > 0.9, "R² is {score}");
        predicted.insert_axis(Axis(1))
    });
    Verdict::of_values(&principal, &cholesky)
}
