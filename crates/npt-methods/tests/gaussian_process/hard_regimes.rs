//! Little noise and none, single precision, one sample.

use super::{random, wave};
use approx::assert_abs_diff_eq;
use linfa::{Dataset, DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, Axis, array, concatenate};
use npt_core::{Gaussian, Items, KernelizedError, Linear};
use npt_methods::{Error, GaussianProcess};

/// The same samples twice, with different targets: the likelihood knows that noise must explain
/// the difference, however little of it there is. With d = (t₁ − t₂)/√2 and s = (t₁ + t₂)/√2, C has
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
        // 1 − h is known to some ε of 1, and is σ².
        let tolerance = 1e-13 + 1e-15 / noise;
        assert_abs_diff_eq!(found / expected, 1.0, epsilon = tolerance);
        let (means, variances) = model.predict_with_variance(&array![[0.5]]).unwrap();
        assert_abs_diff_eq!(means[0], 2.25 / b, epsilon = tolerance);
        // 1 − 2/(2 + σ²), in which nothing has cancelled.
        assert_abs_diff_eq!(variances[0] / (noise / b), 1.0, epsilon = 1e-3);
    }
}

/// A smooth kernel on many points: 𝒦 has numerical rank 20 or so. Noise of 10⁻¹² of the largest
/// eigenvalue is the right answer, what is below rounding an error.
#[test]
fn tiny_noise_is_right_or_refused() {
    let x = Array2::from_shape_fn((80, 1), |(i, _)| i as f64 / 80.0);
    let data = Dataset::new(x.clone(), wave(&x));
    let params = GaussianProcess::params(Gaussian::new(3.0));
    let largest = 60.0;
    let model = params.clone().noise(1e-12 * largest).fit(&data).unwrap();
    // The wave is smooth: hardly anything is left of it.
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

/// Without noise, where 𝒦 is regular: interpolation, of no variance at the samples.
#[test]
fn interpolation() {
    let x = array![[0.0], [1.0], [2.5], [4.0]];
    let y = array![1.0, -1.0, 0.5, 2.0];
    let params = GaussianProcess::params(Gaussian::new(1.0)).noise(0.0);
    let model = params.fit(&Dataset::new(x.clone(), y.clone())).unwrap();
    let (means, variances) = model.predict_with_variance(&x).unwrap();
    assert_abs_diff_eq!(means, y, epsilon = 1e-13);
    assert_abs_diff_eq!(variances, Array1::zeros(4), epsilon = 1e-14);
    // Each target is then as the process without it says.
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

/// f32 against f64. The space in f32 ends at eigenvalues of (n + 8)·ε·n = 1.3·10⁻³, a hundredth of
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

/// Samples of any type, and spaces in which there is only one of them.
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
    // Nothing but the prior is left without it.
    let loo = model.leave_one_out();
    assert_abs_diff_eq!(loo.means()[0], 0.0, epsilon = 1e-15);
    assert_abs_diff_eq!(loo.variances()[0], 5.0, epsilon = 1e-14);
}
