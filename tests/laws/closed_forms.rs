//! Tests that the properties that kernels claim, by which methods use closed forms, are true, and that those they do not claim
//! are false.

use super::table::{AnyKernel, KeptScalar, table};
use ndarray::{Array2, Axis, concatenate};
use npt::Scalar;
use npt::prelude::*;
use npt_testkit::{data, laws};
use std::sync::Arc;

fn rows<F: Scalar>(x: &Array2<f64>) -> Rows<F> {
    Rows::new(x.mapv(|v| F::cast(v))).unwrap()
}

fn samples() -> Array2<f64> {
    data::normal(7, 3, 1).mapv(|v| v.abs() * 0.5)
}

fn squared_distance(x: &Array2<f64>, i: usize, j: usize) -> f64 {
    let difference = &x.row(i) - &x.row(j);
    difference.dot(&difference)
}

/// Checks that a column of zeros in front changes no value, unless the kernel does not claim so.
fn check_common_zeros<F: KeptScalar>() {
    let x = samples();
    let zeros = Array2::zeros((x.nrows(), 1));
    let with_zeros = rows::<F>(&concatenate![Axis(1), zeros, x]);
    for entry in table::<F>() {
        let (expected, found) = (entry.kernel.gram(&rows(&x)), entry.kernel.gram(&with_zeros));
        let largest = expected
            .iter()
            .fold(0.0_f64, |m, v| m.max(v.as_f64().abs()));
        let rounding = 64.0 * F::epsilon().as_f64() * largest;
        let off = (found - expected).mapv(F::as_f64);
        let same = off.iter().all(|v| v.abs() <= rounding);
        assert_eq!(entry.kernel.ignores_common_zeros(), same, "{}", entry.name);
    }
}

#[test]
fn common_zeros() {
    check_common_zeros::<f64>();
    check_common_zeros::<f32>();
}

/// Distances in feature space give the distances of inputs, up to rounding.
#[test]
fn distances_of_inputs() {
    let x = samples();
    let samples = rows::<f64>(&x);
    let mut known = Vec::new();
    for entry in table::<f64>() {
        let gram = entry.kernel.gram(&samples);
        if entry.kernel.squared_distance_of_inputs(0.0).is_none() {
            assert_eq!(entry.kernel.squared_distance_of_inputs(0.5), None);
            continue;
        }
        known.push(entry.name);
        for i in 0..x.nrows() {
            for j in 0..x.nrows() {
                let squared = (gram[[i, i]] - gram[[i, j]]) + (gram[[j, j]] - gram[[i, j]]);
                let Some(found) = entry.kernel.squared_distance_of_inputs(squared) else {
                    assert!(gram[[i, j]] <= 1.01 * f64::EPSILON.sqrt(), "{}", entry.name);
                    continue;
                };
                // κ may be as small as √ε, so that its error of ε is half of its digits; and the distance is
                // divided by a γ of 10⁻³.
                let expected = squared_distance(&x, i, j);
                let error = (found - expected).abs();
                assert!(
                    error <= 1e-7 * (1.0 + expected),
                    "{}: {error:e}",
                    entry.name
                );
            }
        }
    }
    let expected = [
        "linear",
        "gaussian",
        "narrow",
        "wide",
        "exponential",
        "matérn ½",
        "matérn 3⁄2",
        "matérn 5⁄2",
        "rational quadratic",
        "product of Gaussians",
        "scaled",
    ];
    assert_eq!(known, expected);
}

#[test]
fn gaussians_by_any_name() {
    let x = samples();
    let mut known = Vec::new();
    for entry in table::<f64>() {
        if let Some(gamma) = entry.kernel.gaussian_gamma() {
            known.push(entry.name);
            let expected = Array2::from_shape_fn((x.nrows(), x.nrows()), |(i, j)| {
                (-gamma * squared_distance(&x, i, j)).exp()
            });
            let off = expected - entry.kernel.gram(&rows(&x));
            assert!(
                off.iter().all(|v| v.abs() <= 64.0 * f64::EPSILON),
                "{}",
                entry.name
            );
        }
    }
    let expected = ["gaussian", "narrow", "wide", "product of Gaussians"];
    assert_eq!(known, expected);
}

/// Pointers have the properties of the kernel that they point to.
#[test]
fn pointers_say_what_kernels_say() {
    let shared: Arc<dyn Kernel<Rows<f64>, Scalar = f64>> = Arc::new(Gaussian::new(0.5));
    let boxed: AnyKernel<f64> = Box::new(Arc::clone(&shared));
    for kernel in [
        &boxed as &dyn Kernel<Rows<f64>, Scalar = f64>,
        &shared,
        &&boxed,
    ] {
        assert!(kernel.ignores_common_zeros());
        assert_eq!(kernel.gaussian_gamma(), Some(0.5));
        assert_eq!(kernel.squared_distance_of_inputs(0.0), Some(0.0));
    }
    let shared: AnyKernel<f64> = Box::new(Arc::new(Linear::new()));
    assert_eq!(shared.squared_distance_of_inputs(2.0), Some(2.0));
}

/// A kernel whose parameter decides whether it is positive semidefinite claims so only where
/// it is, and so does every composition with it.
#[test]
fn positive_semidefinite_where_the_parameter_says_so() {
    let x = rows::<f64>(&samples());
    let others = data::normal(5, 3, 2);
    for (constant, definite) in [(0.0, true), (2.0, true), (-1e-3, false), (-1.0, false)] {
        let part = || Polynomial::new(3, 0.5, constant);
        let weighted = |weights: [f64; 2]| {
            let kernels: Vec<AnyKernel<f64>> = vec![Box::new(Linear::new()), Box::new(part())];
            WeightedSum::new(kernels, weights.to_vec().into()).unwrap()
        };
        let kernels: Vec<AnyKernel<f64>> = vec![
            Box::new(part()),
            Box::new(part() + Gaussian::new(0.5)),
            Box::new(Gaussian::new(0.5) + part()),
            Box::new(part() * Gaussian::new(0.5)),
            Box::new(Gaussian::new(0.5) * part()),
            Box::new(part().scaled(2.0)),
            Box::new(Normalized::new(part())),
            Box::new(Centered::fit(part(), &others).unwrap()),
            Box::new(LengthScales::new(part(), vec![1.0, 2.0, 0.5])),
            Box::new(Columns::new(part(), 0..2)),
            Box::new(weighted([1.0, 0.5])),
            Box::new(Arc::new(part())),
        ];
        for kernel in kernels {
            let what = kernel.describe();
            assert_eq!(kernel.is_positive_semidefinite(), definite, "{what}");
            if definite {
                laws::check_kernel(&kernel, &x);
            }
        }
        let without: AnyKernel<f64> = Box::new(weighted([1.0, 0.0]));
        assert!(without.is_positive_semidefinite());
        let sparse: Box<dyn Kernel<SparseRows<f64>, Scalar = f64>> = Box::new(Sparse::new(part()));
        assert_eq!(sparse.is_positive_semidefinite(), definite);
    }
    // The kernel is indeed indefinite: the matrix has a negative eigenvalue.
    let error = Exact::new(Polynomial::new(3, 0.5, -1.0))
        .centered(false)
        .fit_space(&x)
        .err();
    assert!(
        matches!(error, Some(npt::Error::Indefinite { .. })),
        "{error:?}"
    );
}
