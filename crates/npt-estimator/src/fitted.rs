//! Fitted methods, and the questions that each answers.

use crate::{
    Ability, AnyKernel, AnySamples,
    estimator::ONLY_READ,
    export::{AsSums as _, NoSums, Sums},
    features::FeatureSpace,
    libsvm::Read,
    model::{Border, OnlyRows},
    pre_image::{AnyMap, OfVectors},
    spaces::AnySpace,
};
use linfa::traits::{PredictInplace, Transformer};
use ndarray::{Array1, Array2, Axis, Ix2};
use npt_core::{
    Classifier, Error, FoldedModel, KernelSpace, KernelizedModel, ProbabilisticClassifier,
};
use npt_methods::{
    GaussianProcessModel, NoveltyDetectorModel, ProcessRoad, RobustKpcaModel,
    linear::{
        CalibratedSvc, Chain, FastIca, IterativeRidge, KMeans, Lda, Logistic, MulticlassSvc,
        NearestCentroid, OneClassSvm, Pca, PcaL1, Pls, QuantileRegression, RegressionDiscriminant,
        Ridge, Svc, Svr,
    },
    model_selection::ByCoordinates,
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
    Folded(FoldedModel<Q, AnySamples, AnyKernel, f64>),
    Mapped(KernelizedModel<O, FeatureSpace>),
}

impl<Q, O> Pair<Q, O> {
    fn targets<T>(&self, x: &Border<'_>) -> Result<T, Error>
    where
        Q: PredictInplace<Array2<f64>, T>,
        O: PredictInplace<Array2<f64>, T>,
    {
        match self {
            Self::Folded(model) => model.try_predict(x),
            Self::Mapped(model) => model.try_predict(x),
        }
    }

    fn transformed(&self, x: &Border<'_>) -> Result<Array2<f64>, Error>
    where
        Q: Transformer<Array2<f64>, Array2<f64>>,
        O: Transformer<Array2<f64>, Array2<f64>>,
    {
        match self {
            Self::Folded(model) => model.try_transform(x),
            Self::Mapped(model) => model.try_transform(x),
        }
    }

    fn values<V>(&self, x: &Border<'_>) -> Result<V, Error>
    where
        Q: Classifier<f64, Values = V>,
        O: Classifier<f64, Values = V>,
    {
        match self {
            Self::Folded(model) => model.decision_function(x),
            Self::Mapped(model) => model.decision_function(x),
        }
    }

    fn probabilities(&self, x: &Border<'_>) -> Result<Array2<f64>, Error>
    where
        Q: ProbabilisticClassifier<f64>,
        O: ProbabilisticClassifier<f64>,
    {
        match self {
            Self::Folded(model) => model.predict_probabilities(x),
            Self::Mapped(model) => model.predict_probabilities(x),
        }
    }

    fn positions(&self) -> Vec<usize>
    where
        Q: Classifier<f64, Label = usize>,
        O: Classifier<f64, Label = usize>,
    {
        match self {
            Self::Folded(model) => model.classes().to_vec(),
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
}

/// Kernel principal components with pre-images.
pub(crate) type Denoiser = KpcaDenoiser<OfVectors, AnyMap>;

/// Each fitted method: its model, the names of the methods that give it, and how it is written as sums of kernel values.
macro_rules! fitted {
    ($($name:ident($model:ty), [$($method:expr),+], $sums:ident;)+) => {
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
            fn methods(&self) -> &'static [&'static str] {
                match self {
                    $(Self::$name(_) => &[$($method),+],)+
                }
            }

            pub(crate) fn sums(&self) -> Result<Sums<'_>, NoSums> {
                match self {
                    $(Self::$name(model) => model.$sums(),)+
                }
            }
        }
    };
}

fitted! {
    Pca(Pair<Pca<f64>>), ["kpca"], sums;
    KpcaDenoiser(Denoiser), ["kpca"], sums;
    Libsvm(Read), [ONLY_READ], sums;
    RobustKpca(RobustKpcaModel<f64>), ["robust_kpca"], sums;
    PcaL1(Pair<PcaL1<f64>>), ["kpca_l1"], sums;
    FastIca(Pair<FastIca<f64>>), ["ica"], sums;
    RegressionDiscriminant(Pair<RegressionDiscriminant<f64>>), ["regression_discriminant"], sums;
    KMeans(Pair<NearestCentroid<f64>, KMeans<f64>>), ["kmeans"], sums;
    OneClassSvm(Pair<OneClassSvm<f64>>), ["one_class_svm"], sums_of_machine;
    Lda(Pair<Lda<f64, usize>>), ["kfd"], sums;
    KpcaLda(Pair<Lda<f64, usize>, Chain<Pca<f64>, Lda<f64, usize>>>), ["kpca_lda"], sums;
    Logistic(Pair<Logistic<f64, usize>>), ["logistic"], sums;
    CalibratedSvc(Pair<CalibratedSvc<f64, usize>>), ["calibrated_svc"], sums;
    Svc(Pair<Svc<f64>>), ["svc", "nu_svc", "hard_margin_svc"], sums_of_machine;
    MulticlassSvc(Pair<MulticlassSvc<f64, usize>>), ["svc"], sums_of_machine;
    Ridge(Pair<Ridge<f64, Ix2>>), ["ridge"], sums_of_machine;
    IterativeRidge(Pair<IterativeRidge<f64, Ix2>>), ["iterative_ridge"], sums;
    Pls(Pair<Pls<f64, Ix2>>), ["pls"], sums;
    Svr(Pair<Svr<f64>>), ["svr"], sums_of_machine;
    QuantileRegression(Pair<QuantileRegression<f64>>), ["quantile_regression"], sums;
    GaussianProcess(GaussianProcessModel<AnySpace>), ["gaussian_process", "optimized_gaussian_process"], sums;
    GaussianProcessOnFeatures(GaussianProcessModel<FeatureSpace, ByCoordinates>), ["gaussian_process"], sums;
    NoveltyDetector(NoveltyDetectorModel<AnySpace>), ["novelty_detector"], sums;
    NoveltyDetectorOnFeatures(NoveltyDetectorModel<FeatureSpace>), ["novelty_detector"], sums;
}

/// The abilities of models, each with how the model is asked.
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
        $(answers! { for any [] $model { $($ability $question -> $answer = |$this, $x| $asked;)+ } })+
    };
}

answers! {
    Pair<Pca<f64>> {
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    }
    Denoiser {
        Transform transform -> Array2<f64> = |model, x| model.model().try_transform(&OnlyRows(x));
    }
    Pair<PcaL1<f64>> {
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    }
    Pair<FastIca<f64>> {
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    }
    Pair<RegressionDiscriminant<f64>> {
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    }
    Pair<Ridge<f64, Ix2>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Numbers);
    }
    Pair<IterativeRidge<f64, Ix2>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Numbers);
    }
    Pair<Pls<f64, Ix2>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Numbers);
    }
    Pair<Svr<f64>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(column).map(Raw::Numbers);
    }
    Pair<QuantileRegression<f64>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(column).map(Raw::Numbers);
    }
    Pair<NearestCentroid<f64>, KMeans<f64>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Clusters);
    }
    Pair<OneClassSvm<f64>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(outside).map(Raw::Novel);
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x).map(column);
    }
    Pair<Svc<f64>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(|sides| Raw::Classes(second(&sides)));
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x).map(column);
    }
    Pair<MulticlassSvc<f64, usize>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Classes);
        // Of two classes where a typed model was one of several.
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x).map(for_the_second);
    }
    Pair<CalibratedSvc<f64, usize>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Classes);
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x).map(for_the_second);
        Probabilities predict_probabilities -> Array2<f64> = |model, x| model.probabilities(x);
    }
    Pair<Logistic<f64, usize>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Classes);
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x);
        Probabilities predict_probabilities -> Array2<f64> = |model, x| model.probabilities(x);
    }
    Pair<Lda<f64, usize>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Classes);
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x);
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    }
    Pair<Lda<f64, usize>, Chain<Pca<f64>, Lda<f64, usize>>> {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Classes);
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x);
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    }
}

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

/// Of matrices, in which values may be missing: the model itself is asked.
impl Answers for RobustKpcaModel<f64> {
    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Transform]
    }
}

pub(crate) fn column(values: Array1<f64>) -> Array2<f64> {
    values.insert_axis(Axis(1))
}

fn outside(inside: Array1<bool>) -> Array1<bool> {
    inside.mapv_into(|inside| !inside)
}

/// The position of the class of a side.
fn second(sides: &Array1<bool>) -> Array1<usize> {
    sides.mapv(usize::from)
}

/// The typed model is positive for the first class of a pair; here it is the second of two classes for all methods.
pub(crate) fn for_the_second(values: Array2<f64>) -> Array2<f64> {
    if values.ncols() == 1 { -values } else { values }
}

/// The threshold less the error: positive for what is not novel, as of the one-class machine.
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

    /// The positions of the classes of a classifier, as it has them.
    pub(crate) fn classes(&self) -> Option<Vec<usize>> {
        Some(match self {
            Self::Svc(_) => vec![0, 1],
            Self::Libsvm(model) if model.inner().svm_type().is_classifier() => {
                (0..model.inner().labels().len()).collect()
            }
            Self::MulticlassSvc(model) => model.positions(),
            Self::CalibratedSvc(model) => model.positions(),
            Self::Logistic(model) => model.positions(),
            Self::Lda(model) => model.positions(),
            Self::KpcaLda(model) => model.positions(),
            _ => return None,
        })
    }
}
