//! Targets and weights that no estimator can use are refused before linfa's estimators see them: most of these would return a model
//! that predicts NaN.

use linfa::{Dataset, DatasetBase, dataset::AsTargets};
use linfa_elasticnet::ElasticNet;
use linfa_ensemble::EnsembleLearnerParams;
use linfa_linear::{LinearRegression, TweedieRegressor};
use linfa_logistic::LogisticRegression;
use linfa_pls::PlsRegression;
use linfa_preprocessing::linear_scaling::LinearScaler;
use linfa_trees::DecisionTree;
use ndarray::{Array1, Array2, ArrayBase, Dimension, OwnedRepr, array};
use npt::{Error, PipelineError, prelude::*};
use npt_testkit::data::normal;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;

type Targets<E, I> = ArrayBase<OwnedRepr<E>, I>;

fn records() -> Array2<f64> {
    normal(12, 3, 1)
}

fn kernelized<M>(method: M) -> Kernelized<M, Exact<Gaussian<f64>>> {
    Kernelized::new(
        method,
        Exact::new(Gaussian::new(0.5)).rank(Rank::Components(4)),
    )
}

/// The error that the adapter itself finds.
fn own<O, X: std::fmt::Debug>(fitted: Result<O, KernelizedError<X>>) -> Option<Error> {
    match fitted {
        Err(KernelizedError::Space(error)) => Some(error),
        _ => None,
    }
}

fn values() -> Array1<f64> {
    records().column(0).mapv(|value| value * value)
}

fn labels() -> Array1<usize> {
    Array1::from_iter((0..12).map(|i| i % 2))
}

#[test]
fn targets_that_are_no_numbers() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut targets = values();
        targets[7] = bad;
        let data = Dataset::new(records(), targets.clone());
        let matrix = targets.insert_axis(ndarray::Axis(1));
        let both = ndarray::concatenate![
            ndarray::Axis(1),
            values().insert_axis(ndarray::Axis(1)),
            matrix
        ];
        let two = Dataset::new(records(), both);
        for (column, error) in [
            (0, own(kernelized(LinearRegression::new()).fit(&data))),
            (0, own(kernelized(ElasticNet::params()).fit(&data))),
            (0, own(kernelized(TweedieRegressor::params()).fit(&data))),
            (1, own(kernelized(PlsRegression::params(2)).fit(&two))),
        ] {
            assert!(
                matches!(error, Some(Error::TargetNotFinite { row: 7, column: found, value })
                    if found == column && value.total_cmp(&bad).is_eq()),
                "{error:?}"
            );
        }
        // The same is refused in single precision, and where a transformer comes first.
        let single = Dataset::new(
            records().mapv(|v| v as f32),
            data.targets.mapv(|v| v as f32),
        );
        let space = Exact::new(Gaussian::new(0.5_f32));
        let error = own(Kernelized::new(LinearRegression::new(), space).fit(&single));
        assert!(
            matches!(error, Some(Error::TargetNotFinite { row: 7, .. })),
            "{error:?}"
        );
        let pipeline = Pipeline::new(
            LinearScaler::standard(),
            kernelized(LinearRegression::new()),
        );
        assert!(matches!(
            pipeline.fit(&data).err(),
            Some(PipelineError::Records(Error::TargetNotFinite {
                row: 7,
                ..
            }))
        ));
    }
}

/// Checks that bad weights are refused, whatever the targets are: labels, numbers, nothing.
fn refuses_weights<T, I, M, O, X>(method: &M, targets: &Targets<T, I>)
where
    T: Clone,
    I: Dimension,
    Targets<T, I>: AsTargets,
    M: Fit<Array2<f64>, Targets<T, I>, KernelizedError<X>, Object = O>,
    X: std::error::Error + From<linfa::Error> + 'static,
{
    let fit = |weights: Array1<f32>| {
        let data = DatasetBase::new(records(), targets.clone());
        own(method.fit(&data.with_weights(weights)))
    };
    for bad in [f32::NAN, f32::INFINITY, -1e-30] {
        let mut weights = Array1::ones(12);
        weights[5] = bad;
        let error = fit(weights);
        assert!(
            matches!(error, Some(Error::Weight { row: 5, value })
                if value.total_cmp(&f64::from(bad)).is_eq()),
            "{error:?}"
        );
    }
    assert_eq!(
        fit(Array1::zeros(12)),
        Some(Error::NoWeight { samples: 12 })
    );
    let (samples, weights) = (12, 11);
    assert_eq!(
        fit(Array1::ones(11)),
        Some(Error::WeightCount { samples, weights })
    );
    let mut all_but_one = Array1::ones(12);
    all_but_one[5] = 0.0;
    assert_eq!(fit(all_but_one), None);
}

#[test]
fn weights_that_are_none() {
    refuses_weights(&kernelized(LinearRegression::new()), &values());
    refuses_weights(&kernelized(LogisticRegression::default()), &labels());
    refuses_weights(&kernelized(DecisionTree::params()), &labels());
    let rng = Xoshiro256Plus::seed_from_u64(1);
    let trees = EnsembleLearnerParams::new_fixed_rng(DecisionTree::params(), rng).ensemble_size(3);
    refuses_weights(&kernelized(trees), &labels());
}

/// Constant targets are fitted like any others; a single class is a typed error or the only answer.
#[test]
fn targets_without_contrast() {
    let constant = Dataset::new(records(), Array1::from_elem(12, 3.0));
    let line = kernelized(LinearRegression::new()).fit(&constant).unwrap();
    let net = kernelized(ElasticNet::params().penalty(0.1))
        .fit(&constant)
        .unwrap();
    for predicted in [line.predict(&constant), net.predict(&constant)] {
        assert!(
            predicted.iter().all(|value| (value - 3.0).abs() < 1e-12),
            "{predicted}"
        );
    }

    let one = Dataset::new(records(), Array1::from_elem(12, 4_usize));
    let logistic = kernelized(LogisticRegression::default()).fit(&one);
    assert!(matches!(logistic, Err(KernelizedError::Method(_))));
    let tree = kernelized(DecisionTree::params()).fit(&one).unwrap();
    assert_eq!(tree.predict(&one), one.targets);
    let new = Dataset::new(normal(3, 3, 2), array![4_usize, 5, 6]);
    assert_eq!(tree.predict(&new), array![4, 4, 4]);
}
