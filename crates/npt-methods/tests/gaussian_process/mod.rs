//! Tests of Gaussian process regression, and of its errors.

mod by_coordinates;
mod hard_regimes;

use approx::assert_abs_diff_eq;
use linfa::{Dataset, DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, ArrayView1, Axis, array, stack};
use npt_core::{Exact, Gaussian, KernelSpace, KernelizedError, Rank, Rows, SpaceBuilder};
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

/// Computes C⁻¹b to rounding, for a well-conditioned C.
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

/// The values are those of scikit-learn 1.9.1: `GaussianProcessRegressor(kernel=ConstantKernel(2.0)*RBF(1.0), alpha=0.1,
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
    // C has a condition number of at most 161, so the values are known to 4·10⁻¹⁴.
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

/// The likeliest of several noises is chosen; the model is the one fitted with this noise alone.
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

/// The mean of the targets as m is the same as subtracting it by hand.
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

/// The mean is kernel ridge regression without an intercept, with λ = σ².
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
    let expanded = process.expansion().evaluate(&new).unwrap();
    assert_abs_diff_eq!(expanded.column(0).to_owned(), means, epsilon = 1e-12);
}

/// The variance outside a space of reduced rank is kept in full: it is the variance for the covariance
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
