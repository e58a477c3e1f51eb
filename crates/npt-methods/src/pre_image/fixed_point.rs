//! Pre-images by fixed-point iteration.

mod climb;

use super::{PreImage, Training};
use crate::{
    Error,
    error::{require, require_finite},
};
use climb::{Climb, Landscape};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use npt_core::{AsSamples, Gaussian, Kernel, LandmarkSpace, Linear, Rows, Samples, Scalar, linalg};
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
/// It starts from the input that [`pre_images_near`](PreImage::pre_images_near) was given, if any, then
/// from the landmark whose φ is closest to p, then from random landmarks: the next one wherever the
/// one before fails, because g is not above rounding level or the iterations are used up. For the
/// linear kernel z = Σ γᵢxᵢ is p itself.
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
/// | [`seed`](Self::seed) | 0 | the order of the random landmarks |
///
/// # Errors
/// [`Error::NoPreImage`] where all starts fail, with the best iterate; [`Error::Parameter`];
/// [`Error::Overflow`] where γ, or z for the linear kernel, is no number; as
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

    /// The seed of the order in which random landmarks are tried.
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
        let inputs = linalg::product(gamma.view(), landmarks);
        require_finite("FixedPoint", inputs.iter())?;
        Ok(inputs)
    }
}

impl<F: Scalar> PreImage<F, Gaussian<F>> for FixedPoint {
    fn pre_images(
        &self,
        training: &Training<'_, F, Gaussian<F>>,
        points: ArrayView2<'_, F>,
    ) -> Result<Array2<F>, Error> {
        self.find(training.space(), points, None)
    }

    fn pre_images_near(
        &self,
        training: &Training<'_, F, Gaussian<F>>,
        points: ArrayView2<'_, F>,
        inputs: ArrayView2<'_, F>,
    ) -> Result<Array2<F>, Error> {
        let inputs = inputs.as_samples()?;
        training.space().landmarks().check_compatible(&inputs)?;
        let (samples, targets) = (points.nrows(), inputs.len());
        if samples != targets {
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        self.find(training.space(), points, Some(inputs.view()))
    }
}

/// Points whose blocks of kernel values are in memory together; the number changes no result.
const PANEL: usize = 1024;

impl FixedPoint {
    fn find<F: Scalar>(
        &self,
        space: &LandmarkSpace<Rows<F>, Gaussian<F>>,
        points: ArrayView2<'_, F>,
        near: Option<ArrayView2<'_, F>>,
    ) -> Result<Array2<F>, Error> {
        self.validate()?;
        let gamma = space.combinations(points)?;
        require_finite("FixedPoint", gamma.iter())?;
        let (kernel, landmarks) = (space.kernel(), space.landmarks());
        let landscape = Landscape::new(landmarks.view(), kernel.gamma())?;
        let mut order: Vec<usize> = (0..landmarks.len()).collect();
        order.shuffle(&mut Xoshiro256Plus::seed_from_u64(self.seed));

        let mut inputs = Array2::zeros((points.nrows(), landmarks.view().ncols()));
        for start in (0..points.nrows()).step_by(PANEL) {
            let end = (start + PANEL).min(points.nrows());
            let panel = Panel {
                gamma: gamma.slice(s![start..end, ..]),
                near: near.map(|near| landscape.position(near.slice(s![start..end, ..]))),
            };
            let found = self.search(&landscape, &panel, &order).map_err(|failure| {
                let (row, value) = (failure.row, failure.value);
                let gamma = panel.gamma.row(row);
                let squared = gamma.dot(&kernel.gram(landmarks).dot(&gamma));
                Error::NoPreImage {
                    point: start + row,
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

    /// The maxima of all points, from as many starts as it takes.
    fn search<F: Scalar>(
        &self,
        landscape: &Landscape<F>,
        panel: &Panel<'_, F>,
        order: &[usize],
    ) -> Result<Vec<Array1<F>>, Failure<F>> {
        let count = panel.gamma.nrows();
        let mut found: Vec<Option<Array1<F>>> = vec![None; count];
        let mut best: Vec<Option<(Array1<F>, F)>> = vec![None; count];
        let mut left: Vec<usize> = (0..count).collect();
        let starts = self.starts.min(panel.starts(order));
        for start in 0..starts {
            let from = panel.start(start, &left, landscape, order);
            let gamma = panel.gamma.select(Axis(0), &left);
            let tolerance = F::cast(self.tolerance);
            let ends = landscape.climb(gamma, from, self.max_iterations, tolerance);
            for (&row, end) in left.iter().zip(ends) {
                match end {
                    Climb::Top(z) => found[row] = Some(z),
                    Climb::Failed(z, value) => {
                        if best[row].as_ref().is_none_or(|&(_, best)| value > best) {
                            best[row] = Some((z, value));
                        }
                    }
                }
            }
            left.retain(|&row| found[row].is_none());
            if left.is_empty() {
                break;
            }
        }
        if let Some(&row) = left.first() {
            let (z, value) = best[row].take().expect("every start ends somewhere");
            return Err(Failure { row, z, value });
        }
        Ok(found.into_iter().flatten().collect())
    }
}

/// Points that are worked on together, one row each.
struct Panel<'a, F> {
    gamma: ArrayView2<'a, F>,
    /// Known inputs, where there are any.
    near: Option<Array2<F>>,
}

impl<F: Scalar> Panel<'_, F> {
    /// How many starts there are.
    fn starts(&self, order: &[usize]) -> usize {
        order.len() + 1 + usize::from(self.near.is_some())
    }

    /// Where the given rows begin for the given time.
    fn start(
        &self,
        start: usize,
        rows: &[usize],
        landscape: &Landscape<F>,
        order: &[usize],
    ) -> Array2<F> {
        let landmark = match (&self.near, start) {
            (Some(near), 0) => return near.select(Axis(0), rows),
            (Some(_), _) => start - 1,
            (None, _) => start,
        };
        let ids: Vec<usize> = if landmark == 0 {
            let values = landscape.at_landmarks(self.gamma.select(Axis(0), rows).view());
            values.outer_iter().map(largest).collect()
        } else {
            vec![order[landmark - 1]; rows.len()]
        };
        landscape.landmarks().select(Axis(0), &ids)
    }
}

/// The best of what did not converge.
struct Failure<F> {
    row: usize,
    z: Array1<F>,
    value: F,
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
