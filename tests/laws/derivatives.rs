//! Tests derivatives of kernels by their parameters.

use super::{AnyKernel, in_domain, kernels, rows};
use ndarray::array;
use npt::prelude::*;
use npt_testkit::{data, laws};

/// Derivatives agree with differences of kernel values where a kernel has them; some kernels have none.
#[test]
fn of_every_kernel() {
    let x = [
        data::normal(15, 3, 1),
        data::duplicates(5, 2, 3, 2),
        data::normal(1, 2, 3),
        data::normal(20, 2, 4) + 1e3,
    ];
    for (name, mut kernel) in kernels::<f64>() {
        for x in &x {
            let x = in_domain(&kernel, x);
            let unknown = laws::check_derivatives(&mut kernel, &x);
            let expected: &[&str] = match name {
                "matérn ½" | "matérn 3⁄2" | "matérn 5⁄2" => &["smoothness"],
                "anova" | "χ²" => &["gamma"],
                "part" => &["second.kernel.smoothness"],
                "product of Gaussians" => &["second.kernel.gamma"],
                "normalized" => &["kernel.gamma", "kernel.constant"],
                "gower" => &["second.kernel.ranges"],
                _ => &[],
            };
            assert_eq!(unknown, expected, "{name}");
        }
    }
}

/// Derivatives by length scales are known for functions of the distance, and for sums and products of these.
#[test]
fn of_length_scales() {
    let scales = || vec![0.7, 2.0, 5.0];
    let any = |kernel: AnyKernel<f64>| kernel;
    let radial: [AnyKernel<f64>; 8] = [
        Box::new(Gaussian::new(0.3)),
        Box::new(Exponential::new(0.3)),
        Box::new(Matern::half(1.2)),
        Box::new(Matern::three_halves(1.2)),
        Box::new(Matern::five_halves(1.2)),
        Box::new(RationalQuadratic::new(1.2, 0.7)),
        Box::new(Gaussian::new(0.3) * Matern::three_halves(1.2).scaled(2.0)),
        Box::new(Gaussian::new(0.3) + Exponential::new(0.5).scaled(2.0)),
    ];
    let samples = [
        data::normal(12, 3, 1),
        data::duplicates(5, 3, 3, 2),
        data::normal(20, 3, 4) + 1e3,
    ];
    for kernel in radial {
        let name = kernel.describe().to_string();
        let mut kernel = any(Box::new(LengthScales::new(kernel, scales())));
        for x in &samples {
            let unknown = laws::check_derivatives(&mut kernel, &rows(x));
            assert!(
                unknown.iter().all(|u| u.ends_with("smoothness")),
                "{name}: {unknown:?}"
            );
        }
    }
    // These samples differ by a rounding: the derivative by the squared distance is 10¹⁶ there.
    let near = rows(&array![[0.3], [0.1 + 0.2], [0.7]]);
    let mut exponential = LengthScales::new(Exponential::new(1.0), vec![1.0]);
    laws::check_derivatives(&mut exponential, &near);
    let mut matern = LengthScales::new(Matern::half(1.0), vec![1.0]);
    laws::check_derivatives(&mut matern, &near);
    let mut others = LengthScales::new(Laplacian::new(0.3), scales());
    let unknown = laws::check_derivatives(&mut others, &rows(&samples[0]));
    assert_eq!(unknown, ["length_scales"; 3]);
}

/// Derivatives by length scales are exact in two clusters far apart, where squares that are multiplied out cancel. Differences of kernel
/// values are not known there either, so the formula is the reference: exp(−(x − y)²/ℓ²) has the derivative 2(x − y)² exp(−(x − y)²) by ℓ at 1,
/// and only the pairs 0.5 apart count, four with their mirror images.
#[test]
fn of_length_scales_in_clusters() {
    let x = array![[0.0], [0.5], [1e8], [1e8 + 0.5]];
    let kernel = LengthScales::new(Gaussian::new(1.0), vec![1.0]);
    let weights = ndarray::Array2::ones((4, 4));
    let found = kernel.parameter_derivatives(&rows(&x), weights.view())[0].unwrap();
    let expected = 4.0 * 2.0 * 0.25 * (-0.25_f64).exp();
    assert!((found - expected).abs() < 1e-15, "{found} {expected}");

    let kernel = LengthScales::new(Gaussian::new(1.0_f32), vec![1.0]);
    let x = rows::<f32>(&array![[0.0], [0.5], [1e6], [1e6 + 0.5]]);
    let weights = ndarray::Array2::ones((4, 4));
    let found = kernel.parameter_derivatives(&x, weights.view())[0].unwrap();
    assert!(
        (f64::from(found) - expected).abs() < 1e-6,
        "{found} {expected}"
    );
}

/// Derivatives pass through sums of kernels, columns and pairs; there are derivatives by weights as well.
#[test]
fn of_compositions() {
    let kernels: Vec<AnyKernel<f64>> = vec![
        Box::new(Gaussian::new(0.3)),
        Box::new(Polynomial::new(3, 0.2, 1.0)),
    ];
    let sum = WeightedSum::new(kernels, array![0.5, 2.0]).unwrap();
    let mut kernel = Columns::new(sum, 1..3) * Laplacian::new(0.1);
    let x = rows(&data::normal(12, 3, 1));
    assert!(laws::check_derivatives(&mut kernel, &x).is_empty());

    // A kernel of weight 0 is not evaluated: this one would not take the samples.
    let scales = |count| LengthScales::new(Gaussian::new(0.3), vec![2.0; count]);
    let mut zero = WeightedSum::new(vec![scales(3), scales(2)], array![0.5, 0.0]).unwrap();
    let unknown = laws::check_derivatives(&mut zero, &x);
    assert_eq!(unknown, ["weights"]);

    let halves = FnKernel::new(|a: &f64, b: &f64| a * b);
    let mut pairs = Tensor::new(halves.scaled(2.0), halves.scaled(0.5) + halves.scaled(0.2));
    let x = Items::new(vec![(1.0, 2.0), (-1.5, 0.3), (0.2, 0.1)]).unwrap();
    assert!(laws::check_derivatives(&mut pairs, &x).is_empty());
}

/// Derivatives are finite for samples so far apart that kernel values vanish, at the ends of the range too.
#[test]
fn far_apart() {
    let x = rows(&array![[0.0, 0.0], [1e3, 0.0], [0.0, 1e200]]);
    let kernels: [AnyKernel<f64>; 7] = [
        Box::new(Periodic::new(1e-110, 3.0)),
        Box::new(LengthScales::new(Gaussian::new(1.0), vec![1.0; 2])),
        Box::new(Gaussian::new(1.0)),
        Box::new(Exponential::new(1.0)),
        Box::new(Laplacian::new(1.0)),
        Box::new(Matern::five_halves(1.0)),
        Box::new(RationalQuadratic::new(1.0, 2.0)),
    ];
    for mut kernel in kernels {
        laws::check_derivatives(&mut kernel, &x);
    }
}
