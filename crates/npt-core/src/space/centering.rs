//! Centring in feature space, of a whole kernel matrix.

use super::{Means, factor::check_finite};
use crate::{
    AsSamples, Error, Kernel, Samples, Scalar,
    linalg::{PANEL, fill_rows, row_major},
    memory, parallel,
};
use ndarray::{Array1, Array2, ArrayView1, Axis};

/// The centred kernel matrix of samples, shape (n, n).
///
/// # Definition
/// K = (I − E)𝒦(I − E) with 𝒦ᵢⱼ = κ(xᵢ, xⱼ) and all entries of E equal to 1/n: the inner products of
/// the φ(xᵢ) from their mean. A space centres by itself
/// ([`Exact::centered`](crate::Exact::centered)), without this matrix.
///
/// # Errors
/// What is wrong with the records, and what the kernel refuses; [`Error::Memory`],
/// [`Error::KernelNotFinite`].
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Linear, centered_gram};
///
/// // Less the mean, the points are −1, 0 and 1.
/// let k = centered_gram(&Linear::new(), &array![[4.0], [5.0], [6.0]])?;
/// assert_eq!(k, array![[1.0, 0.0, -1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]);
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, algorithm 1,
/// equation 6. doi:10.1109/TNNLS.2013.2272292
pub fn centered_gram<S: Samples, K: Kernel<S>>(
    kernel: &K,
    x: &dyn AsSamples<Samples = S>,
) -> Result<Array2<K::Scalar>, Error> {
    let x = x.as_samples()?;
    kernel.check(&x)?;
    let mut matrix = gram(kernel, x.as_ref())?;
    let sums = row_sums(&matrix);
    // A value that is no number would be seen in the sum of its row.
    if !sums.iter().all(|sum| sum.is_finite()) {
        require_finite(&matrix)?;
    }
    subtract_means(&mut matrix, &sums);
    Ok(matrix)
}

/// 𝒦, whose values are numbers.
pub(crate) fn finite_gram<S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &K,
    x: &S,
) -> Result<Array2<K::Scalar>, Error> {
    let matrix = gram(kernel, x)?;
    require_finite(&matrix)?;
    Ok(matrix)
}

fn gram<S: Samples, K: Kernel<S> + ?Sized>(kernel: &K, x: &S) -> Result<Array2<K::Scalar>, Error> {
    let n = x.len();
    memory::require("the kernel matrix", n, n, size_of::<K::Scalar>())?;
    // A kernel of somebody's own may have made it in any order.
    Ok(row_major(kernel.gram(x)))
}

fn require_finite<F: Scalar>(matrix: &Array2<F>) -> Result<(), Error> {
    let ids: Vec<usize> = (0..matrix.nrows()).collect();
    check_finite(matrix.view(), &ids, &ids)
}

/// Subtracts the means of a symmetric matrix, and returns them.
pub(crate) fn center<F: Scalar>(matrix: &mut Array2<F>) -> Means<F> {
    let sums = row_sums(matrix);
    subtract_means(matrix, &sums)
}

/// In `f64`, panel by panel: what f32 loses over thousands of columns would be in every entry.
fn row_sums<F: Scalar>(matrix: &Array2<F>) -> Vec<f64> {
    let sum = |row: ArrayView1<'_, F>| -> f64 {
        let panels = row.axis_chunks_iter(Axis(0), PANEL);
        panels.map(|panel| panel.sum().as_f64()).sum()
    };
    parallel::map(matrix.nrows(), |i| sum(matrix.row(i)))
}

/// Subtracts the means of a symmetric matrix with these sums of its rows.
fn subtract_means<F: Scalar>(matrix: &mut Array2<F>, sums: &[f64]) -> Means<F> {
    let n = matrix.nrows() as f64;
    let of_all = F::cast(sums.iter().map(|sum| sum / n).sum::<f64>() / n);
    let of_rows: Vec<F> = sums.iter().map(|sum| F::cast(sum / n)).collect();
    fill_rows(matrix, |i, row| {
        for (value, &mean) in row.iter_mut().zip(&of_rows) {
            *value = *value - of_rows[i] - mean + of_all;
        }
    });
    Means {
        of_rows: Array1::from(of_rows),
        of_all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of one sign, thousands of them: what a sum of means loses would be in all entries.
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
