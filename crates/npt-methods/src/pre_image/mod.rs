//! Pre-images: inputs whose φ is closest to given points of a kernel space.
//!
//! A point of the space need not be φ of any input, and mostly is not, so there is something to
//! choose. All methods implement [`PreImage`]:
//!
//! | method | kernels | finds z by |
//! |---|---|---|
//! | [`FixedPoint`] | Gaussian (and linear, in closed form) | descent of ‖φ(z) − p‖² to a local minimum |
//! | [`DistanceConstraints`] | those with [`InputDistance`] | the distances of p from its nearest training samples |
//! | [`PreImageRidge`] | all | a map from points to inputs, learned from the training samples |
//!
//! [`KpcaPreImages`] and [`Prototypes`] apply them to fitted models: denoising by kernel PCA, and
//! the centroids of kernel k-means as inputs.

mod distance_constraints;
mod fixed_point;
mod models;
mod ridge;

pub use distance_constraints::{DistanceConstraints, InputDistance};
pub use fixed_point::FixedPoint;
pub use models::{KpcaPreImages, Prototypes};
pub use ridge::PreImageRidge;

use crate::Error;
use ndarray::{Array2, ArrayView2};
use npt_core::{AsSamples, Kernel, KernelSpace, LandmarkSpace, Rows, Samples, Scalar};
use std::borrow::Cow;

/// A way to pre-images in spaces of the kernel `K`.
///
/// # Definition
/// For a point p of the space, an input z with ‖φ(z) − p‖² small; each method says how small.
/// Points are given by their coordinates. In a centred space the coordinates of a point are
/// relative to the mean of the training samples; that mean is part of p.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
/// use npt_methods::pre_image::{FixedPoint, PreImage, Training};
///
/// let x = array![[0.0, 1.0], [2.0, 0.0], [1.0, 1.0], [4.0, 3.0]];
/// let space = Exact::new(Gaussian::new(0.2)).fit_space(&x)?;
/// let training = Training::new(&space, &x)?;
/// let z = FixedPoint::new().pre_images(&training, space.training_coordinates())?;
/// assert!((z - x).iter().all(|d: &f64| d.abs() < 1e-7));
/// # Ok::<(), npt_methods::Error>(())
/// ```
pub trait PreImage<F: Scalar, K: Kernel<Rows<F>, Scalar = F>> {
    /// Pre-images of points, shape (points, features), from their coordinates, shape (points, r).
    ///
    /// # Errors
    /// What is wrong with the coordinates as records, [`npt_core::Error::ColumnCount`] if there are
    /// more or fewer than r, [`Error::NoPreImage`], and parameters of the method.
    fn pre_images(
        &self,
        training: &Training<'_, F, K>,
        points: ArrayView2<'_, F>,
    ) -> Result<Array2<F>, Error>;

    /// The same where an input near each point is known, shape (points, features), such as the sample
    /// that was projected: for methods that start from somewhere. Others ignore it.
    ///
    /// # Errors
    /// As [`pre_images`](Self::pre_images), and what is wrong with the inputs as records.
    fn pre_images_near(
        &self,
        training: &Training<'_, F, K>,
        points: ArrayView2<'_, F>,
        inputs: ArrayView2<'_, F>,
    ) -> Result<Array2<F>, Error> {
        let _ = inputs;
        self.pre_images(training, points)
    }
}

/// What pre-images are found from: a space, the samples that it was fitted to, and one point of
/// the space for each of them.
///
/// A space keeps its landmarks only, so its training samples have to be given again.
#[derive(Debug, Clone)]
pub struct Training<'a, F: Scalar, K: Kernel<Rows<F>, Scalar = F>> {
    space: &'a LandmarkSpace<Rows<F>, K>,
    samples: Cow<'a, Rows<F>>,
    points: Cow<'a, Array2<F>>,
}

impl<'a, F: Scalar, K: Kernel<Rows<F>, Scalar = F>> Training<'a, F, K> {
    /// The space and the samples that it was fitted to, in their order; the points are φ of the
    /// samples.
    ///
    /// # Errors
    /// What is wrong with the samples as records, [`npt_core::Error::ColumnCount`],
    /// [`npt_core::Error::TargetCount`] if there are more or fewer samples than points, and
    /// [`Error::OtherSamples`] where a landmark of the space is another.
    pub fn new<R>(space: &'a LandmarkSpace<Rows<F>, K>, samples: &'a R) -> Result<Self, Error>
    where
        R: AsSamples<Samples = Rows<F>>,
    {
        Self::with_points(space, samples, space.training_coordinates().to_owned())
    }

    /// The same with other points than φ(xᵢ), such as their projections on principal components: what
    /// [`PreImageRidge`] learns to map to the samples.
    ///
    /// # Errors
    /// As [`new`](Self::new), and what is wrong with the points as records.
    pub fn with_points<R>(
        space: &'a LandmarkSpace<Rows<F>, K>,
        samples: &'a R,
        points: Array2<F>,
    ) -> Result<Self, Error>
    where
        R: AsSamples<Samples = Rows<F>>,
    {
        let samples = samples.as_samples()?;
        space.landmarks().check_compatible(&samples)?;
        check_points(space, &points.view())?;
        for counted in [space.training_coordinates().nrows(), points.nrows()] {
            if counted != samples.len() {
                let (samples, targets) = (samples.len(), counted);
                return Err(npt_core::Error::TargetCount { samples, targets }.into());
            }
        }
        let landmarks = space.landmark_indices().iter().enumerate();
        let other = landmarks.filter(|&(i, &row)| samples.get(row) != space.landmarks().get(i));
        if let Some(row) = other.map(|(_, &row)| row).min() {
            return Err(Error::OtherSamples { row });
        }
        let points = Cow::Owned(points);
        Ok(Self {
            space,
            samples,
            points,
        })
    }

    /// The space.
    pub fn space(&self) -> &'a LandmarkSpace<Rows<F>, K> {
        self.space
    }

    /// The training samples, shape (n, features).
    pub fn samples(&self) -> ArrayView2<'_, F> {
        self.samples.view()
    }

    /// The coordinates of their points, shape (n, r).
    pub fn points(&self) -> ArrayView2<'_, F> {
        self.points.view()
    }
}

/// Refuses coordinates that are no points of the space.
fn check_points<F: Scalar, K: Kernel<Rows<F>, Scalar = F>>(
    space: &LandmarkSpace<Rows<F>, K>,
    points: &ArrayView2<'_, F>,
) -> Result<(), Error> {
    let (expected, found) = (space.rank(), points.as_samples()?.view().ncols());
    if expected == found {
        Ok(())
    } else {
        Err(npt_core::Error::ColumnCount { expected, found }.into())
    }
}
