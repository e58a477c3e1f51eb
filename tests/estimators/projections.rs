//! Tests random projections. They keep distances roughly, whatever the axes, but a draw of the generator
//! is a direction relative to the given axes.
//!
//! linfa 0.8.1 scales its random matrices by the number of features, not of dimensions: from r
//! coordinates to m, squared distances grow m/r times (Gaussian) or m·√r times (sparse).

use super::{
    Row, Verdict,
    tasks::{gaussian, rings, rng},
};
use linfa::{DatasetBase, traits::Transformer};
use linfa_reduction::random_projection::{GaussianRandomProjection, SparseRandomProjection};
use ndarray::{Array1, Array2};
use npt::{Axes, KernelSpace, Kernelized, LinearMethod};

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "GaussianRandomProjection",
        from: "linfa-reduction",
        way: "fit",
        check: || {
            verdict(
                || GaussianRandomProjection::<f64>::params_with_rng(rng(1)).target_dim(DIMENSIONS),
                |r| 1.0 / r,
            )
        },
    },
    Row {
        name: "SparseRandomProjection",
        from: "linfa-reduction",
        way: "fit",
        check: || {
            verdict(
                || SparseRandomProjection::<f64>::params_with_rng(rng(1)).target_dim(DIMENSIONS),
                f64::sqrt,
            )
        },
    },
];

const DIMENSIONS: usize = 40;

/// Tests that each dimension multiplies squared distances in r coordinates by `growth(r)`, on average.
fn verdict<M, E>(method: impl Fn() -> M, growth: fn(f64) -> f64) -> Verdict
where
    M: LinearMethod<f64, Array1<()>, E>,
    M::Object: Transformer<Array2<f64>, Array2<f64>>,
    E: std::error::Error + From<linfa::Error> + 'static,
{
    let task = rings();
    let samples = DatasetBase::from(task.train.records().clone());
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let estimator = Kernelized::new(method(), gaussian(axes));
        let model = estimator.fit(&samples).expect("a projection");
        let x = task.new.records();
        let projected: Array2<f64> = model.transform(x.clone());
        assert_eq!(projected.dim(), (80, DIMENSIONS));

        let distances = squared_distances(&projected);
        let coordinates = model.space().coordinates(x).expect("coordinates");
        let expected = DIMENSIONS as f64 * growth(model.space().rank() as f64);
        let ratio = distances.sum() / squared_distances(&coordinates).sum() / expected;
        assert!(
            (0.6..1.6).contains(&ratio),
            "distances are multiplied by {ratio}"
        );
        distances
    });
    Verdict::of_values(&principal, &cholesky)
}

fn squared_distances(x: &Array2<f64>) -> Array2<f64> {
    Array2::from_shape_fn((x.nrows(), x.nrows()), |(i, j)| {
        let difference = &x.row(i) - &x.row(j);
        difference.dot(&difference)
    })
}
