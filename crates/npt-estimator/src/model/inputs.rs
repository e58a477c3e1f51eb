//! The way back from components to inputs.

use crate::{Ability, Data, Error, Model, fitted::Fitted};
use ndarray::Array2;

impl Model {
    /// Inputs that have these components, as nearly as the way to pre-images finds them. They have one row a sample, and the columns of
    /// the data of the fit before its transformers.
    ///
    /// # Errors
    /// [`Error::Ability`] of a model whose estimator had no [`pre_image`](crate::Estimator::pre_image); [`Error::NoInverse`] behind a
    /// transformer without an inverse; [`Error::Fit`] for another number of components, and for points without a pre-image.
    pub fn inverse_transform(&self, components: &Array2<f64>) -> Result<Array2<f64>, Error> {
        let Fitted::KpcaDenoiser(model) = &self.fitted else {
            return Err(self.has_not(Ability::InverseTransform));
        };
        self.require_inverse()?;
        self.before_the_front(model.inverse_transform(components)?)
    }

    /// The samples as inputs, without the part that the components do not explain. Models of `kpca` with a
    /// [`pre_image`](crate::Estimator::pre_image) have it, and models of `robust_kpca`, which take samples with missing values and
    /// complete them.
    ///
    /// # Errors
    /// [`Error::Ability`] of other models; [`Error::NoInverse`] behind a transformer without an inverse; otherwise the errors of
    /// [`predict`](Self::predict).
    ///
    /// # Example
    /// ```
    /// use ndarray::{Array2, array};
    /// use npt_estimator::{Data, Estimator};
    ///
    /// // Points of a parabola, one of which is known by half.
    /// let mut x = Array2::from_shape_fn((61, 2), |(i, k)| (i as f64 / 30.0 - 1.0).powi(k as i32 + 1));
    /// x[[20, 1]] = f64::NAN;
    /// let estimator = Estimator::new("robust_kpca(components = 6, fidelity = 10)", "gaussian(gamma = 1)")?;
    /// let model = estimator.fit(&Data::from(x), ())?;
    /// let completed = model.reconstruct(&Data::from(array![[0.6, f64::NAN]]))?;
    /// assert!((completed[[0, 1]] - 0.36).abs() < 0.005, "{completed}");
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn reconstruct(&self, data: &Data) -> Result<Array2<f64>, Error> {
        let inputs = match &self.fitted {
            Fitted::RobustKpca(model) => {
                self.require_inverse()?;
                model.reconstruct(&self.matrix(data)?)?
            }
            Fitted::KpcaDenoiser(model) => {
                self.require_inverse()?;
                model.denoise(&self.matrix(data)?)?
            }
            _ => return Err(self.has_not(Ability::Reconstruct)),
        };
        self.before_the_front(inputs)
    }

    /// The inputs that the transformers turn into these.
    fn before_the_front(&self, inputs: Array2<f64>) -> Result<Array2<f64>, Error> {
        let mut front = self.front.iter().rev();
        front.try_fold(inputs, |inputs, front| front.inverse(inputs))
    }

    pub(super) fn require_inverse(&self) -> Result<(), Error> {
        match self.front.iter().find(|front| !front.has_inverse()) {
            Some(front) => Err(Error::NoInverse {
                transformer: front.name(),
            }),
            None => Ok(()),
        }
    }
}
