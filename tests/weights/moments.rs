//! Tests weighted rows that come in blocks.

use super::{Weighted, blocks, class, number, repeated, weighted};
use linfa::{DatasetBase, dataset::TargetDim};
use ndarray::{Array, Axis, Ix2, RemoveAxis};
use npt::{
    methods::{
        Error,
        linear::{Cca, Lda, Pca, Pls, Ridge, Scatter},
        streaming::{ClassMoments, FitMoments, Moments},
    },
    prelude::*,
};

fn moments<I: RemoveAxis + TargetDim>(
    data: &Weighted<f64, I>,
    mut empty: Moments<I>,
) -> Moments<I> {
    for block in blocks(data) {
        empty.add(&block).unwrap();
    }
    empty
}

fn class_moments(data: &Weighted<usize>) -> ClassMoments<usize> {
    let mut all = ClassMoments::with_class_scatters(2);
    for block in blocks(data) {
        all.add(&block).unwrap();
    }
    all
}

/// Samples far from the origin with two columns of targets; some samples of weight 0 are out of all bounds.
fn numbers() -> Weighted<f64, Ix2> {
    let mut data = weighted(number);
    for (mut row, &weight) in data.records.outer_iter_mut().zip(&data.weights) {
        row += if weight == 0.0 { 1e200 } else { 100.0 };
    }
    let other = data.targets.mapv(|t| t * t + 3.0);
    let targets = ndarray::stack![Axis(1), data.targets, other];
    DatasetBase::new(data.records, targets).with_weights(data.weights)
}

fn same<I: ndarray::Dimension>(a: &Array<f64, I>, b: &Array<f64, I>) {
    let size = b.fold(1e-300, |m: f64, v| m.max(v.abs()));
    let off = (a - b).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off < 1e-9 * size, "{off:e} of {size:e}");
}

#[test]
fn means_and_scatters() {
    let data = numbers();
    let empty = || Moments::of_targets(2, 2);
    let (found, expected) = (moments(&data, empty()), moments(&repeated(&data), empty()));
    assert_eq!((found.count(), expected.count()), (60, 90));
    assert_eq!((found.weight(), expected.weight()), (90.0, 90.0));
    same(&found.mean().to_owned(), &expected.mean().to_owned());
    same(&found.scatter().to_owned(), &expected.scatter().to_owned());
    let cross = found.cross_scatter().to_owned();
    same(&cross, &expected.cross_scatter().to_owned());
    let of_targets = found.target_scatter().to_owned();
    same(&of_targets, &expected.target_scatter().to_owned());

    let halves = blocks(&data);
    let [first, second] = [&halves[..4], &halves[4..]].map(|half| {
        let mut part = empty();
        for block in half {
            part.add(block).unwrap();
        }
        part
    });
    let mut merged = second;
    merged.merge(&first).unwrap();
    same(&merged.scatter().to_owned(), &expected.scatter().to_owned());
}

#[test]
fn what_is_fitted_to_them() {
    let data = numbers();
    let all = moments(&data, Moments::of_targets(2, 2));
    let expected = moments(&repeated(&data), Moments::of_targets(2, 2));
    for intercept in [true, false] {
        let ridge = Ridge::params().penalty(0.3).intercept(intercept);
        let fit = |moments| -> Ridge<f64, Ix2> { ridge.fit_moments(moments).unwrap() };
        let (found, expected) = (fit(&all), fit(&expected));
        same(&found.weights().to_owned(), &expected.weights().to_owned());
        same(&found.intercept(), &expected.intercept());
        let errors = all.squared_errors(&found).unwrap();
        same(&errors, &all.squared_errors(&expected).unwrap());
        let own = weighted(number);
        let left = found.predict(&data.records) - &data.targets;
        let weights = own.weights.mapv(f64::from);
        let weigh = |column: ndarray::ArrayView1<'_, f64>| {
            let terms = column.iter().zip(&weights).filter(|(_, w)| **w > 0.0);
            terms.map(|(v, w)| w * v * v).sum::<f64>()
        };
        same(&errors, &left.map_axis(Axis(0), weigh));
    }
    let pca = |moments| -> Pca<f64> { Pca::params(2).fit_moments(moments).unwrap() };
    let (found, of_repeated) = (pca(&all), pca(&expected));
    same(&found.axes().to_owned(), &of_repeated.axes().to_owned());
    let pls = |moments| -> Pls<f64, Ix2> { Pls::params(1).fit_moments(moments).unwrap() };
    let (found, of_repeated) = (pls(&all), pls(&expected));
    let coefficients = found.coefficients().to_owned();
    same(&coefficients, &of_repeated.coefficients().to_owned());
    let cca = |moments| -> Cca<f64> { Cca::params(1).ridge(0.1).fit_moments(moments).unwrap() };
    let (found, of_repeated) = (cca(&all), cca(&expected));
    let axes = found.first().axes().to_owned();
    same(&axes, &of_repeated.first().axes().to_owned());
}

#[test]
fn of_classes() {
    let data = weighted(class);
    let (found, expected) = (class_moments(&data), class_moments(&repeated(&data)));
    assert_eq!((found.count(), expected.count()), (60, 90));
    for class in 0..3 {
        assert_eq!(found.class_weight(&class), expected.class_weight(&class));
        assert!(found.class_count(&class) < expected.class_count(&class));
    }
    same(
        &found.within_scatter().to_owned(),
        &expected.within_scatter().to_owned(),
    );
    for class in 0..3 {
        let [a, b] = [&found, &expected].map(|m| m.class_scatter(&class).unwrap().to_owned());
        same(&a, &b);
    }
    let kinds = [Scatter::Between, Scatter::Total];
    for (scatter, balanced) in kinds.into_iter().flat_map(|s| [(s, false), (s, true)]) {
        let lda = Lda::params().ridge(0.1).scatter(scatter);
        let lda = lda.balanced(balanced);
        let fit = |moments| -> Lda<f64, usize> { lda.fit_moments(moments).unwrap() };
        let axes = fit(&found).axes().to_owned();
        same(&axes, &fit(&expected).axes().to_owned());
        same(
            &axes,
            &linfa::traits::Fit::fit(&lda, &data)
                .unwrap()
                .axes()
                .to_owned(),
        );
    }
}

/// A class without weight is none; rows without weight are counted, but are no samples.
#[test]
fn of_nothing() {
    let mut data = weighted(class);
    data.weights = data.targets.mapv(|class| f32::from(u8::from(class != 1)));
    let all = class_moments(&data);
    assert_eq!(all.classes().collect::<Vec<_>>(), [&0, &2]);
    data.weights.fill(0.0);
    let none = class_moments(&data);
    assert_eq!((none.count(), none.weight()), (60, 0.0));
    let (found, needed) = (0, 1);
    let error = Error::TooFewSamples { found, needed };
    let lda: Result<Lda<f64, usize>, _> = Lda::params().fit_moments(&none);
    assert_eq!(lda.map(|_| ()), Err(error.clone()));

    let mut numbers = weighted(number);
    numbers.weights.fill(0.0);
    let mut none = moments(&numbers, Moments::new(2));
    let ridge: Result<Ridge<f64>, _> = Ridge::params().fit_moments(&none);
    assert_eq!(ridge.map(|_| ()), Err(error));
    let some = moments(&weighted(number), Moments::new(2));
    none.merge(&some).unwrap();
    assert_eq!((none.count(), none.weight()), (120, 90.0));
    assert_eq!(none.scatter(), some.scatter());
    let mut after = some.clone();
    after.merge(&moments(&numbers, Moments::new(2))).unwrap();
    assert_eq!(after, none);
}
