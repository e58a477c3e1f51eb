//! Tests with little noise or none, in single precision, and with one sample.

use super::{random, wave};
use approx::{assert_abs_diff_eq, assert_relative_eq};
use linfa::{Dataset, DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, Axis, array, concatenate};
use npt_core::{Gaussian, Items, KernelizedError, Linear};
use npt_methods::{Error, GaussianProcess};

/// The likelihood of the same samples twice, with different targets, knows that noise must explain
/// the difference, however little noise there is. With d = (t₁ − t₂)/√2 and s = (t₁ + t₂)/√2, C has
/// the eigenvalues σ² and 2 + σ².
#[test]
fn duplicates_under_little_noise() {
    let data = Dataset::new(array![[0.5], [0.5]], array![1.0, 1.25]);
    for noise in [1e-12, 1e-6, 1.0] {
        let params = GaussianProcess::params(Gaussian::new(1.0)).noise(noise);
        let model = params.fit(&data).unwrap();
        let (d, s) = (0.25_f64.powi(2) / 2.0, 2.25_f64.powi(2) / 2.0);
        let (a, b) = (noise, 2.0 + noise);
        let expected = -0.5 * (d / a + s / b + a.ln() + b.ln()) - std::f64::consts::TAU.ln();
        let found = model.log_marginal_likelihood();
        // 1 − h is known to some ε of 1, and it is σ².
        let tolerance = 1e-13 + 1e-15 / noise;
        assert_abs_diff_eq!(found / expected, 1.0, epsilon = tolerance);
        let (means, variances) = model.predict_with_variance(&array![[0.5]]).unwrap();
        assert_abs_diff_eq!(means[0], 2.25 / b, epsilon = tolerance);
        // 1 − 2/(2 + σ²), in which nothing has cancelled.
        assert_abs_diff_eq!(variances[0] / (noise / b), 1.0, epsilon = 1e-3);
    }
}

/// A smooth kernel on many points has a 𝒦 of numerical rank 20 or so. A noise of 10⁻¹² of the largest
/// eigenvalue gives the right answer; a noise below rounding is an error.
#[test]
fn tiny_noise_is_right_or_refused() {
    let x = Array2::from_shape_fn((80, 1), |(i, _)| i as f64 / 80.0);
    let data = Dataset::new(x.clone(), wave(&x));
    let params = GaussianProcess::params(Gaussian::new(3.0));
    let largest = 60.0;
    let model = params.clone().noise(1e-12 * largest).fit(&data).unwrap();
    // The wave is smooth: hardly anything of it is left over.
    assert_abs_diff_eq!(model.predict(&x), wave(&x), epsilon = 1e-5);
    let between = Array2::from_shape_fn((79, 1), |(i, _)| (i as f64 + 0.5) / 80.0);
    let (means, variances) = model.predict_with_variance(&between).unwrap();
    assert_abs_diff_eq!(means, wave(&between), epsilon = 1e-5);
    assert!(variances.iter().all(|&v| (0.0..1e-9).contains(&v)));
    for noise in [0.0, 1e-30, 1e-15] {
        let error = params.clone().noises(&[1.0, noise]).fit(&data).err();
        assert!(
            matches!(
                error,
                Some(KernelizedError::Method(Error::Singular {
                    of: "GaussianProcess",
                    parameter: "noise",
                    value,
                    least,
                })) if value == noise && (1e-15..1e-11).contains(&least)
            ),
            "{error:?}"
        );
    }
}

/// A process without noise, where 𝒦 is regular, interpolates, with no variance at the samples.
#[test]
fn interpolation() {
    let x = array![[0.0], [1.0], [2.5], [4.0]];
    let y = array![1.0, -1.0, 0.5, 2.0];
    let params = GaussianProcess::params(Gaussian::new(1.0)).noise(0.0);
    let model = params.fit(&Dataset::new(x.clone(), y.clone())).unwrap();
    let (means, variances) = model.predict_with_variance(&x).unwrap();
    assert_abs_diff_eq!(means, y, epsilon = 1e-13);
    assert_abs_diff_eq!(variances, Array1::zeros(4), epsilon = 1e-14);
    // Each leave-one-out prediction is then that of the process without the sample.
    for i in 0..4 {
        let others: Vec<usize> = (0..4).filter(|&j| j != i).collect();
        let rest = Dataset::new(x.select(Axis(0), &others), y.select(Axis(0), &others));
        let params = GaussianProcess::params(Gaussian::new(1.0)).noise(0.0);
        let rest = params.fit(&rest).unwrap();
        let one = x.select(Axis(0), &[i]);
        let (mean, variance) = rest.predict_with_variance(&one).unwrap();
        let loo = model.leave_one_out();
        assert_abs_diff_eq!(loo.means()[i], mean[0], epsilon = 1e-13);
        assert_abs_diff_eq!(loo.variances()[i], variance[0], epsilon = 1e-13);
    }
}

/// Results in f32 agree with those in f64. The space in f32 ends at eigenvalues of (n + 8)·ε·n = 1.3·10⁻³, a hundredth of
/// the noise.
#[test]
fn single_precision() {
    let x = random(50, 2, 9);
    let twice = concatenate![Axis(0), x, x];
    let y = wave(&twice);
    let kernel = Gaussian::new(1.0);
    let double = GaussianProcess::params(kernel).noise(0.1);
    let double = double.fit(&Dataset::new(twice.clone(), y.clone())).unwrap();
    let single = GaussianProcess::params(Gaussian::<f32>::new(1.0)).noise(0.1);
    let data = Dataset::new(twice.mapv(|v| v as f32), y.mapv(|v| v as f32));
    let single = single.fit(&data).unwrap();
    let new = random(8, 2, 10) * 1.5;
    let (means, variances) = double.predict_with_variance(&new).unwrap();
    let found = single
        .predict_with_variance(&new.mapv(|v| v as f32))
        .unwrap();
    assert_abs_diff_eq!(found.0.mapv(f64::from), means, epsilon = 1e-3);
    assert_abs_diff_eq!(found.1.mapv(f64::from), variances, epsilon = 1e-3);
    let likelihood = double.log_marginal_likelihood();
    let found = f64::from(single.log_marginal_likelihood());
    assert_abs_diff_eq!(found / likelihood, 1.0, epsilon = 1e-3);
}

/// Samples may be of any type, and there may be only one of them.
#[test]
fn words_and_one_sample() {
    let kernel = npt_core::Spectrum::new(1);
    let words = Items::new(vec!["aab".to_string(), "abb".to_string()]).unwrap();
    let data = DatasetBase::new(words.clone(), array![1.0, -1.0]);
    let model = GaussianProcess::params(kernel).fit(&data).unwrap();
    let means = model.try_predict(&words).unwrap();
    assert_abs_diff_eq!(means[0], -means[1], epsilon = 1e-14);
    assert!(means[0] > 0.0);
    assert_eq!(model.predict(&words), means);

    let one = Dataset::new(array![[2.0]], array![3.0]);
    let model = GaussianProcess::params(Linear::new()).fit(&one).unwrap();
    assert_abs_diff_eq!(
        model.predict(&array![[1.0]]),
        array![6.0 / 5.0],
        epsilon = 1e-15
    );
    // Without the one sample, only the prior is left.
    let loo = model.leave_one_out();
    assert_abs_diff_eq!(loo.means()[0], 0.0, epsilon = 1e-15);
    assert_abs_diff_eq!(loo.variances()[0], 5.0, epsilon = 1e-14);
}

/// Values by mpmath with 80 digits, xᵢ = i/4 for i = 0, …, 11, yᵢ = sin 3xᵢ + 0.1 cos 17xᵢ, no noise: γ; mean and variance at 1.1; the log
/// marginal likelihood; mean and variance of the first target by the others. Condition numbers are from 10⁹ to 6·10¹⁵.
const INTERPOLATION: [(f64, [f64; 5]); 5] = [
    (
        2.0,
        [
            -0.246_618_699_438_355_77,
            5.064_901_600_622_957_4e-8,
            -15.082_964_123_391_178,
            0.324_150_621_416_772_2,
            8.835_959_499_113_593e-3,
        ],
    ),
    (
        1.0,
        [
            -0.246_353_226_671_959_66,
            2.149_413_654_953_249e-11,
            -42_226.413_577_634_59,
            -1.832_450_617_651_796,
            1.040_713_222_834_672_5e-4,
        ],
    ),
    (
        0.75,
        [
            -0.246_372_171_864_040_23,
            7.517_274_846_858_054e-13,
            -1_325_639.739_096_902_5,
            -4.043_634_301_918_65,
            1.069_688_949_044_229_6e-5,
        ],
    ),
    (
        0.5,
        [
            -0.246_429_392_620_548_92,
            6.285_030_990_313_654e-15,
            -151_272_046.792_455_2,
            -8.366_789_721_178_816,
            3.131_693_009_537_657e-7,
        ],
    ),
    (
        0.25,
        [
            -0.246_531_043_172_593_4,
            1.634e-18,
            -402_757_725_205.035_46,
            -16.866_713_423_627_3,
            4.032_513_263_131_884e-10,
        ],
    ),
];

/// Values without noise that rounding spoils are refused; other values are right to a hundredth.
#[test]
fn without_noise_it_is_right_or_refused() {
    let x = Array2::from_shape_fn((12, 1), |(i, _)| 0.25 * i as f64);
    let y = x
        .column(0)
        .mapv(|x| (3.0 * x).sin() + 0.1 * (17.0 * x).cos());
    let data = Dataset::new(x, y);
    for (gamma, [mean, variance, likelihood, of_others, doubt]) in INTERPOLATION {
        let fitted = GaussianProcess::params(Gaussian::new(gamma))
            .noise(0.0)
            .fit(&data);
        let model = match fitted {
            Ok(model) => model,
            Err(KernelizedError::Method(Error::Singular { value, least, .. })) => {
                assert!(gamma < 0.5, "γ = {gamma} is refused");
                assert_eq!(value, 0.0);
                let params = GaussianProcess::params(Gaussian::new(gamma));
                assert!(params.clone().noise(least).fit(&data).is_ok());
                let by_coordinates = params.noise(0.0).by_coordinates().fit(&data).err();
                assert!(matches!(
                    by_coordinates,
                    Some(KernelizedError::Method(Error::Singular { .. }))
                ));
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        assert!(gamma > 0.25, "γ = {gamma} is not refused");
        let (means, variances) = model.predict_with_variance(&array![[1.1]]).unwrap();
        let first = (
            model.leave_one_out().means()[0],
            model.leave_one_out().variances()[0],
        );
        // The variance is 1 less a number that is nearly 1.
        assert_abs_diff_eq!(variances[0], variance, epsilon = 4.0 * f64::EPSILON);
        for (found, expected) in [
            (means[0], mean),
            (model.log_marginal_likelihood(), likelihood),
            (first.0, of_others),
            (first.1, doubt),
        ] {
            assert_relative_eq!(found, expected, max_relative = 1e-2);
        }
    }
}
