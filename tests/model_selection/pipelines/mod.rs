//! Tests transformers in front of an estimator: fitted with it, and kept in its model.

mod bad_records;
mod imputer;
mod in_searches;
mod several;

use super::select;
use linfa::{Dataset, DatasetBase, traits::Transformer};
use linfa_preprocessing::{linear_scaling::LinearScaler, whitening::Whitener};
use ndarray::{Array1, Array2, Axis, Ix1, array, s};
use npt::{
    Pipeline,
    methods::{
        linear::Svc,
        model_selection::{Folds, GridSearch, accuracy},
    },
    prelude::*,
};
use npt_testkit::data::normal;

/// Samples whose columns are in very different units.
fn data(n: usize) -> Dataset<f64, bool, Ix1> {
    let x = normal(n, 3, 1);
    let sides = x.map_axis(Axis(1), |row| row[0] * row[1] > 0.2);
    Dataset::new(x * array![1e-3, 1e3, 1.0] + array![5.0, 0.0, -1e4], sides)
}

/// A pipeline is the same as scaling by hand, then fitting, then scaling new samples.
#[test]
fn is_the_two_by_hand() {
    let data = data(80);
    let (training, new) = (
        select(&data, &(0..60).collect::<Vec<_>>()),
        data.records.slice(s![60.., ..]),
    );
    let scaler = LinearScaler::standard().fit(&training).unwrap();
    let scaled = Dataset::new(
        scaler.transform(training.records.clone()),
        training.targets.clone(),
    );
    let scaled_new = scaler.transform(new.to_owned());

    let svc = KernelSvc::params(Gaussian::new(0.5)).method(|m| m.c(10.0));
    let model = Pipeline::new(LinearScaler::standard(), svc.clone())
        .fit(&training)
        .unwrap();
    let expected = svc.fit(&scaled).unwrap();
    assert_eq!(model.apply(&new).unwrap(), scaled_new);
    assert_eq!(
        model.decision_function(&new),
        expected.decision_function(&scaled_new)
    );
    assert_eq!(model.predict(&new), expected.predict(&scaled_new));
    let [found, by_hand]: [Result<Array1<bool>, _>; 2] =
        [model.try_predict(&new), expected.try_predict(&scaled_new)];
    assert_eq!(found, by_hand);
    assert_eq!(model.classes(), [false, true]);
    let values: Array1<f64> = model.transform(new.to_owned());
    assert_eq!(model.try_transform(&new), Ok(values));

    // These pipelines are by coordinates, with probabilities, and with the dimension reduced before.
    let logistic = npt::methods::linear::Logistic::params();
    let kernelized = Kernelized::new(logistic, Exact::new(Gaussian::new(0.5)));
    let model = Pipeline::new(Whitener::pca(), kernelized.clone())
        .fit(&training)
        .unwrap();
    let whitener = Whitener::pca().fit(&training).unwrap();
    let white = Dataset::new(
        whitener.transform(training.records.clone()),
        training.targets.clone(),
    );
    let expected = kernelized.fit(&white).unwrap();
    let white_new = whitener.transform(new.to_owned());
    assert_eq!(
        model.predict_probabilities(&new),
        expected.predict_probabilities(&white_new)
    );
}

/// Pipelines take linfa's estimators, without a kernel, and several transformers in a row.
#[test]
fn of_any_estimator_and_several_transformers() {
    let data = data(60);
    let model = Pipeline::new(
        LinearScaler::standard(),
        linfa_trees::DecisionTree::params(),
    )
    .fit(&data.clone().map_targets(|&l| usize::from(l)))
    .unwrap();
    let scaler = LinearScaler::standard().fit(&data).unwrap();
    let scaled = scaler.transform(data.records.clone());
    // The model is compared with its own tree: linfa's break ties by chance, but not on the samples that they were fitted to.
    assert_eq!(model.predict(&data), model.model().predict(&scaled));

    let twice = Pipeline::new(
        LinearScaler::standard(),
        npt::methods::linear::Pca::params(2),
    );
    let reduced = Pipeline::new(twice, KernelSvc::params(Gaussian::new(0.5)))
        .fit(&data)
        .unwrap();
    assert_eq!(reduced.apply(&data.records).unwrap().ncols(), 2);
    let pca = npt::methods::linear::Pca::params(2)
        .fit(&DatasetBase::from(scaled.clone()))
        .unwrap();
    let scores: Array2<f64> = pca.transform(scaled);
    assert_eq!(reduced.apply(&data.records), Ok(scores));
}

/// An estimator that returns the weights and names that it was given.
#[derive(Clone)]
struct Witness;
struct Seen(Array1<f32>, Vec<String>);

impl Fit<Array2<f64>, Array1<bool>, linfa::Error> for Witness {
    type Object = Seen;

    fn fit(&self, data: &DatasetBase<Array2<f64>, Array1<bool>>) -> Result<Seen, linfa::Error> {
        Ok(Seen(data.weights.clone(), data.target_names().to_vec()))
    }
}

impl Transformer<Array2<f64>, Array2<f64>> for Seen {
    fn transform(&self, x: Array2<f64>) -> Array2<f64> {
        x
    }
}

#[test]
fn weights_and_names_reach_both() {
    let weights = Array1::from_shape_fn(40, |i| 0.5 + (i % 3) as f32);
    let weighted = data(40)
        .with_weights(weights.clone())
        .with_target_names(vec!["side"]);
    let model = Pipeline::new(Witness, Witness).fit(&weighted).unwrap();
    for Seen(found, names) in [model.transformer(), model.model()] {
        assert_eq!((found, names), (&weights, &vec!["side".to_owned()]));
    }

    // In a search the weights are those of the training samples: as by hand, and unlike a search without weights.
    let folds = Folds::k(40, 4, 1).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let machine = [Svc::params().c(0.3)];
    let search =
        GridSearch::new([Exact::new(Gaussian::new(0.5))], machine).after(LinearScaler::standard());
    let uneven = Array1::from_shape_fn(40, |i| if weighted.targets[i] { 9.0 } else { 0.1 });
    let weighted = data(40).with_weights(uneven.clone());
    let scores = search.scores(&weighted, &folds, score).unwrap();
    let only = scores.best().unwrap();
    let by_hand = (0..4).map(|turn| {
        let (training, held_out) = folds.split(turn);
        let of_training = uneven.select(Axis(0), &training);
        let training = select(&weighted, &training).with_weights(of_training);
        let held_out = select(&weighted, held_out);
        let model = search.estimator(only).fit(&training).unwrap();
        score(&model.predict(held_out.records()), held_out.targets())
    });
    let by_hand: Vec<f64> = by_hand.collect();
    let found: Vec<f64> = scores
        .of(only)
        .iter()
        .map(|s| *s.as_ref().unwrap())
        .collect();
    assert_eq!(found, by_hand);
    let without = search.scores(&data(40), &folds, score).unwrap();
    assert_ne!(without.mean(only).unwrap(), scores.mean(only).unwrap());
}
