//! The kernel space that landmarks span.

mod advice;
mod forecast;
mod landmark_factor;
mod leverage_scores;
mod pivoting;
mod selection;

pub use advice::SpaceAdvice;
pub use forecast::LandmarkForecast;
pub use pivoting::Pivoting;
pub use selection::{Given, LandmarkSelection, Selected};

use super::{
    Axes, ExactSpace, Fitted, KernelMap, Landmarks, Space, SpaceBuilder,
    options::{Shape, shape_setters},
    shifted::Training,
};
use crate::{AsSamples, Description, Error, Kernel, Samples};
pub(super) use landmark_factor::at_places;
use landmark_factor::{Known, factor_of_landmarks};
use selection::Choice;
use std::sync::Arc;

/// Builds the kernel space that m landmarks span: the Nyström method. It takes n·m kernel values and numbers
/// for n samples, where [`Exact`](super::Exact) takes up to n².
///
/// # Definition
/// With landmarks S and LLᵀ = 𝒦 on them, the features are f(x) = L⁻¹κ(S, x). The kernel represented is
/// κ(a, S)𝒦(S, S)⁻¹κ(S, b), the inner product of φ(a) and φ(b) projected onto the span of the landmarks. Then,
/// as in every space, f is centred and turned. The [residual](super::KernelSpace::residuals) of a sample is
/// what the span leaves of it. With all samples as landmarks, the space is the exact one.
///
/// The landmarks are chosen by a [`LandmarkSelection`]: [`Pivoting`], [`Given`], or one of your own.
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | [`rank`](Self::rank) | `Tolerance(0.0)` | how many dimensions to keep of those that the landmarks span: the first principal axes, or on Cholesky axes those of the first landmarks |
/// | [`axes`](Self::axes) | `Principal` | which axes coordinates refer to |
/// | [`centered`](Self::centered) | `true` | whether the origin is the mean of the f(xᵢ) |
///
/// # Errors
/// The errors of the selection; [`Error::Parameter`] and [`Error::Rank`] for the rank, [`Error::NoVariance`] if
/// all samples look alike from the landmarks, [`Error::KernelNotFinite`], [`Error::Memory`],
/// [`Error::Indefinite`] if the landmarks show that the kernel is not positive semidefinite.
///
/// # Example
/// ```
/// use linfa::traits::{Fit, Predict};
/// use linfa::DatasetBase;
/// use linfa_clustering::KMeans;
/// use ndarray::Array2;
/// use npt_core::{Gaussian, Kernelized, KernelSpace, Nystrom, Pivoting};
///
/// let x = Array2::from_shape_fn((3000, 2), |(i, j)| ((i * (3 * j + 1)) as f64).cos());
/// let builder = Nystrom::new(Gaussian::new(0.5), Pivoting::random(40));
/// let model = Kernelized::new(KMeans::params(3), builder).fit(&DatasetBase::from(x.clone())).unwrap();
/// assert_eq!(model.space().rank(), 40);
/// assert_eq!(model.predict(&x).len(), 3000);
/// ```
///
/// # References
/// C. K. I. Williams, M. Seeger, "Using the Nyström Method to Speed Up Kernel Machines", NIPS 13, 2000.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nystrom<K, L> {
    kernel: Arc<K>,
    landmarks: L,
    shape: Shape,
}

impl<K, L> Nystrom<K, L> {
    /// Creates a builder of the centred space of all that the landmarks span, on principal axes.
    pub fn new(kernel: K, landmarks: L) -> Self {
        Self {
            kernel: Arc::new(kernel),
            landmarks,
            shape: Shape::default(),
        }
    }

    pub(super) fn of_shape(kernel: Arc<K>, landmarks: L, shape: Shape) -> Self {
        Self {
            kernel,
            landmarks,
            shape,
        }
    }

    shape_setters!();

    /// Returns the builder of the same space with another kernel.
    pub fn with_kernel<Other>(&self, kernel: Other) -> Nystrom<Other, L>
    where
        L: Clone,
    {
        Nystrom {
            kernel: Arc::new(kernel),
            landmarks: self.landmarks.clone(),
            shape: self.shape,
        }
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// The selection that chooses the landmarks.
    pub fn landmarks(&self) -> &L {
        &self.landmarks
    }
}

impl<K> Nystrom<K, Pivoting> {
    /// Describes the space by its name and all its parameters, as a space is chosen by name. The kernel is left out.
    ///
    /// # Example
    /// ```
    /// use npt_core::{Axes, Linear, Nystrom, Pivoting};
    ///
    /// let space = Nystrom::new(Linear::new(), Pivoting::greedy(30)).axes(Axes::Cholesky);
    /// let text = "nystrom(landmarks = 30, selection = \"greedy\", seed = 0, tolerance = 0, axes = \"cholesky\", centered = true)";
    /// assert_eq!(space.describe().to_string(), text);
    /// ```
    pub fn describe(&self) -> Description {
        let mut description = Description::new("nystrom");
        description.parameters.extend(self.landmarks.parameters());
        description.parameters.extend(self.shape.parameters());
        description
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<K, L: Clone> Clone for Nystrom<K, L> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            landmarks: self.landmarks.clone(),
            ..*self
        }
    }
}

/// A raw map, and what it gives for the training samples.
type Mapped<S, K, F> = (KernelMap<S, K, F>, Training<F>);

impl<K, L> Nystrom<K, L> {
    fn map<S: Samples>(
        &self,
        x: &S,
        selected: Selected<S, K::Scalar>,
    ) -> Result<Mapped<S, K, K::Scalar>, Error>
    where
        K: Kernel<S>,
    {
        let kernel = &self.kernel;
        let (mut factor, landmarks) = match selected.0 {
            Choice::Factor(factor) => (factor, None),
            Choice::Rows(rows) => {
                if let Some(&row) = rows.iter().find(|&&row| row >= x.len()) {
                    return Err(Error::Parameter {
                        of: "Selected",
                        parameter: "row",
                        value: row as f64,
                        allowed: "below the number of samples",
                    });
                }
                (
                    factor_of_landmarks(&**kernel, x, &Known::Rows(&rows))?,
                    None,
                )
            }
            Choice::Samples(landmarks) => {
                landmarks.check_compatible(x)?;
                kernel.check(&landmarks)?;
                let factor = factor_of_landmarks(&**kernel, x, &Known::Samples(&landmarks))?;
                (factor, Some(landmarks))
            }
        };
        if self.shape.axes == Axes::Cholesky {
            factor.cut(self.shape.rank);
        }
        let (map, mut training) = factor.into_parts(|factor| {
            let (samples, rows) = match &landmarks {
                Some(landmarks) => (landmarks.select(&factor.pivots), None),
                None => (x.select(&factor.pivots), Some(factor.pivots.clone())),
            };
            let lower = std::mem::take(&mut factor.lower);
            KernelMap::Landmarks(Landmarks::new(Arc::clone(kernel), samples, rows, lower))
        });
        // Given landmarks may be more than the samples need. The features of the samples are linearly dependent then.
        training.independent = landmarks.is_none();
        Ok((map, training))
    }
}

impl<S: Samples, K: Kernel<S>, L: LandmarkSelection<S>> SpaceBuilder<S> for Nystrom<K, L> {
    type Space = ExactSpace<S, K>;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = S>,
    ) -> Result<Fitted<Self::Space>, Error> {
        let x = records.as_samples()?;
        if x.is_empty() {
            return Err(Error::NoSamples);
        }
        self.shape.check(x.len())?;
        self.kernel.check(x.as_ref())?;
        let selected = self.landmarks.select(&*self.kernel, x.as_ref())?;
        let (map, training) = self.map(x.as_ref(), selected)?;
        let fitted = Space::fit(map, training, self.shape)?;
        if self.shape.centered {
            fitted.require_digits(&self.kernel.diag(x.as_ref()))?;
        }
        Ok(fitted)
    }
}
