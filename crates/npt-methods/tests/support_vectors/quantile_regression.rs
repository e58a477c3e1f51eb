//! Tests of quantile regression: the shares that define it, the distance from its optimum, its kernel trick, and its errors.

use super::normal;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict},
};
use ndarray::{Array1, Array2, Axis, array};
use npt_core::{Gaussian, KernelizedError, Rows, Scalar};
use npt_methods::{
    Error, KernelQuantileRegression,
    linear::{QuantileRegression, Svr},
};
use npt_testkit::{
    laws::{check_kernel_trick, check_roads, check_rotation_invariance},
    oracles,
};

const TOLERANCE: f64 = 1e-6;
const QUANTILES: [f64; 5] = [0.01, 0.25, 0.5, 0.8, 0.99];

type Data<F> = DatasetBase<Array2<F>, Array1<F>>;

/// Makes a problem of random size, with more samples than features or fewer. Some problems have duplicates, some equal targets, some
/// weights from 0 to 1.5.
fn problem<F: Scalar>(seed: u64) -> Data<F> {
    let rows = [1, 2, 7, 20, 40][(seed % 5) as usize];
    let x = normal(rows, [1, 3, 12][(seed / 5 % 3) as usize], seed);
    let x = if seed.is_multiple_of(2) {
        x
    } else {
        let distinct = rows / 2 + 1;
        x.select(
            Axis(0),
            &(0..rows).map(|i| i % distinct).collect::<Vec<_>>(),
        )
    };
    let noise = normal(rows, 1, seed + 1).remove_axis(Axis(1));
    let mut y = x.map_axis(Axis(1), |row| row[0] + row.sum().sin()) + noise;
    if seed.is_multiple_of(3) {
        y.mapv_inplace(f64::round);
    }
    let data = DatasetBase::new(x.mapv(F::cast), y.mapv(F::cast));
    if seed.is_multiple_of(4) {
        let weight = |i: usize| f32::from((i * 7 % 4) as u8) * 0.5;
        let of_first = |i: usize| if i == 0 { 0.5 } else { weight(i) };
        data.with_weights((0..rows).map(of_first).collect())
    } else {
        data
    }
}

fn weights<F>(data: &Data<F>) -> Array1<f64> {
    let weight = |i: usize| data.weights.get(i).map_or(1.0, |&w| f64::from(w));
    (0..data.targets.len()).map(weight).collect()
}

/// Asserts that at most (1 − τ) Σ sᵢ of the targets are above the values, and at most τ Σ sᵢ below, by more than `slack`.
fn assert_shares<F: Scalar>(what: &str, data: &Data<F>, values: &Array1<F>, tau: f64, slack: f64) {
    let (mut above, mut below) = (0.0, 0.0);
    let weights = weights(data);
    for ((target, value), weight) in data.targets.iter().zip(values).zip(&weights) {
        let residual = target.as_f64() - value.as_f64();
        above += if residual > slack { *weight } else { 0.0 };
        below += if residual < -slack { *weight } else { 0.0 };
    }
    // The shares are computed from rounded numbers, too.
    let total = weights.sum() * (1.0 + 1e-12);
    assert!(
        above <= (1.0 - tau) * total && below <= tau * total,
        "{what}, τ = {tau}: {above} above and {below} below of {total}"
    );
}

/// Asserts that the primal objective is close to the dual. Their difference is C Σ sᵢρ(rᵢ) − Σ βᵢrᵢ for the residuals rᵢ, as Σ βᵢ = 0 and
/// w = Σ βᵢxᵢ. It is at least 0 for coefficients within their bounds, and at most the tolerance times C Σ sᵢ.
fn assert_optimal<F: Scalar>(seed: u64, data: &Data<F>, c: f64, tau: f64) {
    let params = QuantileRegression::params().c(c).quantile(tau);
    let model = params.tolerance(TOLERANCE).fit(data).unwrap();
    let dual = model.dual().mapv(F::as_f64);
    let x = data.records.mapv(F::as_f64);
    let largest = x.fold(1.0_f64, |m, v| m.max(v.abs()));
    let terms = dual.fold(1.0, |s, v| s + v.abs()) * largest * x.ncols() as f64;
    let rounding = 10.0 * F::epsilon().as_f64() * terms;
    let off = x.t().dot(&dual) - model.weights().mapv(F::as_f64);
    assert!(off.iter().all(|d| d.abs() <= rounding), "seed {seed}");
    assert!(dual.sum().abs() <= rounding, "seed {seed}");
    let slack = TOLERANCE + rounding * largest;
    let values = model.predict(&data.records);
    assert_shares(&format!("seed {seed}, C = {c}"), data, &values, tau, slack);

    let mut gap = 0.0;
    let weights = weights(data);
    for (i, (&beta, &weight)) in dual.iter().zip(&weights).enumerate() {
        let within = c * weight * (1.0 + 10.0 * F::epsilon().as_f64());
        assert!(within * (tau - 1.0) <= beta && beta <= within * tau);
        let residual = data.targets[i].as_f64() - values[i].as_f64();
        let check = residual * if residual < 0.0 { tau - 1.0 } else { tau };
        gap += c * weight * check - beta * residual;
    }
    let size = c * weights.sum();
    assert!(
        -rounding <= gap && gap <= slack * size + rounding,
        "seed {seed}, C = {c}, τ = {tau}: the gap is {gap:e} of {size:e}"
    );
}

#[test]
fn random_problems_reach_their_optimum_and_keep_their_shares() {
    for seed in 0..60 {
        for c in [1e-2, 1.0, 50.0] {
            for tau in QUANTILES {
                assert_optimal(seed, &problem::<f64>(seed), c, tau);
                assert_optimal(seed, &problem::<f32>(seed), c, tau);
            }
        }
    }
}

/// More samples than one working set takes reach their optimum, in few features and in as many as samples.
#[test]
fn many_samples_reach_their_optimum() {
    for (rows, features) in [(3000, 3), (700, 700)] {
        let x = normal(rows, features, 1);
        let noise = normal(rows, 1, 2).remove_axis(Axis(1));
        let y = x.column(0).mapv(f64::sin) + noise;
        for tau in [0.1, 0.5] {
            assert_optimal(1, &DatasetBase::new(x.clone(), y.clone()), 0.5, tau);
        }
    }
}

#[test]
fn kernel_values_and_coordinates_keep_the_shares() {
    for seed in 0..30 {
        let data = problem::<f64>(seed);
        for tau in QUANTILES {
            let params = KernelQuantileRegression::params(Gaussian::new(0.4))
                .method(|m| m.quantile(tau).c(5.0).tolerance(TOLERANCE));
            if data.targets.len() == 1 {
                // One sample spans nothing about its mean, in a space that is centred.
                let error = params.fit(&data).err();
                assert!(matches!(error, Some(KernelizedError::Space(_))));
                continue;
            }
            let by_kernel = params.fit(&data).unwrap().predict(&data.records);
            let by_coordinates = params.by_coordinates().fit(&data).unwrap();
            let by_coordinates = by_coordinates.predict(&data.records);
            // The slack is for the rounding of values, whose terms sum to less than 10³.
            for values in [by_kernel, by_coordinates] {
                assert_shares("kernel", &data, &values, tau, TOLERANCE + 1e-11);
            }
        }
    }
}

/// The median is support vector regression without a tube, as |r| is twice the check loss of the median.
#[test]
fn the_median_is_support_vector_regression_without_a_tube() {
    let data = Dataset::new(normal(31, 3, 5), normal(31, 1, 6).remove_axis(Axis(1)));
    let median = QuantileRegression::params().c(3.0).tolerance(1e-12);
    let svr = Svr::params().c(1.5).epsilon(0.0).tolerance(1e-12);
    let (median, svr) = (median.fit(&data).unwrap(), svr.fit(&data).unwrap());
    let off = &median.decision_function(&data.records) - &svr.decision_function(&data.records);
    assert!(off.iter().all(|d| d.abs() < 1e-10), "{off}");
}

/// Equal records allow only a constant, which is the quantile of the targets. If any number between two targets is a quantile, it is in
/// the middle.
#[test]
fn without_features_it_is_the_quantile_of_the_targets() {
    let five = vec![40.0, 1.0, 3.0, 50.0, 2.0];
    for (targets, tau, expected) in [
        (five.clone(), 0.1, 1.0_f64),
        (five.clone(), 0.3, 2.0),
        (five.clone(), 0.5, 3.0),
        (five.clone(), 0.7, 40.0),
        (five, 0.9, 50.0),
        (vec![8.0, 2.0, 1.0, 5.0], 0.25, 1.5),
        (vec![8.0, 2.0, 1.0, 5.0], 0.5, 3.5),
    ] {
        let records = Array2::from_elem((targets.len(), 2), 0.1);
        let data = DatasetBase::new(records, Array1::from(targets));
        let params = QuantileRegression::params().quantile(tau);
        let model = params.tolerance(1e-9).fit(&data).unwrap();
        assert_eq!(model.weights(), array![0.0, 0.0]);
        assert!(
            (model.bias() - expected).abs() < 1e-12,
            "{tau}: {}",
            model.bias()
        );
    }
    let one = DatasetBase::new(array![[3.0, 1.0]], array![7.0]);
    let model = QuantileRegression::params()
        .quantile(0.9)
        .fit(&one)
        .unwrap();
    assert_eq!(
        (model.weights().to_owned(), model.bias()),
        (array![0.0, 0.0], 7.0)
    );
}

#[test]
fn a_weight_is_so_many_samples() {
    let (x, y) = (normal(25, 3, 8), normal(25, 1, 9).remove_axis(Axis(1)));
    let weights: Array1<f32> = (0_u8..25).map(|i| f32::from(i % 3)).collect();
    let rows: Vec<usize> = (0..25)
        .flat_map(|i| std::iter::repeat_n(i, i % 3))
        .collect();
    let repeated = DatasetBase::new(x.select(Axis(0), &rows), y.select(Axis(0), &rows));
    let weighted = DatasetBase::new(x.clone(), y).with_weights(weights);
    let close = |what: &str, found: &Array1<f64>, expected: &Array1<f64>| {
        let off = (found - expected).fold(0.0_f64, |m, d| m.max(d.abs()));
        assert!(off < 1e-8, "{what}: {off:e}");
    };
    let linear = QuantileRegression::params()
        .quantile(0.31)
        .c(2.0)
        .tolerance(1e-11);
    let [found, expected] =
        [&weighted, &repeated].map(|data| linear.fit(data).unwrap().predict(&x));
    close("linear", &found, &expected);
    let kernel = KernelQuantileRegression::params(Gaussian::new(0.5)).method(|_| linear.clone());
    let [found, expected] =
        [&weighted, &repeated].map(|data| kernel.fit(data).unwrap().predict(&x));
    close("by kernel values", &found, &expected);
    let kernel = kernel.by_coordinates();
    let [found, expected] =
        [&weighted, &repeated].map(|data| kernel.fit(data).unwrap().predict(&x));
    close("by coordinates", &found, &expected);
}

/// Targets in other units, and from another origin, have the same regression: exactly for powers of two, and to
/// the last digits of targets that are far from 0.
#[test]
fn targets_in_other_units() {
    let (x, y) = (
        array![[0.0], [1.0], [2.0], [3.5], [4.0]],
        array![0.0, 1.25, 2.0, 3.0, 4.5],
    );
    let fit = |y: Array1<f64>, unit: f64| {
        let params = QuantileRegression::params().quantile(0.3).c(unit);
        let params = params.tolerance(1e-9 * unit);
        params.fit(&DatasetBase::new(x.clone(), y)).unwrap()
    };
    let expected = fit(y.clone(), 1.0);
    assert!(expected.weights()[0] > 0.5);
    for exponent in [-900, -332, 332, 900] {
        let unit = 2.0_f64.powi(exponent);
        let found = fit(&y * unit, unit);
        assert_eq!(found.weights()[0], expected.weights()[0] * unit);
        assert_eq!(found.bias(), expected.bias() * unit);
    }
    for unit in [1e-100, 1e100] {
        let found = fit(&y * unit, unit);
        assert!((found.weights()[0] / unit - expected.weights()[0]).abs() < 1e-8);
    }
    let away = 2.0_f64.powi(50);
    let found = fit(&y + away, 1.0);
    assert_eq!(found.weights(), expected.weights());
    // Equal to the spacing of numbers of that size.
    assert!((found.bias() - away - expected.bias()).abs() <= 0.25);
}

#[test]
fn what_is_refused() {
    let data = || {
        DatasetBase::new(
            array![[0.0, 1.0], [2.0, 0.0], [1.0, 1.5]],
            array![1.0, 0.0, 2.0],
        )
    };
    let refused = |error: Option<Error>| match error {
        Some(Error::Parameter {
            of: "QuantileRegression",
            parameter,
            value,
            allowed,
        }) => (parameter, value, allowed),
        other => panic!("{other:?}"),
    };
    for bad in [0.0, 1.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
        let (name, value, allowed) = refused(
            QuantileRegression::params()
                .quantile(bad)
                .fit(&data())
                .err(),
        );
        assert_eq!((name, allowed), ("quantile", "above 0 and below 1"));
        assert!(value == bad || value.is_nan() && bad.is_nan());
        let kernel =
            KernelQuantileRegression::params(Gaussian::new(1.0)).method(|m| m.quantile(bad));
        let Err(KernelizedError::Method(error)) = kernel.fit(&data()) else {
            panic!("{bad} is refused");
        };
        assert_eq!(refused(Some(error)).0, "quantile");
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let params = QuantileRegression::params();
        assert_eq!(refused(params.clone().c(bad).fit(&data()).err()).0, "c");
        assert_eq!(
            refused(params.tolerance(bad).fit(&data()).err()).0,
            "tolerance"
        );
    }
    // The squares of these records leave the range.
    let far = DatasetBase::new(data().records * 1e160, data().targets);
    assert_eq!(
        refused(QuantileRegression::params().c(0.5).fit(&far).err()).0,
        "c"
    );
    // One of the bounds C(τ − 1) and Cτ leaves the range.
    let tiny = QuantileRegression::params().quantile(1e-300).c(1e-20);
    let overflow = Some(Error::Overflow {
        of: "QuantileRegression",
    });
    assert_eq!(tiny.fit(&data()).err(), overflow);
    let mut unknown = data();
    unknown.targets[1] = f64::NAN;
    let error = QuantileRegression::params().fit(&unknown).err();
    assert!(matches!(
        error,
        Some(Error::Core(npt_core::Error::TargetNotFinite {
            row: 1,
            column: 0,
            ..
        }))
    ));
    let nothing = data().with_weights(Array1::zeros(3));
    let error = QuantileRegression::params().fit(&nothing).err();
    assert!(
        matches!(error, Some(Error::Core(npt_core::Error::NoWeight { .. }))),
        "{error:?}"
    );
}

/// A solution in f32 may be out of range where the one in f64 is not.
#[test]
fn solutions_out_of_range() {
    let x = array![[0.0_f32], [1e-30], [2e-30]];
    let data = DatasetBase::new(x, array![0.0_f32, 1e30, 2e30]);
    let error = QuantileRegression::params().c(1e300).fit(&data).err();
    assert_eq!(
        error,
        Some(Error::Overflow {
            of: "QuantileRegression"
        })
    );
}

fn sums(x: &Array2<f64>) -> Array1<f64> {
    x.map_axis(Axis(1), |row| row.sum().sin())
}

fn column(values: Array1<f64>) -> Array2<f64> {
    values.insert_axis(Axis(1))
}

/// A quantile that is the share of no number of samples here. So some target is on the function, which is then unique.
const QUANTILE: f64 = 0.37;

#[test]
fn the_axes_do_not_matter() {
    check_rotation_invariance(1e-8, |x, y, new| {
        let data = Dataset::new(y.clone(), sums(x));
        let params = QuantileRegression::params().quantile(QUANTILE);
        let model = params.tolerance(1e-13).fit(&data)?;
        Ok::<_, Error>(column(model.predict(new)))
    });
}

/// The error of coordinates at new samples that are far from all others, where directions were cut at rounding level: √(nε) for
/// n ≤ 30 samples. The function goes through some of the targets, and only the directions that were cut may tell such samples apart.
const CUT: f64 = 1e-7;

/// Predictions are f(x) = Σ βᵢk(xᵢ, x) + b, by the dual of the check loss.
#[test]
fn it_is_its_kernel_trick() {
    let formula = |x: &Array2<f64>, k: &Array2<f64>, k_new: &Array2<f64>, c, quantile| {
        let (beta, bias) = oracles::svc::quantile_dual(k.view(), &sums(x), c, quantile, 1e-12);
        column(k_new.dot(&beta) + bias)
    };
    let kernel = Gaussian::new(0.3);
    for (c, quantile) in [(1.0, QUANTILE), (0.1, QUANTILE), (1.0, 0.93)] {
        let params = QuantileRegression::params()
            .c(c)
            .quantile(quantile)
            .tolerance(1e-13);
        check_kernel_trick(
            CUT,
            |x, y, new| {
                let model = params.fit(&Dataset::new(y.clone(), sums(x)));
                model.map(|model| column(model.predict(new)))
            },
            |x, k, k_new| Ok::<_, ()>(formula(x, k, k_new, c, quantile)),
        );
        // With kernel values no direction is cut.
        check_roads(
            1e-8,
            |x, new| {
                let method = KernelQuantileRegression::params(kernel).method(|_| params.clone());
                let model = method.fit(&Dataset::new(x.clone(), sums(x)));
                model.map(|model| column(model.predict(new)))
            },
            |x, new| {
                let (rows, new) = (Rows::new(x.clone())?, Rows::new(new.clone())?);
                let k = oracles::centering::centered_gram(&kernel, &rows);
                let k_new = oracles::centering::centered_cross(&kernel, &new, &rows);
                Ok::<_, npt_core::Error>(formula(x, &k, &k_new, c, quantile))
            },
        );
    }
}

#[test]
fn both_roads_agree() {
    let kernel = Gaussian::new(0.3);
    let quantile =
        KernelQuantileRegression::params(kernel).method(|m| m.quantile(QUANTILE).tolerance(1e-13));
    check_roads(
        CUT,
        |x, new| {
            let model = quantile.fit(&Dataset::new(x.clone(), sums(x)));
            model.map(|model| column(model.predict(new)))
        },
        |x, new| {
            let by_coordinates = quantile.clone().by_coordinates();
            let model = by_coordinates.fit(&Dataset::new(x.clone(), sums(x)));
            model.map(|model| column(model.predict(new)))
        },
    );
}
