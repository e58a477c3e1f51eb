//! Tests ridge regression by conjugate gradients.

use linfa::{
    DatasetBase,
    traits::{Fit, Predict},
};
use ndarray::{Array1, Array2, Axis, concatenate};
use npt::{
    KernelizedError,
    methods::{
        Error, IterativeKernelRidge,
        linear::{IterativeRidge, Ridge},
    },
    prelude::*,
};
use npt_testkit::data;

fn waves(n: usize) -> DatasetBase<Array2<f64>, Array1<f64>> {
    let x = data::normal(n, 3, 1);
    let waves = x.column(0).mapv(f64::sin) + &x.column(1).mapv(|v| v * v);
    DatasetBase::new(x, waves)
}

/// Tiles are parts of the kernel matrix: with more samples than a tile has, the function is that of the formula with its matrix in memory.
#[test]
fn tiles_are_the_kernel_matrix() {
    let (data, new) = (waves(1200), data::normal(50, 3, 2));
    let kernel = Gaussian::new(0.3);
    let exact = KernelRidge::params(kernel).method(|m| m.penalty(0.1));
    let expected: Array1<f64> = exact.fit(&data).unwrap().predict(&new);
    let params = |pivots| {
        let params = IterativeKernelRidge::params(kernel);
        params.method(|m| m.penalty(0.1).tolerance(1e-10).pivots(pivots))
    };
    let mut iterations = Vec::new();
    for pivots in [0, 20, 200] {
        let model = params(pivots).fit(&data).unwrap();
        let off = model.predict(&new) - &expected;
        assert!(off.iter().all(|d: &f64| d.abs() < 1e-8), "{pivots}");
        assert!(model.inner().relative_residual() <= 1e-10);
        iterations.push(model.inner().iterations());
    }
    // The preconditioner saves iterations.
    assert!(
        iterations[2] * 5 < iterations[1] && iterations[1] < iterations[0],
        "{iterations:?}"
    );
}

/// The mean of a Gaussian process is found: without intercept, and without centring.
#[test]
fn through_the_origin() {
    let (data, new) = (waves(300), data::normal(50, 3, 2));
    let kernel = Gaussian::new(0.3);
    let exact = KernelRidge::params(kernel)
        .space(|s| s.centered(false))
        .method(|m| m.penalty(0.1).intercept(false));
    let expected: Array1<f64> = exact.fit(&data).unwrap().predict(&new);
    let params = IterativeKernelRidge::params(kernel)
        .space(|s| s.centered(false))
        .method(|m| m.penalty(0.1).intercept(false).tolerance(1e-10));
    let off = params.fit(&data).unwrap().predict(&new) - &expected;
    assert!(off.iter().all(|d: &f64| d.abs() < 1e-8));
}

/// Each column of targets is fitted by itself, whatever the others are: one is constant, one is a million times another.
#[test]
fn targets_of_several_columns() {
    let data = waves(400);
    let column = |values: Array1<f64>| values.insert_axis(Axis(1));
    let (waves, constant) = (data.targets().clone(), Array1::from_elem(400, 3.0));
    let large = column(waves.mapv(|v| 1e6 * v));
    let both = concatenate![Axis(1), column(waves.clone()), column(constant), large];
    let params = IterativeRidge::params().penalty(2.0).tolerance(1e-11);
    let model = params
        .fit(&DatasetBase::new(data.records.clone(), both))
        .unwrap();
    let found: Array2<f64> = model.predict(data.records());
    let exact = Ridge::params().penalty(2.0).fit(&data).unwrap();
    let expected: Array1<f64> = exact.predict(data.records());
    for i in 0..400 {
        assert!((found[[i, 0]] - expected[i]).abs() < 1e-9);
        assert!((found[[i, 1]] - 3.0).abs() < 1e-14);
        assert!((found[[i, 2]] - 1e6 * expected[i]).abs() < 1e-3);
    }
}

/// Degenerate samples are fitted: one sample, copies of one, more features than samples, a constant column.
#[test]
fn degenerate_samples() {
    let sets = [
        data::normal(1, 3, 1),
        Array2::ones((5, 2)),
        data::normal(6, 30, 2),
        data::duplicates(4, 20, 3, 3),
        data::low_rank(50, 4, 1, 4),
    ];
    for x in sets {
        let targets = Array1::from_shape_fn(x.nrows(), |i| (i as f64).sin());
        let data = DatasetBase::new(x, targets);
        let found = IterativeRidge::params()
            .tolerance(1e-12)
            .fit(&data)
            .unwrap();
        let exact = Ridge::params().fit(&data).unwrap();
        let off = found.predict(data.records()) - exact.predict(data.records());
        assert!(off.iter().all(|d: &f64| d.abs() < 1e-10));
    }
}

/// The fit does not depend on the unit of records and targets.
#[test]
fn scales() {
    let data = waves(200);
    let expected: Array1<f64> = Ridge::params().fit(&data).unwrap().predict(data.records());
    for (unit, of_targets) in [(1e-60, 1e-100), (1e-3, 1e150), (1e60, 1e-3)] {
        let scaled = DatasetBase::new(&data.records * unit, data.targets() * of_targets);
        let params = IterativeRidge::params()
            .penalty(unit * unit)
            .tolerance(1e-11);
        let model = params.fit(&scaled).unwrap();
        let found: Array1<f64> = model.predict(scaled.records()) / of_targets;
        assert!((found - &expected).iter().all(|d| d.abs() < 1e-8), "{unit}");
    }
}

/// The rounding of the mean of targets far from 0, in single precision, does not count as a residual.
#[test]
fn targets_far_from_zero() {
    let data = waves(300);
    let narrow = DatasetBase::new(
        data.records.mapv(|v| v as f32),
        data.targets.mapv(|v| (v + 1000.0) as f32),
    );
    let check = |found: Array1<f32>, expected: Array1<f64>| {
        for (a, b) in found.iter().zip(&expected) {
            assert!((f64::from(*a) - 1000.0 - b).abs() < 2e-3, "{a} {b}");
        }
    };
    let exact = Ridge::params().fit(&data).unwrap();
    let linear = IterativeRidge::params().tolerance(1e-5);
    let linear = linear.fit(&narrow).unwrap();
    check(
        linear.predict(narrow.records()),
        exact.predict(data.records()),
    );
    let exact = KernelRidge::params(Gaussian::new(0.3)).fit(&data).unwrap();
    let params = IterativeKernelRidge::params(Gaussian::new(0.3_f32));
    let model = params.method(|m| m.tolerance(1e-5)).fit(&narrow).unwrap();
    check(
        model.predict(narrow.records()),
        exact.predict(data.records()),
    );
}

/// Single precision gives the same function, to a tolerance that it allows.
#[test]
fn single_precision() {
    let data = waves(700);
    let exact = KernelRidge::params(Gaussian::new(0.3)).fit(&data).unwrap();
    let expected: Array1<f64> = exact.predict(data.records());
    let narrow = DatasetBase::new(
        data.records.mapv(|v| v as f32),
        data.targets.mapv(|v| v as f32),
    );
    let params = |tolerance| {
        let params = IterativeKernelRidge::params(Gaussian::new(0.3_f32));
        params.method(|m| m.tolerance(tolerance))
    };
    let model = params(1e-5).fit(&narrow).unwrap();
    let found: Array1<f32> = model.predict(narrow.records());
    for (a, b) in found.iter().zip(&expected) {
        assert!((f64::from(*a) - b).abs() < 1e-3);
    }
    let left = params(1e-12).fit(&narrow).unwrap_err();
    assert!(matches!(
        left,
        KernelizedError::Method(Error::NotConverged { value, .. }) if value > 1e-12 && value < 1e-4
    ));
}
