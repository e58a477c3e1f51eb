//! Models of every kernel that are saved, with samples of the kernel's own type.

use super::support::{Visitor, numbers, x, x_new};
use ndarray::{Array2, array};
use npt::prelude::*;
use petgraph::graph::UnGraph;
use serde::{Serialize, de::DeserializeOwned};
use std::collections::BTreeSet;

pub(crate) fn each(visitor: &mut impl Visitor) {
    of_vectors(visitor);
    of_histograms(visitor);
    composed(visitor);
    of_other_samples(visitor);
}

/// Shows a visitor the space of a kernel.
fn kernel<S, K>(visitor: &mut impl Visitor, name: &str, kernel: &K, samples: &S, new: &S)
where
    S: Samples + Serialize + DeserializeOwned,
    K: Kernel<S, Scalar = f64> + Clone + Serialize + DeserializeOwned,
{
    visitor.model(
        name,
        || {
            let builder = Exact::new(kernel.clone()).indefinite(Indefinite::Clip);
            builder.fit_space(samples).unwrap().into_parts().0
        },
        |space| Ok(numbers(space.coordinates(new)?)),
    );
}

fn rows(matrix: Array2<f64>) -> Rows<f64> {
    Rows::new(matrix).unwrap()
}

fn of_vectors(visitor: &mut impl Visitor) {
    let (x, new) = (rows(x()), rows(x_new()));
    macro_rules! each {
        ($($name:literal $kernel:expr;)+) => {
            $(kernel(visitor, concat!("kernel_", $name), &$kernel, &x, &new);)+
        };
    }
    each! {
        "linear" Linear::new();
        "polynomial" Polynomial::new(2, 0.5, 1.0);
        "sigmoid" Sigmoid::new(0.1, 0.5);
        "cosine" Cosine::new();
        "tanimoto" Tanimoto::new();
        "gaussian" Gaussian::new(0.3);
        "laplacian" Laplacian::new(0.3);
        "exponential" Exponential::new(0.3);
        "matern" Matern::three_halves(0.8);
        "rational_quadratic" RationalQuadratic::new(0.8, 1.5);
        "periodic" Periodic::new(0.8, 1.5);
        "length_scales" LengthScales::new(Gaussian::new(0.3), vec![1.0, 2.0, 0.5]);
        "anova" Anova::new(0.3, 2);
        "simple_matching" SimpleMatching::new();
        "gower" Gower::new(vec![8.0, 8.0, 8.0]);
    }
}

fn of_histograms(visitor: &mut impl Visitor) {
    let (x, new) = (rows(x().mapv(f64::abs)), rows(x_new().mapv(f64::abs)));
    kernel(
        visitor,
        "kernel_chi_squared",
        &ChiSquared::new(0.5),
        &x,
        &new,
    );
    kernel(
        visitor,
        "kernel_additive_chi_squared",
        &AdditiveChiSquared::new(),
        &x,
        &new,
    );
    kernel(
        visitor,
        "kernel_histogram_intersection",
        &HistogramIntersection::new(),
        &x,
        &new,
    );
    kernel(visitor, "kernel_min_max", &MinMax::new(), &x, &new);
    kernel(visitor, "kernel_spline", &Spline::new(), &x, &new);
}

fn composed(visitor: &mut impl Visitor) {
    let (x, new) = (rows(x()), rows(x_new()));
    let gaussian = Gaussian::new(0.3);
    kernel(visitor, "kernel_sum", &(gaussian + Linear::new()), &x, &new);
    kernel(
        visitor,
        "kernel_product",
        &(gaussian * Linear::new()),
        &x,
        &new,
    );
    kernel(visitor, "kernel_scaled", &gaussian.scaled(2.0), &x, &new);
    kernel(
        visitor,
        "kernel_normalized",
        &Normalized::new(Polynomial::new(2, 1.0, 1.0)),
        &x,
        &new,
    );
    kernel(
        visitor,
        "kernel_columns",
        &Columns::new(gaussian, 0..2),
        &x,
        &new,
    );
    let weighted = WeightedSum::new(vec![gaussian, Gaussian::new(1.0)], array![0.3, 0.7]).unwrap();
    kernel(visitor, "kernel_weighted_sum", &weighted, &x, &new);
    let centered = Centered::fit(gaussian, &x).unwrap();
    kernel(visitor, "kernel_centered", &centered, &x, &new);
}

fn of_other_samples(visitor: &mut impl Visitor) {
    let words =
        |words: &[&str]| Items::new(words.iter().map(|w| (*w).to_owned()).collect()).unwrap();
    let (x, new) = (
        words(&["kernel", "colonel", "corn", "acorn", "nut"]),
        words(&["journal", "corner"]),
    );
    kernel(visitor, "kernel_spectrum", &Spectrum::new(2), &x, &new);
    kernel(
        visitor,
        "kernel_mismatch",
        &Mismatch::new(2, 1, "acejklnortuy"),
        &x,
        &new,
    );
    kernel(
        visitor,
        "kernel_subsequence",
        &Subsequence::new(2, 0.5),
        &x,
        &new,
    );
    let sets = |sets: &[&[u32]]| {
        Items::new(
            sets.iter()
                .map(|set| set.iter().copied().collect::<BTreeSet<u32>>())
                .collect::<Vec<_>>(),
        )
        .unwrap()
    };
    let (x, new) = (
        sets(&[&[1, 2], &[2, 3, 5], &[], &[7]]),
        sets(&[&[2, 5], &[9]]),
    );
    kernel(visitor, "kernel_jaccard", &Jaccard::new(), &x, &new);
    let pairs = |pairs: &[(&str, &[u32])]| {
        let owned = pairs
            .iter()
            .map(|&(text, set)| (text.to_owned(), set.iter().copied().collect()));
        Items::new(owned.collect::<Vec<(String, BTreeSet<u32>)>>()).unwrap()
    };
    kernel(
        visitor,
        "kernel_tensor",
        &npt::Tensor::new(Spectrum::new(2), Jaccard::new()),
        &pairs(&[("abab", &[1, 2]), ("babc", &[2, 3]), ("abc", &[1])]),
        &pairs(&[("abba", &[1, 3])]),
    );
    let ring = |labels: &[u8]| {
        let mut graph = UnGraph::<u8, ()>::new_undirected();
        let nodes: Vec<_> = labels.iter().map(|&label| graph.add_node(label)).collect();
        for (place, &node) in nodes.iter().enumerate() {
            graph.add_edge(node, nodes[(place + 1) % nodes.len()], ());
        }
        graph
    };
    let x = Items::new(vec![
        ring(&[1, 2, 3]),
        ring(&[1, 1, 2, 2]),
        ring(&[3, 3, 3, 3, 3]),
    ])
    .unwrap();
    let new = Items::new(vec![ring(&[1, 2, 2, 3])]).unwrap();
    kernel(
        visitor,
        "kernel_weisfeiler_lehman",
        &WeisfeilerLehman::new(2),
        &x,
        &new,
    );
    let sparse = |dense: Array2<f64>| {
        let dense = dense.mapv(|v| if v > 0.3 { v } else { 0.0 });
        SparseRows::new(&sprs::CsMat::csr_from_dense(dense.view(), 0.0)).unwrap()
    };
    kernel(
        visitor,
        "kernel_sparse",
        &Sparse::new(Linear::new()),
        &sparse(super::support::x()),
        &sparse(x_new()),
    );
    let (all, cross) = (super::support::x(), x_new());
    let matrix = KernelRows::training(all.dot(&all.t()).view()).unwrap();
    let rows = KernelRows::new_samples(cross.dot(&all.t()).view()).unwrap();
    kernel(
        visitor,
        "kernel_precomputed",
        &Precomputed::new(),
        &matrix,
        &rows,
    );
}
