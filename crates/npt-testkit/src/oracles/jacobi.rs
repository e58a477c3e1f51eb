//! Eigenvalues and eigenvectors by Jacobi's rotations: slow, short, and accurate to rounding.

use ndarray::{Array1, Array2, ArrayView2, Axis, Zip, s};

/// The number of sweeps after which any symmetric matrix has long converged.
const SWEEPS: usize = 60;

/// Eigenvalues, descending, and orthonormal eigenvectors (columns) of a symmetric matrix.
///
/// # Panics
/// Panics if the matrix is not square and finite, or the iteration does not converge.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_testkit::oracles::jacobi;
///
/// let (values, vectors) = jacobi::eigh(array![[2.0, 1.0], [1.0, 2.0]].view());
/// assert!((values[0] - 3.0).abs() < 1e-15 && (values[1] - 1.0).abs() < 1e-15);
/// assert!((vectors[[0, 0]] - vectors[[1, 0]]).abs() < 1e-15);
/// ```
///
/// # References
/// G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th edition, section 8.5.
pub fn eigh(matrix: ArrayView2<'_, f64>) -> (Array1<f64>, Array2<f64>) {
    let n = matrix.nrows();
    assert!(matrix.is_square(), "only square matrices have eigenvalues");
    assert!(
        matrix.iter().all(|v| v.is_finite()),
        "the matrix has entries that are not finite"
    );
    let scale = matrix.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    // Each row is an eigenvector: rows are rotated faster than columns.
    let mut vectors = Array2::eye(n);
    if scale == 0.0 {
        return (Array1::zeros(n), vectors);
    }
    let mut a = &matrix / scale;
    // The n entries of a row that are below this move an eigenvalue by less than n·ε of the largest entry.
    let negligible = f64::EPSILON / 8.0;
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                if a[[p, q]].abs() > negligible {
                    rotate(&mut a, &mut vectors, p, q);
                    rotated = true;
                }
            }
        }
        if !rotated {
            let values = a.diag();
            let mut order: Vec<usize> = (0..n).collect();
            order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
            return (
                values.select(Axis(0), &order) * scale,
                vectors.t().select(Axis(1), &order),
            );
        }
    }
    panic!("Jacobi's iteration did not converge in {SWEEPS} sweeps");
}

/// The eigenvalues alone, descending.
///
/// # Panics
/// Panics if [`eigh`] does.
pub fn eigenvalues(matrix: &Array2<f64>) -> Array1<f64> {
    eigh(matrix.view()).0
}

/// Rotates A ← JᵀAJ and Vᵀ ← JᵀVᵀ, where J is the rotation in the plane (p, q) that makes A at (p, q) zero.
fn rotate(a: &mut Array2<f64>, vectors: &mut Array2<f64>, p: usize, q: usize) {
    let (app, aqq, apq) = (a[[p, p]], a[[q, q]], a[[p, q]]);
    let theta = (aqq - app) / (2.0 * apq);
    let t = 1.0_f64.copysign(theta) / (theta.abs() + theta.hypot(1.0));
    let c = 1.0 / t.hypot(1.0);
    let s = t * c;
    for matrix in [&mut *a, vectors] {
        let (along_p, along_q) = matrix.multi_slice_mut((s![p, ..], s![q, ..]));
        Zip::from(along_p)
            .and(along_q)
            .for_each(|along_p, along_q| {
                (*along_p, *along_q) = (c * *along_p - s * *along_q, s * *along_p + c * *along_q);
            });
    }
    a[[p, p]] = app - t * apq;
    a[[q, q]] = aqq + t * apq;
    a[[p, q]] = 0.0;
    a[[q, p]] = 0.0;
    for row in [p, q] {
        let (known, mut column) = (a.row(row).to_owned(), a.column_mut(row));
        column.assign(&known);
    }
}

#[cfg(test)]
mod tests {
    use super::eigenvalues;
    use ndarray::Array2;

    /// The second difference matrix has the eigenvalues 2 − 2cos(kπ/(n+1)).
    #[test]
    fn second_differences() {
        for n in [1, 2, 7, 60] {
            let matrix = Array2::from_shape_fn((n, n), |(i, j)| match i.abs_diff(j) {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            });
            for (k, value) in eigenvalues(&matrix).iter().rev().enumerate() {
                let angle = (k + 1) as f64 * std::f64::consts::PI / (n + 1) as f64;
                assert!((value - (2.0 - 2.0 * angle.cos())).abs() < 1e-14);
            }
        }
    }

    /// A matrix of ones has the eigenvalue n once, and 0 otherwise, also at the ends of the range.
    #[test]
    fn rank_one() {
        for scale in [1.0, 1e-300, 1e300] {
            let values = eigenvalues(&Array2::from_elem((30, 30), scale));
            assert!((values[0] / scale - 30.0).abs() < 1e-12);
            assert!(values.iter().skip(1).all(|v| v.abs() < 1e-13 * scale));
        }
    }
}
