//! Models of the adapter that are saved: foreign estimators, every kind of space, pipelines.

use super::support::{
    Visitor, beside, in_space, labels, numbers, sides, truths, unlabelled, values, x, x_new,
};
use ndarray::{Ix1, Ix2};
use npt::{
    linfa::DatasetBase,
    methods::{
        Centroids,
        linear::{Pca, Ridge},
        preprocessing::{Imputer, StandardScaler},
        streaming::{ClassMoments, CoordinateMoments, Moments, RandomPivots, Reservoir},
    },
    prelude::*,
};

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.3)
}

pub(crate) fn each(visitor: &mut impl Visitor) {
    foreign(visitor);
    spaces(visitor);
    pipelines(visitor);
    streams(visitor);
}

fn foreign(visitor: &mut impl Visitor) {
    visitor.model(
        "linfa_kmeans",
        || {
            let seeded = rand_xoshiro::Xoshiro256Plus::seed_from_u64(1);
            let means = linfa_clustering::KMeans::params_with_rng(3, seeded);
            Kernelized::new(means, Exact::new(kernel()))
                .fit(&unlabelled())
                .unwrap()
        },
        |m| {
            let values = [m.inner().centroids().to_owned()];
            Ok(beside(labels(m.try_predict(&x_new())?), values))
        },
    );
    visitor.model(
        "linfa_linear_regression",
        || {
            let space = Exact::new(kernel()).rank(Rank::Components(3));
            Kernelized::new(linfa_linear::LinearRegression::new(), space)
                .fit(&values())
                .unwrap()
        },
        |m| Ok(numbers::<Ix1>(m.try_predict(&x_new())?)),
    );
}

fn spaces(visitor: &mut impl Visitor) {
    macro_rules! space {
        ($name:literal, $builder:expr) => {
            visitor.model(
                $name,
                || $builder.fit_space(&x()).unwrap(),
                |fitted| in_space(fitted, &x_new()),
            );
        };
    }
    space!("space_exact", Exact::new(kernel()));
    space!(
        "space_on_cholesky_axes",
        Exact::new(kernel()).axes(Axes::Cholesky)
    );
    space!(
        "space_of_components",
        Exact::new(kernel()).rank(Rank::Components(4))
    );
    space!("space_of_low_rank", Exact::new(Linear::new()));
    space!(
        "space_clipped",
        Exact::new(Sigmoid::new(0.5, 1.0)).indefinite(Indefinite::Clip)
    );
    space!(
        "space_of_pivots",
        Nystrom::new(kernel(), Pivoting::random(6))
    );
    space!(
        "space_of_centroids",
        Nystrom::new(kernel(), Centroids::new(6))
    );
    space!(
        "space_of_given",
        Nystrom::new(kernel(), npt::Given(Rows::new(x_new()).unwrap()))
    );
    visitor.model(
        "homogeneous_features",
        || {
            let histograms = x().mapv(f64::abs);
            HomogeneousFeatures::new(AdditiveChiSquared::new(), 3)
                .fit_space(&histograms)
                .unwrap()
        },
        |fitted| Ok(numbers(fitted.coordinates(&x_new().mapv(f64::abs))?)),
    );
    visitor.model(
        "pca_by_coordinates",
        || {
            Kernelized::new(Pca::params(2), Exact::new(kernel()))
                .fit(&unlabelled())
                .unwrap()
        },
        |m| Ok(numbers::<Ix2>(m.try_transform(&x_new())?)),
    );
}

fn pipelines(visitor: &mut impl Visitor) {
    visitor.model(
        "pipeline",
        || {
            let scaler = linfa_preprocessing::linear_scaling::LinearScaler::standard();
            Pipeline::new(scaler, KernelSvc::params(kernel()))
                .fit(&sides())
                .unwrap()
        },
        |m| {
            Ok([
                truths(m.try_predict(&x_new())?),
                numbers(m.decision_function(&x_new())?),
            ]
            .concat())
        },
    );
    visitor.model(
        "pipeline_of_two_transformers",
        || {
            let scaled = Pipeline::new(StandardScaler::params(), KernelSvc::params(kernel()));
            Pipeline::new(Imputer::mean(), scaled)
                .with_missing_values()
                .fit(&sides().with_feature_names(vec!["a", "b", "c"]))
                .unwrap()
        },
        |m| {
            let mut holes = x_new();
            holes[[1, 0]] = f64::NAN;
            Ok([
                truths(m.try_predict(&holes)?),
                numbers(m.decision_function(&holes)?),
            ]
            .concat())
        },
    );
}

fn streams(visitor: &mut impl Visitor) {
    visitor.model(
        "moments",
        || {
            let mut moments = Moments::new(3);
            moments.add(&values()).unwrap();
            moments
        },
        |m| {
            let mut more = m.clone();
            more.add(&values())?;
            Ok(numbers(more.scatter().to_owned()))
        },
    );
    visitor.model(
        "moments_of_kernel_values",
        || {
            let landmarks = Nystrom::new(kernel(), Pivoting::random(4)).centered(false);
            let space = landmarks.fit_space(&x()).unwrap().into_parts().0;
            let mut sums = CoordinateMoments::new(&space).unwrap();
            sums.add(&values()).unwrap();
            let moments = sums.into_moments().unwrap();
            assert!(moments.rounding() > 0.0);
            moments
        },
        |m| {
            let mut numbers = numbers(m.scatter().to_owned());
            numbers.push(m.rounding());
            Ok(numbers)
        },
    );
    visitor.model(
        "class_moments",
        || {
            let mut moments = ClassMoments::new(3);
            moments.add(&sides()).unwrap();
            moments
        },
        |m| Ok(numbers(m.within_scatter().to_owned())),
    );
    visitor.model(
        "class_moments_by_class",
        || {
            let mut moments = ClassMoments::with_class_scatters(3);
            moments.add(&sides()).unwrap();
            moments
        },
        |m| Ok(numbers(m.class_scatter(&true).unwrap().to_owned())),
    );
    visitor.model(
        "reservoir",
        || {
            let mut some = Reservoir::new(5);
            some.add(&x()).unwrap();
            some
        },
        |m| {
            let mut more = m.clone();
            more.add(&x())?;
            Ok(numbers(more.into_samples()?.into_matrix()))
        },
    );
    visitor.model(
        "chosen_landmarks",
        || {
            let blocks = || Ok::<_, npt::methods::Error>([Ok(DatasetBase::from(x()))].into_iter());
            RandomPivots::new(4).choose(&kernel(), blocks).unwrap()
        },
        |m| Ok(numbers(m.samples.view().to_owned())),
    );
    visitor.model(
        "ridge_of_moments",
        || {
            use npt::methods::streaming::FitMoments;
            let mut moments = Moments::new(3);
            moments.add(&values()).unwrap();
            let ridge: Ridge<f64> = Ridge::params().fit_moments(&moments).unwrap();
            ridge
        },
        |m| Ok(numbers::<Ix1>(m.predict(&x_new()))),
    );
}

use rand_xoshiro::rand_core::SeedableRng as _;
