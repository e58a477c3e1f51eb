//! Sample weights: what takes them gives them their meaning, all else refuses them.

use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array, Array1, Array2, Axis, RemoveAxis, array};
use npt::{
    KernelizedError,
    methods::{
        Alignment, Error, GaussianProcess, IterativeKernelRidge, KernelCalibratedSvc, KernelIca,
        KernelKMeans, KernelLogistic, KernelMulticlassSvc, KernelNuSvc, KernelOneClassSvm,
        KernelPls, KernelRegressionDiscriminant, NoveltyDetector,
        linear::{
            CalibratedSvc, Cca, FastIca, IterativeRidge, KMeans, Lda, Logistic, MulticlassSvc,
            NuSvc, OneClassSvm, Pca, PcaL1, Pls, RegressionDiscriminant, Ridge, RidgePath,
            Strategy, Svc, Svr,
        },
        model_selection::{Candidate, Folds, GridSearch, Scores, accuracy},
    },
    prelude::*,
};
use npt_testkit::data;

type Weighted<L, I = ndarray::Ix1> = DatasetBase<Array2<f64>, Array<L, I>>;

/// Targets of samples with weights of 0 to 3, whatever the targets are.
fn weighted<L: Clone>(target: impl Fn(&[f64]) -> L) -> Weighted<L> {
    let x = data::normal(60, 2, 3);
    let targets = x.outer_iter().map(|row| target(&row.to_vec())).collect();
    let weights = (0_u8..60).map(|i| f32::from(i % 4)).collect();
    DatasetBase::new(x, targets).with_weights(weights)
}

/// Each sample as many times as it weighs, without weights.
fn repeated<L: Clone, I: RemoveAxis>(data: &Weighted<L, I>) -> Weighted<L, I> {
    let times = |&(i, k): &(usize, u8)| data.weights[i] > f32::from(k);
    let all = (0..data.weights.len()).flat_map(|i| (0..3).map(move |k| (i, k)));
    let rows: Vec<usize> = all.filter(times).map(|(i, _)| i).collect();
    let targets = data.targets.select(Axis(0), &rows);
    DatasetBase::new(data.records.select(Axis(0), &rows), targets)
}

fn side(row: &[f64]) -> bool {
    (2.0 * row[0]).sin() + row[1] > 0.3 * (9.0 * row[1]).sin()
}

fn class(row: &[f64]) -> usize {
    usize::from(row[0] > 0.5) + usize::from(side(row))
}

fn number(row: &[f64]) -> f64 {
    row[0].sin() + row[1]
}

fn same(a: &Array2<f64>, b: &Array2<f64>) {
    let off = (a - b).fold(0.0, |m: f64, v| m.max(v.abs()));
    let size = b.fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(size > 0.1 && off < 1e-6 * size, "{off:e} of {size:e}");
}

/// Coordinates and kernel values, whose samples of weight 0 are landmarks nevertheless.
#[test]
fn a_weight_is_so_many_samples() {
    let new = data::normal(20, 2, 4);
    let sides = weighted(side);
    let values = |svc: &Svc<f64>| svc.decision_function(&new).insert_axis(Axis(1));
    let params = Svc::<f64>::params().class_c(0.7, 2.0).tolerance(1e-9);
    let expected = params.fit(&repeated(&sides)).unwrap();
    let found = params.fit(&sides).unwrap();
    same(&values(&found), &values(&expected));
    let alphas = found.dual();
    let mut alphas = alphas.iter().zip(&sides.weights);
    assert!(alphas.clone().all(|(a, &w)| a.abs() <= 2.0 * f64::from(w)));
    assert!(alphas.any(|(a, &w)| a.abs() > 2.0 && w == 3.0));

    let params = KernelSvc::params(Gaussian::new(0.5)).method(|m| m.c(3.0).tolerance(1e-9));
    let expected = params.fit(&repeated(&sides)).unwrap();
    let found = params.fit(&sides).unwrap();
    let values: [Array1<f64>; 2] = [found, expected].map(|model| model.transform(new.clone()));
    let [found, expected] = values.map(|values| values.insert_axis(Axis(1)));
    same(&found, &expected);

    let classes = weighted(class);
    for strategy in [Strategy::OneAgainstOne, Strategy::OneAgainstRest] {
        let params = MulticlassSvc::<f64, usize>::params().strategy(strategy);
        let params = params.c(2.0).tolerance(1e-9);
        let expected = params.fit(&repeated(&classes)).unwrap();
        let found = params.fit(&classes).unwrap();
        same(
            &found.decision_function(&new),
            &expected.decision_function(&new),
        );

        let params = KernelMulticlassSvc::params(Gaussian::new(0.5));
        let params = params.method(|m| m.strategy(strategy).c(2.0).tolerance(1e-9));
        let expected = params.fit(&repeated(&classes)).unwrap();
        let found = params.fit(&classes).unwrap();
        same(
            &found.transform(new.clone()),
            &expected.transform(new.clone()),
        );
    }
}

/// Of fewer columns than samples and of more, with and without an intercept, far from the origin.
#[test]
fn of_squares() {
    let few = weighted(number);
    let many = DatasetBase::new(data::normal(60, 90, 1), few.targets.clone());
    let many = many.with_weights(few.weights.clone());
    let mut far = few.clone();
    (far.records, far.targets) = (far.records + 1e3, far.targets - 1e3);
    for data in [few, many, far] {
        let new = data.records.slice(ndarray::s![..20, ..]).to_owned();
        let values = |model: &Ridge<f64>| {
            let found: Array1<f64> = model.predict(&new);
            (&found - data.targets.mean().unwrap()).insert_axis(Axis(1))
        };
        for intercept in [true, false] {
            let params = Ridge::<f64>::params().penalty(0.3).intercept(intercept);
            let expected = params.fit(&repeated(&data)).unwrap();
            let found = params.fit(&data).unwrap();
            same(&values(&found), &values(&expected));
        }
    }
    let data = weighted(number);
    let new = data::normal(20, 2, 4);
    let params = KernelRidge::params(Gaussian::new(0.5)).method(|m| m.penalty(0.1));
    let [found, expected]: [Array1<f64>; 2] =
        [&data, &repeated(&data)].map(|data| params.fit(data).unwrap().predict(&new));
    same(&found.insert_axis(Axis(1)), &expected.insert_axis(Axis(1)));
}

#[test]
fn of_logarithms() {
    let new = data::normal(20, 2, 4);
    let two = weighted(|row| usize::from(side(row)));
    for data in [two, weighted(class)] {
        let params = Logistic::<f64, usize>::params().penalty(0.2);
        let [found, expected] = [&data, &repeated(&data)].map(|data| params.fit(data).unwrap());
        same(&found.probabilities(&new), &expected.probabilities(&new));

        let params = KernelLogistic::params(Gaussian::new(0.5)).method(|m| m.penalty(0.2));
        let [found, expected] =
            [&data, &repeated(&data)].map(|data| params.fit(data).unwrap().transform(new.clone()));
        same(&found, &expected);
    }
}

/// What weighs nothing may be anywhere, and weights may be in any layout.
#[test]
fn far_samples_without_weight() {
    let data = weighted(side);
    let mut far = data.clone();
    far.weights =
        Array1::from_iter(data.weights.iter().rev().copied()).slice_move(ndarray::s![..;-1]);
    for (mut row, &weight) in far.records.outer_iter_mut().zip(&data.weights) {
        if weight == 0.0 {
            row.fill(1e200);
        }
    }
    let params = Svc::<f64>::params().tolerance(1e-9);
    assert_eq!(params.fit(&far).unwrap(), params.fit(&data).unwrap());
    let numbers = |data: &Weighted<bool>| data.clone().map_targets(|&s| f64::from(u8::from(s)));
    let ridge = |data| Ridge::<f64>::params().fit(&numbers(data)).unwrap();
    assert_eq!(ridge(&far), ridge(&data));
    let refused = Lda::<f64, bool>::params().fit(&far);
    assert!(matches!(refused, Err(Error::Weights { .. })));
}

/// A class that weighs nothing is not there.
#[test]
fn a_class_without_weight() {
    let data = weighted(class);
    let weights = data.targets.mapv(|class| f32::from(u8::from(class != 1)));
    let data = DatasetBase::new(data.records, data.targets).with_weights(weights);
    let svc = MulticlassSvc::<f64, usize>::params().fit(&data).unwrap();
    assert_eq!(svc.classes(), [0, 2]);
    let logistic = Logistic::<f64, usize>::params().fit(&data).unwrap();
    assert_eq!(logistic.classes(), [0, 2]);
}

/// The folds of a search have the weights of their samples.
#[test]
fn of_a_search() {
    let data = weighted(side);
    let folds = Folds::k(60, 4, 1).unwrap();
    let svc = |c| Svc::<f64>::params().c(c).tolerance(1e-9);
    let builder = Exact::new(Gaussian::new(0.5));
    let search = GridSearch::new([builder.clone()], [svc(0.5), svc(5.0)]);
    let score = |p: &Array1<bool>, truth: &Array1<bool>| accuracy(p, truth);
    let by_coordinates = search.scores(&data, &folds, score).unwrap();
    let by_kernel = search.kernel_scores(&data, &folds, score).unwrap();
    let unweighted = DatasetBase::new(data.records.clone(), data.targets.clone());
    let without = search.kernel_scores(&unweighted, &folds, score).unwrap();
    let of = |scores: &Scores<Error>, method| {
        let candidate = Candidate { space: 0, method };
        let scores = scores.of(candidate).iter();
        scores.map(|s| *s.as_ref().unwrap()).collect::<Vec<f64>>()
    };
    for method in 0..2 {
        assert_eq!(of(&by_coordinates, method), of(&by_kernel, method));
    }
    assert!((0..2).any(|method| of(&by_kernel, method) != of(&without, method)));
}

#[test]
fn weights_that_are_none() {
    let data = weighted(side);
    let fit = |row: usize, value: f32| {
        let mut data = data.clone();
        data.weights[row] = value;
        Svc::<f64>::params().fit(&data).map(|_| ())
    };
    assert_eq!(fit(7, 1e-30), Ok(()));
    for value in [-1.0, f32::INFINITY] {
        let (row, value) = (7, f64::from(value));
        assert_eq!(fit(7, value as f32), Err(Error::Weight { row, value }));
    }
    let nan = fit(7, f32::NAN);
    assert!(matches!(nan, Err(Error::Weight { row: 7, .. })), "{nan:?}");

    let of_side = |kept: Option<bool>| {
        let weigh = |&side: &bool| f32::from(u8::from(Some(side) == kept));
        let weights = data.targets.iter().map(weigh).collect();
        let data = DatasetBase::new(data.records.clone(), data.targets.clone());
        data.with_weights(weights)
    };
    for (kept, found) in [(None, 0), (Some(true), 1), (Some(false), 1)] {
        let data = of_side(kept);
        let error = match found {
            0 => Error::TooFewSamples { found, needed: 1 },
            _ => Error::Classes { found },
        };
        let two = Svc::<f64>::params().fit(&data);
        assert_eq!(two.map(|_| ()), Err(error.clone()));
        let many = MulticlassSvc::<f64, bool>::params().fit(&data);
        assert_eq!(many.map(|_| ()), Err(error.clone()));
        let logistic = Logistic::<f64, bool>::params().fit(&data);
        assert_eq!(logistic.map(|_| ()), Err(error));
    }
    let mut short = data.clone();
    short.weights = array![1.0, 2.0];
    let (samples, weights) = (60, 2);
    let count = npt::Error::WeightCount { samples, weights };
    let found = Svc::<f64>::params().fit(&short);
    assert_eq!(found.map(|_| ()), Err(count.into()));
}

/// Every other method, on coordinates and by itself.
#[test]
fn what_takes_no_weights_refuses_them() {
    fn refused<M>(result: Result<M, Error>) {
        let error = result.err().expect("weights must not be ignored");
        assert!(matches!(error, Error::Weights { .. }), "{error}");
    }
    fn of_kernel<M>(result: Result<M, KernelizedError<Error>>) {
        let error = result.err().expect("weights must not be ignored");
        assert!(
            matches!(error, KernelizedError::Method(Error::Weights { .. })),
            "{error}"
        );
    }
    let (sides, classes, numbers) = (weighted(side), weighted(class), weighted(number));
    let kernel = || Gaussian::new(0.5);

    refused(Pca::<f64>::params(1).fit(&numbers));
    refused(PcaL1::<f64>::params(1).fit(&numbers));
    refused(FastIca::<f64>::params().fit(&numbers));
    refused(KMeans::<f64>::params(2).fit(&numbers));
    refused(RidgePath::<f64>::params(&[0.1, 1.0]).fit(&numbers));
    refused(IterativeRidge::<f64>::params().fit(&numbers));
    refused(Svr::<f64>::params().fit(&numbers));
    refused(Pls::<f64>::params(1).fit(&numbers));
    refused(OneClassSvm::<f64>::params(0.5).fit(&numbers));
    refused(RegressionDiscriminant::<f64>::params(1).fit(&numbers));
    refused(Lda::<f64, usize>::params().fit(&classes));
    refused(CalibratedSvc::<f64, usize>::params().fit(&classes));
    refused(NuSvc::params(0.3).fit(&sides));
    let views = numbers.targets.clone().insert_axis(Axis(1));
    let views = DatasetBase::new(numbers.records.clone(), views);
    refused(Cca::<f64>::params(1).fit(&views.with_weights(Array1::ones(60))));

    of_kernel(Kpca::params(1, kernel()).fit(&numbers));
    of_kernel(KpcaL1::params(1, kernel()).fit(&numbers));
    of_kernel(KernelIca::params(1, kernel()).fit(&numbers));
    of_kernel(KernelKMeans::params(2, kernel()).fit(&numbers));
    of_kernel(IterativeKernelRidge::params(kernel()).fit(&numbers));
    of_kernel(KernelSvr::params(kernel()).fit(&numbers));
    of_kernel(KernelPls::params(1, kernel()).fit(&numbers));
    of_kernel(KernelOneClassSvm::params(0.5, kernel()).fit(&numbers));
    of_kernel(KernelRegressionDiscriminant::params(1, kernel()).fit(&numbers));
    of_kernel(GaussianProcess::params(kernel()).fit(&numbers));
    of_kernel(NoveltyDetector::params(kernel()).fit(&numbers));
    of_kernel(Kfd::params(kernel()).fit(&classes));
    of_kernel(KernelCalibratedSvc::params(kernel()).fit(&classes));
    of_kernel(KernelNuSvc::params(0.3, kernel()).fit(&sides));

    let kernels = || vec![kernel(), Gaussian::new(2.0)];
    refused(Alignment::joint(kernels()).fit_values(&numbers));
    refused(Alignment::independent(kernels()).fit_classes(&classes));
}
