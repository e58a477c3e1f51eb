//! Tests kernel values against other libraries, and parameters against the formulas of their conventions.
//!
//! Where an expression stands beside a value, scikit-learn 1.9.1 (with scipy 1.17.1, numpy 2.4.6)
//! computed it from `A` and `B`, rows of one sample each. Where a formula stands there, mpmath 1.4.1 computed it with 40
//! digits. All values were compared with mpmath as well: the libraries agree to 2 roundings.

mod bandwidths;
mod categories;
mod far_away;

use ndarray::{Array2, array};
use npt::prelude::*;
use npt_testkit::oracles::centering;

type AnyKernel = Box<dyn Kernel<Rows<f64>, Scalar = f64>>;

const A: [f64; 3] = [0.5, 1.25, 3.0];
const B: [f64; 3] = [2.0, 0.75, 0.25];

/// The tolerance: two roundings of the other library, and a handful of our own.
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

/// Checks `eval` and blocks of a kernel, both ways round.
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
    let table: [(&str, AnyKernel, f64); 13] = [
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
            "2 besselj(1, r/2) / (r/2), r = ‖A − B‖",
            Box::new(Bessel::new(1, 1, 0.5)),
            0.716_832_918_761_696_7,
        ),
        (
            "(8 besselj(2, 1.5 r) / (1.5 r)²)²",
            Box::new(Bessel::new(2, 2, 1.5)),
            0.002_126_925_480_241_404,
        ),
        (
            "2⁷ 7! besselj(7, r/10) / (r/10)⁷",
            Box::new(Bessel::new(7, 1, 0.1)),
            0.996_859_859_767_758_4,
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

/// The expected values are kernlab 0.9.32's: `anovadot(sigma = 0.7, degree = 3)(a, b)` and `splinedot()(a, b)`.
#[test]
fn anova_and_spline_are_those_of_kernlab() {
    let (a, b) = ([0.3, 1.7, 2.0], [1.1, 0.2, 2.0]);
    let anova = Anova::new(0.7, 3).eval(&a, &b);
    assert_relative("ANOVA", anova, 6.289_746_561_583_92);
    let spline = Spline::new().eval(&a, &b);
    assert_relative("spline", spline, 14.470_194_444_444_441);
}

/// The expected value for one feature is `gaussian_process.kernels.ExpSineSquared(1.7, 2.3)(A[:, 2:], B[:, 2:])`.
#[test]
fn periodic_in_one_dimension() {
    let kernel = Periodic::new(1.7, 2.3);
    let expected = 0.794_418_035_733_709_5;
    assert_relative("periodic", kernel.eval(&[3.0], &[0.25]), expected);
    let part: AnyKernel = Box::new(Columns::new(kernel, 2..3));
    assert_value("periodic of a column", &part, expected);
}

/// The expected value `1 - scipy.spatial.distance.cdist(p, q, "jaccard")` is 0.6.
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

/// The expected value is `KernelCenterer().fit_transform(rbf_kernel(X, gamma=0.3))[0, 1]`.
#[test]
fn centered() {
    let kernel = Centered::fit(Gaussian::new(0.3), &samples()).unwrap();
    let kernel: AnyKernel = Box::new(kernel);
    assert_value("centred", &kernel, -0.236_544_906_360_695_06);
}

/// The expected values, with H = I − 1/4 and K = `additive_chi2_kernel(X)`, are `(H @ K @ H)[0, 1]` and `[2, 2]`.
#[test]
fn additive_chi_squared_of_other_libraries_is_twice_ours_when_centered() {
    let centered = centering::centered_gram(&AdditiveChiSquared::new(), &rows(samples()));
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

/// The rational quadratic kernel tends to a Gaussian as α grows, and a large α loses no digits.
#[test]
fn rational_quadratic_tends_to_the_gaussian() {
    let gaussian = Gaussian::from_length_scale(1.7).eval(&A, &B);
    for alpha in [1e15, 1e100, 1e300] {
        let value = RationalQuadratic::new(1.7, alpha).eval(&A, &B);
        assert_relative("rational quadratic", value, gaussian);
    }
}
