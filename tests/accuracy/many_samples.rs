//! Fits to more samples than a kernel matrix is cheap for, with a smooth kernel. What is cut of its spectrum at rounding level
//! is more than a small penalty.
//!
//! The samples are numbers of F. The truth comes from the textbook formula in f64. The allowed error comes from the same formula in F,
//! with kernel values that are off by one rounding each.

use super::{FACTOR, cast, largest};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis};
use npt::{
    Scalar,
    methods::{GaussianProcess, IterativeKernelRidge, KernelSvr},
    prelude::*,
};
use npt_testkit::{
    data::normal,
    oracles::{centering, cholesky::Cholesky},
};

/// The numbers of samples; beyond 1024 the methods look for coordinates.
fn sizes() -> Vec<usize> {
    if std::env::var_os("NPT_FULL").is_some() {
        vec![500, 1300, 2000, 5000]
    } else {
        vec![500, 1300]
    }
}

struct Case<F> {
    x: Array2<F>,
    y: Array1<F>,
    new: Array2<F>,
    kernel: Gaussian<F>,
    /// The kernel values of the same numbers, in f64.
    k: Array2<f64>,
    k_new: Array2<f64>,
}

impl<F: Scalar> Case<F>
where
    Gaussian<F>: Kernel<Rows<F>, Scalar = F>,
{
    /// A case with targets y = sin 2x₁ + 0.1 noise, of five normal features.
    fn new(samples: usize, gamma: f64) -> Self {
        let (x, new) = (normal(samples, 5, 1), normal(50, 5, 2));
        let noise = normal(samples, 1, 3);
        let y = (2.0 * &x.column(0)).mapv(f64::sin) + 0.1 * &noise.column(0);
        let (x, y, new) = (cast::<F>(&x), y.mapv(F::cast), cast::<F>(&new));
        let gamma = F::cast(gamma);
        let rows = |x: &Array2<F>| Rows::new(x.mapv(Scalar::as_f64)).expect("finite");
        let in_f64 = Gaussian::new(gamma.as_f64());
        Self {
            k: centering::gram(&in_f64, &rows(&x)),
            k_new: centering::cross(&in_f64, &rows(&new), &rows(&x)),
            kernel: Gaussian::new(gamma),
            x,
            y,
            new,
        }
    }

    fn data(&self) -> Dataset<F, F, ndarray::Ix1> {
        Dataset::new(self.x.clone(), self.y.clone())
    }

    /// The kernel matrix, each value moved up or down by this share of itself.
    fn moved(&self, by: f64) -> Array2<f64> {
        let sign = |i: usize, j: usize| if (7 * i + 7 * j) % 5 < 2 { 1.0 } else { -1.0 };
        Array2::from_shape_fn(self.k.dim(), |(i, j)| {
            self.k[[i, j]] * (1.0 + by * sign(i, j))
        })
    }

    /// The textbook's ridge regression with intercept, in the precision of G, from a kernel matrix.
    fn ridge<G: Scalar>(&self, k: &Array2<f64>, penalty: f64) -> Array1<f64> {
        let k = k.mapv(|v| G::cast(v).as_f64());
        let means = k.mean_axis(Axis(0)).expect("samples");
        let mean = means.mean().expect("samples");
        let centered = Array2::from_shape_fn(k.dim(), |(i, j)| {
            G::cast((k[[i, j]] - means[i]) - (means[j] - mean))
        });
        let y = self.y.mapv(Scalar::as_f64);
        let of_y = y.mean().expect("samples");
        let centered_y = y.mapv(|v| G::cast(v - of_y));
        let factor = Cholesky::new(centered.view(), penalty).expect("regular");
        let mut alpha = factor.solve(centered_y.view()).mapv(Scalar::as_f64);
        alpha -= alpha.mean().expect("samples");
        (&self.k_new - &means).dot(&alpha) + of_y
    }

    /// Returns the true predictions, and the error of the textbook formula in the precision of F.
    fn ridge_and_its_error(&self, penalty: f64) -> (Array1<f64>, f64) {
        let truth = self.ridge::<f64>(&self.k, penalty);
        let in_f = self.ridge::<F>(&self.moved(F::epsilon().as_f64()), penalty);
        let off = largest(in_f - &truth);
        (truth, off)
    }
}

fn check_ridge<F: Scalar>()
where
    Gaussian<F>: Kernel<Rows<F>, Scalar = F>,
{
    for samples in sizes() {
        let case = Case::<F>::new(samples, 0.01);
        for penalty in [0.1, 0.01] {
            let (truth, by_textbook) = case.ridge_and_its_error(penalty);
            let allowed = FACTOR * by_textbook;
            let off = |found: Array1<F>| largest(found.mapv(Scalar::as_f64) - &truth);
            let ridge = KernelRidge::params(case.kernel).method(|m| m.penalty(penalty));
            let found = off(ridge.fit(&case.data()).unwrap().predict(&case.new));
            assert!(
                found <= allowed,
                "{samples}, {penalty}: {found:e} > {allowed:e}"
            );

            // The better of two penalties, one of which is far too large, gives the same.
            let ridge = KernelRidge::params(case.kernel).method(|m| m.penalties(&[1e4, penalty]));
            let found = off(ridge.fit(&case.data()).unwrap().predict(&case.new));
            assert!(
                found <= allowed,
                "{samples}, of two, {penalty}: {found:e} > {allowed:e}"
            );
        }
        // A weight of 1 for each sample makes the methods use the weighted formulas.
        let weighted = case
            .data()
            .with_weights(Array1::from_elem(samples, 1.0_f32));
        let (truth, by_textbook) = case.ridge_and_its_error(0.1);
        let ridge = KernelRidge::params(case.kernel).method(|m| m.penalty(0.1));
        let found = ridge.fit(&weighted).unwrap().predict(&case.new);
        let found = largest(found.mapv(Scalar::as_f64) - &truth);
        assert!(
            found <= FACTOR * by_textbook,
            "{samples}, weighted: {found:e}"
        );
    }
}

#[test]
fn ridge_regression_of_many_samples() {
    check_ridge::<f32>();
    check_ridge::<f64>();
}

/// Iterative ridge regression takes its products with kernel values, not with what coordinates make of them.
#[test]
fn iterative_ridge_regression_of_many_samples() {
    let case = Case::<f64>::new(1300, 0.01);
    let (truth, _) = case.ridge_and_its_error(0.01);
    let ridge = IterativeKernelRidge::params(case.kernel)
        .method(|m| m.penalty(0.01).tolerance(1e-9).pivots(100));
    let found = ridge.fit(&case.data()).unwrap().predict(&case.new);
    // A residual of 1e-9·‖y‖ is an error of α of at most 1e-9·‖y‖/λ, along the directions that the kernel hardly has.
    let off = largest(found - &truth);
    assert!(off < 1e-7, "{off:e}");
}

/// Checks means, variances and the evidence: −½yᵀ(K + σ²I)⁻¹y − ½ln|K + σ²I| − ½n ln 2π.
fn check_process<F: Scalar>()
where
    Gaussian<F>: Kernel<Rows<F>, Scalar = F>,
{
    for samples in sizes() {
        let case = Case::<F>::new(samples, 0.01);
        let noise = 0.01;
        let y = case.y.mapv(Scalar::as_f64);
        let exact = Cholesky::new(case.k.view(), noise).expect("regular");
        let truth = case.k_new.dot(&exact.solve(y.view()));
        let variance = |factor: &Cholesky<F>, row: usize| {
            let half = factor.half_solve(case.k_new.row(row).mapv(F::cast).view());
            1.0 - half.dot(&half).as_f64()
        };
        let exact_variance = |row: usize| {
            let half = exact.half_solve(case.k_new.row(row));
            1.0 - half.dot(&half)
        };
        let in_f = case.moved(F::epsilon().as_f64()).mapv(F::cast);
        let by_textbook = Cholesky::<F>::new(in_f.view(), noise).expect("regular");
        let alpha = by_textbook.solve(case.y.view()).mapv(Scalar::as_f64);
        let off = largest(case.k_new.dot(&alpha) - &truth);

        let process = GaussianProcess::params(case.kernel).noise(noise);
        let process = process.fit(&case.data()).unwrap();
        let (found, spread) = process.predict_with_variance(&case.new).unwrap();
        let found = largest(found.mapv(Scalar::as_f64) - &truth);
        assert!(
            found <= FACTOR * off,
            "{samples}: {found:e} > {:e}",
            FACTOR * off
        );
        let rows = 0..case.new.nrows();
        let of_textbook = rows
            .clone()
            .map(|row| variance(&by_textbook, row) - exact_variance(row));
        let allowed = FACTOR * largest(of_textbook).max(F::epsilon().as_f64());
        let found = largest(rows.map(|row| spread[row].as_f64() - exact_variance(row)));
        assert!(
            found <= allowed,
            "{samples}, variance: {found:e} > {allowed:e}"
        );
    }
}

#[test]
fn a_process_of_many_samples() {
    check_process::<f32>();
    check_process::<f64>();
}

/// Checks that Kv = λv with K centred, by kernel values in f64, to the rounding of n products.
fn check_components<F: Scalar>()
where
    Gaussian<F>: Kernel<Rows<F>, Scalar = F>,
{
    for samples in sizes() {
        let case = Case::<F>::new(samples, 0.01);
        let model = Kpca::params(8, case.kernel)
            .fit(&DatasetBase::from(case.x.clone()))
            .unwrap();
        let eigenvalues = model.inner().eigenvalues().mapv(Scalar::as_f64);
        let scores = model.transform(case.x.clone()).mapv(Scalar::as_f64);
        // The scores are √λ·v.
        let image = case
            .k
            .t()
            .dot(&(&scores - &scores.mean_axis(Axis(0)).expect("samples")));
        let of_image = image.mean_axis(Axis(0)).expect("samples");
        let level = FACTOR * F::epsilon().as_f64() * (samples as f64).sqrt() * eigenvalues[0];
        for (k, &value) in eigenvalues.iter().enumerate() {
            let left = &image.column(k) - of_image[k] - value * &scores.column(k);
            let length = scores.column(k).dot(&scores.column(k)).sqrt();
            let left = left.dot(&left).sqrt();
            assert!(
                left <= level * length,
                "{samples}, {k}: {left:e} > {:e}",
                level * length
            );
            let own = length * length;
            assert!(
                (own - value).abs() <= level,
                "{samples}, {k}: {own:e} and {value:e}"
            );
        }
    }
}

#[test]
fn components_of_many_samples() {
    check_components::<f32>();
    check_components::<f64>();
}

/// Checks the conditions of optimality. The target less the prediction is within the tube where a coefficient is 0, at the tube's edge
/// where the coefficient is between its bounds, and beyond the edge where it is at a bound.
fn check_regression<F: Scalar>(tolerance: f64)
where
    Gaussian<F>: Kernel<Rows<F>, Scalar = F>,
{
    let (c, width) = (1.0, 0.2);
    for samples in sizes() {
        let case = Case::<F>::new(samples, 0.1);
        let svr =
            KernelSvr::params(case.kernel).method(|m| m.c(c).epsilon(width).tolerance(tolerance));
        let model = svr.fit(&case.data()).unwrap();
        let found = model.predict(&case.x).mapv(Scalar::as_f64);
        let beta = model.inner().dual().mapv(Scalar::as_f64);
        let off = largest(found.iter().zip(&case.y).zip(&beta).map(|((f, y), b)| {
            let left = y.as_f64() - f;
            if *b == 0.0 {
                (left.abs() - width).max(0.0)
            } else if b.abs() >= c * (1.0 - F::epsilon().as_f64()) {
                (width - left * b.signum()).max(0.0)
            } else {
                left - width * b.signum()
            }
        }));
        // Predictions are rounded in F; each is a sum of n values.
        let rounding = F::epsilon().as_f64() * (samples as f64).sqrt() * c;
        let allowed = 2.0 * tolerance + FACTOR * rounding;
        assert!(off <= allowed, "{samples}: {off:e} > {allowed:e}");
    }
}

#[test]
fn support_vectors_of_many_samples() {
    check_regression::<f32>(1e-4);
    check_regression::<f64>(1e-7);
}
