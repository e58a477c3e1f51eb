//! The linear estimators that are saved, on plain matrices.

use super::support::{
    Visitor, beside, classes, labels, numbers, sides, truths, unlabelled, values, x, x_new,
};
use ndarray::{Array1, Array2, Ix1, Ix2};
use npt::{
    linfa::DatasetBase,
    methods::linear::{
        CalibratedSvc, Cca, Chain, FastIca, HardMarginSvc, IterativeRidge, KMeans, Lda, Logistic,
        MulticlassSvc, NuSvc, OneClassSvm, Pca, PcaL1, Pls, QuantileRegression,
        RegressionDiscriminant, Ridge, RidgePath, Svc, Svr,
    },
    methods::preprocessing::{Imputer, OneHot, StandardScaler},
    prelude::*,
};

pub(crate) fn each(visitor: &mut impl Visitor) {
    classifiers(visitor);
    regressions(visitor);
    projections(visitor);
}

fn classifiers(visitor: &mut impl Visitor) {
    visitor.model(
        "lda",
        || Lda::params().fit(&classes()).unwrap(),
        |m| {
            let values = [m.decision_function(&x_new()), m.transform(x_new())];
            Ok(beside(labels(m.predict(&x_new())), values))
        },
    );
    visitor.model(
        "logistic",
        || Logistic::params().fit(&classes()).unwrap(),
        |m| {
            let values = m.decision_function(&x_new());
            let values = [values, m.predict_probabilities(&x_new())];
            Ok(beside(labels(m.predict(&x_new())), values))
        },
    );
    visitor.model(
        "svc",
        || Svc::params().fit(&sides()).unwrap(),
        |m| Ok(of_machine(m, &x_new())),
    );
    visitor.model(
        "nu_svc",
        || NuSvc::params(0.5).fit(&sides()).unwrap(),
        |m| Ok(of_machine(m, &x_new())),
    );
    visitor.model(
        "hard_margin_svc",
        || {
            let apart = ndarray::array![[0.0, 1.0], [0.5, 0.0], [3.0, 3.0], [4.0, 2.0]];
            let sides = ndarray::array![false, false, true, true];
            HardMarginSvc::params()
                .fit(&DatasetBase::new(apart, sides))
                .unwrap()
        },
        |m| Ok(of_machine(m, &ndarray::array![[1.0, 1.0], [2.0, 2.5]])),
    );
    visitor.model(
        "multiclass_svc",
        || MulticlassSvc::params().fit(&classes()).unwrap(),
        |m| {
            let values = [m.decision_function(&x_new())];
            Ok(beside(labels(m.predict(&x_new())), values))
        },
    );
    visitor.model(
        "calibrated_svc",
        || CalibratedSvc::params().folds(2).fit(&classes()).unwrap(),
        |m| {
            let values = m.decision_function(&x_new());
            let values = [values, m.predict_probabilities(&x_new())];
            Ok(beside(labels(m.predict(&x_new())), values))
        },
    );
    visitor.model(
        "one_class_svm",
        || {
            // The samples are on one side of the origin, as a plane has to separate them from it.
            let away = DatasetBase::from(x() + 4.0);
            OneClassSvm::params(0.3).fit(&away).unwrap()
        },
        |m| {
            let values = [m.decision_function(&x_new()), m.dual().to_owned()];
            Ok(beside(truths(m.predict(&x_new())), values))
        },
    );
    visitor.model(
        "kmeans",
        || KMeans::params(3).fit(&unlabelled()).unwrap(),
        |m| {
            let values = [m.squared_distances(&x_new()), m.centroids().to_owned()];
            Ok(beside(labels(m.predict(&x_new())), values))
        },
    );
    visitor.model(
        "chain",
        || {
            let chain = Chain::new(Pca::params(2), Lda::params());
            chain.fit(&classes()).unwrap()
        },
        |m| {
            let first: Array2<f64> = m.first().transform(x_new());
            let values = [m.second().decision_function(&first), m.transform(x_new())];
            Ok(beside(labels(m.predict(&x_new())), values))
        },
    );
}

/// The sides of samples, the values whose signs they are, and the dual variables.
fn of_machine(machine: &Svc<f64>, x: &Array2<f64>) -> Vec<f64> {
    let values = [machine.decision_function(x), machine.dual().to_owned()];
    beside(truths(machine.predict(x)), values)
}

fn regressions(visitor: &mut impl Visitor) {
    visitor.model(
        "ridge",
        || Ridge::params().fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
    visitor.model(
        "ridge_of_two_targets",
        || {
            let targets = x().slice_move(ndarray::s![.., ..2]);
            Ridge::params()
                .fit(&DatasetBase::new(x(), targets))
                .unwrap()
        },
        |m| Ok(numbers::<Ix2>(m.predict(&x_new()))),
    );
    visitor.model(
        "iterative_ridge",
        || IterativeRidge::params().fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
    visitor.model(
        "ridge_path",
        || RidgePath::params(&[0.1, 1.0]).fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
    visitor.model(
        "pls",
        || Pls::params(2).fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
    visitor.model(
        "svr",
        || Svr::params().fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
    visitor.model(
        "quantile_regression",
        || QuantileRegression::params().fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
}

fn projections(visitor: &mut impl Visitor) {
    visitor.model(
        "pca",
        || Pca::params(2).fit(&unlabelled()).unwrap(),
        |m| Ok(numbers::<Ix2>(m.transform(x_new()))),
    );
    visitor.model(
        "pca_l1",
        || PcaL1::params(2).fit(&unlabelled()).unwrap(),
        |m| Ok(numbers::<Ix2>(m.transform(x_new()))),
    );
    visitor.model(
        "fast_ica",
        || {
            FastIca::params()
                .tolerance(1e-4)
                .fit(&unlabelled())
                .unwrap()
        },
        |m| Ok(numbers::<Ix2>(m.transform(x_new()))),
    );
    visitor.model(
        "regression_discriminant",
        || RegressionDiscriminant::params(1).fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix2>(m.transform(x_new()))),
    );
    visitor.model(
        "cca",
        || {
            Cca::params(2)
                .fit(&DatasetBase::new(x(), x().mapv(|v| v * v * v)))
                .unwrap()
        },
        |m| {
            let scores: [Array2<f64>; 2] =
                [m.first().transform(x_new()), m.second().transform(x_new())];
            Ok(scores.map(numbers).concat())
        },
    );
    visitor.model(
        "one_hot",
        || {
            let categories = x().mapv(|value| (2.0 * value).round());
            OneHot::params()
                .columns([1])
                .fit(&DatasetBase::new(categories, Array1::from_elem(14, ())))
                .unwrap()
        },
        |m| {
            let categories = x_new().mapv(|value| (2.0 * value).round());
            Ok(numbers::<Ix2>(m.transform(categories)))
        },
    );
    visitor.model(
        "imputer",
        || {
            let mut holes = x();
            holes[[2, 0]] = f64::NAN;
            Imputer::<f64>::median()
                .fit(&DatasetBase::new(holes, Array1::from_elem(14, ())))
                .unwrap()
        },
        |m| {
            let mut holes = x_new();
            holes[[1, 0]] = f64::NAN;
            Ok(numbers::<Ix2>(m.transform(holes)))
        },
    );
    visitor.model(
        "standard_scaler",
        || {
            StandardScaler::params()
                .fit(&DatasetBase::new(x(), Array1::from_elem(14, ())))
                .unwrap()
        },
        |m| Ok(numbers::<Ix2>(m.transform(x_new()))),
    );
}
