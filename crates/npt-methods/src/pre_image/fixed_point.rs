//! Pre-images by fixed-point iteration.

mod climb;

use super::{PreImage, Training};
use crate::{Error, error::require};
use climb::{Climb, Landscape};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use npt_core::{Gaussian, Kernel, Linear, Samples, Scalar, linalg};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256Plus;

/// Pre-images in spaces of Gaussian kernels, by the fixed-point iteration for ‖φ(z) − p‖².
///
/// # Definition
/// With p = Σ γᵢφ(xᵢ), the mean of the training samples included, ‖φ(z) − p‖² is smallest where
/// g(z) = Σ γᵢκ(xᵢ, z) is largest. There z is its own image under
///
/// z ← Σ γᵢκ(xᵢ, z) xᵢ / Σ γᵢκ(xᵢ, z),
///
/// a step along the gradient of g wherever g > 0. A step that does not raise g is halved until it
/// does, so that the iteration ends in a local maximum and not in a cycle.
///
/// It starts from the landmark whose φ is closest to p, and where it fails, because g is not above
/// rounding level or the iterations are used up, again from random landmarks. For the linear kernel
/// z = Σ γᵢxᵢ is p itself.
///
/// No other kernel fits:
/// ```compile_fail
/// use ndarray::array;
/// use npt_core::{Exact, KernelSpace, Laplacian, SpaceBuilder};
/// use npt_methods::pre_image::{FixedPoint, PreImage, Training};
///
/// let x = array![[0.0], [1.0], [3.0]];
/// let space = Exact::new(Laplacian::new(0.5)).fit_space(&x).unwrap();
/// let training = Training::new(&space, &x).unwrap();
/// FixedPoint::new().pre_images(&training, space.training_coordinates()).unwrap();
/// ```
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | [`starts`](Self::starts) | 20 | how many starts to try |
/// | [`max_iterations`](Self::max_iterations) | 1000 | the most evaluations of g from one start |
/// | [`tolerance`](Self::tolerance) | 10⁻⁹ | the length of the last step, in units of γ^-½ |
/// | [`seed`](Self::seed) | 0 | which landmarks come after the first start |
///
/// # Errors
/// [`Error::NoPreImage`] where all starts fail, with the best iterate; [`Error::Parameter`]; as
/// [`PreImage::pre_images`] says for the points.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
/// use npt_methods::pre_image::{FixedPoint, PreImage, Training};
///
/// // Halfway between φ(0) and φ(1), z is halfway between 0 and 1.
/// let x = array![[0.0], [1.0]];
/// let space = Exact::new(Gaussian::new(0.5)).fit_space(&x)?;
/// let training = Training::new(&space, &x)?;
/// let z = FixedPoint::new().pre_images(&training, array![[0.0]].view())?;
/// assert!((z[[0, 0]] - 0.5_f64).abs() < 1e-8);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// S. Mika, B. Schölkopf, A. Smola, K.-R. Müller, M. Scholz, G. Rätsch, "Kernel PCA and De-Noising in
/// Feature Spaces", NIPS 11, 1998, equation 10.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedPoint {
    starts: usize,
    max_iterations: usize,
    tolerance: f64,
    seed: u64,
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
    /// With the defaults of the table.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many starts to try for each point, at least 1.
    pub fn starts(mut self, starts: usize) -> Self {
        self.starts = starts;
        self
    }

    /// The most evaluations of g from one start, at least 1.
    pub fn max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// The length of a step that ends the iteration, above 0, in units of the kernel's width γ^-½;
    /// a step that rounding alone can explain ends it, too.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The seed of the order in which landmarks are tried after the first start.
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

impl<F: Scalar> PreImage<F, Linear> for FixedPoint {
    fn pre_images(
        &self,
        training: &Training<'_, F, Linear>,
        points: ArrayView2<'_, F>,
    ) -> Result<Array2<F>, Error> {
        self.validate()?;
        let gamma = training.space().combinations(points)?;
        let landmarks = training.space().landmarks().view();
        Ok(linalg::product(gamma.view(), landmarks))
    }
}

impl<F: Scalar> PreImage<F, Gaussian<F>> for FixedPoint {
    fn pre_images(
        &self,
        training: &Training<'_, F, Gaussian<F>>,
        points: ArrayView2<'_, F>,
    ) -> Result<Array2<F>, Error> {
        self.validate()?;
        let space = training.space();
        let gamma = space.combinations(points)?;
        let landmarks = space.landmarks();
        let gram = space.kernel().gram(landmarks);
        let landscape = Landscape::new(landmarks.view(), space.kernel().gamma())?;
        let mut order: Vec<usize> = (0..landmarks.len()).collect();
        order.shuffle(&mut Xoshiro256Plus::seed_from_u64(self.seed));

        let mut inputs = Array2::zeros((points.nrows(), landmarks.view().ncols()));
        // Panels bound the memory; they change no result.
        for start in (0..points.nrows()).step_by(PANEL) {
            let end = (start + PANEL).min(points.nrows());
            let gamma = gamma.slice(s![start..end, ..]);
            let at_landmarks = linalg::product(gamma, gram.view());
            let found = self
                .search(&landscape, gamma, &at_landmarks, &order)
                .map_err(|failure| {
                    let point = failure.point;
                    let (gamma, value) = (gamma.row(point), failure.value);
                    let squared = gamma.dot(&at_landmarks.row(point));
                    Error::NoPreImage {
                        point: start + point,
                        iterate: landscape.input(&failure.z).mapv(F::as_f64).to_vec(),
                        residual: (F::one() - value - value + squared).as_f64(),
                    }
                })?;
            for (mut input, z) in inputs
                .slice_mut(s![start..end, ..])
                .outer_iter_mut()
                .zip(found)
            {
                input.assign(&landscape.input(&z));
            }
        }
        Ok(inputs)
    }
}

const PANEL: usize = 1024;

/// The best of what did not converge.
struct Failure<F> {
    point: usize,
    z: Array1<F>,
    value: F,
}

impl FixedPoint {
    /// The maxima for all rows of γ, from as many starts as it takes.
    fn search<F: Scalar>(
        &self,
        landscape: &Landscape<F>,
        gamma: ArrayView2<'_, F>,
        at_landmarks: &Array2<F>,
        order: &[usize],
    ) -> Result<Vec<Array1<F>>, Failure<F>> {
        let mut found: Vec<Option<Array1<F>>> = vec![None; gamma.nrows()];
        let mut best: Vec<Option<(Array1<F>, F)>> = vec![None; gamma.nrows()];
        let mut left: Vec<usize> = (0..gamma.nrows()).collect();
        for start in 0..self.starts.min(order.len() + 1) {
            let from = |&point: &usize| match start {
                0 => largest(at_landmarks.row(point)),
                _ => order[start - 1],
            };
            let from: Vec<usize> = left.iter().map(from).collect();
            let starts = landscape.landmarks().select(Axis(0), &from);
            let gamma = gamma.select(Axis(0), &left);
            let tolerance = F::cast(self.tolerance);
            let ends = landscape.climb(gamma, starts, self.max_iterations, tolerance);
            for (&point, end) in left.iter().zip(ends) {
                match end {
                    Climb::Top(z) => found[point] = Some(z),
                    Climb::Failed(z, value) => {
                        if best[point].as_ref().is_none_or(|&(_, best)| value > best) {
                            best[point] = Some((z, value));
                        }
                    }
                }
            }
            left.retain(|&point| found[point].is_none());
            if left.is_empty() {
                break;
            }
        }
        if let Some(&point) = left.first() {
            let (z, value) = best[point].take().expect("every start ends somewhere");
            return Err(Failure { point, z, value });
        }
        Ok(found.into_iter().flatten().collect())
    }
}

fn largest<F: Scalar>(values: ArrayView1<'_, F>) -> usize {
    let mut best = 0;
    for (i, &value) in values.iter().enumerate() {
        if value > values[best] {
            best = i;
        }
    }
    best
}
