//! Random features of polynomial kernels.

mod map;

pub use map::SketchMap;

use super::{
    Fitted, Space, SpaceBuilder,
    options::{Shape, shape_setters},
};
use crate::{
    AsSamples, Error, Kernel, Polynomial, Rows, Samples, Scalar,
    error::{at_least_one, not_negative},
    require_memory,
};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;

/// The largest number of features: a larger number has no next power of two on some machines.
const MOST_FEATURES: usize = 1 << 32;

/// Builds a space of random features for the polynomial kernel: m features, without any kernel value.
///
/// # Definition
/// The features are a sketch of the products of d entries of a sample. Entries are hashed with random signs, once for each
/// of the d factors, and the transforms of the hashed vectors are multiplied ([`SketchMap`]). The features are then centred
/// and turned as in every space. The kernel represented, κ̂, has the mean κ(a, b) and a standard deviation of at most
/// √(3ᵈ/m)·√(κ(a, a)κ(b, b)); residuals are those of κ̂.
///
/// Convolution over binary digits takes the place of the cyclic convolution of the reference, and the Walsh–Hadamard
/// transform takes the place of the Fourier transform. So there are no complex numbers, and the transform need not be undone.
///
/// A sample of p features takes d(p + M log M) operations, with M the smallest power of two that is not below m. An m that is
/// a power of two uses the whole transform.
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | [`seed`](Self::seed) | 0 | the seed of hashes and signs |
/// | [`rank`](Self::rank) | `Tolerance(0.0)` | how many principal axes to keep |
/// | [`axes`](Self::axes) | `Principal` | on `Cholesky` axes, coordinates are the features themselves, whatever the rank |
/// | [`centered`](Self::centered) | `true` | whether the origin is the mean of the f(xᵢ) |
///
/// # Errors
/// [`Error::Parameter`] for no features, for what the kernel refuses, and for a negative constant, with which the kernel
/// is not positive semidefinite; [`Error::Overflow`], [`Error::Rank`], [`Error::NoVariance`] if all samples coincide,
/// [`Error::Memory`].
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_core::{Kernel, KernelSpace, Polynomial, Rows, SpaceBuilder, TensorSketch};
///
/// let x = Array2::from_shape_fn((40, 50), |(i, j)| ((i * (j + 1)) as f64).sin() / 5.0);
/// let kernel = Polynomial::new(3, 0.5, 1.0);
/// let space = TensorSketch::new(kernel, 4096).centered(false).fit_space(&x)?;
/// let y = space.training_coordinates();
/// let gram = kernel.gram(&Rows::new(x)?);
/// // There are 23,426 products of up to three features.
/// assert!(space.rank() <= 40);
/// let largest = gram.fold(0.0_f64, |m, v| m.max(v.abs()));
/// assert!((y.dot(&y.t()) - gram).iter().all(|d| d.abs() < 0.1 * largest));
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// N. Pham, R. Pagh, "Fast and Scalable Polynomial Kernels via Explicit Feature Maps", KDD 2013.
/// doi:10.1145/2487575.2487591
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TensorSketch<F> {
    kernel: Polynomial<F>,
    features: usize,
    seed: u64,
    shape: Shape,
}

impl<F> TensorSketch<F> {
    /// Creates a builder of centred spaces of `features` features, on principal axes.
    pub fn new(kernel: Polynomial<F>, features: usize) -> Self {
        Self {
            kernel,
            features,
            seed: 0,
            shape: Shape::default(),
        }
    }

    /// Sets the seed of hashes and signs.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    shape_setters!();

    /// The kernel κ.
    pub fn kernel(&self) -> &Polynomial<F> {
        &self.kernel
    }
}

impl<F: Scalar> SpaceBuilder<Rows<F>> for TensorSketch<F> {
    type Space = Space<SketchMap<F>, F>;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = Rows<F>>,
    ) -> Result<Fitted<Self::Space>, Error> {
        let x = records.as_samples()?;
        if x.is_empty() {
            return Err(Error::NoSamples);
        }
        at_least_one("TensorSketch", "features", self.features)?;
        if self.features > MOST_FEATURES {
            return Err(Error::Parameter {
                of: "TensorSketch",
                parameter: "features",
                value: self.features as f64,
                allowed: "at most 2³²",
            });
        }
        self.shape.check(x.len())?;
        self.kernel.check(&x)?;
        not_negative("Polynomial", "constant", self.kernel.constant().as_f64())?;
        let columns = x.view().ncols();
        require_memory::<F>("the matrix of features", x.len(), self.features)?;
        require_memory::<F>("the hashes", self.kernel.degree() as usize, columns + 1)?;
        let mut rng = Xoshiro256Plus::seed_from_u64(self.seed);
        let map = SketchMap::draw(&self.kernel, self.features, columns, &mut rng);
        Space::of_shape(map, &x, self.shape)
    }
}
