//! The laws of kernels and kernel spaces, for every kernel and where it is hard.

use ndarray::Array2;
use npt::prelude::*;
use npt::{Error, Scalar};
use npt_testkit::{data, laws};
use proptest::{
    prelude::*,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};

/// Kernels of one type, whatever they are made of.
type AnyKernel<F> = Box<dyn Kernel<Rows<F>, Scalar = F>>;

/// The kernels that are positive semidefinite, and their compositions.
fn kernels<F: Scalar>() -> Vec<(&'static str, AnyKernel<F>)> {
    let c = |v: f64| F::cast(v);
    vec![
        ("linear", Box::new(Linear::new())),
        ("homogeneous", Box::new(Polynomial::<F>::homogeneous(2))),
        ("polynomial", Box::new(Polynomial::new(3, c(0.3), c(1.0)))),
        ("gaussian", Box::new(Gaussian::new(c(0.5)))),
        ("narrow", Box::new(Gaussian::new(c(50.0)))),
        ("wide", Box::new(Gaussian::new(c(1e-3)))),
        ("laplacian", Box::new(Laplacian::new(c(0.7)))),
        (
            "sum",
            Box::new(Gaussian::new(c(0.5)) + Linear::new().scaled(c(0.1))),
        ),
        (
            "product",
            Box::new(Laplacian::new(c(0.2)) * Polynomial::new(2, c(0.5), c(0.5))),
        ),
        ("scaled", Box::new(Gaussian::new(c(0.5)).scaled(c(1e3)))),
    ]
}

/// Fixed, so that a failure is one for everyone.
fn runner(cases: u32) -> TestRunner {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn rows<F: Scalar>(x: &Array2<f64>) -> Rows<F> {
    Rows::new(x.mapv(|v| F::cast(v))).expect("finite samples")
}

/// All laws for one kernel, centred and not, with new samples as far out as the training samples.
fn check_all<F: Scalar>(kernel: &AnyKernel<F>, x: &Array2<f64>, seed: u64) {
    let size = x.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let x_new = data::normal(7, x.ncols(), seed).mapv(|v| v.clamp(-1.0, 1.0) * size);
    let (x, x_new) = (rows::<F>(x), rows::<F>(&x_new));
    laws::check_kernel(kernel, &x);
    laws::check_exact(kernel, true, &x, &x_new);
    laws::check_exact(kernel, false, &x, &x_new);
}

fn named<F: Scalar>(name: &str) -> AnyKernel<F> {
    let found = kernels().into_iter().find(|(other, _)| *other == name);
    found.expect("a kernel of this name").1
}

/// Few samples of few features: which regime is hard follows from the shape.
#[test]
fn any_kernel_any_shape() {
    let strategy = (
        0..kernels::<f64>().len(),
        2..40_usize,
        1..7_usize,
        any::<u64>(),
    );
    runner(96)
        .run(&strategy, |(kernel, n, d, seed)| {
            let x = data::normal(n, d, seed);
            check_all::<f64>(&kernels()[kernel].1, &x, seed.wrapping_add(9));
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

/// One type narrower: ranks and tolerances scale with ε.
#[test]
fn any_kernel_in_f32() {
    let strategy = (
        0..kernels::<f32>().len(),
        2..30_usize,
        1..5_usize,
        any::<u64>(),
    );
    runner(48)
        .run(&strategy, |(kernel, n, d, seed)| {
            let x = data::normal(n, d, seed);
            check_all::<f32>(&kernels()[kernel].1, &x, seed.wrapping_add(9));
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

/// One sample has a space, but no variance.
#[test]
fn one_sample() {
    let (x, x_new) = (data::normal(1, 3, 1), data::normal(4, 3, 2));
    for (name, kernel) in kernels::<f64>() {
        let (x, x_new) = (rows(&x), rows(&x_new));
        laws::check_kernel(&kernel, &x);
        laws::check_exact(&kernel, false, &x, &x_new);
        for axes in [Axes::Principal, Axes::Cholesky] {
            let error = Exact::new(&kernel).axes(axes).fit_samples(&x).err();
            assert_eq!(error, Some(Error::NoVariance { samples: 1 }), "{name}");
        }
    }
}

/// Around the sizes at which blocks of pivots and panels of samples end.
#[test]
fn around_the_block_sizes() {
    for (n, name) in [
        (127, "gaussian"),
        (128, "narrow"),
        (129, "laplacian"),
        (255, "narrow"),
        (256, "linear"),
        (257, "laplacian"),
        (300, "polynomial"),
    ] {
        check_all(&named::<f64>(name), &data::normal(n, 3, n as u64), 5);
    }
    check_all(&named::<f32>("narrow"), &data::normal(129, 2, 3), 5);
    check_all(&named::<f32>("laplacian"), &data::normal(257, 2, 3), 5);
}

/// Every kernel where rank, sizes or eigenvalues are special.
#[test]
fn hard_data() {
    let hard = [
        ("more features than samples", data::normal(6, 30, 1)),
        ("duplicates", data::duplicates(8, 3, 2, 2)),
        ("constant columns", data::constant_columns(20, 4, 3, 3)),
        ("on a line", data::low_rank(25, 5, 1, 4)),
        ("in a plane", data::low_rank(25, 6, 2, 5)),
        ("on a circle", data::regular_polygon(24)),
        ("on a grid", data::grid(5)),
        ("two rings", data::circles(30, 6).0),
        ("tight clusters", data::blobs(8, 3, 2, 1e-3, 7).0),
    ];
    for (what, x) in &hard {
        for (name, kernel) in kernels::<f64>() {
            println!("{name}, {what}");
            check_all(&kernel, x, 8);
        }
        for (name, kernel) in kernels::<f32>() {
            println!("{name} in f32, {what}");
            check_all(&kernel, x, 8);
        }
    }
}

/// The linear kernel commutes with scaling, to the ends of the range of its squares.
#[test]
fn huge_and_tiny_samples() {
    for scale in [1e-150, 1e-100, 1e100, 1e150] {
        let x = data::normal(30, 4, 1) * scale;
        check_all(&named::<f64>("linear"), &x, 2);
    }
    for scale in [1e-15, 1e15] {
        let x = data::normal(30, 4, 1) * scale;
        check_all(&named::<f32>("linear"), &x, 2);
    }
}

/// Kernels that vanish or are constant but for rounding on their samples.
#[test]
fn extreme_widths() {
    let x = data::normal(20, 2, 1);
    for gamma in [1e-12, 1e-6, 1e6, 1e12] {
        check_all::<f64>(&(Box::new(Gaussian::new(gamma)) as AnyKernel<f64>), &x, 2);
        check_all::<f64>(&(Box::new(Laplacian::new(gamma)) as AnyKernel<f64>), &x, 2);
    }
}

/// At a true rank below n, with a gap below it, nothing is lost at all: not even the half of the
/// digits that a dropped direction may cost.
#[test]
fn low_rank_is_exact_for_new_samples() {
    let (x, x_new) = (data::normal(80, 3, 1), data::normal(9, 3, 2));
    let kernel = Polynomial::new(2, 0.5, 1.0);
    for axes in [Axes::Principal, Axes::Cholesky] {
        let space = Exact::new(kernel).axes(axes).fit_space(&x).unwrap();
        // All monomials of degree 1 and 2 in 3 variables; the constant is lost to centring.
        assert_eq!(space.rank(), 9);
        let case = laws::Case::new(&kernel, true, &rows(&x), &rows(&x_new)).cross;
        let products = space
            .coordinates(&x_new)
            .unwrap()
            .dot(&space.training_coordinates().t());
        let scale = case.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let error = (products - case)
            .iter()
            .fold(0.0_f64, |m, v| m.max(v.abs()));
        // 80 terms in a mean, a dozen roundings each.
        assert!(error <= 80.0 * 12.0 * f64::EPSILON * scale, "{error:e}");
        let residuals = space.residuals(&x_new).unwrap();
        assert!(
            residuals
                .iter()
                .all(|&r| r <= 80.0 * 12.0 * f64::EPSILON * scale)
        );
    }
}

/// Long and short samples under one kernel: rounding must not pass for an indefinite kernel, whose
/// whole matrix would be decomposed.
#[test]
fn low_rank_stays_low_where_lengths_differ() {
    for (n, d, monomials) in [(200, 2, 10), (600, 3, 20), (600, 10, 286)] {
        let x = data::normal(n, d, 3) * 5.0;
        for axes in [Axes::Principal, Axes::Cholesky] {
            let exact = Exact::new(Polynomial::new(3, 0.3, 1.0)).axes(axes);
            let space = exact.fit_space(&x).unwrap();
            assert_eq!(space.rank(), monomials - 1);
            assert_eq!(space.landmark_indices().len(), monomials);
            let exact = Exact::new(Unknown(Polynomial::new(3, 0.3, 1.0))).axes(axes);
            assert_eq!(
                exact.fit_space(&x).unwrap().landmark_indices().len(),
                monomials
            );
        }
    }
}

/// A kernel that does not say that it is positive semidefinite.
struct Unknown<K>(K);

impl<K: Kernel<Rows<f64>, Scalar = f64>> Kernel<Rows<f64>> for Unknown<K> {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        self.0.eval(a, b)
    }
}

/// Sums, products and multiples are pointwise, for every pair.
#[test]
fn compositions() {
    let x = rows::<f64>(&data::normal(12, 3, 1));
    for (_, first) in &kernels() {
        for (_, second) in &kernels() {
            laws::check_composition(first, second, 0.25, &x);
        }
    }
}

/// The sigmoid kernel is a kernel in all but the sign of its eigenvalues.
#[test]
fn sigmoid_is_symmetric() {
    let kernel = Sigmoid::new(0.7, -0.3);
    assert!(!Kernel::<Rows<f64>>::is_positive_semidefinite(&kernel));
    laws::check_kernel(&kernel, &rows::<f64>(&data::normal(20, 3, 1)));
    laws::check_kernel(
        &Sigmoid::new(0.7_f32, -0.3),
        &rows::<f32>(&data::normal(20, 3, 1)),
    );
}

/// Number of pairs of equal substrings of length 2: the spectrum kernel.
struct Bigrams;

impl Kernel<Items<&'static str>> for Bigrams {
    type Scalar = f64;

    fn eval(&self, a: &&'static str, b: &&'static str) -> f64 {
        let pairs = |word: &'static str| word.as_bytes().windows(2);
        let equal = pairs(a).map(|p| pairs(b).filter(|&q| p == q).count());
        equal.sum::<usize>() as f64
    }
}

/// Samples without coordinates of their own.
#[test]
fn strings() {
    let words = [
        "kernel", "colonel", "ernest", "nelson", "elk", "kern", "kernel", "lone",
    ];
    let x = Items::new(words.to_vec()).unwrap();
    let x_new = Items::new(vec!["corner", "kennel", "q"]).unwrap();
    laws::check_kernel(&Bigrams, &x);
    laws::check_exact(&Bigrams, true, &x, &x_new);
    laws::check_exact(&Bigrams, false, &x, &x_new);
}
