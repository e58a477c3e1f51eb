//! Kernel logistic regression by the kernel trick.

use ndarray::{Array1, Array2, ArrayView2, Axis};

/// The coefficients α, one column a class, and intercepts b of f_c = Σ αᵢ_c k(xᵢ, ·) + b_c that
/// minimise −Σ log p_c(i)(xᵢ) + ½λ Σ_c α_cᵀKα_c, from the centred kernel matrix; p is proportional to exp f.
/// With tᵢ_c = 1 for the class of sample i and 0 otherwise, they are the solution of
///
/// λα = t − p,   Σᵢ (t − p)ᵢ = 0,   Σ_c b_c = 0.
///
/// Newton's method solves these equations; λ is lowered step by step from a value for which they are all but linear.
///
/// # Panics
/// Panics if the iteration does not converge.
pub fn coefficients(
    k: ArrayView2<'_, f64>,
    labels: &[usize],
    penalty: f64,
) -> (Array2<f64>, Array1<f64>) {
    let n = labels.len();
    let classes = labels.iter().max().map_or(0, |&last| last + 1);
    let mut unknowns = Array2::zeros((n + 1, classes));
    let mut lambda = penalty.max(k.diag().sum());
    while lambda > penalty {
        for _ in 0..2 {
            newton(k, labels, lambda, &mut unknowns);
        }
        lambda = penalty.max(lambda / 4.0);
    }
    for _ in 0..50 {
        let change = newton(k, labels, penalty, &mut unknowns);
        let largest = unknowns.fold(0.0_f64, |m, v| m.max(v.abs()));
        if change <= 1e-13 * largest {
            let intercepts = unknowns.row(n).to_owned();
            return (unknowns.slice_move(ndarray::s![..n, ..]), intercepts);
        }
    }
    panic!("Newton's method did not converge");
}

/// Takes one step of Newton's method, and returns its largest entry. The unknowns are α, and b in the last row.
fn newton(
    k: ArrayView2<'_, f64>,
    labels: &[usize],
    penalty: f64,
    unknowns: &mut Array2<f64>,
) -> f64 {
    let (n, classes) = (labels.len(), unknowns.ncols());
    let alpha = unknowns.slice(ndarray::s![..n, ..]);
    let p = softmax(k.dot(&alpha) + unknowns.row(n));
    let at = |row: usize, class: usize| row * classes + class;
    let mut matrix = Array2::<f64>::zeros(((n + 1) * classes, (n + 1) * classes));
    let mut right = Array2::<f64>::zeros(((n + 1) * classes, 1));
    for i in 0..n {
        for c in 0..classes {
            let t = f64::from(u8::from(labels[i] == c));
            matrix[[at(i, c), at(i, c)]] += penalty;
            right[[at(i, c), 0]] = penalty * alpha[[i, c]] - (t - p[[i, c]]);
            right[[at(n, c), 0]] += p[[i, c]] - t;
            for d in 0..classes {
                let same = f64::from(u8::from(c == d));
                let slope = p[[i, c]] * (same - p[[i, d]]);
                for j in 0..=n {
                    let change = if j == n { slope } else { slope * k[[i, j]] };
                    matrix[[at(i, c), at(j, d)]] += change;
                    matrix[[at(n, c), at(j, d)]] += change;
                }
            }
        }
    }
    // The equations for the sums over samples add up to 0, so that the last of them can be replaced by Σ b = 0.
    let last = at(n, classes - 1);
    matrix.row_mut(last).fill(0.0);
    for c in 0..classes {
        matrix[[last, at(n, c)]] = 1.0;
    }
    right[[last, 0]] = unknowns.row(n).sum();
    let step = super::solve(matrix, right);
    for (unknown, step) in unknowns.iter_mut().zip(&step) {
        *unknown -= step;
    }
    step.fold(0.0, |m, v| m.max(v.abs()))
}

/// The probabilities of the classes, one row a sample.
pub fn softmax(scores: Array2<f64>) -> Array2<f64> {
    let mut p = scores;
    for mut row in p.outer_iter_mut() {
        let largest = row.fold(f64::NEG_INFINITY, |m, v| m.max(*v));
        row.mapv_inplace(|v| (v - largest).exp());
    }
    let sums = p.sum_axis(Axis(1)).insert_axis(Axis(1));
    p / sums
}
