//! Every linear method, on plain matrices.
//!
//! The methods predict for samples that they have seen. linfa's calls cannot refuse other samples, for which a linear function may
//! overflow.

use super::{Run, counted, numbers};
use ndarray::{Array2, Axis, Ix1, Ix2};
use npt::{
    Scalar,
    linfa::DatasetBase,
    methods::{
        linear::{
            CalibratedSvc, Cca, Chain, FastIca, HardMarginSvc, IterativeRidge, KMeans, Lda,
            Logistic, MulticlassSvc, NuSvc, OneClassSvm, Pca, PcaL1, Pls, RegressionDiscriminant,
            Ridge, RidgePath, Scatter, Strategy, Svc, Svr,
        },
        streaming::{ClassMoments, FitMoments, Moments},
    },
    prelude::*,
};

#[expect(clippy::too_many_lines, reason = "it is a list")]
pub(super) fn all<F: Scalar>() -> Vec<(&'static str, Run<F>)> {
    vec![
        ("lda", |case| {
            let model = Lda::params().fit(&case.with_classes())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("lda with a ridge", |case| {
            let lda = Lda::params().ridge(case.penalty);
            let model = lda.fit(&case.with_classes())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("logistic", |case| {
            let logistic = Logistic::params().penalty(case.penalty);
            let model = logistic.fit(&case.with_classes())?;
            Ok(numbers(model.predict_probabilities(&case.seen())))
        }),
        ("svc", |case| {
            let model = Svc::params().c(case.penalty).fit(&case.with_sides())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("ν-svc", |case| {
            let model = NuSvc::params(0.3).fit(&case.with_sides())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("hard margin", |case| {
            let model = HardMarginSvc::params().fit(&case.with_sides())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("multiclass svc", |case| {
            let svc = MulticlassSvc::params().c(case.penalty);
            let model = svc.fit(&case.with_classes())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("calibrated svc", |case| {
            let svc = CalibratedSvc::params().folds(2);
            let model = svc.fit(&case.with_classes())?;
            Ok(numbers(model.predict_probabilities(&case.seen())))
        }),
        ("one class", |case| {
            let model = OneClassSvm::params(0.4).fit(&case.alone())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("k-means", |case| {
            let model = KMeans::params(case.components).fit(&case.alone())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("chain", |case| {
            let chain = Chain::new(Pca::params(case.components), Lda::params());
            let model = chain.fit(&case.with_classes())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("ridge", |case| {
            let model = Ridge::params()
                .penalty(case.penalty)
                .fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.predict(&case.seen())))
        }),
        ("ridge without a penalty", |case| {
            let model = Ridge::params().penalty(0.0).fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.predict(&case.seen())))
        }),
        ("iterative ridge", |case| {
            let ridge = IterativeRidge::params().penalty(case.penalty);
            let model = ridge.fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.predict(&case.seen())))
        }),
        ("ridge path", |case| {
            let penalties = [case.penalty, 1.0];
            let model = RidgePath::params(&penalties).fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.predict(&case.seen())))
        }),
        ("ridge of moments", |case| {
            let mut moments = Moments::new(case.x.ncols());
            moments.add(&case.with_values())?;
            let ridge = Ridge::params().penalty(case.penalty);
            let model: Ridge<F> = ridge.fit_moments(&moments)?;
            Ok(numbers::<_, Ix1>(model.predict(&case.seen())))
        }),
        ("condensed moments", |case| {
            let mut moments = Moments::new(case.x.ncols());
            moments.add(&case.with_values())?;
            let few = moments.condensed::<F>()?;
            Ok([numbers(few.records), numbers(few.targets)].concat())
        }),
        ("lda of moments", |case| {
            let mut moments = ClassMoments::new(case.x.ncols());
            moments.add(&case.with_classes())?;
            let model: Lda<F, usize> = Lda::params().fit_moments(&moments)?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("lda of the total scatter", |case| {
            let lda = Lda::params().scatter(Scatter::Total);
            let model = lda.fit(&case.with_classes())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("one against the rest", |case| {
            let svc = MulticlassSvc::params().strategy(Strategy::OneAgainstRest);
            let model = svc.c(case.penalty).fit(&case.with_classes())?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("ridge of two targets", |case| {
            let targets = ndarray::stack![Axis(1), case.values, case.values];
            let data = DatasetBase::new(case.x.clone(), targets);
            let ridge = Ridge::params().penalty(case.penalty);
            let model = ridge.fit(&data.with_weights(case.weights.clone()))?;
            Ok(numbers::<_, Ix2>(model.predict(&case.seen())))
        }),
        ("pls of two targets", |case| {
            let targets = ndarray::stack![Axis(1), case.values, case.values];
            let data = DatasetBase::new(case.x.clone(), targets);
            let model = Pls::params(case.components).fit(&data)?;
            Ok(numbers::<_, Ix2>(model.predict(&case.x)))
        }),
        ("merged moments", |case| {
            let mut moments = Moments::new(case.x.ncols());
            moments.add(&case.with_values())?;
            moments.merge(&moments.clone())?;
            let model: Pca<F> = Pca::params(case.components).fit_moments(&moments)?;
            Ok(numbers::<_, Ix2>(model.transform(case.seen())))
        }),
        ("balanced lda of moments", |case| {
            let mut moments = ClassMoments::with_class_scatters(case.x.ncols());
            moments.add(&case.with_classes())?;
            let lda = Lda::params().balanced(true);
            let model: Lda<F, usize> = lda.fit_moments(&moments)?;
            Ok(counted(&model.predict(&case.seen())))
        }),
        ("pls", |case| {
            let model = Pls::params(case.components).fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.predict(&case.seen())))
        }),
        ("svr", |case| {
            let model = Svr::params().c(case.penalty).fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.predict(&case.seen())))
        }),
        ("ν-svr", |case| {
            let svr = Svr::params().nu(0.4).c(case.penalty);
            let model = svr.fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.predict(&case.seen())))
        }),
        ("pca", |case| {
            let model = Pca::params(case.components).fit(&case.alone())?;
            Ok(numbers::<_, Ix2>(model.transform(case.seen())))
        }),
        ("pca-l1", |case| {
            let model = PcaL1::params(case.components).fit(&case.alone())?;
            Ok(numbers::<_, Ix2>(model.transform(case.seen())))
        }),
        ("fast ica", |case| {
            let model = FastIca::params().tolerance(1e-3).fit(&case.alone())?;
            Ok(numbers::<_, Ix2>(model.transform(case.seen())))
        }),
        ("regression discriminant", |case| {
            let method = RegressionDiscriminant::params(1);
            let model = method.fit(&case.with_values())?;
            Ok(numbers::<_, Ix2>(model.transform(case.seen())))
        }),
        ("cca", |case| {
            let views = DatasetBase::new(case.x.clone(), case.squares());
            let model = Cca::params(case.components).fit(&views)?;
            let scores: Array2<F> = model.first().transform(case.seen());
            Ok(numbers(scores))
        }),
    ]
}
