//! The first part of every space: features of samples, before shift and rotation.

use super::LinearForm;
use crate::{Error, Samples, Scalar};
use ndarray::{Array1, Array2};

/// A map from samples to features whose inner products are those of a kernel, exactly or nearly.
///
/// [`KernelMap`](super::KernelMap) computes features from kernel values. [`Space`](super::Space) makes a
/// kernel space of any such map: it takes the mean of the training features away, if the space is
/// to be centred, and turns what is left to the principal axes.
///
/// # Example
/// ```
/// use ndarray::{Array1, Array2, array};
/// use npt_core::{Error, KernelSpace, RawFeatures, RawMap, Rows, Samples, Space};
///
/// /// The features (a, a²) of numbers: the kernel ab + a²b².
/// struct Powers;
///
/// impl RawMap for Powers {
///     type Samples = Rows<f64>;
///     type Scalar = f64;
///
///     fn dimension(&self) -> usize {
///         2
///     }
///
///     fn check(&self, _: &Rows<f64>) -> Result<(), Error> {
///         Ok(())
///     }
///
///     fn features(&self, x: &Rows<f64>, rows: &[usize], rest: bool) -> Result<RawFeatures<f64>, Error> {
///         let powers = [1, 2];
///         Ok(RawFeatures {
///             values: Array2::from_shape_fn((rows.len(), 2), |(i, k)| x.get(rows[i])[0].powi(powers[k])),
///             // Nothing of the kernel is left out.
///             rest: rest.then(|| Array1::zeros(rows.len())),
///         })
///     }
/// }
///
/// let space = Space::of_map(Powers, &array![[0.0], [1.0], [2.0]])?;
/// let y = space.training_coordinates();
/// // Centred, φ(1) is (0, −2/3), and φ(2) is (1, 7/3).
/// assert!((y.row(1).dot(&y.row(2)) + 14.0_f64 / 9.0).abs() < 1e-14);
/// # Ok::<(), npt_core::Error>(())
/// ```
pub trait RawMap: Send + Sync {
    /// The type of the samples.
    type Samples: Samples;

    /// The floating point type of features.
    type Scalar: Scalar;

    /// The number of features.
    fn dimension(&self) -> usize;

    /// Checks that samples can be mapped. It is called once before the [`features`](Self::features) of the samples.
    ///
    /// # Errors
    /// [`Error::ColumnCount`], or what a kernel refuses.
    fn check(&self, x: &Self::Samples) -> Result<(), Error>;

    /// Computes the features of the samples `rows` of x and, if `rest` is true, what the features leave of κ(x, x). It is
    /// called for a few hundred samples at a time, from several threads.
    ///
    /// # Errors
    /// [`Error::KernelNotFinite`], with the row in x.
    fn features(
        &self,
        x: &Self::Samples,
        rows: &[usize],
        rest: bool,
    ) -> Result<RawFeatures<Self::Scalar>, Error>;

    /// Returns the functions ⟨βₖ, f(x)⟩ of the features, one β a column, as linear functions of what costs least: by default,
    /// of the features themselves.
    ///
    /// # Errors
    /// [`Error::Memory`] for coefficients that do not fit.
    fn linear_form(
        &self,
        directions: Array2<Self::Scalar>,
    ) -> Result<LinearForm<'_, Self::Samples, Self::Scalar>, Error> {
        Ok(LinearForm::of_map(self, directions))
    }
}

/// The features of m samples.
#[derive(Debug, Clone, PartialEq)]
pub struct RawFeatures<F> {
    /// The features f, shape (m, dimension).
    pub values: Array2<F>,
    /// The rest κ(x, x) − ‖f(x)‖², shape (m), if it was asked for: the squared distance of φ(x) from all that
    /// the features represent. Rounding may leave it below 0.
    pub rest: Option<Array1<F>>,
}
