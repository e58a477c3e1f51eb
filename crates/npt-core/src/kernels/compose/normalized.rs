//! Kernels normalised to κ(x, x) = 1.

use crate::{Error, Kernel, Samples, Scalar, watch::Carrier};
use ndarray::{Array1, Array2, Zip};

/// A kernel whose feature vectors are scaled to length 1: the cosine of the angle in the feature
/// space of another kernel. Long documents and large graphs do not count more than small ones.
///
/// # Definition
/// κ(a, b) = κ₁(a, b) / √(κ₁(a, a)·κ₁(b, b))
///
/// # Errors
/// At fit and for new samples, [`Error::SampleOutsideDomain`] naming a sample with κ₁(x, x) ≤ 0,
/// [`Error::KernelNotFinite`], and what κ₁ itself refuses.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Linear, Normalized};
///
/// let value: f64 = Normalized::new(Linear::new()).eval(&[3.0, 4.0], &[4.0, 3.0]);
/// assert_eq!(value, (3.0 * 4.0 + 4.0 * 3.0) / (25.0_f64.sqrt() * 25.0_f64.sqrt()));
/// ```
///
/// # References
/// J. Shawe-Taylor, N. Cristianini, *Kernel Methods for Pattern Analysis*, Cambridge University
/// Press 2004, section 5.1. doi:10.1017/CBO9780511809682
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "normalized")
)]
pub struct Normalized<K> {
    kernel: K,
}

crate::composable!(impl<K> Normalized<K>);

impl<K> Normalized<K> {
    /// The kernel κ₁, normalised.
    pub fn new(kernel: K) -> Self {
        Self { kernel }
    }

    /// The kernel κ₁.
    pub fn inner(&self) -> &K {
        &self.kernel
    }

    /// The lengths √κ₁(x, x) of the samples. Roots are taken before products, as products might overflow.
    fn lengths<S: Samples>(&self, x: &S) -> Array1<K::Scalar>
    where
        K: Kernel<S>,
    {
        self.kernel.diag(x).mapv_into(num_traits::Float::sqrt)
    }
}

/// The value κ₁(a, b) divided by the lengths of a and b, one after the other, as their product might overflow. The longer
/// length comes first, so that κ(b, a) is rounded in the same way.
fn quotient<F: Scalar>(value: F, a: F, b: F) -> F {
    value / a.max(b) / a.min(b)
}

/// Divides each value by the lengths of its row and its column.
fn divide<F: Scalar>(mut matrix: Array2<F>, rows: &Array1<F>, columns: &Array1<F>) -> Array2<F> {
    let _no_tokens = Carrier::new();
    Zip::from(matrix.rows_mut())
        .and(rows)
        .par_for_each(|mut values, &row| {
            values.zip_mut_with(columns, |value, &column| {
                *value = quotient(*value, row, column);
            });
        });
    matrix
}

impl<S: Samples, K: Kernel<S>> Kernel<S> for Normalized<K> {
    type Scalar = K::Scalar;

    crate::parameters!("normalized"; kernel);

    fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
        let length = |x| num_traits::Float::sqrt(self.kernel.eval(x, x));
        quotient(self.kernel.eval(a, b), length(a), length(b))
    }

    fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
        divide(self.kernel.cross(a, b), &self.lengths(a), &self.lengths(b))
    }

    fn gram(&self, x: &S) -> Array2<K::Scalar> {
        let lengths = self.lengths(x);
        let mut matrix = divide(self.kernel.gram(x), &lengths, &lengths);
        matrix.diag_mut().fill(num_traits::One::one());
        matrix
    }

    fn diag(&self, x: &S) -> Array1<K::Scalar> {
        Array1::ones(x.len())
    }

    fn check(&self, x: &S) -> Result<(), Error> {
        self.kernel.check(x)?;
        for (row, value) in self.kernel.diag(x).into_iter().enumerate() {
            let value = value.as_f64();
            if !value.is_finite() {
                return Err(Error::KernelNotFinite {
                    row,
                    column: row,
                    value,
                });
            }
            if value <= 0.0 {
                return Err(Error::SampleOutsideDomain {
                    row,
                    column: None,
                    kernel: "Normalized",
                    needs: "a kernel value of the sample with itself above 0",
                });
            }
        }
        Ok(())
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.kernel.is_positive_semidefinite()
    }

    fn with_length_scales<'a>(
        &'a self,
        length_scales: &'a S::Sample,
    ) -> Option<Box<dyn Kernel<S, Scalar = K::Scalar> + 'a>>
    where
        S: 'a,
    {
        let kernel = self.kernel.with_length_scales(length_scales)?;
        Some(Box::new(Normalized::new(kernel)))
    }

    fn ignores_common_zeros(&self) -> bool {
        self.kernel.ignores_common_zeros()
    }

    /// The γ of κ₁: a Gaussian is normalised already.
    fn gaussian_gamma(&self) -> Option<K::Scalar> {
        self.kernel.gaussian_gamma()
    }
}
