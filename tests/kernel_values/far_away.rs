//! Tests samples that are huge, tiny, or far from the origin or from each other.

use super::{A, AnyKernel, B, assert_relative, rows};
use ndarray::{Array2, array};
use npt::Scalar;
use npt::prelude::*;
use npt_testkit::{data, oracles::centering};

/// Kernel values of samples far out or wide apart are 0, not the product of infinity and 0.
#[test]
fn far_apart_is_zero() {
    let kernels: [AnyKernel; 6] = [
        Box::new(Matern::half(1.0)),
        Box::new(Matern::three_halves(1.0)),
        Box::new(Matern::five_halves(1.0)),
        Box::new(Exponential::new(1.0)),
        Box::new(RationalQuadratic::new(1.0, 2.0)),
        Box::new(ChiSquared::new(1.0)),
    ];
    for distance in [1e80, 1e154, 1e160, 1e300] {
        let (near, far) = ([1.0], [distance]);
        let block = rows(array![near, far]);
        for kernel in &kernels {
            assert!(kernel.eval(&near, &far) < 1e-300);
            assert!(kernel.gram(&block)[[0, 1]].abs() < 1e-300);
            assert_eq!(kernel.gram(&block)[[1, 1]], 1.0);
        }
    }
}

/// The length of a sample does not change an angle, up to the ends of the range.
#[test]
fn cosine_of_huge_and_tiny_samples() {
    let expected = 0.380_040_205_406_421_97;
    for (first, second) in [(1e-300, 1e300), (1e150, 1e150), (1e-150, 1e-150)] {
        let (a, b) = (A.map(|v| v * first), B.map(|v| v * second));
        assert_relative("eval", Cosine::new().eval(&a, &b), expected);
        let block = Cosine::new().cross(&rows(array![a]), &rows(array![b]));
        assert_relative("cross", block[[0, 0]], expected);
    }
}

/// Checks that differences of samples far from the origin are not lost in their squares.
fn far_from_the_origin<F: Scalar>(shift: f64, tolerance: f64) {
    // The samples are multiples of 2⁻⁴, which survive the shift exactly.
    let near = data::normal(30, 3, 1).mapv(|v| (v * 16.0).round() / 16.0);
    let c = |v: f64| F::cast(v);
    let kernels: [Box<dyn Kernel<Rows<F>, Scalar = F>>; 9] = [
        Box::new(Gaussian::new(c(0.5))),
        Box::new(Laplacian::new(c(0.5))),
        Box::new(Exponential::new(c(0.5))),
        Box::new(Matern::half(c(2.0))),
        Box::new(Matern::three_halves(c(2.0))),
        Box::new(Matern::five_halves(c(2.0))),
        Box::new(RationalQuadratic::new(c(2.0), c(1.5))),
        Box::new(Anova::new(c(0.5), 2)),
        // The period is a power of two, so that the shift is a whole number of periods.
        Box::new(Periodic::new(c(1.5), c(4.0))),
    ];
    let rows = |x: Array2<f64>| Rows::new(x.mapv(|v| F::cast(v))).expect("finite samples");
    let (here, there) = (rows(near.clone()), rows(near + shift));
    for (k, kernel) in kernels.iter().enumerate() {
        let expected = centering::gram(kernel, &here);
        let found = kernel.gram(&there).mapv(Scalar::as_f64);
        for (found, expected) in found.iter().zip(&expected) {
            let error = (found - expected).abs();
            assert!(
                error <= tolerance,
                "kernel {k}: {found:e}, not {expected:e}"
            );
        }
    }
}

#[test]
fn samples_far_from_the_origin() {
    far_from_the_origin::<f64>(f64::powi(2.0, 27), 1e-14);
    far_from_the_origin::<f32>(f64::powi(2.0, 14), 5e-6);
}
