//! The linear estimators, on plain matrices.

use super::support::{
    Visitor, classes, labels, numbers, sides, truths, unlabelled, values, x, x_new,
};
use ndarray::{Array1, Array2, Ix1, Ix2};
use npt::{
    linfa::DatasetBase,
    methods::linear::{
        CalibratedSvc, Cca, Chain, FastIca, HardMarginSvc, IterativeRidge, KMeans, Lda, Logistic,
        MulticlassSvc, NuSvc, OneClassSvm, Pca, PcaL1, Pls, RegressionDiscriminant, Ridge,
        RidgePath, Svc, Svr,
    },
    methods::preprocessing::Imputer,
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
        || Lda::<f64, usize>::params().fit(&classes()).unwrap(),
        |m| Ok(labels(m.predict(&x_new()))),
    );
    visitor.model(
        "logistic",
        || Logistic::<f64, usize>::params().fit(&classes()).unwrap(),
        |m| Ok(labels(m.predict(&x_new()))),
    );
    visitor.model(
        "svc",
        || Svc::<f64>::params().fit(&sides()).unwrap(),
        |m| Ok(truths(m.predict(&x_new()))),
    );
    visitor.model(
        "nu_svc",
        || NuSvc::params(0.5).fit(&sides()).unwrap(),
        |m| Ok(truths(m.predict(&x_new()))),
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
        |m| Ok(truths(m.predict(&ndarray::array![[1.0, 1.0], [2.0, 2.5]]))),
    );
    visitor.model(
        "multiclass_svc",
        || {
            MulticlassSvc::<f64, usize>::params()
                .fit(&classes())
                .unwrap()
        },
        |m| Ok(labels(m.predict(&x_new()))),
    );
    visitor.model(
        "calibrated_svc",
        || {
            CalibratedSvc::<f64, usize>::params()
                .folds(2)
                .fit(&classes())
                .unwrap()
        },
        |m| Ok(labels(m.predict(&x_new()))),
    );
    visitor.model(
        "one_class_svm",
        || {
            // On one side of the origin, as a plane has to separate them from it.
            let away = DatasetBase::from(x() + 4.0);
            OneClassSvm::<f64>::params(0.3).fit(&away).unwrap()
        },
        |m| Ok(truths(m.predict(&x_new()))),
    );
    visitor.model(
        "kmeans",
        || KMeans::<f64>::params(3).fit(&unlabelled()).unwrap(),
        |m| Ok(labels(m.predict(&x_new()))),
    );
    visitor.model(
        "chain",
        || {
            let chain = Chain::new(Pca::<f64>::params(2), Lda::<f64, usize>::params());
            chain.fit(&classes()).unwrap()
        },
        |m| Ok(labels(m.predict(&x_new()))),
    );
}

fn regressions(visitor: &mut impl Visitor) {
    visitor.model(
        "ridge",
        || Ridge::<f64>::params().fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
    visitor.model(
        "ridge_of_two_targets",
        || {
            let targets = x().slice_move(ndarray::s![.., ..2]);
            Ridge::<f64>::params()
                .fit(&DatasetBase::new(x(), targets))
                .unwrap()
        },
        |m| Ok(numbers::<Ix2>(m.predict(&x_new()))),
    );
    visitor.model(
        "iterative_ridge",
        || IterativeRidge::<f64>::params().fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
    visitor.model(
        "ridge_path",
        || {
            RidgePath::<f64>::params(&[0.1, 1.0])
                .fit(&values())
                .unwrap()
        },
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
    visitor.model(
        "pls",
        || Pls::<f64>::params(2).fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
    visitor.model(
        "svr",
        || Svr::<f64>::params().fit(&values()).unwrap(),
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
}

fn projections(visitor: &mut impl Visitor) {
    visitor.model(
        "pca",
        || Pca::<f64>::params(2).fit(&unlabelled()).unwrap(),
        |m| Ok(numbers::<Ix2>(m.transform(x_new()))),
    );
    visitor.model(
        "pca_l1",
        || PcaL1::<f64>::params(2).fit(&unlabelled()).unwrap(),
        |m| Ok(numbers::<Ix2>(m.transform(x_new()))),
    );
    visitor.model(
        "fast_ica",
        || {
            FastIca::<f64>::params()
                .tolerance(1e-4)
                .fit(&unlabelled())
                .unwrap()
        },
        |m| Ok(numbers::<Ix2>(m.transform(x_new()))),
    );
    visitor.model(
        "regression_discriminant",
        || {
            RegressionDiscriminant::<f64>::params(1)
                .fit(&values())
                .unwrap()
        },
        |m| Ok(numbers::<Ix2>(m.transform(x_new()))),
    );
    visitor.model(
        "cca",
        || {
            Cca::<f64>::params(2)
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
}
