//! Tests kernel values against those of other libraries.

use ndarray::{Array2, array};
use npt::prelude::*;
use petgraph::graph::UnGraph;
use std::collections::BTreeSet;

/// The values are scikit-learn 1.9.1's: V Vᵀ for V = `CountVectorizer(analyzer="char", ngram_range=(p, p),
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

/// The values are Weka 3.6.14's: `StringKernel(data, 0, length, 0.7, false).unnormalizedKernel(a, b)`.
#[test]
fn subsequence_is_that_of_weka() {
    let texts = ["gattaca", "tagacatta", "the tattered cat"];
    let expected = [
        (1, [7.35, 9.8, 8.33, 13.23, 11.76, 22.54]),
        (
            2,
            [
                4.880_777_906_032_488,
                6.244_387_237_580_167,
                3.132_107_776_636_481,
                9.599_094_670_888_25,
                4.733_240_011_439_999,
                16.659_168_645_573_8,
            ],
        ),
        (
            3,
            [
                2.865_671_528_682_409,
                2.608_100_141_177_579,
                0.432_752_615_789_857_1,
                5.746_137_954_631_3,
                1.044_823_903_795_783_6,
                13.849_326_818_376_376,
            ],
        ),
        (
            4,
            [
                1.272_330_896_642_819,
                0.606_147_149_498_239_6,
                0.058_438_514_582_422_11,
                3.370_653_915_538_429_4,
                0.126_208_499_966_472_18,
                11.517_344_093_511_03,
            ],
        ),
    ];
    for (length, expected) in expected {
        let kernel = Subsequence::new(length, 0.7);
        let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
        for ((i, j), expected) in pairs.into_iter().zip(expected) {
            let found = kernel.eval(&texts[i], &texts[j]);
            assert!(
                (found - expected).abs() < 1e-14 * expected,
                "{length}: {found}"
            );
        }
    }
}

/// The values are scipy 1.17.1's: `1 - scipy.spatial.distance.jaccard(a, b)` of membership vectors.
#[test]
fn jaccard_is_that_of_scipy() {
    let sets = ["ab", "bcd", "abcd", "e"].map(|letters| letters.chars().collect());
    let sets: Items<BTreeSet<char>> = Items::new(sets.to_vec()).unwrap();
    let expected = array![
        [1.0, 0.25, 0.5, 0.0],
        [0.25, 1.0, 0.75, 0.0],
        [0.5, 0.75, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ];
    assert_eq!(Jaccard::new().gram(&sets), expected);
}

/// The values are GraKeL 0.1.11's: `WeisfeilerLehman(n_iter=h, base_graph_kernel=VertexHistogram)
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
