//! The precision of systems of n equations for n samples.

use ndarray::{Array1, Array2, s};
use npt_core::{Error, InnerProducts, Scalar};

/// The precision in which a method solves the n × n system of n samples.
///
/// Single precision takes half of the memory: it has the matrix of n × n inner products in numbers of 32 bits. What rounding leaves of the
/// result is measured with inner products in the precision of the samples, which are evaluated once more, a block at a time. If the result
/// is not as near as promised, the method is fitted in full precision.
///
/// | method | promise of single precision |
/// |---|---|
/// | [`Ridge`](super::Ridge) | α solves its equations but for 10⁻⁷ of its length, by iterative refinement |
/// | [`Pca`](super::Pca) | each direction w satisfies Cw = λw but for 10⁻³ of its length, often 10⁻⁵; directions of eigenvalues that nearly agree may be turned into each other |
///
/// It matters in the dual form of a method, and so in the exact space of a kernel method. Methods have full precision in all other cases:
/// in spaces of landmarks or features, for plain records, for samples with few coordinates, for several penalties of ridge regression, for
/// as many components as samples. There single precision costs nothing. A fit that it does not suffice for takes the time of both. A kernel
/// that is not known to be positive semidefinite is looked at in full precision, which takes the memory of that.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::{Array1, Array2};
/// use npt_core::Laplacian;
/// use npt_methods::{KernelRidge, linear::Precision};
///
/// let x = Array2::from_shape_fn((100, 1), |(i, _)| i as f64 / 10.0);
/// let data = Dataset::new(x.clone(), x.column(0).mapv(f64::sin));
/// let full = KernelRidge::params(Laplacian::new(1.0)).method(|m| m.penalty(0.1));
/// let single = full.clone().method(|m| m.precision(Precision::Single));
/// let (full, single): (Array1<f64>, Array1<f64>) = (full.fit(&data)?.predict(&x), single.fit(&data)?.predict(&x));
/// assert!((full - single).iter().all(|difference| difference.abs() < 1e-7));
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd edition, SIAM 2002, chapter 12. doi:10.1137/1.9780898718027
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Precision {
    /// The precision of the samples.
    #[default]
    Full,
    /// Numbers of 32 bits.
    Single,
}

npt_core::words_of_parameter!(Precision {
    Full: "full",
    Single: "single"
});

impl Precision {
    /// Returns whether this precision is lower than that of `F`.
    pub(super) fn is_below<F>(self) -> bool {
        self == Self::Single && size_of::<F>() > size_of::<f32>()
    }
}

/// The number of samples whose inner products with all others are in full precision at a time.
const ROWS: usize = 256;

/// The nearest number of 32 bits; infinite beyond their range.
pub(super) fn rounded<F: Scalar>(value: F) -> f32 {
    value.as_f64() as f32
}

/// Inner products in units of a power of two, which are rounded to single precision.
pub(super) struct Rounded<'a, F> {
    products: &'a dyn InnerProducts<F>,
    unit: F,
}

impl<'a, F: Scalar> Rounded<'a, F> {
    /// Takes a unit that leaves the inner products in the range of single precision.
    pub(super) fn new(products: &'a dyn InnerProducts<F>, unit: F) -> Self {
        Self { products, unit }
    }

    fn few(&self, rows: &[usize], columns: &[usize]) -> Result<Array2<f32>, Error> {
        let values = self.products.block(rows, columns)?;
        Ok(values.mapv(|value| rounded(value / self.unit)))
    }
}

impl<F: Scalar> InnerProducts<f32> for Rounded<'_, F> {
    fn samples(&self) -> usize {
        self.products.samples()
    }

    fn diag(&self) -> Array1<f32> {
        let values = self.products.diag();
        values.mapv(|value| rounded(value / self.unit))
    }

    /// Evaluates the inner products some rows at a time. Among the same samples, those on the diagonal and to the right of it
    /// are evaluated, and the others copied.
    fn block(&self, rows: &[usize], columns: &[usize]) -> Result<Array2<f32>, Error> {
        if rows.len() <= ROWS {
            return self.few(rows, columns);
        }
        let mut block = Array2::zeros((rows.len(), columns.len()));
        for (k, some) in rows.chunks(ROWS).enumerate() {
            let own = k * ROWS..k * ROWS + some.len();
            if rows != columns {
                block
                    .slice_mut(s![own, ..])
                    .assign(&self.few(some, columns)?);
                continue;
            }
            let (square, right) = (self.few(some, some)?, self.few(some, &columns[own.end..])?);
            block
                .slice_mut(s![own.clone(), own.clone()])
                .assign(&square);
            block.slice_mut(s![own.clone(), own.end..]).assign(&right);
            block.slice_mut(s![own.end.., own]).assign(&right.t());
        }
        Ok(block)
    }
}
