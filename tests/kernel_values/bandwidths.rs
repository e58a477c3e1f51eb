//! Tests widths of the Gaussian kernel, by convention and from samples.

use super::{A, B, assert_relative, samples};
use ndarray::{Array2, array};
use npt::Error;
use npt::prelude::*;
use npt_testkit::data;

/// The conventions are γ = 1/(2ℓ²) and γ = 1/eps.
#[test]
fn conventions_of_the_gaussian() {
    let squared: f64 = A.iter().zip(&B).map(|(a, b)| (a - b).powi(2)).sum();
    let by_length = Gaussian::from_length_scale(0.8).eval(&A, &B);
    assert_relative("length scale", by_length, (-squared / (2.0 * 0.64)).exp());
    let by_eps = Gaussian::from_linfa_eps(3.0).eval(&A, &B);
    assert_relative("linfa's eps", by_eps, (-squared / 3.0).exp());
}

/// γ of a Gaussian kernel, from its value at distance 1.
fn gamma(kernel: Gaussian<f64>) -> f64 {
    -kernel.eval(&[0.0], &[1.0]).ln()
}

/// The expected value is `SVC(gamma="scale").fit(X, y)._gamma`.
#[test]
fn scale_is_that_of_the_other_library() {
    let kernel = Gaussian::scale(&samples()).unwrap();
    assert_relative("scale", gamma(kernel), 0.244_041_944_709_246_9);
    // Shifted samples have the same variance.
    let kernel = Gaussian::scale(&(samples() + f64::powi(2.0, 27))).unwrap();
    assert_relative("shifted", gamma(kernel), 0.244_041_944_709_246_9);
    let narrow = Gaussian::scale(&samples().mapv(|v| v as f32)).unwrap();
    assert_eq!(narrow, Gaussian::new(0.244_041_944_709_246_9_f64 as f32));
}

/// The expected value is `1 / (2 * numpy.median(scipy.spatial.distance.pdist(X))**2)`: there are six distances, so it is the mean of two.
#[test]
fn median_is_that_of_the_other_library() {
    let kernel = Gaussian::median_heuristic(&samples()).unwrap();
    assert_relative("median", gamma(kernel), 0.053_591_100_082_475_876);
    // Pairs of equal samples do not count.
    let copies = ndarray::concatenate![
        ndarray::Axis(0),
        array![[0.0], [4.0]],
        Array2::zeros((9, 1))
    ];
    let kernel = Gaussian::median_heuristic(&copies).unwrap();
    assert_relative("with copies", gamma(kernel), 1.0 / 32.0);
}

/// The expected values are R's `quantile(dist(X)^2, c(0.9, 0.5, 0.1))`, by its definition: order statistics 0.5 after the first, in the
/// middle of the six, and 0.5 before the last.
#[test]
fn sigest_is_that_of_the_other_library() {
    let x = samples();
    let square = |(i, j): (usize, usize)| {
        let difference = &x.row(i) - &x.row(j);
        difference.dot(&difference)
    };
    let mut squares: Vec<f64> = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        .map(square)
        .to_vec();
    squares.sort_by(f64::total_cmp);
    let between = |k: usize| f64::midpoint(squares[k], squares[k + 1]);
    let found = Gaussian::sigest(&x).unwrap();
    for (kernel, expected) in found.into_iter().zip([between(4), between(2), between(0)]) {
        assert_relative("sigest", gamma(kernel), 1.0 / expected);
    }
    let equal = Gaussian::<f64>::sigest(&ndarray::Array2::<f64>::ones((3, 2)));
    assert!(matches!(equal, Err(npt::Error::NoVariance { samples: 3 })));
}

#[test]
fn median_of_many_samples() {
    let x = data::normal(2500, 2, 1);
    let some: Vec<usize> = (0..1000).map(|k| k * 5 / 2).collect();
    let some = x.select(ndarray::Axis(0), &some);
    let kernel = Gaussian::median_heuristic(&x);
    assert_eq!(kernel, Gaussian::median_heuristic(&some));
    // ‖a − b‖²/4 of normal samples is exponentially distributed: its median is ln 2.
    let expected = 1.0 / (8.0 * 2.0_f64.ln());
    assert!((gamma(kernel.unwrap()) - expected).abs() < 0.05 * expected);
}

#[test]
fn widths_of_equal_samples() {
    for value in [0.0, 0.1, 1e300] {
        let x = Array2::from_elem((7, 3), value);
        let expected = Err(Error::NoVariance { samples: 7 });
        assert_eq!(Gaussian::scale(&x), expected);
        assert_eq!(Gaussian::median_heuristic(&x), expected);
    }
    let expected = Err(Error::NoVariance { samples: 1 });
    assert_eq!(Gaussian::median_heuristic(&array![[1.0, 2.0]]), expected);
}

/// A width that no γ can express is an error.
#[test]
fn widths_out_of_range() {
    for x in [array![[0.0], [1e200]], array![[0.0], [1e-170]]] {
        for result in [Gaussian::scale(&x), Gaussian::median_heuristic(&x)] {
            match result {
                Err(Error::Parameter { of, parameter, .. }) => {
                    assert_eq!((of, parameter), ("Gaussian", "gamma"));
                }
                Err(Error::NoVariance { samples: 2 }) => assert!(x[[1, 0]] < 1.0),
                other => panic!("{other:?}"),
            }
        }
    }
}
