//! Values that other libraries give.

use ndarray::{Array2, array};
use npt::prelude::*;
use petgraph::graph::UnGraph;

/// scikit-learn 1.9.1: V Vᵀ for V = `CountVectorizer(analyzer="char", ngram_range=(p, p),
/// lowercase=False).fit_transform(texts)`.
#[test]
fn spectrum_is_that_of_scikit_learn() {
    let texts = vec!["gattaca", "tagacatta", "the tattered cat", "äöä öä"];
    let texts = Items::new(texts).unwrap();
    let expected = [
        array![
            [15, 20, 17, 0],
            [20, 27, 24, 0],
            [17, 24, 46, 2],
            [0, 0, 2, 14]
        ],
        array![[6, 7, 5, 0], [7, 10, 6, 0], [5, 6, 17, 0], [0, 0, 0, 7]],
        array![[5, 3, 1, 0], [3, 7, 2, 0], [1, 2, 14, 0], [0, 0, 0, 4]],
    ];
    for (length, expected) in (1..).zip(expected) {
        assert_eq!(Spectrum::new(length).gram(&texts), expected.mapv(f64::from));
    }
}

/// GraKeL 0.1.11: `WeisfeilerLehman(n_iter=h, base_graph_kernel=VertexHistogram)
/// .fit_transform(graphs)`. The third graph is disconnected.
#[test]
fn weisfeiler_lehman_is_that_of_grakel() {
    let molecule = |atoms: &str, bonds: &[(u32, u32)]| {
        let atoms: Vec<char> = atoms.chars().collect();
        let graph = UnGraph::<(), ()>::from_edges(bonds);
        graph.map(|node, ()| atoms[node.index()], |_, ()| ())
    };
    let graphs = Items::new(vec![
        molecule("CNCCON", &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (2, 5)]),
        molecule("CCCCCC", &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]),
        molecule("CCONC", &[(0, 1), (1, 2), (3, 4)]),
        molecule("NCCCO", &[(0, 1), (0, 2), (0, 3), (3, 4)]),
    ]);
    let graphs = graphs.unwrap();
    let expected: [Array2<i32>; 3] = [
        array![
            [20, 18, 14, 13],
            [18, 72, 18, 18],
            [14, 18, 16, 14],
            [13, 18, 14, 18]
        ],
        array![
            [26, 18, 14, 13],
            [18, 108, 18, 18],
            [14, 18, 21, 14],
            [13, 18, 14, 25]
        ],
        array![
            [32, 18, 14, 13],
            [18, 144, 18, 18],
            [14, 18, 26, 14],
            [13, 18, 14, 32]
        ],
    ];
    for (iterations, expected) in (1..).zip(expected) {
        let found = WeisfeilerLehman::new(iterations).gram(&graphs);
        assert_eq!(found, expected.mapv(f64::from));
    }
}
