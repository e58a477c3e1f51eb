//! Tests of weights of kernels by alignment: against the definition, and on input that has no alignment.

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis, array};
use npt_core::{Error as CoreError, Gaussian, Kernel, Linear, Polynomial, Rows, WeightedSum};
use npt_methods::{Alignment, Error, centered_alignment};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;
use std::sync::Arc;

type AnyKernel = Arc<dyn Kernel<Rows<f64>, Scalar = f64>>;

fn kernels() -> Vec<AnyKernel> {
    vec![
        Arc::new(Gaussian::new(0.01)),
        Arc::new(Gaussian::new(0.5)),
        Arc::new(Gaussian::new(30.0)),
        Arc::new(Linear::new()),
        Arc::new(Polynomial::new(2, 1.0, 1.0)),
    ]
}

/// Makes samples of two features that matter, by their product, and one that does not.
fn problem(seed: u64) -> (Array2<f64>, Array1<f64>) {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let x = Array2::from_shape_simple_fn((40, 3), || rng.sample(StandardNormal));
    let y = x.map_axis(Axis(1), |row: ndarray::ArrayView1<f64>| {
        row[0] * row[1] + 0.3 * row[0]
    });
    (x, y)
}

/// Computes (I − E)𝒦(I − E), written with the matrix E.
fn centered(k: &Array2<f64>) -> Array2<f64> {
    let n = k.nrows();
    let centering = Array2::eye(n) - Array2::from_elem((n, n), 1.0 / n as f64);
    centering.dot(k).dot(&centering)
}

fn alignment(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    let (a, b) = (centered(a), centered(b));
    (&a * &b).sum() / ((&a * &a).sum() * (&b * &b).sum()).sqrt()
}

#[test]
fn independent_weights_are_the_alignments() {
    let (x, y) = problem(1);
    let rows = Rows::new(x.clone()).unwrap();
    let target = y.clone().insert_axis(Axis(1));
    let of_targets = target.dot(&target.t());
    let data = Dataset::new(x.clone(), y);
    let learned = Alignment::independent(kernels()).fit_values(&data).unwrap();
    let expected: Array1<f64> = kernels()
        .iter()
        .map(|k| alignment(&k.gram(&rows), &of_targets))
        .collect();
    for (kernel, expected) in kernels().iter().zip(&expected) {
        let found = centered_alignment(kernel, &x, &target).unwrap();
        assert!((found - expected).abs() < 1e-13);
    }
    let expected = &expected / expected.dot(&expected).sqrt();
    assert!(
        (&learned.weights() - &expected)
            .iter()
            .all(|d: &f64| d.abs() < 1e-13)
    );
}

/// No weights near the learned ones, and no random weights, align better.
#[test]
fn joint_weights_align_best() {
    for seed in 0..5 {
        let (x, y) = problem(seed);
        let rows = Rows::new(x.clone()).unwrap();
        let target = y.clone().insert_axis(Axis(1));
        let of_targets = centered(&target.dot(&target.t()));
        let grams: Vec<_> = kernels().iter().map(|k| centered(&k.gram(&rows))).collect();
        let reached = |weights: &Array1<f64>| {
            let terms = grams.iter().zip(weights).map(|(gram, &w)| gram * w);
            alignment(&terms.reduce(|a, b| a + b).unwrap(), &of_targets)
        };
        let learned = Alignment::joint(kernels())
            .fit_values(&Dataset::new(x, y))
            .unwrap();
        let weights = learned.weights().to_owned();
        assert!((weights.dot(&weights) - 1.0).abs() < 1e-14);
        assert!(weights.iter().all(|&w| w >= 0.0));
        let best = reached(&weights);
        let mut rng = Xoshiro256Plus::seed_from_u64(seed);
        for _ in 0..500 {
            let elsewhere = Array1::from_shape_simple_fn(5, || rng.r#gen::<f64>());
            assert!(reached(&elsewhere) <= best);
            let near = (&weights + &(elsewhere - 0.5) * 1e-3).mapv(|w| w.max(0.0));
            assert!(reached(&near) <= best * (1.0 + 1e-12));
        }
    }
}

/// Scaling a kernel scales its weight back, and a kernel that is given twice does not change the sum.
#[test]
fn the_joint_combination_does_not_depend_on_units() {
    let (x, y) = problem(3);
    let rows = Rows::new(x.clone()).unwrap();
    let data = Dataset::new(x, y);
    let shape = |learned: &WeightedSum<AnyKernel, f64>| {
        let gram = learned.gram(&rows);
        let trace = gram.diag().sum();
        gram / trace
    };
    let expected = shape(&Alignment::joint(kernels()).fit_values(&data).unwrap());
    let mut scaled = kernels();
    scaled[1] = Arc::new(Gaussian::new(0.5).scaled(1e6));
    scaled[4] = Arc::new(Polynomial::new(2, 1.0, 1.0).scaled(1e-6));
    scaled.push(Arc::new(Gaussian::new(0.5)));
    let found = shape(&Alignment::joint(scaled).fit_values(&data).unwrap());
    assert!((found - expected).iter().all(|d: &f64| d.abs() < 1e-10));
}

/// Kernels may differ by less and less, down to rounding, in the part that the targets depend on. Where the
/// difference is lost in rounding, the second kernel is left out without an error.
#[test]
fn nearly_equal_kernels_are_no_obstacle() {
    let (x, y) = problem(2);
    let target = y.clone().insert_axis(Axis(1));
    let data = Dataset::new(x.clone(), y);
    for difference in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-15] {
        let near = |share: f64| -> AnyKernel {
            let quadratic = Polynomial::new(2, 1.0, 0.0).scaled(share);
            Arc::new(Linear::new().plus(quadratic))
        };
        let near = vec![
            near(difference),
            near(2.0 * difference),
            near(3.0 * difference),
        ];
        let best = near
            .iter()
            .map(|kernel| centered_alignment(kernel, &x, &target).unwrap());
        let best = best.fold(0.0, f64::max);
        let learned = Alignment::joint(near).fit_values(&data).unwrap();
        assert!(learned.weights().iter().all(|&w| w >= 0.0));
        let reached = centered_alignment(&learned, &x, &target).unwrap();
        assert!(
            reached >= best - 1e-12,
            "{difference:e}: {reached} < {best}"
        );
    }
}

#[test]
fn classes_are_aligned_by_their_indicators() {
    let (x, y) = problem(4);
    let labels = y.mapv(|v| usize::from(v > -0.3) + usize::from(v > 0.3));
    let indicators = Array2::from_shape_fn((40, 3), |(i, c)| f64::from(u8::from(labels[i] == c)));
    let by_class = Alignment::joint(kernels()).fit_classes(&Dataset::new(x.clone(), labels));
    let by_value = Alignment::joint(kernels()).fit_values(&Dataset::new(x, indicators));
    let (by_class, by_value) = (by_class.unwrap(), by_value.unwrap());
    assert!(
        (&by_class.weights() - &by_value.weights())
            .iter()
            .all(|d: &f64| d.abs() < 1e-12)
    );
}

#[test]
fn what_cannot_be_aligned_is_refused() {
    let (x, y) = problem(5);
    let none: Vec<AnyKernel> = Vec::new();
    let data = Dataset::new(x.clone(), y.clone());
    for alignment in [Alignment::independent(none.clone()), Alignment::joint(none)] {
        assert_eq!(alignment.fit_values(&data).err(), Some(Error::NoKernels));
    }
    let constant = Dataset::new(x.clone(), Array1::from_elem(40, 0.1));
    let equal = Dataset::new(Array2::from_elem((40, 3), 0.7), y.clone());
    for data in [constant, equal] {
        for alignment in [
            Alignment::independent(kernels()),
            Alignment::joint(kernels()),
        ] {
            let error = alignment.fit_values(&data).err();
            assert_eq!(error, Some(Error::NotAligned { kernels: 5 }));
        }
    }
    let short = DatasetBase::new(x.clone(), y.slice_move(ndarray::s![..39]));
    let (samples, targets) = (40, 39);
    assert_eq!(
        Alignment::joint(kernels()).fit_values(&short).err(),
        Some(Error::Core(CoreError::TargetCount { samples, targets }))
    );
    let mut far = data.clone();
    far.records.row_mut(3).fill(1e200);
    assert_eq!(
        Alignment::joint(vec![Linear::new()]).fit_values(&far).err(),
        Some(Error::Core(CoreError::KernelNotFinite {
            row: 3,
            column: 3,
            value: f64::INFINITY
        }))
    );
    let bad = vec![Gaussian::new(-1.0)];
    let error = Alignment::joint(bad).fit_classes(&Dataset::new(x, Array1::from_elem(40, true)));
    let Err(Error::Core(CoreError::Parameter { parameter, .. })) = error else {
        panic!("the kernel's own error is passed on");
    };
    assert_eq!(parameter, "gamma");
}

#[test]
fn weights_of_a_sum_are_checked() {
    let kernels = vec![Gaussian::new(1.0), Gaussian::new(2.0)];
    let sum = WeightedSum::new(kernels.clone(), array![1.0]).err();
    let (kernel_count, weights) = (2, 1);
    let expected = CoreError::KernelCount {
        kernels: kernel_count,
        weights,
    };
    assert_eq!(sum, Some(expected));
    let x = Rows::new(array![[0.0], [1.0]]).unwrap();
    for weights in [
        array![-1.0, 2.0],
        array![0.0, 0.0],
        array![f64::INFINITY, 1.0],
    ] {
        let error = WeightedSum::new(kernels.clone(), weights)
            .unwrap()
            .check(&x)
            .err();
        let Some(CoreError::Parameter { of, parameter, .. }) = error else {
            panic!("the weights are refused");
        };
        assert_eq!((of, parameter), ("WeightedSum", "weights"));
    }
}
