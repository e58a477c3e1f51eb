//! Tests iterations that end early with the best result that they have.

use super::{
    onlooker::Turn,
    stages::{ITERATIONS, OTHERS, kernel, sides, unlabelled, x},
};
use npt::{
    prelude::*,
    watch::{CancellationToken, Unfinished},
};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

#[test]
fn every_iteration_ends_with_what_it_has() {
    let _turn = Turn::take();
    for work in ITERATIONS {
        let token = CancellationToken::new();
        token.finish();
        assert_eq!((work.run)(&token), Ok(()), "{}", work.stage);
        let unfinished = token.unfinished();
        let stages: Vec<_> = unfinished.iter().map(|one| one.stage).collect();
        assert!(
            stages.contains(&work.stage),
            "{}, not {stages:?}",
            work.stage
        );
        // Machines that have not begun do not know the gap of their kernels' weights.
        let is_known = |one: &Unfinished| {
            one.value.is_finite()
                || (one.stage == "weights of kernels" && one.value == f64::INFINITY)
        };
        assert!(unfinished.iter().all(is_known), "{unfinished:?}");
    }
}

/// Work that does not iterate goes on to its end.
#[test]
fn nothing_else_is_cut_short() {
    let _turn = Turn::take();
    for work in OTHERS {
        let token = CancellationToken::new();
        token.finish();
        assert_eq!((work.run)(&token), Ok(()), "{}", work.stage);
    }
    for work in ITERATIONS.iter().chain(OTHERS) {
        let token = CancellationToken::new();
        assert_eq!((work.run)(&token), Ok(()), "{}", work.stage);
        assert_eq!(token.unfinished(), [], "{}", work.stage);
    }
}

/// A machine that ends early is a model: its violation is larger, and it decides nearly as well.
#[test]
fn the_best_so_far_is_a_model() {
    let _turn = Turn::take();
    let data = sides(2000);
    let params = || KernelSvc::params(kernel()).method(|svc| svc.c(100.0));
    let whole = params().fit(&data).unwrap();
    let token = CancellationToken::new().finish_after(Duration::ZERO);
    let early = token.run(|| params().fit(&data)).unwrap();
    let violation = token.unfinished()[0].value;
    assert!(violation > 1e-3, "{violation}");
    let values = early.decision_function(&data.records).unwrap();
    assert!(values.iter().all(|value| value.is_finite()));
    assert_ne!(values, whole.decision_function(&data.records).unwrap());
}

/// A machine of a long table ends before its pairs: neither coordinate descent nor interior point steps, with which it begins, go on. The early end
/// is noted once.
#[test]
fn a_machine_of_rows_ends_before_its_pairs() {
    let _turn = Turn::take();
    let data = sides(4000);
    let params = || npt::methods::linear::Svc::params().c(100.0);
    let whole = params().fit(&data).unwrap();
    let token = CancellationToken::new();
    token.finish();
    let early = token.run(|| params().fit(&data)).unwrap();
    let unfinished = token.unfinished();
    assert_eq!(unfinished.len(), 1, "{unfinished:?}");
    assert_eq!(unfinished[0].stage, "support vectors");
    assert!(unfinished[0].iterations < 5, "{unfinished:?}");
    assert!(unfinished[0].value > 1e-3, "{unfinished:?}");
    let values = early.decision_function(&data.records);
    assert_ne!(values, whole.decision_function(&data.records));
}

/// Other starts are left out, and the inertia of the present one is reported.
#[test]
fn other_starts_are_left_out() {
    let _turn = Turn::take();
    let data = unlabelled(400);
    let token = CancellationToken::new();
    token.finish();
    let fit = || {
        npt::methods::linear::KMeans::params(8)
            .starts(20)
            .fit(&data)
    };
    let early = token.run(fit).unwrap();
    let unfinished = token.unfinished();
    let stages: Vec<_> = unfinished
        .iter()
        .map(|one| (one.stage, one.iterations))
        .collect();
    assert_eq!(stages, [("k-means", 1), ("starts of k-means", 1)]);
    for one in unfinished {
        let apart = one.value / early.inertia() - 1.0;
        assert!(apart.abs() < 1e-12, "{apart:e}");
    }
}

/// More iterations are better: after a finished round k-means has the inertia of that round, and after fewer rounds a larger one.
#[test]
fn more_iterations_are_better() {
    let _turn = Turn::take();
    let data = unlabelled(400);
    let params = || KernelKMeans::params(8, kernel()).method(|means| means.starts(1));
    let token = CancellationToken::new();
    token.finish();
    let early = token.run(|| params().fit(&data)).unwrap();
    let whole = params().fit(&data).unwrap();
    assert!(early.inner().inertia() > whole.inner().inertia());
    assert_eq!(early.inner().iterations(), 1);
    assert!(whole.inner().iterations() > 1);
}

/// A kernel that asks iterations to finish after some values.
struct Asking(CancellationToken, AtomicUsize);

impl npt::Kernel<Rows<f64>> for Asking {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        if self.1.fetch_add(1, Ordering::Relaxed) == 60_000 {
            self.0.finish();
        }
        kernel().eval(a, b)
    }
}

/// Conjugate gradients may be asked to finish on the way.
#[test]
fn asked_on_the_way() {
    let _turn = Turn::take();
    let token = CancellationToken::new();
    let asking = std::sync::Arc::new(Asking(token.clone(), AtomicUsize::new(0)));
    let ridge = npt::methods::IterativeKernelRidge::params(asking);
    let model = token
        .run(|| ridge.fit(&super::stages::values(300)))
        .unwrap();
    let unfinished = &token.unfinished()[0];
    assert_eq!(unfinished.stage, "conjugate gradients");
    let left = model.inner().relative_residual();
    assert!(
        (left - unfinished.value).abs() <= 1e-6 * left.max(1e-6),
        "{left} {unfinished:?}"
    );
    assert!(model.try_predict::<_, ndarray::Array1<f64>>(&x(5)).is_ok());
}
