//! Tests against values of LIBSVM, by scikit-learn 1.9.1:
//!
//! ```python
//! i = np.arange(30)
//! X = np.c_[np.sin(1.7*i), np.cos(2.3*i + 0.5)]
//! z = X[:,0]*X[:,1] + 0.3*X[:,0] + 0.2*np.sin(5.0*i)
//! y, L = z > 0, np.digitize(z, [-0.15, 0.2])
//! new = [[0.1, 0.2], [-0.6, 0.7], [0.9, -0.4]]
//! g = dict(kernel='rbf', gamma=0.5, tol=1e-12)
//! SVC(C=2.0, **g).fit(X, y).decision_function(new)
//! SVC(C=2.0, class_weight={True: 3.0, False: 0.5}, **g).fit(X, y).decision_function(new)
//! NuSVC(nu=0.4, **g).fit(X, y).decision_function(new)
//! SVR(C=2.0, epsilon=0.1, **g).fit(X, z).predict(new)
//! NuSVR(C=2.0, nu=0.3, **g).fit(X, z).predict(new)
//! OneClassSVM(nu=0.25, **g).fit(X).decision_function(new)
//! SVC(C=2.0, decision_function_shape='ovo', **g).fit(X, L).decision_function(new)
//! SVC(C=2.0, **g).fit(X, L == k).decision_function(new)    # k = 0, 1, 2
//! ```
//!
//! LIBSVM holds kernel values in `f32`, so its values are right to some 10⁻⁷.

use linfa::{Dataset, DatasetBase, traits::Transformer};
use ndarray::{Array1, Array2, ArrayView2, array};
use npt_core::Gaussian;
use npt_methods::{
    KernelNuSvc, KernelOneClassSvm, KernelSvc, KernelSvr,
    linear::{Strategy, SvcParams},
};

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.5)
}

const TOLERANCE: f64 = 1e-11;

fn problem() -> (Array2<f64>, Array1<f64>) {
    let x = Array2::from_shape_fn((30, 2), |(i, j)| match j {
        0 => (1.7 * i as f64).sin(),
        _ => (2.3 * i as f64 + 0.5).cos(),
    });
    let z = Array1::from_shape_fn(30, |i| {
        let noise = 0.2 * (5.0 * i as f64).sin();
        x[[i, 0]] * x[[i, 1]] + 0.3 * x[[i, 0]] + noise
    });
    (x, z)
}

fn sides() -> Dataset<f64, bool, ndarray::Ix1> {
    let (x, z) = problem();
    DatasetBase::new(x, z.mapv(|z| z > 0.0))
}

fn thirds() -> Dataset<f64, usize, ndarray::Ix1> {
    let (x, z) = problem();
    let class = |z| usize::from(z >= -0.15) + usize::from(z >= 0.2);
    DatasetBase::new(x, z.mapv(class))
}

fn new() -> Array2<f64> {
    array![[0.1, 0.2], [-0.6, 0.7], [0.9, -0.4]]
}

fn assert_values(found: &Array1<f64>, expected: [f64; 3]) {
    let expected = Array1::from(expected.to_vec());
    assert!(
        (found - &expected).iter().all(|d| d.abs() < 1e-6),
        "{found} for {expected}"
    );
}

#[test]
fn c_svc() {
    let model = KernelSvc::params(kernel()).method(|m| m.c(2.0).tolerance(TOLERANCE));
    let model = model.fit(&sides()).unwrap();
    let expected = [-0.475_906_937_776, -1.575_920_978_239, -0.500_433_266_519];
    assert_values(&model.transform(new()), expected);
    let support = model.inner().dual().iter().filter(|&&v| v != 0.0).count();
    assert_eq!(support, 19);

    let weighted = |m: SvcParams| m.class_c(6.0, 1.0).tolerance(TOLERANCE);
    let model = KernelSvc::params(kernel()).method(weighted);
    let model = model.fit(&sides()).unwrap();
    let expected = [1.659_412_197_991, -0.321_380_621_917, 0.327_287_165_579];
    assert_values(&model.transform(new()), expected);
}

#[test]
fn nu_svc() {
    let model = KernelNuSvc::params(0.4, kernel()).method(|m| m.tolerance(TOLERANCE));
    let expected = [0.378_680_515_871, -2.820_910_335_32, 0.039_667_745_425];
    assert_values(&model.fit(&sides()).unwrap().transform(new()), expected);
}

#[test]
fn svr() {
    let (x, z) = problem();
    let data = DatasetBase::new(x, z);
    let params = KernelSvr::params(kernel()).method(|m| m.c(2.0).tolerance(TOLERANCE));
    let model = params
        .clone()
        .method(|m| m.epsilon(0.1))
        .fit(&data)
        .unwrap();
    let expected = [0.146_362_038_901, -0.562_949_703_203, -0.164_495_070_598];
    assert_values(&model.transform(new()), expected);

    let model = params.method(|m| m.nu(0.3)).fit(&data).unwrap();
    let expected = [0.116_854_226_936, -0.565_922_234_77, -0.194_388_344_232];
    assert_values(&model.transform(new()), expected);
    assert!((model.inner().epsilon() - 0.149_410_06).abs() < 1e-6);
}

/// LIBSVM's coefficients sum to νn; ours sum to 1.
#[test]
fn one_class() {
    let model = KernelOneClassSvm::params(0.25, kernel()).method(|m| m.tolerance(TOLERANCE));
    let model = model.fit(&DatasetBase::from(problem().0)).unwrap();
    let values: Array1<f64> = model.transform(new());
    assert_values(
        &(values * 7.5),
        [0.615_536_887_483, -0.024_270_398_18, 0.336_719_193_031],
    );
    assert!((model.expansion().offsets()[0] * 7.5 + 3.020_043_575_998).abs() < 1e-6);
}

#[test]
fn many_classes() {
    let assert_close = |found: ArrayView2<'_, f64>, expected: Array2<f64>| {
        let distances = &found - &expected;
        assert!(distances.iter().all(|d| d.abs() < 1e-6), "{found}");
    };
    let params = KernelSvc::params(kernel()).method(|m| m.c(2.0).tolerance(TOLERANCE));
    let values: Array2<f64> = params.clone().fit(&thirds()).unwrap().transform(new());
    let one_against_one = array![
        [0.518_490_058_857, 0.687_634_936_023, 1.025_910_981_178],
        [1.225_128_661_821, 1.454_557_711_577, 1.679_431_846_711],
        [0.858_964_234_1, 0.531_988_670_347, 0.477_251_172_868],
    ];
    assert_close(values.view(), one_against_one);

    let each = params.method(|m| m.strategy(Strategy::OneAgainstRest));
    let values: Array2<f64> = each.fit(&thirds()).unwrap().transform(new());
    let one_against_rest = array![
        [-0.324_376_602_675, 1.237_828_577_874, 0.350_189_830_121],
        [-0.943_174_275_299, -1.097_940_080_7, -1.003_396_582_016],
        [-0.991_365_590_762, -1.713_728_622_435, -0.573_750_049_814],
    ];
    assert_close(values.t(), one_against_rest);
}
