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
        assert!((one - other).abs() <= 1e-6 * size, "{one} {other} {size}");
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

/// Directions are those of single precision, of length 1, and their eigenvalues are their variances in full precision. These are off by
/// the square of what the directions are off by.
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
                // Directions are orthogonal to the rounding of sums of n terms.
                let rounding = EPSILON * (x.nrows() as f64).sqrt();
                assert_abs_diff_eq!(squares, expected, epsilon = 4.0 * rounding);
                assert_abs_diff_eq!(squares.diag(), expected.diag(), epsilon = 1e-12);
            }
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
