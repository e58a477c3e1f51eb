//! Tests spaces of low rank in a search, with weights, and below pre-images.

use super::{assert_same, grid::refitted, mean_squared_error, regression};
use linfa::DatasetBase;
use ndarray::{Array1, Axis, concatenate};
use npt::{
    Given, Pivoting,
    methods::{
        Centroids,
        linear::Ridge,
        model_selection::{Folds, GridSearch, Scores},
        pre_image::{NearestSample, PreImageExt},
    },
    prelude::*,
};

/// Does `work` with two builders of each kind, by name.
macro_rules! for_each_builder {
    ($work:ident) => {
        let nystrom = |rule| Nystrom::new(Gaussian::new(0.3), rule);
        $work!(
            "uniform",
            [
                nystrom(Pivoting::uniform(8)),
                nystrom(Pivoting::uniform(14))
            ]
        );
        $work!(
            "random",
            [nystrom(Pivoting::random(8)), nystrom(Pivoting::random(14))]
        );
        $work!(
            "greedy",
            [nystrom(Pivoting::greedy(8)), nystrom(Pivoting::greedy(14))]
        );
        let centroids = |count| Nystrom::new(Gaussian::new(0.3), Centroids::new(count));
        $work!("centroids", [centroids(8), centroids(14)]);
        let waves = |count| RandomFourier::new(Gaussian::new(0.3), count);
        $work!("Fourier features", [waves(8), waves(14)]);
        let sketch = |count| TensorSketch::new(Polynomial::new(2, 0.5, 1.0), count);
        $work!("sketches", [sketch(16), sketch(32)]);
        let histograms = |count| HomogeneousFeatures::new(AdditiveChiSquared::new(), count);
        $work!("homogeneous", [histograms(1), histograms(2)]);
    };
}

fn data() -> linfa::Dataset<f64, f64, ndarray::Ix1> {
    let mut data = regression(40);
    // Histograms have no negative parts.
    data.records.mapv_inplace(f64::abs);
    data
}

#[test]
fn a_search_scores_as_if_refitted() {
    let data = data();
    let folds = Folds::k(40, 4, 7).unwrap();
    macro_rules! scores {
        ($name:expr, $builders:expr) => {
            let ridges = [0.01, 1.0].map(|penalty| Ridge::params().penalty(penalty));
            let search = GridSearch::new($builders, ridges).by_coordinates();
            let scores: Scores<KernelizedError<npt::methods::Error>> = search
                .scores(&data, &folds, mean_squared_error)
                .expect($name);
            assert_eq!(scores.candidates().count(), 4);
            for candidate in scores.candidates() {
                let expected = refitted(&search, candidate, &data, &folds, mean_squared_error);
                assert_same(scores.of(candidate), &expected);
            }
        };
    }
    for_each_builder!(scores);
}

/// A weight of two is a sample twice, in a space that does not depend on how often a sample is there.
#[test]
fn a_weight_of_two_is_a_sample_twice() {
    let data = data();
    let twice = concatenate![
        Axis(0),
        data.records,
        data.records.select(Axis(0), &[3, 17])
    ];
    let targets = concatenate![
        Axis(0),
        data.targets,
        data.targets.select(Axis(0), &[3, 17])
    ];
    let twice = DatasetBase::new(twice, targets);
    let mut weights = Array1::ones(40);
    weights[3] = 2.0;
    weights[17] = 2.0;
    let weighted = data.clone().with_weights(weights);
    let landmarks = data.records.select(Axis(0), &[0, 5, 11, 22, 30]);
    macro_rules! means {
        ($builder:expr) => {
            let method = Kernelized::new(Ridge::params().penalty(0.1), $builder);
            let found: Array1<f64> = method.fit(&weighted).unwrap().predict(&data.records);
            let expected: Array1<f64> = method.fit(&twice).unwrap().predict(&data.records);
            let ignored: Array1<f64> = method.fit(&data).unwrap().predict(&data.records);
            let largest = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
            let off = |a: &Array1<f64>| (a - &expected).fold(0.0_f64, |m, v| m.max(v.abs()));
            assert!(off(&found) <= 1e-10 * largest, "{:e}", off(&found));
            assert!(off(&ignored) > 1e-4 * largest, "{:e}", off(&ignored));
        };
    }
    means!(Nystrom::new(
        Gaussian::new(0.3),
        Given(Rows::new(landmarks).unwrap())
    ));
    means!(RandomFourier::new(Gaussian::new(0.3), 20));
    means!(TensorSketch::new(Polynomial::new(2, 0.5, 1.0), 32));
    means!(HomogeneousFeatures::new(AdditiveChiSquared::new(), 2));
}

/// The nearest pre-image counts residuals. With as many components as the space has axes, the projection of a sample is yᵢ; the squared
/// distance of the projection from φ(xⱼ) is ‖yᵢ − yⱼ‖² plus the residual of sample j.
#[test]
fn the_nearest_pre_image_counts_residuals() {
    let data = data();
    let unlabelled = DatasetBase::from(data.records.clone());
    macro_rules! pre_images {
        ($name:expr, $builders:expr) => {
            for builder in $builders {
                let fitted = builder.fit_space(&data.records).expect($name);
                let (y, residuals) = (fitted.training_coordinates(), fitted.training_residuals());
                let method = Kpca::params(fitted.rank(), Linear::new()).space(|_| builder);
                let model = method.pre_image(NearestSample).fit(&unlabelled);
                let denoised = model.expect($name).denoise(&data.records).expect($name);
                for (i, found) in denoised.outer_iter().enumerate() {
                    let distance = |j: usize| {
                        let between = &y.row(i) - &y.row(j);
                        between.dot(&between) + residuals[j]
                    };
                    let nearest = (0..40).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
                    assert_eq!(found, data.records.row(nearest.unwrap()), "{}", $name);
                }
            }
        };
    }
    for_each_builder!(pre_images);
}
