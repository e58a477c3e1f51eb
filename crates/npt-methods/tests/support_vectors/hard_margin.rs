//! Tests of the plane of widest margin, by weak duality and as the limit of large penalties.

use super::normal;
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, array, concatenate, s};
use npt_core::{Gaussian, KernelizedError, Laplacian, Scalar};
use npt_methods::{
    Error, KernelHardMarginSvc, KernelSvc,
    linear::{HardMarginSvc, Svc},
};

const NO_MARGIN: Error = Error::NoMargin {
    method: "HardMarginSvc",
};

/// Makes two clouds with a gap between them, each of half of the samples.
fn separated(n: usize, d: usize, seed: u64) -> (Array2<f64>, Array1<bool>) {
    let mut x = normal(n, d, seed);
    let sides = Array1::from_shape_fn(n, |i| i % 2 == 0);
    for (mut row, &side) in x.outer_iter_mut().zip(&sides) {
        row[0] = (row[0].abs() + 0.05) * if side { 1.0 } else { -1.0 };
    }
    (x, sides)
}

/// Asserts that ½‖w‖², at least the optimum where all margins are 1, meets Σ αᵢ − ½‖Σ αᵢyᵢxᵢ‖², at most the optimum.
fn assert_optimal<F: Scalar>(
    svc: &Svc<F>,
    x: &Array2<F>,
    sides: &Array1<bool>,
    tolerance: f64,
    context: &str,
) {
    let signs = sides.mapv(|side| if side { F::one() } else { -F::one() });
    let smallest = (svc.decision_function(x) * &signs)
        .iter()
        .fold(f64::INFINITY, |least, margin| least.min(margin.as_f64()));
    assert!(
        (smallest - 1.0).abs() <= tolerance,
        "{context}: margin {smallest}"
    );
    assert!(
        svc.dual()
            .iter()
            .zip(&signs)
            .all(|(&v, &y)| v * y >= F::zero())
    );
    let w = svc.weights().mapv(F::as_f64);
    let squared = w.dot(&w);
    let sum: f64 = svc.dual().iter().map(|v| v.as_f64().abs()).sum();
    // Σ αᵢ = ‖w‖² at the optimum.
    assert!(
        (sum / squared - 1.0).abs() <= tolerance,
        "{context}: Σα = {sum}, ‖w‖² = {squared}"
    );
    let balance: f64 = svc.dual().iter().map(|v| v.as_f64()).sum();
    assert!(balance.abs() <= tolerance * sum, "{context}: {balance}");
}

#[test]
fn the_optimum_of_many_sizes_and_scales() {
    for (seed, (n, d)) in [(2, 1), (2, 5), (5, 1), (30, 2), (60, 4), (20, 40), (200, 3)]
        .into_iter()
        .enumerate()
    {
        for scale in [1e-30, 1e-3, 1.0, 1e30] {
            let (x, sides) = separated(n, d, seed as u64);
            let x = x * scale;
            let context = format!("{n} × {d}, scale {scale}");
            let params = HardMarginSvc::params().tolerance(1e-8);
            let data = DatasetBase::new(x.clone(), sides.clone());
            let svc = params.fit(&data).unwrap();
            assert_optimal(&svc, &x, &sides, 1e-7, &context);
            let single = x.mapv(|v| v as f32);
            if scale.ln().abs() < 10.0 {
                let data = DatasetBase::new(single.clone(), sides.clone());
                let svc = HardMarginSvc::params().fit(&data).unwrap();
                assert_optimal(&svc, &single, &sides, 3e-3, &context);
            }
        }
    }
}

#[test]
fn it_is_the_limit_of_large_penalties() {
    for seed in 0..5 {
        let (x, sides) = separated(40, 3, seed);
        let data = DatasetBase::new(x, sides);
        let hard = HardMarginSvc::params().tolerance(1e-9).fit(&data).unwrap();
        let largest = hard
            .dual()
            .iter()
            .fold(0.0_f64, |m, v: &f64| m.max(v.abs()));
        let soft = |c: f64| Svc::params().c(c).tolerance(1e-9).fit(&data).unwrap();
        // No αᵢ reaches C.
        let same = soft(2.0 * largest);
        let scale = hard.weights().dot(&hard.weights()).sqrt();
        let close = |a: &Svc<f64>| {
            let away = &a.weights() - &hard.weights();
            away.dot(&away).sqrt() / scale + (a.bias() - hard.bias()).abs() / scale
        };
        assert!(close(&same) < 1e-6, "seed {seed}: {:e}", close(&same));
        let other = soft(largest / 4.0);
        assert!(close(&other) > 1e-3, "seed {seed}: {:e}", close(&other));
    }
}

/// A narrow kernel, under which no two samples are near, separates anything.
#[test]
fn with_a_kernel() {
    let x = normal(50, 2, 3);
    let sides = Array1::from_shape_fn(50, |i| (i / 3) % 2 == 0);
    let data = DatasetBase::new(x, sides);
    let gaussian = Gaussian::new(20.0);
    let hard = KernelHardMarginSvc::params(gaussian).method(|m| m.tolerance(1e-9));
    let hard = hard.fit(&data).unwrap();
    let soft = KernelSvc::params(gaussian).method(|m| m.c(1e9).tolerance(1e-9));
    let soft = soft.fit(&data).unwrap();
    let of = |values: Array1<f64>| values;
    let (a, b) = (
        of(hard.decision_function(&data.records).unwrap()),
        of(soft.decision_function(&data.records).unwrap()),
    );
    assert!((&a - &b).iter().all(|d| d.abs() < 1e-6));
    assert_eq!(hard.inner().support(), soft.inner().support());

    // Samples that are in both classes are apart in no kernel's space.
    let twice = concatenate![ndarray::Axis(0), data.records, data.records];
    let sides = Array1::from_shape_fn(100, |i| i < 50);
    let twice = DatasetBase::new(twice, sides);
    let error = Some(KernelizedError::Method(NO_MARGIN));
    assert_eq!(
        KernelHardMarginSvc::params(gaussian).fit(&twice).err(),
        error
    );
    let laplacian = KernelHardMarginSvc::params(Laplacian::new(1.0));
    assert_eq!(laplacian.fit(&twice).err(), error);
}

#[test]
fn classes_that_overlap_or_touch_have_no_margin() {
    let (mut x, sides) = separated(40, 2, 1);
    let fit = |x: &Array2<f64>| {
        let data = DatasetBase::new(x.clone(), sides.clone());
        HardMarginSvc::params().fit(&data)
    };
    // One sample is far on the other side.
    x[[0, 0]] = -1.0;
    assert_eq!(fit(&x).err(), Some(NO_MARGIN));
    // The classes touch in one point; then they keep a distance of 2·10⁻⁴.
    let (mut x, _) = separated(40, 2, 1);
    x.slice_mut(s![..2, ..]).fill(0.0);
    assert_eq!(fit(&x).err(), Some(NO_MARGIN));
    (x[[0, 0]], x[[1, 0]]) = (1e-4, -1e-4);
    let svc = fit(&x).unwrap();
    assert!((svc.weights()[0] * 1e-4 - 1.0).abs() < 1e-2);
    let data = DatasetBase::new(
        Array2::from_elem((4, 2), 0.1),
        array![true, true, false, false],
    );
    assert_eq!(HardMarginSvc::params().fit(&data).err(), Some(NO_MARGIN));
}

#[test]
fn refused() {
    let (x, sides) = separated(10, 2, 1);
    let one = DatasetBase::new(x.clone(), Array1::from_elem(10, true));
    let error = Some(Error::Classes { found: 1 });
    assert_eq!(HardMarginSvc::params().fit(&one).err(), error);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let data = DatasetBase::new(x.clone(), sides.clone());
        let params = HardMarginSvc::params().tolerance(bad);
        assert!(matches!(
            params.fit(&data).err(),
            Some(Error::Parameter {
                of: "HardMarginSvc",
                parameter: "tolerance",
                ..
            })
        ));
    }
    let mut x = x;
    x[[3, 1]] = f64::NAN;
    let data = DatasetBase::new(x, sides);
    assert!(matches!(
        HardMarginSvc::params().fit(&data).err(),
        Some(Error::Core(_))
    ));
}

/// A weight above 0 changes nothing, and a sample of weight 0 does not count.
#[test]
fn weights_say_who_is_there() {
    let (x, sides) = separated(30, 2, 4);
    let fit = |x: &Array2<f64>, sides: &Array1<bool>, weights: Option<Vec<f32>>| {
        let data = DatasetBase::new(x.clone(), sides.clone());
        let data = match weights {
            Some(weights) => data.with_weights(weights.into()),
            None => data,
        };
        HardMarginSvc::params().tolerance(1e-9).fit(&data).unwrap()
    };
    let plain = fit(&x, &sides, None);
    let weighted = fit(
        &x,
        &sides,
        Some((0..30).map(|i| 1.0 + (i % 4) as f32).collect()),
    );
    assert_eq!(weighted.weights(), plain.weights());
    assert_eq!(weighted.bias(), plain.bias());

    // The margin is wider without its support vectors.
    let mut weights = vec![1.0; 30];
    plain.support().iter().for_each(|&i| weights[i] = 0.0);
    let fewer = fit(&x, &sides, Some(weights.clone()));
    let length = |svc: &Svc<f64>| svc.weights().dot(&svc.weights());
    assert!(length(&fewer) < 0.99 * length(&plain));
    assert!(plain.support().iter().all(|&i| fewer.dual()[i] == 0.0));
    let kept: Vec<usize> = (0..30).filter(|&i| weights[i] > 0.0).collect();
    let axis = ndarray::Axis(0);
    let alone = fit(&x.select(axis, &kept), &sides.select(axis, &kept), None);
    assert!(
        (&alone.weights() - &fewer.weights())
            .iter()
            .all(|d| d.abs() < 1e-6)
    );
}
