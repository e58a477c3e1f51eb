//! The one list of the methods by name. Fits, models in files, the questions that they answer, the page of names and tests follow from it.

mod coordinates;
mod fit;
mod own;
mod views;

use crate::{
    Ability,
    estimator::ONLY_READ,
    export::{AsSums as _, NoSums, Sums},
    features::FeatureSpace,
    fitted::{
        Answer, Answers, Denoiser, Pair, Raw, column, for_the_second, models, outside, second,
    },
    libsvm::Read,
    model::{Border, OnlyRows},
    spaces::AnySpace,
    typed::{
        labels::Plain,
        method::{With, by_position, of_libsvm, read, same, sides},
    },
};
pub(crate) use coordinates::{COORDINATES, Coordinates};
use fit::pairs;
pub(crate) use fit::{Classes, Fit, Job, Method, OfMatrix, set};
use ndarray::{Array1, Array2, Ix2, IxDyn};
use npt_methods::{
    GaussianProcessModel, IterativeKernelRidge, KernelCalibratedSvc, KernelIca, KernelKMeans,
    KernelLogistic, KernelOneClassSvm, KernelPls, KernelQuantileRegression,
    KernelRegressionDiscriminant, KernelRidge, KernelSvr, Kfd, KpcaL1, NoveltyDetectorModel,
    RobustKpcaModel,
    linear::{
        CalibratedSvc, Chain, FastIca, IterativeRidge, KMeans, Lda, Logistic, MulticlassSvc,
        NearestCentroid, OneClassSvm, Pca, PcaL1, Pls, QuantileRegression, RegressionDiscriminant,
        Ridge, Svc, Svr,
    },
    model_selection::ByCoordinates,
};
pub(crate) use own::HAS_PRE_IMAGES;
use serde::de::{self, VariantAccess};
use std::sync::LazyLock;
pub(crate) use views::{ExpandedViews, SECOND_KERNEL, Views, second_kernel};

/// The methods by name.
pub(crate) static METHODS: LazyLock<Vec<Method>> = LazyLock::new(|| {
    let pairs = pairs! {
        "kpca_l1", "Kernel principal component analysis by the L1 norm, which outliers move less.", Nothing, KpcaL1(1), PcaL1;
        "ica", "Kernel independent component analysis.", Nothing, KernelIca(1), FastIca;
        "kmeans", "Kernel k-means: clusters around means in feature space.", Nothing, KernelKMeans(1), KMeans;
        "one_class_svm", "One-class support vector machine: the region of most samples.", Nothing, KernelOneClassSvm(0.5), OneClassSvm;
        "kfd", "Kernel Fisher discriminant: directions between classes.", Labels, Kfd(), Lda;
        "logistic", "Kernel logistic regression: probabilities of classes.", Labels, KernelLogistic(), Logistic;
        "calibrated_svc", "Support vector classification with probabilities.", Labels, KernelCalibratedSvc(), CalibratedSvc;
        "ridge", "Kernel ridge regression.", Numbers, KernelRidge(), Ridge;
        "iterative_ridge", "Kernel ridge regression by conjugate gradients, for many samples.", Numbers, IterativeKernelRidge(), IterativeRidge;
        "pls", "Kernel partial least squares regression.", Numbers, KernelPls(1), Pls;
        "svr", "Support vector regression.", OneNumber, KernelSvr(), Svr;
        "quantile_regression", "Kernel quantile regression: a function that a share of the targets lies below.", OneNumber, KernelQuantileRegression(), QuantileRegression;
        "regression_discriminant", "Directions along which a target varies.", OneNumber, KernelRegressionDiscriminant(1), RegressionDiscriminant;
    };
    std::iter::once(own::kpca_entry())
        .chain(pairs)
        .chain(own::others())
        .chain([views::entry(), coordinates::entry()])
        .collect()
});

// One entry a fitted method: its model, the names of the methods that give it, and the function that writes it as sums of kernel
// values. A linear method has, in addition, the type that its typed model has in a file, and the questions that it answers.
models! {
    Pca(Pair<Pca<f64>>), ["kpca"], sums, typed(Pca: same::<Pca<f64>>), {
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    };
    KpcaDenoiser(Denoiser), ["kpca"], sums, {
        Transform transform -> Array2<f64> = |model, x| model.model().try_transform(&OnlyRows(x));
    };
    Libsvm(Read), [ONLY_READ], sums, typed(LibsvmMethod: of_libsvm);
    RobustKpca(RobustKpcaModel<f64>), ["robust_kpca"], sums;
    PcaL1(Pair<PcaL1<f64>>), ["kpca_l1"], sums, typed(PcaL1: same::<PcaL1<f64>>), {
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    };
    FastIca(Pair<FastIca<f64>>), ["ica"], sums, typed(FastIca: same::<FastIca<f64>>), {
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    };
    RegressionDiscriminant(Pair<RegressionDiscriminant<f64>>), ["regression_discriminant"], sums, typed(RegressionDiscriminant: same::<RegressionDiscriminant<f64>>), {
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    };
    KMeans(Pair<NearestCentroid<f64>, KMeans<f64>>), ["kmeans"], sums, typed(NearestCentroid: same::<NearestCentroid<f64>>), {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Clusters);
    };
    OneClassSvm(Pair<OneClassSvm<f64>>), ["one_class_svm"], sums_of_machine, typed(OneClassSvm: same::<OneClassSvm<f64>>), {
        Predict predict -> Raw = |model, x| model.targets(x).map(outside).map(Raw::Novel);
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x).map(column);
    };
    Lda(Pair<Lda<f64, usize>>), ["kfd"], sums, typed(Lda: |m: Lda<f64, Plain>| by_position(m.by_position())), {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Classes);
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x);
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    };
    KpcaLda(Pair<Lda<f64, usize>, Chain<Pca<f64>, Lda<f64, usize>>>), ["kpca_lda"], sums, {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Classes);
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x);
        Transform transform -> Array2<f64> = |model, x| model.transformed(x);
    };
    Logistic(Pair<Logistic<f64, usize>>), ["logistic"], sums, typed(Logistic: |m: Logistic<f64, Plain>| by_position(m.by_position())), {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Classes);
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x);
        Probabilities predict_probabilities -> Array2<f64> = |model, x| model.probabilities(x);
    };
    CalibratedSvc(Pair<CalibratedSvc<f64, usize>>), ["calibrated_svc"], sums, typed(CalibratedSvc: |m: CalibratedSvc<f64, Plain>| by_position(m.by_position())), {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Classes);
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x).map(for_the_second);
        Probabilities predict_probabilities -> Array2<f64> = |model, x| model.probabilities(x);
    };
    Svc(Pair<Svc<f64>>), ["svc", "nu_svc", "hard_margin_svc"], sums_of_machine, typed(Svc: sides), {
        Predict predict -> Raw = |model, x| model.targets(x).map(|sides| Raw::Classes(second(&sides)));
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x).map(column);
    };
    MulticlassSvc(Pair<MulticlassSvc<f64, usize>>), ["svc"], sums_of_machine, typed(MulticlassSvc: |m: MulticlassSvc<f64, Plain>| by_position(m.by_position())), {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Classes);
        // A typed model of this type may have two classes.
        DecisionFunction decision_function -> Array2<f64> = |model, x| model.values(x).map(for_the_second);
    };
    Ridge(Pair<Ridge<f64, Ix2>>), ["ridge"], sums_of_machine, typed(Ridge: |m: Ridge<f64, IxDyn>| same(m.of_columns())), {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Numbers);
    };
    IterativeRidge(Pair<IterativeRidge<f64, Ix2>>), ["iterative_ridge"], sums, typed(IterativeRidge: |m: IterativeRidge<f64, IxDyn>| same(m.of_columns())), {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Numbers);
    };
    Pls(Pair<Pls<f64, Ix2>>), ["pls"], sums, typed(Pls: |m: Pls<f64, IxDyn>| same(m.of_columns())), {
        Predict predict -> Raw = |model, x| model.targets(x).map(Raw::Numbers);
    };
    Svr(Pair<Svr<f64>>), ["svr"], sums_of_machine, typed(Svr: same::<Svr<f64>>), {
        Predict predict -> Raw = |model, x| model.targets(x).map(column).map(Raw::Numbers);
    };
    QuantileRegression(Pair<QuantileRegression<f64>>), ["quantile_regression"], sums, typed(QuantileRegression: same::<QuantileRegression<f64>>), {
        Predict predict -> Raw = |model, x| model.targets(x).map(column).map(Raw::Numbers);
    };
    Cca(Views), ["cca"], sums, {
        Transform transform -> Array2<f64> = |model, x| model.first(x);
        TransformSecond transform_second -> Array2<f64> = |model, x| model.second(x);
    };
    Coordinates(Coordinates), ["coordinates"], sums, {
        Transform transform -> Array2<f64> = |model, x| model.of(x);
        Residuals residuals -> Array1<f64> = |model, x| model.residuals(x);
    };
    GaussianProcess(GaussianProcessModel<AnySpace>), ["gaussian_process", "optimized_gaussian_process"], sums;
    GaussianProcessOnFeatures(GaussianProcessModel<FeatureSpace, ByCoordinates>), ["gaussian_process"], sums;
    NoveltyDetector(NoveltyDetectorModel<AnySpace>), ["novelty_detector"], sums;
    NoveltyDetectorOnFeatures(NoveltyDetectorModel<FeatureSpace>), ["novelty_detector"], sums;
}

impl Fitted {
    /// The positions of the classes, in the order in which a classifier has them; `None` for all other models.
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
