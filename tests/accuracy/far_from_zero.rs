//! Features whose mean is many deviations from 0. Centring subtracts values a million times as large as what it
//! leaves; in f32 the rounding of the kernel values would be as large as all that is left.
//!
//! The truth is the linear method in f64, fitted to the same numbers: it centres before it multiplies.

use super::largest;
use linfa::DatasetBase;
use ndarray::{Array, Array1, Array2, Axis, Dimension};
use npt::{
    Error, KernelizedError, Scalar, centered_gram,
    methods::{
        IterativeKernelRidge, KernelNuSvc, KernelRegressionDiscriminant, KernelSvr,
        linear::{
            IterativeRidge, Lda, Logistic, NuSvc, Pca, PcaL1, Pls, RegressionDiscriminant, Ridge,
            Svc, Svr,
        },
    },
    prelude::*,
};
use npt_testkit::oracles::centering;

/// Samples xᵢ = m + (cᵢ, dᵢ) with targets cᵢ/2 + 2dᵢ.
fn samples(n: usize, m: f64) -> (Array2<f32>, Array1<f32>) {
    let c = |i: usize| (7 * i % 13) as f64 / 3.0 - 2.0;
    let d = |i: usize| (5 * i % 11) as f64 / 20.0 - 0.25;
    let x = Array2::from_shape_fn((n, 2), |(i, j)| m + if j == 0 { c(i) } else { d(i) });
    let y = Array1::from_shape_fn(n, |i| (0.5 * c(i) + 2.0 * d(i)) as f32);
    (x.mapv(|v| v as f32), y)
}

/// The values as a matrix, one column an output.
fn columns<F: Scalar, D: Dimension>(values: Array<F, D>) -> Array2<f64> {
    let rows = values.len_of(Axis(0));
    let shape = (rows, values.len() / rows);
    let values = values
        .into_shape_with_order(shape)
        .expect("one axis or two");
    values.mapv(Scalar::as_f64)
}

/// The largest difference of two matrices, in deviations of the second one's columns.
fn apart(found: &Array2<f64>, truth: &Array2<f64>) -> f64 {
    largest((found - truth) / truth.std_axis(Axis(0), 0.0))
}

fn numbers<F: Scalar>(y: &Array1<F>) -> Array1<F> {
    y.clone()
}

/// Two classes by a bound that no value equals, in either precision.
fn sides<F: Scalar>(y: &Array1<F>) -> Array1<bool> {
    y.mapv(|v| v.as_f64() > 0.1234)
}

/// Targets that are not on a plane. Values on a plane leave support vector regression without a unique solution.
fn rough<F: Scalar>(y: &Array1<F>) -> Array1<F> {
    let values = y.iter().enumerate();
    let rough = values.map(|(i, v)| v.as_f64() + 0.3 * ((i * i) as f64).sin());
    rough.map(F::cast).collect()
}

fn nothing<F: Scalar>(y: &Array1<F>) -> Array1<()> {
    y.mapv(|_| ())
}

macro_rules! far {
    ($($name:ident: $kernel:expr, $linear:expr, $targets:ident, $by:ident as $type:ident;)*) => {$(
        #[test]
        fn $name() {
            for n in [20, 50, 200] {
                for m in [0.0, 300.0, 1000.0, 2000.0, 1e4] {
                    let (x, y) = samples(n, m);
                    let in_f64 = x.mapv(f64::from);
                    let data = DatasetBase::new(in_f64.clone(), $targets(&y.mapv(f64::from)));
                    let truth: $type<f64> = $linear.fit(&data).unwrap().$by(in_f64);
                    let data = DatasetBase::new(x.clone(), $targets(&y));
                    let found: $type<f32> = $kernel(Linear::new()).fit(&data).unwrap().$by(x);
                    let apart = apart(&columns(found), &columns(truth));
                    assert!(apart < 1e-3, "{n}, {m}: {apart:e}");
                }
            }
        }
    )*};
}

far! {
    components: |k| Kpca::params(2, k), Pca::params(2), nothing, transform as Array2;
    components_by_coordinates: |k| Kpca::params(2, k).by_coordinates(), Pca::params(2), nothing, transform as Array2;
    l1_components: |k| KpcaL1::params(1, k), PcaL1::params(1), nothing, transform as Array2;
    partial_least_squares: |k| KernelPls::params(1, k), Pls::params(1), numbers, transform as Array2;
    fisher_discriminant: Kfd::params, Lda::params(), sides, transform as Array2;
    regression_discriminant: |k| KernelRegressionDiscriminant::params(1, k),
        RegressionDiscriminant::params(1), numbers, transform as Array2;
    logistic_regression: KernelLogistic::params, Logistic::params(), sides, transform as Array2;
    support_vector_classification: |k| KernelSvc::params(k).method(|m| m.tolerance(1e-6)),
        Svc::params().tolerance(1e-9), sides, transform as Array1;
    classification_by_nu: |k| KernelNuSvc::params(0.3, k).method(|m| m.tolerance(1e-6)),
        NuSvc::params(0.3).tolerance(1e-9), sides, transform as Array1;
}

macro_rules! far_regressions {
    ($($name:ident: $kernel:expr, $linear:expr, $targets:ident;)*) => {$(
        #[test]
        fn $name() {
            for n in [20, 50, 200] {
                for m in [0.0, 300.0, 1000.0, 2000.0, 1e4] {
                    let (x, y) = samples(n, m);
                    let in_f64 = x.mapv(f64::from);
                    let data = DatasetBase::new(in_f64.clone(), $targets(&y.mapv(f64::from)));
                    let truth = columns($linear.fit(&data).unwrap().predict(&in_f64));
                    let data = DatasetBase::new(x.clone(), $targets(&y));
                    let found = $kernel(Linear::new()).fit(&data).unwrap().predict(&x);
                    let apart = apart(&columns(found), &truth);
                    assert!(apart < 1e-3, "{n}, {m}: {apart:e}");
                }
            }
        }
    )*};
}

far_regressions! {
    ridge_regression: |k| KernelRidge::params(k).method(|m| m.penalty(0.1)), Ridge::params().penalty(0.1), numbers;
    ridge_regression_by_coordinates: |k| KernelRidge::params(k).method(|m| m.penalty(0.1)).by_coordinates(),
        Ridge::params().penalty(0.1), numbers;
    best_ridge_regression: |k| KernelRidge::params(k).method(|m| m.penalties(&[0.1, 1e4])),
        Ridge::params().penalties(&[0.1, 1e4]), numbers;
    iterative_ridge_regression: |k| IterativeKernelRidge::params(k).method(|m| m.penalty(0.1).tolerance(1e-5)),
        IterativeRidge::params().penalty(0.1).tolerance(1e-9), numbers;
    support_vector_regression: |k| KernelSvr::params(k).method(|m| m.tolerance(1e-6)),
        Svr::params().tolerance(1e-9), rough;
}

/// Linear methods predict as well in f32, up to the rounding of the numbers whose products are predictions.
#[test]
fn linear_methods_in_single_precision() {
    for m in [300.0, 1e4] {
        let (x, y) = samples(200, m);
        let in_f64 = DatasetBase::new(x.mapv(f64::from), y.mapv(f64::from));
        let truth = Ridge::params().penalty(0.1).fit(&in_f64).unwrap();
        let truth = columns(truth.predict(&in_f64.records));
        let found = Ridge::params()
            .penalty(0.1)
            .fit(&DatasetBase::new(x.clone(), y))
            .unwrap();
        let apart = apart(&columns(found.predict(&x)), &truth);
        assert!(apart < 1e-3, "{m}: {apart:e}");
    }
}

/// Double precision suffices at a mean of 10⁷, with deviations of 2, 1, 0.5 and 0.2.
#[test]
fn double_precision_further_out() {
    let sizes = [2.0, 1.0, 0.5, 0.2];
    let near = npt_testkit::data::normal(60, 4, 5) * Array1::from(sizes.to_vec());
    let x = &near + 1e7;
    // The numbers less their mean, after rounding.
    let near = &x - 1e7;
    let y = near.dot(&Array1::from(vec![0.5, -1.0, 2.0, 3.0]));
    let truth = Ridge::params().penalty(0.1);
    let truth = truth
        .fit(&DatasetBase::new(near.clone(), y.clone()))
        .unwrap();
    let ridge = KernelRidge::params(Linear::new()).method(|m| m.penalty(0.1));
    let found = ridge.fit(&DatasetBase::new(x.clone(), y.clone())).unwrap();
    let off = apart(&columns(found.predict(&x)), &columns(truth.predict(&near)));
    assert!(off < 1e-7, "ridge: {off:e}");
    let sides = y.mapv(|v| v > 0.0);
    let truth = Svc::params().tolerance(1e-10);
    let truth = truth
        .fit(&DatasetBase::new(near.clone(), sides.clone()))
        .unwrap();
    let svc = KernelSvc::params(Linear::new()).method(|m| m.tolerance(1e-10));
    let found = svc.fit(&DatasetBase::new(x.clone(), sides)).unwrap();
    let found: Array1<f64> = found.transform(x);
    let off = apart(&columns(found), &columns(truth.decision_function(&near)));
    assert!(off < 1e-6, "classification: {off:e}");
}

/// Checks inner products in feature space against the centred K of the same numbers in f64, entry by entry; far out that has 8 digits.
fn check_inner_products(
    kernel: impl Kernel<Rows<f32>, Scalar = f32>,
    in_f64: impl Kernel<Rows<f64>, Scalar = f64>,
) {
    for m in [100.0, 1000.0] {
        let (x, _) = samples(20, m);
        let expected = centering::centered_gram(&in_f64, &Rows::new(x.mapv(f64::from)).unwrap());
        let size = largest(expected.iter().copied());
        let gram = centered_gram(&kernel, &x).unwrap();
        let off = largest(gram.mapv(f64::from) - &expected) / size;
        assert!(off < 1e-4, "matrix, {m}: {off:e}");
        let space = Exact::new(&kernel).fit_space(&x).unwrap();
        let y = space.coordinates(&x).unwrap();
        let off = largest(y.dot(&y.t()).mapv(f64::from) - &expected) / size;
        assert!(off < 1e-4, "coordinates, {m}: {off:e}");
        let residuals = space.residuals(&x).unwrap();
        let off = largest(residuals.mapv(f64::from)) / size;
        assert!(off < 1e-4, "residuals, {m}: {off:e}");
    }
}

#[test]
fn polynomials_and_sums() {
    check_inner_products(Linear::new(), Linear::new());
    check_inner_products(Polynomial::new(2, 1.0, 1.0), Polynomial::new(2, 1.0, 1.0));
    check_inner_products(Polynomial::new(3, 0.5, 0.0), Polynomial::new(3, 0.5, 0.0));
    check_inner_products(
        Linear::new() + Gaussian::new(0.5).scaled(0.1),
        Linear::new() + Gaussian::new(0.5).scaled(0.1),
    );
    check_inner_products(
        Columns::new(Linear::new(), 0..1) + Columns::new(Polynomial::new(2, 1.0, 1.0), 1..2),
        Columns::new(Linear::new(), 0..1) + Columns::new(Polynomial::new(2, 1.0, 1.0), 1..2),
    );
}

/// Kernels without a formula for values about an origin are refused where centring would leave only rounding, which the error reports.
#[test]
fn kernels_without_such_a_formula_are_refused() {
    let product = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let kernel = || FnKernel::new(product).assume_positive_semidefinite();
    let is_lost = |error: &Error| match error {
        Error::Cancellation { rounding, allowed } => *allowed == 1e-3 && *rounding > 1e-3,
        Error::NoVariance { .. } => true,
        _ => false,
    };
    for m in [300.0, 1e4] {
        let (x, y) = samples(50, m);
        let error = Exact::new(kernel()).fit_space(&x).unwrap_err();
        assert!(is_lost(&error), "{m}: {error}");
        let error = Nystrom::new(Linear::new(), Pivoting::uniform(1)).fit_space(&x);
        let error = error.unwrap_err();
        assert!(is_lost(&error), "landmarks, {m}: {error}");
        let data = DatasetBase::new(x, y);
        let error = KernelRidge::params(kernel()).fit(&data).unwrap_err();
        assert!(
            matches!(&error, KernelizedError::Space(error) if is_lost(error)),
            "{m}: {error}"
        );
    }
    // At m = 100, products of 10⁴ have a rounding of a 1200th of 1; at m = 10 the rounding is far smaller.
    let (x, _) = samples(50, 10.0);
    assert!(Exact::new(kernel()).fit_space(&x).is_ok());
}

/// The plain sum of an expansion's kernel values is the same function. Its coefficients are those that are exported and shown.
#[test]
fn expansions_tell_plain_coefficients() {
    let (x, y) = samples(50, 300.0);
    let data = DatasetBase::new(x.mapv(f64::from), y.mapv(f64::from));
    for kernel in [Polynomial::new(1, 1.0, 0.0), Polynomial::new(2, 1.0, 1.0)] {
        let ridge = KernelRidge::params(kernel).method(|m| m.penalty(0.1));
        let expanded = ridge.fit(&data).unwrap();
        let by_coordinates = ridge.by_coordinates().fit(&data).unwrap();
        let expansions = [
            expanded.expansion().clone(),
            by_coordinates.expansion().unwrap(),
        ];
        for expansion in expansions {
            let found = expansion.evaluate(&data.records).unwrap();
            let rows = Rows::new(data.records.clone()).unwrap();
            let plain = kernel
                .cross(&rows, expansion.samples())
                .dot(&expansion.coefficients())
                + &expansion.offsets();
            // Only six digits are left of values like 3·10¹⁰.
            assert!(apart(&plain, &found) < 1e-4, "{}", apart(&plain, &found));
        }
    }
}
