//! Tests targets, weights and names of columns, and models that know the names.

use linfa_preprocessing::linear_scaling::LinearScaler;
use ndarray::{Array1, array};
use npt::{
    ExpansionModel,
    methods::{
        linear::Ridge,
        model_selection::{Candidates, Folds, GridSearch},
    },
    prelude::*,
    tables::{CsvBlocks, Place, SourceError},
};

use super::by_last;

const TEXT: &str = "a,w,b,c\n1,1,2,3\n4,0,5,6\n7,2.5,8,10\n11,1,13,17\n";

fn blocks() -> CsvBlocks<&'static [u8]> {
    CsvBlocks::new(TEXT.as_bytes()).unwrap()
}

#[test]
fn weights_are_a_column() {
    let data = by_last(blocks().weights("w")).read().unwrap();
    assert_eq!(data.weights().unwrap(), [1.0, 0.0, 2.5, 1.0]);
    assert_eq!(data.feature_names(), ["a", "b"]);
    assert_eq!(data.target_names(), ["c"]);
    assert_eq!(data.targets, array![3.0, 6.0, 10.0, 17.0]);
    // The last column has the weights, so the target is the one before.
    let last = by_last(blocks().weights("c")).read().unwrap();
    assert_eq!(last.targets, array![2.0, 5.0, 8.0, 13.0]);
    assert_eq!(last.weights().unwrap(), [3.0, 6.0, 10.0, 17.0]);
    let records = blocks().weights("w").unwrap().target("c").unwrap();
    assert_eq!(
        records.rows(3).read_records().unwrap().row(1),
        array![4.0, 5.0]
    );
}

#[test]
fn weights_that_are_none() {
    for value in ["-1", "", "1e39", "1e-50", "x", "inf", "NaN"] {
        let text = format!("x,w,y\n1,1,1\n2,{value},2\n3,0,3\n");
        let mut blocks = by_last(CsvBlocks::new(text.as_bytes()))
            .weights("w")
            .unwrap();
        let expected = SourceError::Weight {
            place: Place::Line(3),
            column: "w".into(),
            value: value.into(),
        };
        assert_eq!(blocks.read().unwrap_err(), expected);
        let skipping = by_last(CsvBlocks::new(text.as_bytes())).skip_bad_rows();
        // Bad weights are skipped where features may be missing, too.
        let mut skipping = skipping.with_missing_values().weights("w").unwrap();
        assert_eq!(skipping.read().unwrap().weights().unwrap(), [1.0, 0.0]);
        assert_eq!(skipping.skipped(), 1);
    }
}

#[test]
fn several_targets() {
    let blocks_of_two = blocks().targets(&["c", "a"]).unwrap().rows(2);
    let found: Vec<_> = blocks_of_two.map(Result::unwrap).collect();
    assert_eq!(found[0].targets, array![[3.0, 1.0], [6.0, 4.0]]);
    assert_eq!(found[1].target_names(), ["c", "a"]);
    assert_eq!(found[1].feature_names(), ["w", "b"]);
    assert_eq!(found[1].records, array![[2.5, 8.0], [1.0, 13.0]]);
    let none = blocks().targets(&[] as &[&str]).err();
    assert_eq!(none, Some(SourceError::NoTargets));
}

/// A column has one role only.
#[test]
fn two_roles() {
    let error = |blocks: Result<CsvBlocks<&'static [u8]>, SourceError>| {
        let mut blocks = blocks.unwrap();
        let error = blocks.next().unwrap().unwrap_err();
        assert!(blocks.next().is_none());
        error.to_string()
    };
    assert_eq!(
        error(Ok(by_last(
            blocks().weights("a").and_then(|b| b.select(&["a"]))
        ))),
        "column a was chosen twice, as a feature and as a weight"
    );
    assert_eq!(
        error(blocks().weights("a").and_then(|b| b.target("a"))),
        "column a was chosen twice, as a target and as a weight"
    );
    let mut all = blocks().targets(&["a", "b", "c", "w"]).unwrap();
    assert_eq!(all.read().err(), Some(SourceError::NoFeatures { found: 4 }));
}

/// A model reads the columns that it was fitted to from a table with other columns, in another order.
#[test]
fn models_know_the_names() {
    const NEW: &str = "c,b,other,w,a\n0,5,7,1,2\n0,6,7,1,3\n";
    let data = by_last(blocks().select(&["b", "a"])).read().unwrap();
    let new = |names: &[String]| {
        assert_eq!(names, ["b", "a"]);
        let mut blocks = CsvBlocks::new(NEW.as_bytes())
            .unwrap()
            .select(names)
            .unwrap();
        blocks.read_records().unwrap()
    };
    let expected = array![[5.0, 2.0], [6.0, 3.0]];
    let expanded = KernelRidge::params(Gaussian::new(0.01)).fit(&data).unwrap();
    assert_eq!(new(expanded.feature_names()), expected);
    let by_coordinates = KernelRidge::params(Gaussian::new(0.01)).by_coordinates();
    let model = by_coordinates.fit(&data).unwrap();
    assert_eq!(new(model.feature_names()), expected);
    assert_eq!(new(model.expand().unwrap().feature_names()), expected);
    let pipeline = Pipeline::new(LinearScaler::standard(), by_coordinates);
    let model = pipeline.fit(&data).unwrap();
    assert_eq!(new(model.feature_names()), expected);
    let found: Array1<f64> = model.predict(&new(model.feature_names()));
    assert_eq!(found, model.predict(&expected));

    let missing = CsvBlocks::new(&b"a,x\n1,2\n"[..]).unwrap();
    let missing = missing.select(expanded.feature_names()).err().unwrap();
    assert_eq!(missing.to_string(), "there is no column b; there are a, x");
    let plain = linfa::Dataset::new(data.records.clone(), data.targets.clone());
    let plain: ExpansionModel<_, _, _> = KernelRidge::params(Gaussian::new(0.01))
        .fit(&plain)
        .unwrap();
    assert!(plain.feature_names().is_empty());
}

#[test]
fn what_a_search_finds_knows_the_names() {
    let data = by_last(blocks().select(&["b", "a"])).read().unwrap();
    let folds = Folds::k(4, 2, 1).unwrap();
    let spaces = || Candidates::new().kernels("gaussian", [0.1], Gaussian::new);
    let methods = || {
        Candidates::new().over("penalty", [0.1, 1.0], |penalty| {
            Ridge::params().penalty(penalty)
        })
    };
    let score =
        |predicted: &Array1<f64>, truth: &Array1<f64>| -(predicted - truth).mapv(|d| d * d).sum();
    let plain = GridSearch::new(spaces(), methods());
    let found = plain.fit_best(&data, &folds, score).unwrap();
    assert_eq!(found.model.feature_names(), ["b", "a"]);
    let scaled = GridSearch::new(spaces(), methods()).after(LinearScaler::standard());
    let found = scaled.fit_best(&data, &folds, score).unwrap();
    assert_eq!(found.model.feature_names(), ["b", "a"]);
    let by_coordinates = GridSearch::new(spaces(), methods()).by_coordinates();
    let found = by_coordinates.fit_best(&data, &folds, score).unwrap();
    assert_eq!(found.model.feature_names(), ["b", "a"]);
}

/// Options cannot be changed after the first row is read.
#[test]
fn begun() {
    let text = "a,b,y\n1,2,3\noops,2,3\n4,5,6\n";
    let mut blocks = CsvBlocks::new(text.as_bytes())
        .unwrap()
        .target("y")
        .unwrap();
    assert!(blocks.read_records().is_err());
    // Nothing of the failed reading of new samples is left, and reading goes on with the next rows.
    let data = blocks.read().unwrap();
    assert_eq!(
        (data.records, data.targets),
        (array![[4.0, 5.0]], array![6.0])
    );
    let begun = || {
        let mut blocks = by_last(CsvBlocks::new(text.as_bytes()));
        assert!(blocks.next().unwrap().is_err());
        blocks
    };
    let errors = [
        begun().target("a").err(),
        begun().last_column_as_target().err(),
        begun().without_target().map(|_| ()).err(),
        begun().targets(&["a"]).err(),
        begun().labels("a").err(),
        begun().weights("a").err(),
        begun().select(&["a"]).err(),
        begun().categorical(&["a"]).err(),
    ];
    assert!(
        errors
            .iter()
            .all(|error| *error == Some(SourceError::Begun))
    );
}

/// New samples of a model with one feature are read from a table of one column.
#[test]
fn one_column() {
    let mut one = CsvBlocks::new(&b"a\n1\n2\n"[..]).unwrap();
    assert_eq!(one.read_records().unwrap(), array![[1.0], [2.0]]);
}
