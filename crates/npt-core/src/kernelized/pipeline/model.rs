//! The fitted pipeline.

use super::check;
#[cfg(feature = "serde")]
use crate::serial::method::Method;
use crate::{
    AsMatrix, Classifier, Error, FeatureNames, KernelModel, ProbabilisticClassifier, Scalar,
    kernelized::kernel_model::predict_row, require_feature_names,
};
use linfa::traits::{PredictInplace, Transformer};
use ndarray::{Array1, Array2, ArrayBase, ArrayView2, Data, Ix2};

/// A fitted transformer, and the model that was fitted to its output. It predicts and transforms as the model does.
///
/// # Panics
/// linfa's `predict` and `transform` have no error to return: they panic where the records are at fault. For kernel methods,
/// [`try_predict`](Self::try_predict) and [`try_transform`](Self::try_transform) return the error.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PipelineModel<A, M> {
    transformer: A,
    model: M,
    features: usize,
    missing_values: bool,
    /// The number of columns of the transformer's output.
    width: usize,
    feature_names: Vec<String>,
}

impl<A> PipelineModel<A, ()> {
    /// A pipeline without a model: its transformer takes records with `features` columns of the names `feature_names`, or
    /// without names.
    pub(super) fn front(
        transformer: A,
        features: usize,
        feature_names: Vec<String>,
        missing_values: bool,
    ) -> Self {
        Self {
            transformer,
            model: (),
            features,
            missing_values,
            width: 0,
            feature_names,
        }
    }

    /// Adds a model whose records have `width` columns.
    pub(super) fn with<M>(self, model: M, width: usize) -> PipelineModel<A, M> {
        PipelineModel {
            transformer: self.transformer,
            model,
            features: self.features,
            missing_values: self.missing_values,
            width,
            feature_names: self.feature_names,
        }
    }
}

impl<A, M> PipelineModel<A, M> {
    /// Puts together a fitted transformer of records with `features` columns, and a model that was fitted to its output.
    ///
    /// [`Pipeline`](crate::Pipeline) does this itself. Call it where the two were fitted by another way, for example to
    /// blocks.
    ///
    /// # Errors
    /// [`Error::NoFeatures`] for no columns; what [`apply`](Self::apply) finds wrong with the transformer's output.
    ///
    /// # Panics
    /// If the transformer panics for records of that many columns.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::{Fit, Transformer}};
    /// use linfa_linear::LinearRegression;
    /// use linfa_preprocessing::linear_scaling::LinearScaler;
    /// use ndarray::array;
    /// use npt_core::{Exact, Gaussian, Kernelized, PipelineModel};
    ///
    /// let data = Dataset::new(array![[0.0], [3.0], [9.0]], array![0.0, 1.0, 4.0]);
    /// let scaler = LinearScaler::standard().fit(&data)?;
    /// let scaled = scaler.transform(data.clone());
    /// let model = Kernelized::new(LinearRegression::new(), Exact::new(Gaussian::new(0.5))).fit(&scaled)?;
    /// let pipeline = PipelineModel::new(scaler, model, 1)?.with_feature_names(vec!["size".into()]);
    /// assert!((pipeline.predict_row(&[3.0])? - 1.0_f64).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<F>(transformer: A, model: M, features: usize) -> Result<Self, Error>
    where
        F: Scalar,
        A: Transformer<Array2<F>, Array2<F>>,
    {
        let front = PipelineModel::front(transformer, features, Vec::new(), false);
        let width = front.apply(&Array2::zeros((1, features)))?.ncols();
        Ok(front.with(model, width))
    }

    /// Sets the names of the features that the pipeline takes. A pipeline that was fitted to a dataset has the names of the
    /// dataset.
    pub fn with_feature_names(mut self, names: Vec<String>) -> Self {
        self.feature_names = names;
        self
    }

    /// Lets records with missing values, NaN, reach the transformer: [`Pipeline`](crate::Pipeline) says more.
    pub fn with_missing_values(mut self) -> Self {
        self.missing_values = true;
        self
    }

    /// The fitted transformer.
    pub fn transformer(&self) -> &A {
        &self.transformer
    }

    /// The model; its records are the output of the transformer.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The names of the features that the pipeline takes, in their order; empty if it was fitted to features without names.
    pub fn feature_names(&self) -> &[String] {
        &self.feature_names
    }

    /// The transformer and the model.
    pub fn into_parts(self) -> (A, M) {
        (self.transformer, self.model)
    }

    /// The output of the transformer: the records of the [`model`](Self::model).
    ///
    /// # Errors
    /// [`Error::NoSamples`], [`Error::NoFeatures`], [`Error::ColumnCount`]; [`Error::SampleNotFinite`] with the place in
    /// `x`, or in the output if `x` is valid; [`Error::OutputRows`] if the output has another number of rows; and
    /// [`Error::FeatureNames`] for a dataset with other names, or in another order.
    pub fn apply<X>(&self, x: &X) -> Result<Array2<X::Elem>, Error>
    where
        X: AsMatrix,
        X::Elem: Scalar,
        A: Transformer<Array2<X::Elem>, Array2<X::Elem>>,
    {
        require_feature_names(&self.feature_names, x.feature_names())?;
        let x = &x.as_matrix();
        check(x, self.features, self.missing_values)?;
        let output = self.transformer.transform(x.to_owned());
        if output.nrows() != x.nrows() {
            let (samples, rows) = (x.nrows(), output.nrows());
            return Err(Error::OutputRows { samples, rows });
        }
        check(&output, output.ncols(), false)?;
        Ok(output)
    }

    /// The output of the transformer. It panics on an error, as linfa's traits return none.
    fn applied<X>(&self, x: &X) -> Array2<X::Elem>
    where
        X: AsMatrix,
        X::Elem: Scalar,
        A: Transformer<Array2<X::Elem>, Array2<X::Elem>>,
    {
        self.apply(x).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<F, D, T, A, M> PredictInplace<ArrayBase<D, Ix2>, T> for PipelineModel<A, M>
where
    F: Scalar,
    D: Data<Elem = F>,
    A: Transformer<Array2<F>, Array2<F>>,
    M: PredictInplace<Array2<F>, T>,
{
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut T) {
        self.model.predict_inplace(&self.applied(x), y);
    }

    /// The default target for the shape of the transformer's output; the transformer is not applied for it.
    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> T {
        self.model
            .default_target(&Array2::zeros((x.nrows(), self.width)))
    }
}

crate::predict_by_names!([A, M] PipelineModel<A, M>);

impl<A, M> FeatureNames for PipelineModel<A, M> {
    fn feature_names(&self) -> &[String] {
        &self.feature_names
    }
}

impl<F, D, T, A, M> Transformer<ArrayBase<D, Ix2>, T> for PipelineModel<A, M>
where
    F: Scalar,
    D: Data<Elem = F>,
    A: Transformer<Array2<F>, Array2<F>>,
    M: Transformer<Array2<F>, T>,
{
    fn transform(&self, x: ArrayBase<D, Ix2>) -> T {
        self.model.transform(self.applied(&x))
    }
}

/// The records of the method are those that the model makes of the transformer's output.
impl<A, M> KernelModel for PipelineModel<A, M>
where
    M: KernelModel,
    A: Transformer<Array2<M::Scalar>, Array2<M::Scalar>>,
{
    type Scalar = M::Scalar;
    type Method = M::Method;

    fn fitted_method(&self) -> &M::Method {
        self.model.fitted_method()
    }

    fn method_records(&self, x: ArrayView2<'_, M::Scalar>) -> Result<Array2<M::Scalar>, Error> {
        self.model.method_records(self.apply(&x)?.view())
    }
}

/// Predictions of a kernel method's model, behind any number of transformers.
impl<A, M> PipelineModel<A, M>
where
    M: KernelModel,
    A: Transformer<Array2<M::Scalar>, Array2<M::Scalar>>,
{
    /// The records of the method. Records `x` whose features have other names are refused.
    fn records_of<X>(&self, x: &X) -> Result<Array2<M::Scalar>, Error>
    where
        X: AsMatrix<Elem = M::Scalar>,
    {
        require_feature_names(&self.feature_names, x.feature_names())?;
        self.method_records(x.as_matrix())
    }

    /// Predicts targets for the records `x`.
    ///
    /// # Errors
    /// As [`apply`](Self::apply), and those of the model.
    pub fn try_predict<X, T>(&self, x: &X) -> Result<T, Error>
    where
        X: AsMatrix<Elem = M::Scalar>,
        M::Method: PredictInplace<Array2<M::Scalar>, T>,
    {
        let records = self.records_of(x)?;
        let method = self.fitted_method();
        let mut targets = method.default_target(&records);
        method.predict_inplace(&records, &mut targets);
        Ok(targets)
    }

    /// Predicts the target of one sample: its label or number.
    ///
    /// # Errors
    /// As [`try_predict`](Self::try_predict).
    pub fn predict_row<L>(&self, row: &[M::Scalar]) -> Result<L, Error>
    where
        M::Method: PredictInplace<Array2<M::Scalar>, Array1<L>>,
    {
        predict_row(self, row)
    }

    /// Transforms the records `x`.
    ///
    /// # Errors
    /// As [`apply`](Self::apply), and those of the model.
    pub fn try_transform<X, T>(&self, x: &X) -> Result<T, Error>
    where
        X: AsMatrix<Elem = M::Scalar>,
        M::Method: Transformer<Array2<M::Scalar>, T>,
    {
        let records = self.records_of(x)?;
        Ok(self.fitted_method().transform(records))
    }

    /// The classes, ascending.
    pub fn classes(&self) -> &[<M::Method as Classifier<M::Scalar>>::Label]
    where
        M::Method: Classifier<M::Scalar>,
    {
        self.fitted_method().classes()
    }

    /// The values by which the method decides for a class: [`Classifier::decision_function`] says for which class they are
    /// positive.
    ///
    /// # Errors
    /// As [`apply`](Self::apply), and those of the model.
    pub fn decision_function<X>(
        &self,
        x: &X,
    ) -> Result<<M::Method as Classifier<M::Scalar>>::Values, Error>
    where
        X: AsMatrix<Elem = M::Scalar>,
        M::Method: Classifier<M::Scalar>,
    {
        let records = self.records_of(x)?;
        Ok(self.fitted_method().decision_function(&records))
    }

    /// The probabilities of the [`classes`](Self::classes), in their order, shape (m, classes).
    ///
    /// # Errors
    /// As [`apply`](Self::apply), and those of the model.
    pub fn predict_probabilities<X>(&self, x: &X) -> Result<Array2<M::Scalar>, Error>
    where
        X: AsMatrix<Elem = M::Scalar>,
        M::Method: ProbabilisticClassifier<M::Scalar>,
    {
        let records = self.records_of(x)?;
        Ok(self.fitted_method().predict_probabilities(&records))
    }
}

#[cfg(feature = "serde")]
impl<'de, A, M> serde::Deserialize<'de> for PipelineModel<A, M>
where
    A: serde::Deserialize<'de>,
    M: serde::Deserialize<'de> + 'static,
{
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "PipelineModel")]
        struct Parts<A, M> {
            transformer: A,
            model: M,
            features: usize,
            missing_values: bool,
            width: usize,
            feature_names: Vec<String>,
        }
        let read = Parts::<A, Method<M>>::deserialize(deserializer)?;
        let model = read
            .model
            .of(read.width, "columns of the transformer's output");
        Ok(Self {
            transformer: read.transformer,
            model: model.map_err(serde::de::Error::custom)?,
            features: read.features,
            missing_values: read.missing_values,
            width: read.width,
            feature_names: read.feature_names,
        })
    }
}
