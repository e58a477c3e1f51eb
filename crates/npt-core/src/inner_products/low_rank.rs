//! The part of a matrix of inner products that few samples explain.

use super::InnerProducts;
use crate::{
    Error, Items, Kernel, Scalar, require_memory,
    space::factor::{PivotRule, RoundingLevel, Stop, factor_by},
};
use ndarray::{Array1, Array2};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;
use std::sync::{Mutex, PoisonError};

/// The partial Cholesky factor F of a matrix of inner products, shape (n, pivots): FFᵀ is approximately the matrix. Each
/// pivot is drawn at random by what the pivots before leave of the samples ([`Pivoting::random`](crate::Pivoting::random)).
/// F has fewer columns if fewer samples explain all.
///
/// Only the inner products with the pivots are evaluated.
///
/// # Errors
/// [`Error::NoSamples`], [`Error::Memory`] if n times `pivots` numbers do not fit, [`Error::KernelNotFinite`],
/// [`Error::Indefinite`].
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::low_rank_factor;
///
/// let x = array![[1.0_f64, 2.0], [2.0, 4.0], [-3.0, -6.0]];
/// let f = low_rank_factor(&x, 3, 0)?;
/// assert_eq!(f.ncols(), 1);
/// assert!((f.dot(&f.t()) - x.dot(&x.t())).iter().all(|d| d.abs() < 1e-13));
/// # Ok::<(), npt_core::Error>(())
/// ```
pub fn low_rank_factor<F: Scalar>(
    products: &dyn InnerProducts<F>,
    pivots: usize,
    seed: u64,
) -> Result<Array2<F>, Error> {
    let samples = products.samples();
    let indices = Items::new((0..samples).collect())?;
    let most = pivots.min(samples);
    require_memory::<F>("the low-rank factor", samples, most)?;
    let stop = Stop {
        level: RoundingLevel::Highest,
        tolerance: 0.0,
        most,
    };
    let rng = Xoshiro256Plus::seed_from_u64(seed);
    let rule = PivotRule::Random(Box::new(rng));
    let kernel = OfProducts {
        products,
        error: Mutex::default(),
    };
    let factor = factor_by(&kernel, &indices, &stop, rule);
    match kernel
        .error
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
    {
        Some(error) => Err(error),
        None => Ok(factor?.features),
    }
}

/// The inner products as a kernel on the numbers of the samples.
struct OfProducts<'a, F> {
    products: &'a dyn InnerProducts<F>,
    /// The error of a block. All values of such a block are NaN, which ends the factorisation.
    error: Mutex<Option<Error>>,
}

impl<F: Scalar> OfProducts<'_, F> {
    fn block(&self, rows: &[usize], columns: &[usize]) -> Array2<F> {
        self.products.block(rows, columns).unwrap_or_else(|error| {
            *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            Array2::from_elem((rows.len(), columns.len()), F::nan())
        })
    }
}

impl<F: Scalar> Kernel<Items<usize>> for OfProducts<'_, F> {
    type Scalar = F;

    fn eval(&self, &a: &usize, &b: &usize) -> F {
        self.block(&[a], &[b])[[0, 0]]
    }

    fn cross(&self, a: &Items<usize>, b: &Items<usize>) -> Array2<F> {
        self.block(a.as_slice(), b.as_slice())
    }

    fn diag(&self, x: &Items<usize>) -> Array1<F> {
        let all = self.products.diag();
        x.as_slice().iter().map(|&i| all[i]).collect()
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}
