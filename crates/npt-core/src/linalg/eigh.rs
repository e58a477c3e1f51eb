//! The eigendecomposition of a symmetric matrix, scaled before and sorted after.

use super::{fill_tiles, largest_magnitude, power_of_two_near, row_major};
use crate::{Error, Scalar, parallel, watch::Carrier};
use ndarray::{Array1, Array2, Axis, Zip, s};

/// Returns the eigenvalues, in descending order, and orthonormal eigenvectors, one a column, of a symmetric
/// matrix. Both halves of the matrix have to be given.
///
/// # Errors
/// [`Error::Eigensolver`] if an entry is not finite, or the iteration does not converge.
///
/// # Panics
/// Panics if the matrix is not square.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg;
///
/// let (values, vectors) = linalg::eigh(&array![[2.0, 1.0], [1.0, 2.0]])?;
/// assert!((values[0] - 3.0_f64).abs() < 1e-15 && (values[1] - 1.0).abs() < 1e-15);
/// assert!((vectors[[0, 0]] - vectors[[1, 0]]).abs() < 1e-15);
/// # Ok::<(), npt_core::Error>(())
/// ```
pub fn eigh<F: Scalar>(a: &Array2<F>) -> Result<(Array1<F>, Array2<F>), Error> {
    let (values, by_rows) = eigh_by_rows(a.as_standard_layout().into_owned())?;
    let size = values.len();
    let vectors = fill_tiles(size, size, &|rows, columns, tile| {
        tile.assign(&by_rows.slice(s![columns, rows]).t());
    });
    Ok((values, vectors))
}

/// Returns the eigenvalues, in descending order, and the eigenvectors, one a row, with the errors and panics of
/// [`eigh`]. The matrix is overwritten.
pub(crate) fn eigh_by_rows<F: Scalar>(a: Array2<F>) -> Result<(Array1<F>, Array2<F>), Error> {
    assert!(a.is_square(), "eigenvalues are those of a square matrix");
    let size = a.nrows();
    let largest = largest_magnitude(a.view());
    if !largest.is_finite() {
        return Err(Error::Eigensolver { size });
    }
    // Squares of the entries of a matrix at 1e±200 would overflow or vanish inside the solver.
    let scale = power_of_two_near(largest);
    let mut scaled = row_major(a);
    let no_tokens = Carrier::new();
    scaled.par_mapv_inplace(|v| v / scale);
    drop(no_tokens);
    let solve = || F::eigh(scaled);
    let (values, mut vectors) =
        parallel::in_pool(size, solve).ok_or(Error::Eigensolver { size })?;
    if values.iter().any(|v| !v.is_finite()) {
        return Err(Error::Eigensolver { size });
    }
    let (mut upper, mut lower) = vectors.view_mut().split_at(Axis(0), size / 2);
    for (mut row, other) in upper.outer_iter_mut().zip(lower.outer_iter_mut().rev()) {
        Zip::from(&mut row).and(other).for_each(std::mem::swap);
    }
    let descending = values.iter().rev().map(|&v| v * scale);
    Ok((descending.collect(), vectors))
}
