//! Tests of the errors of the support vector methods, and of input at the edge.

use super::normal;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, array};
use npt_core::{Gaussian, KernelizedError};
use npt_methods::{
    Error, KernelNuSvc, KernelOneClassSvm, KernelSvr,
    linear::{CalibratedSvc, MulticlassSvc, NuSvc, OneClassSvm, Svc, Svr},
};

/// Asserts that `result` is an error of the parameter; NaN is not equal to itself.
fn refuses<T>(result: Result<T, Error>, method: &str, name: &str, bad: f64) {
    let Some(Error::Parameter {
        of,
        parameter,
        value,
        ..
    }) = result.err()
    else {
        panic!("{name} = {bad} of {method} is refused");
    };
    assert_eq!((of, parameter), (method, name));
    assert!(value == bad || value.is_nan() && bad.is_nan());
}

fn sides() -> Dataset<f64, bool, ndarray::Ix1> {
    let x = array![[0.0, 1.0], [2.0, 0.0], [1.0, 1.5], [4.0, 3.0]];
    DatasetBase::new(x, array![false, true, false, true])
}

fn values() -> Dataset<f64, f64, ndarray::Ix1> {
    DatasetBase::new(sides().records().clone(), array![1.0, 0.0, 2.0, -1.0])
}

#[test]
fn parameters_out_of_range() {
    let classes = DatasetBase::new(sides().records().clone(), array![0, 1, 2, 0]);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        refuses(Svr::params().c(bad).fit(&values()), "Svr", "c", bad);
        let params = MulticlassSvc::params();
        refuses(params.c(bad).fit(&classes), "MulticlassSvc", "c", bad);
        let params = CalibratedSvc::params();
        refuses(params.c(bad).fit(&sides()), "CalibratedSvc", "c", bad);
        let tolerance = NuSvc::params(0.5).tolerance(bad).fit(&sides());
        refuses(tolerance, "NuSvc", "tolerance", bad);
        let tolerance = OneClassSvm::params(0.5).tolerance(bad).fit(&sides());
        refuses(tolerance, "OneClassSvm", "tolerance", bad);
    }
    for bad in [0.0, -0.1, 1.0 + 1e-12, f64::NAN] {
        refuses(NuSvc::params(bad).fit(&sides()), "NuSvc", "nu", bad);
        let fit = OneClassSvm::params(bad).fit(&sides());
        refuses(fit, "OneClassSvm", "nu", bad);
        refuses(Svr::params().nu(bad).fit(&values()), "Svr", "nu", bad);
    }
    for bad in [-1e-300, f64::NAN, f64::INFINITY] {
        let fit = Svr::params().epsilon(bad).fit(&values());
        refuses(fit, "Svr", "epsilon", bad);
    }
    for bad in [0, 1] {
        let fit = CalibratedSvc::params().folds(bad).fit(&sides());
        refuses(fit, "CalibratedSvc", "folds", bad as f64);
    }
    let kernel = KernelSvr::params(Gaussian::new(1.0))
        .method(|m| m.epsilon(-1.0))
        .fit(&values());
    assert!(matches!(
        kernel,
        Err(KernelizedError::Method(Error::Parameter { of: "Svr", .. }))
    ));
}

#[test]
fn targets_that_are_not_finite() {
    for bad in [f64::NAN, f64::INFINITY] {
        let mut data = values();
        data.targets[2] = bad;
        let error = Svr::params().fit(&data).err();
        let Some(Error::Core(npt_core::Error::TargetNotFinite { row, column, value })) = error
        else {
            panic!("{bad} is refused");
        };
        assert_eq!((row, column), (2, 0));
        assert!(value == bad || value.is_nan() && bad.is_nan());
    }
}

#[test]
fn one_class_alone() {
    let same = DatasetBase::new(sides().records().clone(), Array1::from_elem(4, true));
    let error = Some(Error::Classes { found: 1 });
    assert_eq!(NuSvc::params(0.5).fit(&same).err(), error);
    assert_eq!(MulticlassSvc::params().fit(&same).err(), error);
    assert_eq!(CalibratedSvc::params().fit(&same).err(), error);
}

#[test]
fn nu_that_is_too_large() {
    let x = normal(10, 2, 1);
    let data = DatasetBase::new(x, Array1::from_shape_fn(10, |i| i < 3));
    let refused = Error::InfeasibleNu {
        nu: 0.61,
        largest: 0.6,
    };
    assert_eq!(NuSvc::params(0.61).fit(&data).err(), Some(refused.clone()));
    let kernel = KernelNuSvc::params(0.61, Gaussian::new(1.0)).fit(&data);
    assert_eq!(kernel.err(), Some(KernelizedError::Method(refused)));
    assert!(
        KernelNuSvc::params(0.6, Gaussian::new(1.0))
            .fit(&data)
            .is_ok()
    );
}

/// Centred records have no margin: their mean is always among the samples, to any ν, so nothing is separated from the origin.
#[test]
fn centered_records_have_no_margin() {
    let mut x = normal(20, 3, 1);
    x -= &x.mean_axis(ndarray::Axis(0)).unwrap();
    for nu in [0.1, 0.5, 1.0] {
        let error = OneClassSvm::params(nu)
            .fit(&DatasetBase::from(x.clone()))
            .err();
        assert_eq!(
            error,
            Some(Error::NoMargin {
                method: "OneClassSvm"
            })
        );
    }
    let machine = KernelOneClassSvm::params(0.2, Gaussian::new(0.5));
    let model = machine.fit(&DatasetBase::from(x.clone())).unwrap();
    let values: Array1<f64> = model.transform(x);
    // Support vectors on the plane are on it to the tolerance only.
    let level = 2e-3 * model.expansion().offsets()[0];
    let outside = values.iter().filter(|&&v| v < level).count();
    let support = model.inner().dual().iter().filter(|&&v| v > 0.0).count();
    // The share ν of 20 is between the two numbers.
    assert!(
        outside <= 4 && 4 <= support,
        "{outside} outside, {support} support vectors"
    );
}

#[test]
fn the_same_sample_in_both_classes() {
    let x = array![[1.0, 2.0], [1.0, 2.0], [3.0, 1.0], [3.0, 1.0]];
    let data = DatasetBase::new(x, array![true, false, true, false]);
    let svc: Svc<f64> = Svc::params().c(1e6).fit(&data).unwrap();
    assert!(svc.weights().iter().all(|w: &f64| w.abs() < 1e-6));
    assert!(svc.bias().abs() <= 1.0);
    assert_eq!(
        NuSvc::params(0.5).fit(&data).err(),
        Some(Error::NoMargin { method: "NuSvc" })
    );
    let targets = DatasetBase::new(data.records().clone(), array![1.0, -1.0, 1.0, -1.0]);
    let svr = Svr::params().c(1e6).fit(&targets).unwrap();
    assert!(
        svr.predict(data.records())
            .iter()
            .all(|v: &f64| v.abs() < 1.0)
    );
}

#[test]
fn features_that_are_constant() {
    let x = Array2::from_elem((5, 2), 0.1);
    let data = DatasetBase::new(x.clone(), array![true, true, true, false, false]);
    let svc = Svc::params().fit(&data).unwrap();
    // Only the majority is known.
    assert_eq!(
        (svc.weights().to_owned(), svc.bias()),
        (array![0.0, 0.0], 1.0)
    );
    assert_eq!(
        NuSvc::params(0.5).fit(&data).err(),
        Some(Error::NoMargin { method: "NuSvc" })
    );
    let targets = DatasetBase::new(x, array![1.0, 2.0, 3.0, 40.0, 50.0]);
    let svr = Svr::params().epsilon(0.0).fit(&targets).unwrap();
    // The bias is the median.
    assert_eq!(
        (svr.weights().to_owned(), svr.bias()),
        (array![0.0, 0.0], 3.0)
    );
}

#[test]
fn two_samples() {
    let data = DatasetBase::new(array![[1.0], [2.0]], array![false, true]);
    for nu in [0.5, 1.0] {
        let svc = NuSvc::params(nu).fit(&data).unwrap();
        assert!((svc.weights()[0] - 2.0_f64).abs() < 1e-12 && (svc.bias() + 3.0).abs() < 1e-12);
    }
    let line = DatasetBase::new(array![[1.0], [2.0]], array![0.0, 10.0]);
    let svr = Svr::params().c(100.0).epsilon(1.0).fit(&line).unwrap();
    assert!((svr.weights()[0] - 8.0_f64).abs() < 1e-12 && (svr.bias() + 7.0).abs() < 1e-12);
    let one = DatasetBase::from(array![[2.0]]);
    let model = OneClassSvm::params(0.7).fit(&one).unwrap();
    assert_eq!((model.weights()[0], model.bias()), (2.0_f64, -4.0));
}

/// A problem in other units has the same solution in these units, or an error where the
/// penalty leaves the range; never a panic or NaN.
#[test]
fn features_near_the_ends_of_the_range() {
    let x = normal(20, 2, 3);
    let labels = x.column(0).mapv(|v| v > 0.2);
    let targets = x.column(1).to_owned();
    let svc = |x: &Array2<f64>, c: f64| {
        let data = DatasetBase::new(x.clone(), labels.clone());
        Svc::params().c(c).tolerance(1e-9).fit(&data)
    };
    let expected = svc(&x, 1.0).unwrap();
    for exponent in [-450_i32, -30, 30, 450] {
        let scale = 2.0_f64.powi(exponent);
        let scaled = &x * scale;
        let found = svc(&scaled, scale.powi(-2)).unwrap();
        assert_eq!(
            found.weights().to_owned() * scale,
            expected.weights().to_owned()
        );
        assert_eq!(found.bias(), expected.bias());

        // With an unchanged penalty, everything or nothing is allowed to violate the margin.
        let found = svc(&scaled, 1.0);
        assert!(found.is_ok_and(|m| m.bias().is_finite()) || exponent > 0);
        let data = DatasetBase::new(scaled.clone(), targets.clone());
        for params in [Svr::params(), Svr::params().nu(0.5)] {
            let found = params.c(scale.powi(-2)).fit(&data).unwrap();
            assert!(
                found
                    .decision_function(&scaled)
                    .iter()
                    .all(|v| v.is_finite())
            );
        }
        let away = DatasetBase::from((&x + 5.0) * scale);
        let found = OneClassSvm::params(0.3).fit(&away).unwrap();
        let unscaled = OneClassSvm::params(0.3)
            .fit(&DatasetBase::from(&x + 5.0))
            .unwrap();
        assert_eq!(found.predict(away.records()), unscaled.predict(&(&x + 5.0)));
        let data = DatasetBase::new(scaled, labels.clone());
        let nu = NuSvc::params(0.1).fit(&data).unwrap();
        assert!(nu.weights().iter().all(|w| w.is_finite()));
    }
    for (scale, fits) in [(1e-160, 1e300), (1e160, 1e-300)] {
        let scaled = &x * scale;
        refuses(svc(&scaled, 0.5), "Svc", "c", 0.5);
        let data = DatasetBase::new(scaled.clone(), labels.clone());
        for (name, positive, negative) in [
            ("class_c (positive)", 0.5, fits),
            ("class_c (negative)", fits, 0.5),
        ] {
            let params = Svc::params().class_c(positive, negative);
            refuses(params.fit(&data), "Svc", name, 0.5);
        }
        let data = DatasetBase::new(scaled, targets.clone());
        refuses(Svr::params().c(0.5).fit(&data), "Svr", "c", 0.5);
    }
}

/// A solution in f32 may be out of range where the one in f64 is not.
#[test]
fn solutions_out_of_range() {
    let data = DatasetBase::new(
        array![[0.0_f32], [1e-30], [2e-30]],
        array![0.0_f32, 1e30, 2e30],
    );
    let error = Svr::params().c(1e300).epsilon(0.0).fit(&data).err();
    assert_eq!(error, Some(Error::Overflow { of: "Svr" }));
}

/// Methods without a C return an error of the records where s² overflows or vanishes.
#[test]
fn records_whose_squares_are_out_of_range() {
    let data = sides();
    for scale in [1e-170, 1e170] {
        let scaled = DatasetBase::new(data.records() * scale, data.targets().clone());
        let nu = NuSvc::params(0.5).fit(&scaled).err();
        assert_eq!(nu, Some(Error::Overflow { of: "NuSvc" }));
        let away = DatasetBase::from((data.records() + 1.0) * scale);
        let one = OneClassSvm::params(0.5).fit(&away).err();
        assert_eq!(one, Some(Error::Overflow { of: "OneClassSvm" }));
    }
}

/// Targets in other units, and from another origin, have the same regression: exactly for
/// powers of two, and to the last digits of targets that are far from 0.
#[test]
fn targets_in_other_units() {
    let x = array![[0.0], [1.0], [2.0], [3.5], [4.0]];
    let y = array![0.0, 1.25, 2.0, 3.0, 4.5];
    let fit = |y: Array1<f64>, unit: f64, nu: bool| {
        let params = Svr::params().c(unit).tolerance(1e-9 * unit);
        let params = if nu {
            params.nu(0.3)
        } else {
            params.epsilon(0.2 * unit)
        };
        params.fit(&DatasetBase::new(x.clone(), y)).unwrap()
    };
    for nu in [false, true] {
        let expected = fit(y.clone(), 1.0, nu);
        assert!(expected.weights()[0] > 0.5);
        for exponent in [-900, -600, -400, 400, 600, 1020] {
            let unit = 2.0_f64.powi(exponent);
            let found = fit(&y * unit, unit, nu);
            assert_eq!(found.weights()[0], expected.weights()[0] * unit);
            assert_eq!(found.bias(), expected.bias() * unit);
            assert!((found.epsilon() / unit - expected.epsilon()).abs() < 1e-15);
        }
        let away = 2.0_f64.powi(50);
        let found = fit(&y + away, 1.0, nu);
        assert_eq!(found.weights(), expected.weights());
        // Equal to the spacing of numbers of that size.
        assert!((found.bias() - away - expected.bias()).abs() <= 0.25);
        let wide = Svr::params().epsilon(f64::MAX);
        let wide = wide.fit(&DatasetBase::new(x.clone(), y.clone())).unwrap();
        assert_eq!((wide.weights()[0], wide.bias()), (0.0, 2.25));
    }
}

#[test]
fn one_sample_has_a_constant_regression() {
    let data = DatasetBase::new(array![[3.0, 1.0]], array![7.0]);
    for params in [Svr::params(), Svr::params().nu(0.5)] {
        let svr = params.fit(&data).unwrap();
        let weights: Array1<f64> = svr.weights().to_owned();
        assert_eq!((weights, svr.bias()), (array![0.0, 0.0], 7.0));
    }
}

/// Penalties are refused if only rounding is left: scores of 10¹⁶ are known to about 1, which leaves nothing of targets of 4. Any point would
/// count as optimal.
#[test]
fn penalties_that_leave_rounding_alone() {
    let lost = |result: Option<Error>, least: f64, of: f64| {
        let Some(Error::LostInRounding {
            rounding, target, ..
        }) = result
        else {
            panic!("{result:?}");
        };
        assert!(rounding > least && target <= of, "{rounding} {target}");
    };
    let x = array![[1e8], [-4.0], [2.0]];
    let data = Dataset::new(x.clone(), array![-4.0, -4.0, -3.0]);
    let weights = array![1.0, 1000.0, 1000.0];
    lost(
        Svr::params().fit(&data.with_weights(weights)).err(),
        1.0,
        4.0,
    );
    // Machines of two sides are to reach ±1.
    let sides = Dataset::new(
        array![[1e9], [-1e9], [1e9], [-1e9]],
        array![true, true, false, false],
    );
    lost(Svc::params().c(1e3).fit(&sides).err(), 1.0, 1.0);
    // Lower penalties leave enough digits.
    assert!(Svc::params().c(1e-17).fit(&sides).is_ok());
}
