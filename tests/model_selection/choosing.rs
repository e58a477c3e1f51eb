//! Tests the results of a search: tables, several scores, the best model fitted, random pairs, nested folds.

use super::{mean_squared_error, regression, rings, select};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, array};
use npt::{
    methods::{
        Error,
        linear::{Logistic, Ridge, Svc},
        model_selection::{
            Candidate, Candidates, Folds, GridSearch, Scores, SearchError, accuracy,
            balanced_accuracy, log_uniform,
        },
    },
    prelude::*,
};

type Failure = KernelizedError<Error>;

fn share(predicted: &Array1<bool>, truth: &Array1<bool>) -> f64 {
    accuracy(predicted, truth)
}

fn machines() -> Candidates<npt::methods::linear::SvcParams> {
    Candidates::new().over("C", [0.1, 10.0], |c| Svc::params().c(c))
}

fn kernels() -> Candidates<Exact<npt::NamedKernel<Rows<f64>, f64>>> {
    Candidates::new()
        .kernel("linear", Linear::new())
        .kernels("gaussian γ", [1e-4, 0.5], Gaussian::new)
        .kernels("polynomial of degree", [2, 3], |degree| {
            Polynomial::new(degree, 0.5, 1.0)
        })
}

/// Kernels of three types in one search score as each does alone.
#[test]
fn kernels_of_several_types() {
    let data = rings(60);
    let folds = Folds::stratified(&data, 4, 1).unwrap();
    let scores: Scores<Failure> = GridSearch::new(kernels(), machines())
        .scores(&data, &folds, share)
        .unwrap();
    let alone = |scores: Scores<Failure>| {
        let means = scores.candidates().map(|c| scores.mean(c).unwrap());
        means.collect::<Vec<f64>>()
    };
    let linear = GridSearch::new([Exact::new(Linear::new())], machines());
    let gaussian = [1e-4, 0.5].map(|gamma| Exact::new(Gaussian::new(gamma)));
    let gaussian = GridSearch::new(gaussian, machines());
    let polynomial = [2, 3].map(|degree| Exact::new(Polynomial::new(degree, 0.5, 1.0)));
    let polynomial = GridSearch::new(polynomial, machines());
    let expected = [
        alone(linear.scores(&data, &folds, share).unwrap()),
        alone(gaussian.scores(&data, &folds, share).unwrap()),
        alone(polynomial.scores(&data, &folds, share).unwrap()),
    ];
    assert_eq!(alone(scores), expected.concat());
}

/// Each of several scores is what it is alone, and the first one decides.
#[test]
fn several_scores_at_once() {
    let data = regression(40);
    let folds = Folds::k(40, 5, 7).unwrap();
    let error = |p: &Array1<f64>, t: &Array1<f64>| -mean_squared_error(p, t);
    // This score prefers predictions near 0, and so the largest penalty.
    let smallness = |p: &Array1<f64>, _: &Array1<f64>| -p.dot(p);
    let ridges = Candidates::new().over("λ", [1e-3, 0.1, 10.0], |penalty| {
        Ridge::params().penalty(penalty)
    });
    let search = GridSearch::new([Exact::new(Gaussian::new(0.3))], ridges);
    let both = |p: &Array1<f64>, t: &Array1<f64>| [error(p, t), smallness(p, t)];
    let scores: Scores<Failure, [f64; 2]> = search.scores(&data, &folds, both).unwrap();
    let [first, second] = [
        search.scores(&data, &folds, error).unwrap(),
        search.scores(&data, &folds, smallness).unwrap(),
    ] as [Scores<Failure>; 2];
    for candidate in scores.candidates() {
        let of = |scores: &Scores<Failure>| {
            let mean = scores.mean(candidate).unwrap();
            (mean, scores.deviation(candidate).unwrap())
        };
        let [mean, deviation] = [scores.mean(candidate), scores.deviation(candidate)];
        let ([a, b], [da, db]) = (mean.unwrap(), deviation.unwrap());
        assert_eq!([(a, da), (b, db)], [of(&first), of(&second)]);
    }
    assert_eq!(scores.best(), first.best());
    assert_eq!(scores.best_by(1), second.best());
    assert_ne!(first.best(), second.best());
}

#[test]
fn means_and_deviations() {
    let data = Dataset::new(array![[0.0], [1.0], [2.0]], array![1.0, 2.0, 6.0]);
    let folds = Folds::leave_one_out(3).unwrap();
    let search = GridSearch::new([Exact::new(Linear::new())], [Ridge::params()]);
    let truth = |_: &Array1<f64>, t: &Array1<f64>| t[0];
    let scores: Scores<Failure> = search.scores(&data, &folds, truth).unwrap();
    let only = scores.best().unwrap();
    assert_eq!(scores.mean(only), Ok(3.0));
    let expected = (14.0_f64 / 3.0).sqrt();
    assert!((scores.deviation(only).unwrap() - expected).abs() < 1e-15);
    let table = "\
space   method   score
0       0        3.0000 ± 2.1602";
    assert_eq!(scores.to_string(), table);
}

/// The table has the best candidate first, of equal ones the first; at its end are those that failed, with their errors.
#[test]
fn the_table() {
    let data = rings(60);
    let folds = Folds::stratified(&data, 4, 1).unwrap();
    let methods = machines().and("C = -1", Svc::params().c(-1.0));
    let spaces = Candidates::new().kernel("linear", Linear::new()).kernels(
        "gaussian γ",
        [0.5],
        Gaussian::new,
    );
    let search = GridSearch::new(spaces, methods);
    let of = |scores: f64| [scores, -scores * 1e-9];
    let score = |p: &Array1<bool>, t: &Array1<bool>| of(accuracy(p, t));
    let scores: Scores<Failure, [f64; 2]> = search.scores(&data, &folds, score).unwrap();
    let table = scores.to_string();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "space              method    score");
    let starts = [
        "gaussian γ = 0.5   C = 10    0.9",
        "gaussian γ = 0.5   C = 0.1   0.",
        "linear             C = ",
        "linear             C = ",
        "linear             C = -1    c of Svc is -1; it must be ",
        "gaussian γ = 0.5   C = -1    c of Svc is -1; it must be ",
    ];
    assert_eq!(lines.len(), 1 + starts.len());
    for (line, start) in lines[1..].iter().zip(starts) {
        assert!(line.starts_with(start), "{line}\n{table}");
    }
    assert!(lines[1].contains("e-10 ± "), "{table}");
}

#[test]
fn the_best_is_fitted_to_all_samples() {
    let data = rings(60);
    let folds = Folds::stratified(&data, 4, 1).unwrap();
    let search = GridSearch::new(kernels(), machines());
    let found = search.fit_best(&data, &folds, share).unwrap();
    assert_eq!(Some(found.candidate), found.scores.best());
    let again = search.estimator(found.candidate).fit(&data).unwrap();
    let new = npt_testkit::data::normal(20, 2, 9);
    let [values, expected]: [Array1<f64>; 2] =
        [&found.model, &again].map(|model| model.decision_function(&new).unwrap());
    assert_eq!(values, expected);

    let by_coordinates = search.by_coordinates();
    let found = by_coordinates.fit_best(&data, &folds, share).unwrap();
    assert_eq!(Some(found.candidate), found.scores.best());
    let again = by_coordinates
        .estimator(found.candidate)
        .fit(&data)
        .unwrap();
    assert_eq!(found.model.predict(&new), again.predict(&new));
}

#[test]
fn nothing_to_choose() {
    let data = rings(20);
    let folds = Folds::stratified(&data, 2, 1).unwrap();
    let none = |p: &Array1<bool>, t: &Array1<bool>| 0.0 * accuracy(p, t) / 0.0;
    let search = GridSearch::new(kernels(), machines());
    let found = search.fit_best(&data, &folds, none).map(|_| ());
    assert_eq!(found, Err(SearchError::Search(Error::NoScore)));

    let refused = GridSearch::new(kernels(), [Svc::params().c(-2.0)]);
    let found = refused.fit_best(&data, &folds, share).map(|_| ());
    let error = found.unwrap_err();
    assert!(matches!(
        error,
        SearchError::Fit(KernelizedError::Method(Error::Parameter {
            value: -2.0,
            ..
        }))
    ));

    let uneven = GridSearch::new(kernels(), machines()).paired();
    let found: Result<Scores<Failure>, _> = uneven.scores(&data, &folds, share);
    let error = found.unwrap_err();
    let (spaces, methods) = (5, 2);
    assert_eq!(error, Error::Unpaired { spaces, methods });
    assert_eq!(
        error.to_string(),
        "5 spaces cannot be paired with 2 methods"
    );

    let named = GridSearch::new(kernels(), machines()).score_names(["accuracy", "recall"]);
    let found: Result<Scores<Failure>, _> = named.scores(&data, &folds, share);
    let error = found.unwrap_err();
    let (names, scores) = (2, 1);
    assert_eq!(error, Error::ScoreNames { names, scores });
    assert_eq!(error.to_string(), "2 names cannot be the titles of 1 score");
    let inner = |labels: &Array1<bool>| Folds::stratified(labels, 2, 1);
    let nested = named.nested_scores(&data, &folds, inner, share);
    assert_eq!(nested.map(|_| ()), Err(Error::ScoreNames { names, scores }));
}

/// Random pairs score as they do in the grid.
#[test]
fn random_pairs() {
    let data = regression(40);
    let folds = Folds::k(40, 5, 7).unwrap();
    let spaces = Candidates::new().over("γ", log_uniform(1e-2, 10.0, 6, 1), |gamma| {
        Exact::new(Gaussian::new(gamma))
    });
    let methods = Candidates::new().over("λ", log_uniform(1e-4, 1.0, 6, 2), |penalty| {
        Ridge::params().penalty(penalty)
    });
    let error = |p: &Array1<f64>, t: &Array1<f64>| -mean_squared_error(p, t);
    let grid = GridSearch::new(spaces, methods);
    let pairs: Scores<Failure> = grid.clone().paired().scores(&data, &folds, error).unwrap();
    let grid: Scores<Failure> = grid.scores(&data, &folds, error).unwrap();
    let expected: Vec<_> = (0..6)
        .map(|place| Candidate {
            space: place,
            method: place,
        })
        .collect();
    assert_eq!(pairs.candidates().collect::<Vec<_>>(), expected);
    for candidate in expected {
        assert_eq!(pairs.of(candidate), grid.of(candidate));
        assert_eq!(pairs.names(candidate), grid.names(candidate));
    }
}

#[test]
fn random_numbers() {
    let drawn = log_uniform(2e-3, 5e2, 1000, 3);
    assert_eq!(drawn, log_uniform(2e-3, 5e2, 1000, 3));
    assert_ne!(drawn, log_uniform(2e-3, 5e2, 1000, 4));
    assert!(drawn.iter().all(|v| (2e-3..=5e2).contains(v)));
    // The logarithm has the mean 0 and the variance of a uniform number on ±(ln 500 + ln 500)/2.
    let logarithms: Array1<f64> = drawn.iter().map(|v| v.ln()).collect();
    let half = (5e2_f64 / 2e-3).ln() / 2.0;
    let sigma = half / 3.0_f64.sqrt();
    assert!(logarithms.mean().unwrap().abs() < 4.0 * sigma / 1000.0_f64.sqrt());
    assert!((logarithms.std(0.0) / sigma - 1.0).abs() < 0.1);
    for value in drawn {
        assert_eq!(format!("{value:.2e}").parse(), Ok(value));
    }
}

/// Nested scores are those of searching, fitting and scoring on each fold by hand; for samples that are no vectors, too.
#[test]
fn nested_scores_are_of_searching() {
    let data = rings(60);
    let outer = Folds::stratified(&data, 3, 5).unwrap();
    let search = GridSearch::new(kernels(), machines());
    let inner = |labels: &Array1<bool>| Folds::stratified(labels, 4, 6);
    let nested = search.nested_scores(&data, &outer, inner, share).unwrap();
    for (turn, found) in nested.folds.iter().enumerate() {
        let (training, held_out) = outer.split(turn);
        let (training, held_out) = (select(&data, &training), select(&data, held_out));
        let folds = inner(training.targets()).unwrap();
        let best = search.fit_best(&training, &folds, share).unwrap();
        let score = share(&best.model.predict(held_out.records()), held_out.targets());
        assert_eq!(found.as_ref().unwrap(), &(best.candidate, score));
    }
    let scores = nested.folds.iter().map(|found| found.as_ref().unwrap().1);
    let mean = scores.sum::<f64>() / 3.0;
    assert!((nested.mean().unwrap() - mean).abs() < 1e-15);
    let table = nested.to_string();
    assert_eq!(table.lines().count(), 5);
    assert!(
        table
            .lines()
            .last()
            .unwrap()
            .ends_with(&format!("{mean:.4}")),
        "{table}"
    );

    let words: Vec<String> = (0..40)
        .map(|i| "ab".repeat(1 + i % 7) + &"c".repeat(i % 2))
        .collect();
    let ends: Array1<usize> = words
        .iter()
        .map(|word| usize::from(word.ends_with('c')))
        .collect();
    let data = DatasetBase::new(Items::new(words).unwrap(), ends);
    let search = GridSearch::new(
        Candidates::new().over("length", [1, 2], |n| Exact::new(Spectrum::new(n))),
        [Logistic::params()],
    );
    let outer = Folds::stratified(&data, 4, 0).unwrap();
    let nested = search.nested_scores(
        &data,
        &outer,
        |labels: &Array1<usize>| Folds::stratified(labels, 3, 0),
        |p: &Array1<usize>, t: &Array1<usize>| accuracy(p, t),
    );
    assert_eq!(nested.unwrap().mean(), Ok(1.0));
}

/// Errors in the records are reported once, with the rows of the whole data, whichever fold they are in.
#[test]
fn nested_scores_of_bad_records() {
    let mut data = rings(30);
    data.records[[17, 1]] = f64::NAN;
    let outer = Folds::stratified(&data, 3, 5).unwrap();
    let search = GridSearch::new(kernels(), machines());
    let inner = |labels: &Array1<bool>| Folds::stratified(labels, 4, 6);
    let refused = search
        .nested_scores(&data, &outer, inner, share)
        .unwrap_err();
    let at = |error: &Error| {
        matches!(
            error,
            Error::Core(npt::Error::SampleNotFinite {
                row: 17,
                column: 1,
                ..
            })
        )
    };
    assert!(at(&refused), "{refused}");
    let none = GridSearch::new(
        kernels(),
        Candidates::<npt::methods::linear::SvcParams>::new(),
    );
    let refused = none.nested_scores(&rings(30), &outer, inner, share);
    assert_eq!(refused.unwrap_err(), Error::NoCandidates);

    // The chosen model refuses a sample held out: an error takes the place of the fold's score.
    let mut data = rings(30);
    data.records.mapv_inplace(f64::abs);
    data.records[[17, 1]] = -1.0;
    let histograms = [Exact::new(ChiSquared::new(0.5))];
    let search = GridSearch::new(histograms, machines());
    let nested = search.nested_scores(&data, &outer, inner, share).unwrap();
    assert_eq!(nested.folds.iter().filter(|fold| fold.is_err()).count(), 3);
}

/// A fold in which nothing can be chosen has the error in its place.
#[test]
fn nested_failures() {
    let mut data = rings(20);
    data.targets.fill(false);
    data.targets[3] = true;
    data.targets[4] = true;
    let outer = Folds::leave_one_out(20).unwrap();
    let search = GridSearch::new([Exact::new(Gaussian::new(0.5))], machines());
    let inner = |labels: &Array1<bool>| Folds::stratified(labels, 19, 0);
    let nested = search.nested_scores(&data, &outer, inner, share).unwrap();
    // Without one of the two samples, a fold has one class.
    let one_class = SearchError::Fit(KernelizedError::Method(Error::Classes { found: 1 }));
    for (turn, found) in nested.folds.iter().enumerate() {
        match turn {
            3 | 4 => assert_eq!(found.as_ref(), Err(&one_class)),
            _ => assert!(found.is_ok(), "{found:?}"),
        }
    }
    assert_eq!(nested.mean(), Err(&one_class));
    assert!(nested.to_string().contains("the targets hold 1 class"));
    let refused = search.nested_scores(&data, &Folds::k(19, 3, 0).unwrap(), inner, share);
    let (expected, found) = (20, 19);
    assert_eq!(refused, Err(Error::FoldsOfOthers { expected, found }));
}

#[test]
fn rare_classes_count_as_much() {
    let truth = array!["a", "a", "a", "b", "c", "c"];
    let predicted = array!["a", "a", "b", "b", "a", "b"];
    let recalls: [f64; 3] = [2.0 / 3.0, 1.0, 0.0];
    let expected = recalls.iter().sum::<f64>() / 3.0;
    assert!((balanced_accuracy(&predicted, &truth) - expected).abs() < 1e-15);
    // All predictions are the larger class.
    let truth = Array1::from_shape_fn(100, |i| i < 3);
    assert_eq!(
        balanced_accuracy(&Array1::<bool>::default(100), &truth),
        0.5
    );
    let many: Array2<f64> = npt_testkit::data::normal(30, 1, 1);
    let labels = many.column(0).mapv(|v| v > 0.0);
    assert_eq!(balanced_accuracy(&labels, &labels), 1.0);
}
