//! Random Fourier features.

mod frequencies;
mod map;

pub use map::FourierMap;

use super::{
    Fitted, Space, SpaceBuilder,
    options::{Shape, shape_setters},
};
use crate::{
    AsSamples, Error, Kernel, Rows, Samples, Scalar, error::at_least_one, kernels::center,
    require_memory,
};
use frequencies::Frequencies;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;
use std::sync::Arc;

/// Builds a space of random Fourier features for a kernel of differences: 2m features from m random
/// frequencies, without any kernel value.
///
/// # Definition
/// The features are f(x) = (cos⟨ωₖ, x⟩, sin⟨ωₖ, x⟩)/√m over m frequencies drawn from the
/// [spectral measure](Kernel::spectral_measure) of κ. They are then centred and turned as in every space. The kernel
/// represented is κ̂(a, b) = Σ cos⟨ωₖ, a − b⟩/m ([`FourierMap`]); residuals are those of κ̂. Its mean is κ(a, b); with
/// independent frequencies, its standard deviation is at most 1/√m for any a and b.
///
/// Landmarks ([`Nystrom`](super::Nystrom)) follow the samples and mostly do better with as many features; frequencies
/// need no samples at all.
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | [`orthogonal`](Self::orthogonal) | `true` | whether frequencies are drawn at right angles to each other |
/// | [`structured`](Self::structured) | `false` | whether angles are computed by fast transforms |
/// | [`seed`](Self::seed) | 0 | the seed of the random frequencies |
/// | [`rank`](Self::rank) | `Tolerance(0.0)` | how many principal axes to keep |
/// | [`axes`](Self::axes) | `Principal` | on `Cholesky` axes, coordinates are the features themselves, whatever the rank |
/// | [`centered`](Self::centered) | `true` | whether the origin is the mean of the f(xᵢ) |
///
/// # Errors
/// [`Error::UnsuitableKernel`] for a kernel without a spectral measure,
/// [`Error::Parameter`] for no frequencies and for what the kernel refuses, [`Error::Rank`],
/// [`Error::NoVariance`] if all samples coincide.
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_core::{Gaussian, Kernel, KernelSpace, RandomFourier, Rows, SpaceBuilder};
///
/// let x = Array2::from_shape_fn((50, 3), |(i, j)| ((i * (j + 1)) as f64).sin());
/// let kernel = Gaussian::new(0.5);
/// let space = RandomFourier::new(kernel, 2000).centered(false).fit_space(&x)?;
/// let y = space.training_coordinates();
/// let off = y.dot(&y.t()) - kernel.gram(&Rows::new(x)?);
/// assert!(off.iter().all(|d| d.abs() < 0.07));
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// A. Rahimi, B. Recht, "Random Features for Large-Scale Kernel Machines", NIPS 20, 2007.
///
/// F. X. Yu, A. T. Suresh, K. Choromanski, D. Holtmann-Rice, S. Kumar, "Orthogonal Random Features", NIPS
/// 29, 2016. arXiv:1610.09072. Section 4 has structured frequencies.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RandomFourier<K> {
    kernel: Arc<K>,
    frequencies: usize,
    orthogonal: bool,
    structured: bool,
    seed: u64,
    shape: Shape,
}

/// The smallest number of features for structured frequencies: with fewer, these have too few directions, and take longer
/// than other frequencies.
const LEAST_FEATURES: usize = 64;

/// The directions of frequencies relative to each other.
#[derive(Clone, Copy, PartialEq)]
enum Directions {
    Independent,
    Orthogonal,
    Structured,
}

impl<K> RandomFourier<K> {
    /// Creates a builder of centred spaces of `frequencies` frequencies, on principal axes.
    pub fn new(kernel: K, frequencies: usize) -> Self {
        Self {
            kernel: Arc::new(kernel),
            frequencies,
            orthogonal: true,
            structured: false,
            seed: 0,
            shape: Shape::default(),
        }
    }

    /// Sets whether frequencies are drawn at right angles to each other, as many at a time as there are features.
    /// The mean of κ̂ stays κ, and its deviation becomes smaller. This has an effect only if the kernel
    /// [is isotropic](crate::SpectralMeasure::is_isotropic). True by default.
    pub fn orthogonal(mut self, orthogonal: bool) -> Self {
        self.orthogonal = orthogonal;
        self
    }

    /// Sets whether orthogonal frequencies are the rows of fast transforms, HD₁HD₂HD₃ with the Walsh–Hadamard matrix H and
    /// random signs D. An angle then takes 3·log₂P operations instead of p, with P the smallest power of two that is not below
    /// the number p of features, and P angles are computed at a time. It pays from some hundred features on.
    ///
    /// Directions are not quite uniform, so that the mean of κ̂ is κ up to a term that vanishes as 1/√p. So with fewer than 64
    /// features, frequencies are drawn as without this option. The option has an effect only if the kernel
    /// [is isotropic](crate::SpectralMeasure::is_isotropic). False by default.
    pub fn structured(mut self, structured: bool) -> Self {
        self.structured = structured;
        self
    }

    /// Sets the seed of the random frequencies; 0 by default.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    shape_setters!();

    /// The kernel κ.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<K> Clone for RandomFourier<K> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            ..*self
        }
    }
}

impl<F, K> SpaceBuilder<Rows<F>> for RandomFourier<K>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    type Space = Space<FourierMap<K, F>, F>;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = Rows<F>>,
    ) -> Result<Fitted<Self::Space>, Error> {
        let x = records.as_samples()?;
        at_least_one("RandomFourier", "frequencies", self.frequencies)?;
        self.shape.check(x.len())?;
        self.kernel.check(&x)?;
        if x.is_empty() {
            return Err(Error::NoSamples);
        }
        let measure = self.kernel.spectral_measure();
        let measure = measure.ok_or_else(|| Error::UnsuitableKernel {
            of: "RandomFourier",
            kernel: self.kernel.describe().to_string(),
            needs: "a spectral measure, which functions of a difference of vectors have",
        })?;
        // One far sample would move the mean away from all other samples, and their angles would lose digits.
        let origin = center(&x);
        require_memory::<F>(
            "the matrix of features",
            x.len(),
            self.frequencies.saturating_mul(2),
        )?;
        require_memory::<F>("the frequencies", self.frequencies, origin.len())?;
        let mut rng = Xoshiro256Plus::seed_from_u64(self.seed);
        let structured = self.structured && origin.len() >= LEAST_FEATURES;
        let directions = match (measure.is_isotropic(), structured, self.orthogonal) {
            (true, true, _) => Directions::Structured,
            (true, false, true) => Directions::Orthogonal,
            _ => Directions::Independent,
        };
        let frequencies = Frequencies::draw(
            &*measure,
            self.frequencies,
            origin.len(),
            directions,
            &mut rng,
        );
        let map = FourierMap::new(Arc::clone(&self.kernel), frequencies, origin);
        Space::of_shape(map, &x, self.shape)
    }
}
