//! Tests searches of kernel methods, each by the road that it takes.

use super::{
    AnyKernel, Counting, assert_same, mean_squared_error, regression, rings, select, spaces,
};
use linfa::{Dataset, DatasetBase, Label};
use ndarray::{Array1, Array2, Axis};
use npt::{
    Error::{KernelNotFinite, NoVariance},
    ExpansionMethod, Fitted, InnerProducts, KernelMethod, Pivoting, ProductsOf,
    methods::{
        Error,
        linear::{KMeans, Lda, Ridge, Svc, SvcParams},
        model_selection::{Candidate, Candidates, Folds, GridSearch, Scores, accuracy},
    },
    prelude::*,
};
use npt_testkit::data::normal;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Compares the scores of all candidates with those of fitting the kernel method to each fold's training samples.
macro_rules! assert_as_refitted {
    ($search:expr, $data:expr, $folds:expr, $score:expr) => {{
        let (search, data, folds) = (&$search, &$data, &$folds);
        let scores: Scores<KernelizedError<Error>> = search.scores(data, folds, $score).unwrap();
        for candidate in scores.candidates() {
            let expected = (0..folds.len()).map(|fold| {
                let (training, held_out) = folds.split(fold);
                let (training, held_out) = (select(data, &training), select(data, held_out));
                let model = search.estimator(candidate).fit(&training).unwrap();
                $score(&model.predict(held_out.records()), held_out.targets())
            });
            assert_same(scores.of(candidate), &expected.collect::<Vec<f64>>());
        }
    }};
}

fn share_right<L: Label>(predicted: &Array1<L>, truth: &Array1<L>) -> f64 {
    accuracy(predicted, truth)
}

/// Kernel methods score as if refitted: by inner products, and by coordinates where a rank was asked for, the kernel is indefinite, or
/// the method has no dual form.
#[test]
fn kernel_methods_score_as_if_refitted() {
    let data = regression(40);
    let ridges = [0.01, 1.0].map(|penalty| Ridge::params().penalty(penalty));
    let search = GridSearch::new(spaces(), ridges);
    for folds in [Folds::k(40, 5, 7), Folds::leave_one_out(40)] {
        assert_as_refitted!(search, data, folds.unwrap(), mean_squared_error);
    }

    let data = rings(60);
    let folds = Folds::stratified(&data, 6, 1).unwrap();
    let machines = [0.1, 10.0].map(|c| Svc::params().c(c));
    assert_as_refitted!(
        GridSearch::new(spaces(), machines),
        data,
        folds,
        share_right
    );
    let ridges = [0.01, 1.0].map(|ridge| Lda::params().ridge(ridge));
    assert_as_refitted!(GridSearch::new(spaces(), ridges), data, folds, share_right);
}

/// Machines that are fitted to all folds together decide as those that are fitted to each fold alone. Kernel values are in memory,
/// or coordinates where their rank is low. Penalties are in any order, one of them is refused, and one differs between
/// the classes.
#[test]
fn machines_of_all_folds_together() {
    let x = normal(1200, 3, 5);
    let sides = x.map_axis(Axis(1), |row| row[0] * row[1] + 0.3 * row[2].sin() > 0.1);
    let data = Dataset::new(x, sides);
    let methods = [10.0, 0.1, -1.0, 1.0].map(|c| Svc::params().c(c).tolerance(1e-10));
    let [first, second, refused, third] = methods;
    let unequal = Svc::params().class_c(3.0, 1.0).tolerance(1e-10);
    let methods = [first, second, refused, unequal, third];
    let kernels: [(AnyKernel, bool); 2] = [
        (Arc::new(Gaussian::new(0.5)), false),
        (Arc::new(Polynomial::new(2, 0.5, 1.0)), true),
    ];
    let (training, held_out): (Vec<usize>, Vec<usize>) = (0..1200).partition(|i| i % 5 != 0);
    for (kernel, is_low) in kernels {
        let builder = Exact::new(Arc::clone(&kernel));
        let rows = Rows::new(data.records().clone()).unwrap();
        let products = builder.inner_products(&rows, false).unwrap().unwrap();
        assert_eq!(products.coordinates().is_some(), is_low);
        let validator = SvcParams::cross_validator(&methods, &products, data.targets(), None);
        let validator = validator.unwrap().unwrap();
        for (method, fit) in methods.iter().zip(validator.fit(&training, &held_out)) {
            let alone = KernelMethod::new(method.clone(), builder.clone());
            let alone = alone.fit(&select(&data, &training));
            let (Ok((_, values)), Ok(alone)) = (&fit, &alone) else {
                let (fit, alone) = (fit.err(), alone.err());
                assert_eq!(fit.map(KernelizedError::Method), alone);
                continue;
            };
            let new = data.records().select(Axis(0), &held_out);
            let expected: Array1<f64> = alone.transform(new);
            let off = (&values.column(0) - &expected).fold(0.0_f64, |m, v| m.max(v.abs()));
            assert!(off < 1e-7, "{method:?}: {off:e}");
        }
        // The selected samples are all of one class.
        let one: Vec<usize> = (0..1200).filter(|&i| data.targets()[i]).collect();
        let fits = validator.fit(&one[..20], &[0]);
        let classes = |fit: &Result<_, Error>| matches!(fit, Err(Error::Classes { found: 1 }));
        assert_eq!(fits.iter().filter(|fit| classes(fit)).count(), 4);
    }
}

/// A builder that knows nothing of folds.
#[derive(Clone)]
struct Stranger(Exact<AnyKernel>);

impl SpaceBuilder<Rows<f64>> for Stranger {
    type Space = <Exact<AnyKernel> as SpaceBuilder<Rows<f64>>>::Space;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = Rows<f64>>,
    ) -> Result<Fitted<Self::Space>, npt::Error> {
        self.0.fit_space(records)
    }

    fn inner_products<'a>(
        &self,
        x: &'a Rows<f64>,
        centered: bool,
    ) -> Result<Option<ProductsOf<'a, Rows<f64>, Self::Space>>, npt::Error> {
        self.0.inner_products(x, centered)
    }
}

#[test]
fn any_builder_will_do() {
    let data = regression(40);
    let folds = Folds::k(40, 5, 7).unwrap();
    let builders: Vec<_> = spaces().into_iter().map(Stranger).collect();
    let search = GridSearch::new(builders, [Ridge::params().penalty(0.1)]);
    assert_as_refitted!(search, data, folds, mean_squared_error);
}

/// The kernel matrix is computed once for all folds and parameters.
#[test]
fn the_kernel_matrix_is_computed_once() {
    let words: Vec<String> = (0..30).map(|i| format!("{:b}", 5 + 7 * i)).collect();
    let lengths: Array1<f64> = words.iter().map(|word| word.len() as f64).collect();
    let data = DatasetBase::new(Items::new(words).unwrap(), lengths);
    let kernel = Counting::default();
    kernel.gram(data.records());
    let once = kernel.0.swap(0, Ordering::Relaxed);

    let ridges = [0.1, 1.0, 10.0].map(|penalty| Ridge::params().penalty(penalty));
    let folds = Folds::k(30, 5, 1).unwrap();
    let search = GridSearch::new([Exact::new(kernel.clone())], ridges);
    let scores = search.scores(&data, &folds, mean_squared_error);
    assert_eq!(scores.unwrap().failures().count(), 0);
    assert_eq!(kernel.0.load(Ordering::Relaxed), once);
}

#[test]
fn what_is_wrong_is_told_as_by_a_fit() {
    let data = rings(12);
    let kernels: [AnyKernel; 3] = [
        Arc::new(FnKernel::new(|_: &[f64], _: &[f64]| 1.0)),
        Arc::new(FnKernel::new(|a: &[f64], b: &[f64]| {
            (a[0] - b[0]).powi(2).ln()
        })),
        Arc::new(Gaussian::new(-1.0)),
    ];
    let search = GridSearch::new(kernels.map(Exact::new), [Svc::params()]);
    let folds = Folds::stratified(&data, 2, 0).unwrap();
    let scores: Scores<KernelizedError<Error>> = search.scores(&data, &folds, share_right).unwrap();
    let of = |space| scores.mean(Candidate { space, method: 0 }).unwrap_err();
    assert_eq!(of(0), &KernelizedError::Space(NoVariance { samples: 6 }));
    assert!(matches!(
        of(1),
        KernelizedError::Space(KernelNotFinite { value, .. }) if *value == f64::NEG_INFINITY
    ));
    // Without the one row that differs, there is nothing to learn from.
    let x = Array2::from_shape_fn((10, 1), |(i, _)| f64::from(u8::from(i == 3)));
    let data = Dataset::new(x, Array1::from_shape_fn(10, |i| i % 2 == 0));
    let search = GridSearch::new([Exact::new(Gaussian::new(1.0))], [Svc::params()]);
    let folds = Folds::leave_one_out(10).unwrap();
    let scores: Scores<KernelizedError<Error>> = search.scores(&data, &folds, share_right).unwrap();
    let failures: Vec<_> = scores.failures().collect();
    assert_eq!(failures.len(), 1);
    assert_eq!(
        failures[0].2,
        &KernelizedError::Space(NoVariance { samples: 9 })
    );
    assert!(matches!(
        of(2),
        KernelizedError::Space(npt::Error::Parameter { value: -1.0, .. })
    ));
}

/// Widths come from the training samples also where machines of all folds are fitted together: kernel values of all samples would depend on
/// the samples held out.
#[test]
fn widths_of_machines_are_of_the_training_samples() {
    let mut data = rings(40);
    // These values are far out, so that the median with them is another.
    data.records
        .column_mut(1)
        .slice_mut(ndarray::s![..12])
        .mapv_inplace(|v| 20.0 * v);
    let folds = Folds::k(40, 4, 3).unwrap();
    let median = FromSamples::new(|x: &Rows<f64>| Ok(Exact::new(Gaussian::median_heuristic(x)?)));
    let machines = [0.5, 10.0].map(|c| Svc::params().c(c).tolerance(1e-9));
    let search = GridSearch::new([median], machines);
    let scores: Scores<KernelizedError<Error>> = search.scores(&data, &folds, share_right).unwrap();
    assert_as_refitted!(search, data, folds, share_right);
    let of_all = Exact::new(Gaussian::median_heuristic(data.records()).unwrap());
    let fixed = GridSearch::new([of_all], [0.5, 10.0].map(|c| Svc::params().c(c)));
    let fixed: Scores<KernelizedError<Error>> = fixed.scores(&data, &folds, share_right).unwrap();
    let differs = |c| scores.of(c) != fixed.of(c);
    assert!(scores.candidates().any(differs));
}

/// Widths that are found from samples are found anew from the training samples of each fold.
#[test]
fn widths_are_of_the_training_samples() {
    let data = regression(40);
    let folds = Folds::k(40, 5, 7).unwrap();
    let of_median = |factor: f64| {
        FromSamples::new(move |x: &Rows<f64>| {
            let gamma = Gaussian::median_heuristic(x)?.gamma();
            Ok(Exact::new(Gaussian::new(factor * gamma)))
        })
    };
    let ridges = [0.01, 1.0].map(|penalty| Ridge::params().penalty(penalty));
    let search = GridSearch::new([0.5, 2.0].map(of_median), ridges);
    assert_as_refitted!(search, data, folds, mean_squared_error);
    let by_coordinates = search.clone().by_coordinates();
    let by_coordinates = by_coordinates
        .scores(&data, &folds, mean_squared_error)
        .unwrap();
    let by_kernel = search.scores(&data, &folds, mean_squared_error).unwrap();
    let of_all = Gaussian::median_heuristic(data.records()).unwrap().gamma();
    let fixed = [0.5, 2.0].map(|factor| Exact::new(Gaussian::new(factor * of_all)));
    let fixed = GridSearch::new(fixed, [0.01, 1.0].map(|p| Ridge::params().penalty(p)));
    let fixed = fixed.scores(&data, &folds, mean_squared_error).unwrap();
    for candidate in by_kernel.candidates() {
        let values = |scores: &Scores<KernelizedError<Error>>| -> Vec<f64> {
            let scores = scores.of(candidate).iter();
            scores.map(|score| *score.as_ref().unwrap()).collect()
        };
        let (found, expected) = (values(&by_coordinates), values(&by_kernel));
        let pairs = found.iter().zip(&expected);
        assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-6 * b.abs()));
        assert!(
            values(&fixed)
                .iter()
                .zip(&expected)
                .any(|(a, b)| (a - b).abs() > 1e-6 * b.abs())
        );
    }

    let constant = Dataset::new(Array2::ones((6, 2)), Array1::<f64>::zeros(6));
    let refused = KernelRidge::params(())
        .space(|_| of_median(1.0))
        .fit(&constant);
    let error = refused.map(|_| ()).unwrap_err();
    assert_eq!(
        error,
        npt::KernelizedError::Space(NoVariance { samples: 6 })
    );
}

/// A sample held out that the kernel refuses is an outcome, whichever way the fold is fitted.
#[test]
fn samples_held_out_that_a_kernel_refuses() {
    let mut data = regression(30);
    data.records.mapv_inplace(f64::abs);
    data.records[[7, 1]] = -1.0;
    let folds = Folds::leave_one_out(30).unwrap();
    let kernel = || ChiSquared::new(0.5);
    let of_samples = FromSamples::new(move |_: &Rows<f64>| Ok(Exact::new(kernel())));
    let search = GridSearch::new([of_samples], [Ridge::params().penalty(0.1)]);
    let scores: Scores<KernelizedError<Error>> =
        search.scores(&data, &folds, mean_squared_error).unwrap();
    for (fold, outcome) in scores
        .of(Candidate {
            space: 0,
            method: 0,
        })
        .iter()
        .enumerate()
    {
        assert!(outcome.is_err(), "{fold}");
    }
    // In the fold that holds the sample out the fit succeeds, and the prediction is refused.
    let held_out = scores.failures().find(|(_, fold, _)| *fold == 7).unwrap().2;
    assert!(
        matches!(
            held_out,
            KernelizedError::Space(npt::Error::SampleOutsideDomain { row: 0, .. })
        ),
        "{held_out}"
    );
}

/// A kernel that is found from samples scores beside given ones as it does alone; whichever is best is fitted to all samples.
#[test]
fn kernels_given_and_found() {
    let data = regression(40);
    let folds = Folds::k(40, 5, 7).unwrap();
    let find = |x: &Rows<f64>| Gaussian::median_heuristic(x);
    let given = || {
        Candidates::new().kernel("linear", Linear::new()).kernels(
            "gaussian",
            [0.1, 1.0],
            Gaussian::new,
        )
    };
    let ridges = || [0.01, 1.0].map(|penalty| Ridge::params().penalty(penalty));
    let mixed = given()
        .kernel_from("median", find)
        .kernel_from("again", find);
    assert_eq!(mixed.names()[3..], ["median", "again"]);
    let mixed = GridSearch::new(mixed, ridges());
    assert_as_refitted!(mixed, data, folds, mean_squared_error);
    let scores: Scores<KernelizedError<Error>> =
        mixed.scores(&data, &folds, mean_squared_error).unwrap();
    let alone = GridSearch::new(given(), ridges());
    let alone: Scores<KernelizedError<Error>> =
        alone.scores(&data, &folds, mean_squared_error).unwrap();
    for candidate in alone.candidates() {
        assert_eq!(scores.of(candidate), alone.of(candidate));
    }
    let found = FromSamples::new(move |x: &Rows<f64>| Ok(Exact::new(find(x)?)));
    let found = GridSearch::new([found], ridges());
    let found: Scores<KernelizedError<Error>> =
        found.scores(&data, &folds, mean_squared_error).unwrap();
    for of_found in found.candidates() {
        for space in [3, 4] {
            let candidate = Candidate { space, ..of_found };
            assert_eq!(scores.of(candidate), found.of(of_found));
        }
    }
    let by_coordinates = mixed.clone().by_coordinates();
    assert_as_refitted!(by_coordinates, data, folds, mean_squared_error);
    let best = mixed.fit_best(&data, &folds, mean_squared_error).unwrap();
    let expected = mixed.estimator(best.candidate).fit(&data).unwrap();
    assert_eq!(best.model.predict(&data), expected.predict(&data));
    let constant = Dataset::new(Array2::ones((6, 2)), Array1::<f64>::zeros(6));
    let refused = mixed
        .estimator(Candidate {
            space: 3,
            method: 0,
        })
        .fit(&constant);
    let error = refused.map(|_| ()).unwrap_err();
    assert_eq!(
        error,
        npt::KernelizedError::Space(NoVariance { samples: 6 })
    );
}

/// A builder that counts the spaces that it fits.
#[derive(Clone)]
struct Counted(Nystrom<Gaussian<f64>, Pivoting>, Arc<AtomicUsize>);

impl SpaceBuilder<Rows<f64>> for Counted {
    type Space = <Nystrom<Gaussian<f64>, Pivoting> as SpaceBuilder<Rows<f64>>>::Space;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = Rows<f64>>,
    ) -> Result<Fitted<Self::Space>, npt::Error> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.fit_space(records)
    }
}

/// Methods that share a space refuse the targets that one alone refuses.
#[test]
fn targets_are_looked_at_whatever_is_shared() {
    let mut data = regression(40);
    data.targets[7] = f64::NAN;
    let folds = Folds::k(40, 4, 7).unwrap();
    for clusters in [&[2][..], &[2, 3]] {
        let means = clusters.iter().map(|&clusters| KMeans::params(clusters));
        let spaces = [Nystrom::new(Gaussian::new(0.3), Pivoting::random(14))];
        let search = GridSearch::new(spaces, means.collect::<Vec<_>>());
        let count = |found: &Array1<usize>, _: &Array1<f64>| found.len() as f64;
        let scores: Scores<KernelizedError<Error>> = search.scores(&data, &folds, count).unwrap();
        // The fold that holds the bad target out does not see it.
        for candidate in scores.candidates() {
            let refused = scores.of(candidate).iter().filter(|score| score.is_err());
            assert_eq!(refused.count(), 3);
        }
    }
}

/// A space of landmarks is fitted once a fold for all methods, by kernel values, too. Each method scores as if it were fitted alone.
#[test]
fn a_space_of_landmarks_is_fitted_once_a_fold() {
    let data = regression(40);
    let folds = Folds::k(40, 4, 7).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let landmarks = Nystrom::new(Gaussian::new(0.3), Pivoting::random(14));
    let builder = Counted(landmarks, Arc::clone(&count));
    let ridges = [0.01, 0.1, 1.0].map(|penalty| Ridge::params().penalty(penalty));
    let search = GridSearch::new([builder], ridges);
    let _: Scores<KernelizedError<Error>> =
        search.scores(&data, &folds, mean_squared_error).unwrap();
    assert_eq!(count.load(Ordering::Relaxed), 4);
    assert_as_refitted!(search, data, folds, mean_squared_error);

    // Methods that have dual coefficients use another space, which is fitted once as well.
    let sides = data.map_targets(|&target| target > 0.0);
    let folds = Folds::stratified(&sides, 4, 7).unwrap();
    count.store(0, Ordering::Relaxed);
    let spaces = search.spaces().clone();
    let search = GridSearch::new(spaces, [0.01, 1.0].map(|ridge| Lda::params().ridge(ridge)));
    let _: Scores<KernelizedError<Error>> = search.scores(&sides, &folds, share_right).unwrap();
    assert_eq!(count.load(Ordering::Relaxed), 4);
    assert_as_refitted!(search, sides, folds, share_right);
}
