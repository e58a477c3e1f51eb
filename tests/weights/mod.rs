//! Tests sample weights: a method that takes them gives them their meaning, and all others refuse them.

mod balanced;
mod blocks;
mod complete;
mod extremes;
mod meaning;
mod moments;
mod refused;

use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array, Array1, Array2, Axis, RemoveAxis, array};
use npt::{
    methods::{
        Error,
        linear::{Lda, Logistic, MulticlassSvc, Ridge, Svc, Svr},
        model_selection::{Candidate, Folds, GridSearch, Scores, accuracy},
    },
    prelude::*,
};
use npt_testkit::data;

type Weighted<L, I = ndarray::Ix1> = DatasetBase<Array2<f64>, Array<L, I>>;

/// Samples with weights of 0 to 3, and their targets.
fn weighted<L: Clone>(target: impl Fn(&[f64]) -> L) -> Weighted<L> {
    let x = data::normal(60, 2, 3);
    let targets = x.outer_iter().map(|row| target(&row.to_vec())).collect();
    let weights = (0_u8..60).map(|i| f32::from(i % 4)).collect();
    DatasetBase::new(x, targets).with_weights(weights)
}

/// Each sample as often as its weight says, without weights.
fn repeated<L: Clone, I: RemoveAxis>(data: &Weighted<L, I>) -> Weighted<L, I> {
    let times = |&(i, k): &(usize, u8)| data.weights[i] > f32::from(k);
    let all = (0..data.weights.len()).flat_map(|i| (0..3).map(move |k| (i, k)));
    let rows: Vec<usize> = all.filter(times).map(|(i, _)| i).collect();
    let targets = data.targets.select(Axis(0), &rows);
    DatasetBase::new(data.records.select(Axis(0), &rows), targets)
}

/// The data in blocks of 7 rows.
fn blocks<L: Clone, I: RemoveAxis>(data: &Weighted<L, I>) -> Vec<Weighted<L, I>> {
    let firsts = (0..data.records.nrows()).step_by(7);
    let block = |first| {
        let rows: Vec<usize> = (first..data.records.nrows().min(first + 7)).collect();
        let targets = data.targets.select(Axis(0), &rows);
        let block = DatasetBase::new(data.records.select(Axis(0), &rows), targets);
        match &data.weights {
            none if none.is_empty() => block,
            weights => block.with_weights(weights.select(Axis(0), &rows)),
        }
    };
    firsts.map(block).collect()
}

fn side(row: &[f64]) -> bool {
    (2.0 * row[0]).sin() + row[1] > 0.3 * (9.0 * row[1]).sin()
}

fn class(row: &[f64]) -> usize {
    usize::from(row[0] > 0.5) + usize::from(side(row))
}

fn number(row: &[f64]) -> f64 {
    row[0].sin() + row[1]
}

/// Samples without weight may be anywhere, and weights may be in any layout.
#[test]
fn far_samples_without_weight() {
    let data = weighted(side);
    let mut far = data.clone();
    far.weights =
        Array1::from_iter(data.weights.iter().rev().copied()).slice_move(ndarray::s![..;-1]);
    for (mut row, &weight) in far.records.outer_iter_mut().zip(&data.weights) {
        if weight == 0.0 {
            row.fill(1e200);
        }
    }
    let params = Svc::params().tolerance(1e-9);
    assert_eq!(params.fit(&far).unwrap(), params.fit(&data).unwrap());
    let numbers = |data: &Weighted<bool>| data.clone().map_targets(|&s| f64::from(u8::from(s)));
    let ridge = |data| Ridge::params().fit(&numbers(data)).unwrap();
    assert_eq!(ridge(&far), ridge(&data));
    let lda = |data| Lda::params().fit(data).unwrap();
    assert_eq!(lda(&far), lda(&data));
    let svr = |data| Svr::params().fit(&numbers(data)).unwrap();
    assert_eq!(svr(&far), svr(&data));
}

/// A class without weight is none.
#[test]
fn a_class_without_weight() {
    let data = weighted(class);
    let weights = data.targets.mapv(|class| f32::from(u8::from(class != 1)));
    let data = DatasetBase::new(data.records, data.targets).with_weights(weights);
    let svc = MulticlassSvc::params().fit(&data).unwrap();
    assert_eq!(svc.classes(), [0, 2]);
    let logistic = Logistic::params().fit(&data).unwrap();
    assert_eq!(logistic.classes(), [0, 2]);
}

/// The folds of a search have the weights of their samples.
#[test]
fn of_a_search() {
    let data = weighted(side);
    let folds = Folds::k(60, 4, 1).unwrap();
    let svc = |c| Svc::params().c(c).tolerance(1e-9);
    let builder = Exact::new(Gaussian::new(0.5));
    let search = GridSearch::new([builder.clone()], [svc(0.5), svc(5.0)]);
    let score = |p: &Array1<bool>, truth: &Array1<bool>| accuracy(p, truth);
    let by_coordinates = search.clone().by_coordinates();
    let by_coordinates = by_coordinates.scores(&data, &folds, score).unwrap();
    let by_kernel = search.scores(&data, &folds, score).unwrap();
    let unweighted = DatasetBase::new(data.records.clone(), data.targets.clone());
    let without = search.scores(&unweighted, &folds, score).unwrap();
    let of = |scores: &Scores<KernelizedError<Error>>, method| {
        let candidate = Candidate { space: 0, method };
        let scores = scores.of(candidate).iter();
        scores.map(|s| *s.as_ref().unwrap()).collect::<Vec<f64>>()
    };
    for method in 0..2 {
        assert_eq!(of(&by_coordinates, method), of(&by_kernel, method));
    }
    assert!((0..2).any(|method| of(&by_kernel, method) != of(&without, method)));
}

#[test]
fn weights_that_are_none() {
    let data = weighted(side);
    let fit = |row: usize, value: f32| {
        let mut data = data.clone();
        data.weights[row] = value;
        Svc::params().fit(&data).map(|_| ())
    };
    assert_eq!(fit(7, 1e-30), Ok(()));
    for value in [-1.0, f32::INFINITY] {
        let (row, value) = (7, f64::from(value));
        assert_eq!(
            fit(7, value as f32),
            Err(Error::Core(npt::Error::Weight { row, value }))
        );
    }
    let nan = fit(7, f32::NAN);
    assert!(
        matches!(nan, Err(Error::Core(npt::Error::Weight { row: 7, .. }))),
        "{nan:?}"
    );

    let of_side = |kept: Option<bool>| {
        let weigh = |&side: &bool| f32::from(u8::from(Some(side) == kept));
        let weights = data.targets.iter().map(weigh).collect();
        let data = DatasetBase::new(data.records.clone(), data.targets.clone());
        data.with_weights(weights)
    };
    for (kept, found) in [(None, 0), (Some(true), 1), (Some(false), 1)] {
        let data = of_side(kept);
        let error = match found {
            0 => npt::Error::NoWeight { samples: 60 }.into(),
            _ => Error::Classes { found },
        };
        let two = Svc::params().fit(&data);
        assert_eq!(two.map(|_| ()), Err(error.clone()));
        let many = MulticlassSvc::params().fit(&data);
        assert_eq!(many.map(|_| ()), Err(error.clone()));
        let logistic = Logistic::params().fit(&data);
        assert_eq!(logistic.map(|_| ()), Err(error));
    }
    let mut short = data.clone();
    short.weights = array![1.0, 2.0];
    let (samples, weights) = (60, 2);
    let count = npt::Error::WeightCount { samples, weights };
    let found = Svc::params().fit(&short);
    assert_eq!(found.map(|_| ()), Err(count.into()));
}

/// A penalty that leaves the range when it is multiplied by the weights is refused.
#[test]
fn weights_out_of_range() {
    for (factor, c) in [(1e-30_f32, 1e-290), (1e30, 1e290)] {
        let mut data = weighted(side);
        data.weights *= factor;
        let fit = |c: f64| Svc::params().c(c).fit(&data);
        assert!(fit(1.0 / f64::from(factor)).is_ok());
        let error = fit(c).unwrap_err();
        let named = matches!(error, Error::Parameter { parameter: "c", value, .. } if value == c);
        assert!(named, "{error}");
    }
}
