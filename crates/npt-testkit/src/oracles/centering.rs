//! The kernel matrix and its centring in feature space, entry by entry in `f64`.
//!
//! Nothing here calls the blocks of [`Kernel`]: all results follow from `eval` alone.
//!
//! # References
//! N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, equations 6
//! and 7. doi:10.1109/TNNLS.2013.2272292

use ndarray::{Array1, Array2, Axis};
use npt_core::{Kernel, Samples, Scalar};

/// The kernel matrix 𝒦ᵢⱼ = κ(xᵢ, xⱼ), shape (n, n).
pub fn gram<S: Samples, K: Kernel<S> + ?Sized>(kernel: &K, x: &S) -> Array2<f64> {
    cross(kernel, x, x)
}

/// The cross kernel matrix of `x_new` and `x`, shape (m, n).
pub fn cross<S: Samples, K: Kernel<S> + ?Sized>(kernel: &K, x_new: &S, x: &S) -> Array2<f64> {
    Array2::from_shape_fn((x_new.len(), x.len()), |(i, j)| {
        kernel.eval(x_new.get(i), x.get(j)).as_f64()
    })
}

/// The values κ(x, x) of all samples, shape (m).
pub fn diag<S: Samples, K: Kernel<S> + ?Sized>(kernel: &K, x: &S) -> Array1<f64> {
    Array1::from_shape_fn(x.len(), |i| kernel.eval(x.get(i), x.get(i)).as_f64())
}

/// The centred kernel matrix K = (I − E) 𝒦 (I − E) with all entries of E equal to 1/n, shape (n, n) (equation 6).
pub fn centered_gram<S: Samples, K: Kernel<S> + ?Sized>(kernel: &K, x: &S) -> Array2<f64> {
    let uncentered = gram(kernel, x);
    let means = row_means(&uncentered);
    let mean = means.sum() / x.len() as f64;
    Array2::from_shape_fn(uncentered.dim(), |(i, j)| {
        (uncentered[[i, j]] - means[i]) - (means[j] - mean)
    })
}

/// The centred kernel values k(x) = (I − E) [κ(x) − 𝒦1/n], one row a new sample, shape (m, n) (equation 7).
pub fn centered_cross<S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &K,
    x_new: &S,
    x: &S,
) -> Array2<f64> {
    let mut rows = cross(kernel, x_new, x) - &row_means(&gram(kernel, x));
    let means = row_means(&rows);
    rows -= &means.insert_axis(Axis(1));
    rows
}

/// The values k(x, x) = κ(x, x) − 2·1ᵀκ(x)/n + 1ᵀ𝒦1/n² of all new samples, shape (m): the squared distance of
/// each from the mean of the training samples in feature space.
pub fn centered_diag<S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &K,
    x_new: &S,
    x: &S,
) -> Array1<f64> {
    let mean = row_means(&gram(kernel, x)).sum() / x.len() as f64;
    let means = row_means(&cross(kernel, x_new, x));
    (diag(kernel, x_new) - &means) - (means - mean)
}

/// The means of the rows. It divides before it adds: values near the end of the range must not overflow.
fn row_means(matrix: &Array2<f64>) -> Array1<f64> {
    let columns = matrix.ncols() as f64;
    matrix.map_axis(Axis(1), |row| row.iter().map(|v| v / columns).sum())
}
