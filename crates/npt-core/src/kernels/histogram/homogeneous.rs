//! The spectra of additive kernels of histograms.

use super::{AdditiveChiSquared, HistogramIntersection};

/// An additive kernel that grows in proportion to its arguments: κ(a, b) = Σₖ κ₁(aₖ, bₖ) with κ₁(ta, tb) = t·κ₁(a, b). It is
/// a mean of waves in the logarithm of the ratio of its arguments: κ₁(a, b) = √(ab) ∫ s(ω) cos(ω log(b/a)) dω.
///
/// | kernel | spectrum s(ω) |
/// |---|---|
/// | [`AdditiveChiSquared`] | 1/cosh(πω) |
/// | [`HistogramIntersection`] | 2/(π(1 + 4ω²)) |
///
/// # Example
/// ```
/// use npt_core::{AdditiveChiSquared, HomogeneousKernel, Kernel};
///
/// let kernel = AdditiveChiSquared::new();
/// let (a, b) = (0.3_f64, 1.1);
/// let wave = |ω: f64| kernel.spectrum(ω) * (ω * (b / a).ln()).cos();
/// let integral: f64 = (-4000..4000).map(|k| wave(f64::from(k) * 1e-3) * 1e-3).sum();
/// assert!(((a * b).sqrt() * integral - kernel.eval(&[a], &[b])).abs() < 1e-5);
/// ```
///
/// # References
/// A. Vedaldi, A. Zisserman, "Efficient additive kernels via explicit feature maps", IEEE TPAMI
/// 34(3), 2012. doi:10.1109/TPAMI.2011.153
pub trait HomogeneousKernel {
    /// The spectrum s(ω) ≥ 0, which is the same for −ω.
    fn spectrum(&self, frequency: f64) -> f64;
}

impl HomogeneousKernel for AdditiveChiSquared {
    fn spectrum(&self, frequency: f64) -> f64 {
        (std::f64::consts::PI * frequency).cosh().recip()
    }
}

impl HomogeneousKernel for HistogramIntersection {
    fn spectrum(&self, frequency: f64) -> f64 {
        std::f64::consts::FRAC_2_PI / (1.0 + 4.0 * frequency * frequency)
    }
}
