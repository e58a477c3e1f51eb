//! The histogram intersection kernel: what two histograms have in common.

use crate::{
    Error, HomogeneousKernel, Kernel, Rows, Scalar,
    kernels::{non_negative, sums},
};
use ndarray::{Array1, Array2, Axis};

/// The histogram intersection kernel.
///
/// # Definition
/// κ(a, b) = Σₖ min(aₖ, bₖ)
///
/// # Errors
/// At fit and for new samples, [`Error::SampleOutsideDomain`] naming a negative feature.
///
/// # Example
/// ```
/// use npt_core::{HistogramIntersection, Kernel};
///
/// let value: f64 = HistogramIntersection::new().eval(&[1.0, 5.0], &[3.0, 2.0]);
/// assert_eq!(value, 1.0 + 2.0);
/// ```
///
/// # References
/// A. Barla, F. Odone, A. Verri, "Histogram intersection kernel for image classification", ICIP
/// 2003. doi:10.1109/ICIP.2003.1247294
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "histogram_intersection")
)]
pub struct HistogramIntersection;

crate::composable!(HistogramIntersection);

impl HistogramIntersection {
    /// The histogram intersection kernel; it has no parameters.
    pub fn new() -> Self {
        Self
    }
}

/// The smaller of two numbers, without a look for NaN.
pub(super) fn smaller<F: Scalar>(a: F, b: F) -> F {
    if a < b { a } else { b }
}

impl<F: Scalar> Kernel<Rows<F>> for HistogramIntersection {
    type Scalar = F;

    crate::parameters!("histogram_intersection");

    fn eval(&self, a: &[F], b: &[F]) -> F {
        a.iter().zip(b).map(|(&a, &b)| smaller(a, b)).sum()
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        sums(a, b, smaller)
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        x.view().sum_axis(Axis(1))
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        non_negative("HistogramIntersection", x)
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
