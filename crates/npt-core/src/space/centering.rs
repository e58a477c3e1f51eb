//! Centring in feature space, of a whole kernel matrix.

use super::{Means, factor::check_finite};
use crate::{AsSamples, Error, Kernel, Samples, Scalar, linalg::fill_rows, memory, parallel};
use ndarray::{Array1, Array2};

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
    let mut matrix = finite_gram(kernel, x.as_ref())?;
    center(&mut matrix);
    Ok(matrix)
}

/// 𝒦, whose values are numbers.
pub(crate) fn finite_gram<S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &K,
    x: &S,
) -> Result<Array2<K::Scalar>, Error> {
    let n = x.len();
    memory::require("the kernel matrix", n, n, size_of::<K::Scalar>())?;
    let matrix = kernel.gram(x);
    let ids: Vec<usize> = (0..n).collect();
    check_finite(matrix.view(), &ids, &ids)?;
    // A kernel of somebody's own may have made it in any order; it is symmetric.
    Ok(if matrix.is_standard_layout() {
        matrix
    } else {
        matrix.as_standard_layout().into_owned()
    })
}

/// Subtracts the means of a symmetric matrix, and returns them.
pub(crate) fn center<F: Scalar>(matrix: &mut Array2<F>) -> Means<F> {
    let n = F::cast(matrix.nrows());
    let of_rows = parallel::map(matrix.nrows(), |i| matrix.row(i).sum() / n);
    let of_all = of_rows.iter().copied().sum::<F>() / n;
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
