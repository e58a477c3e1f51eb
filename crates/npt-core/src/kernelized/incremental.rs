//! Methods that learn batch by batch.

use super::{Kernelized, KernelizedError, KernelizedModel, check_dataset, with_records};
use crate::{AsSamples, KernelSpace, SpaceBuilder, require_feature_names};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::FitWith,
};
use ndarray::{Array, Array2};

/// The kernel version of a method that learns batch by batch.
///
/// The first batch, which comes with `None`, fixes the kernel space: the space is fitted to this batch alone, and later
/// batches are mapped into it. A later batch cannot add what the first one does not span. Let the first batch be a fair
/// sample of what is to come; [`KernelSpace::residuals`] shows whether it was.
///
/// # Errors
/// [`KernelizedError::Space`] if a batch has no coordinates, or none in the first batch's space, or other names of features;
/// [`KernelizedError::Method`] with the method's own error. Where that error holds the fitted
/// method, [`KernelizedModel::new`] puts it together with the space again.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{FitWith, Predict}};
/// use linfa_bayes::{GaussianNb, NaiveBayesError};
/// use ndarray::{Array1, array};
/// use npt_core::{Exact, Gaussian, Kernelized, KernelizedError};
///
/// let first = Dataset::new(array![[0.1], [2.0], [-2.1], [-0.2]], array![1, 0, 0, 1]);
/// let second = Dataset::new(array![[0.0], [1.9], [-2.0], [0.3]], array![1, 0, 0, 1]);
///
/// let estimator = Kernelized::new(GaussianNb::params(), Exact::new(Gaussian::new(0.5)));
/// let model = estimator.fit_with(None, &first)?;
/// let model = estimator.fit_with(Some(model), &second)?;
/// let classes: Array1<usize> = model.predict(&array![[0.2], [2.2]]);
/// assert_eq!(classes, array![1, 0]);
/// # Ok::<(), KernelizedError<NaiveBayesError>>(())
/// ```
impl<'a, R, T, E, M, B, O> FitWith<'a, R, T, KernelizedError<E>> for Kernelized<M, B>
where
    R: Records + AsSamples,
    T: AsTargets,
    T::Elem: Clone + 'static,
    B: SpaceBuilder<R::Samples>,
    B::Space: 'a,
    M: for<'b> FitWith<
            'b,
            Array2<<B::Space as KernelSpace>::Scalar>,
            Array<T::Elem, T::Ix>,
            E,
            ObjectIn = Option<O>,
            ObjectOut = O,
        >,
    O: 'a,
    E: std::error::Error + From<linfa::Error> + 'static,
{
    type ObjectIn = Option<KernelizedModel<O, B::Space>>;
    type ObjectOut = KernelizedModel<O, B::Space>;

    fn fit_with(
        &self,
        model: Self::ObjectIn,
        batch: &'a DatasetBase<R, T>,
    ) -> Result<Self::ObjectOut, KernelizedError<E>> {
        check_dataset(batch)?;
        let mut names = batch.feature_names().to_vec();
        let (method, space, coordinates) = if let Some(model) = model {
            require_feature_names(model.feature_names(), &names)?;
            if names.is_empty() {
                names = model.feature_names().to_vec();
            }
            let (method, space) = model.into_parts();
            let coordinates = space.coordinates(batch.records())?;
            (Some(method), space, coordinates)
        } else {
            let (space, coordinates, _) = self.builder.fit_space(batch.records())?.into_parts();
            (None, space, coordinates)
        };
        let mapped = with_records(batch, coordinates);
        let method = self
            .method
            .fit_with(method, &mapped)
            .map_err(KernelizedError::Method)?;
        Ok(KernelizedModel::new(method, space).with_feature_names(names))
    }
}
