//! Tests ν-SVC, regression, one class and one class against the rest against their duals on kernel matrices.

use super::case::{Case, Precision, assert_close_on, config, double};
use linfa::DatasetBase;
use ndarray::{Array1, Array2};
use npt::{
    methods::{Error, KernelNuSvc, KernelOneClassSvm, KernelSvr, linear::Strategy},
    prelude::*,
};
use npt_testkit::oracles::{centering, svc};
use proptest::{prelude::*, test_runner::TestRunner};
use std::cell::Cell;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn svr_is_its_dual(case in Case::any(4), c in 0.1..5.0_f64, epsilon in 0.01..0.5_f64) {
        svr::<f64>(&case, c / case.variance(), epsilon);
        svr::<f32>(&case, c / case.variance(), epsilon);
    }

    #[test]
    fn one_against_rest_are_duals(case in Case::any(9), c in 0.1..5.0_f64) {
        one_against_rest::<f64>(&case, c / case.variance());
        one_against_rest::<f32>(&case, c / case.variance());
    }
}

/// The error of the formulas of ν in their own conditions, in units of the kernel.
const FORMULA: f64 = 1e-12;

/// The way in which an answer was compared. Every fitted model has to satisfy the conditions of optimality.
/// Where the margin of a ν-SVC is small, few digits of the divisor are known: then its
/// values are compared before the division only.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Compared {
    /// The values are compared with those of the formula, too.
    Values,
    Optimality,
    /// There is no margin; the formula has none either, to rounding.
    Refusal,
}

/// Checks the cases, and counts those that are compared in each way.
fn tally<S>(cases: &S, check: impl Fn(S::Value) -> Compared) -> [usize; 3]
where
    S: proptest::strategy::Strategy,
{
    let counts = Cell::new([0; 3]);
    let run = TestRunner::new(config()).run(cases, |case| {
        let mut next = counts.get();
        next[check(case) as usize] += 1;
        counts.set(next);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    counts.get()
}

fn assert_shares<F: Precision>(what: &str, counts: [usize; 3]) {
    let [values, optimality, refusal] = counts;
    let all = values + optimality + refusal;
    println!(
        "{what} in {}: {values} by values, {optimality} by optimality, {refusal} refused",
        std::any::type_name::<F>()
    );
    assert_eq!(all, config().cases as usize);
    assert!(2 * values >= all, "{values} of {all} are compared by value");
    assert!(4 * refusal <= all, "{refusal} of {all} are refused");
}

#[test]
fn nu_svc_is_its_dual() {
    fn check<F: Precision>() {
        let cases = (Case::any(6), 0.05..0.95_f64);
        let counts = tally(&cases, |(case, share)| nu_svc::<F>(&case, share));
        assert_shares::<F>("nu-SVC", counts);
    }
    check::<f64>();
    check::<f32>();
}

#[test]
fn one_class_is_its_dual() {
    fn check<F: Precision>() {
        let cases = (Case::any(4), 0.05..0.95_f64);
        let counts = tally(&cases, |(case, nu)| one_class::<F>(&case, nu));
        assert_shares::<F>("one class", counts);
    }
    check::<f64>();
    check::<f32>();
}

/// Asserts the conditions under which 0 ≤ αᵢ ≤ `upper` are optimal: the slack yᵢf(xᵢ) − ρ is at least 0
/// where αᵢ may rise, and at most 0 where it may fall, to `rounding` of values.
fn assert_optimal(name: &str, alpha: &Array1<f64>, upper: f64, slack: &Array1<f64>, rounding: f64) {
    // α is computed from rounded numbers: a coefficient at its bound may come out beside it.
    let bound = upper * (1.0 - 1e-6);
    for (i, (&a, &slack)) in alpha.iter().zip(slack).enumerate() {
        assert!(
            (0.0..=upper * (1.0 + 1e-6)).contains(&a),
            "{name}: {a} of {i}"
        );
        assert!(
            (a >= bound || slack >= -rounding) && (a == 0.0 || slack <= rounding),
            "{name}: sample {i} with {a} of {upper} has the slack {slack:e} of {rounding:e}"
        );
    }
}

/// The rounding of n terms in values of size 1.
fn tolerance<F: Precision>(case: &Case) -> f64 {
    10.0 * F::epsilon().as_f64() * case.len() as f64
}

fn length(k: &Array2<f64>, alpha: &Array1<f64>) -> f64 {
    alpha.dot(&k.dot(alpha)).max(0.0).sqrt()
}

fn nu_svc<F: Precision>(case: &Case, share: f64) -> Compared {
    let labels = case.classes(2).mapv(|label| label == 1);
    let positive = labels.iter().filter(|&&label| label).count();
    let nu = share * 2.0 * positive.min(case.len() - positive) as f64 / case.len() as f64;
    let variance = case.variance();
    let k = &case.k / variance;
    let (signed, bias, margin) = svc::nu_dual(k.view(), labels.as_slice().unwrap(), nu, FORMULA);
    let data = DatasetBase::new(case.x::<F>(), labels);
    let params =
        KernelNuSvc::params(nu, F::kernel(case)).method(|m| m.tolerance(tolerance::<F>(case)));
    // `total` is νn, and `rounding` is that of sums of as many kernel values.
    let total = nu * case.len() as f64;
    let rounding = tolerance::<F>(case) * total * case.longest().powi(2) / variance;
    let model = match params.fit(&data) {
        Ok(model) => model,
        Err(error) => {
            let no_margin = Error::NoMargin { method: "NuSvc" };
            assert_eq!(error, KernelizedError::Method(no_margin));
            let level = rounding + FORMULA;
            assert!(margin <= level, "{}: the margin is {margin:e}", case.name);
            return Compared::Refusal;
        }
    };

    // The model has αᵢ/ρ; the αᵢ of both classes add up to νn.
    let y = data.targets().mapv(|label| if label { 1.0 } else { -1.0 });
    let dual = double(&model.inner().dual().to_owned()) * variance;
    let rho = total / dual.fold(0.0, |sum, a| sum + a.abs());
    let sum_of_signed = dual.sum() * rho;
    assert!(sum_of_signed.abs() <= 10.0 * F::epsilon().as_f64() * total);
    let found: Array1<F> = model.transform(case.x());
    let inner = k.dot(&dual);
    let values = &inner + constant(&found, &inner);
    let slack = (&values * &y - 1.0) * rho;
    assert_optimal(&case.name, &(&dual * &y * rho), 1.0, &slack, rounding);
    // The model's values at its training samples follow from the kernel matrix.
    let size = rounding / rho / F::TOLERANCE;
    assert_close_on(&case.name, &found, &values, size.max(1.0));

    // The values before the division by the margin are as unique as any.
    let values: Array1<F> = model.transform(case.new_samples());
    let expected = case.k_new.dot(&signed) / variance + bias;
    let scale = total * case.longest().powi(2) / variance;
    let undivided = values.mapv(|value| value * F::cast(rho));
    assert_close_on(&case.name, &undivided, &expected, scale.max(margin));
    if margin < F::TOLERANCE.sqrt() * total {
        return Compared::Optimality;
    }
    let alpha = &signed / margin;
    let expected = case.k_new.dot(&alpha) / variance + bias / margin;
    let scale = length(&k, &alpha) * case.longest() / variance.sqrt();
    assert_close_on(&case.name, &values, &expected, scale.powi(2).max(1.0));
    Compared::Values
}

/// The mean difference of the values found and the given ones: the bias, and what centring
/// adds to it.
fn constant<F: Precision>(found: &Array1<F>, values: &Array1<f64>) -> f64 {
    (double(found) - values).mean().expect("there are samples")
}

fn svr<F: Precision>(case: &Case, c: f64, epsilon: f64) {
    let targets = case
        .x::<f64>()
        .map_axis(ndarray::Axis(1), |row| (row[0] + 0.5 * row.sum()).sin());
    let (beta, bias) = svc::regression_dual(case.k.view(), &targets, c, epsilon, 1e-12);
    let params = KernelSvr::params(F::kernel(case)).method(|m| m.c(c).epsilon(epsilon));
    let rounding = tolerance::<F>(case) * (1.0 + length(&case.k, &beta) * case.longest());
    let data = DatasetBase::new(case.x::<F>(), targets.mapv(F::cast));
    let params = params.method(|m| m.tolerance(rounding));
    let model = params.fit(&data).unwrap();
    let values: Array1<F> = model.transform(case.new_samples());
    let without_bias = case.k_new.dot(&beta);
    let scale = 1.0 + length(&case.k, &beta) * case.longest();
    let free = |b: &f64| b.abs() > 1e-6 * c && b.abs() < c * (1.0 - 1e-6);
    if beta.iter().any(free) {
        assert_close_on(&case.name, &values, &(without_bias + bias), scale);
    } else {
        let fitted: Array1<F> = model.transform(case.x());
        let bias = constant(&fitted, &case.k.dot(&beta));
        assert_close_on(&case.name, &values, &(without_bias + bias), scale);
        // A bias is optimal if no target is outside the tube whose coefficient may still grow,
        // and none is inside whose coefficient may shrink.
        let slack = rounding + F::TOLERANCE * scale;
        for ((&b, f), y) in beta.iter().zip(double(&fitted)).zip(&targets) {
            let above = y - f;
            let optimal = if b.abs() < c / 2.0 {
                above.abs() <= epsilon + slack
            } else {
                above * b.signum() >= epsilon - slack
            };
            assert!(optimal, "{}: {above} above a value of {b}", case.name);
        }
    }
}

fn one_class<F: Precision>(case: &Case, nu: f64) -> Compared {
    let kernel = f64::kernel(case);
    let rows = Rows::new(case.x::<f64>()).unwrap();
    let new = Rows::new(case.new_samples::<f64>()).unwrap();
    let k = centering::gram(&*kernel, &rows);
    let longest = k.diag().fold(0.0_f64, |m, v| m.max(*v)).sqrt();
    let (alpha, rho) = svc::one_class_dual(k.view(), nu, FORMULA * longest * longest);
    let params = KernelOneClassSvm::params(nu, F::kernel(case))
        .method(|m| m.tolerance(tolerance::<F>(case)));
    let rounding = tolerance::<F>(case) * longest * longest;
    let model = match params.fit(&DatasetBase::from(case.x::<F>())) {
        Ok(model) => model,
        Err(error) => {
            let no_margin = Error::NoMargin {
                method: "OneClassSvm",
            };
            assert_eq!(error, KernelizedError::Method(no_margin));
            let level = rounding + FORMULA * longest * longest;
            assert!(rho <= level, "{}: rho is {rho:e}", case.name);
            return Compared::Refusal;
        }
    };

    let dual = double(&model.inner().dual().to_owned());
    assert!((dual.sum() - 1.0).abs() <= 10.0 * F::epsilon().as_f64());
    let slack = k.dot(&dual) + model.expansion().offsets()[0].as_f64();
    let upper = 1.0 / (nu * case.len() as f64);
    assert_optimal(&case.name, &dual, upper, &slack, rounding);
    let found: Array1<F> = model.transform(case.x());
    assert_close_on(&case.name, &found, &slack, longest * longest);

    let values: Array1<F> = model.transform(case.new_samples());
    let expected = centering::cross(&*kernel, &new, &rows).dot(&alpha) - rho;
    let largest = centering::diag(&*kernel, &new).fold(longest, |m, v| m.max(v.sqrt()));
    assert_close_on(&case.name, &values, &expected, longest * largest);
    Compared::Values
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
    let params =
        KernelSvc::params(F::kernel(case)).method(|m| m.c(c).strategy(Strategy::OneAgainstRest));
    let rounding = tolerance::<F>(case) * (1.0 + longest * case.longest());
    let params = params.method(|m| m.tolerance(rounding));
    let model = params.fit(&data).unwrap();
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
            let fitted: Array2<F> = model.transform(case.x());
            let fitted = fitted.column(class).to_owned();
            let bias = constant(&fitted, &case.k.dot(signed));
            assert_close_on(&case.name, &found, &(without_bias + bias), scale);
            let y = classes.mapv(|label| if label == class { 1.0 } else { -1.0 });
            let slack = double(&fitted) * &y - 1.0;
            // All coefficients are within 10⁻⁶ of a bound, and are set to it.
            let alpha = (signed * &y).mapv(|a| if a < c / 2.0 { 0.0 } else { c });
            let rounding = rounding + F::TOLERANCE * scale;
            assert_optimal(&case.name, &alpha, c, &slack, rounding);
        }
    }
}
