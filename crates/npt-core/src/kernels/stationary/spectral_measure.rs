//! The spectral measures of kernels of differences.

use rand::RngCore;

/// The spectral measure of a kernel of the difference of two vectors. The kernel is a mean of waves,
/// κ(a, b) = E cos⟨ω, a − b⟩, over random frequencies ω (Bochner's theorem). Here ωⱼ = sⱼzⱼ, with zⱼ standard
/// normal and random deviations sⱼ.
///
/// | kernel | deviations |
/// |---|---|
/// | [`Gaussian`](super::Gaussian) | √(2γ) |
/// | [`Exponential`](super::Exponential) | γ / \|z\|, the same for all features |
/// | [`Laplacian`](super::Laplacian) | γ / \|z\|, each feature its own |
/// | [`Matern`](super::Matern) | √(2ν / χ²) / ℓ, χ² of 2ν degrees of freedom |
/// | [`RationalQuadratic`](super::RationalQuadratic) | √τ, τ of a gamma distribution with shape α and rate αℓ² |
/// | [`LengthScales`](super::LengthScales) | the deviations of its kernel, divided by ℓⱼ |
///
/// A kernel gives its measure by [`Kernel::spectral_measure`](crate::Kernel::spectral_measure).
///
/// # Example
/// ```
/// use npt_core::{Kernel, Laplacian, SpectralMeasure};
/// use rand::{Rng, SeedableRng};
/// use rand_distr::StandardNormal;
/// use rand_xoshiro::Xoshiro256Plus;
///
/// let kernel = Laplacian::new(0.5);
/// let (a, b) = ([1.0, 2.0], [0.4, 2.7]);
/// let mut rng = Xoshiro256Plus::seed_from_u64(1);
/// let mut deviations = [0.0; 2];
/// let wave = |_| {
///     kernel.draw_deviations(&mut rng, &mut deviations);
///     let angle = |j: usize| deviations[j] * rng.sample::<f64, _>(StandardNormal) * (a[j] - b[j]);
///     (0..2).map(angle).sum::<f64>().cos()
/// };
/// let mean = (0..100_000).map(wave).sum::<f64>() / 1e5;
/// assert!((mean - kernel.eval(&a, &b)).abs() < 0.01);
/// ```
///
/// # References
/// A. Rahimi, B. Recht, "Random Features for Large-Scale Kernel Machines", NIPS 20, 2007, section 3.
pub trait SpectralMeasure {
    /// Draws the deviations s of one frequency, one a feature.
    fn draw_deviations(&self, rng: &mut dyn RngCore, deviations: &mut [f64]);

    /// Returns whether the deviations of a frequency are one number, times a fixed scale for each feature: frequencies
    /// at right angles then represent the kernel better than independent ones.
    fn is_isotropic(&self) -> bool {
        true
    }
}

impl<M: SpectralMeasure + ?Sized> SpectralMeasure for &M {
    fn draw_deviations(&self, rng: &mut dyn RngCore, deviations: &mut [f64]) {
        (**self).draw_deviations(rng, deviations);
    }

    fn is_isotropic(&self) -> bool {
        (**self).is_isotropic()
    }
}
