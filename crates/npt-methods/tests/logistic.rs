//! Tests of logistic regression on plain matrices, where it is hard, and of its errors.

use approx::assert_abs_diff_eq;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, Axis, array, concatenate, stack};
use npt_core::{Axes, Gaussian, KernelSpace, KernelizedError, Linear};
use npt_methods::{
    Error, KernelLogistic,
    linear::{Logistic, LogisticParams},
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

fn random(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || rng.gen_range(-1.0..1.0))
}

fn params() -> LogisticParams {
    Logistic::params()
}

fn waves() -> Array2<f64> {
    let i = Array1::range(0.0_f64, 12.0, 1.0);
    let columns = [i.mapv(f64::sin), i.mapv(|i| (2.0 * i).cos()), &i * 0.1];
    stack(Axis(1), &columns.each_ref().map(Array1::view)).unwrap()
}

/// The gradient by its formula, of weights (rows) and intercepts (last row), one column per class.
fn gradient(
    model: &Logistic<f64, usize>,
    x: &Array2<f64>,
    y: &Array1<usize>,
    penalty: f64,
) -> Array2<f64> {
    let mut residuals = model.predict_probabilities(x);
    for (mut row, &class) in residuals.outer_iter_mut().zip(y) {
        row[model.classes().iter().position(|&c| c == class).unwrap()] -= 1.0;
    }
    let functions = model.weights().ncols();
    let skipped = residuals.ncols() - functions;
    let residuals = residuals.slice(ndarray::s![.., skipped..]);
    let of_weights = x.t().dot(&residuals) + &(penalty * &model.weights());
    let of_intercepts = residuals.sum_axis(Axis(0)).insert_axis(Axis(0));
    concatenate![Axis(0), of_weights, of_intercepts]
}

/// The values are those of scikit-learn 1.9.1, `LogisticRegression(C=1/λ, tol=1e-14).fit(X, y)`, i = 0, …, 11,
/// X = (sin i, cos 2i, i/10). For λ = ½ and y = [sin(1 + i²) > 0] the solver is newton-cholesky, also
/// for C = 10¹²; for λ = ¼ and y = i² mod 3 + [i mod 4 = 0] it is newton-cg, which ends 10⁻⁷ away from
/// lbfgs.
#[test]
fn values_of_scikit_learn() {
    let sides = array![1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1];
    let data = Dataset::new(waves(), sides);
    let new = array![[0.3, -0.2, 0.5], [1.0, 1.0, -1.0]];
    let model = params().penalty(0.5).fit(&data).unwrap();
    let weights = array![
        [-0.219_411_746_853_341_75],
        [-0.533_914_136_264_977_2],
        [0.522_490_427_583_292_8]
    ];
    assert_abs_diff_eq!(model.weights().to_owned(), weights, epsilon = 1e-11);
    assert_abs_diff_eq!(
        model.intercept()[0],
        0.080_578_050_432_293_55,
        epsilon = 1e-11
    );
    let p = array![
        [0.405_455_951_327_894, 0.594_544_048_672_106],
        [0.767_676_613_567_397_8, 0.232_323_386_432_602_17]
    ];
    assert_abs_diff_eq!(model.predict_probabilities(&new), p, epsilon = 1e-11);
    let model = params().penalty(0.0).fit(&data).unwrap();
    let weights = array![
        [-0.213_621_179_997_761_98],
        [-0.693_897_246_321_282_2],
        [1.371_092_687_593_142_8]
    ];
    assert_abs_diff_eq!(model.weights().to_owned(), weights, epsilon = 1e-10);
    assert_abs_diff_eq!(
        model.intercept()[0],
        -0.355_740_730_159_441_47,
        epsilon = 1e-10
    );

    let classes = array![1, 1, 1, 0, 2, 1, 0, 1, 2, 0, 1, 1];
    let model = params()
        .penalty(0.25)
        .fit(&Dataset::new(waves(), classes))
        .unwrap();
    let weights = array![
        [
            0.314_330_798_360_050_1,
            -0.303_438_362_824_936_97,
            -0.010_892_435_535_114_44
        ],
        [
            1.841_121_056_980_038_5,
            -0.680_275_626_344_178_5,
            -1.160_845_430_635_852_7
        ],
        [
            0.651_231_217_460_282_3,
            -0.635_405_001_361_928_2,
            -0.015_826_216_098_359_64
        ]
    ];
    assert_abs_diff_eq!(model.weights().to_owned(), weights, epsilon = 5e-7);
    let b = array![
        -1.030_613_856_392_682,
        1.396_460_894_549_662_6,
        -0.365_847_038_157_111_84
    ];
    assert_abs_diff_eq!(model.intercept(), b, epsilon = 5e-7);
    let p = array![
        [
            0.087_025_007_194_413_26,
            0.712_586_099_473_745,
            0.200_388_893_331_841_73
        ],
        [
            0.343_372_834_701_268_2,
            0.609_940_836_866_897_6,
            0.046_686_328_431_834_19
        ]
    ];
    assert_abs_diff_eq!(model.predict_probabilities(&new), p, epsilon = 5e-7);
}

/// The gradient of a convex function vanishes at the minimum, relative to the terms that it is made of,
/// on separable data too, for penalties down to 10⁻¹⁰.
#[test]
fn gradients_vanish() {
    for (rows, columns, classes) in [(40, 3, 2), (40, 3, 4), (9, 30, 2), (9, 30, 3), (5, 2, 5)] {
        let x = random(rows, columns, 1) + 2.0;
        let y = Array1::from_shape_fn(rows, |i| {
            (i + usize::from(rows > classes && x[[i, 0]] > 2.0)) % classes
        });
        for penalty in [1e-10, 1e-5, 1.0, 1e5] {
            let model = params()
                .penalty(penalty)
                .fit(&Dataset::new(x.clone(), y.clone()));
            let model = model.unwrap();
            let g = gradient(&model, &x, &y, penalty);
            let p = model.predict_probabilities(&x);
            // Σ (1 − p) of the own classes, or λ‖w‖: the terms that cancel.
            let doubt: f64 = y
                .iter()
                .zip(p.outer_iter())
                .map(|(&c, p)| p.sum() - p[c])
                .sum();
            let scale = doubt + penalty * model.weights().fold(0.0_f64, |m, v| m.max(v.abs()));
            let worst = g.fold(0.0_f64, |m, v| m.max(v.abs()));
            assert!(
                worst <= 1e-6 * scale,
                "{rows} {columns} {classes} {penalty}: {worst:e} of {scale:e}"
            );
            assert_abs_diff_eq!(p.sum_axis(Axis(1)), Array1::ones(rows), epsilon = 1e-14);
            if classes > 2 {
                let scale = model.weights().fold(1.0_f64, |m, v| m.max(v.abs()));
                let sums = model.weights().sum_axis(Axis(1));
                assert_abs_diff_eq!(sums, Array1::zeros(columns), epsilon = 1e-9 * scale);
                assert_abs_diff_eq!(model.offsets_sum(), 0.0, epsilon = 1e-9 * scale);
            }
        }
    }
}

trait OffsetsSum {
    fn offsets_sum(&self) -> f64;
}

impl OffsetsSum for Logistic<f64, usize> {
    /// Returns the sum of the functions at the origin: they add up to 0 everywhere, if they do at one point and their weights do.
    fn offsets_sum(&self) -> f64 {
        let origin = Array2::zeros((1, self.weights().nrows()));
        self.decision_function(&origin).sum()
    }
}

/// Separable classes without a penalty have no minimum, and an error says that they are separable. With the smallest penalty
/// there is a minimum.
#[test]
fn separable_classes_need_a_penalty() {
    let not_converged = |error: Option<Error>| matches!(error, Some(Error::NotConverged { method: "Logistic", value, .. }) if value >= 0.0);
    let line = array![[0.0], [1.0], [2.0], [3.0]];
    // The classes are apart; or touching, so that only the samples outside could be moved away; or three.
    let sets = [
        (line.clone(), array![0, 0, 1, 1]),
        (array![[0.0], [1.0], [1.0], [2.0]], array![0, 0, 1, 1]),
        (random(6, 20, 2), array![0, 1, 2, 0, 1, 2]),
    ];
    for (x, y) in sets {
        let data = Dataset::new(x, y.clone());
        let separable = Error::Separable {
            method: "Logistic",
            parameter: "penalty",
        };
        assert_eq!(
            params().penalty(0.0).fit(&data).err(),
            Some(separable.clone())
        );
        let narrow = Dataset::new(data.records.mapv(|v| v as f32), y.clone());
        assert_eq!(params().penalty(0.0).fit(&narrow).err(), Some(separable));
        let model = params().penalty(1e-12).fit(&data).unwrap();
        let p = model.predict_probabilities(data.records());
        assert!(p.iter().all(|v| (0.0..=1.0).contains(v)));
    }
    let few = params().max_iterations(1).penalty(1e-3);
    assert!(not_converged(
        few.fit(&Dataset::new(line, array![0, 0, 1, 1])).err()
    ));
}

/// The w of a symmetric problem solves λw = (1 − p)·2, on any scale. This includes margins of hundreds, to
/// which each step adds 1.
#[test]
fn tiny_penalties() {
    let data = Dataset::new(array![[-1.0], [1.0]], array![0, 1]);
    for penalty in [1e-3, 1e-30, 1e-100, 1e-250] {
        let params = params().penalty(penalty).max_iterations(1000);
        let model = params.fit(&data).unwrap();
        let w: f64 = model.weights()[[0, 0]];
        // w·exp(w)(1 + exp(−w)) = 2/λ
        let left = w.ln() + w + (-w).exp().ln_1p();
        assert_abs_diff_eq!(left, (2.0 / penalty).ln(), epsilon = 1e-9);
        assert_abs_diff_eq!(model.intercept()[0], 0.0, epsilon = 1e-9);
    }
}

/// Probabilities are the same for records a thousand times as large with a million times the penalty.
#[test]
fn scales_and_single_precision() {
    let y = array![1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1];
    for y in [y.clone(), array![1, 1, 1, 0, 2, 1, 0, 1, 2, 0, 1, 1]] {
        let fit = |x: Array2<f64>, penalty: f64| {
            let data = Dataset::new(x.clone(), y.clone());
            params()
                .penalty(penalty)
                .fit(&data)
                .unwrap()
                .predict_probabilities(&x)
        };
        let expected = fit(waves(), 0.1);
        for scale in [1e-120, 1e-3, 1e3, 1e120] {
            let found = fit(waves() * scale, 0.1 * scale * scale);
            assert_abs_diff_eq!(found, expected, epsilon = 1e-9);
        }
        let far = waves() + 1e7;
        // The records are rounded to 10⁻⁹ there.
        assert_abs_diff_eq!(fit(far, 0.1), expected, epsilon = 1e-7);
        let x = waves().mapv(|v| v as f32);
        let single = Logistic::params().penalty(0.1);
        let model = single.fit(&Dataset::new(x.clone(), y.clone())).unwrap();
        let found = model.predict_probabilities(&x).mapv(f64::from);
        assert_abs_diff_eq!(found, expected, epsilon = 1e-5);
    }
}

/// Labels may be of any type, in ascending order: with more classes than features, and with classes of one member.
#[test]
fn labels_of_any_type() {
    let x = random(7, 2, 3);
    let y = array!["g", "c", "e", "a", "b", "d", "f"];
    let logistic = Logistic::params().penalty(1e-3);
    let model = logistic.fit(&Dataset::new(x.clone(), y.clone())).unwrap();
    assert_eq!(model.classes(), ["a", "b", "c", "d", "e", "f", "g"]);
    let p = model.predict_probabilities(&x);
    let found: Array1<&str> = model.predict(&x);
    for (found, p) in found.iter().zip(p.outer_iter()) {
        let largest = p.fold(0.0_f64, |m, v| m.max(*v));
        let class = model.classes().iter().position(|c| c == found).unwrap();
        assert_eq!(p[class], largest);
    }
    let sides = Dataset::new(
        x.clone(),
        array![true, false, true, false, true, true, false],
    );
    let model = Logistic::params().fit(&sides).unwrap();
    let values: Array2<f64> = model.transform(x.clone());
    assert_eq!(values.dim(), (7, 1));
    let expected = values.column(0).mapv(|v| v > 0.0);
    assert_eq!(model.predict(&x), expected);
}

/// Linearly dependent columns without a penalty give unique probabilities; the weights are one choice of many.
#[test]
fn dependent_columns_without_a_penalty() {
    let y = array![1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1];
    let once = params()
        .penalty(0.0)
        .fit(&Dataset::new(waves(), y.clone()))
        .unwrap();
    let x = concatenate![Axis(1), waves(), waves()];
    let twice = params()
        .penalty(0.0)
        .fit(&Dataset::new(x.clone(), y))
        .unwrap();
    assert_abs_diff_eq!(
        twice.predict_probabilities(&x),
        once.predict_probabilities(&waves()),
        epsilon = 1e-9
    );
}

#[test]
fn expansions() {
    let x = random(40, 2, 4);
    let y = x.map_axis(Axis(1), |row| {
        usize::from(row[0] * row[1] > 0.0) + usize::from(row[0] > 0.5)
    });
    let data = Dataset::new(x, y);
    let new = random(9, 2, 5);
    for axes in [Axes::Principal, Axes::Cholesky] {
        let kernel = Gaussian::new(1.0);
        let params = KernelLogistic::params(kernel)
            .space(|s| s.axes(axes))
            .method(|m| m.penalty(0.01));
        let model = params.fit(&data).unwrap();
        let values: Array2<f64> = model.transform(new.clone());
        let whole = params.by_coordinates().fit(&data).unwrap();
        let by_coordinates: Array2<f64> = whole.transform(new.clone());
        let scale = values.fold(0.0_f64, |m, v| m.max(v.abs()));
        assert_abs_diff_eq!(by_coordinates, values, epsilon = 1e-11 * scale);
        let right = model
            .predict(&data)
            .iter()
            .zip(data.targets())
            .filter(|(a, b)| a == b)
            .count();
        assert!(right >= 39, "{right}");
        assert!(whole.space().rank() > 20);
    }
}

#[test]
fn bad_input() {
    let x = random(4, 2, 6);
    let data = Dataset::new(x.clone(), array![0, 1, 0, 1]);
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = |error: Option<Error>, name: &str| {
            matches!(error, Some(Error::Parameter { of: "Logistic", parameter, value, .. })
                if parameter == name && value.total_cmp(&bad).is_eq())
        };
        assert!(refused(params().penalty(bad).fit(&data).err(), "penalty"));
        assert!(refused(
            params().tolerance(bad).fit(&data).err(),
            "tolerance"
        ));
    }
    let none = params().max_iterations(0).fit(&data).err();
    assert!(matches!(
        none,
        Some(Error::Parameter {
            parameter: "max_iterations",
            ..
        })
    ));
    let one = Dataset::new(x.clone(), array![3, 3, 3, 3]);
    assert_eq!(params().fit(&one).err(), Some(Error::Classes { found: 1 }));
    let alone = Dataset::new(array![[1.0]], array![3]);
    assert_eq!(
        params().fit(&alone).err(),
        Some(Error::Classes { found: 1 })
    );
    let few = DatasetBase::new(x.clone(), array![0, 1, 0]);
    let (samples, targets) = (4, 3);
    let count = npt_core::Error::TargetCount { samples, targets };
    assert_eq!(params().fit(&few).err(), Some(Error::Core(count)));
    let error = KernelLogistic::params(Linear::new())
        .method(|m| m.penalty(-1.0))
        .fit(&data);
    assert!(matches!(
        error.err(),
        Some(KernelizedError::Method(Error::Parameter {
            parameter: "penalty",
            ..
        }))
    ));
    let single = Dataset::new(Array2::<f32>::eye(4), array![0, 1, 0, 1]);
    let penalty = Logistic::params().penalty(1e300);
    let of = "Logistic";
    assert_eq!(penalty.fit(&single).err(), Some(Error::Overflow { of }));
    let huge = Dataset::new(x * 1e300, array![0, 1, 0, 1]);
    assert_eq!(params().fit(&huge).err(), Some(Error::Overflow { of }));
}
