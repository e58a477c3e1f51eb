//! Tests of the weights of kernels by the margin: against a search over all weights, by weak duality, and of the errors.

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis, array};
use npt_core::{
    AsSamples, Columns, Error as CoreError, Gaussian, Kernel, Linear, Rows, WeightedSum,
    centered_gram,
};
use npt_methods::{Error, KernelSvc, SvmMkl};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;
use std::sync::Arc;

type AnyKernel = Arc<dyn Kernel<Rows<f64>, Scalar = f64>>;

/// Makes samples of two features whose product matters, and one that does not.
fn problem(seed: u64, n: usize) -> Dataset<f64, bool, ndarray::Ix1> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let x = Array2::from_shape_simple_fn((n, 3), || rng.sample(StandardNormal));
    let y = x.map_axis(Axis(1), |row: ndarray::ArrayView1<f64>| {
        row[0] * row[1] + 0.3 * row[0] + 0.2 > 0.0
    });
    Dataset::new(x, y)
}

fn kernels() -> Vec<AnyKernel> {
    vec![
        Arc::new(Gaussian::new(0.01)),
        Arc::new(Gaussian::new(0.5)),
        Arc::new(Gaussian::new(30.0)),
        Arc::new(Linear::new().scaled(1e6)),
    ]
}

/// The mean squared distance of the φ from their mean.
fn variance(kernel: &AnyKernel, x: &Array2<f64>) -> f64 {
    centered_gram(kernel, &*x.as_samples().unwrap())
        .unwrap()
        .diag()
        .mean()
        .unwrap()
}

/// The optimum of the machine with a kernel, Σ |βᵢ| − ½βᵀKβ, and βᵀKₘβ of each kernel in units of its variance.
fn machine(
    data: &Dataset<f64, bool, ndarray::Ix1>,
    weights: &Array1<f64>,
    c: f64,
) -> (f64, Array1<f64>) {
    let units: Array1<f64> = kernels()
        .iter()
        .map(|k| variance(k, &data.records))
        .collect();
    let sum = WeightedSum::new(kernels(), weights / &units).unwrap();
    let model = KernelSvc::params(sum)
        .method(|m| m.c(c).tolerance(1e-10))
        .fit(data)
        .unwrap();
    let beta = model.inner().dual().to_owned();
    let x = data.records.as_samples().unwrap();
    let squares: Array1<f64> = kernels()
        .iter()
        .zip(&units)
        .map(|(k, unit)| beta.dot(&centered_gram(k, &*x).unwrap().dot(&beta)) / unit)
        .collect();
    let total: f64 = beta.iter().map(|b| b.abs()).sum();
    (total - weights.dot(&squares) / 2.0, squares)
}

/// The dual objective at the same β bounds the optimum over all weights from below. So no other weights are better by more
/// than the tolerance, and the bound of the norm is reached.
#[test]
fn no_weights_are_better_by_more_than_the_gap() {
    for seed in 0..3 {
        let data = problem(seed, 60);
        let units: Array1<f64> = kernels()
            .iter()
            .map(|k| variance(k, &data.records))
            .collect();
        for c in [0.1, 10.0, 1e4] {
            for p in [1.0, 1.3, 2.0, 8.0] {
                let learner = SvmMkl::new(kernels()).c(c).norm(p).tolerance(1e-4);
                let learned = learner.fit_classes(&data).unwrap();
                let d = &learned.weights() * &units;
                let length: f64 = d.iter().map(|d| d.powf(p)).sum();
                assert!((length - 1.0).abs() < 1e-12, "Σ dᵖ = {length}");
                let zeros = d.iter().filter(|&&d| d == 0.0).count();
                assert_eq!(zeros > 0, p == 1.0, "{zeros} without weight at p = {p}");
                let (objective, squares) = machine(&data, &d, c);
                let most = if p == 1.0 {
                    squares.fold(0.0_f64, |m, &s| m.max(s))
                } else {
                    let q = p / (p - 1.0);
                    squares.mapv(|s| s.powf(q)).sum().powf(1.0 / q)
                };
                let gap = (most - d.dot(&squares)) / 2.0 / objective;
                assert!(
                    (-1e-9..1.2e-4).contains(&gap),
                    "seed {seed}, C {c}, p {p}: {gap:e}"
                );
            }
        }
    }
}

/// The weights are the best of a fine net, for two kernels at a time.
#[test]
fn the_best_of_a_net() {
    let data = problem(7, 50);
    let units: Array1<f64> = kernels()
        .iter()
        .map(|k| variance(k, &data.records))
        .collect();
    let mut inside = 0;
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        let two = vec![kernels()[a].clone(), kernels()[b].clone()];
        let learner = SvmMkl::new(two).c(3.0).tolerance(1e-6);
        let learned = learner.fit_classes(&data).unwrap();
        let first = learned.weights()[0] * units[a];
        assert!((first + learned.weights()[1] * units[b] - 1.0).abs() < 1e-12);
        let objective = |d: f64| {
            let mut weights = Array1::zeros(4);
            (weights[a], weights[b]) = (d, (1.0 - d).max(0.0));
            machine(&data, &weights, 3.0).0
        };
        let net = (0..=100).map(|i| f64::from(i) / 100.0);
        let best = net
            .min_by(|&a, &b| objective(a).total_cmp(&objective(b)))
            .unwrap();
        inside += usize::from(best > 0.05 && best < 0.95);
        assert!((first - best).abs() < 0.02, "{first} beside {best}");
        assert!(objective(first) <= objective(best) * (1.0 + 1e-6));
    }
    assert!(inside > 0, "all optima are at an end");
}

/// The kernel of the features that matter has most of the weight at p = 1; at a large p all weights are nearly the same.
#[test]
fn one_kernel_a_feature() {
    let data = problem(3, 150);
    let of_feature =
        |k: usize| -> AnyKernel { Arc::new(Columns::new(Gaussian::new(0.5), k..k + 1)) };
    let pair: AnyKernel = Arc::new(Columns::new(Gaussian::new(0.5), 0..2));
    let kernels = vec![of_feature(0), of_feature(1), of_feature(2), pair];
    let learn = |p| {
        SvmMkl::new(kernels.clone())
            .c(10.0)
            .norm(p)
            .fit_classes(&data)
            .unwrap()
    };
    let sparse = learn(1.0);
    let most = sparse.weights().sum() / 2.0;
    assert!(sparse.weights()[3] > most);
    let alike = learn(50.0);
    assert!(alike.weights().iter().all(|&w| w > 0.5));
    let model = KernelSvc::params(sparse)
        .method(|m| m.c(10.0))
        .fit(&data)
        .unwrap();
    let test = problem(4, 500);
    let right = model
        .predict(&test.records)
        .iter()
        .zip(&test.targets)
        .filter(|(a, b)| a == b)
        .count();
    assert!(right > 430, "{right} of 500");
}

/// The units of a kernel change nothing, nor do `f32` and the order of the samples; several classes share the weights.
#[test]
fn units_and_classes() {
    let data = problem(5, 60);
    let learn = |kernels: Vec<AnyKernel>| {
        let learner = SvmMkl::new(kernels).c(5.0).tolerance(1e-6);
        learner.fit_classes(&data).unwrap().weights().to_owned()
    };
    let of = |scale: f64| -> Vec<AnyKernel> {
        let scaled = Gaussian::new(0.5).scaled(scale);
        vec![Arc::new(scaled), Arc::new(Gaussian::new(5.0))]
    };
    let expected = learn(of(1.0));
    assert!(expected.iter().all(|&w| w > 0.0), "{expected}");
    // Powers of two round nothing.
    for scale in [2.0_f64.powi(-500), 2.0_f64.powi(500)] {
        let found = learn(of(scale));
        assert_eq!((found[0] * scale, found[1]), (expected[0], expected[1]));
    }
    let single = DatasetBase::new(data.records.mapv(|v| v as f32), data.targets.clone());
    let in_single = SvmMkl::new(vec![Gaussian::<f32>::new(0.5), Gaussian::new(0.01)]).c(5.0);
    let in_double = SvmMkl::new(vec![Gaussian::<f64>::new(0.5), Gaussian::new(0.01)]).c(5.0);
    let (a, b) = (
        in_single.fit_classes(&single).unwrap(),
        in_double.fit_classes(&data).unwrap(),
    );
    for (a, b) in a.weights().iter().zip(b.weights()) {
        assert!((f64::from(*a) - b).abs() < 1e-3 * b.max(1.0), "{a} {b}");
    }

    let names = data.records.map_axis(Axis(1), |row| match row[0] * row[1] {
        v if v > 0.4 => "above",
        v if v < -0.4 => "below",
        _ => "between",
    });
    let classes = Dataset::new(data.records.clone(), names);
    let learned = SvmMkl::new(of(1.0)).c(5.0).fit_classes(&classes).unwrap();
    let model = KernelSvc::params(learned)
        .method(|m| m.c(5.0))
        .fit(&classes)
        .unwrap();
    let right = model
        .predict(&classes)
        .iter()
        .zip(&classes.targets)
        .filter(|(a, b)| a == b)
        .count();
    assert!(right >= 57, "{right} of 60");
}

#[test]
fn refused() {
    let data = problem(1, 20);
    let fit = |learner: SvmMkl<AnyKernel>| learner.fit_classes(&data).err();
    assert_eq!(fit(SvmMkl::new(Vec::new())), Some(Error::NoKernels));
    let of = |error: Option<Error>| match error {
        Some(Error::Parameter {
            of: "SvmMkl",
            parameter,
            value,
            ..
        }) => (parameter, value),
        other => panic!("{other:?}"),
    };
    let new = || SvmMkl::new(kernels());
    for c in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(of(fit(new().c(c))), ("c", c));
    }
    for norm in [0.99, -2.0, f64::INFINITY] {
        assert_eq!(of(fit(new().norm(norm))), ("norm", norm));
    }
    for tolerance in [0.0, 1.0, -1e-3] {
        assert_eq!(
            of(fit(new().tolerance(tolerance))),
            ("tolerance", tolerance)
        );
    }
    assert_eq!(of(fit(new().max_iterations(0))), ("max_iterations", 0.0));
    assert!(matches!(
        fit(new().tolerance(1e-9).max_iterations(2)),
        Some(Error::NotConverged {
            method: "SvmMkl",
            ..
        })
    ));

    let new = || SvmMkl::new(vec![Gaussian::new(0.5)]);
    let one_class = Dataset::new(data.records.clone(), Array1::from_elem(20, true));
    assert_eq!(
        new().fit_classes(&one_class).err(),
        Some(Error::Classes { found: 1 })
    );
    let equal = Dataset::new(Array2::ones((4, 2)), array![true, false, true, false]);
    let error = Error::Core(CoreError::NoVariance { samples: 4 });
    assert_eq!(new().fit_classes(&equal).err(), Some(error));
    let short = DatasetBase::new(data.records.clone(), array![true, false]);
    let error = Error::Core(CoreError::TargetCount {
        samples: 20,
        targets: 2,
    });
    assert_eq!(new().fit_classes(&short).err(), Some(error));
    let weighted = problem(1, 20).with_weights(Array1::ones(20));
    assert!(matches!(
        new().fit_classes(&weighted).err(),
        Some(Error::Weights { .. })
    ));
    let mut bad = data.records.clone();
    bad[[3, 1]] = f64::NAN;
    let bad = Dataset::new(bad, data.targets.clone());
    assert!(matches!(
        new().fit_classes(&bad).err(),
        Some(Error::Core(CoreError::SampleNotFinite {
            row: 3,
            column: 1,
            ..
        }))
    ));
    // A kernel under which all samples are alike is left out.
    let mut x = data.records.clone();
    x.column_mut(2).fill(7.0);
    let data = Dataset::new(x, data.targets.clone());
    let of_feature = |k: usize| Columns::new(Gaussian::new(0.5), k..k + 1);
    let learned = SvmMkl::new(vec![of_feature(2), of_feature(0)]);
    let learned = learned.fit_classes(&data).unwrap();
    assert!(learned.weights()[0] == 0.0 && learned.weights()[1] > 0.0);
}
