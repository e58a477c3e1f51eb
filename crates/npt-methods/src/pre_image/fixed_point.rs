//! Pre-images by fixed-point iteration.

mod climb;
mod search;

use super::{PreImage, PreImageMap, Training};
use crate::{
    Error,
    error::{require, require_finite},
};
use ndarray::{Array2, ArrayView2};
use npt_core::{
    AsSamples, Expansion, ExpansionSpace, Gaussian, Kernel, Rows, Samples, Scalar,
    catalogue::Range, linalg,
};

/// Pre-images in spaces of Gaussian kernels, by the fixed-point iteration for ‖φ(z) − p‖².
///
/// # Definition
/// With p = Σ γᵢφ(xᵢ), the mean of the training samples included, ‖φ(z) − p‖² is smallest where
/// g(z) = Σ γᵢκ(xᵢ, z) is largest. A z of largest g is its own image under
///
/// z ← Σ γᵢκ(xᵢ, z) xᵢ / Σ γᵢκ(xᵢ, z),
///
/// a step along the gradient of g wherever g > 0. A step that does not raise g is halved until it
/// does, so that the iteration ends in a local maximum and not in a cycle.
///
/// The first start is the input that [`pre_images_near`](PreImageMap::pre_images_near) was given, if any, then
/// the landmark whose φ is closest to p, then random landmarks. The next start is tried where the
/// one before fails: g is not above rounding level, or the iterations are used up. For the
/// linear kernel z = Σ γᵢxᵢ is p itself.
///
/// A kernel of any type counts as Gaussian or linear if its [`Kernel::gaussian_gamma`] or [`Kernel::linear_factor`] is known; every other
/// kernel is refused.
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | [`starts`](Self::starts) | 20 | how many starts to try |
/// | [`max_iterations`](Self::max_iterations) | 1000 | the most evaluations of g from one start |
/// | [`tolerance`](Self::tolerance) | 10⁻⁹ | the length of the last step, in units of γ^-½ |
/// | [`seed`](Self::seed) | 0 | the order of the random xᵢ |
///
/// # Errors
/// [`npt_core::Error::UnsuitableKernel`] for other kernels;
/// [`Error::NoPreImage`] where all starts fail, with the best iterate; [`Error::Parameter`];
/// [`Error::Overflow`] where γ, or z for the linear kernel, is not finite; the errors of
/// [`PreImageMap::pre_images`] for the points.
///
/// # Example
/// ```
/// use ndarray::{Array2, array};
/// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
/// use npt_methods::pre_image::{FixedPoint, PreImageMap};
///
/// // Halfway between φ(0) and φ(1), their mean, z is halfway between 0 and 1.
/// let x = array![[0.0], [1.0]];
/// let (space, ..) = Exact::new(Gaussian::new(0.5)).fit_space(&x)?.into_parts();
/// let mean = Array2::zeros((1, space.rank()));
/// let z = FixedPoint::new().pre_images(&space, mean.view())?;
/// assert!((z[[0, 0]] - 0.5_f64).abs() < 1e-8);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// S. Mika, B. Schölkopf, A. Smola, K.-R. Müller, M. Scholz, G. Rätsch, "Kernel PCA and De-Noising in
/// Feature Spaces", NIPS 11, 1998, equation 10.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FixedPoint {
    starts: usize,
    max_iterations: usize,
    tolerance: f64,
    seed: u64,
}

npt_core::parameters_by_name! {
    impl Parameters for FixedPoint, "FixedPoint"; {
        default {
            starts: usize = 20, Range::AtLeast(1), "The number of starts to try for each point.";
            max_iterations: usize = 1000, Range::AtLeast(1), "The most evaluations from one start.";
            tolerance: f64 = 1e-9, Range::Positive, "The length of a step that ends the iteration, in units of the kernel's width.";
            seed: u64 = 0, Range::AtLeast(0), "The seed of the order in which training samples are tried as starts.";
        }
    }
}

impl Default for FixedPoint {
    fn default() -> Self {
        Self {
            starts: 20,
            max_iterations: 1000,
            tolerance: 1e-9,
            seed: 0,
        }
    }
}

impl FixedPoint {
    /// Parameters with the defaults of the table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of starts to try for each point, at least 1; 20 by default.
    pub fn starts(mut self, starts: usize) -> Self {
        self.starts = starts;
        self
    }

    /// The most evaluations of g from one start, at least 1; 1000 by default.
    pub fn max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// The length of a step that ends the iteration, above 0, in units of the kernel's width γ^-½;
    /// a step that rounding alone can explain ends it, too. 10⁻⁹ by default.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The seed of the order in which random training samples are tried; 0 by default.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    fn validate(&self) -> Result<(), Error> {
        let of = "FixedPoint";
        require(self.starts > 0, of, "starts", 0.0, "at least 1")?;
        let some = self.max_iterations > 0;
        require(some, of, "max_iterations", 0.0, "at least 1")?;
        let valid = self.tolerance > 0.0 && self.tolerance.is_finite();
        let allowed = "finite and above 0";
        require(valid, of, "tolerance", self.tolerance, allowed)
    }
}

/// Learns nothing from the training samples.
impl<F, P> PreImage<P> for FixedPoint
where
    F: Scalar,
    P: ExpansionSpace<Samples = Rows<F>, Scalar = F, Kernel: Kernel<Rows<F>, Scalar = F>>,
{
    type Map = Self;

    fn fit(&self, training: &Training<'_, P>) -> Result<Self, Error> {
        self.validate()?;
        gaussian(training.space().kernel())?;
        Ok(*self)
    }
}

impl<F, P> PreImageMap<P> for FixedPoint
where
    F: Scalar,
    P: ExpansionSpace<Samples = Rows<F>, Scalar = F, Kernel: Kernel<Rows<F>, Scalar = F>>,
{
    fn pre_images(&self, space: &P, points: ArrayView2<'_, F>) -> Result<Array2<F>, Error> {
        self.validate()?;
        self.find(&space.points(points)?, None)
    }

    fn pre_images_near(
        &self,
        space: &P,
        points: ArrayView2<'_, F>,
        inputs: ArrayView2<'_, F>,
    ) -> Result<Array2<F>, Error> {
        self.validate()?;
        let inputs = inputs.as_samples()?;
        let (samples, targets) = (points.nrows(), inputs.len());
        if samples != targets {
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        let points = space.points(points)?;
        points.samples().check_compatible(&inputs)?;
        self.find(&points, Some(inputs.view()))
    }
}

impl FixedPoint {
    fn find<F: Scalar, K: Kernel<Rows<F>, Scalar = F>>(
        &self,
        points: &Expansion<Rows<F>, K, F>,
        near: Option<ArrayView2<'_, F>>,
    ) -> Result<Array2<F>, Error> {
        let (gamma, samples) = (points.coefficients().reversed_axes(), points.samples());
        require_finite("FixedPoint", gamma.iter())?;
        let inputs = match gaussian(points.kernel())? {
            Some(kernel) => self.search(kernel, samples, gamma, near)?,
            None => linalg::product(gamma, samples.view()),
        };
        require_finite("FixedPoint", inputs.iter())?;
        Ok(inputs)
    }
}

/// Returns the Gaussian kernel that `kernel` is; `None` for a linear kernel, of which every point is an input.
fn gaussian<F: Scalar>(
    kernel: &impl Kernel<Rows<F>, Scalar = F>,
) -> Result<Option<Gaussian<F>>, npt_core::Error> {
    let gaussian = kernel.gaussian_gamma().map(Gaussian::new);
    if gaussian.is_none() && kernel.linear_factor().is_none() {
        return Err(npt_core::Error::UnsuitableKernel {
            of: "FixedPoint",
            kernel: kernel.describe().to_string(),
            needs: "a Gaussian or a linear one",
        });
    }
    Ok(gaussian)
}
