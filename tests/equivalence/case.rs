//! Makes random problems, and compares two answers.

use ndarray::{Array, Array1, Array2, ArrayView1, Axis, Dimension, concatenate};
use npt::{Scalar, prelude::*};
use npt_testkit::{
    data::normal,
    oracles::{self, centering},
};
use proptest::prelude::*;
use std::sync::Arc;

pub(crate) type AnyKernel<F> = Arc<dyn Kernel<Rows<F>, Scalar = F>>;

/// A float type, with the accuracy that may be asked of it.
pub(crate) trait Precision: Scalar {
    /// The relative difference that is allowed.
    const TOLERANCE: f64;
    /// Eigenvalues whose relative distance is smaller are a cluster: the axes within it are arbitrary, and no formula
    /// determines them.
    const GAP: f64;

    fn kernel(case: &Case) -> AnyKernel<Self>;
}

impl Precision for f64 {
    const TOLERANCE: f64 = 1e-8;
    const GAP: f64 = 1e-4;

    fn kernel(case: &Case) -> AnyKernel<f64> {
        case.kernel.0.clone()
    }
}

impl Precision for f32 {
    const TOLERANCE: f64 = 1e-3;
    const GAP: f64 = 3e-2;

    fn kernel(case: &Case) -> AnyKernel<f32> {
        case.kernel.1.clone()
    }
}

/// Kernels of every shape, scaled so that no spectrum is degenerate.
fn kernels() -> Vec<(&'static str, AnyKernel<f64>, AnyKernel<f32>)> {
    macro_rules! both {
        ($name:expr, $kernel:expr) => {{
            let double: AnyKernel<f64> = Arc::new($kernel);
            let single: AnyKernel<f32> = Arc::new($kernel);
            ($name, double, single)
        }};
    }
    vec![
        both!("linear", Linear::new()),
        both!("quadratic", Polynomial::new(2, 0.5, 1.0)),
        both!("cubic, homogeneous", Polynomial::homogeneous(3)),
        both!("gaussian", Gaussian::new(0.3)),
        both!("laplacian", Laplacian::new(0.4)),
        both!("sum", Gaussian::new(0.5).plus(Linear::new().scaled(0.1))),
        both!(
            "product",
            Laplacian::new(0.2).times(Polynomial::new(1, 1.0, 2.0))
        ),
    ]
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Regime {
    Plain,
    Duplicates,
    ConstantColumn,
    Collinear,
}

/// Training and new samples of one regime; the new samples contain some of the training samples.
pub(crate) fn samples(n: usize, d: usize, regime: Regime, seed: u64) -> (Array2<f64>, Array2<f64>) {
    let (mut x, new) = (normal(n, d, seed), normal(7, d, seed + 1));
    match regime {
        Regime::Plain => {}
        Regime::Duplicates => {
            for i in 0..n / 3 {
                let row = x.row(i).to_owned();
                x.row_mut(n - 1 - i).assign(&row);
            }
        }
        Regime::ConstantColumn => x.column_mut(0).fill(1.5),
        Regime::Collinear => {
            let first = x.column(0).to_owned();
            for (j, mut column) in x.columns_mut().into_iter().enumerate() {
                column.assign(&(&first * (j as f64 + 1.0)));
            }
        }
    }
    let seen = x.select(Axis(0), &[0, n / 2]);
    (x, concatenate(Axis(0), &[new.view(), seen.view()]).unwrap())
}

/// A problem, with what both sides need.
pub(crate) struct Case {
    pub(crate) name: String,
    x: Array2<f64>,
    new: Array2<f64>,
    kernel: (AnyKernel<f64>, AnyKernel<f32>),
    /// The centred kernel matrix.
    pub(crate) k: Array2<f64>,
    /// The centred kernel values of new with training samples.
    pub(crate) k_new: Array2<f64>,
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl Case {
    /// The number of kernels.
    pub(crate) fn kernels() -> usize {
        kernels().len()
    }

    fn new(n: usize, d: usize, regime: Regime, kernel: usize, seed: u64) -> Self {
        let (x, new) = samples(n, d, regime, seed);
        let name = format!("n = {n}, d = {d}, {regime:?}, seed {seed}");
        Case::of(&name, x, new, kernel)
    }

    /// A case of given samples, with the kernel of this number.
    pub(crate) fn of(what: &str, x: Array2<f64>, new: Array2<f64>, kernel: usize) -> Self {
        let (name, double, single) = kernels().swap_remove(kernel);
        let (rows, new_rows) = (
            Rows::new(x.clone()).unwrap(),
            Rows::new(new.clone()).unwrap(),
        );
        Case {
            name: format!("{name}, {what}"),
            k: centering::centered_gram(&*double, &rows),
            k_new: centering::centered_cross(&*double, &new_rows, &rows),
            x,
            new,
            kernel: (double, single),
        }
    }

    /// Cases with n < d, n = d and n > d.
    pub(crate) fn any(smallest: usize) -> impl Strategy<Value = Case> {
        let regime = prop_oneof![
            3 => Just(Regime::Plain),
            1 => Just(Regime::Duplicates),
            1 => Just(Regime::ConstantColumn),
            1 => Just(Regime::Collinear),
        ];
        (
            smallest..40_usize,
            1..12_usize,
            regime,
            0..kernels().len(),
            0..1000_u64,
        )
            .prop_filter(
                "a single column that is constant has no variance",
                |&(_, d, regime, ..)| d > 1 || regime != Regime::ConstantColumn,
            )
            .prop_map(|(n, d, regime, kernel, seed)| Case::new(n, d, regime, kernel, seed))
    }

    pub(crate) fn len(&self) -> usize {
        self.x.nrows()
    }

    pub(crate) fn x<F: Scalar>(&self) -> Array2<F> {
        self.x.mapv(F::cast)
    }

    pub(crate) fn new_samples<F: Scalar>(&self) -> Array2<F> {
        self.new.mapv(F::cast)
    }

    /// The mean squared distance from the centre, in feature space.
    pub(crate) fn variance(&self) -> f64 {
        self.k.diag().sum() / self.len() as f64
    }

    /// The largest distance from the centre, in feature space.
    pub(crate) fn longest(&self) -> f64 {
        self.k.diag().fold(0.0_f64, |m, v| m.max(*v)).sqrt()
    }

    pub(crate) fn eigenvalues(&self) -> Array1<f64> {
        oracles::jacobi::eigh(self.k.view()).0
    }

    /// The rank that all computations agree on.
    pub(crate) fn rank(&self) -> usize {
        let level = 1e-6 * self.k.diag().sum();
        self.eigenvalues().iter().filter(|&&v| v > level).count()
    }

    /// Classes with a curved border; every class has several members.
    pub(crate) fn classes(&self, count: usize) -> Array1<usize> {
        let n = self.len();
        let radius: Vec<f64> = self
            .x
            .outer_iter()
            .map(|row| row.dot(&row) + 0.3 * row[0])
            .collect();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&i, &j| radius[i].total_cmp(&radius[j]));
        let mut labels = Array1::zeros(n);
        for (rank, &i) in order.iter().enumerate() {
            labels[i] = rank * count / n;
        }
        labels
    }
}

pub(crate) fn double<F: Scalar, D: Dimension>(x: &Array<F, D>) -> Array<f64, D> {
    x.mapv(F::as_f64)
}

/// The largest difference of answers that is allowed, by the precision.
pub(crate) struct Claim {
    pub(crate) f64: f64,
    pub(crate) f32: f64,
}

/// The claim for methods that are not in the README's table.
const GENERAL: Claim = Claim {
    f64: f64::TOLERANCE,
    f32: f32::TOLERANCE,
};

impl Claim {
    fn of<F: Precision>(&self) -> f64 {
        if F::epsilon().as_f64() == f64::EPSILON {
            self.f64
        } else {
            self.f32
        }
    }

    /// Asserts agreement relative to the largest expected value.
    pub(crate) fn assert_close<F: Precision, D: Dimension>(
        &self,
        name: &str,
        found: &Array<F, D>,
        expected: &Array<f64, D>,
    ) {
        let scale = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        self.assert_close_on(name, found, expected, scale);
    }

    /// Asserts agreement of a linear function ⟨w, φ(x)⟩, w = Σ αᵢφ(xᵢ), at the new samples. In f64 it is relative to
    /// the largest value. In f32 it is relative to ‖w‖·max‖φ(xᵢ)‖, by Cauchy and Schwarz the size of the terms
    /// that cancel in the values. Where w = 0 to rounding, the rounding of Σ αᵢφ(xᵢ) is allowed.
    pub(crate) fn assert_close_function<F: Precision>(
        &self,
        case: &Case,
        found: &Array1<F>,
        expected: &Array1<f64>,
        alpha: ArrayView1<'_, f64>,
    ) {
        let rounding = |epsilon: f64| 10.0 * epsilon * case.len() as f64;
        let terms = alpha.fold(0.0, |sum, a| sum + a.abs()) * case.longest();
        let squared = alpha.dot(&case.k.dot(&alpha));
        if squared <= rounding(f64::EPSILON) * terms * terms {
            let left = rounding(F::epsilon().as_f64()) * terms * case.longest();
            let largest = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
            let scale = largest.max(left / self.of::<F>());
            self.assert_close_on(&case.name, found, expected, scale);
        } else if F::TOLERANCE == f64::TOLERANCE {
            self.assert_close(&case.name, found, expected);
        } else {
            let scale = squared.sqrt() * case.longest();
            self.assert_close_on(&case.name, found, expected, scale);
        }
    }

    /// Asserts agreement relative to a given size.
    pub(crate) fn assert_close_on<F: Precision, D: Dimension>(
        &self,
        name: &str,
        found: &Array<F, D>,
        expected: &Array<f64, D>,
        scale: f64,
    ) {
        assert_eq!(found.shape(), expected.shape(), "{name}");
        let worst = found.iter().zip(expected).fold(0.0_f64, |m, (a, b)| {
            if a.is_finite() {
                m.max((a.as_f64() - b).abs())
            } else {
                f64::INFINITY
            }
        });
        assert!(
            worst <= self.of::<F>() * scale,
            "{name}: off by {:e} of {scale:e} in {}",
            worst / scale,
            std::any::type_name::<F>()
        );
    }
}

pub(crate) fn assert_close<F: Precision, D: Dimension>(
    name: &str,
    found: &Array<F, D>,
    expected: &Array<f64, D>,
) {
    GENERAL.assert_close(name, found, expected);
}

pub(crate) fn assert_close_function<F: Precision>(
    case: &Case,
    found: &Array1<F>,
    expected: &Array1<f64>,
    alpha: ArrayView1<'_, f64>,
) {
    GENERAL.assert_close_function(case, found, expected, alpha);
}

pub(crate) fn assert_close_on<F: Precision, D: Dimension>(
    name: &str,
    found: &Array<F, D>,
    expected: &Array<f64, D>,
    scale: f64,
) {
    GENERAL.assert_close_on(name, found, expected, scale);
}

/// The configuration of proptest: always the same cases, so that a failure is one for everyone.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 60,
        rng_algorithm: proptest::test_runner::RngAlgorithm::ChaCha,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2013),
        failure_persistence: None,
        ..Default::default()
    }
}
