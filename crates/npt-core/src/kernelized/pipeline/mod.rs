//! A transformer of records in front of an estimator.

mod error;
mod model;

pub use error::PipelineError;
pub use model::PipelineModel;

use super::{FitsTo, check_dataset};
use crate::{Error, Scalar, samples::check_shape};
use linfa::{
    DatasetBase,
    dataset::AsTargets,
    traits::{Fit, Transformer},
};
use ndarray::{Array, Array2, ArrayBase, Data, Ix2};
use std::convert::Infallible;

/// A transformer of records in front of an estimator: for example a scaler of linfa's in front of a kernel method. The two
/// are fitted together, and the model keeps both.
///
/// The transformer is any `Fit` whose fitted form transforms an `Array2` to another: `LinearScaler` and `Whitener` of
/// linfa-preprocessing, `Pca` and `Imputer` of npt-methods, or one of your own. Pipelines can be nested; the outermost
/// transformer comes first. Targets, their names, and weights reach both transformer and estimator.
///
/// # Errors
/// [`PipelineError`] if the records, the transformer, or the estimator are at fault. Records that are not finite are refused
/// before the transformer sees them, unless it takes [missing values](Self::with_missing_values).
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use linfa_linear::LinearRegression;
/// use linfa_preprocessing::linear_scaling::LinearScaler;
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, Kernelized, Pipeline};
///
/// // In metres and in millimetres: without scaling the second column alone would decide.
/// let x = array![[0.0, 10.0], [1.0, 3000.0], [2.0, 1000.0], [3.0, 2000.0]];
/// let data = Dataset::new(x, array![0.0, 1.0, 4.0, 9.0]);
/// let kernelized = Kernelized::new(LinearRegression::new(), Exact::new(Gaussian::new(0.5)));
/// let model = Pipeline::new(LinearScaler::standard(), kernelized).fit(&data)?;
/// assert!((model.predict(&data) - &data.targets).iter().all(|d: &f64| d.abs() < 1e-9));
/// let new: ndarray::Array1<f64> = model.try_predict(&array![[1.5, 2000.0]])?;
/// assert_eq!(new.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pipeline<A, M> {
    transformer: A,
    estimator: M,
    missing_values: bool,
}

impl<A, M> Pipeline<A, M> {
    /// A pipeline that runs `estimator` on the output of `transformer`.
    pub fn new(transformer: A, estimator: M) -> Self {
        Self {
            transformer,
            estimator,
            missing_values: false,
        }
    }

    /// Lets records with missing values, NaN, reach the transformer, which has to fill them in: its output has to be finite
    /// all the same.
    pub fn with_missing_values(mut self) -> Self {
        self.missing_values = true;
        self
    }

    /// Returns whether the transformer gets records with missing values.
    pub fn takes_missing_values(&self) -> bool {
        self.missing_values
    }

    /// The transformer.
    pub fn transformer(&self) -> &A {
        &self.transformer
    }

    /// The estimator.
    pub fn estimator(&self) -> &M {
        &self.estimator
    }
}

/// Refuses records that are empty, of another width than at the fit, or not finite. NaN is accepted where values may be
/// missing.
fn check<F: Scalar, D: Data<Elem = F>>(
    x: &ArrayBase<D, Ix2>,
    features: usize,
    missing_values: bool,
) -> Result<(), Error> {
    let (samples, found) = x.dim();
    check_shape(samples, found)?;
    if found != features {
        let expected = features;
        return Err(Error::ColumnCount { expected, found });
    }
    for ((row, column), &value) in x.indexed_iter() {
        if !(value.is_finite() || value.is_nan() && missing_values) {
            let value = value.as_f64();
            return Err(Error::SampleNotFinite { row, column, value });
        }
    }
    Ok(())
}

impl<A, M> Pipeline<A, M> {
    /// Checks that the transformer may see these records.
    ///
    /// # Errors
    /// [`Error::NoSamples`], [`Error::NoFeatures`], [`Error::SampleNotFinite`].
    pub fn check<F: Scalar, D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Result<(), Error> {
        check(x, x.ncols(), self.missing_values)
    }

    /// Fits the transformer alone. Returns a pipeline without a model, which can be [applied](PipelineModel::apply) to
    /// records.
    ///
    /// # Errors
    /// [`PipelineError::Records`] or [`PipelineError::Transformer`].
    pub fn fit_transformer<F, T, EA>(
        &self,
        dataset: &DatasetBase<Array2<F>, T>,
    ) -> Result<PipelineModel<A::Object, ()>, PipelineError<EA, Infallible>>
    where
        F: Scalar,
        T: AsTargets,
        T::Elem: Clone + 'static,
        A: Fit<Array2<F>, T, EA>,
        EA: std::error::Error + From<linfa::Error>,
    {
        check_dataset(dataset)?;
        self.check(dataset.records())?;
        let transformer = self.transformer.fit(dataset);
        let transformer = transformer.map_err(PipelineError::Transformer)?;
        Ok(self.front(transformer, dataset))
    }
}

/// A transformer with its fitted form as a parameter, for the bounds of [`Pipeline::fit`]. A compiler error then names it,
/// instead of listing the types of linfa that might be one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no transformer that a pipeline can fit to records `Array2<{F}>` and targets `{T}`",
    label = "here the parameters of a transformer are needed",
    note = "a pipeline fits its transformer itself: it takes the parameters, say `LinearScaler::standard()`, not what their `fit` returned",
    note = "a transformer and a model that are both fitted become a pipeline by `PipelineModel::new`"
)]
pub trait FitsTransformer<F, T, E, O> {
    fn fit_transformer_to(&self, dataset: &DatasetBase<Array2<F>, T>) -> Result<O, E>;
}

#[diagnostic::do_not_recommend]
impl<A, F, T, E, O> FitsTransformer<F, T, E, O> for A
where
    A: Fit<Array2<F>, T, E, Object = O>,
    E: std::error::Error + From<linfa::Error>,
{
    fn fit_transformer_to(&self, dataset: &DatasetBase<Array2<F>, T>) -> Result<O, E> {
        self.fit(dataset)
    }
}

impl<A, M> Pipeline<A, M> {
    /// Fits the transformer, and then the estimator to its output. This is linfa's [`Fit`], which need not be imported.
    ///
    /// # Errors
    /// As the type documents.
    // The types of the result are parameters, so that a compiler error names the bound that does not hold, not a missing
    // `fit`.
    pub fn fit<F, D, T, EA, EM, AO, MO>(
        &self,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<PipelineModel<AO, MO>, PipelineError<EA, EM>>
    where
        F: Scalar,
        D: Data<Elem = F>,
        T: AsTargets,
        T::Elem: Clone + 'static,
        A: FitsTransformer<F, Array<T::Elem, T::Ix>, EA, AO>,
        AO: Transformer<Array2<F>, Array2<F>>,
        M: FitsTo<F, Array<T::Elem, T::Ix>, EM, MO>,
        EA: std::error::Error + From<linfa::Error> + 'static,
        EM: std::error::Error + From<linfa::Error> + 'static,
    {
        let whole = super::with_records(dataset, dataset.records().to_owned())
            .with_feature_names(dataset.feature_names().to_vec());
        check_dataset(&whole)?;
        self.check(whole.records())?;
        let transformer = self.transformer.fit_transformer_to(&whole);
        let transformer = transformer.map_err(PipelineError::Transformer)?;
        let front = self.front(transformer, &whole);
        let transformed = super::with_records(&whole, front.apply(&whole.records)?);
        let estimator = self.estimator.fit_to(&transformed);
        let estimator = estimator.map_err(PipelineError::Estimator)?;
        Ok(front.with(estimator, transformed.records.ncols()))
    }

    /// A pipeline of the fitted transformer alone, for records like those of `dataset`.
    fn front<AO, F, T>(
        &self,
        transformer: AO,
        dataset: &DatasetBase<Array2<F>, T>,
    ) -> PipelineModel<AO, ()> {
        PipelineModel::front(
            transformer,
            dataset.records.ncols(),
            dataset.feature_names().to_vec(),
            self.missing_values,
        )
    }
}

impl<F, D, T, A, M, EA, EM> Fit<ArrayBase<D, Ix2>, T, PipelineError<EA, EM>> for Pipeline<A, M>
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets,
    T::Elem: Clone + 'static,
    A: Fit<Array2<F>, Array<T::Elem, T::Ix>, EA>,
    A::Object: Transformer<Array2<F>, Array2<F>>,
    M: Fit<Array2<F>, Array<T::Elem, T::Ix>, EM>,
    EA: std::error::Error + From<linfa::Error> + 'static,
    EM: std::error::Error + From<linfa::Error> + 'static,
{
    type Object = PipelineModel<A::Object, M::Object>;

    fn fit(
        &self,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<Self::Object, PipelineError<EA, EM>> {
        self.fit(dataset)
    }
}
