//! Kernel spaces: the fitted subspace of the feature space, and the coordinates of samples in it.

mod exact;
mod expansion;
mod factor;
mod landmark;
mod options;
mod rotation;
mod spectral;
mod subsets;

pub use exact::Exact;
pub use expansion::Expansion;
pub use landmark::LandmarkSpace;
pub use options::{Axes, Indefinite, Rank};
pub use subsets::Subsets;

use crate::{AsSamples, Error, Samples, Scalar};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

/// Fits a [`KernelSpace`] to training samples.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
///
/// let x = array![[0.0], [1.0], [3.0]];
/// let space = Exact::new(Gaussian::new(0.5)).fit_space(&x)?;
/// assert_eq!(space.training_coordinates().dim(), (3, space.rank()));
/// # Ok::<(), npt_core::Error>(())
/// ```
pub trait SpaceBuilder<S: Samples> {
    /// The space that is fitted.
    type Space: KernelSpace<Samples = S>;

    /// Fits the space to samples.
    ///
    /// # Errors
    /// A parameter out of range, a kernel that is not finite or not positive semidefinite on the
    /// samples, samples that span no space: see [`Error`].
    fn fit_samples(&self, x: &S) -> Result<Self::Space, Error>;

    /// Fits the space to records of any type.
    ///
    /// # Errors
    /// As [`fit_samples`](Self::fit_samples), and what is wrong with the records themselves.
    fn fit_space<R>(&self, records: &R) -> Result<Self::Space, Error>
    where
        R: AsSamples<Samples = S>,
    {
        self.fit_samples(records.as_samples()?.as_ref())
    }

    /// Prepares samples for the spaces of many of their subsets, as cross-validation needs them.
    ///
    /// Provided: each subset is fitted from its samples. [`Exact`] evaluates the kernel once for
    /// all of them.
    ///
    /// # Errors
    /// As [`fit_samples`](Self::fit_samples).
    ///
    /// # Example
    /// ```
    /// use ndarray::{array, s};
    /// use npt_core::{Exact, Gaussian, KernelSpace, Rows, SpaceBuilder};
    ///
    /// let x = array![[0.0], [1.0], [3.0], [4.5]];
    /// let (builder, samples) = (Exact::new(Gaussian::new(0.5)), Rows::new(x.clone())?);
    /// let (training, held_out) = builder.subsets(&samples)?.coordinates(&[0, 1, 2], &[3])?;
    ///
    /// let refitted = builder.fit_space(&x.slice(s![..3, ..]))?;
    /// assert!((&training - &refitted.training_coordinates()).iter().all(|d: &f64| d.abs() < 1e-14));
    /// let expected = refitted.coordinates(&x.slice(s![3.., ..]))?;
    /// assert!((&held_out - &expected).iter().all(|d| d.abs() < 1e-14));
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    fn subsets<'a>(
        &'a self,
        x: &'a S,
    ) -> Result<Box<dyn Subsets<<Self::Space as KernelSpace>::Scalar> + 'a>, Error>
    where
        Self: Sized + Sync,
    {
        Ok(Box::new(subsets::Refitted {
            builder: self,
            samples: x,
        }))
    }
}

/// A fitted r-dimensional subspace P of the feature space, in which every sample has coordinates.
///
/// With k the kernel that the space represents (κ, centred in feature space if the space is), φ its
/// feature map, n training samples and r the [`rank`](Self::rank):
///
/// | | |
/// |---|---|
/// | `training_coordinates()` | Y, shape (n, r), with YYᵀ = K up to the eigenvalues dropped |
/// | `coordinates(x)` | y(x), one row a sample, with ⟨y(x), yᵢ⟩ = k(x, xᵢ) |
/// | `residuals(x)` | k(x, x) − ‖y(x)‖², the squared distance of φ(x) from P (see there for few landmarks) |
/// | `direction(α)` | β = Yᵀα, the coordinates of w = Σ αᵢφ(xᵢ) |
/// | `project(x, β)` | ⟨w, φ(x)⟩ = ⟨β, y(x)⟩ |
///
/// # References
/// N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, theorem 2,
/// corollary 3, lemmas 5 and 6, corollary 7. doi:10.1109/TNNLS.2013.2272292
pub trait KernelSpace: Send + Sync {
    /// The type of the samples.
    type Samples: Samples;

    /// The floating point type of coordinates.
    type Scalar: Scalar;

    /// The dimension r of the space.
    fn rank(&self) -> usize;

    /// The eigenvalues of the training samples' kernel matrix that the space keeps, descending: the
    /// sum of squares of the training coordinates along each principal axis, shape (r).
    fn eigenvalues(&self) -> ArrayView1<'_, Self::Scalar>;

    /// The coordinates of the training samples, shape (n, r).
    fn training_coordinates(&self) -> ArrayView2<'_, Self::Scalar>;

    /// The coordinates of samples, shape (m, r).
    ///
    /// # Errors
    /// As [`coordinates`](Self::coordinates).
    fn map(&self, x: &Self::Samples) -> Result<Array2<Self::Scalar>, Error>;

    /// The coordinates and the residuals of samples, shapes (m, r) and (m).
    ///
    /// # Errors
    /// As [`coordinates`](Self::coordinates).
    fn map_with_residuals(
        &self,
        x: &Self::Samples,
    ) -> Result<(Array2<Self::Scalar>, Array1<Self::Scalar>), Error>;

    /// The coordinates y(x) of new records, shape (m, r).
    ///
    /// # Errors
    /// What is wrong with the records themselves, [`Error::ColumnCount`] if they do not fit the
    /// training samples, [`Error::KernelNotFinite`].
    fn coordinates<R>(&self, x: &R) -> Result<Array2<Self::Scalar>, Error>
    where
        R: AsSamples<Samples = Self::Samples>,
    {
        self.map(x.as_samples()?.as_ref())
    }

    /// The squared distances of φ(x) from the space, shape (m): at least 0, and 0 for training
    /// samples unless the rank was cut. Exact to a few roundings of κ(x, x).
    ///
    /// On few landmarks (Cholesky axes at reduced rank) the mean of the training samples is itself
    /// outside their span: centring then changes the coordinates but not the distances from it.
    ///
    /// # Errors
    /// As [`coordinates`](Self::coordinates).
    fn residuals<R>(&self, x: &R) -> Result<Array1<Self::Scalar>, Error>
    where
        R: AsSamples<Samples = Self::Samples>,
    {
        Ok(self.map_with_residuals(x.as_samples()?.as_ref())?.1)
    }

    /// The coordinates β = Yᵀα, shape (r), of the direction w = Σ αᵢφ(xᵢ) (lemma 6).
    ///
    /// # Errors
    /// [`Error::CoefficientCount`] unless there is one coefficient a training sample.
    fn direction(
        &self,
        alpha: ArrayView1<'_, Self::Scalar>,
    ) -> Result<Array1<Self::Scalar>, Error> {
        let y = self.training_coordinates();
        check_coefficients(y.nrows(), alpha.len())?;
        Ok(y.t().dot(&alpha))
    }

    /// The inner products ⟨w, φ(x)⟩, shape (m), for the direction w with coordinates β
    /// (corollary 7). Divide by ‖β‖ for lengths along w.
    ///
    /// # Errors
    /// [`Error::CoefficientCount`] unless β has r entries, and as
    /// [`coordinates`](Self::coordinates).
    fn project<R>(
        &self,
        x: &R,
        beta: ArrayView1<'_, Self::Scalar>,
    ) -> Result<Array1<Self::Scalar>, Error>
    where
        R: AsSamples<Samples = Self::Samples>,
    {
        check_coefficients(self.rank(), beta.len())?;
        Ok(self.coordinates(x)?.dot(&beta))
    }
}

fn check_coefficients(expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        Ok(())
    } else {
        Err(Error::CoefficientCount { expected, found })
    }
}
