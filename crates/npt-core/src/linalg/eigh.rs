//! The eigendecomposition of a symmetric matrix, scaled and in order.

use super::{largest_magnitude, power_of_two_near, row_major, transposed_and_scaled, zeros};
use crate::{Error, Scalar};
use ndarray::{Array1, Array2, ArrayView1, Axis, Zip, s};

/// Eigenvalues, descending, and orthonormal eigenvectors (one a column) of a symmetric matrix.
/// Only the upper triangle is read.
///
/// # Errors
/// [`Error::Eigensolver`] if the iteration does not converge.
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
    let (values, vectors) = eigh_by_rows(a.as_standard_layout().into_owned())?;
    let vectors = transposed_and_scaled(vectors.view(), &Array1::ones(values.len()));
    Ok((values, vectors))
}

/// As [`eigh`], with one eigenvector a row, and in the memory of the matrix.
pub(crate) fn eigh_by_rows<F: Scalar>(a: Array2<F>) -> Result<(Array1<F>, Array2<F>), Error> {
    let size = a.nrows();
    let scale = power_of_two_near(largest_magnitude(a.view()));
    if is_diagonal(&a, scale) {
        return Ok(of_diagonal(&a));
    }
    // Squares of the entries of a matrix at 1e±200 would overflow or vanish inside the solver.
    let mut scaled = row_major(a);
    scaled.par_mapv_inplace(|v| v / scale);
    let (mut values, mut vectors) = F::eigh(scaled).ok_or(Error::Eigensolver { size })?;
    if values.iter().any(|v| !v.is_finite()) {
        return Err(Error::Eigensolver { size });
    }
    values.invert_axis(Axis(0));
    let (mut upper, mut lower) = vectors.view_mut().split_at(Axis(0), size / 2);
    for (mut row, other) in upper.outer_iter_mut().zip(lower.outer_iter_mut().rev()) {
        Zip::from(&mut row).and(other).for_each(std::mem::swap);
    }
    Ok((values * scale, vectors))
}

/// Whether what is beside the diagonal is no more than what rounding of a decomposition adds: the scatter of
/// coordinates on principal axes is. `scale` is about the largest entry.
fn is_diagonal<F: Scalar>(a: &Array2<F>, scale: F) -> bool {
    let rounding = F::epsilon() * F::epsilon();
    a.outer_iter().enumerate().all(|(i, row)| {
        let squares = |part: ArrayView1<'_, F>| {
            part.fold(F::zero(), |sum, &v| sum + (v / scale) * (v / scale))
        };
        squares(row.slice(s![..i])) + squares(row.slice(s![i + 1..])) <= rounding
    })
}

fn of_diagonal<F: Scalar>(a: &Array2<F>) -> (Array1<F>, Array2<F>) {
    let mut order: Vec<usize> = (0..a.nrows()).collect();
    order.sort_by(|&i, &j| a[[j, j]].as_f64().total_cmp(&a[[i, i]].as_f64()));
    let mut vectors = zeros(a.dim());
    for (row, &axis) in order.iter().enumerate() {
        vectors[[row, axis]] = F::one();
    }
    (a.diag().select(Axis(0), &order), vectors)
}
