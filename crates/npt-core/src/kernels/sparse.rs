//! Kernels of dense vectors, applied to sparse ones.

use crate::{Error, Kernel, Rows, Samples, Scalar, SparseRow, SparseRows};
use ndarray::Array2;

/// A kernel of dense vectors, on [`SparseRows`].
///
/// # Definition
/// κ(a, b) = κ₁(a′, b′), where a′ and b′ are a and b without the columns in which neither has an
/// entry. For kernels that [ignore common zeros](Kernel::ignores_common_zeros) this is κ₁(a, b), at
/// the cost of the stored entries.
///
/// # Errors
/// At fit and for new samples, [`Error::CommonZeros`] if κ₁ does not ignore common zeros, and what κ₁ refuses.
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
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "sparse")
)]
pub struct Sparse<K> {
    kernel: K,
}

crate::composable!(impl<K> Sparse<K>);

impl<K> Sparse<K> {
    /// The kernel κ₁ on sparse vectors.
    pub fn new(kernel: K) -> Self {
        Self { kernel }
    }
}

impl<F, K> Kernel<SparseRows<F>> for Sparse<K>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    type Scalar = F;

    crate::parameters!("sparse"; kernel);

    fn eval(&self, a: &SparseRow<F>, b: &SparseRow<F>) -> F {
        let (a, b) = a.without_common_zeros(b);
        self.kernel.eval(&a, &b)
    }

    fn check(&self, x: &SparseRows<F>) -> Result<(), Error> {
        if !self.kernel.ignores_common_zeros() {
            return Err(Error::CommonZeros {
                kernel: self.kernel.describe().to_string(),
            });
        }
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

    fn squared_distance_of_inputs(&self, squared: F) -> Option<F> {
        self.kernel.squared_distance_of_inputs(squared)
    }

    fn gaussian_gamma(&self) -> Option<F> {
        self.kernel.gaussian_gamma()
    }

    fn linear_factor(&self) -> Option<F> {
        self.kernel.linear_factor()
    }
}
