//! Tests of any number of classes, by functions of two.

use super::normal;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, Axis, array};
use npt_core::{Gaussian, LinearFunctions};
use npt_methods::{
    KernelSvc,
    linear::{MulticlassSvc, Strategy, Svc},
};

fn four_classes() -> Dataset<f64, &'static str, ndarray::Ix1> {
    let x = normal(60, 3, 1);
    let labels = x.map_axis(Axis(1), |row| match (row[0] > 0.0, row[1] > 0.3) {
        (false, false) => "d",
        (false, true) => "a",
        (true, false) => "c",
        (true, true) => "b",
    });
    DatasetBase::new(x, labels)
}

fn params() -> npt_methods::linear::MulticlassSvcParams {
    MulticlassSvc::params().c(3.0).tolerance(1e-9)
}

#[test]
fn each_function_is_that_of_two_classes() {
    let data = four_classes();
    let binary = |rows: &[usize], class: &str| {
        let labels = data.targets().select(Axis(0), rows).mapv(|l| l == class);
        let two = DatasetBase::new(data.records().select(Axis(0), rows), labels);
        let svc = Svc::params().c(3.0).tolerance(1e-9).fit(&two);
        svc.unwrap().decision_function(data.records())
    };
    let close =
        |a: Array1<f64>, b: ndarray::ArrayView1<f64>| (&a - &b).iter().all(|d| d.abs() < 1e-6);

    let model = params().fit(&data).unwrap();
    assert_eq!(model.classes(), ["a", "b", "c", "d"]);
    let values = model.decision_function(data.records());
    assert_eq!(model.pairs().len(), 6);
    for (&(a, b), values) in model.pairs().iter().zip(values.columns()) {
        let (a, b) = (model.classes()[a], model.classes()[b]);
        let rows: Vec<usize> = (0..60)
            .filter(|&i| [a, b].contains(&data.targets()[i]))
            .collect();
        assert!(close(binary(&rows, a), values), "{a} against {b}");
    }

    let model = params()
        .strategy(Strategy::OneAgainstRest)
        .fit(&data)
        .unwrap();
    assert!(model.pairs().is_empty());
    let values = model.decision_function(data.records());
    let all: Vec<usize> = (0..60).collect();
    for (&class, values) in model.classes().iter().zip(values.columns()) {
        assert!(close(binary(&all, class), values), "{class}");
    }
    let (weights, biases) = model.linear_functions();
    let linear = data.records().dot(&weights) + biases;
    assert!(
        (linear - model.transform(data.records().clone()))
            .iter()
            .all(|d| d.abs() < 1e-12)
    );
}

/// Votes and largest values decide, counted here from the decision values.
#[test]
fn classes_are_decided_as_documented() {
    let data = four_classes();
    let new = normal(200, 3, 2) * 2.0;
    let model = params().fit(&data).unwrap();
    let predicted = model.predict(&new);
    let mut ties = 0;
    for (values, label) in model.decision_function(&new).outer_iter().zip(&predicted) {
        let (mut votes, mut sums) = ([0; 4], [0.0; 4]);
        for (&(a, b), &value) in model.pairs().iter().zip(values) {
            votes[if value >= 0.0 { a } else { b }] += 1;
            sums[a] += value;
            sums[b] -= value;
        }
        let most = *votes.iter().max().unwrap();
        let winners: Vec<usize> = (0..4).filter(|&k| votes[k] == most).collect();
        ties += usize::from(winners.len() > 1);
        let best = winners
            .into_iter()
            .max_by(|&a, &b| sums[a].total_cmp(&sums[b]));
        assert_eq!(*label, model.classes()[best.unwrap()]);
    }
    assert!((1..200).contains(&ties), "{ties} are ties of votes");
    let model = params()
        .strategy(Strategy::OneAgainstRest)
        .fit(&data)
        .unwrap();
    let predicted = model.predict(&new);
    for (values, label) in model.decision_function(&new).outer_iter().zip(&predicted) {
        let best = (0..4).max_by(|&a, &b| values[a].total_cmp(&values[b]));
        assert_eq!(*label, model.classes()[best.unwrap()]);
    }
}

/// The first class is predicted in the middle between two classes.
#[test]
fn of_equals_the_first() {
    let data = Dataset::new(array![[-1.0], [1.0]], array!["no", "yes"]);
    for strategy in [Strategy::OneAgainstOne, Strategy::OneAgainstRest] {
        let params = MulticlassSvc::params().strategy(strategy);
        let model = params.fit(&data).unwrap();
        assert_eq!(model.predict(&array![[0.0]]), array!["no"]);
    }
}

#[test]
fn a_class_of_one_member_is_found_again() {
    let x = array![[0.0, 0.0], [0.2, 0.1], [4.0, 4.0], [-4.0, 4.0], [-4.2, 4.1]];
    let data = Dataset::new(x, array![5_usize, 5, 7, 2, 2]);
    for strategy in [Strategy::OneAgainstOne, Strategy::OneAgainstRest] {
        let params = KernelSvc::params(Gaussian::new(0.1))
            .method(|m| m.c(100.0).strategy(strategy).tolerance(1e-12));
        let model = params.fit(&data).unwrap();
        assert_eq!(model.inner().classes(), [2, 5, 7]);
        assert_eq!(&model.predict(&data), data.targets());
        let values: Array2<f64> = model.transform(data.records().clone());
        let whole = params.by_coordinates().fit(&data).unwrap();
        let by_coordinates: Array2<f64> = whole.transform(data.records().clone());
        assert!((values - by_coordinates).iter().all(|d| d.abs() < 1e-9));
    }
}
