//! Gaussian process regression where it is hard, and what it refuses.

use approx::assert_abs_diff_eq;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict},
};
use ndarray::{Array1, Array2, ArrayView1, Axis, array, concatenate, stack};
use npt_core::{
    Exact, Gaussian, Items, KernelSpace, KernelizedError, Linear, Nystrom, Pivoting, RandomFourier,
    Rank, Rows, SpaceBuilder,
};
use npt_methods::{Error, GaussianProcess, KernelRidge};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

fn random(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || rng.gen_range(-1.0..1.0))
}

fn wave(x: &Array2<f64>) -> Array1<f64> {
    x.map_axis(Axis(1), |row| (3.0 * row[0]).sin() + row[row.len() - 1])
}

/// scikit-learn 1.9.1: `GaussianProcessRegressor(kernel=ConstantKernel(2.0)*RBF(1.0), alpha=0.1,
/// optimizer=None, normalize_y=False).fit(X, y)`, with i = 0, …, 7, X = (sin i, cos 2i, i/10) and
/// y = sin(1 + i²).
#[test]
fn values_of_scikit_learn() {
    let i = Array1::range(0.0_f64, 8.0, 1.0);
    let columns = [i.mapv(f64::sin), i.mapv(|i| (2.0 * i).cos()), &i * 0.1];
    let x = stack(Axis(1), &columns.each_ref().map(Array1::view)).unwrap();
    let data = Dataset::new(x, i.mapv(|i| (1.0 + i * i).sin()));
    let kernel = Gaussian::new(0.5).scaled(2.0);
    let model = GaussianProcess::params(kernel)
        .noise(0.1)
        .fit(&data)
        .unwrap();
    let new = array![[0.3, -0.2, 0.5], [1.0, 1.0, -1.0], [9.0, 9.0, 9.0]];
    let (means, variances) = model.predict_with_variance(&new).unwrap();
    let expected = array![
        -0.295_096_551_389_925_74,
        1.165_202_683_483_789_2,
        -2.383_329_043_320_411e-47
    ];
    // C has the condition 161 at most: 4·10⁻¹⁴ is known.
    assert_abs_diff_eq!(means, expected, epsilon = 1e-13);
    let deviations = array![
        0.509_464_170_017_054_1,
        1.260_534_986_844_535_5,
        std::f64::consts::SQRT_2
    ];
    assert_abs_diff_eq!(variances.mapv(f64::sqrt), deviations, epsilon = 1e-13);
    let likelihood = model.log_marginal_likelihood();
    assert_abs_diff_eq!(likelihood, -16.993_607_365_494_76, epsilon = 1e-13);
}

/// Of several noises the likeliest; its model is the one fitted with it alone.
#[test]
fn noise_by_the_likelihood() {
    let x = random(60, 2, 1);
    let mut rng = Xoshiro256Plus::seed_from_u64(2);
    let noisy = wave(&x).mapv(|v| v + rng.gen_range(-0.3..0.3));
    let data = Dataset::new(x.clone(), noisy);
    let noises = [1e-4, 1e-3, 1e-2, 0.03, 0.1, 1.0, 10.0];
    let params = GaussianProcess::params(Gaussian::new(1.0));
    let chosen = params.clone().noises(&noises).fit(&data).unwrap();
    // The noise has the variance 0.6²/12 = 0.03.
    assert_eq!(chosen.noise(), 0.03);
    for (&noise, &likelihood) in noises.iter().zip(chosen.log_marginal_likelihoods()) {
        let single = params.clone().noise(noise).fit(&data).unwrap();
        assert_eq!(single.log_marginal_likelihood(), likelihood);
        assert!(likelihood <= chosen.log_marginal_likelihood());
        if noise == chosen.noise() {
            assert_eq!(
                single.predict_with_variance(&x),
                chosen.predict_with_variance(&x)
            );
        }
    }
}

/// The mean of the targets for m: the same as taking it away by hand.
#[test]
fn mean_of_the_targets() {
    let x = random(20, 2, 3);
    let y = wave(&x) + 100.0;
    let m = y.mean().unwrap();
    let params = GaussianProcess::params(Gaussian::new(1.0)).noise(0.1);
    let by_hand = params
        .clone()
        .fit(&Dataset::new(x.clone(), &y - m))
        .unwrap();
    let model = params
        .mean_of_targets(true)
        .fit(&Dataset::new(x, y))
        .unwrap();
    let new = random(5, 2, 4) * 3.0;
    assert_eq!(model.prior_mean(), m);
    let (means, variances) = model.predict_with_variance(&new).unwrap();
    let (expected, same) = by_hand.predict_with_variance(&new).unwrap();
    assert_abs_diff_eq!(means, expected + m, epsilon = 1e-12);
    assert_eq!(variances, same);
    let loo = model.leave_one_out().means().to_owned();
    let expected = by_hand.leave_one_out().means().to_owned() + m;
    assert_abs_diff_eq!(loo, expected, epsilon = 1e-12);
    let far = array![[1e3, 1e3]];
    assert_eq!(model.try_predict(&far).unwrap(), array![m]);
}

/// The mean is kernel ridge regression without an intercept, λ = σ².
#[test]
fn mean_is_kernel_ridge_regression() {
    let x = random(25, 3, 5);
    let data = Dataset::new(x.clone(), wave(&x));
    let kernel = Gaussian::new(0.7);
    let ridge = KernelRidge::params(kernel)
        .space(|s| s.centered(false))
        .method(|m| m.intercept(false).penalty(0.2))
        .fit(&data)
        .unwrap();
    let process = GaussianProcess::params(kernel)
        .noise(0.2)
        .fit(&data)
        .unwrap();
    let new = random(9, 3, 6);
    let means: Array1<f64> = process.predict(&new);
    assert_abs_diff_eq!(means, ridge.predict(&new), epsilon = 1e-12);
    let folded = process.expansion().evaluate(&new).unwrap();
    assert_abs_diff_eq!(folded.column(0).to_owned(), means, epsilon = 1e-12);
}

/// In a space of reduced rank the variance outside the space is all of κ's there: the covariance
/// κ(x, x) with YYᵀ in the place of 𝒦, by the formula with C⁻¹.
#[test]
fn reduced_rank_keeps_the_variance_outside() {
    let x = random(40, 2, 7);
    let kernel = Gaussian::new(2.0);
    let space = Exact::new(kernel).centered(false).rank(Rank::Components(8));
    let model = GaussianProcess::params(kernel)
        .space(|_| space.clone())
        .noise(0.05)
        .fit(&Dataset::new(x.clone(), wave(&x)))
        .unwrap();
    let new = random(6, 2, 8) * 2.0;
    let fitted = space.fit_space(&x).unwrap();
    let y = fitted.training_coordinates();
    let k_new = fitted.coordinates(&new).unwrap().dot(&y.t());
    let c = y.dot(&y.t()) + Array2::<f64>::eye(40) * 0.05;
    let (means, variances) = model.predict_with_variance(&new).unwrap();
    for (i, row) in k_new.outer_iter().enumerate() {
        let solved = conjugate_gradients(&c, row);
        assert_abs_diff_eq!(means[i], solved.dot(&wave(&x)), epsilon = 1e-10);
        // κ(x, x) = 1
        assert_abs_diff_eq!(variances[i], 1.0 - solved.dot(&row), epsilon = 1e-10);
    }
    assert!(variances.iter().any(|&v| v > 0.3));
}

/// By coordinates in the exact space the process is the one by kernel values; in a space of landmarks, the one that folds. On random
/// features it is that of the kernel they represent, at every noise, and says what it cannot know.
#[test]
fn by_coordinates_in_any_space() {
    let (x, new) = (random(80, 2, 1), random(20, 2, 2));
    let data = Dataset::new(x.clone(), wave(&x) + 3.0);
    let kernel = Gaussian::new(0.7);
    let params = GaussianProcess::params(kernel).noises(&[0.01, 0.1]);
    let params = params.mean_of_targets(true);
    let folded = params.fit(&data).unwrap();
    let model = params.clone().by_coordinates().fit(&data).unwrap();
    assert_eq!(model.noise(), folded.noise());
    assert_eq!(model.prior_mean(), folded.prior_mean());
    let (means, variances) = model.predict_with_variance(&new).unwrap();
    let (expected, expected_variances) = folded.predict_with_variance(&new).unwrap();
    assert_abs_diff_eq!(means, expected, epsilon = 1e-8);
    assert_abs_diff_eq!(variances, expected_variances, epsilon = 1e-8);
    assert_eq!(model.predict(&new), means);
    assert_abs_diff_eq!(
        model.log_marginal_likelihood(),
        folded.log_marginal_likelihood(),
        epsilon = 1e-7
    );
    let left_out = [model.leave_one_out(), folded.leave_one_out()].map(|l| l.means().to_owned());
    assert_abs_diff_eq!(left_out[0], left_out[1], epsilon = 1e-8);

    let features = RandomFourier::new(kernel, 200).seed(3).centered(false);
    let on_features = params.space(|_| features).by_coordinates();
    let model = on_features.fit(&data).unwrap();
    let space = model.space();
    let values = |a: &Array2<f64>, b: &Array2<f64>| {
        let [a, b] = [a, b].map(|x| space.coordinates(x).unwrap());
        a.dot(&b.t())
    };
    // The formulas of the class, with the kernel that the features represent.
    let mut c = values(&x, &x);
    c.diag_mut().mapv_inplace(|v| v + model.noise());
    let cross = values(&x, &new);
    let centred = &data.targets - model.prior_mean();
    let alpha = conjugate_gradients(&c, centred.view());
    let (means, variances) = model.predict_with_variance(&new).unwrap();
    let expected = cross.t().dot(&alpha) + model.prior_mean();
    assert_abs_diff_eq!(means, expected, epsilon = 1e-9);
    let rests = space.residuals(&new).unwrap();
    for ((column, variance), (row, rest)) in cross
        .columns()
        .into_iter()
        .zip(variances)
        .zip(space.coordinates(&new).unwrap().outer_iter().zip(rests))
    {
        let explained = column.dot(&conjugate_gradients(&c, column));
        assert_abs_diff_eq!(variance, row.dot(&row) - explained + rest, epsilon = 1e-9);
    }

    let refused = model.try_predict(&random(3, 5, 4));
    let (expected, found) = (2, 5);
    assert_eq!(
        refused,
        Err(npt_core::Error::ColumnCount { expected, found })
    );
    let bad = Dataset::new(x, Array1::from_elem(80, f64::NAN));
    assert!(matches!(
        on_features.fit(&bad),
        Err(KernelizedError::Space(
            npt_core::Error::TargetNotFinite { .. }
        ))
    ));
}

/// In spaces of landmarks, with little noise and with none that does; of one sample; in single precision.
#[test]
fn by_coordinates_in_hard_regimes() {
    let x = random(80, 2, 1);
    let data = Dataset::new(x.clone(), wave(&x));
    let new = random(20, 2, 2);
    let kernel = Gaussian::new(0.7);
    let landmarks = Nystrom::new(kernel, Pivoting::random(20)).centered(false);
    for noise in [1e-4, 1e-10] {
        let params = GaussianProcess::params(kernel).noise(noise);
        let params = params.space(|_| landmarks.clone());
        let folded = params.fit(&data).unwrap();
        let model = params.by_coordinates().fit(&data).unwrap();
        let (means, variances) = model.predict_with_variance(&new).unwrap();
        let (expected, expected_variances) = folded.predict_with_variance(&new).unwrap();
        assert_abs_diff_eq!(means, expected, epsilon = 1e-9);
        assert_abs_diff_eq!(variances, expected_variances, epsilon = 1e-9);
    }
    // More coordinates than samples: without noise the covariance of their weights is singular.
    let features = RandomFourier::new(kernel, 100).centered(false);
    let params = GaussianProcess::params(kernel).noise(0.0);
    let without = params.space(|_| features).by_coordinates();
    let found = without.fit(&data).map(|model| model.noise());
    assert!(matches!(
        found,
        Err(KernelizedError::Method(Error::Singular { .. }))
    ));

    // f(x) = w·x: 𝒦 = 4, C = 5.
    let one = Dataset::new(array![[2.0_f64]], array![10.0]);
    let params = GaussianProcess::params(Linear::new()).by_coordinates();
    let model = params.fit(&one).unwrap();
    let (mean, variance) = model.predict_with_variance(&array![[1.0]]).unwrap();
    assert_abs_diff_eq!(mean[0], 4.0, epsilon = 1e-14);
    assert_abs_diff_eq!(variance[0], 0.2, epsilon = 1e-14);

    let single = Dataset::new(x.mapv(|v| v as f32), data.targets.mapv(|v| v as f32));
    let params = GaussianProcess::params(Gaussian::new(0.7_f32)).noise(0.1);
    let of_single = params.by_coordinates().fit(&single).unwrap();
    let params = GaussianProcess::params(kernel).noise(0.1);
    let of_double = params.by_coordinates().fit(&data).unwrap();
    let found = of_single.predict(&new.mapv(|v| v as f32)).mapv(f64::from);
    // ε of single precision times the condition of C, 80 / 0.1.
    assert_abs_diff_eq!(found, of_double.predict(&new), epsilon = 800.0 * 1.2e-7);
}

/// C⁻¹b to rounding, for a well-conditioned C.
fn conjugate_gradients(c: &Array2<f64>, b: ArrayView1<'_, f64>) -> Array1<f64> {
    let (mut x, mut r) = (Array1::zeros(b.len()), b.to_owned());
    let mut p = r.clone();
    for _ in 0..200 {
        let (cp, rr) = (c.dot(&p), r.dot(&r));
        if rr < 1e-30 {
            break;
        }
        let step = rr / p.dot(&cp);
        x.scaled_add(step, &p);
        r.scaled_add(-step, &cp);
        p = &r + &(&p * (r.dot(&r) / rr));
    }
    x
}

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

#[test]
fn constant_targets() {
    let x = random(10, 2, 11);
    let data = Dataset::new(x, Array1::from_elem(10, 3.0));
    let params = GaussianProcess::params(Gaussian::new(1.0)).mean_of_targets(true);
    let model = params.fit(&data).unwrap();
    assert_eq!(model.predict(&random(3, 2, 12)), Array1::from_elem(3, 3.0));
}

#[test]
fn bad_input() {
    let x = random(4, 2, 13);
    let params = GaussianProcess::params(Gaussian::new(1.0));
    let data = Dataset::new(x.clone(), Array1::<f64>::zeros(4));
    for noise in [-1.0, f64::NAN, f64::INFINITY] {
        let error = params.clone().noises(&[1.0, noise]).fit(&data).err();
        assert!(matches!(
            error,
            Some(KernelizedError::Method(Error::Parameter {
                of: "GaussianProcess",
                parameter: "noise",
                value,
                ..
            })) if value.total_cmp(&noise).is_eq()
        ));
    }
    let none = params.clone().noises(&[]).fit(&data).err();
    assert!(matches!(
        none,
        Some(KernelizedError::Method(Error::Parameter {
            parameter: "number of noises",
            ..
        }))
    ));
    for bad in [f64::NAN, f64::NEG_INFINITY] {
        let targets = array![0.0, 1.0, bad, 1.0];
        let error = params.clone().fit(&Dataset::new(x.clone(), targets)).err();
        assert!(matches!(
            error,
            Some(KernelizedError::Space(npt_core::Error::TargetNotFinite { row: 2, column: 0, value }))
                if value.total_cmp(&bad).is_eq()
        ));
    }
    let few = DatasetBase::new(x.clone(), Array1::<f64>::zeros(3));
    let (samples, targets) = (4, 3);
    let count = npt_core::Error::TargetCount { samples, targets };
    let error = params.clone().fit(&few).err();
    assert_eq!(error, Some(KernelizedError::Space(count)));
    let high = Dataset::new(x.clone(), Array1::from_elem(4, f64::MAX));
    let of = "GaussianProcess";
    let error = params.clone().fit(&high).err();
    assert_eq!(error, Some(KernelizedError::Method(Error::Overflow { of })));

    let model = params.fit(&data).unwrap();
    let (expected, found) = (2, 3);
    let wide = npt_core::Error::ColumnCount { expected, found };
    assert_eq!(model.try_predict(&random(1, 3, 1)), Err(wide.clone()));
    let rows = Rows::new(random(1, 3, 1)).unwrap();
    assert_eq!(model.predict_with_variance(&rows), Err(wide));
}
