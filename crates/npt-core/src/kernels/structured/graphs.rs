//! The Weisfeiler–Lehman kernel: neighbourhoods that two graphs share.

use super::counts::{Counts, Dictionary, inner_products};
use crate::{Error, Items, Kernel, require_memory, watch::check};
use ndarray::{Array1, Array2};
use petgraph::{
    Graph, Undirected,
    graph::{IndexType, NodeIndex},
};
use std::hash::Hash;

/// The Weisfeiler–Lehman subtree kernel of graphs with labelled nodes: how many neighbourhoods of
/// the same shape two graphs share.
///
/// # Definition
/// A node's colour is its label at first; at each iteration it becomes the pair of its colour and
/// the multiset of its neighbours' colours. κ(G, H) = Σ_c |G|_c·|H|_c over the colours of all
/// iterations 0 … h, with |G|_c the number of nodes of G that have colour c. Colours are compared,
/// not hashed, so different ones are never confused.
///
/// Graphs are `petgraph` graphs without directions and with any labels that can be compared, `()`
/// for none. Edge labels do not count; parallel edges count as often as they occur. Graphs may be
/// disconnected. A graph without nodes has κ(G, H) = 0 with all graphs.
///
/// # Parameters
/// `iterations` h ≥ 0; with 0 the kernel counts labels.
///
/// # Example
/// ```
/// use npt_core::{Kernel, WeisfeilerLehman};
/// use petgraph::graph::UnGraph;
///
/// // A path and a triangle of three equal atoms: 3·3 pairs of nodes with equal labels; then the
/// // middle of the path has two neighbours, as all three nodes of the triangle have.
/// let path = UnGraph::<_, ()>::from_edges([(0, 1), (1, 2)]).map(|_, ()| 'C', |_, ()| ());
/// let triangle = UnGraph::<_, ()>::from_edges([(0, 1), (1, 2), (2, 0)]).map(|_, ()| 'C', |_, ()| ());
/// assert_eq!(WeisfeilerLehman::new(0).eval(&path, &triangle), 9.0);
/// assert_eq!(WeisfeilerLehman::new(1).eval(&path, &triangle), 9.0 + 1.0 * 3.0);
/// ```
///
/// # References
/// N. Shervashidze, P. Schweitzer, E. J. van Leeuwen, K. Mehlhorn, K. Borgwardt,
/// "Weisfeiler–Lehman Graph Kernels", JMLR 12, 2011, section 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "weisfeiler_lehman")
)]
pub struct WeisfeilerLehman {
    iterations: usize,
}

crate::composable!(WeisfeilerLehman);

/// The view that a colour stands for: a label, or a node's earlier colour with the sorted colours of its neighbours.
#[derive(PartialEq, Eq, Hash)]
enum View<'a, N> {
    Label(&'a N),
    Neighbours(usize, Vec<usize>),
}

impl WeisfeilerLehman {
    /// Looks at neighbourhoods of up to `iterations` edges around each node.
    pub fn new(iterations: usize) -> Self {
        Self { iterations }
    }

    /// The colours of all nodes in all iterations. Colours have the same numbers in all graphs that share the dictionary,
    /// which remembers views of every depth.
    fn colours<'a, N: Hash + Eq, E, Ix: IndexType>(
        self,
        graph: &'a Graph<N, E, Undirected, Ix>,
        dictionary: &mut Dictionary<View<'a, N>>,
    ) -> Counts {
        let labels = graph.node_weights();
        let mut current: Vec<usize> = labels
            .map(|label| dictionary.number(View::Label(label)))
            .collect();
        let mut all = current.clone();
        for _ in 0..self.iterations {
            let of_neighbours = |node: usize| {
                let neighbours = graph.neighbors(NodeIndex::new(node));
                let mut colours: Vec<usize> = neighbours.map(|n| current[n.index()]).collect();
                colours.sort_unstable();
                View::Neighbours(current[node], colours)
            };
            let views = (0..current.len()).map(of_neighbours);
            let next = views.map(|view| dictionary.number(view)).collect();
            current = next;
            all.extend(&current);
        }
        Counts::new(all)
    }

    fn all_colours<'a, N: Hash + Eq, E, Ix: IndexType>(
        self,
        graphs: &'a [Graph<N, E, Undirected, Ix>],
        dictionary: &mut Dictionary<View<'a, N>>,
    ) -> Vec<Counts> {
        let of_graph = |graph| {
            check();
            self.colours(graph, dictionary)
        };
        graphs.iter().map(of_graph).collect()
    }
}

impl<N, E, Ix> Kernel<Items<Graph<N, E, Undirected, Ix>>> for WeisfeilerLehman
where
    N: Hash + Eq + Clone + Send + Sync,
    E: Clone + Send + Sync,
    Ix: IndexType + Send + Sync,
{
    type Scalar = f64;

    crate::parameters!("weisfeiler_lehman", iterations);

    fn eval(&self, a: &Graph<N, E, Undirected, Ix>, b: &Graph<N, E, Undirected, Ix>) -> f64 {
        let mut dictionary = Dictionary::new();
        let a = self.colours(a, &mut dictionary);
        a.inner_product(&self.colours(b, &mut dictionary))
    }

    /// Colours every graph once.
    fn cross(
        &self,
        a: &Items<Graph<N, E, Undirected, Ix>>,
        b: &Items<Graph<N, E, Undirected, Ix>>,
    ) -> Array2<f64> {
        let mut dictionary = Dictionary::new();
        let a = self.all_colours(a.as_slice(), &mut dictionary);
        inner_products(&a, &self.all_colours(b.as_slice(), &mut dictionary))
    }

    fn gram(&self, x: &Items<Graph<N, E, Undirected, Ix>>) -> Array2<f64> {
        let counts = self.all_colours(x.as_slice(), &mut Dictionary::new());
        inner_products(&counts, &counts)
    }

    fn diag(&self, x: &Items<Graph<N, E, Undirected, Ix>>) -> Array1<f64> {
        let counts = self.all_colours(x.as_slice(), &mut Dictionary::new());
        counts.iter().map(|c| c.inner_product(c)).collect()
    }

    /// Checks that there is memory for the colours of all iterations.
    fn check(&self, x: &Items<Graph<N, E, Undirected, Ix>>) -> Result<(), Error> {
        // An iteration takes time even for a graph without nodes.
        let nodes = x.as_slice().iter().map(|graph| graph.node_count().max(1));
        let colours = self.iterations.saturating_add(1);
        require_memory::<usize>("the colours of the nodes", nodes.sum(), colours)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}
