//! Tests searches of any method, by coordinates.

use super::{AnyKernel, Counting, assert_same, mean_squared_error, regression, rings, spaces};
use linfa::{Dataset, DatasetBase, dataset::AsTargets};
use linfa_elasticnet::ElasticNet;
use linfa_linear::LinearRegression;
use linfa_trees::DecisionTree;
use ndarray::{Array1, Array2, Axis, array};
use npt::{
    Error::{NoVariance, SampleNotFinite, TargetCount, WeightCount},
    methods::{
        Error,
        linear::{Lda, Svc},
        model_selection::{ByCoordinates, Candidate, Folds, GridSearch, Scores, accuracy},
    },
    prelude::*,
};
use npt_testkit::data::normal;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, atomic::Ordering};

/// The held-out scores of one candidate, by fitting the adapter to each fold's training samples.
pub(super) fn refitted<M, B, L, E>(
    search: &GridSearch<M, B, ByCoordinates>,
    candidate: Candidate,
    data: &Dataset<f64, L, ndarray::Ix1>,
    folds: &Folds,
    score: impl Fn(&Array1<L>, &Array1<L>) -> f64,
) -> Vec<f64>
where
    M: Clone + Fit<Array2<f64>, Array1<L>, E>,
    M::Object: PredictInplace<Array2<f64>, Array1<L>>,
    B: Clone + SpaceBuilder<Rows<f64>>,
    B::Space: KernelSpace<Scalar = f64, Samples = Rows<f64>>,
    L: Clone + 'static,
    E: std::error::Error + From<linfa::Error> + 'static,
{
    let of = |indices: &[usize]| {
        let records = data.records().select(Axis(0), indices);
        Dataset::new(records, data.targets().select(Axis(0), indices))
    };
    let scores = (0..folds.len()).map(|fold| {
        let (training, held_out) = folds.split(fold);
        let model = search.estimator(candidate).fit(&of(&training)).unwrap();
        let held_out = of(held_out);
        score(&model.predict(held_out.records()), held_out.targets())
    });
    scores.collect()
}

/// A lasso scores as if refitted. It depends on the axes, so the axes themselves must be those of a refit.
#[test]
fn a_lasso_scores_as_if_refitted() {
    let data = regression(40);
    let lasso = |penalty| ElasticNet::<f64>::lasso().penalty(penalty).tolerance(1e-12);
    let methods = [0.01, 0.05].map(|penalty| lasso(penalty).max_iterations(100_000));
    let search = GridSearch::new(spaces(), methods).by_coordinates();
    for folds in [Folds::k(40, 5, 7), Folds::leave_one_out(40)] {
        let folds = folds.unwrap();
        let scores: Scores<KernelizedError<linfa_elasticnet::ElasticNetError>> =
            search.scores(&data, &folds, mean_squared_error).unwrap();
        for candidate in scores.candidates() {
            // A lasso on Cholesky axes is arbitrary.
            if candidate.space != 1 {
                let expected = refitted(&search, candidate, &data, &folds, mean_squared_error);
                assert_same(scores.of(candidate), &expected);
            }
        }
    }
}

#[test]
fn classifiers_score_as_if_refitted() {
    let data = rings(60);
    let folds = Folds::stratified(&data, 6, 1).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);

    let search =
        GridSearch::new(spaces(), [0.1, 10.0].map(|c| Svc::params().c(c))).by_coordinates();
    let scores: Scores<KernelizedError<Error>> = search.scores(&data, &folds, score).unwrap();
    for candidate in scores.candidates() {
        assert_same(
            scores.of(candidate),
            &refitted(&search, candidate, &data, &folds, score),
        );
    }
    let best = scores.best().unwrap();
    let largest = scores.candidates().map(|c| scores.mean(c).unwrap());
    assert_eq!(scores.mean(best).unwrap(), largest.fold(0.0, f64::max));

    let ridges = [0.01, 1.0].map(|ridge| Lda::params().ridge(ridge));
    let search = GridSearch::new(spaces(), ridges).by_coordinates();
    let scores: Scores<KernelizedError<Error>> = search.scores(&data, &folds, score).unwrap();
    for candidate in scores.candidates() {
        assert_same(
            scores.of(candidate),
            &refitted(&search, candidate, &data, &folds, score),
        );
    }
}

/// The kernel is evaluated as often for all folds and parameters as for one fit; samples may be of any type.
#[test]
fn the_kernel_is_evaluated_once() {
    let words: Vec<String> = (0..30).map(|i| format!("{:b}", 5 + 7 * i)).collect();
    let labels: Array1<usize> = words.iter().map(|word| word.len() % 3).collect();
    let data = DatasetBase::new(Items::new(words).unwrap(), labels);

    let kernel = Counting::default();
    let space = Exact::new(kernel.clone());
    space.fit_space(data.records()).unwrap();
    let once = kernel.0.swap(0, Ordering::Relaxed);

    let ridges = [0.1, 1.0, 10.0].map(|ridge| Lda::params().ridge(ridge));
    let folds = Folds::k(30, 5, 1).unwrap();
    let search = GridSearch::new([space], ridges).by_coordinates();
    let scores = search.scores(&data, &folds, |p: &Array1<usize>, t| accuracy(p, t));
    assert_eq!(scores.unwrap().failures().count(), 0);
    assert_eq!(kernel.0.load(Ordering::Relaxed), once);
}

/// The number of threads changes nothing (law 9).
#[test]
fn the_number_of_threads_changes_nothing() {
    let data = regression(50);
    let folds = Folds::k(50, 7, 3).unwrap();
    let search =
        GridSearch::new(spaces(), [ElasticNet::<f64>::ridge().penalty(0.1)]).by_coordinates();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let scores = || search.scores(&data, &folds, mean_squared_error).unwrap();
        let scores: Scores<KernelizedError<linfa_elasticnet::ElasticNetError>> =
            pool.unwrap().install(scores);
        let means = scores.candidates().map(|c| scores.mean(c).unwrap());
        means.collect::<Vec<f64>>()
    };
    for (one, three) in on(1).iter().zip(on(3)) {
        assert!((one - three).abs() <= 1e-10 * one.abs());
    }
}

/// The method gets weights, those of the training samples alone.
#[test]
fn weights_are_those_of_the_fold() {
    struct WeightedMean;
    struct Constant(f64);
    impl Fit<Array2<f64>, Array1<f64>, linfa::Error> for WeightedMean {
        type Object = Constant;

        fn fit(
            &self,
            data: &DatasetBase<Array2<f64>, Array1<f64>>,
        ) -> linfa::error::Result<Constant> {
            let weights = data.weights().unwrap().iter().map(|&w| f64::from(w));
            let sums = weights
                .zip(data.as_targets())
                .fold((0.0, 0.0), |(sum, total), (w, t)| (sum + w * t, total + w));
            Ok(Constant(sums.0 / sums.1))
        }
    }
    impl PredictInplace<Array2<f64>, Array1<f64>> for Constant {
        fn predict_inplace(&self, _: &Array2<f64>, y: &mut Array1<f64>) {
            y.fill(self.0);
        }

        fn default_target(&self, x: &Array2<f64>) -> Array1<f64> {
            Array1::zeros(x.nrows())
        }
    }

    let data = Dataset::new(normal(4, 1, 1), array![1.0, 10.0, 100.0, 1000.0])
        .with_weights(array![1.0, 2.0, 3.0, 4.0]);
    let folds = Folds::leave_one_out(4).unwrap();
    let search = GridSearch::new([Exact::new(Linear::new())], [WeightedMean]).by_coordinates();
    let scores = search
        .scores(&data, &folds, |p: &Array1<f64>, _| p[0])
        .unwrap();
    let of = scores.of(Candidate {
        space: 0,
        method: 0,
    });
    let without_second = (1.0 + 3.0 * 100.0 + 4.0 * 1000.0) / 8.0;
    assert!((of[1].as_ref().unwrap() - without_second).abs() < 1e-12);
}

/// A label that occurs in no training sample is predicted wrong, which is not an error.
#[test]
fn a_label_of_one_sample_is_predicted_wrong() {
    let mut data = rings(20).map_targets(|&outer| usize::from(outer));
    data.targets[4] = 2;
    let folds = Folds::leave_one_out(20).unwrap();
    let search = GridSearch::new([Exact::new(Gaussian::new(0.5))], [DecisionTree::params()])
        .by_coordinates();
    let scores: Scores<KernelizedError<linfa::Error>> = search
        .scores(&data, &folds, |p: &Array1<usize>, t| accuracy(p, t))
        .unwrap();
    assert_eq!(scores.failures().count(), 0);
    let outcome = &scores.of(Candidate {
        space: 0,
        method: 0,
    })[4];
    assert_eq!(outcome.as_ref().unwrap(), &0.0);
}

/// The error of one candidate is its outcome, and the search goes on with the others.
#[test]
fn a_failing_candidate_does_not_end_the_search() {
    let mut data = rings(12);
    data.targets.fill(false);
    data.targets[3] = true;
    let folds = Folds::leave_one_out(12).unwrap();
    let flat: AnyKernel = Arc::new(FnKernel::new(|_: &[f64], _: &[f64]| 1.0));
    let gaussian: AnyKernel = Arc::new(Gaussian::new(0.5));
    let search = GridSearch::new(
        [flat, gaussian].map(Exact::new),
        [Svc::params().c(-1.0), Svc::params()],
    )
    .by_coordinates();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let scores: Scores<KernelizedError<Error>> = search.scores(&data, &folds, score).unwrap();

    let all_coincide = KernelizedError::Space(NoVariance { samples: 11 });
    let of = |space, method| Candidate { space, method };
    assert_eq!(scores.mean(of(0, 1)), Err(&all_coincide));
    let refused = scores.mean(of(1, 0)).unwrap_err();
    assert!(matches!(
        refused,
        KernelizedError::Method(Error::Parameter { value: -1.0, .. })
    ));
    // Without its only member of one class, a fold has one class left.
    let failures: Vec<_> = scores.failures().filter(|f| f.0 == of(1, 1)).collect();
    let one_class = KernelizedError::Method(Error::Classes { found: 1 });
    assert_eq!(failures, [(of(1, 1), 3, &one_class)]);
    assert_eq!(scores.best(), None);

    let folds = Folds::k(12, 2, 0).unwrap();
    data.targets[4] = true;
    data.targets[5] = true;
    data.targets[6] = true;
    let scores: Scores<KernelizedError<Error>> = search.scores(&data, &folds, score).unwrap();
    assert_eq!(scores.best(), Some(of(1, 1)));
}

#[test]
fn what_concerns_all_candidates_is_an_error() {
    type Search = GridSearch<LinearRegression, Exact<Gaussian<f64>>, ByCoordinates>;
    fn error(search: &Search, data: &Dataset<f64, f64, ndarray::Ix1>, folds: usize) -> Error {
        let folds = Folds::leave_one_out(folds).unwrap();
        search.scores(data, &folds, mean_squared_error).unwrap_err()
    }
    let space = || vec![Exact::new(Gaussian::new(1.0))];
    let search = GridSearch::new(space(), [LinearRegression::new()]).by_coordinates();
    let data = regression(10);
    assert_eq!(
        error(&search, &data, 9),
        Error::FoldsOfOthers {
            expected: 10,
            found: 9
        }
    );
    assert_eq!(
        error(&GridSearch::new(space(), []).by_coordinates(), &data, 10),
        Error::NoCandidates
    );
    let no_space = GridSearch::new([], [LinearRegression::new()]).by_coordinates();
    assert_eq!(error(&no_space, &data, 10), Error::NoCandidates);

    let mut infinite = regression(10);
    infinite.records[[3, 1]] = f64::INFINITY;
    let expected = SampleNotFinite {
        row: 3,
        column: 1,
        value: f64::INFINITY,
    };
    assert_eq!(error(&search, &infinite, 10), Error::Core(expected));

    let short = Dataset::new(data.records.clone(), Array1::zeros(9));
    let expected = TargetCount {
        samples: 10,
        targets: 9,
    };
    assert_eq!(error(&search, &short, 10), Error::Core(expected));
    let weighted = data.with_weights(Array1::ones(3));
    let expected = WeightCount {
        samples: 10,
        weights: 3,
    };
    assert_eq!(error(&search, &weighted, 10), Error::Core(expected));
}

/// There is one progress event a space, with the number that is done and the total.
#[test]
fn progress_is_reported() {
    #[derive(Clone, Default)]
    struct Events(Arc<Mutex<Vec<String>>>);

    impl tracing::Subscriber for Events {
        fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
            metadata.target() == "npt::model_selection"
        }

        fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::Id {
            tracing::Id::from_u64(1)
        }

        fn record(&self, _: &tracing::Id, _: &tracing::span::Record<'_>) {}
        fn record_follows_from(&self, _: &tracing::Id, _: &tracing::Id) {}
        fn enter(&self, _: &tracing::Id) {}
        fn exit(&self, _: &tracing::Id) {}

        fn event(&self, event: &tracing::Event<'_>) {
            let mut text = String::new();
            event.record(
                &mut |field: &tracing::field::Field, value: &dyn std::fmt::Debug| {
                    write!(text, "{field}={value:?} ").unwrap();
                },
            );
            self.0.lock().unwrap().push(text);
        }
    }

    let events = Events::default();
    let search = GridSearch::new(
        [0.1, 1.0].map(|gamma| Exact::new(Gaussian::new(gamma))),
        [ElasticNet::<f64>::ridge().penalty(0.1)],
    )
    .by_coordinates();
    let folds = Folds::k(20, 4, 0).unwrap();
    tracing::subscriber::with_default(events.clone(), || {
        search.scores(&regression(20), &folds, mean_squared_error)
    })
    .unwrap();
    let seen = events.0.lock().unwrap();
    assert_eq!(seen.len(), 2);
    assert!(seen[0].contains("done=1 spaces=2 fits=4"), "{}", seen[0]);
    assert!(seen[1].contains("done=2 spaces=2 fits=8"), "{}", seen[1]);
}
