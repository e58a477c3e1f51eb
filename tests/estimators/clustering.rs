//! Tests clusterings with a `fit`.

use super::{
    Row, Verdict,
    tasks::{disc_in_ring, gaussian, quadratic, rng},
    verdict::share,
};
use linfa::{DatasetBase, traits::PredictInplace};
use linfa_clustering::{GaussianMixtureModel, KMeans};
use ndarray::{Array1, Array2};
use npt::{Axes, Exact, Kernel, Kernelized, LinearMethod, Rows};

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "KMeans",
        from: "linfa-clustering",
        way: "fit",
        check: || verdict(&KMeans::params_with_rng(2, rng(1)), gaussian, 0.85),
    },
    Row {
        name: "GaussianMixtureModel",
        from: "linfa-clustering",
        way: "fit",
        // The covariances are full, the only kind in linfa 0.8.1. They have as many entries as pairs
        // of coordinates, so the mixture needs few coordinates.
        check: || {
            let mixture = GaussianMixtureModel::params_with_rng(2, rng(1)).n_runs(5);
            verdict(&mixture, quadratic, 1.0)
        },
    },
];

/// Tests that the disc and the ring around it are found as clusters, also on new samples. Without a kernel the
/// agreement is at most `linear`.
fn verdict<M, E, K>(method: &M, space: fn(Axes) -> Exact<K>, linear: f64) -> Verdict
where
    M: LinearMethod<f64, Array1<()>, E> + Clone,
    M::Object: PredictInplace<Array2<f64>, Array1<usize>>,
    E: std::error::Error + From<linfa::Error> + 'static,
    K: Kernel<Rows<f64>, Scalar = f64>,
{
    let task = disc_in_ring();
    let samples = DatasetBase::from(task.train.records().clone());
    // Which cluster has the number 0 is chance.
    let agreement = |clusters: &Array1<usize>| {
        let agreement = share(clusters, task.new.targets());
        agreement.max(1.0 - agreement)
    };
    let plain = method.fit(&samples).expect("the linear method");
    let mut clusters = plain.default_target(task.new.records());
    plain.predict_inplace(task.new.records(), &mut clusters);
    assert!(
        agreement(&clusters) <= linear,
        "linear: {}",
        agreement(&clusters)
    );

    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let estimator = Kernelized::new(method.clone(), space(axes));
        let model = estimator.fit(&samples).expect("the kernelized method");
        let clusters = model.predict(task.new.records());
        assert!(agreement(&clusters) > 0.97, "{}", agreement(&clusters));
        model.predict(&task.probe)
    });
    // The generator is the same, so the numbers of the clusters are the same, too.
    Verdict::of_classes(&principal, &cholesky)
}
