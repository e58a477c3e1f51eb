//! Discriminant analysis for regression by the kernel trick.
//!
//! With w = Σ αᵢφ(xᵢ), K the centred kernel matrix, and B and W the mean Laplacians
//! Σ f(yᵢ − yⱼ)(eᵢ − eⱼ)(eᵢ − eⱼ)ᵀ over pairs of distant and of near targets, divided by the numbers of pairs,
//! the method is the generalised eigenproblem Mα = θNα with M = KBK and N = KWK + μK.
//!
//! # References
//! N. Kwak, "Kernel discriminant analysis for regression problems", Pattern Recognition 45(5), 2012.

use super::jacobi;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};

/// Computes B and W pair by pair. The threshold α is in units of the targets' standard deviation, and f is
/// a function of the distance between a pair's difference and the threshold.
///
/// # Panics
/// Panics if no targets are distant.
pub fn laplacians(
    targets: &[f64],
    threshold: f64,
    weight: impl Fn(f64) -> f64,
) -> (Array2<f64>, Array2<f64>) {
    let n = targets.len();
    let mean = targets.iter().sum::<f64>() / n as f64;
    let variance = targets.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / n as f64;
    let tau = threshold * variance.sqrt();
    let mut sums = [(); 2].map(|()| Array2::<f64>::zeros((n, n)));
    let mut pairs = [0.0; 2];
    for i in 0..n {
        for j in 0..i {
            let difference = (targets[i] - targets[j]).abs();
            let near = usize::from(difference <= tau);
            let f = weight((difference - tau).abs());
            sums[near][[i, i]] += f;
            sums[near][[j, j]] += f;
            sums[near][[i, j]] -= f;
            sums[near][[j, i]] -= f;
            pairs[near] += 1.0;
        }
    }
    assert!(pairs[0] > 0.0, "no targets are distant");
    let [distant, near] = sums;
    (distant / pairs[0], near / f64::max(pairs[1], 1.0))
}

/// The leading eigenvalues θ and coefficients α (columns) with αᵀNα = 1, up to sign.
///
/// M and N have the factor K on the left; without it, N is P = WK + μI, which has an inverse for
/// μ > 0. With B = ZZᵀ and a = ZᵀKα the problem becomes ZᵀKP⁻¹Z·a = θ·a, and α = P⁻¹Z·a/θ.
pub fn directions(
    k: ArrayView2<'_, f64>,
    (b, w): &(Array2<f64>, Array2<f64>),
    mu: f64,
    components: usize,
) -> (Array1<f64>, Array2<f64>) {
    let n = k.nrows();
    let (values, vectors) = jacobi::eigh(b.view());
    let z = vectors * values.mapv(|v| v.max(0.0).sqrt()).insert_axis(Axis(0));
    let p = w.dot(&k) + Array2::<f64>::eye(n) * mu;
    let solved = super::solve(p, z.clone());
    let small = z.t().dot(&k).dot(&solved);
    let (values, vectors) = jacobi::eigh(((&small + &small.t()) / 2.0).view());
    let n_matrix = k.dot(w).dot(&k) + &(&k * mu);
    let mut alpha = Array2::zeros((n, components));
    for c in 0..components {
        let direction = solved.dot(&vectors.column(c));
        let length = direction.dot(&n_matrix.dot(&direction)).sqrt();
        alpha.column_mut(c).assign(&(direction / length));
    }
    (values.slice_move(s![..components]), alpha)
}
