//! Pairwise coupling: probabilities of all classes from probabilities of pairs of classes.

use super::multiclass::pairs;
use crate::Error;
use ndarray::{Array1, Array2};
use npt_core::linalg;

/// The least probability of one class of a pair: with 0 or 1, a class could be excluded
/// and certain at once.
pub(super) const SMALLEST: f64 = 1e-7;

/// Computes the p with Σ pᵢ = 1 that minimise Σᵢ Σ_{j≠i} (rⱼᵢpᵢ − rᵢⱼpⱼ)². rᵢⱼ is the probability of i
/// among i and j, given for all pairs i < j in order.
///
/// With Qᵢᵢ = Σ_{j≠i} rⱼᵢ² and Qᵢⱼ = −rⱼᵢrᵢⱼ, Qp is a multiple of e, the vector of ones. So p is, up
/// to its length, (Q + eeᵀ)⁻¹e; that matrix is positive definite, which Q is not where the rᵢⱼ
/// agree with each other.
///
/// # References
/// T.-F. Wu, C.-J. Lin, R. Weng, "Probability Estimates for Multi-class Classification by Pairwise
/// Coupling", JMLR 5, 2004, second approach.
pub(super) fn couple(classes: usize, of_pairs: &[f64]) -> Result<Array1<f64>, Error> {
    if let (2, &[first]) = (classes, of_pairs) {
        return Ok(Array1::from(vec![first, 1.0 - first]));
    }
    let mut q = Array2::<f64>::ones((classes, classes));
    for ((i, j), &r) in pairs(classes).zip(of_pairs) {
        let of_i = r.clamp(SMALLEST, 1.0 - SMALLEST);
        let of_j = 1.0 - of_i;
        q[[i, i]] += of_j * of_j;
        q[[j, j]] += of_i * of_i;
        q[[i, j]] -= of_i * of_j;
        q[[j, i]] -= of_i * of_j;
    }
    let l = linalg::cholesky(&q)?;
    let half = linalg::solve_lower(l.view(), Array2::ones((classes, 1)).view());
    let solved = linalg::solve_lower_transposed(l.view(), half.view());
    // The optimum has no entry below 0, rounding may.
    let p = solved.column(0).mapv(|v: f64| v.max(0.0));
    let sum = p.sum();
    Ok(p / sum)
}
