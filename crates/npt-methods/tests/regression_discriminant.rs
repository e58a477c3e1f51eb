//! Tests of discriminant analysis for regression on plain matrices, where it is hard, and of its errors.

use approx::assert_abs_diff_eq;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, Axis, array, s};
use npt_core::{Axes, Gaussian, KernelizedError, Linear};
use npt_methods::{
    Error, KernelRegressionDiscriminant,
    linear::{PairWeight, Pca, RegressionDiscriminant, Ridge},
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

const WEIGHTS: [PairWeight; 3] = [PairWeight::Distance, PairWeight::Root, PairWeight::Equal];

fn random(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || rng.gen_range(-1.0..1.0))
}

/// Computes S_b and S_w, pair by pair.
fn scatters(x: &Array2<f64>, y: &Array1<f64>, tau: f64, weight: PairWeight) -> [Array2<f64>; 2] {
    let d = x.ncols();
    let mut sums = [(); 2].map(|()| Array2::<f64>::zeros((d, d)));
    let mut pairs = [0.0; 2];
    for i in 0..x.nrows() {
        for j in 0..i {
            let difference = &x.row(i) - &x.row(j);
            let beyond = (y[i] - y[j]).abs() - tau;
            let f = match weight {
                PairWeight::Distance => beyond.abs(),
                PairWeight::Root => beyond.abs().sqrt(),
                PairWeight::Equal => 1.0,
                other => unreachable!("{other:?} has no formula here"),
            };
            let kind = usize::from(beyond <= 0.0);
            for ((p, q), sum) in sums[kind].indexed_iter_mut() {
                *sum += f * difference[p] * difference[q];
            }
            pairs[kind] += 1.0;
        }
    }
    let [between, within] = sums;
    [between / pairs[0], within / f64::max(pairs[1], 1.0)]
}

/// The directions solve S_b w = θ(S_w + μI)w for the sums over pairs, within panels and across them.
#[test]
fn laplacians_are_sums_over_pairs() {
    for (rows, columns) in [(12, 3), (300, 2), (8, 20)] {
        let x = random(rows, columns, 1) * 3.0 + 5.0;
        let y = x.column(0).mapv(f64::sin) + 0.2 * &random(rows, 1, 2).column(0);
        let sigma = y.std(0.0);
        for weight in WEIGHTS {
            let model = RegressionDiscriminant::params(2)
                .threshold(0.7)
                .weight(weight)
                .ridge(0.5)
                .fit(&Dataset::new(x.clone(), y.clone()))
                .unwrap();
            assert_abs_diff_eq!(model.threshold(), 0.7 * sigma, epsilon = 1e-14);
            let [between, mut within] = scatters(&x, &y, 0.7 * sigma, weight);
            let mu = 0.5 * (between.diag().sum() + within.diag().sum()) / rows as f64;
            within.diag_mut().mapv_inplace(|v| v + mu);
            let w = model.axes().t().to_owned();
            let (left, right) = (between.dot(&w), within.dot(&w) * model.eigenvalues());
            let scale = left.fold(0.0_f64, |m, v| m.max(v.abs()));
            assert_abs_diff_eq!(left, right, epsilon = 1e-11 * scale);
            let gram = w.t().dot(&within.dot(&w));
            assert_abs_diff_eq!(gram, Array2::eye(2), epsilon = 1e-11);
            // No other direction is better.
            let mut rng = Xoshiro256Plus::seed_from_u64(3);
            for _ in 0..200 {
                let v = Array1::from_shape_simple_fn(columns, || rng.gen_range(-1.0..1.0));
                let other = v.dot(&between.dot(&v)) / v.dot(&within.dot(&v));
                assert!(other <= model.eigenvalues()[0] * (1.0 + 1e-12));
            }
        }
    }
}

/// The share of the variance of y that a polynomial of degree 3 in the first score leaves.
fn unexplained(scores: &Array2<f64>, y: &Array1<f64>) -> f64 {
    let t = scores.column(0);
    let t = &t / t.fold(0.0_f64, |m, v| m.max(v.abs()));
    let powers = [t.clone(), t.mapv(|v| v.powi(2)), t.mapv(|v| v.powi(3))];
    let columns = ndarray::stack(Axis(1), &powers.each_ref().map(Array1::view)).unwrap();
    let data = Dataset::new(columns.clone(), y.clone());
    let fit = Ridge::params().penalty(1e-9).fit(&data).unwrap();
    (fit.predict(&columns) - y).mapv(|e| e * e).mean().unwrap() / y.var(0.0)
}

/// The target is a function of one direction, across which the records vary ten times as much. PCA
/// takes the wide directions, as it does not know y.
#[test]
fn a_direction_that_pca_does_not_see() {
    let mut x = random(200, 4, 4) * 10.0;
    x.column_mut(2).mapv_inplace(|v| v / 10.0);
    let y = x.column(2).mapv(|v| (2.0 * v).sin());
    let data = Dataset::new(x.clone(), y.clone());
    let pca = Pca::params(1).fit(&DatasetBase::from(x.clone())).unwrap();
    assert!(unexplained(&pca.transform(x.clone()), &y) > 0.9);
    for weight in WEIGHTS {
        let params = RegressionDiscriminant::params(1).weight(weight).ridge(0.0);
        let model = params.fit(&data).unwrap();
        let axis = model.axes().row(0).to_owned();
        assert!(axis[2].abs() > 0.97 * axis.dot(&axis).sqrt(), "{axis}");
        assert!(unexplained(&model.transform(x.clone()), &y) < 0.1);
    }
}

/// The target is the distance from the origin. A linear direction explains half of it; the first score of the kernel
/// version explains it all, on samples that it has not seen.
#[test]
fn a_surface_that_needs_a_kernel() {
    let radius = |x: &Array2<f64>| x.map_axis(Axis(1), |row| row.dot(&row).sqrt());
    let (x, new) = (random(150, 2, 5) * 2.0, random(100, 2, 6) * 2.0);
    let data = Dataset::new(x.clone(), radius(&x));
    let linear = RegressionDiscriminant::params(1).fit(&data).unwrap();
    // A square of one coordinate is half of the squared radius.
    assert!(unexplained(&linear.transform(new.clone()), &radius(&new)) > 0.4);
    let params =
        KernelRegressionDiscriminant::params(1, Gaussian::new(0.2)).method(|m| m.ridge(0.1));
    let kernel = params.fit(&data).unwrap();
    let scores: Array2<f64> = kernel.transform(new.clone());
    let left = unexplained(&scores, &radius(&new));
    assert!(left < 0.1, "{left}");
    let whole = params.by_coordinates().fit(&data).unwrap();
    let by_coordinates: Array2<f64> = whole.transform(new.clone());
    assert_abs_diff_eq!(by_coordinates, scores, epsilon = 1e-10);
    assert_eq!(kernel.predict(&new), scores);
}

/// Near targets have the same records: S_w is 0, of which the Laplacian leaves rounding.
#[test]
fn scatter_that_is_rounding() {
    let x = Array2::from_shape_fn((35, 2), |(i, j)| (1.0 + (i % 5 * 7 + j * 3) as f64).sin());
    let y = Array1::from_shape_fn(35, |i| (i % 5) as f64 + 0.01 * (i / 5) as f64);
    let data = Dataset::new(x, y);
    for weight in WEIGHTS {
        for ridge in [0.0, 1e-18, 1e-16] {
            let params = RegressionDiscriminant::params(1)
                .weight(weight)
                .ridge(ridge);
            let error = params.fit(&data).err();
            assert!(
                matches!(error, Some(Error::Singular { value, least, .. })
                if value == ridge && least > ridge && least < 1e-11),
                "{error:?}"
            );
        }
        // θ = wᵀS_b w/μ, with the largest eigenvalue of S_b by its trace and determinant.
        let params = RegressionDiscriminant::params(1).weight(weight).ridge(1e-3);
        let model = params.fit(&data).unwrap();
        let [between, _] = scatters(&data.records, &data.targets, model.threshold(), weight);
        let trace = between.diag().sum();
        let determinant = between[[0, 0]] * between[[1, 1]] - between[[0, 1]].powi(2);
        let largest = trace / 2.0 + (trace * trace / 4.0 - determinant).sqrt();
        let expected = largest / (1e-3 * trace / 35.0);
        // The rounding of S_w is 10⁻¹⁵ of S_b, next to μ.
        assert_abs_diff_eq!(model.eigenvalues()[0], expected, epsilon = 1e-9 * expected);
    }
}

#[test]
fn scales_and_single_precision() {
    let x = random(30, 3, 7);
    let y = x.map_axis(Axis(1), |row| row[0] - row[1] * row[1]);
    let fit = |x: Array2<f64>, y: Array1<f64>| {
        let params = RegressionDiscriminant::params(2).weight(PairWeight::Equal);
        let model = params.fit(&Dataset::new(x.clone(), y)).unwrap();
        (model.eigenvalues().to_owned(), model.transform(x))
    };
    let (values, scores) = fit(x.clone(), y.clone());
    for (scale, lift) in [(1e-140, 1.0), (1e140, 1.0), (1.0, 1e-200), (1.0, 1e200)] {
        let (found, same) = fit(&x * scale, &y * lift);
        assert_abs_diff_eq!(found, values, epsilon = 1e-12);
        assert_abs_diff_eq!(same, scores, epsilon = 1e-11);
    }
    let shifted = fit(&x + 1e6, &y + 7.0);
    // The records are rounded to 10⁻¹⁰ there.
    assert_abs_diff_eq!(shifted.0, values, epsilon = 1e-8);
    assert_abs_diff_eq!(shifted.1, scores, epsilon = 1e-7);
    let data = Dataset::new(x.mapv(|v| v as f32), y.mapv(|v| v as f32));
    let params = RegressionDiscriminant::params(2).weight(PairWeight::Equal);
    let model = params.fit(&data).unwrap();
    assert_abs_diff_eq!(model.eigenvalues().mapv(f64::from), values, epsilon = 1e-4);
    let found = model.transform(data.records).mapv(f64::from);
    assert_abs_diff_eq!(found, scores, epsilon = 1e-4);
}

#[test]
fn bad_input() {
    let x = random(6, 2, 8);
    let y = array![0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let data = Dataset::new(x.clone(), y.clone());
    let params = RegressionDiscriminant::params(1);
    let refused = |error: Option<Error>, name: &str, bad: f64| {
        matches!(error, Some(Error::Parameter { of: "RegressionDiscriminant", parameter, value, .. })
            if parameter == name && value.total_cmp(&bad).is_eq())
    };
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let error = params.clone().ridge(bad).fit(&data).err();
        assert!(refused(error, "ridge", bad));
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = params.clone().threshold(bad).fit(&data).err();
        assert!(refused(error, "threshold", bad));
    }
    let error = RegressionDiscriminant::params(0).fit(&data).err();
    assert!(refused(error, "components", 0.0));
    let (requested, available) = (3, 2);
    let error = RegressionDiscriminant::params(3).fit(&data).err();
    assert_eq!(
        error,
        Some(Error::Components {
            requested,
            available
        })
    );

    // All targets are the same, far from zero too; there is one sample; all targets are near.
    for value in [0.0, 0.1, 1e9] {
        let same = Dataset::new(x.clone(), Array1::from_elem(6, value));
        let error = params.clone().fit(&same).err();
        assert_eq!(error, Some(Error::NoContrast { threshold: 0.0 }));
    }
    let one = Dataset::new(x.slice(s![..1, ..]).to_owned(), array![3.0]);
    assert_eq!(
        params.clone().fit(&one).err(),
        Some(Error::NoContrast { threshold: 0.0 })
    );
    let error = params.clone().threshold(10.0).fit(&data).err();
    assert!(matches!(error, Some(Error::NoContrast { threshold }) if threshold > 5.0));

    for bad in [f64::NAN, f64::INFINITY] {
        let mut targets = y.clone();
        targets[4] = bad;
        let error = KernelRegressionDiscriminant::params(1, Linear::new())
            .fit(&Dataset::new(x.clone(), targets));
        assert!(matches!(
            error.err(),
            Some(KernelizedError::Space(npt_core::Error::TargetNotFinite { row: 4, column: 0, value }))
                if value.total_cmp(&bad).is_eq()
        ));
    }
    // Without a ridge S_w has to have full rank; without near pairs its rank is 0.
    let singular = |error: Option<Error>| {
        matches!(
            error,
            Some(Error::Singular {
                of: "RegressionDiscriminant",
                parameter: "ridge",
                value: 0.0,
                ..
            })
        )
    };
    let error = params.clone().threshold(0.1).ridge(0.0).fit(&data).err();
    assert!(singular(error.clone()), "{error:?}");
    let wide = Dataset::new(random(6, 9, 9), y.clone());
    assert!(singular(params.clone().ridge(0.0).fit(&wide).err()));
    assert!(params.clone().fit(&wide).is_ok());
    let constant = Dataset::new(Array2::ones((6, 2)), y.clone());
    assert_eq!(
        params.clone().fit(&constant).err(),
        Some(Error::Core(npt_core::Error::NoVariance { samples: 6 }))
    );
    let of = "RegressionDiscriminant";
    for scale in [1e-200, 1e200] {
        let data = Dataset::new(&x * scale, y.clone());
        let error = params.clone().fit(&data).err();
        assert_eq!(error, Some(Error::Overflow { of }));
    }
    let single = Dataset::new(Array2::<f32>::eye(6), Array1::range(0.0, 6.0, 1.0));
    let error = params.ridge(1e300).fit(&single).err();
    assert_eq!(error, Some(Error::Overflow { of }));
    let kernel = KernelRegressionDiscriminant::params(9, Gaussian::new(1.0))
        .space(|s| s.axes(Axes::Principal));
    let (requested, available) = (9, 5);
    let few = Error::Components {
        requested,
        available,
    };
    assert_eq!(kernel.fit(&data).err(), Some(KernelizedError::Method(few)));
}
