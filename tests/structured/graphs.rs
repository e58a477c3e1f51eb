use linfa::DatasetBase;
use linfa_clustering::KMeans;
use ndarray::{Array1, Array2};
use npt::{Error, WeisfeilerLehman, prelude::*};
use npt_testkit::laws;
use petgraph::graph::{NodeIndex, UnGraph};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;
use std::collections::BTreeMap;

type Molecule = UnGraph<char, ()>;

/// Random graphs of 0 to 8 nodes with three labels; most of them are disconnected.
fn molecules(count: usize, seed: u64) -> Items<Molecule> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let graphs = (0..count).map(|_| {
        let mut graph = Molecule::default();
        for _ in 0..rng.gen_range(0..9) {
            graph.add_node(['C', 'N', 'O'][rng.gen_range(0..3)]);
        }
        for _ in 0..graph.node_count() {
            let [a, b] = [(); 2].map(|()| NodeIndex::new(rng.gen_range(0..graph.node_count())));
            if a != b {
                graph.add_edge(a, b, ());
            }
        }
        graph
    });
    Items::new(graphs.collect()).unwrap()
}

#[test]
fn laws_hold() {
    let (x, x_new) = (molecules(25, 1), molecules(7, 2));
    let empty = x.as_slice().iter().filter(|g| g.node_count() == 0);
    assert!(empty.count() > 0, "the empty graph is there");
    for iterations in [0, 1, 3] {
        laws::check_all(&WeisfeilerLehman::new(iterations), &x, &x_new);
    }
}

/// The neighbourhood of a node, unfolded to a tree and written as text.
fn by_coordinates(graph: &Molecule, node: NodeIndex, depth: usize) -> String {
    if depth == 0 {
        return graph[node].to_string();
    }
    let neighbours = graph.neighbors(node);
    let mut branches: Vec<_> = neighbours
        .map(|n| by_coordinates(graph, n, depth - 1))
        .collect();
    branches.sort();
    format!(
        "{}({})",
        by_coordinates(graph, node, depth - 1),
        branches.join(",")
    )
}

#[test]
fn values_count_equal_neighbourhoods() {
    let (x, iterations) = (molecules(20, 5), 3);
    let counts: Vec<BTreeMap<(usize, String), f64>> = (0..x.len())
        .map(|i| {
            let (graph, mut counts) = (x.get(i), BTreeMap::new());
            for depth in 0..=iterations {
                for node in graph.node_indices() {
                    let view = (depth, by_coordinates(graph, node, depth));
                    *counts.entry(view).or_insert(0.0) += 1.0;
                }
            }
            counts
        })
        .collect();
    let expected = Array2::from_shape_fn((x.len(), x.len()), |(i, j)| {
        let shared = counts[i].iter();
        shared
            .map(|(view, count)| count * counts[j].get(view).unwrap_or(&0.0))
            .sum()
    });
    assert_eq!(WeisfeilerLehman::new(iterations).gram(&x), expected);
}

#[test]
fn numbering_of_nodes_does_not_matter() {
    let path = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3)]);
    let renumbered = UnGraph::<(), ()>::from_edges([(2, 0), (0, 3), (3, 1)]);
    let star = UnGraph::<(), ()>::from_edges([(0, 1), (0, 2), (0, 3)]);
    let kernel = WeisfeilerLehman::new(2);
    assert_eq!(kernel.eval(&path, &path), kernel.eval(&path, &renumbered));
    assert!(kernel.eval(&path, &star) < kernel.eval(&path, &path));
}

#[test]
fn empty_graphs_are_the_origin() {
    let graphs = vec![Molecule::default(), Molecule::default()];
    let empty = Items::new(graphs).unwrap();
    let kernel = WeisfeilerLehman::new(2);
    assert_eq!(kernel.gram(&empty), Array2::zeros((2, 2)));
    let error = Exact::new(kernel).fit_space(&empty).unwrap_err();
    assert_eq!(error, Error::NoVariance { samples: 2 });
}

/// k-means, which knows nothing of graphs, tells rings of many sizes from stars, with the same label on every node.
#[test]
fn kmeans_tells_rings_from_stars() {
    let ring = |n: u32| UnGraph::<(), ()>::from_edges((0..n).map(|i| (i, (i + 1) % n)));
    let star = |n: u32| UnGraph::<(), ()>::from_edges((1..n).map(|i| (0, i)));
    let graphs = (6..12).map(ring).chain((6..12).map(star)).collect();
    let data = DatasetBase::from(Items::new(graphs).unwrap());
    let means = KMeans::params_with_rng(2, Xoshiro256Plus::seed_from_u64(1));
    let kernel = WeisfeilerLehman::new(2);
    let model = Kernelized::new(means, Exact::new(kernel))
        .fit(&data)
        .unwrap();
    let clusters: Array1<usize> = model.predict(data.records());
    let (rings, stars) = clusters.as_slice().unwrap().split_at(6);
    assert!(rings.iter().all(|c| *c == rings[0]) && stars.iter().all(|c| *c != rings[0]));
}
