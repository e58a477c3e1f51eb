//! Tests other transformers: an embedding, and methods that take linfa's own kernel matrix.
//!
//! linfa-kernel's `KernelParams` returns no `Result`, and the methods that take its kernel take no coordinates. They
//! need no adapter: `params.transform(space.training_coordinates())` is all.

use super::{Row, Verdict, tasks::gaussian, verdict::relative_difference};
use linfa::traits::Transformer;
use linfa_hierarchical::{HierarchicalCluster, Method};
use linfa_kernel::{Kernel, KernelMethod};
use linfa_reduction::DiffusionMap;
use linfa_tsne::TSneParams;
use ndarray::{Array2, ArrayView2, Axis};
use npt::{Axes, Gaussian, Kernelized, Rows, SpaceBuilder};
use npt_testkit::{data::circles, oracles::centering};

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "TSne",
        from: "linfa-tsne",
        way: "transform",
        check: t_sne,
    },
    Row {
        name: "Kernel",
        from: "linfa-kernel",
        way: "coordinates",
        check: kernel,
    },
    Row {
        name: "HierarchicalCluster",
        from: "linfa-hierarchical",
        way: "coordinates",
        check: hierarchical,
    },
    Row {
        name: "DiffusionMap",
        from: "linfa-reduction",
        way: "coordinates",
        check: diffusion_map,
    },
];

/// Tests t-SNE: nearest neighbours stay nearest. It uses distances only, but it starts at random, and its path is long:
/// after thousands of steps rounding decides the result. So the axes are compared after the first few steps.
fn t_sne() -> Verdict {
    let (x, labels) = circles(90, 1);
    let embed = |axes, steps| -> Array2<f64> {
        let rng = super::tasks::rng(1);
        let method = TSneParams::embedding_size_with_rng(2, rng).perplexity(8.0);
        let method = method.approx_threshold(0.0).max_iter(steps);
        let embedding = Kernelized::new(method, gaussian(axes)).transform(x.clone());
        embedding.expect("an embedding")
    };
    let embedding = embed(Axes::Principal, 400);
    let kept = (0..x.nrows())
        .filter(|&i| labels[nearest(&embedding, i)] == labels[i])
        .count();
    assert!(
        kept > 85,
        "{kept} of 90 have their nearest neighbour in their own ring"
    );

    let (principal, cholesky) = (embed(Axes::Principal, 10), embed(Axes::Cholesky, 10));
    // The widths of the neighbourhoods are found to 10⁻⁵.
    let difference = relative_difference(&principal, &cholesky);
    Verdict::of(difference, 1e-3, 0.1)
}

fn nearest(x: &Array2<f64>, i: usize) -> usize {
    let squared = |j: &usize| {
        let difference = &x.row(i) - &x.row(*j);
        difference.dot(&difference)
    };
    let others = (0..x.nrows()).filter(|&j| j != i);
    others
        .min_by(|a, b| squared(a).total_cmp(&squared(b)))
        .expect("others")
}

/// Tests that linfa's linear kernel of coordinates is the centred kernel matrix that they came from.
fn kernel() -> Verdict {
    let (x, _) = circles(60, 1);
    let rows = Rows::new(x.clone()).expect("samples");
    let expected = centering::centered_gram(&Gaussian::new(1.0), &rows);
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let space = gaussian(axes).fit_space(&x).expect("a space");
        let kernel = Kernel::params().method(KernelMethod::Linear);
        let kernel = kernel.transform(space.training_coordinates());
        let matrix = kernel.dot(&Array2::eye(60).view());
        assert!(relative_difference(&matrix, &expected) < 1e-9);
        matrix
    });
    Verdict::of_values(&principal, &cholesky)
}

/// Tests hierarchical clustering. Its distance is −ln of a kernel: with linfa's Gaussian one, the squared distance of coordinates.
/// By single linkage the rings are clusters.
fn hierarchical() -> Verdict {
    let (x, labels) = circles(240, 1);
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let space = gaussian(axes).fit_space(&x).expect("a space");
        let kernel = gaussian_kernel(space.training_coordinates());
        let method = HierarchicalCluster::default().with_method(Method::Single);
        let clusters = method.num_clusters(2).transform(kernel).expect("clusters");
        // Which cluster has the number 0 is chance.
        let first = clusters.targets()[0];
        clusters
            .targets()
            .iter()
            .map(|&c| c == first)
            .collect::<Vec<_>>()
    });
    assert_eq!(principal, cholesky);
    assert!(
        principal
            .iter()
            .zip(&labels)
            .all(|(&first, &ring)| first == (ring == labels[0]))
    );
    Verdict::Exact
}

/// Tests diffusion maps: of a few samples, whose kernel linfa decomposes directly, and of more, by an iteration from a random
/// start.
fn diffusion_map() -> Verdict {
    let (x, _) = circles(20, 1);
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let space = gaussian(axes).fit_space(&x).expect("a space");
        let kernel = gaussian_kernel(space.training_coordinates());
        let map = DiffusionMap::<f64>::params(4)
            .transform(&kernel)
            .expect("a map");
        assert_eq!(map.embedding().dim(), (20, 4));
        map.eigvals().to_owned().insert_axis(Axis(1))
    });
    Verdict::of_values(&principal, &cholesky)
}

fn gaussian_kernel(coordinates: ArrayView2<'_, f64>) -> Kernel<f64> {
    let params = Kernel::params().method(KernelMethod::Gaussian(1.0));
    params.transform(coordinates)
}
