//! Tests blocks against values of pairs, of samples near and far: one far sample, two clusters, all of them far.

use super::{in_domain, kernels};
use crate::laws::table::{AnyKernel, KeptScalar};
use ndarray::{Array2, s};
use npt::Scalar;
use npt::prelude::*;
use npt_testkit::data;

/// The allowed difference of a block from pairs, in roundings of √(κ(a, a)·κ(b, b)), or of κ where this has left the range. Sums are
/// added in another order, exponentials take two roundings, powers multiply them by their degree.
const ROUNDINGS: f64 = 64.0;

fn check<F: Scalar>(what: &str, kernel: &AnyKernel<F>, x: &Array2<f64>) {
    let x = in_domain(kernel, x);
    // These are more than are compared by differences without further checks.
    let few = x.select(&[0, 4, 17, 7, 9, x.len() - 1]);
    let value = |a: &Rows<F>, b: &Rows<F>, i: usize, j: usize| {
        let (a, b) = (a.get(i), b.get(j));
        let own = |x| kernel.eval(x, x).as_f64().abs().sqrt();
        (kernel.eval(a, b).as_f64(), own(a) * own(b))
    };
    for (which, a, b, found) in [
        ("gram", &x, &x, kernel.gram(&x)),
        ("cross", &few, &x, kernel.cross(&few, &x)),
        ("cross back", &x, &few, kernel.cross(&x, &few)),
    ] {
        for ((i, j), found) in found.indexed_iter() {
            let (expected, largest) = value(a, b, i, j);
            if !expected.is_finite() || !largest.is_finite() {
                // Powers and products leave the range, in blocks as in pairs; a fit refuses them.
                continue;
            }
            let off = (found.as_f64() - expected).abs();
            assert!(
                off <= ROUNDINGS * F::epsilon().as_f64() * largest.max(expected.abs()),
                "{which}[{i}, {j}] of {what}: {found:e}, not {expected:e}"
            );
        }
    }
}

fn check_magnitudes<F: KeptScalar>(powers: impl Iterator<Item = i32>) {
    for power in powers {
        let far = 10.0_f64.powi(power);
        let near = data::normal(24, 3, 1).mapv(|v| v.clamp(-2.0, 2.0));
        let mut one = near.clone();
        one.row_mut(17).fill(far);
        let mut clusters = near.clone();
        clusters.slice_mut(s![..;2, ..]).mapv_inplace(|v| v + far);
        let all = &near + far;
        for (name, kernel) in kernels::<F>() {
            for (what, x) in [("one row", &one), ("a cluster", &clusters), ("all", &all)] {
                check(&format!("{name} with {what} at 1e{power}"), &kernel, x);
            }
        }
    }
}

#[test]
fn blocks_are_pairs_at_any_magnitude() {
    check_magnitudes::<f64>(0..=40);
    check_magnitudes::<f64>((45..=300).step_by(15));
}

#[test]
fn blocks_are_pairs_at_any_magnitude_in_f32() {
    check_magnitudes::<f32>(0..=37);
}
