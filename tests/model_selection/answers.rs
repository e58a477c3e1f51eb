//! Tests scores of probabilities and of decision values: their values, and searches by them.

use super::select;
use linfa::Dataset;
use linfa_preprocessing::linear_scaling::LinearScaler;
use ndarray::{Array1, Array2, Axis, Ix1, array};
use npt::{
    methods::{
        linear::{CalibratedSvc, Logistic, Svc},
        model_selection::{
            Candidates, Decisions, Folds, GridSearch, Probabilities, Scores, area_under_curve,
            log_loss, roc_curve,
        },
    },
    prelude::*,
};
use npt_testkit::data::normal;

/// The scores have the values of scikit-learn 1.9.1: `roc_auc_score` and `log_loss(y, p, labels=[0, 1, 2])`.
#[test]
fn values_of_another_library() {
    let values = array![0.3, -1.2, 0.3, 2.0, 0.1, 0.3, -0.5, 0.0, 1.1, -0.0];
    let truth = array![
        true, false, false, true, true, false, true, false, true, true
    ];
    let area = area_under_curve(&values, &truth);
    assert!((area - AREA).abs() < 1e-15, "{area}");
    // The area does not depend on the units of the values, and is the same in f32.
    assert_eq!(area_under_curve(&(&values * 1e30), &truth), area);
    assert_eq!(area_under_curve(&values.mapv(|v| v as f32), &truth), area);
    // With the other sign and the other class the area is the same.
    let turned = area_under_curve(&-&values, &truth.mapv(|side| !side));
    assert!((turned - area).abs() < 1e-15);

    let p = array![
        [0.7, 0.2, 0.1],
        [0.1, 0.1, 0.8],
        [0.0, 1.0, 0.0],
        [0.25, 0.5, 0.25]
    ];
    let classes = vec![0_usize, 1, 2];
    let p = Probabilities { classes, values: p };
    let loss = log_loss(&p, &array![0, 2, 0, 1]);
    // A class of probability 0 that comes true counts as ε.
    assert!((loss - LOSS).abs() < 1e-14 * LOSS, "{loss}");
}
const AREA: f64 = 0.645_833_333_333_333_3;
const LOSS: f64 = 9.329_154_766_232_511;

/// The area is the share of ordered pairs, by its definition.
#[test]
fn the_area_counts_pairs() {
    for (n, seed) in [(2, 1), (17, 2), (60, 3)] {
        // There are few different values, so that many are equal.
        let values = normal(n, 1, seed).column(0).mapv(|v| (2.0 * v).round());
        let truth = Array1::from_shape_fn(n, |i| i % 3 == 0);
        let mut pairs = Vec::new();
        for (v, &is) in values.iter().zip(&truth) {
            for (w, &other) in values.iter().zip(&truth) {
                if is && !other {
                    pairs.push(if v > w {
                        1.0
                    } else if v == w {
                        0.5
                    } else {
                        0.0
                    });
                }
            }
        }
        let expected = pairs.iter().sum::<f64>() / pairs.len() as f64;
        let area = area_under_curve(&values, &truth);
        assert!((area - expected).abs() < 1e-14, "{area} {expected}");
        let curve = roc_curve(&values, &truth);
        assert_eq!((curve[0], curve[curve.len() - 1]), ([0.0; 2], [1.0; 2]));
        assert!(
            curve
                .windows(2)
                .all(|w| w[0][0] <= w[1][0] && w[0][1] <= w[1][1])
        );
    }
    // Neither score is known if there is one class only, or if a value is NaN.
    assert!(area_under_curve(&array![1.0, 2.0], &array![true, true]).is_nan());
    assert!(area_under_curve(&array![1.0, 2.0], &array![false, false]).is_nan());
    assert!(area_under_curve(&array![1.0, f64::NAN], &array![true, false]).is_nan());
    let values = array![[f64::NAN, 0.5]];
    let p = Probabilities {
        classes: vec!["a", "b"],
        values,
    };
    assert!(log_loss(&p, &array!["a"]).is_nan());
    // The training samples did not have this class.
    assert!((log_loss(&p, &array!["c"]) + f64::EPSILON.ln()).abs() < 1e-13);
}

fn data(n: usize) -> Dataset<f64, bool, Ix1> {
    let x = normal(n, 2, 5);
    let noise = normal(n, 1, 6);
    let rows = x.outer_iter().zip(noise.column(0));
    let sides = rows.map(|(row, noise)| row[0] * row[1] + 0.3 * noise > 0.0);
    let sides = sides.collect();
    Dataset::new(x, sides)
}

/// A search by what models answer, on each of its roads, gives the scores of each candidate by hand.
#[test]
fn of_searches() {
    let data = data(80);
    let folds = Folds::stratified(&data, 4, 1).unwrap();
    let spaces = || Candidates::new().kernels("γ", [0.05, 0.5], Gaussian::new);
    let loss = |p: &Probabilities<f64, bool>, truth: &Array1<bool>| {
        assert_eq!(p.classes, [false, true]);
        -log_loss(p, truth)
    };
    let area =
        |d: &Decisions<Array1<f64>, bool>, truth: &Array1<bool>| area_under_curve(&d.values, truth);
    macro_rules! by_hand {
        ($search:expr, $score:expr, |$model:ident, $x:ident, $truth:ident| $of:expr) => {{
            let search = $search;
            let scores: Scores<_, f64> = search.scores(&data, &folds, $score).unwrap();
            assert_eq!(scores.failures().count(), 0);
            for candidate in scores.candidates() {
                for turn in 0..4 {
                    let (training, held_out) = folds.split(turn);
                    let (training, held_out) = (select(&data, &training), select(&data, held_out));
                    let $model = search.estimator(candidate).fit(&training).unwrap();
                    let ($x, $truth) = (&held_out.records, &held_out.targets);
                    let expected: f64 = $of;
                    let found = *scores.of(candidate)[turn].as_ref().unwrap();
                    // A search may fit to values of all folds together, to the tolerance of its solver.
                    assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1.0), "{found} {expected}");
                }
            }
            scores
        }};
    }
    let of = |model: &dyn Fn() -> (Vec<bool>, Array2<f64>), truth: &Array1<bool>| {
        let (classes, values) = model();
        -log_loss(&Probabilities { classes, values }, truth)
    };
    let logistic = [0.1, 1.0].map(|penalty| Logistic::params().penalty(penalty));
    let scores = by_hand!(
        GridSearch::new(spaces(), logistic.clone()),
        loss,
        |m, x, truth| of(
            &|| (m.classes().to_vec(), m.predict_probabilities(x).unwrap()),
            truth
        )
    );
    // The probabilities are better than one half for each class.
    assert!(scores.mean(scores.best().unwrap()).unwrap() > -(2.0_f64.ln()));
    let search = GridSearch::new(spaces(), logistic)
        .by_coordinates()
        .after(LinearScaler::standard());
    by_hand!(search, loss, |m, x, truth| of(
        &|| (m.classes().to_vec(), m.predict_probabilities(x).unwrap()),
        truth
    ));
    let machines = [1.0, 10.0].map(|c| Svc::params().c(c).tolerance(1e-9));
    let scores = by_hand!(GridSearch::new(spaces(), machines), area, |m, x, truth| {
        area_under_curve(&m.decision_function(x).unwrap(), truth)
    });
    assert!(scores.mean(scores.best().unwrap()).unwrap() > 0.8);

    // The search chooses by losses, and the chosen model predicts probabilities.
    let calibrated = GridSearch::new(spaces(), [CalibratedSvc::params()]);
    let texts = data.map_targets(|&side| if side { "in" } else { "out" });
    let loss = |p: &Probabilities<f64, &str>, truth: &Array1<&str>| -log_loss(p, truth);
    let found = calibrated.fit_best(&texts, &folds, loss).unwrap();
    let p = found.model.predict_probabilities(&texts.records).unwrap();
    assert!(
        p.sum_axis(Axis(1))
            .iter()
            .all(|sum| (sum - 1.0).abs() < 1e-12)
    );
    let inner = |labels: &Array1<&str>| Folds::stratified(labels, 3, 0);
    let nested = calibrated
        .nested_scores(&texts, &folds, inner, loss)
        .unwrap();
    assert!(nested.mean().unwrap() > -(2.0_f64.ln()));
}
