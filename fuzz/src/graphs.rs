//! Kernels of graphs and of sets.

use crate::strings::check;
use npt::prelude::*;
use petgraph::graph::UnGraph;
use std::collections::BTreeSet;

/// Reads the bytes as graphs with labels, or as sets: kernels of them are symmetric and finite, and their spaces are fitted or refused.
///
/// # Panics
/// If one of these does not hold.
pub fn run(bytes: &[u8]) {
    let Some((&[which, iterations], rest)) = bytes.split_first_chunk() else {
        return;
    };
    let parts = rest.split(|&byte| byte == 0xFF).take(6);
    if which % 2 == 0 {
        if let Ok(sets) = Items::new(parts.map(set).collect()) {
            check(&Jaccard::new(), &sets);
        }
    } else if let Ok(graphs) = Items::new(parts.map(graph).collect()) {
        check(&WeisfeilerLehman::new(usize::from(iterations % 5)), &graphs);
    }
}

fn set(bytes: &[u8]) -> BTreeSet<u8> {
    bytes.iter().copied().collect()
}

/// Makes a graph of up to 16 nodes: the first bytes are labels, the others are edges between two nodes, loops and double ones too.
fn graph(bytes: &[u8]) -> UnGraph<u8, ()> {
    let mut graph = UnGraph::new_undirected();
    let (labels, edges) = bytes.split_at(bytes.len().min(16).div_ceil(2));
    let nodes: Vec<_> = labels
        .iter()
        .map(|label| graph.add_node(label % 4))
        .collect();
    for edge in edges.iter().take(64) {
        let [a, b] = [edge / 16, edge % 16].map(|end| usize::from(end) % nodes.len());
        graph.add_edge(nodes[a], nodes[b], ());
    }
    graph
}
