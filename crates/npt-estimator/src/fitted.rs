//! Fitted methods, and the questions that each answers.

pub(crate) use crate::methods::Fitted;
use crate::{
    Ability, AnyKernel, AnySamples,
    estimator::ONLY_READ,
    features::FeatureSpace,
    model::Border,
    pre_image::{AnyMap, OfVectors},
};
use linfa::traits::{PredictInplace, Transformer};
use ndarray::{Array1, Array2, Axis};
use npt_core::{
    Classifier, Error, ExpansionModel, KernelSpace, KernelizedModel, ProbabilisticClassifier,
};
use npt_methods::{
    GaussianProcessModel, NoveltyDetectorModel, ProcessRoad, RobustKpcaModel,
    pre_image::KpcaDenoiser,
};

/// A fitted linear method in a space: `Q` on the values of an expansion, or `O` on coordinates where features take the place of
/// kernel values.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(bound(
    serialize = "Q: serde::Serialize, O: serde::Serialize",
    deserialize = "Q: serde::Deserialize<'de> + 'static, O: serde::Deserialize<'de> + 'static"
))]
pub(crate) enum Pair<Q, O = Q> {
    Expanded(ExpansionModel<Q, AnySamples, AnyKernel, f64>),
    Mapped(KernelizedModel<O, FeatureSpace>),
}

impl<Q, O> From<ExpansionModel<Q, AnySamples, AnyKernel, f64>> for Pair<Q, O> {
    fn from(model: ExpansionModel<Q, AnySamples, AnyKernel, f64>) -> Self {
        Self::Expanded(model)
    }
}

impl<Q, O> Pair<Q, O> {
    pub(crate) fn targets<T>(&self, x: &Border<'_>) -> Result<T, Error>
    where
        Q: PredictInplace<Array2<f64>, T>,
        O: PredictInplace<Array2<f64>, T>,
    {
        match self {
            Self::Expanded(model) => model.try_predict(x),
            Self::Mapped(model) => model.try_predict(x),
        }
    }

    pub(crate) fn transformed(&self, x: &Border<'_>) -> Result<Array2<f64>, Error>
    where
        Q: Transformer<Array2<f64>, Array2<f64>>,
        O: Transformer<Array2<f64>, Array2<f64>>,
    {
        match self {
            Self::Expanded(model) => model.try_transform(x),
            Self::Mapped(model) => model.try_transform(x),
        }
    }

    pub(crate) fn values<V>(&self, x: &Border<'_>) -> Result<V, Error>
    where
        Q: Classifier<f64, Values = V>,
        O: Classifier<f64, Values = V>,
    {
        match self {
            Self::Expanded(model) => model.decision_function(x),
            Self::Mapped(model) => model.decision_function(x),
        }
    }

    pub(crate) fn probabilities(&self, x: &Border<'_>) -> Result<Array2<f64>, Error>
    where
        Q: ProbabilisticClassifier<f64>,
        O: ProbabilisticClassifier<f64>,
    {
        match self {
            Self::Expanded(model) => model.predict_probabilities(x),
            Self::Mapped(model) => model.predict_probabilities(x),
        }
    }

    pub(crate) fn positions(&self) -> Vec<usize>
    where
        Q: Classifier<f64, Label = usize>,
        O: Classifier<f64, Label = usize>,
    {
        match self {
            Self::Expanded(model) => model.classes().to_vec(),
            Self::Mapped(model) => model.classes().to_vec(),
        }
    }
}

/// Predictions, before classes have their names.
pub(crate) enum Raw {
    /// Positions among the classes.
    Classes(Array1<usize>),
    Numbers(Array2<f64>),
    Clusters(Array1<usize>),
    Novel(Array1<bool>),
}

/// An answer, or `None` where the model has none.
pub(crate) type Answer<T> = Option<Result<T, Error>>;

/// The questions that a model may be asked.
pub(crate) trait Answers {
    fn abilities(&self) -> &'static [Ability];

    fn predict(&self, _: &Border<'_>) -> Answer<Raw> {
        None
    }

    fn decision_function(&self, _: &Border<'_>) -> Answer<Array2<f64>> {
        None
    }

    fn predict_probabilities(&self, _: &Border<'_>) -> Answer<Array2<f64>> {
        None
    }

    fn predict_with_variance(&self, _: &Border<'_>) -> Answer<(Array1<f64>, Array1<f64>)> {
        None
    }

    fn transform(&self, _: &Border<'_>) -> Answer<Array2<f64>> {
        None
    }

    fn residuals(&self, _: &Border<'_>) -> Answer<Array1<f64>> {
        None
    }

    fn transform_second(&self, _: &Border<'_>) -> Answer<Array2<f64>> {
        None
    }
}

/// Kernel principal components with pre-images.
pub(crate) type Denoiser = KpcaDenoiser<OfVectors, AnyMap>;

/// Makes the enum [`Fitted`] of the list of methods in [`crate::methods`].
macro_rules! models {
    ($(
        $name:ident($model:ty), [$($method:expr),+], $sums:ident
        $(, typed($typed:ident: $finish:expr))?
        $(, { $($ability:ident $question:ident -> $answer:ty = |$this:ident, $x:ident| $asked:expr;)+ })?;
    )+) => {
        /// A fitted kernel method.
        #[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
        pub(crate) enum Fitted {
            $($name(Box<$model>),)+
        }

        impl Fitted {
            pub(crate) fn answers(&self) -> &dyn Answers {
                match self {
                    $(Self::$name(model) => &**model,)+
                }
            }

            /// The methods that give such a model.
            pub(crate) fn methods(&self) -> &'static [&'static str] {
                match self {
                    $(Self::$name(_) => &[$($method),+],)+
                }
            }

            pub(crate) fn sums(&self) -> Result<Sums<'_>, NoSums> {
                match self {
                    $(Self::$name(model) => model.$sums(),)+
                }
            }

            /// Reads the linear method of a typed model by the name of its type. The error for an unknown name lists the known ones.
            pub(crate) fn read_typed<'de, A>(name: &str, object: A) -> Result<Box<With>, A::Error>
            where
                A: VariantAccess<'de>,
            {
                $($(if name == stringify!($typed) {
                    return read(object, $finish, |model| Self::$name(Box::new(model.into())));
                })?)+
                let known = [$($(stringify!($typed),)?)+].join(", ");
                Err(de::Error::custom(format!(
                    "{name} cannot be read as the method of a Model, which is one of {known}",
                )))
            }
        }

        /// Typed models have the names of their types, and every linear method of the list has a typed model.
        #[cfg(test)]
        #[test]
        fn typed_models_have_the_names_of_their_types() {
            for (variant, model, typed) in [
                $((stringify!($name), std::any::type_name::<$model>(), &[$(stringify!($typed))?] as &[&str]),)+
            ] {
                // Written as an expansion, a chain is the model of its second method.
                let is_linear = model.contains("::Pair<") && variant != "KpcaLda";
                assert!(!is_linear || typed.len() == 1, "{variant}");
                assert!(typed.iter().all(|typed| model.contains(&format!("::{typed}"))), "{variant}");
            }
        }

        $($(crate::fitted::answers! {
            $model { $($ability $question -> $answer = |$this, $x| $asked;)+ }
        })?)+
    };
}
pub(crate) use models;

/// Implements [`Answers`] for models: their abilities, each with the expression that asks the model.
macro_rules! answers {
    (for any [$($generics:tt)*] $model:ty { $($ability:ident $question:ident -> $answer:ty = |$this:ident, $x:ident| $asked:expr;)+ }) => {
        impl<$($generics)*> Answers for $model {
            fn abilities(&self) -> &'static [Ability] {
                &[$(Ability::$ability),+]
            }

            $(fn $question(&self, $x: &Border<'_>) -> Answer<$answer> {
                let $this = self;
                Some($asked)
            })+
        }
    };
    ($($model:ty { $($ability:ident $question:ident -> $answer:ty = |$this:ident, $x:ident| $asked:expr;)+ })+) => {
        $(crate::fitted::answers! { for any [] $model { $($ability $question -> $answer = |$this, $x| $asked;)+ } })+
    };
}
pub(crate) use answers;

answers! {
    for any [P: KernelSpace<Samples = AnySamples, Scalar = f64>, W: ProcessRoad<P>] GaussianProcessModel<P, W> {
        Predict predict -> Raw = |model, x| model.try_predict(x).map(column).map(Raw::Numbers);
        Variance predict_with_variance -> (Array1<f64>, Array1<f64>) =
            |model, x| GaussianProcessModel::predict_with_variance(model, x);
    }
}

answers! {
    for any [P: KernelSpace<Samples = AnySamples, Scalar = f64>] NoveltyDetectorModel<P> {
        Predict predict -> Raw = |model, x| model.try_predict(x).map(Raw::Novel);
        DecisionFunction decision_function -> Array2<f64> = |model, x| below_threshold(model, x);
    }
}

/// [`Model`](crate::Model) asks this model directly, as values may be missing in the matrix.
impl Answers for RobustKpcaModel<f64> {
    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Transform]
    }
}

pub(crate) fn column(values: Array1<f64>) -> Array2<f64> {
    values.insert_axis(Axis(1))
}

pub(crate) fn outside(inside: Array1<bool>) -> Array1<bool> {
    inside.mapv_into(|inside| !inside)
}

/// The position of the class on each side: 1 for the positive side, else 0.
pub(crate) fn second(sides: &Array1<bool>) -> Array1<usize> {
    sides.mapv(usize::from)
}

/// Negates the decision values of two classes: the typed model is positive for the first class, a [`Model`](crate::Model) for the second.
pub(crate) fn for_the_second(values: Array2<f64>) -> Array2<f64> {
    if values.ncols() == 1 { -values } else { values }
}

/// The threshold minus the error: positive for samples that are not novel, as for the one-class machine.
fn below_threshold<P>(model: &NoveltyDetectorModel<P>, x: &Border<'_>) -> Result<Array2<f64>, Error>
where
    P: KernelSpace<Samples = AnySamples, Scalar = f64>,
{
    let errors = model.reconstruction_errors(x)?;
    Ok(column(model.threshold() - errors))
}

impl Fitted {
    /// The first of the methods that give such a model.
    pub(crate) fn method(&self) -> &'static str {
        self.methods().first().copied().unwrap_or(ONLY_READ)
    }

    /// Returns whether a method of this name gives such a model.
    pub(crate) fn is_of(&self, method: &str) -> bool {
        self.methods().contains(&method)
    }
}
