//! Features divided by length scales, far from 0, compared with the same numbers in f64.

use super::{AnyKernel, off, rows};
use crate::{
    Anova, Exponential, Gaussian, Gower, Kernel, Laplacian, LengthScales, Linear, Matern,
    Normalized, Periodic, RationalQuadratic, Rows, Scalar, WeightedSum,
};
use ndarray::{Array2, array};

fn kernels<F: Scalar>() -> Vec<(&'static str, AnyKernel<F>)> {
    let c = |v: f64| F::cast(v);
    let gaussian = Gaussian::new(c(0.5));
    let of = |kernel: AnyKernel<F>| -> AnyKernel<F> {
        Box::new(LengthScales::new(kernel, vec![c(0.3), c(7.0)]))
    };
    let sum = WeightedSum::new(
        vec![gaussian, Gaussian::new(c(2.0))],
        array![c(0.25), c(0.75)],
    );
    vec![
        ("gaussian", of(Box::new(gaussian))),
        ("exponential", of(Box::new(Exponential::new(c(0.5))))),
        ("laplacian", of(Box::new(Laplacian::new(c(0.5))))),
        ("matérn", of(Box::new(Matern::five_halves(c(1.0))))),
        (
            "rational quadratic",
            of(Box::new(RationalQuadratic::new(c(1.0), c(0.8)))),
        ),
        ("anova", of(Box::new(Anova::new(c(0.5), 2)))),
        ("gower", of(Box::new(Gower::new(vec![c(4.0), c(2.0)])))),
        ("normalized", of(Box::new(Normalized::new(gaussian)))),
        ("sum", of(Box::new(gaussian + Laplacian::new(c(0.5))))),
        ("product", of(Box::new(gaussian * Laplacian::new(c(0.5))))),
        ("scaled", of(Box::new(gaussian.scaled(c(0.5))))),
        ("weighted sum", of(Box::new(sum.unwrap()))),
        (
            "twice",
            of(Box::new(LengthScales::new(gaussian, vec![c(2.0), c(0.5)]))),
        ),
    ]
}

/// 257 points: the first feature is in [o, o + 1], and the second has a range 7 times as wide.
fn points(offset: f64) -> Array2<f64> {
    Array2::from_shape_fn((257, 2), |(i, k)| {
        let share = ((37 + 60 * k) * i % 257) as f64 / 256.0;
        offset + if k == 0 { share } else { 7.0 * share }
    })
}

#[test]
fn differences_are_divided() {
    for offset in [0.0, 500.0, 5000.0, 1e6] {
        let x = rows::<f32>(&points(offset));
        let exact = rows::<f64>(&x.view().mapv(f64::from));
        let pairs = kernels::<f32>().into_iter().zip(kernels::<f64>());
        for ((name, kernel), (_, in_f64)) in pairs {
            let expected = in_f64.gram(&exact);
            // The accuracy of the kernels without length scales. With quotients subtracted, the error would be 8e-4 at the
            // offset 5000.
            let level = 1e-6 * expected[[0, 0]];
            for (which, found) in [("gram", kernel.gram(&x)), ("cross", kernel.cross(&x, &x))] {
                let off = off(&found, &expected);
                assert!(off <= level, "{name} at {offset}, {which}: {off:e}");
            }
            let (a, b) = (x.view().row(3).to_vec(), x.view().row(100).to_vec());
            let off = f64::from(kernel.eval(&a, &b)) - expected[[3, 100]];
            assert!(off.abs() <= level, "{name} at {offset}, eval: {off:e}");
        }
    }
}

/// Far from 0 the phase of a wave is that of the remainder: values do not change a whole number of periods away.
#[test]
fn periods_are_multiplied() {
    let kernel = LengthScales::new(Periodic::new(1.5_f32, 4.0), vec![0.5, 2.0]);
    let here = Array2::from_shape_fn((50, 2), |(i, k)| ((7 + 4 * k) * i % 50) as f64 / 16.0);
    let expected = kernel.gram(&rows(&here));
    let found = kernel.gram(&rows(&(here + f64::powi(2.0, 15))));
    assert!(off(&found, &expected) <= 1e-6);
}

/// A kernel that is no function of differences sees quotients, as ever.
#[test]
fn others_see_quotients() {
    let kernel = LengthScales::new(Linear::new(), vec![2.0, 4.0]);
    let value: f64 = kernel.eval(&[3.0, 8.0], &[5.0, 4.0]);
    assert_eq!(value, 1.5 * 2.5 + 2.0 * 1.0);
    let x: Rows<f64> = rows(&array![[3.0, 8.0], [5.0, 4.0]]);
    assert_eq!(kernel.gram(&x)[[0, 1]], value);
}

/// Derivatives of the values far from 0 are those of the values near it.
#[test]
fn derivatives_far_from_the_origin() {
    let kernel = LengthScales::new(Gaussian::new(0.5_f32), vec![0.3, 7.0]);
    // The points are sixteenths, which survive the shift exactly.
    let here = points(0.0).mapv(|v| (v * 16.0).round() / 16.0);
    let weights = Array2::from_shape_fn((257, 257), |(i, j)| {
        f32::from(u8::from((i + j) % 3 == 0)) - 0.3
    });
    let near = kernel.parameter_derivatives(&rows(&here), weights.view());
    let far = kernel.parameter_derivatives(&rows(&(here + 65_536.0)), weights.view());
    assert_eq!(near.len(), 3);
    for (near, far) in near.into_iter().zip(far) {
        let (near, far) = (near.unwrap(), far.unwrap());
        assert!((near - far).abs() <= 1e-4 * near.abs(), "{near}, {far}");
    }
}
