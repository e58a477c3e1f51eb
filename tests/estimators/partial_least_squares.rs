//! Tests partial least squares, without its default of scaling each column to variance 1, which would tie
//! it to the axes.

use super::{
    Row, Verdict,
    tasks::{quadratic, surface},
    verdict::relative_difference,
};
use linfa::{
    Dataset,
    prelude::SingleTargetRegression,
    traits::{Fit, Predict, Transformer},
};
use linfa_pls::{Algorithm, PlsCanonical, PlsCca, PlsRegression, PlsSvd};
use ndarray::{Array1, Array2, ArrayView1, Axis, Ix1, Ix2, stack};
use npt::{Axes, Kernelized, LinearMethod, Polynomial, Rows};
use npt_testkit::oracles::centering;

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "PlsRegression",
        from: "linfa-pls",
        way: "fit",
        check: regression,
    },
    Row {
        name: "PlsCanonical",
        from: "linfa-pls",
        way: "fit",
        check: || {
            two_blocks(
                || {
                    PlsCanonical::params(2)
                        .scale(false)
                        .algorithm(Algorithm::Svd)
                },
                0.9,
            )
        },
    },
    Row {
        name: "PlsCca",
        from: "linfa-pls",
        way: "fit",
        // There is one component. For the second, linfa 0.8.1 inverts what the first has left: it is singular up to
        // rounding, and rounding decides the result. (By `Algorithm::Svd` it is PlsCanonical.) Canonical
        // correlations of almost 1, as here, make its iteration slow.
        check: || {
            let method = || PlsCca::params(1).scale(false).tolerance(1e-10);
            two_blocks(|| method().max_iterations(20_000), 0.9)
        },
    },
    Row {
        name: "PlsSvd",
        from: "linfa-pls",
        way: "fit",
        check: || two_blocks(|| PlsSvd::<f64>::params(2).scale(false), 0.9),
    },
];

/// The data with two targets: the surface's height, and the squared distance from the origin.
fn with_two_targets(data: &Dataset<f64, f64, Ix1>) -> Dataset<f64, f64, Ix2> {
    let y = data.targets();
    let distances = data.records().map_axis(Axis(1), |p| p.dot(&p));
    Dataset::new(data.records().clone(), stack![Axis(1), *y, distances])
}

fn regression() -> Verdict {
    let task = surface();
    let (train, new) = (with_two_targets(&task.train), with_two_targets(&task.new));
    let method = || {
        PlsRegression::params(3)
            .scale(false)
            .algorithm(Algorithm::Svd)
    };
    let height = |predicted: Array2<f64>| predicted.column(0).to_owned();
    let linear = PlsRegression::params(2)
        .scale(false)
        .fit(&train)
        .expect("linear");
    let score = height(linear.predict(new.records()))
        .r2(task.new.targets())
        .expect("values");
    assert!(score < 0.3, "the linear R² is {score}");
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let model = Kernelized::new(method(), quadratic(axes))
            .fit(&train)
            .expect("directions");
        let predicted = height(model.predict(new.records()));
        let score = predicted.r2(task.new.targets()).expect("values");
        assert!(score > 0.9, "R² is {score}");
        model.predict(&task.probe)
    });
    Verdict::of_values(&principal, &cholesky)
}

/// Tests that the first pair of scores correlates on new samples; each score is compared up to its sign.
fn two_blocks<M, E>(method: impl Fn() -> M, correlated: f64) -> Verdict
where
    M: LinearMethod<f64, Array2<f64>, E>,
    M::Object: Transformer<Dataset<f64, f64, Ix2>, Dataset<f64, f64, Ix2>>,
    E: std::error::Error + From<linfa::Error> + 'static,
{
    let task = surface();
    let (train, new) = (with_two_targets(&task.train), with_two_targets(&task.new));
    let correlation_of = |scores: &Dataset<f64, f64, Ix2>| {
        correlation(scores.records().column(0), scores.targets().column(0)).abs()
    };
    let linear = method().fit(&train).expect("linear").transform(new.clone());
    assert!(
        correlation_of(&linear) < 0.6,
        "linear: {}",
        correlation_of(&linear)
    );
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let model = Kernelized::new(method(), quadratic(axes)).fit(&train);
        let scores = model.expect("directions").transform(new.clone());
        assert_eq!(scores.records().nrows(), 60);
        assert!(
            correlation_of(&scores) > correlated,
            "{}",
            correlation_of(&scores)
        );
        scores.records().mapv(f64::abs)
    });
    Verdict::of_values(&principal, &cholesky)
}

fn correlation(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> f64 {
    let centered = |v: ArrayView1<'_, f64>| &v - v.mean().expect("values");
    let (a, b) = (centered(a), centered(b));
    a.dot(&b) / (a.dot(&a) * b.dot(&b)).sqrt()
}

/// Kernel partial least squares of one target fits what the kernel trick gives: t = Ky/‖Ky‖, then K and y without their part along
/// t. The fit to the training samples is Σ t tᵀy.
///
/// R. Rosipal, L. J. Trejo, "Kernel Partial Least Squares Regression in Reproducing Kernel Hilbert
/// Space", JMLR 2, 2001.
#[test]
fn one_target_is_fitted_as_by_the_kernel_trick() {
    let task = surface();
    let x = Rows::new(task.train.records().clone()).expect("samples");
    let mut k = centering::centered_gram(&Polynomial::new(2, 1.0, 1.0), &x);
    let y = task.train.targets();
    let mean = y.mean().expect("targets");
    let mut rest = y - mean;
    let mut expected = Array1::from_elem(80, mean);
    for _ in 0..3 {
        let t = k.dot(&rest);
        let t = (&t / t.dot(&t).sqrt()).insert_axis(Axis(1));
        let fitted = t.dot(&t.t().dot(&rest));
        expected += &fitted;
        rest -= &fitted;
        let outside = Array2::eye(80) - t.dot(&t.t());
        k = outside.dot(&k).dot(&outside);
    }

    let train = Dataset::new(task.train.records().clone(), y.clone().insert_axis(Axis(1)));
    let method = PlsRegression::params(3).scale(false);
    let model = Kernelized::new(method, quadratic(Axes::Principal)).fit(&train);
    let fitted: Array2<f64> = model.expect("directions").predict(train.records());
    let difference = relative_difference(&fitted, &expected.insert_axis(Axis(1)));
    assert!(difference < 1e-9, "{difference}");
}
