//! Tests kernels of categories.

use super::{AnyKernel, assert_relative, rows};
use ndarray::array;
use npt::Scalar;
use npt::prelude::*;

/// The values are computed by hand, and by `1 - scipy.spatial.distance.cdist(p, q, "hamming")`, which is 0.4.
#[test]
fn categories() {
    let (p, q) = ([1.0, 2.0, 2.0, 7.0, -3.0], [1.0, 2.5, 2.0, -7.0, 3.0]);
    assert_relative("simple matching", SimpleMatching::new().eval(&p, &q), 0.4);
    // The shares are 1, 1 − 0.5/4, 1, 0 as 14 is more than 10, and 0 for a category.
    let gower = Gower::new(vec![1.0, 4.0, 0.0, 10.0, 0.0]);
    assert_relative("gower", gower.eval(&p, &q), (1.0 + 0.875 + 1.0) / 5.0);
    let kernels: [AnyKernel; 2] = [Box::new(SimpleMatching::new()), Box::new(gower)];
    for kernel in kernels {
        let (a, b) = (rows(array![p, q]), rows(array![q, p, p]));
        let cross = kernel.cross(&a, &b);
        let value = kernel.eval(&p, &q);
        assert_eq!(cross, array![[value, 1.0, 1.0], [1.0, value, value]]);
    }
    // At the ends of the range of f64 differences overflow: the similarity is 0.
    let far = Gower::new(vec![1e308, f64::MIN_POSITIVE]);
    assert_eq!(far.eval(&[1.7e308, 0.0], &[-1.7e308, 0.0]), 0.5);
    assert_eq!(
        far.eval(&[0.0, 1e-309], &[5e307, 0.0]),
        f64::midpoint(0.5, 1.0 - 1e-309 / f64::MIN_POSITIVE)
    );
}

/// Gower's kernel has no negative eigenvalue, in either precision: with several features, categories, and samples beyond the ranges.
#[test]
fn gower_is_positive_semidefinite() {
    fn smallest<F: Scalar>() -> f64 {
        let x = npt_testkit::data::normal(60, 4, 5).mapv(|v| F::cast((2.0 * v).round() / 2.0));
        let gower = Gower::new([2.0, 0.0, 0.3, 5.0].map(F::cast).to_vec());
        let matrix = gower.gram(&Rows::new(x).unwrap());
        let (values, _) = npt::linalg::eigh(&matrix).unwrap();
        values[values.len() - 1].as_f64() / values[0].as_f64()
    }
    assert!(smallest::<f64>() > -1e-14);
    assert!(smallest::<f32>() > -1e-6);
}
