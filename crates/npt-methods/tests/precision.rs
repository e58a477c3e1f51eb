//! Tests of fits in single precision.

use approx::assert_abs_diff_eq;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, Axis, concatenate, s};
use npt_core::{ExpansionModel, Gaussian, Kernel, Laplacian, Linear, Polynomial, Rows, Scalar};
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

/// How far the equations w(y − f) = λα are from true, relative to the sum of the kernel values that f is made of; and the largest α.
fn residual<K: Kernel<Rows<f64>, Scalar = f64>>(
    model: &ExpansionModel<Ridge<f64, ndarray::Ix2>, Rows<f64>, K, f64>,
    data: &Dataset<f64, f64>,
    penalty: f64,
) -> f64 {
    let fitted = model.expansion().evaluate(&data.records).unwrap();
    let alpha = model.expansion().coefficients();
    let mut left = &data.targets - &fitted;
    if !data.weights.is_empty() {
        left *= &data.weights.mapv(f64::from).insert_axis(Axis(1));
    }
    let norm = |a: &Array2<f64>| a.iter().map(|v| v * v).sum::<f64>().sqrt();
    if !data.weights.is_empty() {
        let kept: Vec<usize> = (0..left.nrows())
            .filter(|&i| data.weights[i] > 0.0)
            .collect();
        left = left.select(Axis(0), &kept);
    }
    left.scaled_add(-penalty, &alpha);
    let diagonal: f64 = model
        .expansion()
        .kernel()
        .diag(model.expansion().samples())
        .sum();
    norm(&left) / (diagonal * norm(&alpha.to_owned()) + norm(&data.targets))
}

/// The equations hold to the rounding of single precision where they are solved in it, and to that of double precision elsewhere. By
/// backward stability of Cholesky's factor the residual is a few ε of ‖K‖‖α‖, and ‖K‖ is at most the trace.
#[test]
fn ridge_to_the_rounding_of_single_precision() {
    fn check<K: Kernel<Rows<f64>, Scalar = f64> + Clone>(kernel: K) {
        for x in samples() {
            let plain = Dataset::new(x.clone(), targets(&x));
            let weights = Array1::from_shape_fn(x.nrows(), |i| [0.5, 2.0, 1.0, 0.0][i % 4]);
            for data in [plain.clone(), plain.with_weights(weights)] {
                for (penalty, intercept) in [(0.01, true), (1.0, false), (100.0, true)] {
                    let params = KernelRidge::params(kernel.clone())
                        .space(|s| s.centered(intercept))
                        .method(|m| m.intercept(intercept).penalty(penalty));
                    let full = params.fit(&data).unwrap();
                    let params = params.method(|m| m.precision(Precision::Single));
                    let single = params.fit(&data).unwrap();
                    let (exact, rounded) = (
                        residual(&full, &data, penalty),
                        residual(&single, &data, penalty),
                    );
                    assert!(exact < 1e-13, "{exact:e}");
                    assert!(
                        rounded < 4.0 * EPSILON,
                        "{rounded:e} for {} × {}, λ = {penalty}",
                        x.nrows(),
                        x.ncols()
                    );
                    assert!(rounded > 1e-12, "{rounded:e} is not of single precision");
                }
            }
        }
    }
    check(Laplacian::new(0.3));
    check(Gaussian::new(0.5));
}

/// Several penalties are compared in single precision, too, and the function is as near as that of the one that is chosen.
#[test]
fn a_path_ends_where_its_penalty_does() {
    let x = data::normal(400, 5, 5);
    let data = Dataset::new(x.clone(), targets(&x).column(0).to_owned());
    let params = KernelRidge::params(Laplacian::new(0.2));
    let single = params.clone().method(|m| m.precision(Precision::Single));
    let path = [1e-3, 0.03, 10.0];
    let full = params.method(|m| m.penalties(&path)).fit(&data).unwrap();
    let of_path = single.clone().method(|m| m.penalties(&path));
    let of_path = of_path.fit(&data).unwrap();
    assert_eq!(of_path.inner().penalty(), full.inner().penalty());
    let one = single.method(|m| m.penalty(full.inner().penalty()));
    assert_same(&of_path, &one.fit(&data).unwrap());
}

/// Asserts that two models are the same, to the bit.
fn assert_same<Q: PartialEq + Debug, F: Scalar, K: Kernel<Rows<F>, Scalar = F>>(
    one: &ExpansionModel<Q, Rows<F>, K, F>,
    other: &ExpansionModel<Q, Rows<F>, K, F>,
) {
    let parts = |model: &ExpansionModel<Q, Rows<F>, K, F>| {
        let expansion = model.expansion();
        (
            expansion.coefficients().to_owned(),
            expansion.offsets().to_owned(),
        )
    };
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

/// What single precision does not suffice for is fitted in full precision.
#[test]
fn full_precision_where_single_does_not_suffice() {
    let x = data::normal(300, 3, 6);
    let y = targets(&x).column(0).to_owned();
    let data = Dataset::new(x.clone(), y.clone());
    // Equations that are singular to the rounding of single precision.
    assert_full(Gaussian::new(0.01), &data, 1e-9);
    // Kernel values, targets and a penalty beyond its range.
    assert_full(Laplacian::new(0.3).scaled(1e60), &data, 1.0);
    assert_full(Polynomial::new(3, 1e20, 1.0), &data, 1.0);
    let far = Dataset::new(x.clone(), y.mapv(|v| 1e300 * v));
    assert_full(Laplacian::new(0.3), &far, 1.0);
    assert_full(Laplacian::new(0.3), &data, 1e60);
    // Kernel values that vanish in it.
    assert_full(Laplacian::new(0.3).scaled(1e-60), &data, 1e-61);
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

/// Eigenvalues are sums of as many terms as there are samples, which lose a few √n ε of the largest. The
/// scores of the training samples are orthogonal, and their squares sum to the eigenvalues.
#[test]
fn components_to_the_rounding_of_single_precision() {
    for x in samples().into_iter().filter(|x| x.nrows() > 4) {
        let weights = Array1::from_shape_fn(x.nrows(), |i| [0.5, 2.0, 1.0][i % 3]);
        let plain = DatasetBase::from(x.clone());
        for data in [plain.clone(), plain.with_weights(weights.clone())] {
            let params = Kpca::params(4, Laplacian::new(0.3));
            let full = params.fit(&data).unwrap();
            let params = params.method(|m| m.precision(Precision::Single));
            let single = params.fit(&data).unwrap();
            let (exact, rounded): (&Pca<f64>, &Pca<f64>) = (full.inner(), single.inner());
            let scale = exact.eigenvalues()[0];
            assert_ne!(exact.eigenvalues(), rounded.eigenvalues());
            let relative = 4.0 * EPSILON * (x.nrows() as f64).sqrt();
            let tolerance = relative * scale;
            assert_abs_diff_eq!(
                exact.eigenvalues(),
                rounded.eigenvalues(),
                epsilon = tolerance
            );
            assert_abs_diff_eq!(
                exact.explained_variance_ratio(),
                rounded.explained_variance_ratio(),
                epsilon = relative
            );
            let scores: Array2<f64> = single.transform(x.clone());
            let mut weighed = scores.clone();
            if !data.weights.is_empty() {
                weighed *= &weights.mapv(f64::from).insert_axis(Axis(1));
            }
            let squares = scores.t().dot(&weighed);
            let expected = Array2::from_diag(&rounded.eigenvalues());
            assert_abs_diff_eq!(squares, expected, epsilon = tolerance);
        }
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
