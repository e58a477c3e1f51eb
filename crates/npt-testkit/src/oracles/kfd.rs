//! The kernel Fisher discriminant by the kernel trick.
//!
//! With w = Σ αᵢφ(xᵢ), K the centred kernel matrix, 1_c the indicator of class c with n_c members
//! and W = Σ_c 1_c1_cᵀ/n_c, equation 24 is the generalised eigenproblem Mα = θNα with
//!
//! * N = K(I − W)K + μK, the scatter within classes and the ridge μ‖w‖² = μαᵀKα;
//! * M = KWK for the scatter between classes (the mean is 0), or M = KK for the total scatter
//!   (equations 25 to 27).

use super::jacobi;
use ndarray::{Array1, Array2, ArrayView2, Axis};

/// The matrices M and N of the generalised eigenproblem.
pub fn matrices(
    k: ArrayView2<'_, f64>,
    labels: &[usize],
    mu: f64,
    total: bool,
) -> (Array2<f64>, Array2<f64>) {
    let n = k.nrows();
    let w = class_averaging(labels);
    let within = k.dot(&(Array2::eye(n) - &w)).dot(&k) + &(&k * mu);
    let m = if total { k.dot(&k) } else { k.dot(&w).dot(&k) };
    (m, within)
}

/// The leading eigenvalues θ and coefficients α (columns) with αᵀNα = 1, up to sign.
///
/// K is singular, and so are M and N. Both have the factor K on the left; without it, N is
/// P = (I − W)K + μI, which has an inverse for μ > 0. Let Z be the square root of the averaging
/// (M = KZZᵀK), and a = ZᵀKα. Then the problem becomes ZᵀKP⁻¹Z·a = θ·a, symmetric and well-conditioned,
/// and α = P⁻¹Z·a/θ.
pub fn discriminants(
    k: ArrayView2<'_, f64>,
    labels: &[usize],
    mu: f64,
    total: bool,
    components: usize,
) -> (Array1<f64>, Array2<f64>) {
    let n = k.nrows();
    let w = class_averaging(labels);
    let p = (Array2::eye(n) - &w).dot(&k) + Array2::<f64>::eye(n) * mu;
    let z = if total {
        Array2::eye(n)
    } else {
        class_indicators(labels)
    };
    let solved = super::solve(p, z.clone());
    let small = z.t().dot(&k).dot(&solved);
    let (values, vectors) = jacobi::eigh(((&small + &small.t()) / 2.0).view());
    let mut alpha = Array2::zeros((n, components));
    let (_, within) = matrices(k, labels, mu, total);
    for c in 0..components {
        let direction = solved.dot(&vectors.column(c));
        let length = direction.dot(&within.dot(&direction)).sqrt();
        alpha.column_mut(c).assign(&(direction / length));
    }
    (values.slice_move(ndarray::s![..components]), alpha)
}

/// The indicators 1_c/√n_c of the classes, shape n×C.
fn class_indicators(labels: &[usize]) -> Array2<f64> {
    let classes = labels.iter().max().map_or(0, |&last| last + 1);
    let mut z = Array2::zeros((labels.len(), classes));
    for (i, &label) in labels.iter().enumerate() {
        z[[i, label]] = 1.0;
    }
    let sizes = z.sum_axis(Axis(0)).mapv(f64::sqrt);
    z / sizes
}

fn class_averaging(labels: &[usize]) -> Array2<f64> {
    let z = class_indicators(labels);
    z.dot(&z.t())
}
