//! What is left of a fit, and what each model answers.

use crate::{Ability, AnyKernel, AnySamples, spaces::AnySpace};
use ndarray::{Array1, Array2, Axis, Ix2};
use npt_core::{Error, FoldedModel};
use npt_methods::{
    GaussianProcessModel, NoveltyDetectorModel,
    linear::{
        CalibratedSvc, FastIca, IterativeRidge, Lda, Logistic, MulticlassSvc, NearestCentroid,
        OneClassSvm, Pca, PcaL1, Pls, RegressionDiscriminant, Ridge, Svc, Svr,
    },
};

/// A linear method that works on the values of an expansion.
pub(crate) type Folded<Q> = FoldedModel<Q, AnySamples, AnyKernel, f64>;

/// What a model predicts, before classes have their names.
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

    fn predict(&self, _: &AnySamples) -> Answer<Raw> {
        None
    }

    fn decision_function(&self, _: &AnySamples) -> Answer<Array2<f64>> {
        None
    }

    fn predict_probabilities(&self, _: &AnySamples) -> Answer<Array2<f64>> {
        None
    }

    fn predict_with_variance(&self, _: &AnySamples) -> Answer<(Array1<f64>, Array1<f64>)> {
        None
    }

    fn transform(&self, _: &AnySamples) -> Answer<Array2<f64>> {
        None
    }
}

macro_rules! fitted {
    ($($name:ident($model:ty);)+) => {
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
        }
    };
}

fitted! {
    Pca(Folded<Pca<f64>>);
    PcaL1(Folded<PcaL1<f64>>);
    FastIca(Folded<FastIca<f64>>);
    RegressionDiscriminant(Folded<RegressionDiscriminant<f64>>);
    KMeans(Folded<NearestCentroid<f64>>);
    OneClassSvm(Folded<OneClassSvm<f64>>);
    Lda(Folded<Lda<f64, usize>>);
    Logistic(Folded<Logistic<f64, usize>>);
    CalibratedSvc(Folded<CalibratedSvc<f64, usize>>);
    Svc(Folded<Svc<f64>>);
    MulticlassSvc(Folded<MulticlassSvc<f64, usize>>);
    Ridge(Folded<Ridge<f64, Ix2>>);
    IterativeRidge(Folded<IterativeRidge<f64, Ix2>>);
    Pls(Folded<Pls<f64, Ix2>>);
    Svr(Folded<Svr<f64>>);
    GaussianProcess(GaussianProcessModel<AnySpace>);
    NoveltyDetector(NoveltyDetectorModel<AnySpace>);
}

/// Models whose answer is a projection.
macro_rules! projections {
    ($($method:ty),+) => {
        $(impl Answers for Folded<$method> {
            fn abilities(&self) -> &'static [Ability] {
                &[Ability::Transform]
            }

            fn transform(&self, x: &AnySamples) -> Answer<Array2<f64>> {
                Some(self.try_transform(x))
            }
        })+
    };
}
projections!(
    Pca<f64>,
    PcaL1<f64>,
    FastIca<f64>,
    RegressionDiscriminant<f64>
);

/// Models of several targets.
macro_rules! regressions {
    ($($method:ty),+) => {
        $(impl Answers for Folded<$method> {
            fn abilities(&self) -> &'static [Ability] {
                &[Ability::Predict]
            }

            fn predict(&self, x: &AnySamples) -> Answer<Raw> {
                Some(self.try_predict(x).map(Raw::Numbers))
            }
        })+
    };
}
regressions!(Ridge<f64, Ix2>, IterativeRidge<f64, Ix2>, Pls<f64, Ix2>);

impl Answers for Folded<Svr<f64>> {
    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Predict]
    }

    fn predict(&self, x: &AnySamples) -> Answer<Raw> {
        Some(self.try_predict(x).map(column).map(Raw::Numbers))
    }
}

impl Answers for Folded<NearestCentroid<f64>> {
    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Predict]
    }

    fn predict(&self, x: &AnySamples) -> Answer<Raw> {
        Some(self.try_predict(x).map(Raw::Clusters))
    }
}

impl Answers for Folded<OneClassSvm<f64>> {
    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Predict, Ability::DecisionFunction]
    }

    fn predict(&self, x: &AnySamples) -> Answer<Raw> {
        let inside = self.try_predict(x);
        Some(inside.map(|inside: Array1<bool>| Raw::Novel(inside.mapv(|inside| !inside))))
    }

    fn decision_function(&self, x: &AnySamples) -> Answer<Array2<f64>> {
        Some(FoldedModel::decision_function(self, x).map(column))
    }
}

impl Answers for Folded<Svc<f64>> {
    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Predict, Ability::DecisionFunction]
    }

    fn predict(&self, x: &AnySamples) -> Answer<Raw> {
        let sides = self.try_predict(x);
        Some(sides.map(|sides: Array1<bool>| Raw::Classes(sides.mapv(usize::from))))
    }

    fn decision_function(&self, x: &AnySamples) -> Answer<Array2<f64>> {
        Some(FoldedModel::decision_function(self, x).map(column))
    }
}

impl Answers for Folded<MulticlassSvc<f64, usize>> {
    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Predict, Ability::DecisionFunction]
    }

    fn predict(&self, x: &AnySamples) -> Answer<Raw> {
        Some(self.try_predict(x).map(Raw::Classes))
    }

    fn decision_function(&self, x: &AnySamples) -> Answer<Array2<f64>> {
        Some(FoldedModel::decision_function(self, x))
    }
}

impl Answers for Folded<Lda<f64, usize>> {
    fn abilities(&self) -> &'static [Ability] {
        &[
            Ability::Predict,
            Ability::DecisionFunction,
            Ability::Transform,
        ]
    }

    fn predict(&self, x: &AnySamples) -> Answer<Raw> {
        Some(self.try_predict(x).map(Raw::Classes))
    }

    fn decision_function(&self, x: &AnySamples) -> Answer<Array2<f64>> {
        Some(FoldedModel::decision_function(self, x))
    }

    fn transform(&self, x: &AnySamples) -> Answer<Array2<f64>> {
        Some(self.try_transform(x))
    }
}

impl Answers for Folded<Logistic<f64, usize>> {
    fn abilities(&self) -> &'static [Ability] {
        &[
            Ability::Predict,
            Ability::DecisionFunction,
            Ability::Probabilities,
        ]
    }

    fn predict(&self, x: &AnySamples) -> Answer<Raw> {
        Some(self.try_predict(x).map(Raw::Classes))
    }

    fn decision_function(&self, x: &AnySamples) -> Answer<Array2<f64>> {
        Some(FoldedModel::decision_function(self, x))
    }

    fn predict_probabilities(&self, x: &AnySamples) -> Answer<Array2<f64>> {
        Some(FoldedModel::predict_probabilities(self, x))
    }
}

impl Answers for Folded<CalibratedSvc<f64, usize>> {
    fn abilities(&self) -> &'static [Ability] {
        &[
            Ability::Predict,
            Ability::DecisionFunction,
            Ability::Probabilities,
        ]
    }

    fn predict(&self, x: &AnySamples) -> Answer<Raw> {
        Some(self.try_predict(x).map(Raw::Classes))
    }

    /// The typed model is positive for the first class of a pair; here it is the second of two classes for all methods.
    fn decision_function(&self, x: &AnySamples) -> Answer<Array2<f64>> {
        let values = FoldedModel::decision_function(self, x);
        Some(values.map(|values| if values.ncols() == 1 { -values } else { values }))
    }

    fn predict_probabilities(&self, x: &AnySamples) -> Answer<Array2<f64>> {
        Some(FoldedModel::predict_probabilities(self, x))
    }
}

impl Answers for GaussianProcessModel<AnySpace> {
    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Predict, Ability::Variance]
    }

    fn predict(&self, x: &AnySamples) -> Answer<Raw> {
        Some(self.try_predict(x).map(column).map(Raw::Numbers))
    }

    fn predict_with_variance(&self, x: &AnySamples) -> Answer<(Array1<f64>, Array1<f64>)> {
        Some(GaussianProcessModel::predict_with_variance(self, x))
    }
}

impl Answers for NoveltyDetectorModel<AnySpace> {
    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Predict, Ability::DecisionFunction]
    }

    fn predict(&self, x: &AnySamples) -> Answer<Raw> {
        Some(self.try_predict(x).map(Raw::Novel))
    }

    /// As of the one-class machine, positive for what is not novel.
    fn decision_function(&self, x: &AnySamples) -> Answer<Array2<f64>> {
        let errors = self.reconstruction_errors(x);
        Some(errors.map(|errors| column(self.threshold() - errors)))
    }
}

fn column(values: Array1<f64>) -> Array2<f64> {
    values.insert_axis(Axis(1))
}

impl Fitted {
    /// The positions of the classes of a classifier, as it has them.
    pub(crate) fn classes(&self) -> Option<Vec<usize>> {
        Some(match self {
            Self::Svc(_) => vec![0, 1],
            Self::MulticlassSvc(model) => model.classes().to_vec(),
            Self::CalibratedSvc(model) => model.classes().to_vec(),
            Self::Logistic(model) => model.classes().to_vec(),
            Self::Lda(model) => model.classes().to_vec(),
            _ => return None,
        })
    }
}
