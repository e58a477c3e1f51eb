//! Tests clusterings by density, which linfa has as transformers: no `fit`, no new samples.
//!
//! The Gaussian kernel's distance in feature space, √(2 − 2·exp(−γd²)), grows with the distance d of
//! the samples. So with the tolerance transformed the clusters in feature space are those in the
//! plane: an oracle without a kernel.

use super::{Row, Verdict, tasks::gaussian, verdict::relative_difference};
use linfa::traits::Transformer;
use linfa_clustering::{AppxDbscan, Dbscan, DbscanParamsError, Optics, OpticsAnalysis};
use ndarray::{Array1, Array2, Axis};
use npt::{Axes, Kernelized};
use npt_testkit::data::circles;
use std::collections::BTreeSet;

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "Dbscan",
        from: "linfa-clustering",
        way: "transform",
        check: || dbscan(|tolerance| Dbscan::params(3).tolerance(tolerance)),
    },
    Row {
        name: "Optics",
        from: "linfa-clustering",
        way: "transform",
        check: optics,
    },
    Row {
        name: "AppxDbscan",
        from: "linfa-clustering",
        way: "transform",
        // This is another name for the exact method in linfa 0.8.1.
        check: || dbscan(|tolerance| AppxDbscan::params(3).tolerance(tolerance)),
    },
];

const TOLERANCE: f64 = 0.9;

/// The distance in feature space of samples at this distance, for γ = 1.
fn feature_distance(distance: f64) -> f64 {
    (2.0 - 2.0 * (-distance * distance).exp()).sqrt()
}

fn rings() -> (Array2<f64>, Array1<usize>) {
    circles(240, 1)
}

/// Asserts that each cluster lies in one ring, each ring in one cluster, and next to nothing is noise.
fn assert_rings(clusters: &Array1<Option<usize>>, labels: &Array1<usize>) {
    let pairs: BTreeSet<_> = clusters
        .iter()
        .zip(labels)
        .filter(|(c, _)| c.is_some())
        .collect();
    assert_eq!(pairs.len(), 2, "pairs of cluster and ring: {pairs:?}");
    assert!(clusters.iter().flatten().count() > 230);
}

fn dbscan<M>(method: fn(f64) -> M) -> Verdict
where
    M: for<'x> Transformer<&'x Array2<f64>, Result<Array1<Option<usize>>, DbscanParamsError>>,
{
    let (x, labels) = rings();
    let plane = method(TOLERANCE).transform(&x);
    let plane = plane.expect("the linear method");
    assert_rings(&plane, &labels);
    for axes in [Axes::Principal, Axes::Cholesky] {
        let method = method(feature_distance(TOLERANCE));
        let clusters = Kernelized::new(method, gaussian(axes)).transform(&x);
        assert_eq!(clusters.expect("the kernelized method"), plane);
    }
    Verdict::Exact
}

fn optics() -> Verdict {
    let (x, _) = rings();
    let plane = Optics::params(3).tolerance(TOLERANCE).transform(x.view());
    let plane = plane.expect("the linear method");
    let expected = reachabilities(&plane).mapv(feature_distance);
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let method = Optics::params(3).tolerance(feature_distance(TOLERANCE));
        let analysis = Kernelized::new(method, gaussian(axes)).transform(x.view());
        let found = reachabilities(&analysis.expect("the kernelized method"));
        assert!(relative_difference(&found, &expected) < 1e-6);
        found
    });
    Verdict::of_values(&principal, &cholesky)
}

/// The distance at which each sample is reached, in the order of the samples; 0 for the samples that OPTICS starts from.
fn reachabilities(analysis: &OpticsAnalysis<f64>) -> Array2<f64> {
    let mut reached = Array1::zeros(analysis.as_slice().len());
    for sample in analysis.iter() {
        reached[sample.index()] = sample.reachability_distance().unwrap_or(0.0);
    }
    reached.insert_axis(Axis(1))
}
