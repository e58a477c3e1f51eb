//! ν-SVC, regression, one class and one class against the rest, by their duals on kernel matrices.

use super::case::{Case, Precision, assert_close_on, config};
use linfa::DatasetBase;
use ndarray::{Array1, Array2};
use npt::{
    methods::{
        Error, KernelMulticlassSvc, KernelNuSvc, KernelOneClassSvm, KernelSvr, linear::Strategy,
    },
    prelude::*,
};
use npt_testkit::oracles::{centring, svc};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn nu_svc_is_its_dual(case in Case::any(6), share in 0.05..0.95_f64) {
        nu_svc::<f64>(&case, share);
        nu_svc::<f32>(&case, share);
    }

    #[test]
    fn svr_is_its_dual(case in Case::any(4), c in 0.1..5.0_f64, epsilon in 0.01..0.5_f64) {
        svr::<f64>(&case, c / case.variance(), epsilon);
        svr::<f32>(&case, c / case.variance(), epsilon);
    }

    #[test]
    fn one_class_is_its_dual(case in Case::any(4), nu in 0.05..0.95_f64) {
        one_class::<f64>(&case, nu);
        one_class::<f32>(&case, nu);
    }

    #[test]
    fn one_against_rest_are_duals(case in Case::any(9), c in 0.1..5.0_f64) {
        one_against_rest::<f64>(&case, c / case.variance());
        one_against_rest::<f32>(&case, c / case.variance());
    }
}

/// As far as rounding of n terms lets values of size 1 be known.
fn tolerance<F: Precision>(case: &Case) -> f64 {
    10.0 * F::epsilon().as_f64() * case.len() as f64
}

fn length(k: &Array2<f64>, alpha: &Array1<f64>) -> f64 {
    alpha.dot(&k.dot(alpha)).max(0.0).sqrt()
}

fn nu_svc<F: Precision>(case: &Case, share: f64) {
    let labels = case.classes(2).mapv(|label| label == 1);
    let positive = labels.iter().filter(|&&label| label).count();
    let nu = share * 2.0 * positive.min(case.len() - positive) as f64 / case.len() as f64;
    let variance = case.variance();
    let k = &case.k / variance;
    let (signed, bias, margin) = svc::nu_dual(k.view(), labels.as_slice().unwrap(), nu, 1e-12);
    let data = DatasetBase::new(case.x::<F>(), labels);
    let params = KernelNuSvc::params(nu, F::kernel(case)).tolerance(tolerance::<F>(case));
    let found = params.fit(&data);
    // Where the reduced hulls of the classes all but meet, rounding decides what is between them.
    if margin < F::TOLERANCE.sqrt() * signed.fold(0.0, |sum, v| sum + v.abs()) {
        let no_margin = Error::NoMargin { method: "NuSvc" };
        let result = found.map(|model| model.inner().bias().is_finite());
        assert!(result == Ok(true) || result == Err(KernelizedError::Method(no_margin)));
        return;
    }
    let values: Array1<F> = found.unwrap().transform(case.new_samples());
    let alpha = &signed / margin;
    let expected = case.k_new.dot(&alpha) / variance + bias / margin;
    let scale = length(&k, &alpha) * case.longest() / variance.sqrt();
    assert_close_on(&case.name, &values, &expected, scale.powi(2).max(1.0));
}

fn svr<F: Precision>(case: &Case, c: f64, epsilon: f64) {
    let targets = case
        .x::<f64>()
        .map_axis(ndarray::Axis(1), |row| (row[0] + 0.5 * row.sum()).sin());
    let (beta, bias) = svc::regression_dual(case.k.view(), &targets, c, epsilon, 1e-12);
    let params = KernelSvr::params(F::kernel(case)).c(c).epsilon(epsilon);
    let rounding = tolerance::<F>(case) * (1.0 + length(&case.k, &beta) * case.longest());
    let data = DatasetBase::new(case.x::<F>(), targets.mapv(F::cast));
    let model = params.tolerance(rounding).fit(&data).unwrap();
    let values: Array1<F> = model.transform(case.new_samples());
    let without_bias = case.k_new.dot(&beta);
    let scale = 1.0 + length(&case.k, &beta) * case.longest();
    let free = |b: &f64| b.abs() > 1e-6 * c && b.abs() < c * (1.0 - 1e-6);
    if beta.iter().any(free) {
        assert_close_on(&case.name, &values, &(without_bias + bias), scale);
    } else {
        let bias = model.inner().bias();
        assert_close_on(&case.name, &values.mapv(|v| v - bias), &without_bias, scale);
    }
}

fn one_class<F: Precision>(case: &Case, nu: f64) {
    let kernel = f64::kernel(case);
    let rows = Rows::new(case.x::<f64>()).unwrap();
    let new = Rows::new(case.new_samples::<f64>()).unwrap();
    let k = centring::gram(&*kernel, &rows);
    let longest = k.diag().fold(0.0_f64, |m, v| m.max(*v)).sqrt();
    let (alpha, rho) = svc::one_class_dual(k.view(), nu, 1e-12 * longest * longest);
    let params = KernelOneClassSvm::params(nu, F::kernel(case)).tolerance(tolerance::<F>(case));
    let found = params.fit(&DatasetBase::from(case.x::<F>()));
    // Where the origin all but touches the reduced hull, rounding decides on which side it is.
    if rho < F::TOLERANCE.sqrt() * longest * longest {
        let no_margin = Error::NoMargin {
            method: "OneClassSvm",
        };
        let result = found.map(|model| model.inner().bias().is_finite());
        assert!(result == Ok(true) || result == Err(KernelizedError::Method(no_margin)));
        return;
    }
    let values: Array1<F> = found.unwrap().transform(case.new_samples());
    let expected = centring::cross(&*kernel, &new, &rows).dot(&alpha) - rho;
    let largest = centring::diag(&*kernel, &new).fold(longest, |m, v| m.max(v.sqrt()));
    assert_close_on(&case.name, &values, &expected, longest * largest);
}

fn one_against_rest<F: Precision>(case: &Case, c: f64) {
    let classes = case.classes(3);
    let data = DatasetBase::new(case.x::<F>(), classes.clone());
    let duals = [0, 1, 2].map(|class| {
        let labels: Vec<bool> = classes.iter().map(|&label| label == class).collect();
        svc::dual(case.k.view(), &labels, c, 1e-12)
    });
    let longest = duals
        .iter()
        .fold(0.0_f64, |m, (signed, _)| m.max(length(&case.k, signed)));
    let params = KernelMulticlassSvc::params(F::kernel(case)).c(c);
    let params = params.strategy(Strategy::OneAgainstRest);
    let rounding = tolerance::<F>(case) * (1.0 + longest * case.longest());
    let model = params.tolerance(rounding).fit(&data).unwrap();
    let values: Array2<F> = model.transform(case.new_samples());
    for (class, (signed, bias)) in duals.iter().enumerate() {
        let found = values.column(class).to_owned();
        let scale = 1.0 + length(&case.k, signed) * case.longest();
        let without_bias = case.k_new.dot(signed);
        if signed
            .iter()
            .any(|a| a.abs() > 1e-6 * c && a.abs() < c * (1.0 - 1e-6))
        {
            assert_close_on(&case.name, &found, &(without_bias + *bias), scale);
        } else {
            let found = found.mapv(|v| v - model.inner().biases()[class]);
            assert_close_on(&case.name, &found, &without_bias, scale);
        }
    }
}
