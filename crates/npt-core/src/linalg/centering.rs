//! Centring of a matrix of inner products.

use super::{PANEL, fill_rows, make_row_major};
use crate::{Scalar, parallel};
use ndarray::{Array1, Array2, ArrayView1, Axis};

/// The means that centring subtracts from a matrix of inner products 𝒦.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Means<F> {
    /// The means of the rows, 𝒦1/n, shape (n).
    pub of_rows: Array1<F>,
    /// The mean of all entries, 1ᵀ𝒦1/n².
    pub of_all: F,
}

/// Centres a symmetric matrix of inner products, K = (I − E)𝒦(I − E) with all entries of E equal to
/// 1/n, and returns the means that this subtracts.
///
/// # Panics
/// Panics if the matrix is not square.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg;
///
/// let mut k = array![[1.0, 2.0], [2.0, 7.0]];
/// let means = linalg::center(&mut k);
/// assert_eq!((means.of_rows, means.of_all), (array![1.5, 4.5], 3.0));
/// assert_eq!(k, array![[1.0, -1.0], [-1.0, 1.0]]);
/// ```
pub fn center<F: Scalar>(matrix: &mut Array2<F>) -> Means<F> {
    assert!(matrix.is_square(), "inner products are a square matrix");
    make_row_major(matrix);
    let sums = row_sums(matrix);
    subtract_means(matrix, &sums)
}

/// Returns the sums of the rows. Panels are added up in `f64`: the digits that f32 loses over thousands of
/// columns would be missing in every entry.
pub(crate) fn row_sums<F: Scalar>(matrix: &Array2<F>) -> Vec<f64> {
    let sum = |row: ArrayView1<'_, F>| -> f64 {
        let panels = row.axis_chunks_iter(Axis(0), PANEL);
        panels.map(|panel| panel.sum().as_f64()).sum()
    };
    parallel::map(matrix.nrows(), |i| sum(matrix.row(i)))
}

/// Centres a symmetric matrix whose rows have these sums, and returns the means that this subtracts.
pub(crate) fn subtract_means<F: Scalar>(matrix: &mut Array2<F>, sums: &[f64]) -> Means<F> {
    let n = matrix.nrows() as f64;
    let of_all = sums.iter().map(|sum| sum / n).sum::<f64>() / n;
    let of_rows: Vec<F> = sums.iter().map(|sum| F::cast(sum / n)).collect();
    // Values and means may be far from 0 and all alike. Differences of numbers of one size lose no digits.
    let excess: Vec<F> = sums.iter().map(|sum| F::cast(sum / n - of_all)).collect();
    fill_rows(matrix, |i, row| {
        for (value, &excess) in row.iter_mut().zip(&excess) {
            *value = (*value - of_rows[i]) - excess;
        }
    });
    Means {
        of_rows: Array1::from(of_rows),
        of_all: F::cast(of_all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thousands of entries of one sign are centred in f32. Digits that a sum of means loses would be missing in all
    /// entries.
    #[test]
    fn single_precision_of_many_rows() {
        let n = 6000;
        let value = |i: usize, j: usize| 0.1 + 0.01 * ((i * j) as f32).sin().abs();
        let mut matrix = Array2::from_shape_fn((n, n), |(i, j)| value(i.min(j), i.max(j)));
        center(&mut matrix);
        for row in matrix.outer_iter() {
            let sum: f64 = row.iter().map(|v| v.as_f64()).sum();
            // Three means and an entry, each known to half an ε of 0.11, and their differences.
            let known = n as f64 * 3.0 * 0.11 * f64::from(f32::EPSILON);
            assert!(sum.abs() < known, "{sum:e}");
        }
    }
}
