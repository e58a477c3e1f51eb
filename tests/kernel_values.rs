//! Kernel values against other libraries, and parameters against the formulas of their conventions.
//!
//! Where an expression stands beside a value, scikit-learn 1.9.1 (with scipy 1.17.1, numpy 2.4.6)
//! made it from `A` and `B`, rows of one sample each; where a formula does, mpmath 1.4.1 at 40
//! digits. All values were compared with mpmath as well: the libraries agree to 2 roundings.

use ndarray::{Array2, array};
use npt::prelude::*;
use npt::{Error, Scalar};
use npt_testkit::{data, oracles::centring};

type AnyKernel = Box<dyn Kernel<Rows<f64>, Scalar = f64>>;

const A: [f64; 3] = [0.5, 1.25, 3.0];
const B: [f64; 3] = [2.0, 0.75, 0.25];

/// Two roundings of the other side, and a handful of our own.
const RELATIVE: f64 = 1e-14;

fn rows(x: Array2<f64>) -> Rows<f64> {
    Rows::new(x).expect("finite samples")
}

/// Four samples with a zero.
fn samples() -> Array2<f64> {
    array![
        [0.5, 1.25, 3.0],
        [2.0, 0.75, 0.25],
        [1.0, 4.0, 0.5],
        [0.0, 2.5, 1.5]
    ]
}

#[track_caller]
fn assert_relative(what: &str, found: f64, expected: f64) {
    let error = (found - expected).abs();
    assert!(
        error <= RELATIVE * expected.abs(),
        "{what}: {found:e} instead of {expected:e}"
    );
}

/// `eval` and a block of it, both ways round.
#[track_caller]
fn assert_value(what: &str, kernel: &AnyKernel, expected: f64) {
    let (a, b) = (rows(array![A]), rows(array![B]));
    assert_eq!(kernel.check(&a), Ok(()), "{what}");
    assert_relative(what, kernel.eval(&A, &B), expected);
    assert_relative(what, kernel.eval(&B, &A), expected);
    assert_relative(what, kernel.cross(&a, &b)[[0, 0]], expected);
    assert_relative(what, kernel.gram(&rows(array![A, B]))[[1, 0]], expected);
}

#[test]
fn functions_of_inner_products() {
    let table: [(&str, AnyKernel, f64); 6] = [
        ("linear_kernel(A, B)", Box::new(Linear::new()), 2.6875),
        (
            "polynomial_kernel(A, B, degree=3, gamma=0.5, coef0=1)",
            Box::new(Polynomial::new(3, 0.5, 1.0)),
            12.874_603_271_484_375,
        ),
        (
            "sigmoid_kernel(A, B, gamma=0.25, coef0=-0.5)",
            Box::new(Sigmoid::new(0.25, -0.5)),
            0.170_202_308_406_462_35,
        ),
        (
            "cosine_similarity(A, B)",
            Box::new(Cosine::new()),
            0.380_040_205_406_421_97,
        ),
        // fdot(a, b) / (fdot(a, a) + fdot(b, b) - fdot(a, b)); 1 - scipy's cdist(A, B, "jaccard")
        // is the same for bits, see below
        (
            "tanimoto",
            Box::new(Tanimoto::new()),
            0.210_784_313_725_490_2,
        ),
        // (fdot(a, b)/2 + 1)**3 / sqrt((fdot(a, a)/2 + 1)**3 * (fdot(b, b)/2 + 1)**3)
        (
            "normalized polynomial",
            Box::new(Normalized::new(Polynomial::new(3, 0.5, 1.0))),
            0.131_702_555_132_023_95,
        ),
    ];
    for (what, kernel, expected) in &table {
        assert_value(what, kernel, *expected);
    }
}

#[test]
fn functions_of_distances() {
    let table: [(&str, AnyKernel, f64); 10] = [
        (
            "rbf_kernel(A, B, gamma=0.3)",
            Box::new(Gaussian::new(0.3)),
            0.048_862_258_026_808_1,
        ),
        (
            "gaussian_process.kernels.RBF(1.7)(A, B)",
            Box::new(Gaussian::from_length_scale(1.7)),
            0.175_359_530_071_810_93,
        ),
        (
            "laplacian_kernel(A, B, gamma=0.3)",
            Box::new(Laplacian::new(0.3)),
            0.240_508_463_208_342_14,
        ),
        (
            "exp(-0.3 * scipy.spatial.distance.cdist(A, B))",
            Box::new(Exponential::new(0.3)),
            0.386_106_007_831_556_87,
        ),
        (
            "gaussian_process.kernels.Matern(1.7, nu=0.5)(A, B)",
            Box::new(Matern::half(1.7)),
            0.154_746_453_488_992_46,
        ),
        (
            "gaussian_process.kernels.Matern(1.7, nu=1.5)(A, B)",
            Box::new(Matern::three_halves(1.7)),
            0.167_079_216_312_972_48,
        ),
        (
            "gaussian_process.kernels.Matern(1.7, nu=2.5)(A, B)",
            Box::new(Matern::five_halves(1.7)),
            0.169_184_501_580_593_2,
        ),
        (
            "gaussian_process.kernels.RationalQuadratic(1.7, 0.6)(A, B)",
            Box::new(RationalQuadratic::new(1.7, 0.6)),
            0.441_834_013_502_346_5,
        ),
        (
            "prod([gaussian_process.kernels.ExpSineSquared(1.7, 2.3)(A[:, [k]], B[:, [k]]) for k in range(3)])",
            Box::new(Periodic::new(1.7, 2.3)),
            0.349_472_520_721_269_2,
        ),
        (
            "gaussian_process.kernels.Matern([0.5, 2, 4], nu=2.5)(A, B)",
            Box::new(LengthScales::new(
                Matern::five_halves(1.0),
                vec![0.5, 2.0, 4.0],
            )),
            0.023_867_954_772_153_488,
        ),
    ];
    for (what, kernel, expected) in &table {
        assert_value(what, kernel, *expected);
    }
}

#[test]
fn functions_of_histograms() {
    let table: [(&str, AnyKernel, f64); 6] = [
        (
            "chi2_kernel(A, B, gamma=0.3)",
            Box::new(ChiSquared::new(0.3)),
            0.365_833_516_112_491_3,
        ),
        (
            "(additive_chi2_kernel(A, B) + A.sum() + B.sum()) / 2",
            Box::new(AdditiveChiSquared::new()),
            2.199_038_461_538_461_5,
        ),
        (
            "numpy.minimum(A, B).sum()",
            Box::new(HistogramIntersection::new()),
            1.5,
        ),
        (
            "numpy.minimum(A, B).sum() / numpy.maximum(A, B).sum()",
            Box::new(MinMax::new()),
            0.24,
        ),
        // sum(exp(-gamma * (x - y)**2) for x, y in zip(a, b))**2 with gamma = 0.3
        (
            "ANOVA",
            Box::new(Anova::new(0.3, 2)),
            2.372_651_345_102_154_3,
        ),
        // prod of 1 + x*y + x*y*m - (x + y)/2 * m**2 + m**3/3 with m = min(x, y)
        ("spline", Box::new(Spline::new()), 9.106_240_166_558_16),
    ];
    for (what, kernel, expected) in &table {
        assert_value(what, kernel, *expected);
    }
}

/// kernlab 0.9.32: `anovadot(sigma = 0.7, degree = 3)(a, b)` and `splinedot()(a, b)`.
#[test]
fn anova_and_spline_are_those_of_kernlab() {
    let (a, b) = ([0.3, 1.7, 2.0], [1.1, 0.2, 2.0]);
    let anova = Anova::new(0.7, 3).eval(&a, &b);
    assert_relative("ANOVA", anova, 6.289_746_561_583_92);
    let spline = Spline::new().eval(&a, &b);
    assert_relative("spline", spline, 14.470_194_444_444_441);
}

/// One feature: `gaussian_process.kernels.ExpSineSquared(1.7, 2.3)(A[:, 2:], B[:, 2:])`.
#[test]
fn periodic_in_one_dimension() {
    let kernel = Periodic::new(1.7, 2.3);
    let expected = 0.794_418_035_733_709_5;
    assert_relative("periodic", kernel.eval(&[3.0], &[0.25]), expected);
    let part: AnyKernel = Box::new(Columns::new(kernel, 2..3));
    assert_value("periodic of a column", &part, expected);
}

/// `1 - scipy.spatial.distance.cdist(p, q, "jaccard")` is 0.6.
#[test]
fn indices_of_bits() {
    let (p, q) = (
        [1.0, 1.0, 0.0, 1.0, 0.0, 1.0],
        [1.0, 0.0, 0.0, 1.0, 1.0, 1.0],
    );
    assert_relative("tanimoto", Tanimoto::new().eval(&p, &q), 0.6);
    assert_relative("min-max", MinMax::new().eval(&p, &q), 0.6);
    let zero = [0.0; 6];
    assert_eq!(Tanimoto::new().eval(&zero, &zero), 1.0_f64);
    assert_eq!(MinMax::new().eval(&zero, &zero), 1.0_f64);
    assert_eq!(Tanimoto::new().eval(&zero, &q), 0.0_f64);
    assert_eq!(MinMax::new().eval(&zero, &q), 0.0_f64);
}

/// By hand, and by `1 - scipy.spatial.distance.cdist(p, q, "hamming")`, which is 0.4.
#[test]
fn categories() {
    let (p, q) = ([1.0, 2.0, 2.0, 7.0, -3.0], [1.0, 2.5, 2.0, -7.0, 3.0]);
    assert_relative("simple matching", SimpleMatching::new().eval(&p, &q), 0.4);
    // Shares 1, 1 − 0.5/4, 1, 0 as 14 is more than 10, and 0 of a category.
    let gower = Gower::new(vec![1.0, 4.0, 0.0, 10.0, 0.0]);
    assert_relative("gower", gower.eval(&p, &q), (1.0 + 0.875 + 1.0) / 5.0);
    let kernels: [AnyKernel; 2] = [Box::new(SimpleMatching::new()), Box::new(gower)];
    for kernel in kernels {
        let (a, b) = (rows(array![p, q]), rows(array![q, p, p]));
        let cross = kernel.cross(&a, &b);
        let value = kernel.eval(&p, &q);
        assert_eq!(cross, array![[value, 1.0, 1.0], [1.0, value, value]]);
    }
    // The ends of the range of f64: differences overflow, and are no similarity.
    let far = Gower::new(vec![1e308, f64::MIN_POSITIVE]);
    assert_eq!(far.eval(&[1.7e308, 0.0], &[-1.7e308, 0.0]), 0.5);
    assert_eq!(
        far.eval(&[0.0, 1e-309], &[5e307, 0.0]),
        f64::midpoint(0.5, 1.0 - 1e-309 / f64::MIN_POSITIVE)
    );
}

/// Of several features, with categories, and samples beyond the ranges: no negative eigenvalue, in either precision.
#[test]
fn gower_is_positive_semidefinite() {
    fn smallest<F: Scalar>() -> f64 {
        let x = npt_testkit::data::normal(60, 4, 5).mapv(|v| F::cast((2.0 * v).round() / 2.0));
        let gower = Gower::new([2.0, 0.0, 0.3, 5.0].map(F::cast).to_vec());
        let matrix = gower.gram(&Rows::new(x).unwrap());
        let (values, _) = npt::linalg::eigh(&matrix).unwrap();
        values[values.len() - 1].as_f64() / values[0].as_f64()
    }
    assert!(smallest::<f64>() > -1e-14);
    assert!(smallest::<f32>() > -1e-6);
}

/// `KernelCenterer().fit_transform(rbf_kernel(X, gamma=0.3))[0, 1]`.
#[test]
fn centered() {
    let kernel = Centered::fit(Gaussian::new(0.3), &samples()).unwrap();
    let kernel: AnyKernel = Box::new(kernel);
    assert_value("centred", &kernel, -0.236_544_906_360_695_06);
}

/// With H = I − 1/4 and K = `additive_chi2_kernel(X)`: `(H @ K @ H)[0, 1]` and `[2, 2]`.
#[test]
fn additive_chi_squared_of_other_libraries_is_twice_ours_when_centered() {
    let centered = centring::centered_gram(&AdditiveChiSquared::new(), &rows(samples()));
    assert_relative("[0, 1]", 2.0 * centered[[0, 1]], -0.915_091_213_610_950_4);
    assert_relative("[2, 2]", 2.0 * centered[[2, 2]], 1.879_291_377_482_167);
}

/// The exponential kernel is the Matérn kernel of smoothness ½, and in one dimension the Laplacian.
#[test]
fn exponential_has_other_names() {
    for (a, b) in [(0.0, 0.5), (3.0, -1.0), (1e8, 1e8 + 2.0)] {
        let value = Exponential::new(0.25).eval(&[a], &[b]);
        assert_relative("Matérn", Matern::half(4.0).eval(&[a], &[b]), value);
        assert_relative("Laplacian", Laplacian::new(0.25).eval(&[a], &[b]), value);
    }
}

/// Limits: smoothness and α towards infinity make a Gaussian, and a large α loses nothing.
#[test]
fn rational_quadratic_tends_to_the_gaussian() {
    let gaussian = Gaussian::from_length_scale(1.7).eval(&A, &B);
    for alpha in [1e15, 1e100, 1e300] {
        let value = RationalQuadratic::new(1.7, alpha).eval(&A, &B);
        assert_relative("rational quadratic", value, gaussian);
    }
}

/// What is far out or wide apart gives 0, not the product of infinity and 0.
#[test]
fn far_apart_is_zero() {
    let kernels: [AnyKernel; 6] = [
        Box::new(Matern::half(1.0)),
        Box::new(Matern::three_halves(1.0)),
        Box::new(Matern::five_halves(1.0)),
        Box::new(Exponential::new(1.0)),
        Box::new(RationalQuadratic::new(1.0, 2.0)),
        Box::new(ChiSquared::new(1.0)),
    ];
    for distance in [1e80, 1e154, 1e160, 1e300] {
        let (near, far) = ([1.0], [distance]);
        let block = rows(array![near, far]);
        for kernel in &kernels {
            assert!(kernel.eval(&near, &far) < 1e-300);
            assert!(kernel.gram(&block)[[0, 1]].abs() < 1e-300);
            assert_eq!(kernel.gram(&block)[[1, 1]], 1.0);
        }
    }
}

/// The sample's own scale does not matter to an angle, up to the ends of the range.
#[test]
fn cosine_of_huge_and_tiny_samples() {
    let expected = 0.380_040_205_406_421_97;
    for (first, second) in [(1e-300, 1e300), (1e150, 1e150), (1e-150, 1e-150)] {
        let (a, b) = (A.map(|v| v * first), B.map(|v| v * second));
        assert_relative("eval", Cosine::new().eval(&a, &b), expected);
        let block = Cosine::new().cross(&rows(array![a]), &rows(array![b]));
        assert_relative("cross", block[[0, 0]], expected);
    }
}

/// Differences of samples far from the origin are not lost in their squares.
fn far_from_the_origin<F: Scalar>(shift: f64, tolerance: f64) {
    // Multiples of 2⁻⁴, which survive the shift exactly.
    let near = data::normal(30, 3, 1).mapv(|v| (v * 16.0).round() / 16.0);
    let c = |v: f64| F::cast(v);
    let kernels: [Box<dyn Kernel<Rows<F>, Scalar = F>>; 9] = [
        Box::new(Gaussian::new(c(0.5))),
        Box::new(Laplacian::new(c(0.5))),
        Box::new(Exponential::new(c(0.5))),
        Box::new(Matern::half(c(2.0))),
        Box::new(Matern::three_halves(c(2.0))),
        Box::new(Matern::five_halves(c(2.0))),
        Box::new(RationalQuadratic::new(c(2.0), c(1.5))),
        Box::new(Anova::new(c(0.5), 2)),
        // A power of two, so that the shift is a whole number of periods.
        Box::new(Periodic::new(c(1.5), c(4.0))),
    ];
    let rows = |x: Array2<f64>| Rows::new(x.mapv(|v| F::cast(v))).expect("finite samples");
    let (here, there) = (rows(near.clone()), rows(near + shift));
    for (k, kernel) in kernels.iter().enumerate() {
        let expected = centring::gram(kernel, &here);
        let found = kernel.gram(&there).mapv(Scalar::as_f64);
        for (found, expected) in found.iter().zip(&expected) {
            let error = (found - expected).abs();
            assert!(
                error <= tolerance,
                "kernel {k}: {found:e}, not {expected:e}"
            );
        }
    }
}

#[test]
fn samples_far_from_the_origin() {
    far_from_the_origin::<f64>(f64::powi(2.0, 27), 1e-14);
    far_from_the_origin::<f32>(f64::powi(2.0, 14), 5e-6);
}

/// γ = 1/(2ℓ²), 1/eps.
#[test]
fn conventions_of_the_gaussian() {
    let squared: f64 = A.iter().zip(&B).map(|(a, b)| (a - b).powi(2)).sum();
    let by_length = Gaussian::from_length_scale(0.8).eval(&A, &B);
    assert_relative("length scale", by_length, (-squared / (2.0 * 0.64)).exp());
    let by_eps = Gaussian::from_linfa_eps(3.0).eval(&A, &B);
    assert_relative("linfa's eps", by_eps, (-squared / 3.0).exp());
}

/// γ of a Gaussian, from its value at distance 1.
fn gamma(kernel: Gaussian<f64>) -> f64 {
    -kernel.eval(&[0.0], &[1.0]).ln()
}

/// `SVC(gamma="scale").fit(X, y)._gamma`.
#[test]
fn scale_is_that_of_the_other_library() {
    let kernel = Gaussian::scale(&samples()).unwrap();
    assert_relative("scale", gamma(kernel), 0.244_041_944_709_246_9);
    // Shifted, the variance is the same.
    let kernel = Gaussian::scale(&(samples() + f64::powi(2.0, 27))).unwrap();
    assert_relative("shifted", gamma(kernel), 0.244_041_944_709_246_9);
    let narrow = Gaussian::scale(&samples().mapv(|v| v as f32)).unwrap();
    assert_eq!(narrow, Gaussian::new(0.244_041_944_709_246_9_f64 as f32));
}

/// `1 / (2 * numpy.median(scipy.spatial.distance.pdist(X))**2)`: six distances, so the mean of two.
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

/// Above 1000 samples, those at equal steps.
/// `quantile(dist(X)^2, c(0.9, 0.5, 0.1))` of R's, by its definition: order statistics 0.5 after the first, in the middle of
/// the six, and 0.5 before the last.
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

/// A width that no γ can express.
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
