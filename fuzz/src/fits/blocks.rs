//! Every fit to samples that come in blocks.

use super::{Case, Run, counted, numbers};
use ndarray::{Array1, Array2, Ix1, Ix2, s};
use npt::{
    ExactSpace, Fitted, Given, Scalar,
    linfa::DatasetBase,
    methods::{
        Error,
        linear::{Cca, IterativeRidge, KMeans, Lda, Logistic, MulticlassSvc, Pca, Pls, Ridge, Svc},
        streaming::{CoordinateMoments, FitMoments, Moments, RandomPivots, Reservoir},
    },
    prelude::*,
};

pub(super) type Block<F, T> = DatasetBase<Array2<F>, Array1<T>>;

pub(super) fn all<F: Scalar>() -> Vec<(&'static str, Run<F>)> {
    vec![
        ("svc of blocks", |case| {
            let space = space(case)?;
            let svc = Svc::params().c(case.penalty);
            let model: Svc<F> = svc.fit_blocks(&space, || Ok(halves(&case.with_sides())))?;
            Ok(numbers(model.decision_function(&own(&space))))
        }),
        ("multiclass svc of blocks", |case| {
            let space = space(case)?;
            let svc = MulticlassSvc::params().c(case.penalty);
            let model = svc.fit_blocks(&space, || Ok(halves(&case.with_classes())))?;
            Ok(counted(&model.predict(&own(&space))))
        }),
        ("logistic of blocks", |case| {
            let space = space(case)?;
            let logistic = Logistic::params().penalty(case.penalty);
            let model = logistic.fit_blocks(&space, || Ok(halves(&case.with_classes())))?;
            Ok(numbers(model.predict_probabilities(&own(&space))))
        }),
        ("k-means of blocks", |case| {
            let space = space(case)?;
            let means = KMeans::params(case.components);
            let model = means.fit_blocks(&space, || Ok(halves(&case.alone())))?;
            Ok(numbers(model.squared_distances(&own(&space))))
        }),
        ("iterative ridge of blocks", |case| {
            let space = space(case)?;
            let ridge = IterativeRidge::params().penalty(case.penalty);
            let model = ridge.fit_blocks(&space, || Ok(halves(&case.with_values())))?;
            Ok(numbers::<_, Ix1>(model.predict(&own(&space))))
        }),
        ("random pivots of blocks", |case| {
            let pivots = RandomPivots::new(case.components);
            let kernel = Gaussian::new(case.width);
            let chosen = pivots.choose(&kernel, || Ok(halves(&case.alone())))?;
            let left = chosen.relative_trace_residual;
            assert!((0.0..=1.0).contains(&left), "{left} is left");
            let space = Nystrom::new(kernel, Given(chosen.samples)).fit_space(&case.x)?;
            Ok(numbers(own(&space)))
        }),
        ("reservoir", |case| {
            let mut reservoir = Reservoir::new(case.components);
            for block in halves(&case.alone()) {
                reservoir.add(&block?.records)?;
            }
            Ok(numbers(reservoir.into_samples()?.view().to_owned()))
        }),
        ("ridge of moments of coordinates", |case| {
            let space = space(case)?;
            let moments = moments(&space, case)?;
            let ridge = Ridge::params().penalty(case.penalty);
            let model: Ridge<F> = ridge.fit_moments(&moments)?;
            Ok(numbers::<_, Ix1>(model.predict(&own(&space))))
        }),
        ("pca of moments of coordinates", |case| {
            let space = space(case)?;
            let pca = Pca::params(case.components);
            let model: Pca<F> = pca.fit_moments(&moments(&space, case)?)?;
            Ok(numbers::<_, Ix2>(model.transform(own(&space))))
        }),
        ("pls of moments of coordinates", |case| {
            let space = space(case)?;
            let pls = Pls::params(case.components);
            let model: Pls<F> = pls.fit_moments(&moments(&space, case)?)?;
            Ok(numbers::<_, Ix1>(model.predict(&own(&space))))
        }),
        ("cca of moments of coordinates", |case| {
            let space = space(case)?;
            let cca = Cca::params(1).ridge(case.penalty);
            let model: Cca<F> = cca.fit_moments(&moments(&space, case)?)?;
            let scores: Array2<F> = model.first().transform(own(&space));
            Ok(numbers(scores))
        }),
        ("lda of moments of coordinates", |case| {
            let space = space(case)?;
            let mut moments = CoordinateMoments::of_classes(&space)?;
            for block in halves(&case.with_classes()) {
                moments.add(&block?)?;
            }
            let lda = Lda::params().ridge(case.penalty);
            let model: Lda<F, usize> = lda.fit_moments(&moments.into_moments()?)?;
            Ok(counted(&model.predict(&own(&space))))
        }),
    ]
}

/// A space on landmarks that are some of the samples.
fn space<F: Scalar>(case: &Case<F>) -> Result<Fitted<ExactSpace<Rows<F>, Gaussian<F>>>, Error> {
    let landmarks = Pivoting::random(case.components);
    Ok(Nystrom::new(Gaussian::new(case.width), landmarks).fit_space(&case.x)?)
}

fn own<F: Scalar, P: KernelSpace<Scalar = F>>(space: &Fitted<P>) -> Array2<F> {
    space.training_coordinates().to_owned()
}

/// The first half of the samples, and the second.
pub(super) fn halves<F: Scalar, T: Clone>(
    data: &Block<F, T>,
) -> impl Iterator<Item = Result<Block<F, T>, Error>> + use<F, T> {
    let (rows, weighed) = (data.records.nrows(), data.weights().is_some());
    let half = |from: usize, to: usize| {
        let records = data.records.slice(s![from..to, ..]).to_owned();
        let block = DatasetBase::new(records, data.targets.slice(s![from..to]).to_owned());
        if weighed {
            block.with_weights(data.weights.slice(s![from..to]).to_owned())
        } else {
            block
        }
    };
    [half(0, rows / 2), half(rows / 2, rows)]
        .map(Ok)
        .into_iter()
}

fn moments<F: Scalar, P: KernelSpace<Samples = Rows<F>, Scalar = F>>(
    space: &Fitted<P>,
    case: &Case<F>,
) -> Result<Moments, Error> {
    let mut moments = CoordinateMoments::new(space)?;
    for block in halves(&case.with_values()) {
        moments.add(&block?)?;
    }
    moments.into_moments()
}
