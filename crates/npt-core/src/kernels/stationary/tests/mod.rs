//! Kernels of differences, where differences are small beside the features, and where values vary little beside 1.

mod about;
mod far;
mod scales;

use super::*;
use crate::{Kernel, Rows, Samples, Scalar};
use ndarray::{Array2, array};

type AnyKernel<F> = Box<dyn Kernel<Rows<F>, Scalar = F>>;

/// A selection of no samples has no values, on either side.
#[test]
fn no_samples() {
    fn check(kernel: impl Kernel<Rows<f64>, Scalar = f64>) {
        let x = Rows::new(array![[0.0, 1.0], [2.0, 3.0], [4.0, 4.0]]).unwrap();
        let none = x.select(&[]);
        assert_eq!(kernel.cross(&x, &none), Array2::zeros((3, 0)));
        assert_eq!(kernel.cross(&none, &x), Array2::zeros((0, 3)));
        assert_eq!(kernel.gram(&none), Array2::zeros((0, 0)));
    }
    check(Gaussian::new(0.5));
    check(Exponential::new(0.5));
    check(Laplacian::new(0.5));
    check(RationalQuadratic::new(0.5, 1.0));
    check(LengthScales::new(Gaussian::new(0.5), vec![1.0, 2.0]));
}

/// Numbers in (−1, 1) that have no pattern.
fn noise(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, k)| {
        (1e4 * ((7 * i + 31 * k + 3) as f64).sin()).fract()
    })
}

fn rows<F: Scalar>(x: &Array2<f64>) -> Rows<F> {
    Rows::new(x.mapv(|v| F::cast(v))).expect("finite samples")
}

/// The largest difference of two matrices.
fn off<F: Scalar, G: Scalar>(found: &Array2<F>, expected: &Array2<G>) -> f64 {
    let pairs = found.iter().zip(expected);
    pairs.fold(0.0, |most, (found, expected)| {
        let off = (found.as_f64() - expected.as_f64()).abs();
        // NaN is far off.
        if off <= most { most } else { off }
    })
}
