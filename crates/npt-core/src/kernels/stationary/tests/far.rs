//! Few samples far from all others: blocks of values, compared with the values of pairs.

use super::{AnyKernel, noise, off, rows};
use crate::{
    Anova, Columns, Exponential, Gaussian, Kernel, Laplacian, LengthScales, Linear, Matern,
    Periodic, RationalQuadratic, Rows, Samples, Scalar,
};
use ndarray::{Array2, s};

fn kernels<F: Scalar>() -> Vec<(&'static str, AnyKernel<F>)> {
    let c = |v: f64| F::cast(v);
    let gaussian = Gaussian::new(c(0.5));
    let scales = [0.7, 3.0, 1.3].map(c).to_vec();
    vec![
        ("gaussian", Box::new(gaussian)),
        ("narrow", Box::new(Gaussian::new(c(50.0)))),
        ("wide", Box::new(Gaussian::new(c(1e-3)))),
        ("exponential", Box::new(Exponential::new(c(0.5)))),
        ("laplacian", Box::new(Laplacian::new(c(0.5)))),
        ("matérn", Box::new(Matern::five_halves(c(1.5)))),
        (
            "rational quadratic",
            Box::new(RationalQuadratic::new(c(1.5), c(0.8))),
        ),
        ("columns", Box::new(Columns::new(gaussian, 0..1))),
        (
            "scales",
            Box::new(LengthScales::new(gaussian, scales.clone())),
        ),
        (
            "scales of a Laplacian",
            Box::new(LengthScales::new(Laplacian::new(c(0.5)), scales.clone())),
        ),
        (
            "scales of a sum",
            Box::new(LengthScales::new(
                (gaussian + Matern::half(c(1.0)).scaled(c(0.5))) * Exponential::new(c(0.1)),
                scales.clone(),
            )),
        ),
        (
            "scales of waves",
            Box::new(LengthScales::new(
                Periodic::new(c(0.9), c(2.7)) * Anova::new(c(0.3), 2),
                scales,
            )),
        ),
        ("sum", Box::new(gaussian + Laplacian::new(c(0.3)))),
    ]
}

fn by_pairs<F: Scalar>(kernel: &AnyKernel<F>, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
    let value = |(i, j)| kernel.eval(a.get(i), b.get(j));
    Array2::from_shape_fn((a.len(), b.len()), value)
}

/// Checks that blocks equal the values of pairs to some tens of roundings, for values of at most a few, and that the values
/// of pairs equal those in f64 of the same numbers.
fn check<F: Scalar>(what: &str, x: &Array2<f64>) {
    let x = rows::<F>(x);
    let exact: Rows<f64> = rows(&x.view().mapv(Scalar::as_f64));
    // `some` are more samples than are compared by differences without a test; `few` are no more than that.
    let some = x.select(&[0, 3, 17, 5, 30, 8, x.len() - 1]);
    let few = x.select(&[0, 17]);
    let level = 64.0 * F::epsilon().as_f64();
    for ((name, kernel), (_, in_f64)) in kernels::<F>().iter().zip(kernels::<f64>()) {
        let expected = by_pairs(kernel, &x, &x);
        let assert_small = |which: &str, off: f64| {
            let largest = kernel.diag(&x)[0].as_f64();
            assert!(off <= level * largest, "{name}, {what}, {which}: {off:e}");
        };
        // Waves are only as accurate as their phases.
        if *name != "scales of waves" {
            assert_small("eval", off(&expected, &by_pairs(&in_f64, &exact, &exact)));
        }
        assert_small("gram", off(&kernel.gram(&x), &expected));
        for part in [&some, &few] {
            let expected = by_pairs(kernel, part, &x);
            assert_small("cross", off(&kernel.cross(part, &x), &expected));
            let transposed = expected.reversed_axes();
            assert_small("cross back", off(&kernel.cross(&x, part), &transposed));
        }
    }
}

fn check_magnitudes<F: Scalar>(last: i32) {
    for power in 0..=last {
        let far = 10.0_f64.powi(power);
        let near = noise(40, 3) * 2.0;
        let mut one = near.clone();
        one.row_mut(17).fill(far);
        check::<F>(&format!("one row at 1e{power}"), &one);
        let mut clusters = near.clone();
        clusters.slice_mut(s![..;2, ..]).mapv_inplace(|v| v + far);
        check::<F>(&format!("two clusters 1e{power} apart"), &clusters);
        check::<F>(&format!("all at 1e{power}"), &(near + far));
    }
}

#[test]
fn any_magnitude() {
    check_magnitudes::<f64>(300);
}

#[test]
fn any_magnitude_in_f32() {
    check_magnitudes::<f32>(37);
}

/// Blocks of several tiles are right with far samples in some of the tiles, on both sides of the borders between them.
#[test]
fn far_samples_of_many() {
    for far in [1e4, 1e8, 1e12, 1e16, 1e150, 1e200] {
        let mut x = noise(530, 3);
        for row in [0, 255, 256, 400, 401, 529] {
            x.row_mut(row).mapv_inplace(|v| v + far);
        }
        check::<f64>(&format!("six rows at {far:e}"), &x);
        if far < 1e20 {
            check::<f32>(&format!("six rows at {far:e} in f32"), &x);
        }
    }
}

/// The values of the other samples keep their bits wherever a far sample is: the origin does not follow it.
#[test]
fn others_do_not_notice() {
    let kernel = Gaussian::new(0.5);
    let near = noise(100, 3) * 2.0;
    let values = |far: f64| {
        let mut x = near.clone();
        x.row_mut(40).fill(far);
        let mut values = kernel.gram(&rows(&x));
        values.row_mut(40).fill(0.0);
        values.column_mut(40).fill(0.0);
        values
    };
    let expected = values(1e3);
    for far in [1e5, 1e8, 1e12, 1e16, 1e20, 1e100, 1e300] {
        assert!(values(far) == expected, "{far:e}");
    }
    // The linear part of a sum sees the far sample; the rest of the sum does not.
    let sum = Gaussian::new(0.5) + Linear::new().scaled(1e-30);
    let mut x = near.clone();
    x.row_mut(40).fill(1e12);
    let x = rows::<f64>(&x);
    let found = sum.gram(&x);
    let pair = sum.eval(x.get(0), x.get(1));
    assert!((found[[0, 1]] - pair).abs() < 1e-15);
}
