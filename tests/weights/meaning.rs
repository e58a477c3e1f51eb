//! Tests that a weight of k counts as k samples.

use super::{Weighted, class, number, repeated, side, weighted};
use linfa::{
    DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, Axis, RemoveAxis, s};
use npt::{
    methods::{
        IterativeKernelRidge, KernelCalibratedSvc, KernelHardMarginSvc, KernelIca, KernelKMeans,
        KernelLogistic, KernelNuSvc, KernelOneClassSvm, KernelPls, KpcaLda,
        linear::{
            CalibratedSvc, Cca, Chain, FastIca, HardMarginSvc, IterativeRidge, KMeans, Lda,
            Logistic, MulticlassSvc, NuSvc, OneClassSvm, Pca, PcaL1, Pls, QuantileRegression,
            Ridge, Scatter, Strategy, Svc, Svr,
        },
    },
    prelude::*,
};
use npt_testkit::data;

pub(super) fn same(a: &Array2<f64>, b: &Array2<f64>) {
    let off = (a - b).fold(0.0, |m: f64, v| m.max(v.abs()));
    let size = b.fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(size > 0.1 && off < 1e-6 * size, "{off:e} of {size:e}");
}

/// Checks that the values of a model of weighted samples are those with as many samples, and not those with each sample once.
fn means_samples<L: Clone, I: RemoveAxis>(
    data: &Weighted<L, I>,
    values: impl Fn(&Weighted<L, I>) -> Array2<f64>,
) {
    let found = values(data);
    same(&found, &values(&repeated(data)));
    let mut once = data.clone();
    once.weights = Array1::zeros(0);
    let other = values(&once);
    let off = (&other - &found).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off > 1e-3, "the weights change nothing: {off:e}");
}

/// Samples with few columns, with more columns than samples, and far from the origin.
fn shapes<L: Clone>(target: impl Fn(&[f64]) -> L) -> [Weighted<L>; 3] {
    let few = weighted(target);
    let many = DatasetBase::new(data::normal(60, 90, 1), few.targets.clone());
    let many = many.with_weights(few.weights.clone());
    let mut far = few.clone();
    far.records += 1e3;
    [few, many, far]
}

/// The values of the one function of a model.
pub(super) fn value(
    model: &impl Transformer<Array2<f64>, Array1<f64>>,
    new: &Array2<f64>,
) -> Array2<f64> {
    model.transform(new.clone()).insert_axis(Axis(1))
}

/// The values of a model's functions.
pub(super) fn values(
    model: &impl Transformer<Array2<f64>, Array2<f64>>,
    new: &Array2<f64>,
) -> Array2<f64> {
    model.transform(new.clone())
}

/// The predictions of a model.
fn predicted<M>(model: &M, new: &Array2<f64>) -> Array2<f64>
where
    M: for<'a> Predict<&'a Array2<f64>, Array1<f64>>,
{
    model.predict(new).insert_axis(Axis(1))
}

/// Checks that a weight of k counts as k samples by records of several shapes, by kernel values, and by coordinates.
macro_rules! means_samples_on_all_roads {
    ($linear:expr, $method:expr, $data:expr, $values:ident) => {
        for data in $data {
            let new = data.records.slice(s![..20, ..]).to_owned();
            means_samples(&data, |data| $values(&$linear.fit(data).unwrap(), &new));
        }
        let (data, new) = (&$data[0], data::normal(20, 2, 4));
        means_samples(data, |data| $values(&$method.fit(data).unwrap(), &new));
        let method = $method.by_coordinates();
        means_samples(data, |data| $values(&method.fit(data).unwrap(), &new));
    };
}

const KERNEL: fn() -> Gaussian<f64> = || Gaussian::new(0.5);

#[test]
fn of_support_vector_classifiers() {
    let sides = shapes(side);
    let linear = Svc::params().class_c(0.7, 2.0).tolerance(1e-9);
    let method = KernelSvc::params(KERNEL()).method(|m| m.c(3.0).tolerance(1e-9));
    means_samples_on_all_roads!(linear, method.clone(), sides.clone(), value);

    let found = linear.fit(&sides[0]).unwrap();
    let alphas = found.dual();
    let mut alphas = alphas.iter().zip(&sides[0].weights);
    assert!(alphas.clone().all(|(a, &w)| a.abs() <= 2.0 * f64::from(w)));
    assert!(alphas.any(|(a, &w)| a.abs() > 2.0 && w == 3.0));

    let linear = NuSvc::params(0.51).tolerance(1e-10);
    let method = KernelNuSvc::params(0.51, KERNEL()).method(|m| m.tolerance(1e-10));
    means_samples_on_all_roads!(linear, method.clone(), sides.clone(), value);

    for strategy in [Strategy::OneAgainstOne, Strategy::OneAgainstRest] {
        let linear = MulticlassSvc::params().strategy(strategy);
        let linear = linear.c(2.0).tolerance(1e-9);
        let method = KernelSvc::params(KERNEL()).method(|_| linear.clone());
        means_samples_on_all_roads!(linear, method.clone(), shapes(class), values);
    }
}

#[test]
fn of_support_vector_regression() {
    let params = Svr::params().c(2.0).tolerance(1e-9);
    for linear in [params.clone().epsilon(0.05), params.nu(0.3)] {
        let method = KernelSvr::params(KERNEL()).method(|_| linear.clone());
        means_samples_on_all_roads!(linear, method.clone(), shapes(number), predicted);
    }
}

/// τ Σ sᵢ is no whole number in quantile regression; otherwise b could be anything between two targets.
#[test]
fn of_quantile_regression() {
    let linear = QuantileRegression::params().quantile(0.31);
    let linear = linear.c(2.0).tolerance(1e-9);
    let method = KernelQuantileRegression::params(KERNEL()).method(|_| linear.clone());
    means_samples_on_all_roads!(linear, method.clone(), shapes(number), predicted);
}

/// ν Σ sᵢ is no whole number in the one-class machine; otherwise some plane would have no sample between its bounds.
#[test]
fn of_one_class() {
    let mut data = weighted(|_| ());
    data.records += 2.0;
    let linear = OneClassSvm::params(0.31).tolerance(1e-9);
    let method = KernelOneClassSvm::params(0.31, KERNEL()).method(|m| m.tolerance(1e-9));
    means_samples_on_all_roads!(linear, method.clone(), [data.clone()], value);
}

/// Probabilities need folds, each sample being in one: weights that are the same for all samples change the penalty, and
/// the number of samples.
#[test]
fn of_calibrated_probabilities() {
    let data = weighted(class);
    let weigh = |weight: f32| {
        let mut data = data.clone();
        data.weights.fill(weight);
        data
    };
    let params = |c| CalibratedSvc::params().c(c).tolerance(1e-9).folds(3);
    let new = data::normal(20, 2, 4);
    let mut without = data.clone();
    without.weights = Array1::zeros(0);
    let expected = params(3.0).fit(&without).unwrap();
    let probabilities = expected.predict_probabilities(&new);
    let once = params(3.0).fit(&weigh(1.0)).unwrap();
    same(&once.predict_probabilities(&new), &probabilities);
    let heavy = params(1.0).fit(&weigh(3.0)).unwrap();
    same(&values(&heavy, &new), &values(&expected, &new));
    let off = heavy.predict_probabilities(&new) - &probabilities;
    let off = off.fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off > 1e-3 && off < 0.1, "{off:e}");

    let method = KernelCalibratedSvc::params(KERNEL()).method(|m| m.tolerance(1e-9).folds(3));
    let found = method.fit(&data).unwrap().predict_probabilities(&new);
    let by_coordinates = method.by_coordinates().fit(&data).unwrap();
    let expected = by_coordinates.predict_probabilities(&new);
    same(&found.unwrap(), &expected.unwrap());
}

#[test]
fn of_ridge_regression() {
    for intercept in [true, false] {
        let linear = Ridge::params().penalty(0.3).intercept(intercept);
        // Without an intercept the origin counts, and it is not the mean of the samples with each counted once.
        let method = KernelRidge::params(KERNEL()).space(|s| s.centered(intercept));
        let method = method.method(|_| linear.clone());
        means_samples_on_all_roads!(linear, method.clone(), shapes(number), predicted);

        let linear = IterativeRidge::params().penalty(0.3).tolerance(1e-11);
        for pivots in [0, 30] {
            let linear = linear.clone().intercept(intercept).pivots(pivots);
            let method = IterativeKernelRidge::params(KERNEL()).space(|s| s.centered(intercept));
            let method = method.method(|_| linear.clone());
            let data = [weighted(number), shapes(number)[1].clone()];
            means_samples_on_all_roads!(linear, method.clone(), data.clone(), predicted);
        }
    }
}

#[test]
fn of_logistic_regression() {
    let two = shapes(|row| usize::from(side(row)));
    for data in [two, shapes(class)] {
        let linear = Logistic::params().penalty(0.2);
        let method = KernelLogistic::params(KERNEL()).method(|m| m.penalty(0.2));
        means_samples_on_all_roads!(linear, method.clone(), data.clone(), values);
    }
}

#[test]
fn of_discriminants() {
    for scatter in [Scatter::Between, Scatter::Total] {
        let linear = Lda::params().ridge(0.1).scatter(scatter);
        let method = Kfd::params(KERNEL()).method(|_| linear.clone());
        means_samples_on_all_roads!(linear, method.clone(), shapes(class), values);
    }
}

/// Chains take weights for the components, and for the discriminants in them.
#[test]
fn of_chains() {
    let linear = Chain::new(Pca::params(2), Lda::params().ridge(0.1));
    let [few, _, far] = shapes(class);
    for data in [few.clone(), far] {
        let new = data.records.slice(s![..20, ..]).to_owned();
        means_samples(&data, |data| values(&linear.fit(data).unwrap(), &new));
    }
    let (method, new) = (KpcaLda::params(4, KERNEL()), data::normal(20, 2, 4));
    means_samples(&few, |data| values(&method.fit(data).unwrap(), &new));
    let method = method.by_coordinates();
    means_samples(&few, |data| values(&method.fit(data).unwrap(), &new));
}

/// The widest margin depends on which samples there are, not on how often: none may be on the wrong side.
#[test]
fn of_the_widest_margin() {
    let data = weighted(|row| row[0] > 0.0);
    let linear = HardMarginSvc::params().tolerance(1e-9);
    let method = KernelHardMarginSvc::params(KERNEL()).method(|_| linear.clone());
    let by_coordinates = method.clone().by_coordinates();
    let new = data::normal(20, 2, 4);
    means_samples(&data, |data| value(&linear.fit(data).unwrap(), &new));
    means_samples(&data, |data| value(&method.fit(data).unwrap(), &new));
    means_samples(&data, |data| {
        value(&by_coordinates.fit(data).unwrap(), &new)
    });
}

#[test]
fn of_components() {
    let data = shapes(number);
    let method = Kpca::params(2, KERNEL());
    means_samples_on_all_roads!(Pca::params(2), method.clone(), data.clone(), values);
    let method = KernelPls::params(2, KERNEL());
    means_samples_on_all_roads!(Pls::params(2), method.clone(), data.clone(), predicted);
    means_samples_on_all_roads!(Pls::params(2), method.clone(), data.clone(), values);
    // The best of the local maxima of a sum of magnitudes is compared.
    let linear = PcaL1::params(1).starts(200);
    let method = KpcaL1::params(1, KERNEL()).method(|_| linear.clone());
    means_samples_on_all_roads!(linear, method.clone(), [data[0].clone()], values);

    let pca = |data| Pca::params(2).fit(data).unwrap();
    let (found, expected) = (pca(&data[0]), pca(&repeated(&data[0])));
    let off = &found.eigenvalues() / &expected.eigenvalues() - 1.0;
    assert!(off.iter().all(|off| off.abs() < 1e-12));
}

/// Independent components are of skewed records, whose sources have no Gaussian among them.
#[test]
fn of_independent_components() {
    let mut data = weighted(number);
    data.records.mapv_inplace(f64::exp);
    let linear = FastIca::params().tolerance(1e-12);
    let new = data.records.slice(s![..20, ..]).to_owned();
    means_samples(&data, |data| values(&linear.fit(data).unwrap(), &new));
    // There are two components, as the space of three is another one where samples are repeated.
    let method = KernelIca::params(2, Polynomial::new(1, 1.0, 1.0)).method(|m| m.tolerance(1e-12));
    means_samples(&data, |data| values(&method.fit(data).unwrap(), &new));
    let method = method.by_coordinates();
    means_samples(&data, |data| values(&method.fit(data).unwrap(), &new));
}

#[test]
fn of_correlations() {
    let data = weighted(number);
    let views = ndarray::stack![
        Axis(1),
        data.targets,
        data.records.column(1).mapv(|v| v * v)
    ];
    let data = DatasetBase::new(data.records, views).with_weights(data.weights);
    let new = data::normal(20, 2, 4);
    for ridge in [0.0, 0.1] {
        let linear = Cca::params(2).ridge(ridge);
        means_samples(&data, |data| {
            values(linear.fit(data).unwrap().first(), &new)
        });
        let correlations = |data: &_| linear.fit(data).unwrap().correlations().to_owned();
        let off = correlations(&data) - correlations(&repeated(&data));
        assert!(off.iter().all(|d| d.abs() < 1e-12));
    }
}

/// Clusters are compared whatever their numbers, by the squared distance from the nearest centroid less that from the mean.
#[test]
fn of_clusters() {
    let data = weighted(number);
    let linear = KMeans::params(3).starts(50);
    let nearest = |distances: Array2<f64>| {
        let least = |row: ndarray::ArrayView1<'_, f64>| row.fold(f64::INFINITY, |m, &v| m.min(v));
        distances.map_axis(Axis(1), least).insert_axis(Axis(1))
    };
    let new = data::normal(20, 2, 4);
    means_samples(&data, |data| {
        nearest(values(&linear.fit(data).unwrap(), &new))
    });
    let method = KernelKMeans::params(3, KERNEL()).method(|_| linear.clone());
    means_samples(&data, |data| {
        nearest(values(&method.fit(data).unwrap(), &new))
    });
    let inertia = |data| linear.fit(data).unwrap().inertia();
    assert!((inertia(&data) / inertia(&repeated(&data)) - 1.0).abs() < 1e-12);
}

/// A weight of k counts as k samples also for many samples of low rank, whose inner products are those of coordinates.
#[test]
fn of_low_rank() {
    let x = data::normal(1500, 2, 3);
    let numbers: Array1<f64> = x.outer_iter().map(|row| number(&row.to_vec())).collect();
    let weights: Array1<f32> = (0_u16..1500).map(|i| f32::from(i % 4)).collect();
    let data = DatasetBase::new(x, numbers).with_weights(weights);
    let new = data::normal(20, 2, 4);
    let kernel = || Polynomial::new(2, 1.0, 1.0);
    let ridge = KernelRidge::params(kernel()).method(|m| m.penalty(0.3));
    means_samples(&data, |data| predicted(&ridge.fit(data).unwrap(), &new));
    let iterative =
        IterativeKernelRidge::params(kernel()).method(|m| m.penalty(0.3).tolerance(1e-11));
    means_samples(&data, |data| predicted(&iterative.fit(data).unwrap(), &new));
    let svr = KernelSvr::params(kernel()).method(|m| m.c(0.1).tolerance(1e-9));
    means_samples(&data, |data| predicted(&svr.fit(data).unwrap(), &new));
    let kpca = Kpca::params(2, kernel());
    means_samples(&data, |data| values(&kpca.fit(data).unwrap(), &new));
}
