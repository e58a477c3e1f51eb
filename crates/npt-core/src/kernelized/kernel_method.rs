//! A linear method and a kernel space, as one kernel method.

use super::{Kernelized, KernelizedError, TrainingSamples, check_dataset, with_records};
use crate::{
    AsSamples, FoldBack, Foldable, FoldableMethod, FoldedModel, Kernel, KernelSpace, Scalar,
    SpaceBuilder,
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::Fit,
};
use ndarray::Array;

/// The kernel version of a linear method: the method, and the builder of the space that it is run
/// in. Its `fit` gives a [`FoldedModel`], which predicts by sums of kernel values.
///
/// The ready-made methods are pairs of this kind, with defaults of their own;
/// [`method`](Self::method) and [`space`](Self::space) change either half.
///
/// # Which road it takes
/// A method with a dual form ([`FoldableMethod::dual_form`]) in a space that represents the kernel
/// itself ([`SpaceBuilder::inner_products`]: no rank was asked for) is fitted to inner products, and
/// predicts by the classical formula. Where r ≪ n these are computed from coordinates, otherwise they
/// are kernel values: [`KernelProducts`](crate::KernelProducts) says from where on. All else is fitted
/// to coordinates and folded: a method that knows its dual coefficients
/// ([`FoldableMethod::dual_coefficients`]) in the space of [`SpaceBuilder::fit_for_expansion`] and with
/// them, so that it predicts by the classical formula, too; any other as by [`Kernelized`]. [`TrainingSamples`] has the whole rule.
/// [`by_coordinates`](Self::by_coordinates) is that for every method.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::{Array1, Array2, ArrayBase, Axis, Data, Ix2, array};
/// use npt_core::{Exact, FoldBack, FoldableMethod, KernelMethod, Linear, LinearFunctions};
///
/// /// The distance from the mean along the direction to the first record.
/// struct First;
/// #[derive(Clone)]
/// struct Along { mean: Array1<f64>, direction: Array1<f64> }
///
/// impl<T> Fit<Array2<f64>, T, linfa::Error> for First {
///     type Object = Along;
///     fn fit(&self, data: &DatasetBase<Array2<f64>, T>) -> Result<Along, linfa::Error> {
///         let mean = data.records.mean_axis(Axis(0)).unwrap();
///         Ok(Along { direction: &data.records.row(0) - &mean, mean })
///     }
/// }
/// impl<D: Data<Elem = f64>> Transformer<ArrayBase<D, Ix2>, Array1<f64>> for Along {
///     fn transform(&self, x: ArrayBase<D, Ix2>) -> Array1<f64> {
///         (&x - &self.mean).dot(&self.direction)
///     }
/// }
/// impl LinearFunctions<f64> for Along {
///     fn linear_functions(&self) -> (Array2<f64>, Array1<f64>) {
///         (self.direction.clone().insert_axis(Axis(1)), array![-self.mean.dot(&self.direction)])
///     }
/// }
/// impl FoldBack<f64> for Along {
///     type Folded = Along;
///     fn folded(&self) -> Along {
///         Along { mean: array![0.0], direction: array![1.0] }
///     }
/// }
/// impl<T> FoldableMethod<f64, T, linfa::Error> for First {}
///
/// let x = DatasetBase::from(array![[0.0], [1.0], [5.0]]);
/// let model = KernelMethod::new(First, Exact::new(Linear::new())).fit(&x)?;
/// let values: Array1<f64> = model.transform(array![[1.0]]);
/// assert!((values[0] - (1.0 - 2.0) * (0.0 - 2.0)).abs() < 1e-14);
/// # Ok::<(), npt_core::KernelizedError<linfa::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KernelMethod<M, B> {
    linear: M,
    builder: B,
}

impl<M, B> KernelMethod<M, B> {
    /// The kernel version of `linear` in the space that `builder` fits.
    pub fn new(linear: M, builder: B) -> Self {
        Self { linear, builder }
    }

    /// Changes the linear method: `.method(|m| m.penalty(0.5))`.
    // A search of the documentation finds it by the names of the setters.
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
    pub fn method<Other>(self, change: impl FnOnce(M) -> Other) -> KernelMethod<Other, B> {
        KernelMethod::new(change(self.linear), self.builder)
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
    pub fn space<Other>(self, change: impl FnOnce(B) -> Other) -> KernelMethod<M, Other> {
        KernelMethod::new(self.linear, change(self.builder))
    }

    /// The linear method.
    pub fn inner(&self) -> &M {
        &self.linear
    }

    /// The builder of the space.
    pub fn builder(&self) -> &B {
        &self.builder
    }

    /// Fits the kernel method: linfa's [`Fit`], which need not be imported.
    ///
    /// # Errors
    /// [`KernelizedError::Space`] for samples and kernel, [`KernelizedError::Method`] as the linear method documents.
    // With the types of the result as parameters, so that an error names the bound that does not hold, not a missing `fit`.
    pub fn fit<R, T, E, O, Q, P, K, F>(
        &self,
        dataset: &DatasetBase<R, T>,
    ) -> Result<FoldedModel<Q, R::Samples, K, F>, KernelizedError<E>>
    where
        R: Records + AsSamples,
        T: AsTargets,
        T::Elem: Clone + 'static,
        B: SpaceBuilder<R::Samples, Space = P>,
        P: Foldable<Samples = R::Samples, Kernel = K, Scalar = F>,
        K: Kernel<R::Samples, Scalar = F>,
        F: Scalar,
        M: FoldableMethod<F, Array<T::Elem, T::Ix>, E, Object = O>,
        O: FoldBack<F, Folded = Q>,
        E: std::error::Error + From<linfa::Error> + 'static,
    {
        Fit::fit(self, dataset)
    }

    /// The same method by coordinates: its model keeps the space, and predicts through it.
    pub fn by_coordinates(self) -> Kernelized<M, B> {
        Kernelized::new(self.linear, self.builder)
    }
}

super::halves::setters_of_halves!(KernelMethod);

impl<R, T, E, M, B> Fit<R, T, KernelizedError<E>> for KernelMethod<M, B>
where
    R: Records + AsSamples,
    T: AsTargets,
    T::Elem: Clone + 'static,
    B: SpaceBuilder<R::Samples>,
    B::Space: Foldable,
    M: FoldableMethod<<B::Space as KernelSpace>::Scalar, Array<T::Elem, T::Ix>, E>,
    M::Object: FoldBack<<B::Space as KernelSpace>::Scalar>,
    E: std::error::Error + From<linfa::Error> + 'static,
{
    type Object = FoldedModel<
        <M::Object as FoldBack<<B::Space as KernelSpace>::Scalar>>::Folded,
        R::Samples,
        <B::Space as Foldable>::Kernel,
        <B::Space as KernelSpace>::Scalar,
    >;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<E>> {
        check_dataset(dataset)?;
        let samples = dataset.records().as_samples()?;
        let training = TrainingSamples::new(&self.builder, samples.as_ref());
        let method = &self.linear;
        let settling = method.dual_form().filter(|form| form.settles());
        let model = if settling.is_some() {
            training.fit_checked(method, dataset)?
        } else if let Some(model) = training.fit_by_first_roads(method, dataset)? {
            model
        } else {
            let (space, coordinates, _) = training.fit_space()?.into_parts();
            // The method sees coordinates alone: a copy of the records would be one matrix more beside its own.
            drop(samples);
            let data = with_records(dataset, coordinates);
            let fitted = method.fit(&data).map_err(KernelizedError::Method)?;
            let dual = method.dual_coefficients(&fitted, &data);
            FoldedModel::of_fitted(&fitted, &space, &data.records, dual)?
        };
        Ok(model.with_feature_names(dataset.feature_names().to_vec()))
    }
}
