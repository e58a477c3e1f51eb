//! Tests weighted samples that come again for each pass.

use super::{Weighted, blocks, class, number, repeated, side, weighted};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, Axis, RemoveAxis};
use npt::{
    Fitted,
    methods::{
        Error,
        linear::{IterativeRidge, KMeans, Logistic, MulticlassSvc, Strategy, Svc},
        streaming::Passes,
    },
    prelude::*,
};
use npt_testkit::data;

fn space() -> Fitted<impl KernelSpace<Samples = Rows<f64>, Scalar = f64>> {
    let builder = Nystrom::new(Gaussian::new(0.5), Pivoting::random(15));
    builder.fit_space(&data::normal(60, 2, 1)).unwrap()
}

/// The data with samples of weight 0 out of all bounds, and with `none` as their target.
fn with_none<L: Clone>(mut data: Weighted<L>, none: &L) -> Weighted<L> {
    for (i, &weight) in data.weights.iter().enumerate() {
        if weight == 0.0 {
            data.records.row_mut(i).fill(1e100);
            data.targets[i] = none.clone();
        }
    }
    data
}

fn same(a: &Array2<f64>, b: &Array2<f64>, tolerance: f64) {
    let size = b.fold(0.0, |m: f64, v| m.max(v.abs()));
    let off = (a - b).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(size > 0.1 && off < tolerance * size, "{off:e} of {size:e}");
}

/// Checks that a weight of k counts as k samples, and changes something.
fn means_samples<L: Clone, I: RemoveAxis>(
    data: &Weighted<L, I>,
    tolerance: f64,
    values: impl Fn(&Weighted<L, I>) -> Array2<f64>,
) {
    let found = values(data);
    same(&found, &values(&repeated(data)), tolerance);
    let mut once = data.clone();
    once.weights = once
        .weights
        .mapv(|weight| if weight > 0.0 { 1.0 } else { 0.0 });
    let off = (values(&once) - &found).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off > 1e-3, "the weights change nothing: {off:e}");
}

#[test]
fn of_logistic_regression() {
    let space = space();
    let y = space.coordinates(&data::normal(20, 2, 4)).unwrap();
    let two = || weighted(|row| usize::from(side(row)));
    for (data, balanced) in [
        (two(), false),
        (weighted(class), false),
        (weighted(class), true),
    ] {
        let params = Logistic::params().penalty(0.1).balanced(balanced);
        means_samples(&with_none(data, &7), 1e-6, |data| {
            let pass = || Ok::<_, Error>(blocks(data).into_iter().map(Ok));
            params
                .fit_blocks(&space, pass)
                .unwrap()
                .predict_probabilities(&y)
        });
    }
}

#[test]
fn of_ridge_regression() {
    let space = space();
    let y = space.coordinates(&data::normal(20, 2, 4)).unwrap();
    for intercept in [true, false] {
        let params = IterativeRidge::params().penalty(0.1).tolerance(1e-10);
        let params = params.intercept(intercept);
        means_samples(&with_none(weighted(number), &1e100), 1e-6, |data| {
            let pass = || Ok::<_, Error>(blocks(data).into_iter().map(Ok));
            let ridge = params.fit_blocks(&space, pass).unwrap();
            let predicted: Array1<f64> = linfa::traits::Predict::predict(&ridge, &y);
            predicted.insert_axis(Axis(1))
        });
    }
}

#[test]
fn of_support_vectors() {
    let space = space();
    let y = space.coordinates(&data::normal(20, 2, 4)).unwrap();
    let column = |values: Array1<f64>| values.insert_axis(Axis(1));
    for balanced in [false, true] {
        let params = Svc::params().class_c(2.0, 0.7).tolerance(1e-9);
        let params = params.balanced(balanced);
        means_samples(&with_none(weighted(side), &true), 1e-6, |data| {
            let pass = || Ok::<_, Error>(blocks(data).into_iter().map(Ok));
            let svc = params.fit_blocks(&space, pass).unwrap();
            // The machine is that of the samples in memory.
            let whole = DatasetBase::new(
                space.coordinates(&data.records).unwrap(),
                data.targets.clone(),
            );
            let whole = params
                .fit(&whole.with_weights(data.weights.clone()))
                .unwrap();
            let (found, expected) = (svc.decision_function(&y), whole.decision_function(&y));
            same(&column(found.clone()), &column(expected), 1e-6);
            assert_eq!(svc.dual().len(), data.records.nrows());
            column(found)
        });
        for strategy in [Strategy::OneAgainstOne, Strategy::OneAgainstRest] {
            let params = MulticlassSvc::params().c(2.0).tolerance(1e-9);
            let params = params.strategy(strategy).balanced(balanced);
            means_samples(&with_none(weighted(class), &7), 1e-6, |data| {
                let pass = || Ok::<_, Error>(blocks(data).into_iter().map(Ok));
                params
                    .fit_blocks(&space, pass)
                    .unwrap()
                    .decision_function(&y)
            });
        }
    }
}

#[test]
fn of_clusters() {
    let space = space();
    let params = KMeans::params(3);
    means_samples(&with_none(weighted(number), &0.0), 1e-10, |data| {
        let pass = || Ok::<_, Error>(blocks(data).into_iter().map(Ok));
        let means = params.fit_blocks(&space, pass).unwrap();
        let inertia = Array2::from_elem((1, space.space().rank()), means.inertia());
        ndarray::concatenate![Axis(0), means.centroids(), inertia]
    });
}

/// Samples that all have weight 0 are refused, and so are a user's own sums of weighted samples unless they take weights.
#[test]
fn refused() {
    let (space, mut none) = (space(), weighted(number));
    none.weights.fill(0.0);
    let pass = || Ok::<_, Error>(blocks(&none).into_iter().map(Ok));
    let (found, needed) = (0, 1);
    let error = Error::TooFewSamples { found, needed };
    let ridge = IterativeRidge::params().fit_blocks(&space, pass);
    assert_eq!(ridge.map(|_| ()), Err(error.clone()));
    let means = KMeans::params(2).fit_blocks(&space, pass);
    assert_eq!(means.map(|_| ()), Err(error.clone()));
    assert_eq!(none_of(&space), Err(error));

    let sides = weighted(side);
    let pass = || Ok::<_, Error>(blocks(&sides).into_iter().map(Ok));

    let sum = |passes: &mut Passes<'_, Rows<f64>, f64, _>| {
        let none = (Array2::zeros((15, 0)), Array1::zeros(0));
        let prepare = |block: &DatasetBase<_, _>| Ok(block.weights.mapv(f64::from));
        let sums = passes.sum(
            (none.0.view(), none.1.view()),
            prepare,
            |weights, rows, _| {
                weights
                    .slice(ndarray::s![rows])
                    .to_owned()
                    .insert_axis(Axis(1))
            },
        )?;
        Ok(sums.of_ones[0])
    };
    let mut passes = Passes::new(space.space(), pass).unwrap();
    let of = "passes over blocks";
    assert_eq!(sum(&mut passes), Err(Error::Weights { of }));
    let mut passes = Passes::new(space.space(), pass).unwrap().with_weights();
    assert_eq!(sum(&mut passes), Ok(90.0));
}

fn none_of(
    space: &Fitted<impl KernelSpace<Samples = Rows<f64>, Scalar = f64>>,
) -> Result<(), Error> {
    let mut data = weighted(class);
    data.weights.fill(0.0);
    let pass = || Ok::<_, Error>(blocks(&data).into_iter().map(Ok));
    let logistic = Logistic::params().fit_blocks(space, pass);
    logistic.map(|_| ())
}
