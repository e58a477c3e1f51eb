//! The linear algebra seam: the few operations that everything else is made of.
//!
//! There are two implementations. faer is the default. linfa-linalg with ndarray's own product
//! (`--no-default-features`) is small and slow, and an independent check on the first. An implementation
//! supplies a few sequential operations and the eigendecomposition. This module makes the parallel
//! operations from them, block by block. Blocks have fixed sizes, so results do not depend on the number of
//! threads. `spare.rs` has the memory of large matrices that is used again.

mod centering;
mod cholesky;
mod eigh;
mod exp;
#[cfg(feature = "faer")]
mod faer;
mod hadamard;
mod leading;
#[cfg(any(test, not(feature = "faer")))]
mod linfa;
mod rows;
mod solve;
mod spare;
mod tiles;
mod transpose;
mod triangle;

#[cfg(feature = "faer")]
use self::faer as implementation;
#[cfg(not(feature = "faer"))]
use self::linfa as implementation;

pub use centering::{Means, center};
pub(crate) use centering::{row_sums, subtract_means};
pub use cholesky::{cholesky, cholesky_in_place};
pub use eigh::eigh;
pub(crate) use eigh::eigh_by_rows;
pub use hadamard::walsh_hadamard;
pub use leading::leading_eigh;
pub(crate) use leading::without_pattern;
pub(crate) use rows::{fill_rows, fill_values};
pub use solve::{solve_lower, solve_lower_transposed};
#[doc(hidden)]
pub use spare::Spare;
pub(crate) use spare::arbitrary;
pub(crate) use tiles::{fill_pairs, fill_symmetric, fill_symmetric_by, fill_tiles};
pub use transpose::ByColumns;
pub(crate) use transpose::transposed;
pub(crate) use triangle::Triangle;

use crate::{
    Scalar, parallel,
    watch::{self, Carrier},
};
use exp::{ExpInPlace, ExpM1InPlace, ExpOfDistances};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, CowArray, Ix2, s};
use rayon::prelude::*;

/// The operations that an implementation supplies. The trait is sealed: it has no public path.
pub trait Backend: Sized {
    /// C ← β·C + α·A·B, sequentially, with β either 0 or 1.
    fn multiply(
        c: ArrayViewMut2<'_, Self>,
        accumulate: bool,
        alpha: Self,
        a: ArrayView2<'_, Self>,
        b: ArrayView2<'_, Self>,
    );

    /// C ← A·B for the rows of A from `first` on, as many as C has, sequentially.
    fn multiply_rows(
        c: ArrayViewMut2<'_, Self>,
        a: ArrayView2<'_, Self>,
        first: usize,
        b: ArrayView2<'_, Self>,
    );

    /// B ← L⁻¹B for a lower triangular L, sequentially; B is row-major.
    fn solve_lower(l: ArrayView2<'_, Self>, b: &mut Array2<Self>);

    /// B ← U⁻¹B for an upper triangular U, sequentially; B is row-major.
    fn solve_upper(u: ArrayView2<'_, Self>, b: &mut Array2<Self>);

    /// v ← exp(v) for values v ≤ 0.
    fn exp_in_place(values: &mut [Self]);

    /// v ← exp(v) − 1 for values v ≤ 0, to a rounding of the difference.
    fn exp_m1_in_place(values: &mut [Self]);

    /// vⱼ ← exp(factor·vⱼ − a − bⱼ), and 1 where that exponent is above 0 or not a number. These are the
    /// values of a kernel of distances, from inner products and norms.
    fn exp_of_distances(values: &mut [Self], factor: Self, a: Self, b: &[Self]);

    /// Eigenvalues, ascending, and orthonormal eigenvectors (rows) of a symmetric matrix, which is
    /// row-major; `None` if the iteration does not converge.
    fn eigh(a: Array2<Self>) -> Option<(Array1<Self>, Array2<Self>)>;

    /// Orthonormal rows, as many as a row-major matrix has, whose span contains the rows of the matrix. The
    /// matrix has no more rows than columns.
    fn orthonormal_rows(a: Array2<Self>) -> Array2<Self>;
}

/// A loop that is to be compiled for the widest vector instructions of the machine. `run` and all that it
/// calls have to be inlined into code that is compiled for these instructions; a closure would not be inlined.
trait Vectorized {
    /// Runs the loop. FUSED is true if the machine multiplies and adds in one instruction; `mul_add` is slow on
    /// other machines.
    fn run<const FUSED: bool>(self);
}

macro_rules! backend {
    ($($float:ty),*) => {$(
        impl Backend for $float {
            fn multiply(
                c: ArrayViewMut2<'_, Self>,
                accumulate: bool,
                alpha: Self,
                a: ArrayView2<'_, Self>,
                b: ArrayView2<'_, Self>,
            ) {
                implementation::multiply(c, accumulate, alpha, a, b);
            }

            fn multiply_rows(
                c: ArrayViewMut2<'_, Self>,
                a: ArrayView2<'_, Self>,
                first: usize,
                b: ArrayView2<'_, Self>,
            ) {
                implementation::multiply_rows(c, a, first, b);
            }

            fn solve_lower(l: ArrayView2<'_, Self>, b: &mut Array2<Self>) {
                make_row_major(b);
                implementation::solve_lower(l, b);
            }

            fn solve_upper(u: ArrayView2<'_, Self>, b: &mut Array2<Self>) {
                make_row_major(b);
                implementation::solve_upper(u, b);
            }

            fn exp_in_place(values: &mut [Self]) {
                implementation::vectorized(ExpInPlace(values));
            }

            fn exp_m1_in_place(values: &mut [Self]) {
                implementation::vectorized(ExpM1InPlace(values));
            }

            fn exp_of_distances(values: &mut [Self], factor: Self, a: Self, b: &[Self]) {
                implementation::vectorized(ExpOfDistances {
                    values,
                    factor,
                    a,
                    b,
                });
            }

            fn eigh(a: Array2<Self>) -> Option<(Array1<Self>, Array2<Self>)> {
                implementation::eigh(a)
            }

            fn orthonormal_rows(a: Array2<Self>) -> Array2<Self> {
                implementation::orthonormal_rows(a)
            }
        }
    )*};
}

backend!(f32, f64);

/// Returns the matrix in row-major order, copied if it has another order.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg::row_major;
///
/// let a = array![[1.0, 2.0], [3.0, 4.0]];
/// assert_eq!(row_major(a.reversed_axes()).as_slice(), Some(&[1.0, 3.0, 2.0, 4.0][..]));
/// ```
#[doc(hidden)]
pub fn row_major<F: Clone>(matrix: Array2<F>) -> Array2<F> {
    if matrix.is_standard_layout() {
        matrix
    } else {
        matrix.as_standard_layout().into_owned()
    }
}

/// Puts a matrix into row-major order: a user's own kernel may have returned it in any order.
fn make_row_major<F: Clone + Default>(matrix: &mut Array2<F>) {
    *matrix = row_major(std::mem::take(matrix));
}

/// Returns orthonormal rows, as many as the matrix has, whose span contains the rows of the matrix, exact to
/// rounding of the longest row. The matrix has no more rows than columns.
pub(crate) fn orthonormal_rows<F: Scalar>(matrix: ArrayView2<'_, F>) -> Array2<F> {
    // Squares of the entries of a matrix at 1e±200 would overflow or vanish inside.
    let scale = power_of_two_near(largest_magnitude(matrix));
    F::orthonormal_rows(row_major(matrix.mapv(|v| v / scale)))
}

/// The number of rows (or columns) that one task works on: large enough for an efficient product, small
/// enough to share out.
pub(crate) const PANEL: usize = 256;

/// Computes A·B, in parallel.
///
/// # Panics
/// Panics if the inner dimensions differ.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg;
///
/// let product = linalg::product(array![[1.0, 2.0]].view(), array![[3.0], [4.0]].view());
/// assert_eq!(product, array![[11.0]]);
/// ```
pub fn product<F: Scalar>(a: ArrayView2<'_, F>, b: ArrayView2<'_, F>) -> Array2<F> {
    assert_eq!(a.ncols(), b.nrows(), "inner dimensions of a matrix product");
    let (a, b) = (contiguous(a), contiguous(b));
    let mut c = arbitrary((a.nrows(), b.ncols()));
    let carrier = Carrier::new();
    c.axis_chunks_iter_mut(Axis(0), PANEL)
        .into_par_iter()
        .enumerate()
        .for_each(|(panel, c)| {
            carrier.over(|| multiply_rows(c, a.view(), panel * PANEL, b.view()));
        });
    c
}

/// The number of multiplications between two checks for cancellation: they take about a tenth of a second.
const AT_ONCE: usize = 1 << 31;

/// C ← A·B for some rows of A, sequentially.
fn multiply_rows<F: Scalar>(
    mut c: ArrayViewMut2<'_, F>,
    a: ArrayView2<'_, F>,
    first: usize,
    b: ArrayView2<'_, F>,
) {
    let terms = b.nrows();
    let stretch = stretch(c.dim());
    if terms <= stretch {
        return F::multiply_rows(c, a, first, b);
    }
    let rows = a.slice(s![first..first + c.nrows(), ..]);
    multiply_in_stretches(&mut c, rows, b, stretch);
}

/// Returns the number of terms that are added up at once in each entry of a product of this shape.
fn stretch((rows, columns): (usize, usize)) -> usize {
    (AT_ONCE / (rows * columns).max(1)).max(PANEL)
}

/// C ← A·B, sequentially, with at most `stretch` terms of each entry at a time.
fn multiply_in_stretches<F: Scalar>(
    c: &mut ArrayViewMut2<'_, F>,
    a: ArrayView2<'_, F>,
    b: ArrayView2<'_, F>,
    stretch: usize,
) {
    if a.ncols() <= stretch {
        return F::multiply(c.view_mut(), false, F::one(), a, b);
    }
    let parts = a.axis_chunks_iter(Axis(1), stretch);
    for (number, (a, b)) in parts.zip(b.axis_chunks_iter(Axis(0), stretch)).enumerate() {
        watch::check();
        F::multiply(c.view_mut(), number > 0, F::one(), a, b);
    }
}

/// Returns the matrix in row-major or column-major order. A matrix in another order is copied here, once,
/// and not once for each panel.
fn contiguous<F: Scalar>(matrix: ArrayView2<'_, F>) -> CowArray<'_, F, Ix2> {
    if matrix.is_standard_layout() || matrix.t().is_standard_layout() {
        CowArray::from(matrix)
    } else {
        CowArray::from(matrix.as_standard_layout().into_owned())
    }
}

/// Computes the symmetric matrix AᵀA, in parallel, each inner product once (a symmetric rank-k update of zero).
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg;
///
/// let a = array![[1.0, 2.0], [3.0, 4.0]];
/// assert_eq!(linalg::symmetric_rank_k(a.view()), a.t().dot(&a));
/// ```
pub fn symmetric_rank_k<F: Scalar>(a: ArrayView2<'_, F>) -> Array2<F> {
    ByColumns::of(a).symmetric_rank_k()
}

/// Returns max |aᵢⱼ|: 0 if there are no entries, ∞ if an entry is not finite.
pub(crate) fn largest_magnitude<F: Scalar>(a: ArrayView2<'_, F>) -> F {
    let panels: Vec<_> = a.axis_chunks_iter(Axis(0), PANEL).collect();
    let of_panels = parallel::map(panels.len(), |panel| {
        // The loop has no early exit, which would keep it from being vectorised.
        let finite = panels[panel].fold(true, |all, v| all & v.is_finite());
        let largest = panels[panel].fold(F::zero(), |m, v| m.max(v.abs()));
        if finite { largest } else { F::infinity() }
    });
    of_panels.into_iter().fold(F::zero(), F::max)
}

/// Computes the transpose of A with each column multiplied by its number in `by`, in parallel.
pub(crate) fn transposed_and_scaled<F: Scalar>(a: ArrayView2<'_, F>, by: &Array1<F>) -> Array2<F> {
    fill_tiles(a.ncols(), a.nrows(), &|rows, columns, tile| {
        tile.assign(&a.slice(s![columns.clone(), rows]).t());
        *tile *= &by.slice(s![columns]);
    })
}

/// Returns a power of two within a factor 2 of a magnitude, and 1 for a magnitude that is 0 or not finite.
/// Scaling by a power of two is exact.
///
/// # Example
/// ```
/// use npt_core::linalg::power_of_two_near;
///
/// assert_eq!(power_of_two_near(5.0), 4.0);
/// assert_eq!(power_of_two_near(0.0), 1.0);
/// assert!((1.0..2.0).contains(&(f64::MAX / power_of_two_near(f64::MAX))));
/// ```
#[doc(hidden)]
pub fn power_of_two_near<F: Scalar>(magnitude: F) -> F {
    if !(magnitude > F::zero()) || !magnitude.is_finite() {
        return F::one();
    }
    let lowest = F::min_positive_value().log2() + F::one();
    // The logarithm of the largest number is rounded up.
    let highest = F::max_value().log2() - F::one();
    magnitude.log2().floor().max(lowest).min(highest).exp2()
}

/// Returns the sign, 1 or −1, of the value of largest magnitude; 1 if all values are 0. Of several largest
/// values that agree in half of their digits, the first counts. A vector multiplied by this sign points the
/// same way however it was computed.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::linalg::sign_of_largest;
///
/// assert_eq!(sign_of_largest(array![1.0, -3.0, 3.0 + 1e-15].view()), -1.0);
/// ```
#[doc(hidden)]
pub fn sign_of_largest<F: Scalar>(values: ArrayView1<'_, F>) -> F {
    let largest = values.iter().fold(F::zero(), |m, &v| m.max(v.abs()));
    let almost = largest * (F::one() - F::epsilon().sqrt());
    let first = values.iter().find(|v| v.abs() >= almost);
    if first.is_some_and(|&v| v < F::zero()) {
        -F::one()
    } else {
        F::one()
    }
}

#[cfg(test)]
mod tests;
