//! Candidates of all kinds over the same folds.

use super::{labels, matrix, numbers, positions, texts};
use ndarray::Array1;
use npt_core::Gaussian;
use npt_core::{Axes, Exact, Items};
use npt_estimator::{Data, Error, Estimator, Score, Search, SearchResults, Targets};
use npt_methods::{
    linear::Svc,
    model_selection::{Candidates, Folds, GridSearch, accuracy},
};

fn classifiers() -> Vec<Estimator> {
    let svc = Estimator::new("svc(tolerance = 1e-9)", "gaussian(gamma = 1)").unwrap();
    svc.grid([
        ("kernel.gamma", vec![0.1.into(), 1.0.into()]),
        ("c", vec![1.0.into(), 10.0.into()]),
    ])
    .unwrap()
}

#[test]
fn scores_are_those_of_the_typed_search() {
    let search = Search::new(classifiers(), Score::Accuracy).folds(4).seed(3);
    let results = search.results(&Data::from(matrix()), labels(2)).unwrap();

    let sides: Array1<bool> = labels(2).into_iter().map(|label| label == 1).collect();
    let spaces = Candidates::new().over("gamma", [0.1, 1.0], |gamma| {
        Exact::new(Gaussian::new(gamma)).axes(Axes::Cholesky)
    });
    let methods = Candidates::new().over("c", [1.0, 10.0], |c| Svc::params().tolerance(1e-9).c(c));
    let typed = GridSearch::new(spaces, methods);
    let data = linfa::Dataset::new(matrix(), sides.clone());
    let folds = Folds::stratified(&sides, 4, 3).unwrap();
    let expected = typed
        .scores(
            &data,
            &folds,
            |predicted: &Array1<bool>, truth: &Array1<bool>| accuracy(predicted, truth),
        )
        .unwrap();
    for (candidate, scored) in typed.candidates().into_iter().zip(results.candidates()) {
        let expected: Vec<f64> = expected
            .of(candidate)
            .iter()
            .map(|score| *score.as_ref().unwrap())
            .collect();
        let found: Vec<f64> = scored
            .scores
            .iter()
            .map(|score| *score.as_ref().unwrap())
            .collect();
        assert_eq!(found, expected, "{}", scored.estimator);
    }
}

/// Machines of one kernel are fitted to the folds together, and score as each does by itself: with transformers, weights, samples of
/// other types, and by every score of sides and values.
#[test]
fn machines_that_are_fitted_together_score_as_alone() {
    let letter = |i: usize, k: usize| ["a", "b", "c"][(i * i + 5 * k * i + k) % 7 % 3];
    let text = |i| (0..6 + i % 5).map(|k| letter(i, k)).collect::<String>();
    let texts: Vec<String> = (0..20).map(text).collect();
    let weights: Array1<f32> = (0..20).map(|i| (i % 3) as f32).collect();
    let dense = Data::from(matrix());
    for (data, kernel, transformer) in [
        (dense.clone(), "gaussian(gamma = 0.5)", None),
        (
            dense.clone(),
            "laplacian(gamma = 0.3)",
            Some("standard_scaler"),
        ),
        (
            dense.clone().with_weights(weights),
            "gaussian(gamma = 0.5)",
            Some("standard_scaler"),
        ),
        (
            Data::new(Items::new(texts).unwrap()),
            "spectrum(length = 2)",
            None,
        ),
    ] {
        let mut svc = Estimator::new("svc(tolerance = 1e-9)", kernel).unwrap();
        if let Some(transformer) = transformer {
            svc = svc.transformer(transformer).unwrap();
        }
        let grid = svc
            .grid([("c", vec![10.0.into(), 0.1.into(), 1.0.into()])])
            .unwrap();
        for score in [
            Score::Accuracy,
            Score::BalancedAccuracy,
            Score::AreaUnderCurve,
        ] {
            let results = |candidates: Vec<Estimator>| {
                let search = Search::new(candidates, score).folds(4).seed(3);
                search.results(&data, labels(2)).unwrap()
            };
            let together = results(grid.clone());
            for (candidate, scored) in grid.iter().zip(together.candidates()) {
                let alone = results(vec![candidate.clone()]);
                assert_eq!(scored, &alone.candidates()[0], "{score} of {candidate}");
            }
        }
    }
}

/// Kernels that are compared in one search score as each does in a search of its own: kernel matrices are made in the memory of others.
#[test]
fn kernels_do_not_change_the_scores_of_others() {
    // Matrices of fewer samples are too small to be made in the memory of others.
    let angle = |i: usize| 0.7 * i as f64;
    let x = ndarray::Array2::from_shape_fn((1040, 2), |(i, j)| {
        let radius = 1.0 + (i % 2) as f64 * (1.0 + (angle(i) * 3.0).sin());
        radius
            * if j == 0 {
                angle(i).cos()
            } else {
                angle(i).sin()
            }
    });
    let (data, sides) = (Data::from(x), (0..1040).map(|i| i % 2));
    let sides: Vec<i64> = sides.collect();
    for transformer in [None, Some("standard_scaler")] {
        let of_kernel = |kernel| {
            let mut svc = Estimator::new("svc", kernel).unwrap();
            if let Some(transformer) = transformer {
                svc = svc.transformer(transformer).unwrap();
            }
            svc.grid([("c", vec![1.0.into(), 0.1.into()])]).unwrap()
        };
        let kernels = [
            "gaussian(gamma = 1)",
            "laplacian(gamma = 0.3)",
            "gaussian(gamma = 10) + matern(smoothness = 1.5, length_scale = 0.5)",
            "gaussian(gamma = 0.1)",
        ];
        let results = |candidates: Vec<Estimator>| {
            let search = Search::new(candidates, Score::AreaUnderCurve).folds(3);
            search.results(&data, sides.clone()).unwrap()
        };
        let together = results(kernels.into_iter().flat_map(of_kernel).collect());
        let alone = kernels.map(|kernel| results(of_kernel(kernel))).into_iter();
        let alone = alone.flat_map(|results| results.candidates().to_vec());
        for (scored, alone) in together.candidates().iter().zip(alone) {
            assert_eq!(scored, &alone);
            assert!(scored.mean().is_ok(), "{scored:?}");
        }
    }
}

/// An error of a fold is that of each machine. Machines of more classes, and of other scores, are fitted one by one.
#[test]
fn machines_that_cannot_be_fitted_together() {
    let svc = Estimator::new("svc", "gaussian(gamma = 0.5)").unwrap();
    let grid = svc.grid([("c", vec![1.0.into(), 10.0.into()])]).unwrap();
    let results = |score, data: Data, targets: Vec<i64>| {
        let search = Search::new(grid.clone(), score).folds(2);
        search.results(&data, targets).unwrap()
    };
    let three = results(Score::Accuracy, matrix().into(), labels(3));
    assert!(
        three
            .candidates()
            .iter()
            .all(|scored| scored.mean().is_ok())
    );
    let losses = results(Score::LogLoss, matrix().into(), labels(2));
    assert!(
        losses
            .candidates()
            .iter()
            .all(|scored| scored.mean().is_err())
    );
    let alike = results(
        Score::Accuracy,
        ndarray::Array2::<f64>::zeros((20, 3)).into(),
        labels(2),
    );
    for scored in alike.candidates() {
        assert_eq!(scored.scores.len(), 2);
        assert!(
            scored.mean().unwrap_err().contains("no variance"),
            "{scored:?}"
        );
    }
}

#[test]
fn methods_of_all_kinds_stand_in_one_table() {
    let kfd = Estimator::new("kfd", "linear")
        .unwrap()
        .transformer("standard_scaler")
        .unwrap();
    let hopeless = Estimator::new("svc", "spectrum(length = 2)").unwrap();
    let search = Search::new(classifiers(), Score::BalancedAccuracy)
        .candidate(kfd)
        .candidate(hopeless);
    let found = search
        .fit_best(&Data::from(matrix()), texts(&positions(3)))
        .unwrap();
    let table = found.results.to_string();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 1 + 6);
    assert!(lines[0].starts_with("balanced_accuracy"), "{table}");
    assert!(
        lines[6].contains("spectrum(length = 2) is no kernel on dense vectors"),
        "{table}"
    );
    let best = found.results.best().unwrap();
    assert_eq!(found.model.estimator(), &best.estimator);
    let means: Vec<f64> = found
        .results
        .candidates()
        .iter()
        .filter_map(|scored| scored.mean().ok())
        .collect();
    assert_eq!(
        best.mean().unwrap(),
        means.iter().copied().fold(0.0, f64::max)
    );
    let kept = serde_json::to_string(&found.results).unwrap();
    assert_eq!(
        serde_json::from_str::<SearchResults>(&kept).unwrap(),
        found.results
    );
}

#[test]
fn losses_are_best_where_they_are_smallest() {
    let ridge = Estimator::new("ridge", "gaussian(gamma = 0.5)").unwrap();
    let grid = ridge
        .grid([("penalty", vec![1e-3.into(), 1e6.into()])])
        .unwrap();
    let score = |score| {
        let found = Search::new(grid.clone(), score)
            .results(&Data::from(matrix()), numbers())
            .unwrap();
        assert_eq!(found.best().unwrap().estimator, grid[0]);
        found.best().unwrap().mean().unwrap()
    };
    assert!(score(Score::R2) > 0.5);
    assert!((0.0..0.5).contains(&score(Score::MeanSquaredError)));

    let logistic = Estimator::new("logistic", "gaussian(gamma = 0.5)").unwrap();
    let grid = logistic
        .grid([("penalty", vec![0.01.into(), 1e6.into()])])
        .unwrap();
    let score = |score| {
        let found = Search::new(grid.clone(), score)
            .results(&Data::from(matrix()), labels(2))
            .unwrap();
        let of = |place: usize| found.candidates()[place].mean().unwrap();
        (of(0), of(1), found.best().unwrap().estimator == grid[0])
    };
    // With so large a penalty, both classes are equally likely.
    let (small, large, is_first) = score(Score::LogLoss);
    assert!(small < large && is_first && (large - 2.0_f64.ln()).abs() < 0.01);
    assert!(score(Score::AreaUnderCurve).0 > 0.8);
}

#[test]
fn a_search_is_read() {
    let text = r#"{
        "score": "accuracy", "folds": 3,
        "candidates": [
            {"method": "svc", "kernel": "gaussian(gamma = 1) + linear", "space": "nystrom(landmarks = 5)",
             "transformers": ["standard_scaler"],
             "grid": {"c": [1, 10.5], "kernel.first.gamma": [0.1, 1], "space.landmarks": [4, 6, 8], "strategy": ["one_against_rest"]}},
            {"method": "kfd", "kernel": "linear"}
        ]
    }"#;
    let search: Search = serde_json::from_str(text).unwrap();
    assert_eq!(search.candidates().len(), 2 * 2 * 3 + 1);
    assert_eq!(
        search.candidates()[1].to_string(),
        "standard_scaler, svc(strategy = \"one_against_rest\", c = 1) in nystrom(landmarks = 6) of sum(gaussian(gamma = 0.1), linear)"
    );
    let results = search.results(&Data::from(matrix()), labels(2)).unwrap();
    assert!(
        results
            .candidates()
            .iter()
            .all(|scored| scored.mean().is_ok()),
        "{results}"
    );
    let refused = |change: fn(&str) -> String| {
        serde_json::from_str::<Search>(&change(text))
            .unwrap_err()
            .to_string()
    };
    let error = refused(|text| text.replace("\"c\": [1, 10.5]", "\"cost\": [1]"));
    assert!(error.contains("svc has no parameter cost"), "{error}");
    let error = refused(|text| text.replace("first.gamma", "first.width"));
    assert!(error.contains("gaussian has no parameter width"), "{error}");
    let error = refused(|text| text.replace("[4, 6, 8]", "[0]"));
    assert!(
        error.contains("landmarks of nystrom is 0; it must be at least 1"),
        "{error}"
    );
    let error = refused(|text| text.replace("[0.1, 1]", "[-1]"));
    assert!(
        error.contains("gamma of gaussian is -1; it must be finite and above 0"),
        "{error}"
    );
    let error = refused(|text| text.replace("accuracy", "precision"));
    assert!(error.contains("balanced_accuracy"), "{error}");
    let error = refused(|text| text.replace("\"folds\"", "\"fold\""));
    assert!(error.contains("fold"), "{error}");
}

#[test]
fn what_concerns_all_candidates_is_an_error() {
    let data = Data::from(matrix());
    let error =
        |search: Search, targets: Targets| search.fit_best(&data, targets).unwrap_err().to_string();
    let none = Search::new(Vec::new(), Score::Accuracy);
    assert!(none.fit_best(&data, labels(2)).is_err());
    let search = || Search::new(classifiers(), Score::Accuracy);
    assert!(matches!(
        search().folds(1).fit_best(&data, labels(2)),
        Err(Error::Fit(_))
    ));
    assert!(matches!(
        search().folds(21).fit_best(&data, labels(2)),
        Err(Error::Fit(_))
    ));
    assert_eq!(
        error(search(), vec![true].into()),
        "1 target for 20 samples; each sample takes one"
    );
    assert_eq!(
        error(search(), numbers().into()),
        "the score accuracy takes labels, and was given numbers"
    );
    assert_eq!(
        error(search(), Targets::None),
        "the score accuracy takes labels, and was given no targets"
    );
    let r2 = Search::new(classifiers(), Score::R2);
    assert_eq!(
        error(r2, numbers().into()),
        "none of 4 candidates could be fitted and scored: svc takes a label a sample, and was given numbers"
    );
    let weighed = Data::from(matrix()).with_weights(vec![1.0_f32; 16]);
    let text = search()
        .results(&weighed, labels(2))
        .unwrap_err()
        .to_string();
    assert_eq!(text, "16 weights for 20 samples; each sample takes one");
    let empty = classifiers()[0].grid([("c", Vec::new())]).unwrap_err();
    assert_eq!(
        empty.to_string(),
        "the grid has no values of c; it takes one or more"
    );
    let probabilities = Search::new(classifiers(), Score::LogLoss);
    let text = error(probabilities, labels(2).into());
    assert!(
        text.ends_with("svc has no predict_probabilities; it has predict, decision_function, to_onnx, to_libsvm"),
        "{text}"
    );
}

#[test]
fn a_search_can_be_ended() {
    let token = npt_core::watch::CancellationToken::new();
    token.cancel();
    let search = Search::new(classifiers(), Score::Accuracy);
    let ended = token.run(|| {
        search
            .fit_best(&Data::from(matrix()), labels(2))
            .map(|_| ())
            .map_err(Box::new)
    });
    assert!(
        matches!(ended, Err(npt_core::watch::Interrupted::Cancelled { .. })),
        "{ended:?}"
    );
}

#[test]
fn scores_look_at_what_they_are_given() {
    let data = Data::from(matrix());
    let ridge = Estimator::new("ridge", "linear")
        .unwrap()
        .fit(&data, numbers())
        .unwrap();
    let short: Targets = vec![1.0; 5].into();
    for score in [Score::R2, Score::MeanSquaredError] {
        let error = score.of(&ridge, &data, &short).unwrap_err();
        assert_eq!(
            error.to_string(),
            "5 targets for 20 samples; each sample takes one"
        );
        let wide: Targets = ndarray::Array2::zeros((20, 2)).into();
        let error = score.of(&ridge, &data, &wide).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("was given 1 columns of predictions for 2 of targets"),
            "{error}"
        );
    }
    let kfd = Estimator::new("kfd", "linear").unwrap();
    let two = kfd.fit(&data, labels(2)).unwrap();
    assert!(
        Score::Accuracy
            .of(&two, &data, &vec![1_i64; 3].into())
            .is_err()
    );
    // The values order the samples as they tell the classes apart.
    assert!(
        Score::AreaUnderCurve
            .of(&two, &data, &labels(2).into())
            .unwrap()
            > 0.9
    );
    let three = kfd.fit(&data, labels(3)).unwrap();
    let error = Score::AreaUnderCurve
        .of(&three, &data, &labels(3).into())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the score area_under_curve takes labels of two classes, and was given 3 classes"
    );
    let clusters = Estimator::new("kmeans(clusters = 2)", "linear")
        .unwrap()
        .fit(&data, ())
        .unwrap();
    let error = Score::Accuracy
        .of(&clusters, &data, &labels(2).into())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("was given predictions that are no labels"),
        "{error}"
    );
}
