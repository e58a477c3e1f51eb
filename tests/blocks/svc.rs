//! Tests support vector classification on blocks.

use super::{Labelled, blocks, labelled, spaces};
use linfa::{DatasetBase, traits::Fit};
use ndarray::Array1;
use npt::{
    KernelizedModel, Spectrum,
    methods::{
        Error,
        linear::{MulticlassSvc, Strategy, Svc},
    },
    prelude::*,
};
use npt_testkit::data;

fn two_sides(rows: usize) -> Labelled<bool> {
    let DatasetBase {
        records, targets, ..
    } = labelled(rows, 2);
    DatasetBase::new(records, targets.mapv(|class| class == 1))
}

/// The model is that of all coordinates at once, in any space, with blocks of any length.
#[test]
fn the_model_is_that_of_all_coordinates() {
    let data = two_sides(800);
    let params = Svc::params().class_c(2.0, 0.7).tolerance(1e-8);
    for (what, space) in spaces(&data::normal(40, 3, 1)) {
        let y = space.coordinates(&data.records).unwrap();
        let whole = DatasetBase::new(y.clone(), data.targets.clone());
        let expected = params.fit(&whole).unwrap();
        let all = blocks(&data, &[1, 300, 300, 799]);
        let pass = || Ok::<_, Error>(all.iter().cloned().map(Ok));
        let found = params.fit_blocks(&space, pass).unwrap();
        let off = found.decision_function(&y) - expected.decision_function(&y);
        assert!(off.iter().all(|v| v.abs() < 1e-5), "{what}");
        assert_eq!(found.dual().len(), 800);
        assert!(found.dual().sum().abs() < 1e-10, "{what}");
    }
}

#[test]
fn any_number_of_classes() {
    let data = labelled(800, 5);
    let some = data::normal(40, 3, 1);
    let space = Exact::new(Gaussian::new(0.2)).fit_space(&some).unwrap();
    let y = space.coordinates(&data.records).unwrap();
    let whole = DatasetBase::new(y.clone(), data.targets.clone());
    let all = blocks(&data, &[1, 300, 300, 799]);
    let (pairs, rest) = (Strategy::OneAgainstOne, Strategy::OneAgainstRest);
    for (strategy, balanced) in [(pairs, false), (rest, false), (pairs, true), (rest, true)] {
        let params = MulticlassSvc::params().c(2.0).tolerance(1e-8);
        let params = params.strategy(strategy).balanced(balanced);
        let expected = params.fit(&whole).unwrap();
        let pass = || Ok::<_, Error>(all.iter().cloned().map(Ok));
        let found = params.fit_blocks(&space, pass).unwrap();
        let off = found.decision_function(&y) - expected.decision_function(&y);
        assert!(off.iter().all(|v| v.abs() < 1e-5), "{strategy:?}");
        assert_eq!(found.classes(), expected.classes());
        assert_eq!(found.predict(&y), expected.predict(&y));
    }
}

/// Ten machines, each of which holds a part of its samples, are fitted in the same few passes.
#[test]
fn more_samples_than_are_held() {
    let data = labelled(30_000, 5);
    let some = data.records.slice(ndarray::s![..2000, ..]).to_owned();
    let builder = Nystrom::new(Gaussian::new(0.2), Pivoting::random(150));
    let space = builder.fit_space(&some).unwrap();
    let y = space.coordinates(&data.records).unwrap();
    let whole = DatasetBase::new(y.clone(), data.targets.clone());
    let all = blocks(&data, &[7000, 20_000, 20_001]);
    let params = MulticlassSvc::params().c(3.0).tolerance(1e-5);
    let expected = params.fit(&whole).unwrap();
    let mut passes = 0;
    let pass = || {
        passes += 1;
        Ok::<_, Error>(all.iter().cloned().map(Ok))
    };
    let found = params.fit_blocks(&space, pass).unwrap();
    assert!((4..=10).contains(&passes), "{passes}");
    let off = found.decision_function(&y) - expected.decision_function(&y);
    let off = off.fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off < 1e-3, "{off:e}");
    let (labels, expected) = (found.predict(&y), expected.predict(&y));
    let other = labels.iter().zip(&expected).filter(|(a, b)| a != b);
    assert!(other.count() <= 3);
}

/// A model of strings, fitted to blocks, predicts the same as an expansion.
#[test]
fn of_strings() {
    let words = [
        "aaa", "aab", "aba", "bbb", "bba", "bab", "ccc", "cca", "cac",
    ];
    let labels = ["a", "a", "a", "b", "b", "b", "c", "c", "c"];
    let items = Items::new(words.to_vec()).unwrap();
    let space = Exact::new(Spectrum::new(1)).fit_space(&items).unwrap();
    let block = |rows: std::ops::Range<usize>| {
        let items = Items::new(words[rows.clone()].to_vec()).unwrap();
        Ok::<_, Error>(DatasetBase::new(items, Array1::from(labels[rows].to_vec())))
    };
    let pass = || Ok::<_, Error>([block(0..4), block(4..9)]);
    let params = MulticlassSvc::params().c(10.0);
    let svc = params.fit_blocks(&space, pass).unwrap();
    let model = KernelizedModel::new(svc, space.into_parts().0);
    let model = model.expand().unwrap();
    let new = Items::new(vec!["aac", "bbc", "ccb"]).unwrap();
    assert_eq!(model.predict(&new), Array1::from(vec!["a", "b", "c"]));
}

#[test]
fn what_is_refused() {
    let data = two_sides(60);
    let space = Exact::new(Gaussian::new(0.3))
        .fit_space(&data.records)
        .unwrap();
    let fit = |all: &[Labelled<bool>]| {
        let pass = || Ok::<_, Error>(all.iter().cloned().map(Ok));
        Svc::params().fit_blocks(&space, pass).map(|_| ())
    };
    assert_eq!(fit(&[]), Err(npt::Error::NoSamples.into()));
    let side = DatasetBase::new(data.records.clone(), Array1::from_elem(60, true));
    assert_eq!(fit(&[side]), Err(Error::Classes { found: 1 }));

    let mut bad = blocks(&data, &[20, 40]);
    bad[2].records[[3, 1]] = f64::NAN;
    let of = fit(&bad);
    assert!(
        matches!(
            of,
            Err(Error::Core(npt::Error::SampleNotFinite {
                row: 43,
                column: 1,
                ..
            }))
        ),
        "{of:?}"
    );
    let mut wide = blocks(&data, &[20, 40]);
    wide[1].records = data::normal(20, 4, 1);
    let (expected, found) = (3, 4);
    let columns = npt::Error::ColumnCount { expected, found };
    let of_block = |error: npt::Error| Error::Block {
        row: 20,
        error: Box::new(error.into()),
    };
    assert_eq!(fit(&wide), Err(of_block(columns)));
    let mut short = blocks(&data, &[20, 40]);
    short[1].targets = Array1::from_elem(19, true);
    let count = npt::Error::TargetCount {
        samples: 20,
        targets: 19,
    };
    assert_eq!(fit(&short), Err(of_block(count)));
    let mut weighted = blocks(&data, &[20, 40]);
    let mut weights = Array1::ones(20);
    weights[7] = -1.0;
    weighted[1] = weighted[1].clone().with_weights(weights);
    let (row, value) = (27, -1.0);
    let negative = npt::Error::Weight { row, value };
    assert_eq!(fit(&weighted), Err(negative.into()));

    let mut calls = 0;
    let fewer = Svc::params().fit_blocks(&space, || {
        calls += 1;
        let all = blocks(&data, &[20, 40]);
        Ok::<_, Error>(all.into_iter().take(4 - calls).map(Ok))
    });
    let (first, later) = (60, 40);
    assert_eq!(fewer.map(|_| ()), Err(Error::OtherPass { first, later }));

    let params = Svc::params().c(-1.0);
    let negative = params.fit_blocks(&space, || Ok::<_, Error>([Ok(data.clone())]));
    assert!(matches!(
        negative,
        Err(Error::Parameter { parameter: "c", .. })
    ));

    let data = labelled(60, 3);
    let mut calls = 0;
    let later = MulticlassSvc::params().fit_blocks(&space, || {
        calls += 1;
        let mut data = data.clone();
        if calls > 1 {
            data.targets[31] = 7;
        }
        Ok::<_, Error>([Ok(data)])
    });
    assert_eq!(later.map(|_| ()), Err(Error::LaterClass { row: 31 }));
}
