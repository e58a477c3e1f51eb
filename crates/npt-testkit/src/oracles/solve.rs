//! Linear equations, solved as in the textbook.

use ndarray::Array2;

/// The solution A⁻¹B, by Gaussian elimination with row pivoting.
pub fn solve(mut a: Array2<f64>, mut b: Array2<f64>) -> Array2<f64> {
    let n = a.nrows();
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| a[[i, k]].abs().total_cmp(&a[[j, k]].abs()))
            .unwrap_or(k);
        for column in 0..n {
            a.swap([k, column], [pivot, column]);
        }
        for column in 0..b.ncols() {
            b.swap([k, column], [pivot, column]);
        }
        for i in k + 1..n {
            let factor = a[[i, k]] / a[[k, k]];
            for j in k..n {
                a[[i, j]] -= factor * a[[k, j]];
            }
            for j in 0..b.ncols() {
                b[[i, j]] -= factor * b[[k, j]];
            }
        }
    }
    for k in (0..n).rev() {
        for j in 0..b.ncols() {
            let known: f64 = (k + 1..n).map(|i| a[[k, i]] * b[[i, j]]).sum();
            b[[k, j]] = (b[[k, j]] - known) / a[[k, k]];
        }
    }
    b
}
