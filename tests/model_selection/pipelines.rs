//! A transformer in front: fitted with the estimator, kept in its model, and fitted anew in each fold.

use super::{assert_same, mean_squared_error, regression, select};
use linfa::{Dataset, DatasetBase, traits::Transformer};
use linfa_preprocessing::{linear_scaling::LinearScaler, whitening::Whitener};
use ndarray::{Array1, Array2, Axis, Ix1, array, s};
use npt::{
    Error::{ColumnCount, NoSamples, SampleNotFinite},
    Pipeline, PipelineError,
    methods::{
        Error,
        linear::{Lda, Ridge, Svc},
        model_selection::{Folds, GridSearch, Scores, SearchError, accuracy},
        preprocessing::Imputer,
    },
    prelude::*,
};
use npt_testkit::data::normal;

/// Columns in very different units.
fn data(n: usize) -> Dataset<f64, bool, Ix1> {
    let x = normal(n, 3, 1);
    let sides = x.map_axis(Axis(1), |row| row[0] * row[1] > 0.2);
    Dataset::new(x * array![1e-3, 1e3, 1.0] + array![5.0, 0.0, -1e4], sides)
}

/// As scaling by hand, then fitting, then scaling what is new.
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

    // By coordinates, with probabilities, and on dimension reduced before.
    let logistic = npt::methods::linear::Logistic::<f64, bool>::params();
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

/// linfa's estimators, without a kernel, and transformers behind each other.
#[test]
fn of_any_estimator_and_several_transformers() {
    let data = data(60);
    let model = Pipeline::new(
        LinearScaler::standard(),
        linfa_trees::DecisionTree::params(),
    )
    .fit(&data.clone().map_targets(|&l| usize::from(l)))
    .unwrap();
    assert_eq!(model.predict(&data).len(), 60);

    let twice = Pipeline::new(
        LinearScaler::standard(),
        npt::methods::linear::Pca::<f64>::params(2),
    );
    let reduced = Pipeline::new(twice, KernelSvc::params(Gaussian::new(0.5)))
        .fit(&data)
        .unwrap();
    assert_eq!(reduced.apply(&data.records).unwrap().ncols(), 2);
    let scaler = LinearScaler::standard().fit(&data).unwrap();
    let scaled = scaler.transform(data.records.clone());
    let pca = npt::methods::linear::Pca::<f64>::params(2)
        .fit(&DatasetBase::from(scaled.clone()))
        .unwrap();
    let scores: Array2<f64> = pca.transform(scaled);
    assert_eq!(reduced.apply(&data.records), Ok(scores));
}

#[test]
fn on_bad_records() {
    let data = data(40);
    let pipeline = Pipeline::new(
        LinearScaler::standard(),
        KernelSvc::params(Gaussian::new(0.5)),
    );
    let mut missing = data.clone();
    missing.records[[7, 2]] = f64::NAN;
    let refused = pipeline.fit(&missing).map(|_| ()).unwrap_err();
    let place = |row, column| move |error: &npt::Error| matches!(error, SampleNotFinite { row: r, column: c, value } if (*r, *c) == (row, column) && value.is_nan());
    assert!(matches!(&refused, PipelineError::Records(error) if place(7, 2)(error)));
    // A scaler that lets NaN through, in all rows of the column: the place is that of the output.
    let lax = pipeline
        .clone()
        .with_missing_values()
        .fit(&missing)
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(&lax, PipelineError::Records(error) if place(0, 2)(error)));
    let one_class = Dataset::new(data.records.clone(), Array1::from_elem(40, true));
    let refused = pipeline.fit(&one_class).map(|_| ()).unwrap_err();
    let classes = Error::Classes { found: 1 };
    assert!(
        matches!(refused, PipelineError::Estimator(KernelizedError::Method(e)) if e == classes)
    );
    let short = Dataset::new(data.records.clone(), Array1::from_elem(39, true));
    let refused = pipeline.fit(&short).map(|_| ()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "it takes one target a sample, not 39 targets for 40 samples"
    );

    let model = pipeline.fit(&data).unwrap();
    let predict = |x: &Array2<f64>| -> Result<Array1<bool>, npt::Error> { model.try_predict(x) };
    let (expected, found) = (3, 2);
    assert_eq!(
        predict(&Array2::zeros((4, 2))),
        Err(ColumnCount { expected, found })
    );
    assert_eq!(predict(&Array2::zeros((0, 3))), Err(NoSamples));
    assert!(place(7, 2)(&predict(&missing.records).unwrap_err()));
    // What the scaler makes of it is out of range.
    let mut far = data.records.clone();
    far[[3, 0]] = f64::MAX;
    assert!(matches!(
        predict(&far),
        Err(SampleNotFinite {
            row: 3,
            column: 0,
            ..
        })
    ));
}

/// Fitted anew in each fold, to the training samples alone.
#[test]
fn folds_have_transformers_of_their_own() {
    let mut data = data(60);
    // One sample far out, which would decide the scale.
    data.records[[11, 1]] = 1e9;
    let folds = Folds::stratified(&data, 5, 2).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let spaces = [0.05, 0.5].map(|gamma| Exact::new(Gaussian::new(gamma)));
    let machines = [0.5, 10.0].map(|c| Svc::<f64>::params().c(c));
    let discriminants = [0.1, 1.0].map(|ridge| Lda::<f64, bool>::params().ridge(ridge));

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

/// The best with its scaler, and in nested folds.
#[test]
fn the_best_has_its_transformer() {
    let data = regression(50);
    let data = Dataset::new(data.records * array![1e4, 1e-4], data.targets);
    let error = |p: &Array1<f64>, t: &Array1<f64>| -mean_squared_error(p, t);
    let spaces = [0.03, 0.3].map(|gamma| Exact::new(Gaussian::new(gamma)));
    let search = GridSearch::new(spaces, [Ridge::<f64>::params().penalty(0.1)]);
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
    // Unscaled, samples would be alone, or one.
    let variance = data.targets.var(0.0);
    assert!(nested.mean().unwrap() > -0.5 * variance);
}

/// Filled in by what the training samples of a fold have.
#[test]
fn missing_values() {
    let mut data = data(60);
    for row in (0..60).step_by(7) {
        data.records[[row, row % 3]] = f64::NAN;
    }
    let folds = Folds::stratified(&data, 5, 2).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let machine = [Svc::<f64>::params().c(10.0)];
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
    // A row that is missing in all of it is predicted as well.
    let nothing = Array2::from_elem((1, 3), f64::NAN);
    assert_eq!(found.model.predict(&nothing).len(), 1);
}

/// A transformer that cannot be fitted in a fold leaves nothing to choose from.
#[test]
fn a_transformer_that_fails() {
    let mut data = data(20);
    // All values but one of a column are missing: without that sample there is none.
    data.records.column_mut(1).fill(f64::NAN);
    data.records[[4, 1]] = 3.0;
    let folds = Folds::leave_one_out(20).unwrap();
    let search = GridSearch::new([Exact::new(Gaussian::new(0.3))], [Svc::<f64>::params()]);
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

/// By weights, as by repeated samples; f32 too.
#[test]
fn what_fills_in() {
    let x: Array2<f32> = array![[1.0, f32::NAN], [2.0, 5.0], [9.0, -1.0], [f32::NAN, 5.0]];
    let values = |params: npt::methods::preprocessing::ImputerParams,
                  weights: Option<Array1<f32>>| {
        let data = DatasetBase::from(x.clone());
        let data = match weights {
            Some(weights) => data.with_weights(weights),
            None => data,
        };
        params.fit(&data).map(|imputer| imputer.values().to_owned())
    };
    assert_eq!(values(Imputer::mean(), None), Ok(array![4.0, 3.0]));
    assert_eq!(values(Imputer::median(), None), Ok(array![2.0, 5.0]));
    assert_eq!(values(Imputer::most_frequent(), None), Ok(array![1.0, 5.0]));
    assert_eq!(
        values(Imputer::constant(-7.0), None),
        Ok(array![-7.0, -7.0])
    );
    let weights = || Some(array![2.0, 0.0, 2.0, 1.0]);
    assert_eq!(values(Imputer::mean(), weights()), Ok(array![5.0, 1.0]));
    assert_eq!(values(Imputer::median(), weights()), Ok(array![5.0, -1.0]));
    assert_eq!(
        values(Imputer::most_frequent(), weights()),
        Ok(array![1.0, -1.0])
    );
    // Half of the weight on either side is the mean of two.
    assert_eq!(
        values(Imputer::median(), Some(array![1.0, 1.0, 2.0, 2.0])),
        Ok(array![5.5, 5.0])
    );
    let huge = DatasetBase::from(array![[f32::MAX], [f32::MAX], [f32::NAN]]);
    for params in [Imputer::mean(), Imputer::median()] {
        assert_eq!(params.fit(&huge).unwrap().values(), array![f32::MAX]);
    }

    let only_second = Some(array![0.0, 0.0, 0.0, 1.0]);
    assert_eq!(
        values(Imputer::mean(), only_second),
        Err(Error::NoValues { column: 0 })
    );
    let negative = values(Imputer::mean(), Some(array![1.0, -1.0, 1.0, 1.0]));
    assert_eq!(
        negative,
        Err(Error::Weight {
            row: 1,
            value: -1.0
        })
    );
    let refused = values(Imputer::constant(1e300), None).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "constant of Imputer is 1e300; it must be finite"
    );
    let infinite = DatasetBase::from(array![[1.0, 2.0], [3.0, f64::INFINITY]]);
    let expected = SampleNotFinite {
        row: 1,
        column: 1,
        value: f64::INFINITY,
    };
    assert_eq!(Imputer::median().fit(&infinite), Err(Error::Core(expected)));
    let none = DatasetBase::from(Array2::<f64>::zeros((0, 2)));
    assert_eq!(Imputer::median().fit(&none), Err(Error::Core(NoSamples)));
}

/// An estimator that says what weights and names it was given.
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

    // In a search those of the training samples: as by hand, and not as without.
    let folds = Folds::k(40, 4, 1).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let machine = [Svc::<f64>::params().c(0.3)];
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

/// A transformer that leaves out rows.
#[derive(Clone)]
struct Half;

impl<T> Fit<Array2<f64>, T, linfa::Error> for Half {
    type Object = Half;

    fn fit(&self, _: &DatasetBase<Array2<f64>, T>) -> Result<Half, linfa::Error> {
        Ok(Half)
    }
}

impl Transformer<Array2<f64>, Array2<f64>> for Half {
    fn transform(&self, x: Array2<f64>) -> Array2<f64> {
        x.slice(s![..;2, ..]).to_owned()
    }
}

#[test]
fn a_transformer_that_leaves_out_rows() {
    let data = data(20);
    let half = Pipeline::new(Half, KernelSvc::params(Gaussian::new(0.5)));
    let (samples, rows) = (20, 10);
    let expected = npt::Error::OutputRows { samples, rows };
    let refused = half.fit(&data).map(|_| ()).unwrap_err();
    assert!(
        matches!(&refused, PipelineError::Records(e) if e == &expected),
        "{refused}"
    );
    let search =
        GridSearch::new([Exact::new(Gaussian::new(0.5))], [Svc::<f64>::params()]).after(Half);
    let folds = Folds::k(20, 4, 1).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let scores = search.scores(&data, &folds, score).unwrap();
    assert_eq!(scores.failures().count(), 4);
    assert!(
        scores
            .failures()
            .all(|f| matches!(f.2, PipelineError::Records(e) if e == &expected))
    );
}

/// Where values may be missing, infinities are none; and empty records are told as such.
#[test]
fn what_is_not_missing() {
    let mut data = data(20);
    data.records[[3, 1]] = f64::NAN;
    data.records[[12, 2]] = f64::INFINITY;
    let folds = Folds::k(20, 4, 1).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let search = GridSearch::new([Exact::new(Gaussian::new(0.5))], [Svc::<f64>::params()]);
    let search = search.after(Imputer::mean()).with_missing_values();
    let refused = search.scores(&data, &folds, score).map(|_| ()).unwrap_err();
    let infinite = SampleNotFinite {
        row: 12,
        column: 2,
        value: f64::INFINITY,
    };
    assert_eq!(refused, Error::Core(infinite.clone()));
    let inner = |labels: &Array1<bool>| Folds::stratified(labels, 3, 0);
    let refused = search
        .nested_scores(&data, &folds, inner, score)
        .map(|_| ());
    assert_eq!(refused.unwrap_err(), Error::Core(infinite));

    data.records[[12, 2]] = 0.0;
    let pipeline = Pipeline::new(Imputer::mean(), KernelSvc::params(Gaussian::new(0.5)));
    let model = pipeline.with_missing_values().fit(&data).unwrap();
    let predict = |x: &Array2<f64>| -> Result<Array1<bool>, npt::Error> { model.try_predict(x) };
    assert_eq!(predict(&Array2::zeros((0, 0))), Err(NoSamples));
    let (expected, found) = (3, 1);
    assert_eq!(
        predict(&Array2::zeros((2, 1))),
        Err(ColumnCount { expected, found })
    );
}
