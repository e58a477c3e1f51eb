//! Centring of a whole kernel matrix in feature space.

use super::factor::check_finite;
use crate::{
    AsSamples, Error, Kernel, Samples, Scalar,
    kernel::About,
    linalg::{row_major, row_sums, subtract_means},
    require_memory,
    watch::Progress,
};
use ndarray::Array2;

/// Computes the centred kernel matrix of samples, shape (n, n).
///
/// # Definition
/// K = (I − E)𝒦(I − E) with 𝒦ᵢⱼ = κ(xᵢ, xⱼ) and all entries of E equal to 1/n. These are the inner products of
/// the φ(xᵢ), measured from their mean. A space centres by itself
/// ([`Exact::centered`](crate::Exact::centered)), without this matrix.
///
/// # Errors
/// An error for invalid records, and what the kernel refuses; [`Error::Memory`],
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
    let origin = kernel.origin(&x);
    let mut matrix = gram(&About::new(kernel, origin.as_ref()), x.as_ref())?;
    let sums = row_sums(&matrix);
    // A value that is not finite shows in the sum of its row.
    if !sums.iter().all(|sum| sum.is_finite()) {
        require_finite(&matrix)?;
    }
    subtract_means(&mut matrix, &sums);
    Ok(matrix)
}

/// The largest share of the variance in feature space that rounding of the kernel values may have.
const ALLOWED: f64 = 1e-3;

/// Refuses samples of which centring leaves little but rounding. `values` is the mean of the κ(x, x), each known to ε of
/// itself; `variance` is the mean of what centring leaves of them.
///
/// # Errors
/// [`Error::Cancellation`]
pub(crate) fn require_digits<F: Scalar>(values: F, variance: F) -> Result<(), Error> {
    let rounding = F::epsilon().as_f64() * (values.as_f64() / variance.as_f64());
    if rounding > ALLOWED {
        let allowed = ALLOWED;
        return Err(Error::Cancellation { rounding, allowed });
    }
    Ok(())
}

/// Computes the kernel matrix up to a shift in feature space, which centring removes. The values are about an origin if
/// they keep more digits so.
#[doc(hidden)]
pub fn gram_to_center<S: Samples, K: Kernel<S> + ?Sized>(kernel: &K, x: &S) -> Array2<K::Scalar> {
    let origin = kernel.origin(x);
    About::new(kernel, origin.as_ref()).gram(x)
}

/// Computes the kernel matrix 𝒦, and refuses values that are not finite.
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
    require_memory::<K::Scalar>("the kernel matrix", n, n)?;
    let _stage = Progress::start("kernel matrix", None);
    // A user's own kernel may have returned the matrix in any order.
    Ok(row_major(kernel.gram(x)))
}

fn require_finite<F: Scalar>(matrix: &Array2<F>) -> Result<(), Error> {
    let ids: Vec<usize> = (0..matrix.nrows()).collect();
    check_finite(matrix.view(), &ids, &ids)
}
