//! Tests of the process by coordinates, in spaces of every kind.

use super::{conjugate_gradients, random, wave};
use approx::assert_abs_diff_eq;
use linfa::{Dataset, traits::Fit};
use ndarray::{Array1, Array2, array};
use npt_core::{Gaussian, KernelSpace, KernelizedError, Linear, Nystrom, Pivoting, RandomFourier};
use npt_methods::{Error, GaussianProcess};

/// The process by coordinates is the process by kernel values in the exact space, and the one with an expansion in a space of landmarks. On
/// random features it is the process of the kernel that they represent, at every noise, and its variance says what it cannot know.
#[test]
fn by_coordinates_in_any_space() {
    let (x, new) = (random(80, 2, 1), random(20, 2, 2));
    let data = Dataset::new(x.clone(), wave(&x) + 3.0);
    let kernel = Gaussian::new(0.7);
    let params = GaussianProcess::params(kernel).noises(&[0.01, 0.1]);
    let params = params.mean_of_targets(true);
    let expanded = params.fit(&data).unwrap();
    let model = params.clone().by_coordinates().fit(&data).unwrap();
    assert_eq!(model.noise(), expanded.noise());
    assert_eq!(model.prior_mean(), expanded.prior_mean());
    let (means, variances) = model.predict_with_variance(&new).unwrap();
    let (expected, expected_variances) = expanded.predict_with_variance(&new).unwrap();
    assert_abs_diff_eq!(means, expected, epsilon = 1e-8);
    assert_abs_diff_eq!(variances, expected_variances, epsilon = 1e-8);
    assert_eq!(model.predict(&new), means);
    assert_abs_diff_eq!(
        model.log_marginal_likelihood(),
        expanded.log_marginal_likelihood(),
        epsilon = 1e-7
    );
    let left_out = [model.leave_one_out(), expanded.leave_one_out()].map(|l| l.means().to_owned());
    assert_abs_diff_eq!(left_out[0], left_out[1], epsilon = 1e-8);

    let features = RandomFourier::new(kernel, 200).seed(3).centered(false);
    let on_features = params.space(|_| features).by_coordinates();
    let model = on_features.fit(&data).unwrap();
    let space = model.space();
    let values = |a: &Array2<f64>, b: &Array2<f64>| {
        let [a, b] = [a, b].map(|x| space.coordinates(x).unwrap());
        a.dot(&b.t())
    };
    // The formulas of the class documentation, with the kernel that the features represent.
    let mut c = values(&x, &x);
    c.diag_mut().mapv_inplace(|v| v + model.noise());
    let cross = values(&x, &new);
    let centered = &data.targets - model.prior_mean();
    let alpha = conjugate_gradients(&c, centered.view());
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

/// The process by coordinates is right in spaces of landmarks, with little noise and with almost none; with one sample; in single precision.
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
        let expanded = params.fit(&data).unwrap();
        let model = params.by_coordinates().fit(&data).unwrap();
        let (means, variances) = model.predict_with_variance(&new).unwrap();
        let (expected, expected_variances) = expanded.predict_with_variance(&new).unwrap();
        assert_abs_diff_eq!(means, expected, epsilon = 1e-9);
        assert_abs_diff_eq!(variances, expected_variances, epsilon = 1e-9);
    }
    // With more coordinates than samples and without noise, the covariance of their weights is singular.
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
