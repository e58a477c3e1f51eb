//! Tests the laws of methods: a method is independent of the axes, equal to the kernel trick, and the same by both roads.

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis};
use npt::{
    methods::linear::{Pca, Ridge, Svc, Svr},
    prelude::*,
};
use npt_testkit::{
    laws::{check_kernel_trick, check_roads, check_rotation_invariance},
    oracles,
};

fn sums(x: &Array2<f64>) -> Array1<f64> {
    x.map_axis(Axis(1), |row| row.sum().sin())
}

fn sides(x: &Array2<f64>) -> Array1<bool> {
    let sums = sums(x);
    let middle = sums.mean().unwrap();
    sums.mapv(|v| v > middle)
}

fn column(values: Array1<f64>) -> Array2<f64> {
    values.insert_axis(Axis(1))
}

#[test]
fn linear_methods_do_not_depend_on_the_axes() {
    check_rotation_invariance(1e-9, |x, y, new| {
        let data = Dataset::new(y.clone(), sums(x));
        Ridge::params()
            .penalty(0.1)
            .fit(&data)
            .map(|model| column(model.predict(new)))
    });
    check_rotation_invariance(1e-8, |x, y, new| {
        let data = Dataset::new(y.clone(), sides(x));
        let svc = Svc::params().tolerance(1e-13).fit(&data)?;
        Ok::<_, npt::methods::Error>(column(svc.decision_function(new)))
    });
    check_rotation_invariance(1e-8, |x, y, new| {
        let data = Dataset::new(y.clone(), sums(x));
        let svr = Svr::params().tolerance(1e-13).fit(&data)?;
        Ok::<_, npt::methods::Error>(column(svr.predict(new)))
    });
    check_rotation_invariance(1e-8, |_, y, new| {
        let pca = Pca::params(1).fit(&DatasetBase::from(y.clone()))?;
        // The sign of a score is a matter of rounding where two samples are equally far.
        Ok::<_, npt::methods::Error>(pca.predict(new).mapv(f64::abs))
    });
}

/// Distances do not depend on the axes: lengths, distances by the covariance, and those of the nearest neighbour, also of new samples that
/// extend where the training samples do not.
#[test]
fn distances_do_not_depend_on_the_axes() {
    let squares = |y: &Array2<f64>| column(y.map_axis(Axis(1), |row| row.dot(&row)));
    check_rotation_invariance(1e-12, |_, _, new| Ok::<_, ()>(squares(new)));
    check_rotation_invariance(1e-12, |_, y, new| {
        Ok::<_, ()>(squares(&(new - &y.mean_axis(Axis(0)).unwrap())))
    });
    check_rotation_invariance(1e-9, |_, y, new| {
        let from_mean = |z: &Array2<f64>| z - &y.mean_axis(Axis(0)).unwrap();
        let (y, new) = (from_mean(y), from_mean(new));
        let mut covariance = y.t().dot(&y) / y.nrows() as f64;
        covariance.diag_mut().mapv_inplace(|v| v + 1e-3);
        let solved = oracles::solve(covariance, new.t().to_owned());
        Ok::<_, ()>(column((&new * &solved.t()).sum_axis(Axis(1))))
    });
    check_rotation_invariance(1e-12, |_, y, new| {
        let nearest = |row: ndarray::ArrayView1<'_, f64>| {
            let from = (y - &row).map_axis(Axis(1), |d| d.dot(&d));
            from.fold(f64::INFINITY, |least, &d| least.min(d))
        };
        Ok::<_, ()>(column(new.map_axis(Axis(1), nearest)))
    });
}

/// Ridge regression is f(x) = Σ αᵢk(xᵢ, x) with α = (K + λI)⁻¹y, for targets of mean 0.
#[test]
fn ridge_regression_is_its_kernel_trick() {
    let penalty = 0.1;
    let targets = |x: &Array2<f64>| {
        let sums = sums(x);
        &sums - sums.mean().unwrap()
    };
    check_kernel_trick(
        1e-9,
        |x, y, new| {
            let params = Ridge::params().penalty(penalty).intercept(false);
            let model = params.fit(&Dataset::new(y.clone(), targets(x)));
            model.map(|model| column(model.predict(new)))
        },
        |x, k, k_new| {
            let alpha = oracles::ridge::coefficients(k.view(), targets(x).view(), penalty);
            Ok::<_, ()>(column(k_new.dot(&alpha)))
        },
    );
}

#[test]
fn both_roads_agree() {
    let kernel = Gaussian::new(0.3);
    let ridge = KernelRidge::params(kernel).method(|m| m.penalty(0.1));
    check_roads(
        1e-9,
        |x, new| {
            let model = ridge.fit(&Dataset::new(x.clone(), sums(x)));
            model.map(|model| column(model.predict(new)))
        },
        |x, new| {
            let model = ridge
                .clone()
                .by_coordinates()
                .fit(&Dataset::new(x.clone(), sums(x)));
            model.map(|model| column(model.predict(new)))
        },
    );
    let kpca = Kpca::params(1, kernel);
    check_roads(
        1e-8,
        |x, new| {
            let model = kpca.fit(&DatasetBase::from(x.clone()));
            model.map(|model| model.predict(new).mapv(f64::abs))
        },
        |x, new| {
            let model = kpca
                .clone()
                .by_coordinates()
                .fit(&DatasetBase::from(x.clone()));
            model.map(|model| model.predict(new).mapv(f64::abs))
        },
    );
    let svr = KernelSvr::params(kernel).method(|m| m.tolerance(1e-13));
    check_roads(
        1e-8,
        |x, new| {
            let model = svr.fit(&Dataset::new(x.clone(), sums(x)));
            model.map(|model| column(model.predict(new)))
        },
        |x, new| {
            let model = svr
                .clone()
                .by_coordinates()
                .fit(&Dataset::new(x.clone(), sums(x)));
            model.map(|model| column(model.predict(new)))
        },
    );
}

/// Both roads agree on many samples: the dual form by coordinates of low rank, and components by a Krylov iteration,
/// are those of a whole decomposition.
#[test]
fn both_roads_agree_on_many_samples() {
    let x = npt_testkit::data::normal(1100, 2, 8);
    let new = npt_testkit::data::normal(20, 2, 9);
    let data = Dataset::new(x.clone(), sums(&x));
    let close = |what: &str, a: &Array2<f64>, b: &Array2<f64>, tolerance: f64| {
        let off = (a - b).fold(0.0_f64, |m, v| m.max(v.abs()));
        assert!(off <= tolerance, "{what}: {off:e}");
    };
    for gamma in [0.05, 1.0] {
        let kernel = Gaussian::new(gamma);
        let ridge = KernelRidge::params(kernel).method(|m| m.penalty(0.1));
        let found = column(ridge.fit(&data).unwrap().predict(&new));
        let expected = column(ridge.by_coordinates().fit(&data).unwrap().predict(&new));
        close("ridge", &found, &expected, 1e-8);
        let kpca = Kpca::params(4, kernel);
        let found = kpca.fit(&data).unwrap().predict(&new).mapv(f64::abs);
        let expected = kpca
            .by_coordinates()
            .fit(&data)
            .unwrap()
            .predict(&new)
            .mapv(f64::abs);
        close("components", &found, &expected, 1e-9);
        let process = GaussianProcess::params(kernel).noise(0.1);
        let (means, variances) = process
            .fit(&data)
            .unwrap()
            .predict_with_variance(&new)
            .unwrap();
        let by_coordinates = process.space(|s| s.centered(false).rank(Rank::Tolerance(1e-15)));
        let model = by_coordinates.fit(&data).unwrap();
        let (expected, expected_variances) = model.predict_with_variance(&new).unwrap();
        close("means", &column(means), &column(expected), 1e-7);
        close(
            "variances",
            &column(variances),
            &column(expected_variances),
            1e-7,
        );
    }
}
