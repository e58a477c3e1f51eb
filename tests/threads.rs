//! Tests that the same seed on other threads gives the same results, for fits that the tests of saving have no model of.

use linfa::Dataset;
use ndarray::{Array1, Array2, Axis, s};
use npt::{
    methods::{
        self, Centroids, SvmMkl,
        linear::{IterativeRidge, KMeans, Lda, Logistic, MulticlassSvc, Pca, Ridge, Strategy, Svc},
        model_selection::{Candidates, Folds, GridSearch},
        streaming::{CoordinateMoments, FitMoments, RandomPivots},
    },
    prelude::*,
};
use npt_testkit::data;

/// Results depend on neither chance nor threads: fits by passes, parameters of kernels by gradients, weights of kernels, whole searches, and
/// spaces of low rank with more samples than the tests of saving have.
#[test]
fn results_depend_on_neither_chance_nor_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(numbers)
    };
    let (one, again, two) = (on(1), on(1), on(2));
    assert_eq!(one.len(), two.len());
    for (((name, one), (_, again)), (_, two)) in one.iter().zip(&again).zip(&two) {
        assert!(one == again, "{name}: other bits of the same seed");
        let size = one.fold(0.0, |m: f64, v| m.max(v.abs()));
        let off = (one - two).fold(0.0, |m: f64, v| m.max(v.abs()));
        assert!(
            size > 0.1 && off <= 1e-10 * size,
            "{name}: {off:e} of {size:e}"
        );
    }
}

/// Coordinates in spaces of low rank.
fn coordinates(x: &Array2<f64>, new: &Array2<f64>) -> Vec<(&'static str, Array2<f64>)> {
    fn of<B: SpaceBuilder<Rows<f64>, Space: KernelSpace<Scalar = f64>>>(
        builder: B,
        x: &Array2<f64>,
        new: &Array2<f64>,
    ) -> Array2<f64> {
        let space = builder.fit_space(x).unwrap();
        space.coordinates(new).unwrap()
    }
    let kernel = Gaussian::new(0.3);
    let landmarks = |choice: Pivoting| of(Nystrom::new(kernel, choice), x, new);
    let (shares, new_shares) = (x.mapv(f64::abs), new.mapv(f64::abs));
    vec![
        ("uniform", landmarks(Pivoting::uniform(40))),
        ("random", landmarks(Pivoting::random(40))),
        ("greedy", landmarks(Pivoting::greedy(40))),
        ("leverage", landmarks(Pivoting::by_leverage(40, 0.1))),
        (
            "centroids",
            of(Nystrom::new(kernel, Centroids::new(40)), x, new),
        ),
        ("waves", of(RandomFourier::new(kernel, 40), x, new)),
        (
            "sketch",
            of(TensorSketch::new(Polynomial::new(2, 0.5, 1.0), 64), x, new),
        ),
        (
            "homogeneous",
            of(
                HomogeneousFeatures::new(AdditiveChiSquared::new(), 2),
                &shares,
                &new_shares,
            ),
        ),
    ]
}

/// Returns passes over one block.
fn once<D: Clone>(
    data: &D,
) -> impl FnMut() -> Result<[Result<D, methods::Error>; 1], methods::Error> {
    move || Ok([Ok(data.clone())])
}

/// The numbers of models, by name.
fn numbers() -> Vec<(&'static str, Array2<f64>)> {
    // These are more samples than one part of a pass has.
    let x = data::normal(1500, 3, 1);
    let value = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1] * row[2]);
    let side = value.mapv(|v| v > 0.0);
    let class = value.mapv(|v| usize::from(v > -0.5) + usize::from(v > 0.5));
    let kernel = Gaussian::new(0.3);
    let landmarks = Nystrom::new(kernel, Pivoting::random(30));
    let space = landmarks.fit_space(&x).unwrap();
    let sides = Dataset::new(x.clone(), side);
    let classes = Dataset::new(x.clone(), class);
    let values = Dataset::new(x.clone(), value);
    let new = data::normal(20, 3, 2);
    let y = space.coordinates(&new).unwrap();
    let column = |values: Array1<f64>| values.insert_axis(Axis(1));

    let svc = Svc::params().fit_blocks(&space, once(&sides)).unwrap();
    let many = MulticlassSvc::params()
        .fit_blocks(&space, once(&classes))
        .unwrap();
    let logistic = Logistic::params().fit_blocks(&space, once(&sides)).unwrap();
    let means = KMeans::params(4).fit_blocks(&space, once(&values)).unwrap();
    let ridge = IterativeRidge::params()
        .fit_blocks(&space, once(&values))
        .unwrap();
    let pivots = RandomPivots::new(20)
        .choose(&kernel, once(&values))
        .unwrap();
    let few = Dataset::new(
        x.slice(s![..60, ..]).to_owned(),
        values.targets.slice(s![..60]).to_owned(),
    );
    let process = GaussianProcess::optimized(kernel).fit(&few).unwrap();
    let kernels = vec![Gaussian::new(0.05), Gaussian::new(1.0)];
    let weights = SvmMkl::new(kernels).fit_classes(&sides).unwrap();
    let spaces = Candidates::new().kernels("gaussian", [0.1, 1.0], Gaussian::new);
    let search = GridSearch::new(
        spaces,
        [0.1, 1.0].map(|penalty| Ridge::params().penalty(penalty)),
    );
    let inner = |targets: &Array1<f64>| Folds::k(targets.len(), 3, 1);
    let error = |found: &Array1<f64>, truth: &Array1<f64>| -(found - truth).pow2().sum();
    let nested = search.nested_scores(&few, &Folds::k(60, 3, 2).unwrap(), inner, error);
    let mut moments = CoordinateMoments::with_class_scatters(space.space()).unwrap();
    moments.add(&classes).unwrap();
    let moments = moments.into_moments().unwrap();
    let lda = Lda::params().balanced(true).fit_moments(&moments);
    let lda: Lda<f64, usize> = lda.unwrap();
    let mut moments = CoordinateMoments::new(space.space()).unwrap();
    moments.add(&values).unwrap();
    let (first, second) = (moments.into_moments().unwrap(), values.clone());
    let mut moments = CoordinateMoments::new(space.space()).unwrap();
    moments.add(&second).unwrap();
    let mut merged = moments.into_moments().unwrap();
    merged.merge(&first).unwrap();
    let pca: Pca<f64> = Pca::params(3).fit_moments(&merged).unwrap();
    let rest = MulticlassSvc::params().strategy(Strategy::OneAgainstRest);
    let rest = rest.fit_blocks(&space, once(&classes)).unwrap();
    let of_methods = vec![
        ("Svc::fit_blocks", column(svc.transform(y.clone()))),
        ("MulticlassSvc::fit_blocks", many.transform(y.clone())),
        ("Logistic::fit_blocks", logistic.transform(y.clone())),
        ("KMeans::fit_blocks", means.centroids().to_owned()),
        ("IterativeRidge::fit_blocks", column(ridge.predict(&y))),
        ("RandomPivots", pivots.samples.view().to_owned()),
        (
            "GaussianProcess::optimized",
            column(process.predict(&few.records)),
        ),
        ("SvmMkl", weights.weights().to_owned().insert_axis(Axis(1))),
        (
            "nested_scores",
            ndarray::arr2(&[[nested.unwrap().mean().unwrap()]]),
        ),
        ("Lda::fit_moments", lda.transform(y.clone())),
        ("Pca::fit_moments", pca.transform(y.clone())),
        ("one against the rest", rest.transform(y.clone())),
    ];
    [of_methods, coordinates(&x, &new)].concat()
}
