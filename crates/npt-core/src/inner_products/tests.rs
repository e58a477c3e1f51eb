use super::{InnerProducts, KernelProducts, Origin, apply_by_blocks};
use crate::{Gaussian, Kernel, Linear, Rows, Scalar};
use ndarray::Array2;
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;
use std::sync::Arc;

fn normal<F: Scalar>(rows: usize, columns: usize, offset: f64) -> Array2<F> {
    let mut rng = Xoshiro256Plus::seed_from_u64(7);
    let mut draw = || offset + rng.sample::<f64, _>(StandardNormal);
    Array2::from_shape_simple_fn((rows, columns), || F::cast(draw()))
}

fn products<F: Scalar, K: Kernel<Rows<F>, Scalar = F>>(
    kernel: K,
    x: &Rows<F>,
    centered: bool,
) -> KernelProducts<'_, Rows<F>, K, F> {
    let origin = if centered { Origin::Mean } else { Origin::Any };
    let products = KernelProducts::new(Arc::new(kernel), x, origin);
    products.expect("finite").expect("positive semidefinite")
}

/// Checks the product by either way against the matrix: they agree to as many roundings of its largest entry as a sum has
/// terms.
fn check<F: Scalar>(kernel: impl Kernel<Rows<F>, Scalar = F>, samples: usize, offset: f64) {
    let x = Rows::new(normal::<F>(samples, 40, offset)).expect("finite");
    let largest = kernel
        .gram(&x)
        .fold(0.0, |m: f64, v| m.max(v.as_f64().abs()));
    let kernel = Arc::new(kernel);
    for centered in [false, true] {
        let products = products(Arc::clone(&kernel), &x, centered);
        assert!(products.coordinates().is_none());
        let gram = products.gram().expect("finite");
        for columns in [0, 1, 3] {
            let a = normal::<F>(samples, columns, 0.5);
            let expected = gram.dot(&a);
            let terms = F::epsilon().as_f64() * largest * (samples + 8) as f64;
            for found in [
                products.apply(a.view()).expect("finite"),
                apply_by_blocks(&products, a.view()).expect("finite"),
            ] {
                assert_eq!(found.dim(), expected.dim());
                let off = (&found - &expected).fold(0.0, |m: f64, v| m.max(v.as_f64().abs()));
                assert!(
                    off <= 4.0 * terms,
                    "{samples} {centered}: {off:e} of {terms:e}"
                );
            }
        }
    }
}

#[test]
fn products_with_kernel_values() {
    for samples in [1, 2, 255, 256, 257, 700] {
        check(Gaussian::new(0.01), samples, 0.0);
        check(Gaussian::new(0.01_f32), samples, 0.0);
    }
    // The entries are some 4·10⁹; centring leaves small ones.
    check::<f64>(Linear::new(), 300, 1e4);
}
