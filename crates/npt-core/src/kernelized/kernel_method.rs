//! A linear method and a kernel space, as one kernel method.

use super::{Kernelized, KernelizedError, check_dataset};
use crate::{
    AsSamples, Error, Fitted, FoldBack, Foldable, FoldableMethod, FoldedModel, Kernel, KernelSpace,
    Samples, Scalar, SpaceBuilder, inner_products::settled, linalg,
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::Fit,
};
use ndarray::{Array, Array2, ArrayView1};
use num_traits::Float;
use std::borrow::Borrow;

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
/// them, so that it predicts by the classical formula, too; any other as by [`Kernelized`].
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

/// By how many ε, times the root of the rank, the squared length of a sample may be off: see the factor
/// of [`Exact`](crate::Exact).
const ROUNDING: f64 = 64.0;

/// The model of a method in the spaces of a builder.
type ModelOf<M, B, S, T, E> = FoldedModel<
    FoldedOf<M, <B as SpaceBuilder<S>>::Space, T, E>,
    S,
    <<B as SpaceBuilder<S>>::Space as Foldable>::Kernel,
    <<B as SpaceBuilder<S>>::Space as KernelSpace>::Scalar,
>;

impl<M, B> KernelMethod<M, B> {
    /// The model, on the road that is its own.
    fn fit_folded<R, T, E>(
        &self,
        dataset: &DatasetBase<R, T>,
    ) -> Result<ModelOf<M, B, R::Samples, Array<T::Elem, T::Ix>, E>, KernelizedError<E>>
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
        if let Some(form) = self.linear.dual_form() {
            let samples = dataset.records().as_samples()?;
            let centre = !form.ignores_shift();
            let targets = dataset.as_targets().to_owned();
            let weights = super::weights_of(dataset);
            let foreseen = form.foresee(&targets, weights);
            foreseen.map_err(KernelizedError::Method)?;
            if let Some(products) = self.builder.inner_products(samples.as_ref(), centre)?
                && let Some(model) =
                    products.fit_model(samples.as_ref(), form, &targets, weights)?
            {
                return Ok(model);
            }
        }
        self.fit_in_spaces(dataset, |kind| {
            let (space, coordinates, _) = kind.fit(&self.builder, dataset.records())?.into_parts();
            Ok((space, coordinates))
        })
    }

    /// The model of the method fitted to coordinates, in the space that `fitted` gives with them.
    #[doc(hidden)]
    pub fn fit_in_spaces<R, T, E, P>(
        &self,
        dataset: &DatasetBase<R, T>,
        fitted: impl Fn(SpaceKind) -> Result<(P, Array2<<B::Space as KernelSpace>::Scalar>), Error>,
    ) -> Result<ModelOf<M, B, R::Samples, Array<T::Elem, T::Ix>, E>, KernelizedError<E>>
    where
        R: Records + AsSamples,
        T: AsTargets,
        T::Elem: Clone + 'static,
        B: SpaceBuilder<R::Samples>,
        B::Space: Foldable,
        P: Borrow<B::Space>,
        M: FoldableMethod<<B::Space as KernelSpace>::Scalar, Array<T::Elem, T::Ix>, E>,
        M::Object: FoldBack<<B::Space as KernelSpace>::Scalar>,
        E: std::error::Error + From<linfa::Error> + 'static,
    {
        check_dataset(dataset)?;
        let fold = |model: &M::Object,
                    space: &B::Space,
                    data: &DatasetBase<_, Array<T::Elem, T::Ix>>|
         -> Result<_, Error> {
            let dual = self.linear.dual_coefficients(model, data);
            let model = FoldedModel::of_fitted(model, space, &data.records, dual)?;
            let form = self.linear.dual_form().filter(|form| form.settles());
            let Some(form) = form else { return Ok(model) };
            let samples = dataset.records().as_samples()?;
            let weights = super::weights_of(dataset);
            settled(model, samples.as_ref(), form, &data.targets, weights)
        };
        if self.linear.has_dual_coefficients() {
            let (space, coordinates) = fitted(SpaceKind::ForExpansion)?;
            let data = super::with_records(dataset, coordinates);
            // What goes wrong there, or lies along rounding alone, is looked at in the plain space.
            if let Ok(model) = self.linear.fit(&data)
                && !is_along_rounding(&model, &data.records)
            {
                return Ok(fold(&model, space.borrow(), &data)?);
            }
        }
        let (space, coordinates) = fitted(SpaceKind::Plain)?;
        let data = super::with_records(dataset, coordinates);
        let model = self.linear.fit(&data).map_err(KernelizedError::Method)?;
        Ok(fold(&model, space.borrow(), &data)?)
    }
}

/// Which space a method is fitted in.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpaceKind {
    /// [`SpaceBuilder::fit_space`]
    Plain,
    /// [`SpaceBuilder::fit_for_expansion`]
    ForExpansion,
}

impl SpaceKind {
    /// The space of this kind.
    ///
    /// # Errors
    /// Those of the builder.
    pub fn fit<S: Samples, B: SpaceBuilder<S>>(
        self,
        builder: &B,
        records: &dyn AsSamples<Samples = S>,
    ) -> Result<Fitted<B::Space>, Error> {
        match self {
            Self::Plain => builder.fit_space(records),
            Self::ForExpansion => builder.fit_for_expansion(records),
        }
    }
}

/// What is left of a fitted method.
type FoldedOf<M, P, T, E> =
    <<M as Fit<Array2<<P as KernelSpace>::Scalar>, T, E>>::Object as FoldBack<
        <P as KernelSpace>::Scalar,
    >>::Folded;

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
        let model = self.fit_folded(dataset)?;
        Ok(model.with_feature_names(dataset.feature_names().to_vec()))
    }
}

/// Whether there is a direction along which the samples extend no more than rounding may make one
/// of them seem to.
fn is_along_rounding<F: Scalar, O: FoldBack<F>>(model: &O, y: &Array2<F>) -> bool {
    let directions = model.linear_functions().0;
    let squared = |rows: ArrayView1<'_, F>| rows.dot(&rows);
    let largest = y.outer_iter().map(squared).fold(F::zero(), Float::max);
    let roots = F::cast(y.ncols() + 1).sqrt();
    let level = F::cast(ROUNDING) * F::epsilon() * roots * largest;
    let extents = linalg::product(y.view(), directions.view());
    let mut columns = extents.columns().into_iter().zip(directions.columns());
    columns.any(|(extent, direction)| squared(extent) <= level * squared(direction))
}
