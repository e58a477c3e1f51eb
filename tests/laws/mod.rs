//! Tests the laws of kernels and kernel spaces, for every kernel, in all regimes that are hard.

mod by_name;
mod catalogue;
mod closed_forms;
mod derivatives;
mod far_away;
mod parameters;
mod table;

use ndarray::{Array2, s};
use npt::prelude::*;
use npt::{Error, RawMap, Scalar};
use npt_testkit::{data, laws};
use proptest::{
    prelude::*,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};
use table::{AnyKernel, KeptScalar, table};

/// The kernels of the table with their names.
fn kernels<F: KeptScalar>() -> Vec<(&'static str, AnyKernel<F>)> {
    let entries = table().into_iter();
    entries.map(|entry| (entry.name, entry.kernel)).collect()
}

/// A runner with fixed cases, so that a failure is one for everyone.
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

/// The samples in the kernel's domain: their magnitudes, if the kernel takes no negative features.
fn in_domain<F: Scalar>(kernel: &AnyKernel<F>, x: &Array2<f64>) -> Rows<F> {
    let negative = rows(&(-x.mapv(f64::abs) - 1.0));
    match kernel.check(&negative) {
        Err(Error::SampleOutsideDomain { .. }) => rows(&x.mapv(f64::abs)),
        _ => rows(x),
    }
}

/// Checks all laws for one kernel, centred and not, with new samples as far out as the training samples.
fn check_all<F: Scalar>(kernel: &AnyKernel<F>, x: &Array2<f64>, seed: u64) {
    let size = x.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let x_new = data::normal(7, x.ncols(), seed).mapv(|v| v.clamp(-1.0, 1.0) * size);
    let (x, x_new) = (in_domain(kernel, x), in_domain(kernel, &x_new));
    laws::check_kernel(kernel, &x);
    laws::check_exact(kernel, true, &x, &x_new);
    laws::check_exact(kernel, false, &x, &x_new);
}

fn named<F: KeptScalar>(name: &str) -> AnyKernel<F> {
    let found = kernels().into_iter().find(|(other, _)| *other == name);
    found.expect("a kernel of this name").1
}

/// The laws hold for any kernel with few samples of few features: the shape decides which regime is hard.
#[test]
fn any_kernel_any_shape() {
    let strategy = (
        0..kernels::<f64>().len(),
        2..40_usize,
        1..7_usize,
        any::<u64>(),
    );
    runner(260)
        .run(&strategy, |(kernel, n, d, seed)| {
            let x = data::normal(n, d, seed);
            check_all::<f64>(&kernels()[kernel].1, &x, seed.wrapping_add(9));
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

/// The laws hold in f32: ranks and tolerances scale with ε.
#[test]
fn any_kernel_in_f32() {
    let strategy = (
        0..kernels::<f32>().len(),
        2..30_usize,
        1..5_usize,
        any::<u64>(),
    );
    runner(130)
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
        let (x, x_new) = (in_domain(&kernel, &x), in_domain(&kernel, &x_new));
        laws::check_kernel(&kernel, &x);
        laws::check_exact(&kernel, false, &x, &x_new);
        for axes in [Axes::Principal, Axes::Cholesky] {
            let error = Exact::new(&kernel).axes(axes).fit_space(&x).err();
            assert_eq!(error, Some(Error::NoVariance { samples: 1 }), "{name}");
        }
    }
}

/// The laws hold around the sizes at which blocks of pivots and panels of samples end.
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

/// The laws hold for every kernel where rank, sizes or eigenvalues are special.
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

/// The laws hold for kernels whose values vanish, or are constant but for rounding, on their samples.
#[test]
fn extreme_widths() {
    let x = data::normal(20, 2, 1);
    for gamma in [1e-12, 1e-6, 1e6, 1e12] {
        check_all::<f64>(&(Box::new(Gaussian::new(gamma)) as AnyKernel<f64>), &x, 2);
        check_all::<f64>(&(Box::new(Laplacian::new(gamma)) as AnyKernel<f64>), &x, 2);
    }
}

/// Spaces of a true rank below n, with a gap below it, lose nothing: not even the half of the
/// digits that a dropped direction may cost.
#[test]
fn low_rank_is_exact_for_new_samples() {
    let (x, x_new) = (data::normal(80, 3, 1), data::normal(9, 3, 2));
    let kernel = Polynomial::new(2, 0.5, 1.0);
    for axes in [Axes::Principal, Axes::Cholesky] {
        let space = Exact::new(kernel).axes(axes).fit_space(&x).unwrap();
        // The axes are all monomials of degree 1 and 2 in 3 variables; centring takes the constant away.
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
        // The tolerance is 80 terms in a mean, a dozen roundings each.
        assert!(error <= 80.0 * 12.0 * f64::EPSILON * scale, "{error:e}");
        let residuals = space.residuals(&x_new).unwrap();
        assert!(
            residuals
                .iter()
                .all(|&r| r <= 80.0 * 12.0 * f64::EPSILON * scale)
        );
    }
}

/// The rank stays low for long and short samples under one kernel: rounding must not pass for an indefinite kernel, whose
/// whole matrix would be decomposed.
#[test]
fn low_rank_stays_low_where_lengths_differ() {
    for (n, d, monomials) in [(200, 2, 10), (600, 3, 20), (600, 10, 286)] {
        let x = data::normal(n, d, 3) * 5.0;
        for axes in [Axes::Principal, Axes::Cholesky] {
            let exact = Exact::new(Polynomial::new(3, 0.3, 1.0)).axes(axes);
            let space = exact.fit_space(&x).unwrap();
            assert_eq!(space.rank(), monomials - 1);
            // There is one feature a landmark.
            assert_eq!(space.space().raw_map().dimension(), monomials);
            let exact = Exact::new(Unknown(Polynomial::new(3, 0.3, 1.0))).axes(axes);
            assert_eq!(
                exact.fit_space(&x).unwrap().space().raw_map().dimension(),
                monomials
            );
        }
    }
}

/// A kernel that does not claim to be positive semidefinite.
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
    let x = rows::<f64>(&data::normal(12, 3, 1).mapv(f64::abs));
    for (_, first) in &kernels() {
        for (_, second) in &kernels() {
            laws::check_composition(first, second, 0.25, &x);
        }
    }
}

/// Checks the cosine kernel in more than one dimension: in one there are only two directions.
fn check_cosine<F: Scalar>() {
    let cosine: AnyKernel<F> = Box::new(Cosine::new());
    let normalized: AnyKernel<F> = Box::new(Normalized::new(Linear::new()));
    for x in [
        data::normal(1, 3, 1),
        data::normal(6, 30, 1),
        data::duplicates(8, 3, 2, 2),
        data::low_rank(25, 6, 2, 5),
        data::regular_polygon(24),
        data::grid(5) - 0.5,
        data::normal(20, 3, 4) + 1e4,
    ] {
        for kernel in [&cosine, &normalized] {
            if x.nrows() > 1 && x[[0, 0]].abs() < 1e3 {
                check_all(kernel, &x, 8);
            }
            laws::check_kernel(kernel, &rows(&x));
        }
        let (found, expected) = (cosine.gram(&rows(&x)), normalized.gram(&rows(&x)));
        let error = (found - expected).mapv(|v| v.as_f64().abs());
        assert!(error.iter().all(|&v| v <= 16.0 * F::epsilon().as_f64()));
    }
}

#[test]
fn cosine() {
    check_cosine::<f64>();
    check_cosine::<f32>();
}

/// Checks the kernels that are made for samples of 3 features.
fn check_made_for_three_features<F: Scalar>() {
    let c = |v: f64| F::cast(v);
    let others = data::normal(15, 3, 11).mapv(|v| F::cast(v));
    let scales = vec![c(0.5), c(2.0), c(30.0)];
    let kernels: [AnyKernel<F>; 5] = [
        Box::new(LengthScales::new(Gaussian::new(c(0.5)), scales.clone())),
        Box::new(LengthScales::new(Matern::five_halves(c(1.0)), scales)),
        Box::new(Columns::new(Gaussian::new(c(0.5)), 0..2) * Columns::new(Linear::new(), 2..3)),
        Box::new(Centered::fit(Gaussian::new(c(0.5)), &others).expect("finite values")),
        Box::new(
            Centered::fit(Polynomial::new(2, c(0.5), c(1.0)), &others).expect("finite values"),
        ),
    ];
    for kernel in &kernels {
        laws::check_kernel(kernel, &rows(&data::normal(1, 3, 1)));
        check_all(kernel, &data::normal(20, 3, 1), 8);
        check_all(kernel, &data::duplicates(8, 3, 3, 2), 8);
        check_all(kernel, &data::low_rank(25, 3, 2, 5), 8);
    }
}

#[test]
fn made_for_three_features() {
    check_made_for_three_features::<f64>();
    check_made_for_three_features::<f32>();
}

/// A space of a centred kernel is the centred space.
#[test]
fn centered_kernels_make_centered_spaces() {
    let x = data::normal(20, 3, 1);
    let kernel = Gaussian::new(0.5);
    let centered = Centered::fit(kernel, &x).unwrap();
    let expected = Exact::new(kernel).fit_space(&x).unwrap();
    let found = Exact::new(centered).centered(false).fit_space(&x).unwrap();
    let error = &expected.eigenvalues() - &found.eigenvalues();
    assert!(error.iter().all(|v| v.abs() <= 28.0 * 20.0 * f64::EPSILON));
}

/// Squares and blocks of distances are exact where the samples are far from the origin or in two places.
#[test]
fn far_from_the_origin() {
    let mut two_places = data::normal(40, 3, 1);
    two_places.slice_mut(s![..20, ..]).mapv_inplace(|v| v + 1e8);
    let shifted = data::normal(40, 3, 1) + 1e8;
    let names = [
        "gaussian",
        "laplacian",
        "exponential",
        "matérn ½",
        "matérn 3⁄2",
        "matérn 5⁄2",
        "rational quadratic",
        "periodic",
        "anova",
        "χ²",
        "min-max",
    ];
    for name in names {
        let kernel = named::<f64>(name);
        laws::check_kernel(&kernel, &in_domain(&kernel, &shifted));
        laws::check_kernel(&kernel, &in_domain(&kernel, &two_places));
        let narrow = named::<f32>(name);
        laws::check_kernel(
            &narrow,
            &in_domain(&narrow, &(data::normal(40, 3, 1) + 1e4)),
        );
    }
}

/// The sigmoid kernel is symmetric: it obeys all laws of kernels except the sign of its eigenvalues.
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

fn check_weighted_sum<F: KeptScalar>() {
    let parts = ["linear", "gaussian", "laplacian"].map(named::<F>);
    let weights = [0.25, 0.0, 3.0].map(F::cast);
    let sum = WeightedSum::new(parts.into(), weights.to_vec().into()).expect("a weight each");
    let (x, x_new) = (data::normal(25, 3, 1), data::normal(7, 3, 2));
    laws::check_all(&sum, &rows::<F>(&x), &rows::<F>(&x_new));
    let duplicates = data::duplicates(8, 3, 2, 3);
    laws::check_all(
        &sum,
        &rows::<F>(&duplicates),
        &rows::<F>(&data::normal(7, 2, 4)),
    );
    let apart = named::<F>("laplacian")
        .scaled(F::cast(3))
        .plus(named::<F>("linear").scaled(F::cast(0.25)));
    let (x, difference) = (rows::<F>(&x), F::cast(256) * F::epsilon());
    let off = sum.gram(&x) - apart.gram(&x);
    assert!(off.iter().all(|d| *d < difference && -*d < difference));
}

#[test]
fn weighted_sums() {
    check_weighted_sum::<f64>();
    check_weighted_sum::<f32>();
}

/// The spectrum kernel: the number of pairs of equal substrings of length 2.
struct Bigrams;

impl Kernel<Items<&'static str>> for Bigrams {
    type Scalar = f64;

    fn eval(&self, a: &&'static str, b: &&'static str) -> f64 {
        let pairs = |word: &'static str| word.as_bytes().windows(2);
        let equal = pairs(a).map(|p| pairs(b).filter(|&q| p == q).count());
        equal.sum::<usize>() as f64
    }
}

/// A kernel on pairs is made of kernels on the parts: here words with a number each.
#[test]
fn pairs() {
    let words = ["kernel", "colonel", "ernest", "nelson", "elk", "kern"];
    let pair = |(k, &word): (usize, &&'static str)| (word, k as u32 % 4);
    let x = Items::new(words.iter().enumerate().map(pair).collect()).unwrap();
    let x_new = Items::new(vec![("corner", 1), ("kennel", 9), ("q", 0)]).unwrap();
    let closeness = FnKernel::new(|a: &u32, b: &u32| 0.5_f64.powf(f64::from(a.abs_diff(*b))))
        .assume_positive_semidefinite();
    let product = Tensor::new(Bigrams, closeness);
    laws::check_kernel(&product, &x);
    laws::check_exact(&product, true, &x, &x_new);
    let normalized = Normalized::new(product);
    laws::check_kernel(&normalized, &x);
    let centered = Centered::fit(normalized, &x).unwrap();
    laws::check_kernel(&centered, &x);
    laws::check_kernel(&(centered + Tensor::new(Bigrams, closeness)), &x);
}

/// The laws hold for samples without coordinates of their own.
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
