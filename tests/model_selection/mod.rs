//! Tests that cross-validation which evaluates a kernel once finds the results of refitting every fold.

mod answers;
mod choosing;
mod folds;
mod grid;
mod kernel_grid;
mod low_rank;
mod pipelines;

use linfa::Dataset;
use ndarray::{Array1, Axis};
use npt::prelude::*;
use npt_testkit::data::normal;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

type AnyKernel = Arc<dyn Kernel<Rows<f64>, Scalar = f64>>;

/// Spaces of every kind: full and cut rank, either axes, low rank, uncentred, clipped.
fn spaces() -> Vec<Exact<AnyKernel>> {
    let gaussian: AnyKernel = Arc::new(Gaussian::new(0.3));
    let quadratic: AnyKernel = Arc::new(Polynomial::new(2, 0.5, 1.0));
    let indefinite: AnyKernel = Arc::new(Sigmoid::new(0.5, -1.0));
    vec![
        Exact::new(gaussian.clone()),
        Exact::new(gaussian.clone()).axes(Axes::Cholesky),
        Exact::new(gaussian.clone()).rank(Rank::Components(3)),
        Exact::new(gaussian.clone()).rank(Rank::Variance(0.9)),
        Exact::new(gaussian).centered(false),
        Exact::new(quadratic),
        Exact::new(indefinite).indefinite(Indefinite::Clip),
    ]
}

fn regression(n: usize) -> Dataset<f64, f64, ndarray::Ix1> {
    let x = normal(n, 2, 1);
    let y = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1] * row[1]);
    Dataset::new(x, y + 0.1 * &normal(n, 1, 2).column(0))
}

fn rings(n: usize) -> Dataset<f64, bool, ndarray::Ix1> {
    let x = normal(n, 2, 3);
    let y = x.map_axis(Axis(1), |row| row[0] * row[0] + row[1] * row[1] > 1.4);
    Dataset::new(x, y)
}

/// The dataset of the given rows.
fn select<L: Clone>(
    data: &Dataset<f64, L, ndarray::Ix1>,
    rows: &[usize],
) -> Dataset<f64, L, ndarray::Ix1> {
    Dataset::new(
        data.records().select(Axis(0), rows),
        data.targets().select(Axis(0), rows),
    )
}

fn mean_squared_error(predicted: &Array1<f64>, truth: &Array1<f64>) -> f64 {
    (predicted - truth).mapv(|d| d * d).mean().unwrap()
}

fn assert_same(found: &[Result<f64, KernelizedError<impl std::fmt::Debug>>], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let found = found.as_ref().unwrap();
        let off = (found - expected).abs();
        assert!(off <= 1e-9 * expected.abs(), "{found} for {expected}");
    }
}

/// A kernel that counts its values.
#[derive(Clone, Default)]
struct Counting(Arc<AtomicUsize>);

impl Kernel<Items<String>> for Counting {
    type Scalar = f64;

    fn eval(&self, a: &String, b: &String) -> f64 {
        self.0.fetch_add(1, Ordering::Relaxed);
        let common = a.chars().filter(|c| b.contains(*c)).count();
        common as f64 * b.chars().filter(|c| a.contains(*c)).count() as f64
            + if a == b { 1.0 } else { 0.0 }
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}
