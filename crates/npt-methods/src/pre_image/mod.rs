//! Pre-images: inputs whose φ is closest to given points of a kernel space.
//!
//! A point of the space need not be φ of any input, and mostly is not. So there are several ways to
//! choose an input. All methods implement [`PreImage`]:
//!
//! | method | kernels | finds z by | keeps |
//! |---|---|---|---|
//! | [`FixedPoint`] | Gaussian (and linear, in closed form) | descent of ‖φ(z) − p‖² to a local minimum | its parameters |
//! | [`DistanceConstraints`] | radial ones and the linear one, by [`squared_distance_of_inputs`](npt_core::Kernel::squared_distance_of_inputs) | the distances of p from its nearest training samples | the training samples and their coordinates |
//! | [`PreImageRidge`] | all | a map from points to inputs, learned from the training samples | the map |
//! | [`NearestSample`] | all | taking the training sample whose φ is closest | the training samples and their coordinates |
//!
//! For samples that are not vectors, [`nearest_samples`] returns the positions of the closest training samples.
//!
//! A pre-image method is fitted like any other method, while the training samples are at hand.
//! [`PreImageExt`] puts one beside a kernel method: kernel PCA then denoises ([`KpcaDenoiser`]), and
//! the centroids of kernel k-means are inputs ([`Prototypes`]).
//!
//! ```
//! use linfa::{DatasetBase, traits::Fit};
//! use ndarray::array;
//! use npt_core::Gaussian;
//! use npt_methods::{Kpca, pre_image::{FixedPoint, PreImageExt}};
//!
//! let x = DatasetBase::from(array![[0.0, 1.0], [2.0, 0.0], [1.0, 1.0], [4.0, 3.0]]);
//! let model = Kpca::params(2, Gaussian::new(0.2)).pre_image(FixedPoint::new()).fit(&x)?;
//! assert_eq!(model.denoise(&array![[1.0, 2.0]])?.dim(), (1, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod distance_constraints;
mod fixed_point;
mod kmeans;
mod known;
mod kpca;
mod nearest;
mod ridge;
mod subspace;
mod training;
mod with_pre_image;

pub use distance_constraints::{DistanceConstraints, DistanceMap};
pub use fixed_point::FixedPoint;
pub use kmeans::Prototypes;
pub use kpca::KpcaDenoiser;
pub use nearest::{NearestMap, NearestSample, nearest_samples};
pub use ridge::{PreImageRidge, RidgeMap};
pub use subspace::PrincipalSubspace;
pub use training::Training;
pub use with_pre_image::{PreImageExt, WithPreImage};

use crate::Error;
use ndarray::{Array2, ArrayView2};
use npt_core::{AsSamples, KernelSpace, Scalar};

/// A pre-image method in a kernel space P of vectors, before it has seen the training samples: its
/// parameters.
///
/// # Definition
/// The pre-image of a point p of the space is an input z with ‖φ(z) − p‖² small; each method says how small.
/// Points are given by their coordinates. In a centred space the coordinates of a point are
/// relative to the mean of the training samples; that mean is part of p.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, SpaceBuilder};
/// use npt_methods::pre_image::{DistanceConstraints, PreImage, PreImageMap, Training};
///
/// let x = array![[0.0, 1.0], [2.0, 0.0], [1.0, 1.0], [4.0, 3.0]];
/// let fitted = Exact::new(Gaussian::new(0.2)).fit_space(&x)?;
/// let map = DistanceConstraints::new().fit(&Training::new(&fitted, &x)?)?;
/// let z = map.pre_images(fitted.space(), fitted.training_coordinates())?;
/// assert!((z - x).iter().all(|d: &f64| d.abs() < 1e-7));
/// # Ok::<(), npt_methods::Error>(())
/// ```
pub trait PreImage<P: KernelSpace> {
    /// The fitted method, with the part that it learned from the training samples.
    type Map: PreImageMap<P>;

    /// Learns from the training samples.
    ///
    /// # Errors
    /// [`Error::Parameter`] for parameters of the method, and the method's own errors.
    fn fit(&self, training: &Training<'_, P>) -> Result<Self::Map, Error>;
}

/// A fitted pre-image method in a kernel space P. The space is not part of it: the space is given with the
/// points, and has to be the one that the method was fitted in.
///
/// See [`PreImage`] for the definition, and an example.
pub trait PreImageMap<P: KernelSpace> {
    /// Returns pre-images of points of the space, shape (points, features), from their coordinates, shape
    /// (points, r).
    ///
    /// # Errors
    /// The errors of the coordinates as records, [`npt_core::Error::ColumnCount`] if there are
    /// more or fewer than r, [`Error::NoPreImage`], and the method's own errors.
    fn pre_images(
        &self,
        space: &P,
        points: ArrayView2<'_, P::Scalar>,
    ) -> Result<Array2<P::Scalar>, Error>;

    /// Returns pre-images where an input near each point is known, shape (points, features), such as the sample
    /// that was projected. Methods that start from an input start there; other methods ignore it.
    ///
    /// # Errors
    /// The errors of [`pre_images`](Self::pre_images), and the errors of the inputs as records.
    fn pre_images_near(
        &self,
        space: &P,
        points: ArrayView2<'_, P::Scalar>,
        inputs: ArrayView2<'_, P::Scalar>,
    ) -> Result<Array2<P::Scalar>, Error> {
        let _ = inputs;
        self.pre_images(space, points)
    }
}

/// Refuses coordinates that are not points of a space of `rank` dimensions.
fn check_points<F: Scalar>(rank: usize, points: ArrayView2<'_, F>) -> Result<(), npt_core::Error> {
    let (expected, found) = (rank, points.as_samples()?.view().ncols());
    if expected == found {
        Ok(())
    } else {
        Err(npt_core::Error::ColumnCount { expected, found })
    }
}
