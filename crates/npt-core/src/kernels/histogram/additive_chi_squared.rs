//! The additive χ² kernel: a sum of harmonic means.

use crate::{
    Error, HomogeneousKernel, Kernel, Rows, Scalar,
    kernels::{non_negative, sums},
};
use ndarray::{Array1, Array2, Axis};

/// The additive χ² kernel, in its positive definite form: a linear kernel for histograms in which
/// large bins do not drown the small ones.
///
/// # Definition
/// κ(a, b) = Σₖ 2aₖbₖ / (aₖ + bₖ), where 0/0 is 0.
///
/// scikit-learn's `additive_chi2_kernel` is −Σₖ (aₖ − bₖ)² / (aₖ + bₖ) = 2κ(a, b) − Σₖaₖ − Σₖbₖ. Centred, it is exactly
/// twice this kernel; not centred, it is no kernel.
///
/// # Errors
/// At fit and for new samples, [`Error::SampleOutsideDomain`] naming a negative feature.
///
/// # Example
/// ```
/// use npt_core::{AdditiveChiSquared, Kernel};
///
/// let value: f64 = AdditiveChiSquared::new().eval(&[1.0, 2.0, 0.0], &[3.0, 2.0, 0.0]);
/// assert_eq!(value, 2.0 * 1.0 * 3.0 / 4.0 + 2.0 * 2.0 * 2.0 / 4.0);
/// ```
///
/// # References
/// A. Vedaldi, A. Zisserman, "Efficient additive kernels via explicit feature maps", IEEE TPAMI
/// 34(3), 2012. doi:10.1109/TPAMI.2011.153
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "additive_chi_squared")
)]
pub struct AdditiveChiSquared;

crate::composable!(AdditiveChiSquared);

impl AdditiveChiSquared {
    /// The additive χ² kernel; it has no parameters.
    pub fn new() -> Self {
        Self
    }
}

/// The harmonic mean 2ab / (a + b), computed as the larger number times a share, as the product might overflow.
fn harmonic_mean<F: Scalar>(a: F, b: F) -> F {
    let (smaller, larger) = if a < b { (a, b) } else { (b, a) };
    if smaller.is_zero() {
        F::zero()
    } else {
        F::cast(2) * (larger * (smaller / (smaller + larger)))
    }
}

impl<F: Scalar> Kernel<Rows<F>> for AdditiveChiSquared {
    type Scalar = F;

    crate::parameters!("additive_chi_squared");

    fn eval(&self, a: &[F], b: &[F]) -> F {
        a.iter().zip(b).map(|(&a, &b)| harmonic_mean(a, b)).sum()
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        sums(a, b, harmonic_mean)
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        x.view().sum_axis(Axis(1))
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        non_negative("AdditiveChiSquared", x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }

    fn homogeneous(&self) -> Option<&dyn HomogeneousKernel> {
        Some(self)
    }
}
