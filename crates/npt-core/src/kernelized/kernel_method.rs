//! A linear method and a kernel space, as one kernel method.

use super::{Kernelized, KernelizedError, TrainingSamples, check_dataset, with_records};
use crate::{
    AsSamples, Expand, ExpansionMethod, ExpansionModel, ExpansionSpace, Kernel, KernelSpace,
    Scalar, SpaceBuilder,
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::Fit,
};
use ndarray::Array;

/// The kernel version of a linear method: the method, and the builder of the space that it is run
/// in. Its `fit` gives an [`ExpansionModel`], which predicts by sums of kernel values.
///
/// The ready-made methods are pairs of this kind, with defaults of their own;
/// [`method`](Self::method) and [`space`](Self::space) change either half.
///
/// # Which road it takes
/// A method with a dual form ([`ExpansionMethod::dual_form`]) is fitted to inner products, if the space represents the kernel
/// itself ([`SpaceBuilder::inner_products`]: no rank was asked for). Its model predicts by the classical formula. The inner
/// products are computed from coordinates where r ≪ n, and are kernel values otherwise:
/// [`KernelProducts`](crate::KernelProducts) says from where on.
///
/// All other methods are fitted to coordinates, and their models are written as expansions. A method that knows its dual
/// coefficients ([`ExpansionMethod::dual_coefficients`]) is fitted in the space of [`SpaceBuilder::fit_for_expansion`]; its
/// expansion has these coefficients, so that it predicts by the classical formula, too. Any other method is fitted as by
/// [`Kernelized`]. [`TrainingSamples`] has the whole rule. [`by_coordinates`](Self::by_coordinates) makes any method one
/// that is fitted as by [`Kernelized`].
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::{Array1, Array2, ArrayBase, Axis, Data, Ix2, array};
/// use npt_core::{Exact, Expand, ExpansionMethod, KernelMethod, Linear, LinearFunctions};
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
/// impl Expand<f64> for Along {
///     type Expanded = Along;
///     fn expanded(&self) -> Along {
///         Along { mean: array![0.0], direction: array![1.0] }
///     }
/// }
/// impl<T> ExpansionMethod<f64, T, linfa::Error> for First {}
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
    method: M,
    builder: B,
}

impl<M, B> KernelMethod<M, B> {
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
    pub fn method<Other>(self, change: impl FnOnce(M) -> Other) -> KernelMethod<Other, B> {
        KernelMethod::new(change(self.method), self.builder)
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
        KernelMethod::new(self.method, change(self.builder))
    }

    /// The linear method.
    pub fn inner(&self) -> &M {
        &self.method
    }

    /// The builder of the space.
    pub fn builder(&self) -> &B {
        &self.builder
    }

    /// Fits the kernel method. This is linfa's [`Fit`], which need not be imported.
    ///
    /// # Errors
    /// [`KernelizedError::Space`] for samples and kernel, [`KernelizedError::Method`] as the linear method documents.
    // The types of the result are parameters, so that a compiler error names the bound that does not hold, not a missing
    // `fit`.
    pub fn fit<R, T, E, O, Q, P, K, F>(
        &self,
        dataset: &DatasetBase<R, T>,
    ) -> Result<ExpansionModel<Q, R::Samples, K, F>, KernelizedError<E>>
    where
        R: Records + AsSamples,
        T: AsTargets,
        T::Elem: Clone + 'static,
        B: SpaceBuilder<R::Samples, Space = P>,
        P: ExpansionSpace<Samples = R::Samples, Kernel = K, Scalar = F>,
        K: Kernel<R::Samples, Scalar = F>,
        F: Scalar,
        M: ExpansionMethod<F, Array<T::Elem, T::Ix>, E, Object = O>,
        O: Expand<F, Expanded = Q>,
        E: std::error::Error + From<linfa::Error> + 'static,
    {
        Fit::fit(self, dataset)
    }

    /// Turns the method into one by coordinates: its model keeps the space, and predicts through it.
    pub fn by_coordinates(self) -> Kernelized<M, B> {
        Kernelized::new(self.method, self.builder)
    }
}

super::halves::setters_of_halves!(KernelMethod);

impl<R, T, E, M, B> Fit<R, T, KernelizedError<E>> for KernelMethod<M, B>
where
    R: Records + AsSamples,
    T: AsTargets,
    T::Elem: Clone + 'static,
    B: SpaceBuilder<R::Samples>,
    B::Space: ExpansionSpace,
    M: ExpansionMethod<<B::Space as KernelSpace>::Scalar, Array<T::Elem, T::Ix>, E>,
    M::Object: Expand<<B::Space as KernelSpace>::Scalar>,
    E: std::error::Error + From<linfa::Error> + 'static,
{
    type Object = ExpansionModel<
        <M::Object as Expand<<B::Space as KernelSpace>::Scalar>>::Expanded,
        R::Samples,
        <B::Space as ExpansionSpace>::Kernel,
        <B::Space as KernelSpace>::Scalar,
    >;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<E>> {
        check_dataset(dataset)?;
        let samples = dataset.records().as_samples()?;
        let training = TrainingSamples::new(&self.builder, samples.as_ref());
        let method = &self.method;
        let settling = method.dual_form().filter(|form| form.settles());
        let model = if settling.is_some() {
            training.fit_checked(method, dataset)?
        } else if let Some(model) = training.fit_by_first_roads(method, dataset)? {
            model
        } else {
            let (space, coordinates, _) = training.fit_space()?.into_parts();
            // The method sees coordinates alone. A copy of the records would be one more matrix in memory beside its own.
            drop(samples);
            let data = with_records(dataset, coordinates);
            let fitted = method.fit(&data).map_err(KernelizedError::Method)?;
            let dual = method.dual_coefficients(&fitted, &data);
            ExpansionModel::of_fitted(&fitted, &space, &data.records, dual)?
        };
        Ok(model.with_feature_names(dataset.feature_names().to_vec()))
    }
}
