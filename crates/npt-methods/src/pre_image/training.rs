//! The data that pre-images are learned from.

use crate::Error;
use ndarray::{ArrayView1, ArrayView2};
use npt_core::{AsSamples, Fitted, KernelSpace, Rows, Samples, Scalar};
use std::borrow::Cow;

/// The data that pre-images are learned from: training samples xᵢ and, in the space that was fitted to them,
/// the coordinates of φ(xᵢ) and its squared distance from the space.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
/// use npt_methods::pre_image::Training;
///
/// let x = array![[0.0], [1.0], [3.0]];
/// let fitted = Exact::new(Gaussian::new(0.5)).fit_space(&x)?;
/// let training = Training::new(&fitted, &x)?;
/// assert_eq!(training.points().dim(), (3, fitted.rank()));
/// # Ok::<(), npt_methods::Error>(())
/// ```
#[derive(Debug)]
pub struct Training<'a, P: KernelSpace> {
    space: &'a P,
    samples: Cow<'a, Rows<P::Scalar>>,
    points: ArrayView2<'a, P::Scalar>,
    residuals: ArrayView1<'a, P::Scalar>,
}

impl<'a, F: Scalar, P: KernelSpace<Samples = Rows<F>, Scalar = F>> Training<'a, P> {
    /// Takes a fitted space, and the samples that it was fitted to, in their order. The number and the width of
    /// the samples are checked, but not their values.
    ///
    /// # Errors
    /// The errors of the samples as records, [`npt_core::Error::TargetCount`] if there are more or
    /// fewer samples than the space was fitted to, [`npt_core::Error::ColumnCount`] if they are wider or
    /// narrower.
    pub fn new(
        fitted: &'a Fitted<P>,
        samples: &'a dyn AsSamples<Samples = Rows<F>>,
    ) -> Result<Self, Error> {
        let samples = samples.as_samples()?;
        let (points, residuals) = (fitted.training_coordinates(), fitted.training_residuals());
        if samples.len() != points.nrows() {
            let (samples, targets) = (samples.len(), points.nrows());
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        // A space does not tell the width of its samples, but it maps no samples of another width.
        fitted.coordinates(&samples.select(&[0]))?;
        Ok(Self {
            space: fitted.space(),
            samples,
            points,
            residuals,
        })
    }
}

impl<P: KernelSpace> Training<'_, P> {
    /// The space.
    pub fn space(&self) -> &P {
        self.space
    }

    /// The training samples xᵢ.
    pub fn samples(&self) -> &Rows<P::Scalar> {
        &self.samples
    }

    /// The coordinates, shape (n, r), of the points of the space that are nearest to the φ(xᵢ).
    pub fn points(&self) -> ArrayView2<'_, P::Scalar> {
        self.points.view()
    }

    /// The squared distances of the φ(xᵢ) from these points, shape (n).
    pub fn residuals(&self) -> ArrayView1<'_, P::Scalar> {
        self.residuals.view()
    }
}
