//! Tests hashed products of features in place of a polynomial kernel.

use ndarray::{Array1, Array2, Axis};
use npt::prelude::*;
use npt::{Error, Scalar, SketchMap};
use npt_testkit::{data, laws};

fn rows<F: Scalar>(x: &Array2<f64>) -> Rows<F> {
    Rows::new(x.mapv(|v| F::cast(v))).expect("finite samples")
}

/// Checks that the space is that of the kernel that the features make, under all laws.
fn check<F: Scalar>(x: &Array2<f64>, kernel: Polynomial<F>, features: usize) {
    let new = rows::<F>(&data::normal(7, x.ncols(), 5));
    let x = rows::<F>(x);
    for centered in [true, false] {
        let builder = TensorSketch::new(kernel, features).centered(centered);
        let represented: SketchMap<F> = builder.fit_space(&x).unwrap().space().raw_map().clone();
        laws::check_kernel(&represented, &x);
        laws::check_space(&builder, &represented, centered, &x, &new);
    }
}

#[test]
fn laws_of_the_represented_kernel() {
    for (x, features) in [
        (data::normal(40, 3, 1), 16),
        (data::normal(20, 3, 1), 37),
        (data::duplicates(8, 3, 2, 3), 30),
        (data::normal(6, 30, 2), 1),
    ] {
        check::<f64>(&x, Polynomial::new(2, 0.5, 1.0), features);
        check::<f32>(&x, Polynomial::new(3, 0.2, 0.0), features);
    }
}

/// The errors are those of random signs. ⟨w, a⟩⟨w, b⟩ has the mean square ⟨a, b⟩² + s, with s = ‖a‖²‖b‖² + ⟨a, b⟩² − 2Σaᵢ²bᵢ². The mean
/// product of two of M features, which take different places for different entries, is ⟨a, b⟩² − s/(M − 1). So the mean and the variance of
/// the difference of a draw from κ are known exactly.
#[test]
fn errors_are_those_of_random_signs() {
    let x = data::normal(12, 5, 1) * 0.8;
    for (degree, gamma, constant, features) in [
        (1_u32, 1.0, 0.0, 20_usize),
        (2, 0.7, 0.5, 64),
        (2, 0.7, 0.5, 100),
        (3, 0.5, 1.0, 256),
        (4, 0.3, 0.0, 256),
    ] {
        let kernel = Polynomial::new(degree, gamma, constant);
        let gram = kernel.gram(&rows(&x));
        let mut expected = 0.0;
        for ((i, k), value) in gram.indexed_iter() {
            let with_constant = |i: usize| -> Array1<f64> {
                let scaled = x.row(i).mapv(|v| v * f64::sqrt(gamma));
                scaled.into_iter().chain([f64::sqrt(constant)]).collect()
            };
            let (a, b) = (with_constant(i), with_constant(k));
            let squares = (&a * &b).mapv(|v| v * v).sum();
            let square = a.dot(&b).powi(2);
            let s = a.dot(&a) * b.dot(&b) + square - 2.0 * squares;
            let (m, all) = (features as f64, features.next_power_of_two() as f64);
            let beyond = |mean: f64| mean.powi(degree.cast_signed()) - value * value;
            expected += (beyond(square + s) + (m - 1.0) * beyond(square - s / (all - 1.0))) / m;
        }
        let (mut mean, mut squares) = (Array2::<f64>::zeros(gram.dim()), 0.0);
        let seeds = 800;
        for seed in 0..seeds {
            let builder = TensorSketch::new(kernel, features).seed(seed);
            let builder = builder.axes(Axes::Cholesky).centered(false);
            let space = builder.fit_space(&x).unwrap();
            let y = space.training_coordinates();
            let off = y.dot(&y.t()) - &gram;
            squares += off.mapv(|v| v * v).sum() / seeds as f64;
            mean += &(off / seeds as f64);
        }
        let ratio = squares / expected;
        assert!((0.7..1.4).contains(&ratio), "{degree}, {features}: {ratio}");
        // The mean of so many draws has their variance, divided by their number.
        let bias = mean.mapv(|v| v * v).sum() * seeds as f64 / expected;
        assert!((0.3..3.0).contains(&bias), "{degree}, {features}: {bias}");
    }
}

/// A sketch of degree 1 with a place for each entry is a rotation, and leaves no error.
#[test]
fn a_place_for_each_entry_leaves_no_error() {
    let x = data::normal(12, 5, 1);
    let kernel = Polynomial::new(1, 0.7, 0.5);
    for seed in 0..20 {
        let builder = TensorSketch::new(kernel, 8).seed(seed);
        let builder = builder.axes(Axes::Cholesky).centered(false);
        let space = builder.fit_space(&x).unwrap();
        let y = space.training_coordinates();
        let off = y.dot(&y.t()) - kernel.gram(&rows(&x));
        assert!(off.iter().all(|d| d.abs() < 1e-13), "{off}");
    }
}

/// More features make smaller errors, and a regression in their space is that of the kernel.
#[test]
fn a_regression_in_their_space() {
    let x = data::normal(400, 6, 1);
    let target = x.column(0).to_owned() * x.column(1) + x.column(2).mapv(|v| v * v);
    let dataset = linfa::Dataset::new(x, target);
    let kernel = Polynomial::new(2, 0.5, 1.0);
    let exact = KernelRidge::params(kernel).method(|m| m.penalty(0.1));
    let expected = exact.fit(&dataset).unwrap().predict(&dataset);
    let spread = expected.std(0.0);
    let off = |features| {
        let params = npt::methods::linear::Ridge::params().penalty(0.1);
        let model = Kernelized::new(params, TensorSketch::new(kernel, features));
        let found: Array1<f64> = model.fit(&dataset).unwrap().predict(&dataset);
        (found - &expected).mapv(|v| v * v).mean().unwrap().sqrt() / spread
    };
    // The kernel has rank 28.
    let [few, many] = [32, 1024].map(off);
    assert!(many < 0.02 && few > 2.0 * many, "{few}, {many}");
}

#[test]
fn ranks_and_errors() {
    let x = data::normal(100, 3, 1);
    let builder = TensorSketch::new(Polynomial::new(2, 0.5, 1.0), 60);
    let space = builder.clone().rank(Rank::Components(5)).fit_space(&x);
    let space = space.unwrap();
    assert_eq!(space.rank(), 5);
    let same = builder.clone().rank(Rank::Components(5)).fit_space(&x);
    assert_eq!(
        same.unwrap().training_coordinates(),
        space.training_coordinates()
    );
    let (expected, found) = (3, 2);
    let error = space.coordinates(&data::normal(3, 2, 1)).err();
    assert_eq!(error, Some(Error::ColumnCount { expected, found }));
    let refused = |degree, gamma, constant, features, name: &str| {
        let builder = TensorSketch::new(Polynomial::new(degree, gamma, constant), features);
        match builder.fit_space(&x).err() {
            Some(Error::Parameter { parameter, .. }) => assert_eq!(parameter, name),
            other => panic!("{other:?}"),
        }
    };
    refused(2, 0.5, 1.0, 0, "features");
    // So many features are allowed, but a bad parameter is reported before they take memory.
    refused(0, 0.5, 1.0, 1 << 32, "degree");
    refused(0, 0.5, 1.0, 9, "degree");
    refused(2, -0.5, 1.0, 9, "gamma");
    refused(2, 0.5, -1.0, 9, "constant");
    refused(2, 0.5, f64::NAN, 9, "constant");
    let mut large = x.clone();
    large[[7, 1]] = 1e200;
    let error = builder.fit_space(&large).err();
    assert!(
        matches!(error, Some(Error::Overflow { row: 7, .. })),
        "{error:?}"
    );
    let alike = builder.fit_space(&data::duplicates(1, 5, 3, 1)).err();
    assert_eq!(alike, Some(Error::NoVariance { samples: 5 }));
    // Samples of which only the constant is left have no variance.
    let zeros = builder.fit_space(&Array2::<f64>::zeros((4, 3))).err();
    assert_eq!(zeros, Some(Error::NoVariance { samples: 4 }));
    let lengths = builder
        .axes(Axes::Cholesky)
        .centered(false)
        .fit_space(&x)
        .unwrap();
    let lengths = lengths
        .training_coordinates()
        .map_axis(Axis(1), |f| f.dot(&f));
    assert!(lengths.iter().all(|&l| l > 0.0));
}
