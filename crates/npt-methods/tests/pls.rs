//! Tests of partial least squares on plain matrices, and of its errors.

use approx::assert_abs_diff_eq;
use linfa::{
    Dataset,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, Axis, array, concatenate, s};
use npt_core::{Error as CoreError, Gaussian, KernelizedError, Linear};
use npt_methods::{Error, KernelPls, linear::Pls};

fn records() -> Array2<f64> {
    Array2::from_shape_fn((12, 4), |(i, j)| {
        let trend = if j == 0 { 0.1 * i as f64 } else { 0.0 };
        (1.3 * (i + 1) as f64 * (j + 1) as f64).sin() + trend
    })
}

fn targets() -> Array2<f64> {
    let x = records();
    Array2::from_shape_fn((12, 2), |(i, k)| match k {
        0 => x[[i, 0]] - 2.0 * x[[i, 2]] + 0.3 * (i as f64).cos(),
        _ => x[[i, 1]].powi(2) + 0.5 * x[[i, 3]] + 4.0,
    })
}

/// The values are those of scikit-learn 1.9.1, `PLSRegression(m, scale=False, max_iter=100000, tol=1e-28)`: `coef_.T`,
/// `predict` and `transform` of (0.5, −1, 0.25, 2), for both targets and for the first alone.
#[test]
fn scikit_learn_has_the_same_values() {
    let new = array![[0.5, -1.0, 0.25, 2.0]];
    let pls = Pls::params(2)
        .fit(&Dataset::new(records(), targets()))
        .unwrap();
    let expected = array![
        [1.048_601_604_930_202, -0.410_416_909_394_645_5],
        [0.325_587_455_859_564_4, -0.014_702_587_147_206],
        [-1.874_686_699_666_896_8, 0.005_282_935_273_199_6],
        [-0.238_725_647_176_948_4, 0.441_404_578_483_386_9],
    ];
    assert_abs_diff_eq!(pls.coefficients().to_owned(), expected, epsilon = 1e-12);
    let expected = array![[-0.790_467_204_103_247_3, 5.452_051_904_117_724]];
    assert_abs_diff_eq!(pls.predict(&new), expected, epsilon = 1e-12);
    let expected = array![[0.779_985_011_648_66, 1.391_971_292_779_016]];
    let scores = pls.transform(new.clone());
    assert_abs_diff_eq!(scores.mapv(f64::abs), expected, epsilon = 1e-12);

    let one = Dataset::new(records(), targets().column(0).to_owned());
    let pls = Pls::params(2).fit(&one).unwrap();
    let predicted: Array1<f64> = pls.predict(&new);
    assert_abs_diff_eq!(predicted, array![-0.624_179_285_111_286_3], epsilon = 1e-12);
    let expected = array![
        [0.498_796_460_176_433_7, 0.325_903_480_365_675_8],
        [0.149_606_035_841_154_9, 0.877_912_539_919_494_5],
        [0.842_888_030_815_866_4, 0.350_592_808_283_493_4],
        [0.135_498_682_143_792_2, 0.011_881_772_491_304_6],
    ];
    let weights = pls.weights().mapv(f64::abs);
    assert_abs_diff_eq!(weights, expected, epsilon = 1e-12);
}

/// Components as many as the rank give least squares: residuals are orthogonal to the
/// records. Scores are orthogonal to each other, whatever the scale of records and targets.
#[test]
fn all_components_are_least_squares() {
    for (x_scale, y_scale) in [(1.0, 1.0), (1e-170, 1e130), (1e170, 1e-130)] {
        let data = Dataset::new(records() * x_scale, targets() * y_scale);
        let pls = Pls::params(4).fit(&data).unwrap();
        let residuals = (pls.predict(&data) - data.targets()) / y_scale;
        let centered = records() - &records().mean_axis(Axis(0)).unwrap();
        assert_abs_diff_eq!(
            centered.t().dot(&residuals),
            Array2::zeros((4, 2)),
            epsilon = 1e-12
        );
        let scores = pls.transform(data.records().clone()) / x_scale;
        let products = scores.t().dot(&scores);
        let lengths = Array2::from_diag(&products.diag());
        assert_abs_diff_eq!(products, lengths, epsilon = 1e-12);
        assert!(lengths.diag().iter().all(|&v| v > 1e-3));
    }
}

/// Copies of features, so that there are more features than samples, change nothing but their number.
#[test]
fn more_features_than_samples() {
    let x = records().slice(s![..6, ..]).to_owned();
    let y = targets().slice(s![..6, ..1]).to_owned();
    let narrow = Pls::params(2).fit(&Dataset::new(x.clone(), y.clone()));
    let wide = concatenate![Axis(1), x, x] / 2.0_f64.sqrt();
    let wide_pls = Pls::params(2).fit(&Dataset::new(wide.clone(), y));
    let (narrow, wide) = (
        narrow.unwrap().predict(&x),
        wide_pls.unwrap().predict(&wide),
    );
    assert_abs_diff_eq!(narrow, wide, epsilon = 1e-13);
}

/// Predictions in f32 are the same, to the rounding of f32.
#[test]
fn single_precision() {
    let data = Dataset::new(records(), targets());
    let single = Dataset::new(records().mapv(|v| v as f32), targets().mapv(|v| v as f32));
    let double = Pls::params(3).fit(&data).unwrap().predict(&data);
    let single = Pls::params(3).fit(&single).unwrap().predict(&single);
    assert_abs_diff_eq!(single.mapv(f64::from), double, epsilon = 2e-5);
}

fn components<T>(result: Result<T, Error>) -> Option<(usize, usize)> {
    match result.err()? {
        Error::Components {
            requested,
            available,
        } => Some((requested, available)),
        error => panic!("{error}"),
    }
}

#[test]
fn components_end_with_the_rank() {
    let low = records().dot(&array![
        [1.0, 2.0, 0.0, 1.0, 0.0],
        [0.0, 1.0, 1.0, 1.0, 1.0],
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0]
    ]);
    let fit = |m, x: &Array2<f64>| Pls::params(m).fit(&Dataset::new(x.clone(), targets()));
    assert!(fit(2, &low).is_ok());
    for requested in [3, 5, usize::MAX] {
        assert_eq!(components(fit(requested, &low)), Some((requested, 2)));
    }
    assert_eq!(components(fit(5, &records())), Some((5, 4)));
    let single = Dataset::new(low.mapv(|v| v as f32), targets().mapv(|v| v as f32));
    assert_eq!(components(Pls::params(3).fit(&single)), Some((3, 2)));
    // n samples have rank n − 1; one sample has none.
    let few = |n| {
        let (x, y) = (records().slice_move(s![..n, ..]), targets());
        Pls::params(3).fit(&Dataset::new(x, y.slice_move(s![..n, ..])))
    };
    assert_eq!(components(few(3)), Some((3, 2)));
    assert_eq!(components(few(1)), Some((3, 0)));
    // All samples are the same.
    assert_eq!(components(fit(1, &Array2::ones((12, 2)))), Some((1, 0)));
}

#[test]
fn components_end_where_targets_are_explained() {
    let constant = Dataset::new(records(), Array1::from_elem(12, 0.1));
    assert_eq!(components(Pls::params(1).fit(&constant)), Some((1, 0)));
    // Two uncorrelated features of one variance: their sum is one component.
    let x = array![[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
    let sum = Dataset::new(x.clone(), x.sum_axis(Axis(1)));
    assert!(Pls::params(1).fit(&sum).is_ok());
    assert_eq!(components(Pls::params(2).fit(&sum)), Some((2, 1)));
    // A constant target beside one that varies is predicted as it is.
    let both = concatenate![Axis(1), targets(), Array2::from_elem((12, 1), 0.1)];
    let data = Dataset::new(records(), both);
    let predicted = Pls::params(3).fit(&data).unwrap().predict(&data);
    assert!(predicted.column(2).iter().all(|v| (v - 0.1).abs() < 1e-15));
    let none = Dataset::new(records(), Array2::zeros((12, 0)));
    assert_eq!(Pls::params(1).fit(&none).err(), Some(Error::NoTargets));
}

#[test]
fn bad_input() {
    let refused = Error::Parameter {
        of: "Pls",
        parameter: "components",
        value: 0.0,
        allowed: "at least 1",
    };
    let data = Dataset::new(records(), targets());
    assert_eq!(Pls::params(0).fit(&data).err(), Some(refused.clone()));
    let none = KernelPls::params(0, Linear::new()).fit(&data);
    assert_eq!(none.err(), Some(KernelizedError::Method(refused)));

    let mut y = targets();
    y[[7, 1]] = f64::INFINITY;
    let of_targets = CoreError::TargetNotFinite {
        row: 7,
        column: 1,
        value: f64::INFINITY,
    };
    let infinite = Error::Core(of_targets.clone());
    let data = Dataset::new(records(), y);
    assert_eq!(Pls::params(1).fit(&data).err(), Some(infinite.clone()));
    let error = KernelPls::params(1, Gaussian::new(1.0)).fit(&data).err();
    assert_eq!(error, Some(KernelizedError::Space(of_targets)));

    let short = Dataset::new(records(), array![1.0, 2.0]);
    let count = CoreError::TargetCount {
        samples: 12,
        targets: 2,
    };
    let error = Pls::params(1).fit(&short).err();
    assert_eq!(error, Some(Error::Core(count)));
}

#[test]
fn coefficients_out_of_range() {
    let data = Dataset::new(records() * 1e-170, targets() * 1e170);
    let error = Pls::params(1).fit(&data).err();
    assert_eq!(error, Some(Error::Overflow { of: "Pls" }));
    let data = Dataset::new(records() * 1e170, targets() * 1e-170);
    let error = Pls::params(1).fit(&data).err();
    assert_eq!(error, Some(Error::Overflow { of: "Pls" }));
    // Differences of records may leave the range where the records do not.
    let data = Dataset::new(records() / 3.0 * f64::MAX, targets());
    let error = Pls::params(1).fit(&data).err();
    assert_eq!(error, Some(Error::Overflow { of: "Pls" }));
}

/// The expansion of the fitted model gives the predictions, and then the scores.
#[test]
fn expansion() {
    let data = Dataset::new(records(), targets());
    let params = KernelPls::params(3, Gaussian::new(0.4));
    let model = params.fit(&data).unwrap();
    let new = records().mapv(|v| 0.7 * v - 0.1);
    let values = model.expansion().evaluate(&new).unwrap();
    let (predicted, scores) = (model.predict(&new), model.transform(new.clone()));
    let whole = params.by_coordinates().fit(&data).unwrap();
    assert_abs_diff_eq!(predicted, whole.predict(&new), epsilon = 1e-12);
    assert_abs_diff_eq!(scores, whole.transform(new), epsilon = 1e-12);
    let columns = concatenate![Axis(1), predicted, scores];
    assert_abs_diff_eq!(values, columns, epsilon = 1e-12);
}
