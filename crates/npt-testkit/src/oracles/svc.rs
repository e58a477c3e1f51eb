//! The support vector classifier by its dual.

use ndarray::{Array1, ArrayView2};

/// Solves equation 18: maximise Σ αᵢ − ½ Σ αᵢαⱼyᵢyⱼκ(xᵢ, xⱼ) over 0 ≤ αᵢ ≤ C, Σ αᵢyᵢ = 0, by
/// repeatedly moving the pair that violates optimality most, until the violation is below
/// `tolerance`. Returns the signed coefficients yᵢαᵢ and the bias b of the decision function
/// Σ yᵢαᵢκ(xᵢ, x) + b.
///
/// # Panics
/// Panics if ten million moves are not enough.
pub fn dual(k: ArrayView2<'_, f64>, labels: &[bool], c: f64, tolerance: f64) -> (Array1<f64>, f64) {
    let n = labels.len();
    let y: Array1<f64> = labels
        .iter()
        .map(|&label| if label { 1.0 } else { -1.0 })
        .collect();
    // signed[i] = yᵢαᵢ moves between these
    let lower = y.mapv(|y| if y > 0.0 { 0.0 } else { -c });
    let upper = y.mapv(|y| if y > 0.0 { c } else { 0.0 });
    let mut signed = Array1::<f64>::zeros(n);
    // The gain of raising a signed coefficient: yᵢ − Σ signedⱼκ(xᵢ, xⱼ).
    let mut gain = y.clone();
    for _ in 0..10_000_000 {
        let up = (0..n).filter(|&i| signed[i] < upper[i]);
        let down = (0..n).filter(|&i| signed[i] > lower[i]);
        let by_gain = |a: &usize, b: &usize| gain[*a].total_cmp(&gain[*b]);
        let i = up.max_by(by_gain).expect("some coefficient can rise");
        let j = down.min_by(by_gain).expect("some coefficient can fall");
        if gain[i] - gain[j] <= tolerance {
            let free: Vec<f64> = (0..n)
                .filter(|&i| lower[i] < signed[i] && signed[i] < upper[i])
                .map(|i| gain[i])
                .collect();
            let bias = if free.is_empty() {
                f64::midpoint(gain[i], gain[j])
            } else {
                free.iter().sum::<f64>() / free.len() as f64
            };
            return (signed, bias);
        }
        let curvature = (k[[i, i]] + k[[j, j]] - 2.0 * k[[i, j]]).max(1e-300);
        let (above, below) = (upper[i] - signed[i], signed[j] - lower[j]);
        let step = ((gain[i] - gain[j]) / curvature).min(above).min(below);
        // A coefficient that reaches its bound is put there exactly.
        signed[i] = if step < above {
            signed[i] + step
        } else {
            upper[i]
        };
        signed[j] = if step < below {
            signed[j] - step
        } else {
            lower[j]
        };
        gain.scaled_add(-step, &k.column(i));
        gain.scaled_add(step, &k.column(j));
    }
    panic!("the dual did not converge");
}
