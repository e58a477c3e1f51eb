//! Every linear method, on plain matrices.
//!
//! What they predict is of their training samples: linfa's calls cannot refuse others, at which a linear function may overflow.

use super::{Run, counted, numbers};
use ndarray::{Array2, Ix1, Ix2};
use npt::{
    linfa::DatasetBase,
    methods::{
        linear::{
            CalibratedSvc, Cca, Chain, FastIca, HardMarginSvc, IterativeRidge, KMeans, Lda,
            Logistic, MulticlassSvc, NuSvc, OneClassSvm, Pca, PcaL1, Pls, RegressionDiscriminant,
            Ridge, RidgePath, Svc, Svr,
        },
        preprocessing::Imputer,
        streaming::{ClassMoments, FitMoments, Moments},
    },
    prelude::*,
};

pub(super) const ALL: &[(&str, Run)] = &[
    ("lda", |case| {
        let model = Lda::<f64, usize>::params().fit(&case.with_classes())?;
        Ok(counted(&model.predict(&case.x)))
    }),
    ("lda with a ridge", |case| {
        let lda = Lda::<f64, usize>::params().ridge(case.penalty);
        let model = lda.fit(&case.with_classes())?;
        Ok(counted(&model.predict(&case.x)))
    }),
    ("logistic", |case| {
        let logistic = Logistic::<f64, usize>::params().penalty(case.penalty);
        let model = logistic.fit(&case.with_classes())?;
        Ok(numbers(model.predict_probabilities(&case.x)))
    }),
    ("svc", |case| {
        let model = Svc::<f64>::params()
            .c(case.penalty)
            .fit(&case.with_sides())?;
        Ok(counted(&model.predict(&case.x)))
    }),
    ("ν-svc", |case| {
        let model = NuSvc::params(0.3).fit(&case.with_sides())?;
        Ok(counted(&model.predict(&case.x)))
    }),
    ("hard margin", |case| {
        let model = HardMarginSvc::params().fit(&case.with_sides())?;
        Ok(counted(&model.predict(&case.x)))
    }),
    ("multiclass svc", |case| {
        let svc = MulticlassSvc::<f64, usize>::params().c(case.penalty);
        let model = svc.fit(&case.with_classes())?;
        Ok(counted(&model.predict(&case.x)))
    }),
    ("calibrated svc", |case| {
        let svc = CalibratedSvc::<f64, usize>::params().folds(2);
        let model = svc.fit(&case.with_classes())?;
        Ok(numbers(model.predict_probabilities(&case.x)))
    }),
    ("one class", |case| {
        let model = OneClassSvm::<f64>::params(0.4).fit(&case.alone())?;
        Ok(counted(&model.predict(&case.x)))
    }),
    ("k-means", |case| {
        let model = KMeans::<f64>::params(case.components).fit(&case.alone())?;
        Ok(counted(&model.predict(&case.x)))
    }),
    ("chain", |case| {
        let chain = Chain::new(
            Pca::<f64>::params(case.components),
            Lda::<f64, usize>::params(),
        );
        let model = chain.fit(&case.with_classes())?;
        Ok(counted(&model.predict(&case.x)))
    }),
    ("ridge", |case| {
        let model = Ridge::<f64>::params()
            .penalty(case.penalty)
            .fit(&case.with_values())?;
        Ok(numbers::<Ix1>(model.predict(&case.x)))
    }),
    ("ridge without a penalty", |case| {
        let model = Ridge::<f64>::params()
            .penalty(0.0)
            .fit(&case.with_values())?;
        Ok(numbers::<Ix1>(model.predict(&case.x)))
    }),
    ("iterative ridge", |case| {
        let ridge = IterativeRidge::<f64>::params().penalty(case.penalty);
        let model = ridge.fit(&case.with_values())?;
        Ok(numbers::<Ix1>(model.predict(&case.x)))
    }),
    ("ridge path", |case| {
        let penalties = [case.penalty, 1.0];
        let model = RidgePath::<f64>::params(&penalties).fit(&case.with_values())?;
        Ok(numbers::<Ix1>(model.predict(&case.x)))
    }),
    ("ridge of moments", |case| {
        let mut moments = Moments::new(case.x.ncols());
        moments.add(&case.with_values())?;
        let ridge = Ridge::<f64>::params().penalty(case.penalty);
        let model: Ridge<f64> = ridge.fit_moments(&moments)?;
        Ok(numbers::<Ix1>(model.predict(&case.x)))
    }),
    ("condensed moments", |case| {
        let mut moments = Moments::new(case.x.ncols());
        moments.add(&case.with_values())?;
        let few = moments.condensed::<f64>()?;
        Ok([numbers(few.records), numbers(few.targets)].concat())
    }),
    ("lda of moments", |case| {
        let mut moments = ClassMoments::new(case.x.ncols());
        moments.add(&case.with_classes())?;
        let model: Lda<f64, usize> = Lda::<f64, usize>::params().fit_moments(&moments)?;
        Ok(counted(&model.predict(&case.x)))
    }),
    ("pls", |case| {
        let model = Pls::<f64>::params(case.components).fit(&case.with_values())?;
        Ok(numbers::<Ix1>(model.predict(&case.x)))
    }),
    ("svr", |case| {
        let model = Svr::<f64>::params()
            .c(case.penalty)
            .fit(&case.with_values())?;
        Ok(numbers::<Ix1>(model.predict(&case.x)))
    }),
    ("pca", |case| {
        let model = Pca::<f64>::params(case.components).fit(&case.alone())?;
        Ok(numbers::<Ix2>(model.transform(case.x.clone())))
    }),
    ("pca-l1", |case| {
        let model = PcaL1::<f64>::params(case.components).fit(&case.alone())?;
        Ok(numbers::<Ix2>(model.transform(case.x.clone())))
    }),
    ("fast ica", |case| {
        let model = FastIca::<f64>::params()
            .tolerance(1e-3)
            .fit(&case.alone())?;
        Ok(numbers::<Ix2>(model.transform(case.x.clone())))
    }),
    ("regression discriminant", |case| {
        let method = RegressionDiscriminant::<f64>::params(1);
        let model = method.fit(&case.with_values())?;
        Ok(numbers::<Ix2>(model.transform(case.x.clone())))
    }),
    ("cca", |case| {
        let views = DatasetBase::new(case.x.clone(), case.squares());
        let model = Cca::<f64>::params(case.components).fit(&views)?;
        let scores: Array2<f64> = model.first().transform(case.x.clone());
        Ok(numbers(scores))
    }),
    ("imputer", |case| {
        // What is no number is missing, and filled in.
        if !case.is_finite() {
            return Err("with missing values".into());
        }
        let model = Imputer::<f64>::median().fit(&case.alone())?;
        Ok(numbers::<Ix2>(model.transform(case.x.clone())))
    }),
];
