//! The fitted pipeline.

use super::check;
#[cfg(feature = "serde")]
use crate::serial::method::Method;
use crate::{
    Classifier, Error, FoldedModel, Kernel, KernelSpace, KernelizedModel, ProbabilisticClassifier,
    Rows, Scalar,
};
use linfa::traits::{PredictInplace, Transformer};
use ndarray::{Array2, ArrayBase, Data, Ix2};

/// A fitted transformer and the model that was fitted to its output: predicts and transforms as the model does.
///
/// # Panics
/// linfa's `predict` and `transform` have no error to return: they panic where the records are at fault. Of kernel methods,
/// [`try_predict`](Self::try_predict) and [`try_transform`](Self::try_transform) return it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PipelineModel<A, M> {
    transformer: A,
    model: M,
    features: usize,
    missing_values: bool,
    /// Columns of the transformer's output.
    width: usize,
    feature_names: Vec<String>,
}

impl<A> PipelineModel<A, ()> {
    /// A transformer of records with so many columns and these names, or none, without a model.
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

    /// With a model of records of that width.
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
    /// [`Error::NoSamples`], [`Error::NoFeatures`], [`Error::ColumnCount`], and [`Error::SampleNotFinite`] with the place in `x`, or
    /// in the output where `x` is as it has to be; [`Error::OutputRows`] if the output has other rows.
    pub fn apply<F, D>(&self, x: &ArrayBase<D, Ix2>) -> Result<Array2<F>, Error>
    where
        F: Scalar,
        D: Data<Elem = F>,
        A: Transformer<Array2<F>, Array2<F>>,
    {
        check(x, self.features, self.missing_values)?;
        let output = self.transformer.transform(x.to_owned());
        if output.nrows() != x.nrows() {
            let (samples, rows) = (x.nrows(), output.nrows());
            return Err(Error::OutputRows { samples, rows });
        }
        check(&output, output.ncols(), false)?;
        Ok(output)
    }

    /// The output of the transformer, or the panic that linfa's traits leave.
    fn applied<F, D>(&self, x: &ArrayBase<D, Ix2>) -> Array2<F>
    where
        F: Scalar,
        D: Data<Elem = F>,
        A: Transformer<Array2<F>, Array2<F>>,
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

    /// Of the shape of the transformer's output only; it is not applied for it.
    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> T {
        self.model
            .default_target(&Array2::zeros((x.nrows(), self.width)))
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

/// What a kernel method's model can be asked, behind a transformer: of a model with its generics, its scalar, and the method
/// in it.
macro_rules! ask {
    ([$($generics:tt)*] $model:ty, $scalar:ty, $method:ident) => {
        impl<A, $($generics)*> PipelineModel<A, $model>
        where
            A: Transformer<Array2<$scalar>, Array2<$scalar>>,
        {
            /// Predicts targets for the records `x`.
            ///
            /// # Errors
            /// As [`apply`](Self::apply), and those of the model.
            pub fn try_predict<D, T>(&self, x: &ArrayBase<D, Ix2>) -> Result<T, Error>
            where
                D: Data<Elem = $scalar>,
                $method: PredictInplace<Array2<$scalar>, T>,
            {
                self.model.try_predict(&self.apply(x)?)
            }

            /// Transforms the records `x`.
            ///
            /// # Errors
            /// As [`apply`](Self::apply), and those of the model.
            pub fn try_transform<D, T>(&self, x: &ArrayBase<D, Ix2>) -> Result<T, Error>
            where
                D: Data<Elem = $scalar>,
                $method: Transformer<Array2<$scalar>, T>,
            {
                self.model.try_transform(&self.apply(x)?)
            }

            /// The classes, ascending.
            pub fn classes(&self) -> &[$method::Label]
            where
                $method: Classifier<$scalar>,
            {
                self.model.classes()
            }

            /// The values by which the method decides for a class.
            ///
            /// # Errors
            /// As [`apply`](Self::apply), and those of the model.
            pub fn decision_function<D>(
                &self,
                x: &ArrayBase<D, Ix2>,
            ) -> Result<$method::Values, Error>
            where
                D: Data<Elem = $scalar>,
                $method: Classifier<$scalar>,
            {
                self.model.decision_function(&self.apply(x)?)
            }

            /// The probabilities of the [`classes`](Self::classes), in their order, shape (m, classes).
            ///
            /// # Errors
            /// As [`apply`](Self::apply), and those of the model.
            pub fn predict_probabilities<D>(
                &self,
                x: &ArrayBase<D, Ix2>,
            ) -> Result<Array2<$scalar>, Error>
            where
                D: Data<Elem = $scalar>,
                $method: ProbabilisticClassifier<$scalar>,
            {
                self.model.predict_probabilities(&self.apply(x)?)
            }
        }
    };
}

ask!([O, F: Scalar, P: KernelSpace<Samples = Rows<F>, Scalar = F>] KernelizedModel<O, P>, F, O);
ask!([Q, F: Scalar, K: Kernel<Rows<F>, Scalar = F>] FoldedModel<Q, Rows<F>, K, F>, F, Q);

#[cfg(feature = "serde")]
impl<'de, A, M> serde::Deserialize<'de> for PipelineModel<A, M>
where
    A: serde::Deserialize<'de>,
    M: serde::Deserialize<'de>,
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
            #[serde(default)]
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
