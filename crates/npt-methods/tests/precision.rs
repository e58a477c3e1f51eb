//! Tests of fits in single precision.

use approx::assert_abs_diff_eq;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate, s};
use npt_core::{ExpansionModel, Gaussian, Kernel, Laplacian, Linear, Rows, Scalar};
use npt_methods::{
    KernelRidge, Kpca,
    linear::{Pca, Precision, Ridge},
};
use npt_testkit::data;
use std::fmt::Debug;

const EPSILON: f64 = f32::EPSILON as f64;

fn targets(x: &Array2<f64>) -> Array2<f64> {
    let one = x.column(0).mapv(f64::sin);
    let other = x.column(1).mapv(|v| v * v + 2.0);
    ndarray::stack![Axis(1), one, other]
}

/// Several kinds of samples: more than are evaluated at a time, more features than samples, and each sample twice.
fn samples() -> Vec<Array2<f64>> {
    let few = data::normal(150, 3, 2);
    vec![
        data::normal(600, 3, 1),
        data::normal(280, 400, 3),
        concatenate![Axis(0), few, few],
        data::normal(2, 2, 4),
    ]
}

/// The coefficients and the offsets of a model.
fn parts<Q, F: Scalar, K: Kernel<Rows<F>, Scalar = F>>(
    model: &ExpansionModel<Q, Rows<F>, K, F>,
) -> (Array2<F>, Array1<F>) {
    let expansion = model.expansion();
    let coefficients = expansion.coefficients().to_owned();
    (coefficients, expansion.offsets().to_owned())
}

/// The largest share that the difference of two columns is of the column.
fn apart(one: &Array2<f64>, other: &Array2<f64>) -> f64 {
    let norm = |column: ArrayView1<'_, f64>| {
        let most = column.fold(0.0_f64, |most, v| v.abs().max(most));
        most * column
            .iter()
            .map(|v| (v / most).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    let difference = one - other;
    let columns = difference.columns().into_iter().zip(one.columns());
    let shares = columns.map(|(difference, one)| norm(difference) / norm(one));
    shares.fold(0.0, f64::max)
}

/// Fits in both precisions. Single precision promises α to 1e-7 of its length. It is as far off as that at most, and not as near as full
/// precision would be.
fn assert_refined<K: Kernel<Rows<f64>, Scalar = f64> + Clone>(
    kernel: K,
    data: &Dataset<f64, f64>,
    penalty: f64,
    intercept: bool,
) {
    let params = KernelRidge::params(kernel)
        .space(|s| s.centered(intercept))
        .method(|m| m.intercept(intercept).penalty(penalty));
    let (alpha, offsets) = parts(&params.fit(data).unwrap());
    let params = params.method(|m| m.precision(Precision::Single));
    let (of_single, offsets_of_single) = parts(&params.fit(data).unwrap());
    assert_ne!(alpha, of_single, "not in single precision");
    let difference = apart(&alpha, &of_single);
    assert!(difference < 1e-7, "{difference:e} for λ = {penalty}");
    // Offsets are means of targets less means of kernel values, whose sums have the size of the targets.
    let sizes = data.targets.map_axis(Axis(0), |column| {
        column.fold(0.0_f64, |most, v| v.abs().max(most))
    });
    for ((one, other), size) in offsets.iter().zip(&offsets_of_single).zip(&sizes) {
        assert!((one - other).abs() <= 1e-8 * size, "{one} {other} {size}");
    }
}

#[test]
fn ridge_regression_is_refined() {
    for x in samples() {
        let plain = Dataset::new(x.clone(), targets(&x));
        let weights = Array1::from_shape_fn(x.nrows(), |i| [0.5, 2.0, 1.0, 0.0][i % 4]);
        for data in [plain.clone(), plain.with_weights(weights)] {
            for (penalty, intercept) in [(0.01, true), (1.0, false), (100.0, true)] {
                assert_refined(Laplacian::new(0.3), &data, penalty, intercept);
                assert_refined(Gaussian::new(0.5), &data, penalty, intercept);
            }
        }
    }
}

/// Kernel values, targets and weights of any size, alone and beside others, and targets far from 0.
#[test]
fn ridge_regression_at_all_scales() {
    let x = data::normal(300, 3, 10);
    let plain = Dataset::new(x.clone(), targets(&x));
    for intercept in [true, false] {
        for scale in [1e-150, 1e-40, 1e-20, 1e20, 1e38, 1e150] {
            let mut data = plain.clone();
            data.targets *= scale;
            assert_refined(Laplacian::new(0.3), &data, 0.1, intercept);
            let mut data = plain.clone();
            data.targets.column_mut(0).map_inplace(|v| *v *= scale);
            assert_refined(Laplacian::new(0.3), &data, 0.1, intercept);
            let kernel = Laplacian::new(0.3).scaled(scale);
            assert_refined(kernel, &plain, 0.1 * scale, intercept);
        }
        for scale in [1e-30_f32, 1e30] {
            let weights = Array1::from_shape_fn(300, |i| scale * (1 + i % 3) as f32);
            let data = plain.clone().with_weights(weights);
            assert_refined(
                Laplacian::new(0.3),
                &data,
                0.1 * f64::from(scale),
                intercept,
            );
        }
    }
    let mut far = plain.clone();
    far.targets += 1e9;
    assert_refined(Laplacian::new(0.3), &far, 0.1, true);
}

/// The kernel of two blocks of samples (block, t): in the first, 1/w of a sample with itself; in the second, exp(−5(t − t′)²).
#[derive(Debug, Clone, PartialEq)]
struct Blocks(f64);

impl Kernel<Rows<f64>> for Blocks {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        if a[0] != b[0] {
            0.0
        } else if a[0] == 1.0 {
            (-5.0 * (a[1] - b[1]).powi(2)).exp()
        } else {
            f64::from(a[1] == b[1]) / self.0
        }
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

/// Coefficients that are long where single precision is exact, and short where it is not: a first correction is small, and tells little of
/// the next.
#[test]
fn ridge_regression_where_corrections_shrink_slowly() {
    for (count, penalty, share, weight) in [
        (600, 1e-4, 1e-2, 1.0_f32),
        (100, 2e-5, 1e-2, 1.0),
        (400, 1e-4, 1e-3, 1.0),
        (200, 5e-5, 1.0, 0.0625),
        (200, 1e-4, 1.0, 1.0 / 16384.0),
    ] {
        let x = Array2::from_shape_fn((50 + count, 2), |(i, k)| match (i < 50, k) {
            (true, 0) => 0.0,
            (true, _) => i as f64,
            (false, 0) => 1.0,
            (false, _) => (i - 50) as f64 / count as f64,
        });
        let kernel = Blocks(weight.into());
        let samples = Rows::new(x.clone()).unwrap();
        let weights = Array1::from_shape_fn(x.nrows(), |i| if i < 50 { weight } else { 1.0 });
        let mut alpha = data::normal(x.nrows(), 1, 12);
        let (mut first, mut second) = alpha.view_mut().split_at(Axis(0), 50);
        for (part, length) in [(&mut first, 1.0), (&mut second, share)] {
            let norm = part.iter().map(|v| v * v).sum::<f64>().sqrt();
            part.mapv_inplace(|v| v * length / norm);
        }
        let of_weights = weights.mapv(f64::from).insert_axis(Axis(1));
        let targets = kernel.gram(&samples).dot(&alpha) + penalty * &alpha / &of_weights;
        let data = Dataset::new(x, targets).with_weights(weights);
        let params = KernelRidge::params(kernel)
            .space(|s| s.centered(false))
            .method(|m| m.intercept(false).penalty(penalty));
        let (full, _) = parts(&params.fit(&data).unwrap());
        assert!(apart(&alpha, &full) < 1e-9);
        let params = params.method(|m| m.precision(Precision::Single));
        let (single, _) = parts(&params.fit(&data).unwrap());
        let difference = apart(&alpha, &single);
        assert!(difference < 1e-7, "{difference:e}");
    }
    let thrice = data::normal(100, 3, 13);
    let thrice = concatenate![Axis(0), thrice, thrice, thrice];
    let data = Dataset::new(thrice.clone(), targets(&thrice));
    assert_refined(Laplacian::new(0.3), &data, 1e-3, true);
}

/// Several penalties are compared in full precision.
#[test]
fn a_path_has_full_precision() {
    let x = data::normal(400, 5, 5);
    let data = Dataset::new(x.clone(), targets(&x).column(0).to_owned());
    let params = KernelRidge::params(Laplacian::new(0.2)).method(|m| m.penalties(&[1e-3, 0.03]));
    let single = params.clone().method(|m| m.precision(Precision::Single));
    assert_same(&single.fit(&data).unwrap(), &params.fit(&data).unwrap());
}

/// Asserts that two models are the same, to the bit.
fn assert_same<Q: PartialEq + Debug, F: Scalar, K: Kernel<Rows<F>, Scalar = F>>(
    one: &ExpansionModel<Q, Rows<F>, K, F>,
    other: &ExpansionModel<Q, Rows<F>, K, F>,
) {
    assert_eq!(one.inner(), other.inner());
    assert_eq!(parts(one), parts(other));
}

/// Asserts that single precision makes no difference, to the bit.
fn assert_full<F: Scalar, K: Kernel<Rows<F>, Scalar = F> + Clone>(
    kernel: K,
    data: &Dataset<F, F, ndarray::Ix1>,
    penalty: f64,
) {
    let params = KernelRidge::params(kernel).method(|m| m.penalty(penalty));
    let single = params.clone().method(|m| m.precision(Precision::Single));
    assert_same(&single.fit(data).unwrap(), &params.fit(data).unwrap());
}

/// Falls back to full precision where single precision does not suffice.
#[test]
fn full_precision_where_single_does_not_suffice() {
    let x = data::normal(300, 3, 6);
    let y = targets(&x).column(0).to_owned();
    let data = Dataset::new(x.clone(), y.clone());
    // Equations that are singular to the rounding of single precision.
    assert_full(Gaussian::new(0.01), &data, 1e-9);
    // Few coordinates, and samples of single precision.
    let many = data::normal(2000, 3, 6);
    let y_of_many = targets(&many).column(0).to_owned();
    assert_full(Linear::new(), &Dataset::new(many, y_of_many), 1.0);
    let of_single = Dataset::new(x.mapv(|v| v as f32), y.mapv(|v| v as f32));
    assert_full(Laplacian::new(0.3_f32), &of_single, 1.0);
}

/// Errors are those of full precision.
#[test]
fn errors_of_full_precision() {
    let x = data::normal(300, 3, 7);
    let mut y = targets(&x).column(0).to_owned();
    y[7] = f64::NAN;
    let params = KernelRidge::params(Laplacian::new(0.3));
    let single = params.clone().method(|m| m.precision(Precision::Single));
    let data = Dataset::new(x.clone(), y);
    assert_eq!(
        single.fit(&data).unwrap_err().to_string(),
        params.fit(&data).unwrap_err().to_string()
    );
    let one = Dataset::new(x.slice(s![..1, ..]).to_owned(), Array1::ones(1));
    assert_eq!(
        single.fit(&one).unwrap_err().to_string(),
        params.fit(&one).unwrap_err().to_string()
    );
    let (full, single) = (
        Kpca::params(300, Laplacian::new(0.3)),
        Kpca::params(300, Laplacian::new(0.3)).method(|m| m.precision(Precision::Single)),
    );
    let data = DatasetBase::from(x);
    assert_eq!(single.fit(&data).unwrap_err(), full.fit(&data).unwrap_err());
}

/// Eigenvalues are variances in full precision, which are off by the square of what directions are off by, and directions are orthogonal.
#[test]
fn components_are_measured() {
    for x in samples().into_iter().filter(|x| x.nrows() > 4) {
        for scale in [1e-40, 1.0, 1e40] {
            let weights = Array1::from_shape_fn(x.nrows(), |i| [0.5, 2.0, 1.0, 0.0][i % 4]);
            let plain = DatasetBase::from(x.clone());
            for data in [plain.clone(), plain.with_weights(weights.clone())] {
                let params = Kpca::params(4, Laplacian::new(0.3).scaled(scale));
                let full = params.fit(&data).unwrap();
                let params = params.method(|m| m.precision(Precision::Single));
                let single = params.fit(&data).unwrap();
                let (exact, found): (&Pca<f64>, &Pca<f64>) = (full.inner(), single.inner());
                assert_ne!(parts(&full), parts(&single), "not in single precision");
                let largest = exact.eigenvalues()[0];
                assert_abs_diff_eq!(
                    &exact.eigenvalues() / largest,
                    &found.eigenvalues() / largest,
                    epsilon = 1e-9
                );
                assert_abs_diff_eq!(
                    exact.explained_variance_ratio(),
                    found.explained_variance_ratio(),
                    epsilon = 1e-9
                );
                let scores: Array2<f64> = single.transform(x.clone()) / largest.sqrt();
                let mut weighed = scores.clone();
                if !data.weights.is_empty() {
                    weighed *= &weights.mapv(f64::from).insert_axis(Axis(1));
                }
                assert_abs_diff_eq!(weighed.sum_axis(Axis(0)), Array1::zeros(4), epsilon = 1e-9);
                let squares = scores.t().dot(&weighed);
                let expected = Array2::from_diag(&(&found.eigenvalues() / largest));
                assert_abs_diff_eq!(squares, expected, epsilon = 1e-12);
            }
        }
    }
}

/// Where eigenvalues nearly agree, directions may be turned into each other. They are still orthogonal, descending, and of the documented
/// sign, and each is an eigenvector.
#[test]
fn components_of_close_eigenvalues() {
    for gap in [1e-3, 1e-5, 1e-7, 0.0] {
        // Orthogonal features whose squares sum to the eigenvalues, and the linear kernel of full rank.
        let n = 400;
        let angle = |i: usize, k: usize| std::f64::consts::TAU * (i * (k + 1)) as f64 / n as f64;
        let x = Array2::from_shape_fn((n, 150), |(i, k)| {
            let eigenvalue = if k < 6 {
                1.0 - gap * k as f64
            } else {
                0.5 / k as f64
            };
            (eigenvalue * 2.0 / n as f64).sqrt() * angle(i, k).cos()
        });
        let data = DatasetBase::from(x.clone());
        let params = Kpca::params(6, Linear::new());
        let full = params.fit(&data).unwrap();
        let params = params.method(|m| m.precision(Precision::Single));
        let model = params.fit(&data).unwrap();
        assert_ne!(parts(&full), parts(&model), "not in single precision");
        let eigenvalues = model.inner().eigenvalues();
        let expected = Array1::from_shape_fn(6, |k| 1.0 - gap * k as f64);
        assert_abs_diff_eq!(eigenvalues, expected, epsilon = 1e-9);
        assert!(
            eigenvalues
                .windows(2)
                .into_iter()
                .all(|pair| pair[0] >= pair[1] - 1e-15)
        );
        let scores: Array2<f64> = model.transform(x.clone());
        assert_abs_diff_eq!(
            scores.t().dot(&scores),
            Array2::from_diag(&eigenvalues),
            epsilon = 1e-9
        );
        for column in scores.columns() {
            let (least, most) = column.iter().fold((0.0_f64, 0.0_f64), |(least, most), &v| {
                (least.min(v), most.max(v))
            });
            assert!(most > -least * (1.0 - 1e-7), "{least} {most}");
        }
    }
}

/// The kernel exp(−γ‖a − b‖₁) without an origin: where γ is small, all its values are near 1.
#[derive(Debug, Clone, PartialEq)]
struct Flat(f64);

impl Kernel<Rows<f64>> for Flat {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        let distance: f64 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
        (-self.0 * distance).exp()
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

/// Kernel values of which centring leaves nothing in single precision.
#[test]
fn full_precision_where_centring_cancels() {
    let x = data::normal(300, 3, 11);
    let data = DatasetBase::from(x);
    for gamma in [1e-5, 1e-7] {
        let params = Kpca::params(20, Flat(gamma));
        let full = params.fit(&data).unwrap();
        let params = params.method(|m| m.precision(Precision::Single));
        assert_same(&params.fit(&data).unwrap(), &full);
    }
}

/// Components that are rounding in single precision are found in full precision.
#[test]
fn components_that_single_precision_does_not_tell() {
    let x = data::normal(300, 2, 8);
    let data = DatasetBase::from(x);
    let params = Kpca::params(60, Gaussian::new(0.2));
    let full = params.fit(&data).unwrap();
    assert!(full.inner().eigenvalues()[59] < EPSILON * full.inner().eigenvalues()[0]);
    let params = params.method(|m| m.precision(Precision::Single));
    assert_same(&params.fit(&data).unwrap(), &full);
}

/// Where there are no inner products, there is nothing to round.
#[test]
fn plain_records_have_full_precision() {
    let x = data::normal(40, 3, 9);
    let data = Dataset::new(x.clone(), targets(&x));
    let (full, single) = (
        Ridge::params(),
        Ridge::params().precision(Precision::Single),
    );
    assert_eq!(full.fit(&data).unwrap(), single.fit(&data).unwrap());
    let (full, single) = (Pca::params(2), Pca::params(2).precision(Precision::Single));
    assert_eq!(full.fit(&data).unwrap(), single.fit(&data).unwrap());
}
