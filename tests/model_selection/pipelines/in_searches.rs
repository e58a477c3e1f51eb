//! Tests transformers in a search: they are fitted anew to the training samples of each fold.

use super::data;
use crate::model_selection::{assert_same, mean_squared_error, regression, select};
use linfa::{Dataset, traits::Transformer};
use linfa_preprocessing::linear_scaling::LinearScaler;
use ndarray::{Array1, Array2, Axis, array};
use npt::{
    Error::SampleNotFinite,
    Pipeline, PipelineError,
    methods::{
        Error,
        linear::{Lda, Ridge, Svc},
        model_selection::{Folds, GridSearch, Scores, SearchError, accuracy},
        preprocessing::Imputer,
    },
    prelude::*,
};

/// Each fold has transformers of its own, fitted to its training samples alone.
#[test]
fn folds_have_transformers_of_their_own() {
    let mut data = data(60);
    // One sample is far out, and would decide the scale.
    data.records[[11, 1]] = 1e9;
    let folds = Folds::stratified(&data, 5, 2).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let spaces = [0.05, 0.5].map(|gamma| Exact::new(Gaussian::new(gamma)));
    let machines = [0.5, 10.0].map(|c| Svc::params().c(c));
    let discriminants = [0.1, 1.0].map(|ridge| Lda::params().ridge(ridge));

    macro_rules! check {
        ($search:expr) => {{
            let plain = $search;
            let search = plain.clone().after(LinearScaler::standard());
            let scores = search.scores(&data, &folds, score).unwrap();
            for candidate in scores.candidates() {
                let by_hand = (0..folds.len()).map(|turn| {
                    let (training, held_out) = folds.split(turn);
                    let (training, held_out) = (select(&data, &training), select(&data, held_out));
                    let scaler = LinearScaler::standard().fit(&training).unwrap();
                    let scaled = Dataset::new(scaler.transform(training.records), training.targets);
                    let inner = plain.estimator(candidate).fit(&scaled).unwrap();
                    score(
                        &inner.predict(scaler.transform(held_out.records)).targets,
                        &held_out.targets,
                    )
                });
                let by_hand: Vec<f64> = by_hand.collect();
                let found: Vec<f64> = scores
                    .of(candidate)
                    .iter()
                    .map(|s| *s.as_ref().unwrap())
                    .collect();
                assert_eq!(found, by_hand);
            }
        }};
    }
    check!(GridSearch::new(spaces.clone(), machines.clone()));
    check!(GridSearch::new(spaces.clone(), discriminants.clone()));
    check!(GridSearch::new(spaces.clone(), machines.clone()).by_coordinates());
    check!(GridSearch::new(spaces, discriminants).paired());
}

/// The best model has its scaler, and so have the models of nested folds.
#[test]
fn the_best_has_its_transformer() {
    let data = regression(50);
    let data = Dataset::new(data.records * array![1e4, 1e-4], data.targets);
    let error = |p: &Array1<f64>, t: &Array1<f64>| -mean_squared_error(p, t);
    let spaces = [0.03, 0.3].map(|gamma| Exact::new(Gaussian::new(gamma)));
    let search = GridSearch::new(spaces, [Ridge::params().penalty(0.1)]);
    let search = search.after(LinearScaler::standard());
    let outer = Folds::k(50, 3, 1).unwrap();
    let inner = |targets: &Array1<f64>| Folds::k(targets.len(), 4, 2);
    let nested = search.nested_scores(&data, &outer, inner, error).unwrap();
    for (turn, found) in nested.folds.iter().enumerate() {
        let (training, held_out) = outer.split(turn);
        let (training, held_out) = (select(&data, &training), select(&data, held_out));
        let folds = inner(training.targets()).unwrap();
        let best = search.fit_best(&training, &folds, error).unwrap();
        let score = error(&best.model.predict(held_out.records()), held_out.targets());
        let (candidate, found) = found.as_ref().unwrap();
        assert_eq!(candidate, &best.candidate);
        assert_same(&[Ok::<_, KernelizedError<Error>>(*found)], &[score]);
    }
    // Without scaling, samples would be alone, or all one.
    let variance = data.targets.var(0.0);
    assert!(nested.mean().unwrap() > -0.5 * variance);
}

/// Missing values are replaced by values from the training samples of a fold.
#[test]
fn missing_values() {
    let mut data = data(60);
    for row in (0..60).step_by(7) {
        data.records[[row, row % 3]] = f64::NAN;
    }
    let folds = Folds::stratified(&data, 5, 2).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let machine = [Svc::params().c(10.0)];
    let plain = GridSearch::new([Exact::new(Gaussian::new(0.3))], machine);
    let scaled = Pipeline::new(Imputer::mean(), LinearScaler::standard()).with_missing_values();
    let search = plain.clone().after(scaled);
    let refused = search.scores(&data, &folds, score).map(|_| ()).unwrap_err();
    assert!(matches!(
        refused,
        Error::Core(SampleNotFinite {
            row: 0,
            column: 0,
            ..
        })
    ));
    let search = search.with_missing_values();
    let found = search.fit_best(&data, &folds, score).unwrap();
    assert_eq!(found.scores.failures().count(), 0);
    assert!(found.scores.mean(found.candidate).unwrap() > 0.6);
    let (training, held_out) = folds.split(3);
    let (training, held_out) = (select(&data, &training), select(&data, held_out));
    let imputer = Imputer::mean().fit(&training).unwrap();
    let filled = Dataset::new(imputer.transform(training.records), training.targets);
    let scaler = LinearScaler::standard().fit(&filled).unwrap();
    let filled = Dataset::new(scaler.transform(filled.records), filled.targets);
    let inner = plain.estimator(found.candidate).fit(&filled).unwrap();
    let new = scaler.transform(imputer.transform(held_out.records));
    let expected = score(&inner.predict(&new), &held_out.targets);
    assert_eq!(
        found.scores.of(found.candidate)[3].as_ref().unwrap(),
        &expected
    );
    // A row in which all values are missing is predicted as the row of means.
    let nothing = Array2::from_elem((1, 3), f64::NAN);
    let means = Imputer::mean().fit(&data).unwrap().values().to_owned();
    let means = means.insert_axis(Axis(0));
    assert_eq!(found.model.predict(&nothing), found.model.predict(&means));
}

/// A transformer that cannot be fitted in a fold leaves nothing to choose from.
#[test]
fn a_transformer_that_fails() {
    let mut data = data(20);
    // All values of a column but one are missing: without that sample there are none.
    data.records.column_mut(1).fill(f64::NAN);
    data.records[[4, 1]] = 3.0;
    let folds = Folds::leave_one_out(20).unwrap();
    let search = GridSearch::new([Exact::new(Gaussian::new(0.3))], [Svc::params()]);
    let search = search.after(Imputer::mean()).with_missing_values();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let found: Result<Scores<PipelineError<Error, KernelizedError<Error>>>, _> =
        search.scores(&data, &folds, score);
    let message = "column 1 has no values".to_owned();
    let expected = Error::Transformer { fold: 4, message };
    assert_eq!(found.unwrap_err(), expected);
    let found = search
        .fit_best(&data, &folds, score)
        .map(|_| ())
        .unwrap_err();
    assert_eq!(found, SearchError::Search(expected));
}
