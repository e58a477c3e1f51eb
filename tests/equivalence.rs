//! Every kernelized method against its kernel-trick formula: relative agreement 10⁻⁸ in f64 and
//! 10⁻³ in f32, on the scale of the largest value compared.

use linfa::{DatasetBase, traits::Transformer};
use linfa_clustering::KMeans;
use ndarray::{Array1, Array2, Axis, concatenate};
use npt::{linalg, methods::Error, methods::linear::Scatter, prelude::*};
use npt_testkit::{
    data::normal,
    oracles::{self, centring},
};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;
use std::sync::Arc;

const F64: f64 = 1e-8;
const F32: f64 = 1e-3;

type AnyKernel<F> = Arc<dyn Kernel<Rows<F>, Scalar = F>>;

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

/// Training and new samples of one regime.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Regime {
    Plain,
    Duplicates,
    ConstantColumn,
    Collinear,
}

fn samples(n: usize, d: usize, regime: Regime, seed: u64) -> (Array2<f64>, Array2<f64>) {
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
    // New samples: some training samples among them.
    let seen = x.select(Axis(0), &[0, n / 2]);
    (x, concatenate(Axis(0), &[new.view(), seen.view()]).unwrap())
}

/// One problem, prepared for both sides.
struct Case {
    name: String,
    x: Array2<f64>,
    new: Array2<f64>,
    kernel: (AnyKernel<f64>, AnyKernel<f32>),
    /// Centred kernel matrix and centred kernel values of new with training samples.
    k: Array2<f64>,
    k_new: Array2<f64>,
}

fn case(n: usize, d: usize, regime: Regime, kernel: usize, seed: u64) -> Case {
    let (x, new) = samples(n, d, regime, seed);
    let (name, double, single) = kernels().swap_remove(kernel);
    let (rows, new_rows) = (
        Rows::new(x.clone()).unwrap(),
        Rows::new(new.clone()).unwrap(),
    );
    let k = centring::centred_gram(&*double, &rows);
    let k_new = centring::centred_cross(&*double, &new_rows, &rows);
    let name = format!("{name}, n = {n}, d = {d}, {regime:?}, seed {seed}");
    Case {
        name,
        x,
        new,
        kernel: (double, single),
        k,
        k_new,
    }
}

fn single(x: &Array2<f64>) -> Array2<f32> {
    x.mapv(|v| v as f32)
}

fn double<D: ndarray::Dimension>(x: &ndarray::Array<f32, D>) -> ndarray::Array<f64, D> {
    x.mapv(f64::from)
}

fn assert_close<D: ndarray::Dimension>(
    name: &str,
    found: &ndarray::Array<f64, D>,
    expected: &ndarray::Array<f64, D>,
    tolerance: f64,
) {
    let scale = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    assert_close_on(name, found, expected, tolerance, scale);
}

fn assert_close_on<D: ndarray::Dimension>(
    name: &str,
    found: &ndarray::Array<f64, D>,
    expected: &ndarray::Array<f64, D>,
    tolerance: f64,
    scale: f64,
) {
    assert_eq!(found.shape(), expected.shape(), "{name}");
    let worst = found.iter().zip(expected).fold(0.0_f64, |m, (a, b)| {
        if a.is_finite() {
            m.max((a - b).abs())
        } else {
            f64::INFINITY
        }
    });
    assert!(
        worst <= tolerance * scale,
        "{name}: off by {:e} of {scale:e}",
        worst / scale
    );
}

/// How many leading eigenvalues stand apart from their neighbours: axes within a cluster are
/// anybody's choice, and no formula fixes them.
fn separated(k: &Array2<f64>, gap: f64) -> usize {
    let values = oracles::jacobi::eigh(k.view()).0;
    let n = values.len();
    (1..n)
        .take_while(|&i| {
            values[i - 1] - values[i] > gap * values[0] && values[i - 1] > gap * values[0]
        })
        .count()
}

/// Classes by a curved border, every class with several members.
fn classes(x: &Array2<f64>, count: usize) -> Array1<usize> {
    let n = x.nrows();
    let radius: Vec<f64> = x
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

fn regime() -> impl Strategy<Value = Regime> {
    prop_oneof![
        3 => Just(Regime::Plain),
        1 => Just(Regime::Duplicates),
        1 => Just(Regime::ConstantColumn),
        1 => Just(Regime::Collinear),
    ]
}

/// Sizes with n < d, n = d and n > d.
fn any_case(smallest: usize) -> impl Strategy<Value = Case> {
    (
        smallest..40_usize,
        1..12_usize,
        regime(),
        0..kernels().len(),
        0..1000_u64,
    )
        .prop_filter(
            "a single column that is constant has no variance",
            |&(_, d, regime, ..)| d > 1 || regime != Regime::ConstantColumn,
        )
        .prop_map(|(n, d, regime, kernel, seed)| case(n, d, regime, kernel, seed))
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

fn config(cases: u32) -> ProptestConfig {
    let rng_algorithm = proptest::test_runner::RngAlgorithm::ChaCha;
    let rng_seed = proptest::test_runner::RngSeed::Fixed(2013);
    ProptestConfig {
        cases,
        rng_algorithm,
        rng_seed,
        failure_persistence: None,
        ..Default::default()
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn kpca_is_equation_14(case in any_case(2)) {
        let Case { name, x, new, kernel, k, k_new } = case;
        for (gap, tolerance) in [(1e-4, F64), (3e-2, F32)] {
            let components = separated(&k, gap).min(4);
            if components == 0 {
                continue;
            }
            let expected = oracles::kpca::scores(k.view(), k_new.view(), components);
            let scores: Array2<f64> = if tolerance == F64 {
                let data = DatasetBase::from(x.clone());
                let model = Kpca::params(components, kernel.0.clone()).fit(&data).unwrap();
                let eigenvalues = oracles::jacobi::eigh(k.view()).0;
                let leading = eigenvalues.slice(ndarray::s![..components]).to_owned();
                assert_close(&name, &model.inner().eigenvalues().to_owned(), &leading, tolerance);
                let ratio = &leading / k.diag().sum();
                assert_close(&name, &model.inner().explained_variance_ratio(), &ratio, tolerance);
                model.transform(new.clone())
            } else {
                let data = DatasetBase::from(single(&x));
                let model = Kpca::params(components, kernel.1.clone()).fit(&data).unwrap();
                double(&model.transform(single(&new)))
            };
            assert_close(&name, &scores, &expected, tolerance);
        }
    }

    #[test]
    fn kfd_is_equation_24(case in any_case(6), count in 2..4_usize, total in any::<bool>()) {
        let Case { name, x, new, kernel, k, k_new } = case;
        let labels = classes(&x, count);
        let (n, ridge) = (x.nrows(), 0.7);
        let mu = ridge * k.diag().sum() / n as f64;
        let label_slice = labels.as_slice().unwrap();
        let discriminants = |components| {
            oracles::kfd::discriminants(k.view(), label_slice, mu, total, components)
        };
        // In a space of low rank there are fewer discriminants than classes suggest.
        let all = discriminants(count - 1).0;
        let rank = oracles::jacobi::eigh(k.view()).0.iter().filter(|&&v| v > 1e-6 * k.diag().sum()).count();
        let components = all.iter().take(rank).filter(|&&v| v > 1e-4 * all[0]).count();
        let (theta, alpha) = discriminants(components);
        // The oracle solves the equation it stands for.
        let (m, within) = oracles::kfd::matrices(k.view(), label_slice, mu, total);
        assert_close(&name, &m.dot(&alpha), &(within.dot(&alpha) * &theta), F64);
        let mut expected = k_new.dot(&alpha);
        let mut means = Array2::zeros((count, components));
        for (label, row) in labels.iter().zip(k.dot(&alpha).outer_iter()) {
            let members = labels.iter().filter(|&l| l == label).count() as f64;
            let mut mean = means.row_mut(*label);
            mean += &(&row / members);
        }
        // Discriminants of nearly equal strength are anybody's choice.
        let apart = components == 1 || theta[0] - theta[1] > 1e-3 * theta[0];
        let scatter = if total { Scatter::Total } else { Scatter::Between };
        for (mut column, mean) in expected.columns_mut().into_iter().zip(means.columns()) {
            column *= oracles::sign_of_largest(mean);
        }
        let params = Kfd::params(kernel.0).ridge(ridge).scatter(scatter).components(components);
        let model = params.fit(&DatasetBase::new(x.clone(), labels.clone())).unwrap();
        assert_close(&name, &model.inner().eigenvalues().to_owned(), &theta, F64);
        if apart {
            assert_close(&name, &model.transform(new.clone()), &expected, F64);
        }
        let params = Kfd::params(kernel.1).ridge(ridge).scatter(scatter).components(components);
        let model = params.fit(&DatasetBase::new(single(&x), labels)).unwrap();
        if components == 1 {
            assert_close(&name, &double(&model.transform(single(&new))), &expected, F32);
        }
    }

    #[test]
    fn svc_is_the_dual_of_equation_18(case in any_case(4), c in 0.1..5.0_f64) {
        let Case { name, x, new, kernel, k, k_new } = case;
        let labels = classes(&x, 2).mapv(|label| label == 1);
        // The same problem at unit scale, so that C means the same for every kernel.
        let c = c / (k.diag().sum() / k.nrows() as f64);
        let (dual, bias) = oracles::svc::dual(k.view(), labels.as_slice().unwrap(), c, 1e-12);
        let expected = k_new.dot(&dual) + bias;
        let params = KernelSvc::params(kernel.0).c(c).tolerance(1e-12);
        let model = params.fit(&DatasetBase::new(x.clone(), labels.clone())).unwrap();
        let values: Array1<f64> = model.transform(new.clone());
        // The bias is unique only if some coefficient is strictly between its bounds.
        let free = dual.iter().any(|&a| a.abs() > 1e-6 * c && a.abs() < c * (1.0 - 1e-6));
        if free {
            assert_close(&name, &values, &expected, F64);
        } else {
            assert_close(&name, &(values - model.inner().bias()), &(&expected - bias), F64);
        }
        let params = KernelSvc::params(kernel.1).c(c).tolerance(1e-5);
        let model = params.fit(&DatasetBase::new(single(&x), labels)).unwrap();
        let values: Array1<f32> = model.transform(single(&new));
        if free {
            // In single precision the values are no better than the terms of ⟨w, φ(x)⟩, which
            // cancel: their scale is ‖w‖·‖φ(x)‖.
            let length = dual.dot(&k.dot(&dual)).sqrt();
            let longest = k.diag().iter().fold(0.0_f64, |m, v| m.max(*v)).sqrt();
            let scale = length * longest;
            assert_close_on(&name, &double(&values), &expected, F32, scale);
        }
    }

    #[test]
    fn kpca_l1_is_its_kernel_form(case in any_case(3), components in 1..3_usize) {
        let Case { name, x, new, kernel, k, k_new } = case;
        let rank = oracles::jacobi::eigh(k.view()).0.iter().filter(|&&v| v > 1e-6 * k.diag().sum()).count();
        prop_assume!(components <= rank);
        let (expected, objectives) =
            oracles::pca_l1::scores(k.view(), k_new.view(), components, 3, 7);
        let params = KpcaL1::params(components, kernel.1).starts(3).seed(7);
        let model = params.fit(&DatasetBase::from(single(&x))).unwrap();
        assert_close(&name, &double(&model.inner().objectives().to_owned()), &objectives, F32);
        let params = KpcaL1::params(components, kernel.0).starts(3).seed(7);
        let model = params.fit(&DatasetBase::from(x)).unwrap();
        assert_close(&name, &model.inner().objectives().to_owned(), &objectives, F64);
        assert_close(&name, &model.transform(new), &expected, F64);
    }

    #[test]
    fn ridge_is_its_closed_form(case in any_case(2), penalty in 0.01..10.0_f64) {
        let Case { name, x, new, kernel, k, k_new } = case;
        let targets = x.column(0).mapv(f64::sin) + 0.1 * &normal(x.nrows(), 1, 5).column(0);
        let penalty = penalty * k.diag().sum() / x.nrows() as f64;
        let expected = oracles::ridge::predict(k.view(), k_new.view(), targets.view(), penalty);
        let ridge = Ridge { penalty };
        for axes in [Axes::Principal, Axes::Cholesky] {
            let estimator = Kernelized::new(ridge, Exact::new(kernel.0.clone()).axes(axes));
            let model = estimator.fit(&DatasetBase::new(x.clone(), targets.clone())).unwrap();
            assert_close(&name, &model.predict(&new), &expected, F64);
        }
    }

    #[test]
    fn kmeans_distances_are_kernel_sums(case in any_case(4)) {
        let Case { name, x, new, kernel, .. } = case;
        let rng = Xoshiro256Plus::seed_from_u64(3);
        let means = KMeans::params_with_rng(2, rng).n_runs(2).tolerance(1e-12);
        let data = DatasetBase::from(x.clone());
        let Ok(model) = Kernelized::new(means, Exact::new(kernel.0.clone())).fit(&data) else {
            // linfa's k-means gives up where a cluster runs empty.
            return Ok(());
        };
        let clusters: Array1<usize> = model.predict(&x);
        let (rows, new_rows) = (Rows::new(x).unwrap(), Rows::new(new).unwrap());
        let (k, k_new) = (
            centring::cross(&*kernel.0, &rows, &rows),
            centring::cross(&*kernel.0, &new_rows, &rows),
        );
        let k_self: Array1<f64> =
            (0..new_rows.len()).map(|i| kernel.0.eval(new_rows.get(i), new_rows.get(i))).collect();
        let expected = oracles::kmeans::squared_distances(
            k.view(),
            k_new.view(),
            k_self.view(),
            clusters.as_slice().unwrap(),
            2,
        );
        let (y, residuals) = model.space().map_with_residuals(&new_rows).unwrap();
        let centroids = model.inner().centroids();
        let distances = Array2::from_shape_fn(expected.dim(), |(i, cluster)| {
            let difference = &y.row(i) - &centroids.row(cluster);
            difference.dot(&difference) + residuals[i]
        });
        // Compared only at a fixed point: the centroids are the means of their clusters.
        let y_train = model.space().training_coordinates();
        let settled = (0..2).all(|cluster| {
            let members: Vec<usize> = (0..rows.len()).filter(|&i| clusters[i] == cluster).collect();
            !members.is_empty() && {
                let mean = y_train.select(Axis(0), &members).mean_axis(Axis(0)).unwrap();
                (mean - centroids.row(cluster)).iter().all(|d| d.abs() < 1e-10)
            }
        });
        prop_assume!(settled);
        assert_close(&name, &distances, &expected, F64);
    }
}

/// Ridge regression in closed form: a linear method written for this test.
#[derive(Clone, Copy)]
struct Ridge {
    penalty: f64,
}

struct RidgeModel {
    weights: Array1<f64>,
    intercept: f64,
}

impl Fit<Array2<f64>, Array1<f64>, Error> for Ridge {
    type Object = RidgeModel;

    fn fit(&self, data: &DatasetBase<Array2<f64>, Array1<f64>>) -> Result<RidgeModel, Error> {
        let x = data.records();
        let intercept = data.targets().mean().expect("fit is given samples");
        let mut normal = linalg::symmetric_rank_k(x.view());
        normal.diag_mut().mapv_inplace(|v| v + self.penalty);
        let l = linalg::cholesky(&normal)?;
        let right = x
            .t()
            .dot(&(data.targets() - intercept))
            .insert_axis(Axis(1));
        let half = linalg::solve_lower(l.view(), right.view());
        let weights = linalg::solve_lower_transposed(l.view(), half.view());
        Ok(RidgeModel {
            weights: weights.column(0).to_owned(),
            intercept,
        })
    }
}

impl PredictInplace<Array2<f64>, Array1<f64>> for RidgeModel {
    fn predict_inplace(&self, x: &Array2<f64>, y: &mut Array1<f64>) {
        y.assign(&(x.dot(&self.weights) + self.intercept));
    }

    fn default_target(&self, x: &Array2<f64>) -> Array1<f64> {
        Array1::zeros(x.nrows())
    }
}

/// One sample has no centred space, by either way: every method says so.
#[test]
fn one_sample_is_refused_by_every_method() {
    use npt::Error::NoVariance;
    let x = normal(1, 3, 1);
    let kernel = Gaussian::new(0.5);
    let no_space = |error: Option<KernelizedError<Error>>| {
        assert_eq!(
            error,
            Some(KernelizedError::Space(NoVariance { samples: 1 }))
        );
    };
    no_space(
        Kpca::params(1, kernel)
            .fit(&DatasetBase::from(x.clone()))
            .err(),
    );
    no_space(
        KpcaL1::params(1, kernel)
            .fit(&DatasetBase::from(x.clone()))
            .err(),
    );
    no_space(
        Kfd::params(kernel)
            .fit(&DatasetBase::new(x.clone(), Array1::from_elem(1, 0)))
            .err(),
    );
    no_space(
        KernelSvc::params(kernel)
            .fit(&DatasetBase::new(x, Array1::from_elem(1, true)))
            .err(),
    );
}

/// Law 6: with the linear kernel, a rotation-invariant method predicts what it predicts on centred
/// data.
#[test]
fn linear_kernel_is_the_linear_method() {
    let (x, new) = samples(30, 4, Regime::Plain, 11);
    let labels = classes(&x, 3);
    let data = DatasetBase::new(x.clone(), labels);
    let linear = npt::methods::linear::Lda::<f64, usize>::params()
        .fit(&data)
        .unwrap();
    let kernel = Kfd::params(Linear::new()).fit(&data).unwrap();
    assert_close(
        "LDA",
        &kernel.transform(new.clone()),
        &linear.transform(new.clone()),
        1e-12,
    );
    let linear = npt::methods::linear::PcaL1::params(3).fit(&data).unwrap();
    let kernel = KpcaL1::params(3, Linear::new()).fit(&data).unwrap();
    assert_close(
        "PCA-L1",
        &kernel.transform(new.clone()),
        &linear.transform(new),
        1e-12,
    );
}
