//! The min-max kernel: what two histograms have in common, as a share of what either has.

use super::intersection::smaller;
use crate::{
    Error, Kernel, Rows, Samples, Scalar,
    kernels::{fold_features, non_negative},
};
use ndarray::{Array1, Array2};

/// The min-max kernel, also called weighted Jaccard or Ruzicka similarity. For vectors of 0 and 1
/// it is the Jaccard index, as is [`Tanimoto`](crate::Tanimoto).
///
/// # Definition
/// κ(a, b) = Σₖ min(aₖ, bₖ) / Σₖ max(aₖ, bₖ), and 1 for two zero vectors.
///
/// # Errors
/// At fit and for new samples, [`Error::SampleOutsideDomain`] naming a negative feature.
///
/// # Example
/// ```
/// use npt_core::{Kernel, MinMax};
///
/// let value: f64 = MinMax::new().eval(&[1.0, 5.0], &[3.0, 2.0]);
/// assert_eq!(value, (1.0 + 2.0) / (3.0 + 5.0));
/// ```
///
/// # References
/// L. Ralaivola, S. J. Swamidass, H. Saigo, P. Baldi, "Graph kernels for chemical informatics",
/// Neural Networks 18(8), 2005. doi:10.1016/j.neunet.2005.07.009
///
/// S. Ioffe, "Improved consistent sampling, weighted minhash and L1 sketching", ICDM 2010: the kernel is
/// the probability that two random hashes agree, hence positive semidefinite.
/// doi:10.1109/ICDM.2010.80
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "min_max")
)]
pub struct MinMax;

crate::composable!(MinMax);

impl MinMax {
    /// The min-max kernel; it has no parameters.
    pub fn new() -> Self {
        Self
    }
}

/// The sum of all features.
fn total<F: Scalar>(sample: &[F]) -> F {
    sample.iter().copied().sum()
}

/// The share Σ min / Σ max, with Σ max = Σa + Σb − Σ min. Σ max is at least half of Σa + Σb, so that nothing cancels.
fn share<F: Scalar>(common: F, totals: F) -> F {
    if totals.is_zero() {
        F::one()
    } else {
        common / (totals - common)
    }
}

impl<F: Scalar> Kernel<Rows<F>> for MinMax {
    type Scalar = F;

    crate::parameters!("min_max");

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let common: F = a.iter().zip(b).map(|(&a, &b)| smaller(a, b)).sum();
        share(common, total(a) + total(b))
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        let totals: Vec<F> = (0..b.len()).map(|j| total(b.get(j))).collect();
        let add = |_, sum: F, a: F, b: F| sum + smaller(a, b);
        fold_features(a, b, F::zero(), add, |i, row| {
            let a_total = total(a.get(i));
            for (value, &b_total) in row.iter_mut().zip(&totals) {
                *value = share(*value, a_total + b_total);
            }
        })
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        Array1::ones(x.len())
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        non_negative("MinMax", x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }
}
