//! Kernels on a range of the columns of a vector.

use crate::{
    Error, Kernel, Rows, Scalar,
    kernels::{derivatives_of, mean_of},
};
use ndarray::{Array1, Array2, ArrayView2, s};
use std::ops::Range;

/// A kernel on a range of the columns. The product of two such kernels is their tensor product over
/// two parts of a vector.
///
/// # Definition
/// κ(a, b) = κ₁(a′, b′) with a′ = (aₖ) for the columns k of the range.
///
/// # Parameters
/// `columns`: the range, counted from 0, without its end; not empty. Its parameters by name are `start` and `end`.
///
/// # Errors
/// At fit, [`Error::ColumnRange`] if the range is empty or the samples have too few columns, and
/// what κ₁ refuses; columns are then counted from the start of the range.
///
/// # Panics
/// Blocks panic on samples that [`check`](Kernel::check) refuses; a fit checks first.
///
/// # Example
/// ```
/// use npt_core::{Columns, Gaussian, Kernel, Linear};
///
/// let kernel = Columns::new(Gaussian::new(0.5), 0..1) * Columns::new(Linear::new(), 1..3);
/// let value: f64 = kernel.eval(&[1.0, 2.0, 3.0], &[3.0, 4.0, 5.0]);
/// assert_eq!(value, (-0.5 * 2.0_f64.powi(2)).exp() * (2.0 * 4.0 + 3.0 * 5.0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "columns")
)]
pub struct Columns<K> {
    kernel: K,
    start: usize,
    end: usize,
}

crate::composable!(impl<K> Columns<K>);

impl<K> Columns<K> {
    /// The kernel κ₁ of the columns in a range, which is checked at fit.
    pub fn new(kernel: K, columns: Range<usize>) -> Self {
        Self {
            kernel,
            start: columns.start,
            end: columns.end,
        }
    }

    /// The kernel κ₁.
    pub fn inner(&self) -> &K {
        &self.kernel
    }

    fn part_of_one<'a, F>(&self, sample: &'a [F]) -> &'a [F] {
        &sample[self.start..self.end]
    }

    fn part<F: Scalar>(&self, x: &Rows<F>) -> Rows<F> {
        let part = x.view().slice_move(s![.., self.start..self.end]).to_owned();
        Rows::new(part).expect("samples and a range that `check` has passed")
    }
}

impl<F: Scalar, K: Kernel<Rows<F>>> Kernel<Rows<F>> for Columns<K> {
    type Scalar = K::Scalar;

    crate::parameters!("columns", start, end; kernel);

    fn eval(&self, a: &[F], b: &[F]) -> K::Scalar {
        self.kernel.eval(self.part_of_one(a), self.part_of_one(b))
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<K::Scalar> {
        self.kernel.cross(&self.part(a), &self.part(b))
    }

    fn gram(&self, x: &Rows<F>) -> Array2<K::Scalar> {
        self.kernel.gram(&self.part(x))
    }

    fn diag(&self, x: &Rows<F>) -> Array1<K::Scalar> {
        self.kernel.diag(&self.part(x))
    }

    /// The origin has all columns, as kernels on other columns may share it.
    fn origin(&self, x: &Rows<F>) -> Option<Rows<F>> {
        self.kernel.origin(&self.part(x))?;
        mean_of(x)
    }

    fn eval_about(&self, origin: &[F], a: &[F], b: &[F]) -> K::Scalar {
        let part = |sample| self.part_of_one(sample);
        self.kernel.eval_about(part(origin), part(a), part(b))
    }

    fn cross_about(&self, origin: &Rows<F>, a: &Rows<F>, b: &Rows<F>) -> Array2<K::Scalar> {
        let (a, b) = (self.part(a), self.part(b));
        self.kernel.cross_about(&self.part(origin), &a, &b)
    }

    fn diag_about(&self, origin: &Rows<F>, x: &Rows<F>) -> Array1<K::Scalar> {
        self.kernel.diag_about(&self.part(origin), &self.part(x))
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        let columns = x.view().ncols();
        let (start, end) = (self.start, self.end);
        if start < end && end <= columns {
            return self.kernel.check(&self.part(x));
        }
        Err(Error::ColumnRange {
            start,
            end,
            columns,
        })
    }

    fn parameter_derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, K::Scalar>,
    ) -> Vec<Option<K::Scalar>> {
        derivatives_of(&self.kernel, &self.part(x), weights)
    }

    fn with_length_scales<'a>(
        &'a self,
        length_scales: &'a [F],
    ) -> Option<Box<dyn Kernel<Rows<F>, Scalar = K::Scalar> + 'a>>
    where
        Rows<F>: 'a,
    {
        let part = self.part_of_one(length_scales);
        let kernel = self.kernel.with_length_scales(part)?;
        Some(Box::new(Columns::new(kernel, self.start..self.end)))
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.kernel.is_positive_semidefinite()
    }
}
