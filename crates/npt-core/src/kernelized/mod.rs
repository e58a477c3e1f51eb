//! The adapter: any linear estimator, run in kernel coordinates.

mod classifier;
mod error;
mod expand;
mod expansion_model;
mod halves;
mod incremental;
mod kernel_method;
mod kernel_model;
mod model;
mod pipeline;
mod training_samples;
mod transform;

pub use classifier::{Classifier, ProbabilisticClassifier};
pub use error::KernelizedError;
pub use expand::{Expand, LinearFunctions};
pub use expansion_model::ExpansionModel;
pub use kernel_method::KernelMethod;
pub use kernel_model::KernelModel;
pub use model::KernelizedModel;
pub use pipeline::{Pipeline, PipelineError, PipelineModel};
pub use training_samples::TrainingSamples;

use crate::{AsSamples, Error, KernelSpace, SpaceBuilder};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::Fit,
};
use ndarray::{Array, Array2, ArrayView1, Axis};
use std::any::Any;

/// A linear method: anything that linfa can fit to a matrix of records.
///
/// There is nothing to implement. Write an estimator for plain matrices, implement linfa's
/// [`Fit`] for `Array2<F>` records, and it is a `LinearMethod`; [`Kernelized`] makes the kernel
/// version of it.
///
/// # Write your own
/// ```
/// use linfa::{Dataset, DatasetBase, dataset::AsTargets, traits::{Fit, PredictInplace, Predict}};
/// use ndarray::{Array1, Array2, array};
/// use npt_core::{Exact, Kernelized, LinearMethod, Polynomial};
///
/// /// Projects on the difference between the means of two classes.
/// struct MeanDifference;
/// struct Direction(Array1<f64>);
///
/// impl<T: AsTargets<Elem = bool>> Fit<Array2<f64>, T, linfa::Error> for MeanDifference {
///     type Object = Direction;
///
///     fn fit(&self, dataset: &DatasetBase<Array2<f64>, T>) -> linfa::error::Result<Direction> {
///         let labels = dataset.as_targets();
///         let rows = dataset.records().outer_iter().zip(labels.iter());
///         let sum = rows.fold(Array1::zeros(dataset.records().ncols()), |sum, (row, &label)| {
///             if label { sum + row } else { sum - row }
///         });
///         Ok(Direction(sum))
///     }
/// }
///
/// impl PredictInplace<Array2<f64>, Array1<bool>> for Direction {
///     fn predict_inplace(&self, x: &Array2<f64>, y: &mut Array1<bool>) {
///         *y = x.dot(&self.0).mapv(|score| score > 0.0);
///     }
///
///     fn default_target(&self, x: &Array2<f64>) -> Array1<bool> {
///         Array1::default(x.nrows())
///     }
/// }
///
/// fn is_linear_method(_: &impl LinearMethod<f64, Array1<bool>, linfa::Error>) {}
/// is_linear_method(&MeanDifference);
///
/// // Exclusive or: no line separates it, the products of features do.
/// let xor = Dataset::new(
///     array![[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]],
///     array![false, false, true, true],
/// );
/// let model = Kernelized::new(MeanDifference, Exact::new(Polynomial::new(2, 1.0, 0.0))).fit(&xor)?;
/// assert_eq!(&model.predict(&xor), xor.targets());
/// # Ok::<(), npt_core::KernelizedError<linfa::Error>>(())
/// ```
pub trait LinearMethod<F, T, E>: Fit<Array2<F>, T, E>
where
    E: std::error::Error + From<linfa::Error>,
{
}

impl<M, F, T, E> LinearMethod<F, T, E> for M
where
    M: Fit<Array2<F>, T, E>,
    E: std::error::Error + From<linfa::Error>,
{
}

/// A [`LinearMethod`] with its model as a parameter, for the bounds of [`Kernelized::fit`]. A compiler error then says that
/// there is no method, instead of listing the types of linfa that might be one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no method for records `Array2<{F}>` and targets `{T}`",
    label = "here a method is needed that can be fitted to these targets",
    note = "a method is what implements linfa's `Fit` for `Array2` records: the parameters, not a fitted model",
    note = "some methods take targets of one type alone, say `bool` or `f64`"
)]
pub trait FitsTo<F, T, E, O> {
    fn fit_to(&self, dataset: &DatasetBase<Array2<F>, T>) -> Result<O, E>;
}

#[diagnostic::do_not_recommend]
impl<M, F, T, E, O> FitsTo<F, T, E, O> for M
where
    M: Fit<Array2<F>, T, E, Object = O>,
    E: std::error::Error + From<linfa::Error>,
{
    fn fit_to(&self, dataset: &DatasetBase<Array2<F>, T>) -> Result<O, E> {
        self.fit(dataset)
    }
}

/// The kernel version of a linear method: it maps the samples to a kernel space and fits the method
/// to their coordinates. It is a linfa estimator itself, so it goes wherever one goes.
///
/// M is any linfa estimator, and B a [`SpaceBuilder`]. `fit` gives a [`KernelizedModel`] that predicts and transforms as the
/// fitted M does. Targets and their names, and sample weights, reach M unchanged.
///
/// # Errors
/// [`KernelizedError::Space`] if the samples or the kernel are at fault, and for data that no method can use: targets of
/// `f64` or `f32` that are not finite, weights that are negative, not finite or all 0, targets or weights that are not one a
/// sample.
/// [`KernelizedError::Method`] with the method's own error.
///
/// # Example
/// ```
/// use linfa::traits::{Fit, Predict};
/// use linfa_clustering::KMeans;
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, KernelSpace, Kernelized};
/// use rand::SeedableRng;
/// use rand_xoshiro::Xoshiro256Plus;
///
/// let points = array![[0.0], [0.1], [5.0], [5.1]].into();
/// let means = KMeans::params_with_rng(2, Xoshiro256Plus::seed_from_u64(1));
/// let model = Kernelized::new(means, Exact::new(Gaussian::new(0.5))).fit(&points)?;
///
/// let labels = model.predict(&points);
/// assert!(labels[0] == labels[1] && labels[2] == labels[3] && labels[0] != labels[2]);
/// assert_eq!(model.space().rank(), 3);
/// assert_eq!(model.inner().centroids().dim(), (2, 3));
/// # Ok::<(), npt_core::KernelizedError<linfa_clustering::KMeansError>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kernelized<M, B> {
    method: M,
    builder: B,
}

impl<M, B> Kernelized<M, B> {
    /// The kernel version of `method` in the space that `builder` fits.
    pub fn new(method: M, builder: B) -> Self {
        Self { method, builder }
    }

    /// Changes the linear method: `.method(|m| m.penalty(0.5))`.
    // The aliases let a search of the documentation find this method by the names of the setters.
    #[doc(alias(
        "c",
        "nu",
        "penalty",
        "penalties",
        "epsilon",
        "balanced",
        "tolerance",
        "max_iterations",
        "class_c",
        "intercept",
        "ridge",
        "starts",
        "strategy",
        "weights"
    ))]
    pub fn method<Other>(self, change: impl FnOnce(M) -> Other) -> Kernelized<Other, B> {
        Kernelized::new(change(self.method), self.builder)
    }

    /// Changes the builder of the space, or takes another: `.space(|s| s.centered(false))`.
    #[doc(alias(
        "rank",
        "axes",
        "centered",
        "indefinite",
        "landmarks",
        "landmarks_only"
    ))]
    pub fn space<Other>(self, change: impl FnOnce(B) -> Other) -> Kernelized<M, Other> {
        Kernelized::new(self.method, change(self.builder))
    }

    /// Fits the kernel version of the method. This is linfa's [`Fit`], which need not be imported.
    ///
    /// # Errors
    /// As the type documents.
    // The types of the result are parameters, so that a compiler error names the bound that does not hold, not a missing
    // `fit`.
    pub fn fit<R, T, E, O, P>(
        &self,
        dataset: &DatasetBase<R, T>,
    ) -> Result<KernelizedModel<O, P>, KernelizedError<E>>
    where
        R: Records + AsSamples,
        T: AsTargets,
        T::Elem: Clone + 'static,
        B: SpaceBuilder<R::Samples, Space = P>,
        P: KernelSpace<Samples = R::Samples>,
        M: FitsTo<P::Scalar, Array<T::Elem, T::Ix>, E, O>,
        E: std::error::Error + From<linfa::Error> + 'static,
    {
        check_dataset(dataset)?;
        let (space, coordinates, _) = self.builder.fit_space(dataset.records())?.into_parts();
        let mapped = with_records(dataset, coordinates);
        let method = self.method.fit_to(&mapped);
        let method = method.map_err(KernelizedError::Method)?;
        let names = dataset.feature_names().to_vec();
        Ok(KernelizedModel::new(method, space).with_feature_names(names))
    }

    /// The linear method.
    pub fn inner(&self) -> &M {
        &self.method
    }

    /// The builder of the kernel space.
    pub fn builder(&self) -> &B {
        &self.builder
    }
}

impl<R, T, E, M, B> Fit<R, T, KernelizedError<E>> for Kernelized<M, B>
where
    R: Records + AsSamples,
    T: AsTargets,
    T::Elem: Clone + 'static,
    B: SpaceBuilder<R::Samples>,
    M: LinearMethod<<B::Space as KernelSpace>::Scalar, Array<T::Elem, T::Ix>, E>,
    E: std::error::Error + From<linfa::Error> + 'static,
{
    type Object = KernelizedModel<M::Object, B::Space>;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<E>> {
        self.fit(dataset)
    }
}

halves::setters_of_halves!(Kernelized);

/// The dataset with `records`, its coordinates, in the place of its records. Targets, their names, and weights are
/// unchanged.
fn with_records<F, R: Records, T: AsTargets>(
    dataset: &DatasetBase<R, T>,
    records: Array2<F>,
) -> DatasetBase<Array2<F>, Array<T::Elem, T::Ix>>
where
    T::Elem: Clone + 'static,
{
    DatasetBase::new(records, dataset.as_targets().to_owned())
        .with_weights(dataset.weights.clone())
        .with_target_names(dataset.target_names().to_vec())
}

/// The sample weights; `None` if there are none, which is an array of length zero in linfa's datasets.
fn weights_of<R: Records, T>(dataset: &DatasetBase<R, T>) -> Option<ArrayView1<'_, f32>> {
    let weights = &dataset.weights;
    (!weights.is_empty()).then(|| weights.view())
}

/// Checks that there is one target a sample, and one weight if there are weights; that targets are finite where they are
/// floats; and that some weight is above 0.
fn check_dataset<R: Records, T: AsTargets>(dataset: &DatasetBase<R, T>) -> Result<(), Error>
where
    T::Elem: 'static,
{
    check_targets(dataset, dataset.nsamples())
}

/// Checks a dataset as [`check_dataset`] does, for `samples` samples, which need not be its records.
fn check_targets<R: Records, T: AsTargets>(
    dataset: &DatasetBase<R, T>,
    samples: usize,
) -> Result<(), Error>
where
    T::Elem: 'static,
{
    let targets = dataset.as_targets();
    if targets.len_of(Axis(0)) != samples {
        let targets = targets.len_of(Axis(0));
        return Err(Error::TargetCount { samples, targets });
    }
    let columns = targets.len().checked_div(samples).unwrap_or(0);
    for (place, target) in targets.iter().enumerate() {
        if let Some(value) = float(target).filter(|value| !value.is_finite()) {
            let (row, column) = (place / columns, place % columns);
            return Err(Error::TargetNotFinite { row, column, value });
        }
    }
    weights_of(dataset).map_or(Ok(()), |weights| check_weights(weights, samples))
}

fn check_weights(weights: ArrayView1<'_, f32>, samples: usize) -> Result<(), Error> {
    if weights.len() != samples {
        let weights = weights.len();
        return Err(Error::WeightCount { samples, weights });
    }
    let usable = |weight: f32| weight >= 0.0 && weight.is_finite();
    if let Some((row, &weight)) = weights.indexed_iter().find(|(_, weight)| !usable(**weight)) {
        let value = f64::from(weight);
        return Err(Error::Weight { row, value });
    }
    if weights.iter().all(|&weight| weight == 0.0) {
        return Err(Error::NoWeight { samples });
    }
    Ok(())
}

/// The value of a target that is a float; `None` for labels of any other type.
fn float<E: 'static>(target: &E) -> Option<f64> {
    let target: &dyn Any = target;
    let single = target.downcast_ref::<f32>().map(|&value| value.into());
    target.downcast_ref().copied().or(single)
}
