//! Tests regressions that select: penalties that depend on single axes, and their L2 limits, which do not.

use super::{
    Row, Verdict,
    tasks::{quadratic, surface},
    verdict::{Scores, VALUES, verdict},
};
use linfa::Dataset;
use linfa_elasticnet::{ElasticNet, MultiTaskElasticNet, MultiTaskElasticNetParams};
use linfa_lars::Lars;
use ndarray::{Array2, Axis, Ix1, stack};
use npt::{Axes, Kernelized};

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "ElasticNet::ridge",
        from: "linfa-elasticnet",
        way: "fit",
        // Without an L1 penalty the duality gap never closes: the method always makes all iterations.
        check: || {
            let ridge = || ElasticNet::ridge().penalty(0.01);
            verdict(ridge, &surface(), &VALUES, &SCORES)
        },
    },
    Row {
        name: "ElasticNet",
        from: "linfa-elasticnet",
        way: "fit",
        check: || {
            let mixed = || ElasticNet::params().penalty(0.3).l1_ratio(0.5);
            verdict(mixed, &surface(), &VALUES, &PENALISED)
        },
    },
    Row {
        name: "ElasticNet::lasso",
        from: "linfa-elasticnet",
        way: "fit",
        check: || {
            let lasso = || ElasticNet::lasso().penalty(0.3);
            verdict(lasso, &surface(), &VALUES, &PENALISED)
        },
    },
    Row {
        name: "MultiTaskElasticNet::ridge",
        from: "linfa-elasticnet",
        way: "fit",
        check: || two_targets(&MultiTaskElasticNet::ridge().penalty(0.01), 0.98),
    },
    Row {
        name: "MultiTaskElasticNet",
        from: "linfa-elasticnet",
        way: "fit",
        check: || {
            two_targets(
                &MultiTaskElasticNet::params().penalty(0.3).l1_ratio(0.5),
                0.6,
            )
        },
    },
    Row {
        name: "Lars",
        from: "linfa-lars",
        way: "fit",
        check: lars,
    },
];

const SCORES: Scores = Scores {
    linear: 0.3,
    kernelized: 0.98,
};

const PENALISED: Scores = Scores {
    linear: 0.3,
    kernelized: 0.7,
};

/// Tests least angle regression: at the end of its path it is least squares; stopped before, it depends on the axes.
fn lars() -> Verdict {
    let whole = verdict(Lars::params, &surface(), &VALUES, &SCORES);
    assert_eq!(whole, Verdict::Exact);
    let stopped = || Lars::params().n_nonzero_coefs(3);
    let scores = Scores {
        linear: 0.3,
        kernelized: 0.1,
    };
    verdict(stopped, &surface(), &VALUES, &scores)
}

/// Tests a method with two targets: the surface, and the squared distance from the origin.
fn two_targets(params: &MultiTaskElasticNetParams<f64>, score: f64) -> Verdict {
    let task = surface();
    let targets = |data: &Dataset<f64, f64, Ix1>| -> Array2<f64> {
        let squares = data.records().map_axis(Axis(1), |p| p.dot(&p));
        stack![Axis(1), *data.targets(), squares]
    };
    let train = Dataset::new(task.train.records().clone(), targets(&task.train));
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let estimator = Kernelized::new(params.clone(), quadratic(axes));
        let model = estimator.fit(&train).expect("two targets");
        let predicted: Array2<f64> = model.predict(task.new.records());
        let truth = targets(&task.new);
        let residual: f64 = (&predicted - &truth).mapv(|e| e * e).sum();
        let mean = truth.mean_axis(Axis(0)).expect("samples");
        let total: f64 = (truth - mean).mapv(|e| e * e).sum();
        assert!(
            1.0 - residual / total > score,
            "R² is {}",
            1.0 - residual / total
        );
        model.predict(&task.probe)
    });
    Verdict::of_values(&principal, &cholesky)
}
