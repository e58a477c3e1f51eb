//! The kernel of samples whose kernel values somebody else has computed.

use crate::{Kernel, KernelRows, Samples, Scalar, linalg::fill_rows, samples::KernelRow};
use ndarray::{Array1, Array2};

/// The kernel of [`KernelRows`]: it looks its values up.
///
/// # Definition
/// κ(xᵢ, xⱼ) = 𝒦ᵢⱼ, where 𝒦 is the precomputed kernel matrix of the reference samples, or the cross kernel matrix of other
/// samples with them. If neither of two different samples is a reference sample, κ is not known, and NaN; no method asks for
/// it. κ(x, x) of a sample that is no reference sample is the value that [`KernelRows::with_self_values`] was given. Without
/// that value it is NaN, which residuals report as
/// [`Error::KernelNotFinite`](crate::Error::KernelNotFinite).
///
/// Call [`assume_positive_semidefinite`](Self::assume_positive_semidefinite) if you know that 𝒦 is: a fit by kernel values
/// then does without a factorisation of 𝒦, n³/3 operations ([`Kernel::is_positive_semidefinite`]).
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | `positive_semidefinite` | `false` | whether 𝒦 is taken to be positive semidefinite without a look at it |
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Kernel, KernelRows, Precomputed};
///
/// let training = KernelRows::training(array![[2.0, 1.0], [1.0, 3.0]].view())?;
/// let new = KernelRows::new_samples(array![[0.5, 0.25]].view())?;
/// assert_eq!(Precomputed::new().cross(&training, &new), array![[0.5], [0.25]]);
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "precomputed")
)]
pub struct Precomputed {
    positive_semidefinite: bool,
}

crate::composable!(Precomputed);

impl Precomputed {
    /// The kernel of precomputed values, not known to be positive semidefinite.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the kernel to be positive semidefinite without a look at all its values.
    pub fn assume_positive_semidefinite(mut self) -> Self {
        self.positive_semidefinite = true;
        self
    }
}

impl<F: Scalar> Kernel<KernelRows<F>> for Precomputed {
    type Scalar = F;

    crate::parameters!("precomputed", positive_semidefinite);

    fn eval(&self, a: &KernelRow<F>, b: &KernelRow<F>) -> F {
        a.value(b).unwrap_or_else(F::nan)
    }

    fn cross(&self, a: &KernelRows<F>, b: &KernelRows<F>) -> Array2<F> {
        let columns: Option<Vec<usize>> = (0..b.len()).map(|j| b.get(j).reference()).collect();
        let mut matrix = Array2::zeros((a.len(), b.len()));
        fill_rows(&mut matrix, |i, row| {
            let sample = a.get(i);
            match &columns {
                Some(columns) => sample.copy_values(columns, row),
                None => {
                    for (j, value) in row.iter_mut().enumerate() {
                        *value = self.eval(sample, b.get(j));
                    }
                }
            }
        });
        matrix
    }

    fn diag(&self, x: &KernelRows<F>) -> Array1<F> {
        let values = (0..x.len()).map(|i| x.get(i).self_value());
        values.map(|value| value.unwrap_or_else(F::nan)).collect()
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.positive_semidefinite
    }
}
