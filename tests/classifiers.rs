//! Every classifier has the same methods, whichever road it was fitted by.

use linfa::Label;
use ndarray::{Array1, Array2, ArrayView1, Axis, array};
use npt::{
    Error,
    methods::{
        KernelCalibratedSvc, KernelLogistic, KernelNuSvc, KernelOneClassSvm,
        linear::{Chain, Lda, Logistic, MulticlassSvc, Strategy, Svc},
    },
    prelude::*,
};
use npt_testkit::data;

/// Samples of three classes in rings, which no line tells apart.
fn rings() -> (Array2<f64>, Array1<&'static str>) {
    let x = data::normal(150, 2, 3);
    let name = |row: ArrayView1<'_, f64>| match row.dot(&row) {
        ..0.7 => "inner",
        0.7..2.2 => "middle",
        _ => "outer",
    };
    let names = x.map_axis(Axis(1), name);
    (x, names)
}

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.5)
}

fn close(a: &Array2<f64>, b: &Array2<f64>, tolerance: f64) {
    assert_eq!(a.dim(), b.dim());
    let off = (a - b).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off < tolerance, "{off:e}");
}

fn largest(row: ArrayView1<'_, f64>) -> usize {
    (0..row.len()).fold(0, |best, k| if row[k] > row[best] { k } else { best })
}

/// The class with the largest value in each row.
fn chosen<L: Label>(values: &Array2<f64>, classes: &[L]) -> Array1<L> {
    values.map_axis(Axis(1), |row| classes[largest(row)].clone())
}

/// Checks that a model returns the same values as an expansion and by coordinates, and that bad samples are an error on both roads. Returns
/// the values.
macro_rules! same_on_both_roads {
    ($expanded:expr, $by_coordinates:expr, $new:expr, $ask:ident) => {{
        let found = $expanded.$ask($new).unwrap();
        close(&found, &$by_coordinates.$ask($new).unwrap(), 1e-6);
        let (expected, found_columns) = (2, 3);
        let error = Error::ColumnCount {
            expected,
            found: found_columns,
        };
        let wide = data::normal(4, 3, 1);
        assert_eq!($expanded.$ask(&wide), Err(error.clone()));
        assert_eq!($by_coordinates.$ask(&wide), Err(error));
        let bad = $expanded.$ask(&array![[f64::NAN, 0.0]]);
        let (row, column) = (0, 0);
        assert!(
            matches!(bad, Err(Error::SampleNotFinite { row: r, column: c, .. }) if (r, c) == (row, column))
        );
        found
    }};
}

macro_rules! both_roads {
    ($method:expr, $label:expr) => {{
        let (x, names) = rings();
        let train = linfa::Dataset::new(x, names.mapv($label));
        let method = $method;
        let expanded = method.fit(&train).unwrap();
        let by_coordinates = method.by_coordinates().fit(&train).unwrap();
        let mut classes = train.targets().to_vec();
        classes.sort();
        classes.dedup();
        assert_eq!(expanded.classes(), classes);
        assert_eq!(by_coordinates.classes(), classes);
        (expanded, by_coordinates, classes)
    }};
}

/// The predicted class is the one with the largest value, where each class has a value.
#[test]
fn one_value_a_class() {
    let new = data::normal(40, 2, 4);
    let logistic = KernelLogistic::params(kernel()).method(|m| m.penalty(0.1));
    let (expanded, by_coordinates, classes) = both_roads!(logistic, |name| name);
    let values = same_on_both_roads!(expanded, by_coordinates, &new, decision_function);
    assert_eq!(expanded.predict(&new), chosen(&values, &classes));

    let (expanded, by_coordinates, classes) = both_roads!(Kfd::params(kernel()), str::to_string);
    let values = same_on_both_roads!(expanded, by_coordinates, &new, decision_function);
    assert_eq!(expanded.predict(&new), chosen(&values, &classes));

    let rest = KernelSvc::params(kernel());
    let rest = rest.method(|m| m.strategy(Strategy::OneAgainstRest).c(10.0).tolerance(1e-9));
    let (expanded, by_coordinates, classes) = both_roads!(rest, str::len);
    let values = same_on_both_roads!(expanded, by_coordinates, &new, decision_function);
    assert_eq!(expanded.predict(&new), chosen(&values, &classes));
}

#[test]
fn one_value_a_pair() {
    let new = data::normal(40, 2, 4);
    let pairs = KernelSvc::params(kernel()).method(|m| m.c(10.0).tolerance(1e-9));
    let (expanded, by_coordinates, classes) = both_roads!(pairs, |name| name);
    let values = same_on_both_roads!(expanded, by_coordinates, &new, decision_function);
    let votes = Array2::from_shape_fn((40, 3), |(i, class)| {
        let of = |pair: usize, first: usize, second: usize| {
            let winner = if values[[i, pair]] >= 0.0 {
                first
            } else {
                second
            };
            f64::from(u8::from(winner == class))
        };
        of(0, 0, 1) + of(1, 0, 2) + of(2, 1, 2)
    });
    let clear = |row: ArrayView1<'_, f64>| row.iter().any(|&votes| votes == 2.0);
    let (predicted, winners) = (expanded.predict(&new), chosen(&votes, &classes));
    for (i, votes) in votes.outer_iter().enumerate() {
        assert!(!clear(votes) || predicted[i] == winners[i]);
    }
}

/// Probabilities have one column a class, in the order of the classes, and the predicted class has the largest.
#[test]
fn probabilities() {
    let new = data::normal(40, 2, 4);
    let logistic = KernelLogistic::params(kernel()).method(|m| m.penalty(0.1));
    let (expanded, by_coordinates, classes) = both_roads!(logistic, |name| name);
    let p = same_on_both_roads!(expanded, by_coordinates, &new, predict_probabilities);
    assert_eq!(expanded.predict(&new), chosen(&p, &classes));
    assert!((p.sum_axis(Axis(1)) - 1.0).iter().all(|d| d.abs() < 1e-14));

    let calibrated = KernelCalibratedSvc::params(kernel()).method(|m| m.folds(3).tolerance(1e-9));
    let (expanded, by_coordinates, classes) = both_roads!(calibrated, |name| name);
    let p = same_on_both_roads!(expanded, by_coordinates, &new, predict_probabilities);
    assert_eq!(expanded.predict(&new), chosen(&p, &classes));
    assert!((p.sum_axis(Axis(1)) - 1.0).iter().all(|d| d.abs() < 1e-14));
    let values = same_on_both_roads!(expanded, by_coordinates, &new, decision_function);
    assert_eq!(values, expanded.transform(new.clone()));
    let values = expanded.inner().decision_function(&values);
    // A value may overflow far away: no class has a probability there.
    let p = expanded.inner().predict_probabilities(&(values * f64::NAN));
    assert!(p.iter().all(|v| v.is_nan()));
}

/// Two classes have one function, and the probability of the second class grows with it.
#[test]
fn two_classes() {
    let new = data::normal(40, 2, 4);
    let svc = KernelSvc::params(kernel()).method(|m| m.c(10.0).tolerance(1e-9));
    let (expanded, by_coordinates, _) = both_roads!(svc, |name| name == "inner");
    let values = expanded.decision_function(&new).unwrap();
    let off = &values - &by_coordinates.decision_function(&new).unwrap();
    assert!(off.iter().all(|d| d.abs() < 1e-6));
    let sides: Array1<bool> = expanded.predict(&new);
    assert_eq!(sides, values.mapv(|v| v >= 0.0));

    let nu = KernelNuSvc::params(0.3, kernel());
    let (expanded, _, _) = both_roads!(nu, |name| name == "inner");
    assert_eq!(expanded.decision_function(&new).unwrap().len(), 40);

    let logistic = KernelLogistic::params(kernel()).method(|m| m.penalty(0.1));
    let (expanded, by_coordinates, _) = both_roads!(logistic, |name| name == "inner");
    let values = same_on_both_roads!(expanded, by_coordinates, &new, decision_function);
    let p = expanded.predict_probabilities(&new).unwrap();
    let odds = p.column(1).mapv(f64::ln) - p.column(0).mapv(f64::ln);
    assert!((&values.column(0) - &odds).iter().all(|d| d.abs() < 1e-10));

    let (x, _) = rings();
    let one = KernelOneClassSvm::params(0.2, kernel());
    let model = one.fit(&linfa::DatasetBase::from(x)).unwrap();
    assert_eq!(model.classes(), [false, true]);
    let known: Array1<bool> = model.predict(&new);
    assert_eq!(
        known,
        model.decision_function(&new).unwrap().mapv(|v| v >= 0.0)
    );
}

/// A chain classifies by what another method returns for its records.
#[test]
fn chains() {
    let (x, names) = rings();
    let new = data::normal(40, 2, 4);
    let scores = Lda::params().ridge(0.1);
    let logistic = Logistic::params().penalty(0.1);
    let chain = Kernelized::new(Chain::new(scores, logistic), Exact::new(kernel()));
    let model = chain
        .fit(&linfa::Dataset::new(x.clone(), names.clone()))
        .unwrap();
    assert_eq!(model.classes(), ["inner", "middle", "outer"]);
    let p = model.predict_probabilities(&new).unwrap();
    assert_eq!(model.predict(&new), chosen(&p, model.classes()));
    let expanded = model.expand().unwrap();
    close(&p, &expanded.predict_probabilities(&new).unwrap(), 1e-10);
    let values = expanded.decision_function(&new).unwrap();
    close(&values, &model.decision_function(&new).unwrap(), 1e-9);

    let inner = linfa::Dataset::new(x, names.mapv(|name| name == "inner"));
    let scores = Lda::params().ridge(0.1);
    let chain = Kernelized::new(Chain::new(scores, Svc::params()), Exact::new(kernel()));
    let model = chain.fit(&inner).unwrap();
    let sides: Array1<bool> = model.predict(&new);
    assert_eq!(
        sides,
        model.decision_function(&new).unwrap().mapv(|v| v >= 0.0)
    );
}

/// Decision values of two classes are positive for the class that the documentation of each method names.
#[test]
fn the_sign_of_decision_values() {
    let x = data::normal(60, 2, 9);
    let truth = x.map_axis(Axis(1), |row| row[0] + 0.5 * row[1] > 0.2);
    let sides = linfa::Dataset::new(x.clone(), truth.clone());
    let texts = sides
        .clone()
        .map_targets(|&side| if side { "b" } else { "a" });
    macro_rules! positive_for {
        ($class:expr, $params:expr, $data:expr) => {{
            let model = $params.fit(&$data).unwrap();
            let values = model.decision_function(&x).unwrap();
            let predicted = model.try_predict(&x).unwrap();
            let mut of_class = 0;
            for (value, class) in values.iter().zip(&predicted) {
                let class: &_ = class;
                assert_eq!(*value > 0.0, *class == $class, "{value}");
                of_class += usize::from(*class == $class);
            }
            assert!(10 < of_class && of_class < 50, "{of_class}");
        }};
    }
    positive_for!(true, KernelSvc::params(kernel()), sides);
    positive_for!(true, KernelNuSvc::params(0.3, kernel()), sides);
    positive_for!("a", KernelSvc::params(kernel()), texts);
    let of_classes = || KernelSvc::params(kernel()).method(|_| MulticlassSvc::params());
    positive_for!(false, of_classes(), sides);
    positive_for!("a", of_classes(), texts);
    positive_for!(true, KernelLogistic::params(kernel()), sides);
    positive_for!("b", KernelLogistic::params(kernel()), texts);
    // A calibrated machine predicts the more probable class, which need not be that of the machine under it.
    let model = KernelCalibratedSvc::params(kernel()).fit(&sides).unwrap();
    let values = model.decision_function(&x).unwrap();
    let pairs = values.iter().zip(&truth);
    let agreeing = pairs.filter(|(value, side)| (**value > 0.0) != **side);
    assert!(agreeing.count() > 50);
}
