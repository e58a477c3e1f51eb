//! The samples that kernel methods are fitted to, and the rule by which a method is fitted to them.

use super::{check_targets, weights_of, with_records};
use crate::{
    Error, Expand, ExpansionMethod, ExpansionModel, ExpansionSpace, Fitted, KernelSpace,
    KernelizedError, ProductsOf, Samples, Scalar, SpaceBuilder, inner_products::settled, linalg,
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::Fit,
};
use ndarray::{Array, Array2, ArrayView1};
use num_traits::Float;
use std::{ops::Deref, sync::OnceLock};

/// The number of ε, times the root of the rank, by which the squared length of a sample may be off: see the factor of
/// [`Exact`](crate::Exact).
const ROUNDING: f64 = 64.0;

/// The training samples of kernel methods, and the inner products and spaces that the builder of a space makes of them for a
/// fit.
///
/// [`KernelMethod::fit`](crate::KernelMethod::fit) fits one method to such samples, as [`fit`](Self::fit) does. If several
/// methods are fitted to the same samples, as in a search, the samples are [`shared`](Self::shared).
///
/// # Which road a method takes
/// 1. A method with a dual form ([`ExpansionMethod::dual_form`]) in a space that represents the kernel itself
///    ([`SpaceBuilder::inner_products`]) is fitted to inner products, unless its dual form is singular to rounding.
/// 2. Otherwise a method that knows its dual coefficients ([`ExpansionMethod::has_dual_coefficients`]) is fitted to
///    coordinates in the space of [`SpaceBuilder::fit_for_expansion`], unless that fit fails, or a direction of the model
///    lies along rounding alone.
/// 3. Otherwise the method is fitted to coordinates in the space of [`SpaceBuilder::fit_space`].
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use ndarray::{Array1, Array2, ArrayBase, Axis, Data, Ix2, array};
/// use npt_core::{Exact, Expand, ExpansionMethod, KernelMethod, Linear, LinearFunctions, Rows, TrainingSamples};
///
/// /// The functions ⟨x, Σᵢ tᵢxᵢ⟩ · scale.
/// struct Sum(f64);
/// struct Along(Array1<f64>);
///
/// impl Fit<Array2<f64>, Array1<f64>, linfa::Error> for Sum {
///     type Object = Along;
///     fn fit(&self, data: &Dataset<f64, f64, ndarray::Ix1>) -> Result<Along, linfa::Error> {
///         Ok(Along(self.0 * data.records.t().dot(&data.targets)))
///     }
/// }
/// impl LinearFunctions<f64> for Along {
///     fn linear_functions(&self) -> (Array2<f64>, Array1<f64>) {
///         (self.0.clone().insert_axis(Axis(1)), array![0.0])
///     }
/// }
/// impl Expand<f64> for Along {
///     type Expanded = ();
///     fn expanded(&self) {}
/// }
/// impl ExpansionMethod<f64, Array1<f64>, linfa::Error> for Sum {}
///
/// let data = Dataset::new(array![[1.0], [-1.0]], array![1.0, -1.0]);
/// let (builder, rows) = (Exact::new(Linear::new()), Rows::new(data.records.clone())?);
/// let samples = TrainingSamples::new(&builder, &rows).shared(true);
/// for scale in [0.5, 3.0] {
///     let model = samples.fit(&Sum(scale), &data)?;
///     let value = model.expansion().evaluate(&array![[2.0]])?[[0, 0]];
///     assert!((value - 2.0 * scale * 2.0).abs() < 1e-14);
/// }
/// # Ok::<(), npt_core::KernelizedError<linfa::Error>>(())
/// ```
pub struct TrainingSamples<'a, S, B>
where
    S: Samples,
    B: SpaceBuilder<S>,
    B::Space: ExpansionSpace,
{
    builder: &'a B,
    samples: &'a S,
    is_shared: bool,
    /// The inner products: first those that are not centred, then those that are.
    products: [Made<Option<ProductsOf<'a, S, B::Space>>>; 2],
    plain: Made<Fitted<B::Space>>,
    for_expansion: Made<Fitted<B::Space>>,
}

/// A value, or an error, that is made at first use.
type Made<T> = OnceLock<Result<T, Error>>;

/// The scalar of the coordinates.
type ScalarOf<B, S> = <<B as SpaceBuilder<S>>::Space as KernelSpace>::Scalar;

/// The method that works on the values of the linear functions of a fitted method.
type ExpandedOf<M, F, T, E> = <<M as Fit<Array2<F>, T, E>>::Object as Expand<F>>::Expanded;

/// The model of a method in the spaces of a builder.
type ModelOf<M, B, S, T, E> = ExpansionModel<
    ExpandedOf<M, ScalarOf<B, S>, T, E>,
    S,
    <<B as SpaceBuilder<S>>::Space as ExpansionSpace>::Kernel,
    ScalarOf<B, S>,
>;

impl<'a, S, B> TrainingSamples<'a, S, B>
where
    S: Samples,
    B: SpaceBuilder<S>,
    B::Space: ExpansionSpace,
{
    /// Takes the samples. Nothing is computed from them before it is used.
    pub fn new(builder: &'a B, samples: &'a S) -> Self {
        Self {
            builder,
            samples,
            is_shared: false,
            products: [OnceLock::new(), OnceLock::new()],
            plain: OnceLock::new(),
            for_expansion: OnceLock::new(),
        }
    }

    /// Sets whether inner products and spaces are kept for the next method; false by default. If they are kept, each is
    /// computed once for all methods. If not, each is dropped when a method is done with it, and coordinates are not copied.
    pub fn shared(mut self, is_shared: bool) -> Self {
        self.is_shared = is_shared;
        self
    }

    /// The samples.
    pub fn samples(&self) -> &'a S {
        self.samples
    }

    /// The inner products of the samples, as [`SpaceBuilder::inner_products`] documents.
    ///
    /// # Errors
    /// As [`SpaceBuilder::inner_products`].
    pub fn inner_products(
        &self,
        centered: bool,
    ) -> Result<Option<impl Deref<Target = ProductsOf<'a, S, B::Space>>>, Error> {
        let made = &self.products[usize::from(centered)];
        let make = || self.builder.inner_products(self.samples, centered);
        Ok(match self.held(made, make)? {
            Held::Own(products) => products.map(Held::Own),
            Held::Shared(products) => products.as_ref().map(Held::Shared),
        })
    }

    /// Fits the space of the samples, for a model that keeps it. Each call fits it anew.
    ///
    /// # Errors
    /// As [`SpaceBuilder::fit_space`].
    pub fn fit_space(&self) -> Result<Fitted<B::Space>, Error> {
        self.builder.fit_space(self.samples)
    }

    /// Fits a method to the samples, with the targets, target names and sample weights of `dataset`, whose records are not
    /// looked at.
    ///
    /// # Errors
    /// [`KernelizedError::Space`] for samples and kernel, and for data that no method can use: targets of `f64` or `f32`
    /// that are not finite, weights that are negative, not finite or all 0, targets or weights that are not one a sample;
    /// [`KernelizedError::Method`] as the method documents.
    pub fn fit<M, R, T, E>(
        &self,
        method: &M,
        dataset: &DatasetBase<R, T>,
    ) -> Result<ModelOf<M, B, S, Array<T::Elem, T::Ix>, E>, KernelizedError<E>>
    where
        R: Records,
        T: AsTargets,
        T::Elem: Clone + 'static,
        M: ExpansionMethod<ScalarOf<B, S>, Array<T::Elem, T::Ix>, E>,
        E: std::error::Error + From<linfa::Error> + 'static,
    {
        check_targets(dataset, self.samples.len())?;
        self.fit_checked(method, dataset)
    }

    /// Fits a method as [`fit`](Self::fit) does, with targets and weights that have been checked.
    pub(super) fn fit_checked<M, R, T, E>(
        &self,
        method: &M,
        dataset: &DatasetBase<R, T>,
    ) -> Result<ModelOf<M, B, S, Array<T::Elem, T::Ix>, E>, KernelizedError<E>>
    where
        R: Records,
        T: AsTargets,
        T::Elem: Clone + 'static,
        M: ExpansionMethod<ScalarOf<B, S>, Array<T::Elem, T::Ix>, E>,
        E: std::error::Error + From<linfa::Error> + 'static,
    {
        if let Some(model) = self.fit_by_first_roads(method, dataset)? {
            return Ok(model);
        }
        let (space, coordinates) = self.coordinates(&self.plain, || self.fit_space())?;
        let data = with_records(dataset, coordinates);
        let model = method.fit(&data).map_err(KernelizedError::Method)?;
        Ok(self.expand(method, &model, &space, &data)?)
    }

    /// Fits a method by rule 1 or 2 of [`TrainingSamples`]: to inner products, or in the space for an expansion. Returns
    /// `None` for a method that is left to rule 3.
    pub(super) fn fit_by_first_roads<M, R, T, E>(
        &self,
        method: &M,
        dataset: &DatasetBase<R, T>,
    ) -> Result<Option<ModelOf<M, B, S, Array<T::Elem, T::Ix>, E>>, KernelizedError<E>>
    where
        R: Records,
        T: AsTargets,
        T::Elem: Clone + 'static,
        M: ExpansionMethod<ScalarOf<B, S>, Array<T::Elem, T::Ix>, E>,
        E: std::error::Error + From<linfa::Error> + 'static,
    {
        if let Some(form) = method.dual_form() {
            let targets = dataset.as_targets().to_owned();
            let weights = weights_of(dataset);
            let foreseen = form.foresee(&targets, weights);
            foreseen.map_err(KernelizedError::Method)?;
            if let Some(products) = self.inner_products(!form.ignores_shift())?
                && let Some(model) = products.fit_model(self.samples, form, &targets, weights)?
            {
                return Ok(Some(model));
            }
        }
        if method.has_dual_coefficients() {
            let builder = self.builder;
            let fit = || builder.fit_for_expansion(self.samples);
            let (space, coordinates) = self.coordinates(&self.for_expansion, fit)?;
            let data = with_records(dataset, coordinates);
            // If the fit fails there, or a direction lies along rounding alone, the method is fitted in the plain space.
            if let Ok(model) = method.fit(&data)
                && !is_along_rounding(&model, &data.records)
            {
                return Ok(Some(self.expand(method, &model, &space, &data)?));
            }
        }
        Ok(None)
    }

    /// The expansion of a method that was fitted to the coordinates of `data`.
    fn expand<M, T, E>(
        &self,
        method: &M,
        fitted: &M::Object,
        space: &B::Space,
        data: &DatasetBase<Array2<ScalarOf<B, S>>, T>,
    ) -> Result<ModelOf<M, B, S, T, E>, Error>
    where
        M: ExpansionMethod<ScalarOf<B, S>, T, E>,
        E: std::error::Error + From<linfa::Error>,
    {
        let dual = method.dual_coefficients(fitted, data);
        let model = ExpansionModel::of_fitted(fitted, space, &data.records, dual)?;
        let form = method.dual_form().filter(|form| form.settles());
        let Some(form) = form else { return Ok(model) };
        settled(model, self.samples, form, &data.targets, weights_of(data))
    }

    /// A space, and its training coordinates, which the caller gives away.
    fn coordinates<'s>(
        &self,
        made: &'s Made<Fitted<B::Space>>,
        fit: impl FnOnce() -> Result<Fitted<B::Space>, Error>,
    ) -> Result<(Held<'s, B::Space>, Array2<ScalarOf<B, S>>), Error> {
        Ok(match self.held(made, fit)? {
            Held::Own(fitted) => {
                let (space, coordinates, _) = fitted.into_parts();
                (Held::Own(space), coordinates)
            }
            Held::Shared(fitted) => {
                let coordinates = fitted.training_coordinates().to_owned();
                (Held::Shared(fitted.space()), coordinates)
            }
        })
    }

    /// Returns the value that `make` makes. It is kept in `made` if the samples are shared.
    fn held<'s, V>(
        &self,
        made: &'s Made<V>,
        make: impl FnOnce() -> Result<V, Error>,
    ) -> Result<Held<'s, V>, Error> {
        if !self.is_shared {
            return make().map(Held::Own);
        }
        let kept = if let Some(kept) = made.get() {
            kept
        } else {
            // Made without the lock: a thread that waits for the lock may be one among which this work is divided.
            let found = make();
            made.get_or_init(|| found)
        };
        kept.as_ref().map(Held::Shared).map_err(Clone::clone)
    }
}

/// A value that is used by one method alone, or kept for several.
enum Held<'s, V> {
    Own(V),
    Shared(&'s V),
}

impl<V> Deref for Held<'_, V> {
    type Target = V;

    fn deref(&self) -> &V {
        match self {
            Self::Own(value) => value,
            Self::Shared(value) => value,
        }
    }
}

/// Returns whether the model has a direction along which all samples together extend no more than rounding may make a single
/// sample seem to extend.
fn is_along_rounding<F: Scalar, O: Expand<F>>(model: &O, y: &Array2<F>) -> bool {
    let directions = model.linear_functions().0;
    let squared = |rows: ArrayView1<'_, F>| rows.dot(&rows);
    let largest = y.outer_iter().map(squared).fold(F::zero(), Float::max);
    let roots = F::cast(y.ncols() + 1).sqrt();
    let level = F::cast(ROUNDING) * F::epsilon() * roots * largest;
    let extents = linalg::product(y.view(), directions.view());
    let mut columns = extents.columns().into_iter().zip(directions.columns());
    columns.any(|(extent, direction)| squared(extent) <= level * squared(direction))
}
