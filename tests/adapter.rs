//! Tests the adapter inside linfa: all forms of predict, weights, cross-validation, one against all,
//! ensembles, transformers, samples that are no vectors.

use linfa::{
    Dataset, DatasetBase, MultiClassModel,
    dataset::{AsTargets, Pr, Records},
    prelude::{SingleTargetRegression, ToConfusionMatrix},
};
use linfa_bayes::GaussianNb;
use linfa_clustering::KMeans;
use linfa_ensemble::EnsembleLearnerParams;
use linfa_linear::LinearRegression;
use linfa_preprocessing::whitening::Whitener;
use linfa_reduction::Pca;
use linfa_svm::Svm;
use linfa_trees::DecisionTree;
use ndarray::{Array1, Array2, Axis, array, s};
use npt::prelude::*;
use npt_testkit::data::normal;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;
use std::collections::BTreeSet;

fn regression() -> Dataset<f64, f64, ndarray::Ix1> {
    let x = normal(60, 2, 1);
    let y = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1] * row[1]);
    Dataset::new(x, y)
}

#[test]
fn all_forms_of_predict_agree() {
    let data = regression();
    let model = Kernelized::new(LinearRegression::new(), Exact::new(Gaussian::new(0.5)))
        .fit(&data)
        .unwrap();
    let x = normal(9, 2, 2);
    let expected: Array1<f64> = model.try_predict(&x).unwrap();

    let by_reference: Array1<f64> = model.predict(&x);
    let by_value = model.predict(x.clone());
    let labelled = DatasetBase::new(x.clone(), Array1::from_elem(9, ()));
    let of_dataset_reference: Array1<f64> = model.predict(&labelled);
    let of_dataset = model.predict(labelled);
    let of_rows: Array1<f64> = model.predict(&Rows::new(x.clone()).unwrap());
    assert_eq!(by_reference, expected);
    assert_eq!(by_value.targets, expected);
    assert_eq!(by_value.records, x);
    assert_eq!(of_dataset_reference, expected);
    assert_eq!(of_dataset.targets, expected);
    assert_eq!(of_rows, expected);

    let mut transposed = Array2::zeros((2, 9));
    transposed.assign(&x.t());
    let column_major: Array1<f64> = model.predict(&transposed.t());
    assert_eq!(column_major, expected);
    // Fewer samples are other blocks of the same product: the values are equal up to rounding.
    let strided: Array1<f64> = model.predict(&x.slice(s![..;2, ..]));
    assert!(
        (strided - expected.slice(s![..;2]))
            .iter()
            .all(|d| d.abs() < 1e-9)
    );
}

/// An estimator that returns what reached it: weights, names of targets, rank.
struct Echo;

struct Echoed {
    weights: Vec<f32>,
    target_names: Vec<String>,
    rank: usize,
}

impl<T: AsTargets> Fit<Array2<f64>, T, linfa::Error> for Echo {
    type Object = Echoed;

    fn fit(&self, dataset: &DatasetBase<Array2<f64>, T>) -> linfa::error::Result<Echoed> {
        Ok(Echoed {
            weights: dataset.weights.to_vec(),
            target_names: dataset.target_names().to_vec(),
            rank: dataset.records().nfeatures(),
        })
    }
}

#[test]
fn weights_and_target_names_reach_the_method() {
    let data = regression();
    let weights = Array1::linspace(0.5, 2.0, 60);
    let data = data
        .with_weights(weights.clone())
        .with_target_names(vec!["height"]);
    let model = Kernelized::new(Echo, Exact::new(Gaussian::new(0.5)))
        .fit(&data)
        .unwrap();
    assert_eq!(model.inner().weights, weights.to_vec());
    assert_eq!(model.inner().target_names, ["height"]);
    assert_eq!(model.inner().rank, model.space().rank());
}

#[test]
fn cross_validation_prefers_the_right_kernel_width() {
    let mut data = regression();
    let estimators: Vec<_> = [1e-4, 0.3, 1e3]
        .map(|gamma| {
            let builder = Exact::new(Gaussian::new(gamma)).rank(Rank::Variance(0.99));
            Kernelized::new(LinearRegression::new(), builder)
        })
        .into();
    let errors: Array1<f64> = data
        .cross_validate_single(5, &estimators, |prediction, truth| {
            prediction.mean_squared_error(truth)
        })
        .unwrap();
    assert!(
        errors[1] < 0.5 * errors[0] && errors[1] < 0.5 * errors[2],
        "{errors}"
    );
}

#[test]
fn one_against_all_with_calibrated_machines() {
    let data = linfa_datasets::iris();
    let machine = Svm::<f64, Pr>::params().pos_neg_weights(10.0, 10.0);
    let estimator = Kernelized::new(machine, Exact::new(Gaussian::new(0.2)));
    let model: MultiClassModel<Array2<f64>, usize> = data
        .one_vs_all()
        .unwrap()
        .into_iter()
        .map(|(label, binary)| (label, estimator.fit(&binary).unwrap()))
        .collect();
    let accuracy = model
        .predict(&data)
        .confusion_matrix(&data)
        .unwrap()
        .accuracy();
    assert!(accuracy > 0.95, "{accuracy}");
}

#[test]
fn ensembles_and_trees_and_bayes_run_on_coordinates() {
    let data = linfa_datasets::iris();
    let builder = Exact::new(Gaussian::new(0.2)).rank(Rank::Components(8));
    let accuracy = |labels: Array1<usize>| {
        let right = labels
            .iter()
            .zip(data.targets())
            .filter(|(a, b)| a == b)
            .count();
        right as f64 / 150.0
    };
    let rng = Xoshiro256Plus::seed_from_u64(1);
    let bagging = EnsembleLearnerParams::new_fixed_rng(DecisionTree::params(), rng)
        .ensemble_size(20)
        .bootstrap_proportion(0.7);
    let model = Kernelized::new(bagging, builder.clone())
        .fit(&data)
        .unwrap();
    assert!(accuracy(model.predict(&data)) > 0.95);
    let model = Kernelized::new(DecisionTree::params(), builder.clone())
        .fit(&data)
        .unwrap();
    assert!(accuracy(model.predict(&data)) > 0.95);
    let model = Kernelized::new(GaussianNb::params(), builder)
        .fit(&data)
        .unwrap();
    assert!(accuracy(model.predict(&data)) > 0.9);
}

#[test]
fn transformers_of_every_form() {
    let x = normal(40, 3, 4);
    let data = DatasetBase::from(x.clone());
    let builder = Exact::new(Gaussian::new(0.2)).rank(Rank::Components(5));

    // A transformer that takes records by value.
    let whitener = Kernelized::new(Whitener::pca(), builder.clone())
        .fit(&data)
        .unwrap();
    let white: Array2<f64> = whitener.transform(x.clone());
    let covariance = white.t().dot(&white) / 39.0;
    assert!(
        (covariance - Array2::<f64>::eye(5))
            .iter()
            .all(|d| d.abs() < 1e-10)
    );
    let tried: Array2<f64> = whitener.try_transform(&x).unwrap();
    assert_eq!(tried, white);

    // A transformer that takes a reference: k-means returns squared distances from the nearest centroid.
    let rng = Xoshiro256Plus::seed_from_u64(2);
    let means = Kernelized::new(KMeans::params_with_rng(3, rng), builder.clone());
    let distances: Array1<f64> = means.fit(&data).unwrap().transform(&x);
    assert!(distances.len() == 40 && distances.iter().all(|&d| d >= 0.0));

    // A transformer of whole datasets, with targets and weights.
    let pca = Kernelized::new(Pca::params(2), builder).fit(&data).unwrap();
    let labelled = DatasetBase::new(x, Array1::from_iter(0..40)).with_weights(Array1::ones(40));
    let reduced = pca.transform(labelled);
    assert_eq!(reduced.records.dim(), (40, 2));
    assert_eq!(reduced.targets, Array1::from_iter(0..40));
}

/// The number of elements that two sets share: a kernel on samples that are no vectors.
#[derive(Clone)]
struct Intersection;

impl Kernel<Items<BTreeSet<u8>>> for Intersection {
    type Scalar = f64;

    fn eval(&self, a: &BTreeSet<u8>, b: &BTreeSet<u8>) -> f64 {
        a.intersection(b).count() as f64
    }
}

#[test]
fn samples_of_any_type() {
    let sets: Vec<BTreeSet<u8>> = [
        vec![1, 2, 3],
        vec![1, 2],
        vec![2, 3, 4],
        vec![10, 11],
        vec![11, 12],
        vec![10, 11, 12],
    ]
    .into_iter()
    .map(|set| set.into_iter().collect())
    .collect();
    let items = Items::new(sets).unwrap();
    let rng = Xoshiro256Plus::seed_from_u64(1);
    let estimator = Kernelized::new(KMeans::params_with_rng(2, rng), Exact::new(Intersection));
    let model = estimator.fit(&DatasetBase::from(items.clone())).unwrap();
    let clusters: Array1<usize> = model.predict(&items);
    let first = clusters[0];
    assert_eq!(
        clusters.mapv(|c| c == first),
        array![true, true, true, false, false, false]
    );

    // The same kernel through a trait object.
    let any: std::sync::Arc<dyn Kernel<Items<BTreeSet<u8>>, Scalar = f64>> =
        std::sync::Arc::new(Intersection);
    let sum = any.clone().plus(any.scaled(2.0));
    assert_eq!(sum.eval(items.get(0), items.get(1)), 6.0);
}

/// An estimator may take its targets in two columns.
#[test]
fn several_targets_at_once() {
    let x = normal(30, 2, 6);
    let targets = Array2::from_shape_fn((30, 2), |(i, j)| (x[[i, j]] + j as f64).sin());
    let data = DatasetBase::new(x, targets);
    let params = linfa_elasticnet::MultiTaskElasticNet::params()
        .penalty(1e-4)
        .l1_ratio(0.0);
    let model = Kernelized::new(params, Exact::new(Gaussian::new(0.3)))
        .fit(&data)
        .unwrap();
    let predicted: Array2<f64> = model.predict(&data);
    let error = (&predicted - data.targets())
        .mapv(|e| e * e)
        .mean()
        .unwrap();
    assert!(error < 0.01, "{error}");
}
