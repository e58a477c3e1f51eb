//! Methods that need nothing of their samples but inner products, and the inner products that they are fitted to.
//!
//! Coordinates serve any method. A method has a dual form ([`DualForm`]) if its solution is w = Σ αᵢxᵢ, and if the α are
//! found from inner products ⟨xᵢ, xⱼ⟩ alone. Such a method can be run on kernel values as they are. Its predictions at new
//! samples are then those of the classical formula, Σ αᵢκ(xᵢ, x) + b, to that formula's own conditioning: no direction is
//! cut.

mod dual;
mod fit;
mod kernel_products;
mod low_rank;
mod tiles;

#[cfg(test)]
mod tests;

pub use dual::{CrossValidator, Dual, DualForm, ExpansionMethod};
pub(crate) use fit::settled;
pub use kernel_products::KernelProducts;
pub(crate) use kernel_products::Origin;
pub use low_rank::low_rank_factor;

use crate::{Error, Scalar, linalg, require_memory};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use std::ops::Range;

/// Inner products of n samples, block by block, on demand.
///
/// [`KernelProducts`] are the inner products of a kernel. A matrix of coordinates, one row a sample, has the inner products
/// of its rows.
///
/// # Laws
/// Entry (i, j) of `block(rows, columns)` is the inner product of the samples `rows[i]` and `columns[j]`. The matrix of all
/// inner products is symmetric and positive semidefinite, and its diagonal is `diag`.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::InnerProducts;
///
/// let x = array![[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]];
/// assert_eq!(x.block(&[1], &[0, 2])?, array![[11.0, 4.0]]);
/// assert_eq!(x.gram()?, x.dot(&x.t()));
/// assert_eq!(x.apply(array![[1.0], [0.0], [1.0]].view())?, array![[7.0], [15.0], [3.0]]);
/// # Ok::<(), npt_core::Error>(())
/// ```
pub trait InnerProducts<F: Scalar>: Sync {
    /// The number n of samples.
    fn samples(&self) -> usize;

    /// The inner products ⟨xᵢ, xᵢ⟩ of the samples with themselves, shape (n).
    fn diag(&self) -> Array1<F>;

    /// The inner products of the samples `rows` with the samples `columns`.
    ///
    /// # Errors
    /// [`Error::KernelNotFinite`].
    fn block(&self, rows: &[usize], columns: &[usize]) -> Result<Array2<F>, Error>;

    /// The matrix of all inner products, shape (n, n).
    ///
    /// # Errors
    /// As [`block`](Self::block), and [`Error::Memory`] where n² numbers do not fit.
    fn gram(&self) -> Result<Array2<F>, Error> {
        let n = self.samples();
        require_memory::<F>("the kernel matrix", n, n)?;
        let all: Vec<usize> = (0..n).collect();
        self.block(&all, &all)
    }

    /// The product of the matrix of inner products with a matrix, shapes (n, k) and (n, k), to the rounding of the inner
    /// products. No more of the inner products is in memory at a time than a tile for each thread.
    ///
    /// # Errors
    /// As [`block`](Self::block).
    ///
    /// # Panics
    /// If the matrix does not have n rows.
    fn apply(&self, a: ArrayView2<'_, F>) -> Result<Array2<F>, Error> {
        apply_by_blocks(self, a)
    }

    /// Coordinates that have these inner products to rounding, one row a sample; `None` unless the coordinates are few. A
    /// method computes from them more cheaply than from the inner products.
    fn coordinates(&self) -> Option<ArrayView2<'_, F>> {
        None
    }

    /// Coordinates that nearly have these inner products, one row a sample; `None` unless the coordinates are few. They may
    /// leave out more than rounding, and more than a small penalty. They begin a computation, or make it converge fast, and
    /// [`apply`](Self::apply) tells what they leave out.
    fn approximate_coordinates(&self) -> Option<ArrayView2<'_, F>> {
        self.coordinates()
    }
}

/// The product of inner products with a matrix, computed from [`InnerProducts::block`], or from coordinates where there are
/// any. It is for an [`InnerProducts::apply`] that has a quicker way in some cases only.
///
/// # Errors
/// As [`InnerProducts::apply`].
///
/// # Panics
/// As [`InnerProducts::apply`].
#[doc(hidden)]
pub fn apply_by_blocks<F: Scalar>(
    products: &(impl InnerProducts<F> + ?Sized),
    a: ArrayView2<'_, F>,
) -> Result<Array2<F>, Error> {
    assert_eq!(a.nrows(), products.samples(), "one row a sample");
    if let Some(x) = products.coordinates() {
        return Ok(linalg::product(x, linalg::product(x.t(), a).view()));
    }
    let tile = |rows: Range<usize>, columns: Range<usize>| {
        let ids = |range: Range<usize>| range.collect::<Vec<_>>();
        products.block(&ids(rows), &ids(columns))
    };
    tiles::multiply(&tile, a)
}

/// A matrix has its rows as samples.
impl<F: Scalar> InnerProducts<F> for Array2<F> {
    fn samples(&self) -> usize {
        self.nrows()
    }

    fn diag(&self) -> Array1<F> {
        self.outer_iter().map(|row| row.dot(&row)).collect()
    }

    fn block(&self, rows: &[usize], columns: &[usize]) -> Result<Array2<F>, Error> {
        let (a, b) = (self.select(Axis(0), rows), self.select(Axis(0), columns));
        Ok(linalg::product(a.view(), b.t()))
    }

    fn gram(&self) -> Result<Array2<F>, Error> {
        require_memory::<F>("the matrix of inner products", self.nrows(), self.nrows())?;
        Ok(linalg::symmetric_rank_k(self.t()))
    }

    fn coordinates(&self) -> Option<ArrayView2<'_, F>> {
        Some(self.view())
    }
}
