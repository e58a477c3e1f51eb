//! Kernels of dense vectors, on sparse ones.

use super::{
    AdditiveChiSquared, ChiSquared, Cosine, Exponential, Gaussian, HistogramIntersection,
    Laplacian, Linear, Matern, MinMax, Normalized, Polynomial, Product, RationalQuadratic, Scaled,
    Sigmoid, Sum, Tanimoto,
};
use crate::{Error, Kernel, Rows, Samples, Scalar, SparseRow, SparseRows};
use ndarray::Array2;

/// A kernel of dense vectors, on [`SparseRows`].
///
/// # Definition
/// κ(a, b) = κ₁(a′, b′), where a′ and b′ are a and b without the columns in which neither has an
/// entry. That is κ₁(a, b) for kernels that [ignore common zeros](IgnoresCommonZeros), at the cost
/// of the stored entries.
///
/// # Errors
/// As the kernel κ₁.
///
/// # Example
/// ```
/// use npt_core::{Gaussian, Kernel, Sparse, SparseRows};
/// use sprs::TriMat;
///
/// let mut counts = TriMat::new((2, 1_000_000));
/// counts.add_triplet(0, 7, 2.0);
/// counts.add_triplet(1, 900_000, 1.0);
/// let documents = SparseRows::new(&counts.to_csr::<usize>())?;
/// let gram = Sparse::new(Gaussian::new(0.1)).gram(&documents);
/// assert_eq!(gram[[0, 1]], (-0.1_f64 * (2.0 * 2.0 + 1.0 * 1.0)).exp());
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sparse<K> {
    kernel: K,
}

impl<K> Sparse<K> {
    /// κ₁ on sparse vectors.
    pub fn new(kernel: K) -> Self {
        Self { kernel }
    }
}

/// Kernels of vectors to whose values columns that are 0 in both vectors contribute nothing, so that
/// leaving them out changes no value: functions of inner products and of distances in which all
/// columns weigh the same. Implement it for a kernel of your own where this holds.
pub trait IgnoresCommonZeros {}

impl IgnoresCommonZeros for AdditiveChiSquared {}
impl<F> IgnoresCommonZeros for ChiSquared<F> {}
impl IgnoresCommonZeros for Cosine {}
impl<F> IgnoresCommonZeros for Exponential<F> {}
impl<F> IgnoresCommonZeros for Gaussian<F> {}
impl IgnoresCommonZeros for HistogramIntersection {}
impl<F> IgnoresCommonZeros for Laplacian<F> {}
impl IgnoresCommonZeros for Linear {}
impl<F> IgnoresCommonZeros for Matern<F> {}
impl IgnoresCommonZeros for MinMax {}
impl<K: IgnoresCommonZeros> IgnoresCommonZeros for Normalized<K> {}
impl<F> IgnoresCommonZeros for Polynomial<F> {}
impl<F> IgnoresCommonZeros for RationalQuadratic<F> {}
impl<F> IgnoresCommonZeros for Sigmoid<F> {}
impl IgnoresCommonZeros for Tanimoto {}
impl<K: IgnoresCommonZeros, L: IgnoresCommonZeros> IgnoresCommonZeros for Sum<K, L> {}
impl<K: IgnoresCommonZeros, L: IgnoresCommonZeros> IgnoresCommonZeros for Product<K, L> {}
impl<K: IgnoresCommonZeros, F> IgnoresCommonZeros for Scaled<K, F> {}

impl<F, K> Kernel<SparseRows<F>> for Sparse<K>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F> + IgnoresCommonZeros,
{
    type Scalar = F;

    fn eval(&self, a: &SparseRow<F>, b: &SparseRow<F>) -> F {
        let (a, b) = a.without_common_zeros(b);
        self.kernel.eval(&a, &b)
    }

    fn check(&self, x: &SparseRows<F>) -> Result<(), Error> {
        for row in 0..x.len() {
            // A vector without entries is a zero vector of any length.
            let (mut values, _) = x.get(row).without_common_zeros(x.get(row));
            values.push(F::zero());
            let one = Array2::from_shape_vec((1, values.len()), values);
            let one = Rows::new(one.expect("one row of all values"))?;
            self.kernel.check(&one).map_err(|error| match error {
                Error::SampleOutsideDomain {
                    column,
                    kernel,
                    needs,
                    ..
                } => Error::SampleOutsideDomain {
                    row,
                    column: column.map(|stored| x.get(row).entries()[stored].0),
                    kernel,
                    needs,
                },
                other => other,
            })?;
        }
        Ok(())
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.kernel.is_positive_semidefinite()
    }
}
