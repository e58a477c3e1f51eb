//! Tests that support vector classification has one name for labels of any type.

use linfa::{Dataset, DatasetBase, Label};
use ndarray::{Array1, Array2, Axis, Ix1};
use npt::{
    methods::{
        Error,
        linear::{Chain, Classes, Lda, MulticlassSvc, Strategy, Svc, SvcKind, SvcLabel},
        model_selection::{Candidates, Folds, GridSearch, balanced_accuracy},
    },
    prelude::*,
};
use npt_testkit::data::normal;

/// Samples of three classes, the last one rare.
fn classes<L: Label>(labels: &[L; 3]) -> Dataset<f64, L, Ix1> {
    let x = normal(90, 2, 1);
    let of = |row: ndarray::ArrayView1<'_, f64>| {
        let squared = row.dot(&row);
        usize::from(squared > 0.7) + usize::from(squared > 3.5)
    };
    let targets = x.map_axis(Axis(1), |row| labels[of(row)].clone());
    Dataset::new(x, targets)
}

/// Checks that the machine is that of the type for many classes, whatever the labels are.
fn is_the_multiclass_machine<L: SvcLabel + 'static>(labels: &[L; 3])
where
    L::Kind: SvcKind<L, Model<f64> = MulticlassSvc<f64, L>>,
{
    let data = classes(labels);
    let new = normal(30, 2, 2);
    for strategy in [Strategy::OneAgainstOne, Strategy::OneAgainstRest] {
        for balanced in [false, true] {
            let found = KernelSvc::params(Gaussian::new(0.4))
                .method(|m| m.c(3.0).strategy(strategy).balanced(balanced));
            let expected = KernelSvc::params(Gaussian::new(0.4)).method(|_| {
                MulticlassSvc::params()
                    .c(3.0)
                    .strategy(strategy)
                    .balanced(balanced)
            });
            let (by_coordinates, of_many) = (
                found.clone().by_coordinates().fit(&data).unwrap(),
                expected.clone().by_coordinates().fit(&data).unwrap(),
            );
            let (found, expected) = (found.fit(&data).unwrap(), expected.fit(&data).unwrap());
            assert_eq!(
                found.decision_function(&new),
                expected.decision_function(&new)
            );
            assert_eq!(found.predict(&new), expected.predict(&new));
            assert_eq!(found.classes(), labels);
            assert_eq!(found.inner().support(), expected.inner().support());
            assert_eq!(
                by_coordinates.decision_function(&new),
                of_many.decision_function(&new)
            );
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Ring {
    #[default]
    Inner,
    Middle,
    Outer,
}
impl Label for Ring {}
impl SvcLabel for Ring {
    type Kind = Classes;
}

#[test]
fn any_labels() {
    is_the_multiclass_machine(&[2, 5, 11_usize]);
    is_the_multiclass_machine(&["in", "middle", "out"]);
    is_the_multiclass_machine(&["in", "middle", "out"].map(String::from));
    is_the_multiclass_machine(&[None, Some(0), Some(7_usize)]);
    is_the_multiclass_machine(&[Ring::Inner, Ring::Middle, Ring::Outer]);
}

/// Two classes by name have the decision values of two sides, the first class for `true`.
#[test]
fn two_classes_are_two_sides() {
    let names = classes(&["in", "out", "out"]);
    let sides = names.clone().map_targets(|&name| name == "in");
    let params = KernelSvc::params(Gaussian::new(0.4)).method(|m| m.c(3.0).tolerance(1e-9));
    let (by_name, by_side) = (params.fit(&names).unwrap(), params.fit(&sides).unwrap());
    let new = normal(30, 2, 2);
    let by_name: Array2<f64> = by_name.decision_function(&new).unwrap();
    let by_side: Array1<f64> = by_side.decision_function(&new).unwrap();
    let off = (&by_name.column(0) - &by_side).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off < 1e-7, "{off:e}");
}

#[test]
fn one_penalty_for_several_classes() {
    let params = KernelSvc::params(Gaussian::new(0.4));
    let uneven = params.clone().method(|m| m.class_c(2.0, 1.0));
    let error = uneven.fit(&classes(&[0, 1, 2_usize])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "class_c (positive) of Svc is 2; it must be the same as class_c (negative), unless the labels are bool"
    );
    assert!(uneven.fit(&classes(&[false, true, true])).is_ok());
    let even = params.clone().method(|m| m.class_c(2.0, 2.0));
    assert!(even.fit(&classes(&[0, 1, 2_usize])).is_ok());
    let refused = params
        .clone()
        .method(|m| m.c(f64::NAN))
        .fit(&classes(&[0, 1, 2_usize]));
    let error = refused.map(|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("c of Svc is NaN"), "{error}");
    let one = params
        .fit(&classes(&[7, 7, 7_usize]))
        .map(|_| ())
        .unwrap_err();
    assert_eq!(one, KernelizedError::Method(Error::Classes { found: 1 }));
}

/// The machine works in a search, in a chain, and with weights.
#[test]
fn where_else_it_goes() {
    let data = classes(&["in", "middle", "out"]);
    let folds = Folds::stratified(&data, 5, 0).unwrap();
    let spaces = Candidates::new().over("γ", [1e-3, 0.4], |g| Exact::new(Gaussian::new(g)));
    let methods = Candidates::new().over("C", [0.1, 30.0], |c| Svc::params().c(c).balanced(true));
    let found = GridSearch::new(spaces, methods)
        .fit_best(&data, &folds, |p: &Array1<_>, t: &Array1<_>| {
            balanced_accuracy(p, t)
        })
        .unwrap();
    assert_eq!((found.candidate.space, found.candidate.method), (1, 1));
    assert!(
        found.scores.mean(found.candidate).unwrap() > 0.8,
        "{}",
        found.scores
    );

    let chain = Chain::new(Lda::params(), Svc::params().c(10.0));
    let chained = KernelMethod::new(chain, Exact::new(Gaussian::new(0.4)));
    let by_coordinates = chained.clone().by_coordinates().fit(&data).unwrap();
    let chained = chained.fit(&data).unwrap();
    assert_eq!(chained.classes(), ["in", "middle", "out"]);
    let new = normal(30, 2, 2);
    let [found, expected] = [
        chained.decision_function(&new).unwrap(),
        by_coordinates.decision_function(&new).unwrap(),
    ];
    assert!((found - expected).iter().all(|d: &f64| d.abs() < 1e-6));
    let shares = balanced_accuracy(&chained.predict(&data.records), &data.targets);
    assert!(shares > 0.9, "{shares}");

    // Each sample is there twice, or has a weight of 2.
    let params = KernelSvc::params(Gaussian::new(0.4)).method(|m| m.tolerance(1e-9));
    let twice: Vec<usize> = (0..180).map(|i| i % 90).collect();
    let repeated = DatasetBase::new(
        data.records.select(Axis(0), &twice),
        data.targets.select(Axis(0), &twice),
    );
    let weighted = data.with_weights(Array1::from_elem(90, 2.0));
    let [found, expected] = [&weighted, &repeated]
        .map(|data| params.fit(data).unwrap().decision_function(&new).unwrap());
    assert!((found - expected).iter().all(|d: &f64| d.abs() < 1e-6));
}
