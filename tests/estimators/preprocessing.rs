//! Tests scaling and whitening of coordinates. The comparison is of inner products, which do not depend on the
//! basis of the result.

use super::{
    Row, Verdict,
    tasks::{quadratic, rings},
};
use linfa::{DatasetBase, traits::Transformer};
use linfa_preprocessing::{
    linear_scaling::LinearScaler, norm_scaling::NormScaler, whitening::Whitener,
};
use ndarray::{Array1, Array2, Axis};
use npt::{Axes, KernelSpace, Kernelized, LinearMethod, SpaceBuilder};

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "LinearScaler",
        from: "linfa-preprocessing",
        way: "fit",
        check: || {
            let [_, extremes] = [LinearScaler::max_abs(), LinearScaler::min_max()]
                .map(|method| verdict(&method, |_| ()));
            let standard = verdict(&LinearScaler::standard(), |transformed| {
                let variances = transformed.var_axis(Axis(0), 0.0);
                assert!(variances.iter().all(|v| (v - 1.0).abs() < 1e-9));
            });
            assert_eq!(standard, extremes);
            standard
        },
    },
    Row {
        name: "Whitener",
        from: "linfa-preprocessing",
        way: "fit",
        check: || {
            let [pca, zca, cholesky] = [Whitener::pca(), Whitener::zca(), Whitener::cholesky()]
                .map(|method| verdict(&method, assert_white));
            assert!(pca == zca && pca == cholesky);
            pca
        },
    },
    Row {
        name: "NormScaler::l2",
        from: "linfa-preprocessing",
        way: "transform",
        check: || norm_scaler(&NormScaler::l2),
    },
    Row {
        name: "NormScaler::l1",
        from: "linfa-preprocessing",
        way: "transform",
        check: || norm_scaler(&NormScaler::l1),
    },
    Row {
        name: "NormScaler::max",
        from: "linfa-preprocessing",
        way: "transform",
        check: || norm_scaler(&NormScaler::max),
    },
];

fn verdict<M, E>(method: &M, check_training: fn(&Array2<f64>)) -> Verdict
where
    M: LinearMethod<f64, Array1<()>, E> + Clone,
    M::Object: Transformer<Array2<f64>, Array2<f64>>,
    E: std::error::Error + From<linfa::Error> + 'static,
{
    let task = rings();
    let samples = DatasetBase::from(task.train.records().clone());
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let estimator = Kernelized::new(method.clone(), quadratic(axes));
        let model = estimator.fit(&samples).expect("a transformation");
        check_training(&model.transform(task.train.records().clone()));
        let transformed = model.transform(task.new.records().clone());
        assert_eq!(transformed.dim(), (80, 5));
        transformed.dot(&transformed.t())
    });
    Verdict::of_values(&principal, &cholesky)
}

fn assert_white(x: &Array2<f64>) {
    let covariance = x.t().dot(x) / (x.nrows() as f64 - 1.0);
    let error = covariance - Array2::<f64>::eye(5);
    assert!(error.iter().all(|e| e.abs() < 1e-9), "{error}");
}

/// Tests a transformer without a `fit`. It takes one sample at a time, so a fitted space can feed it
/// new ones.
fn norm_scaler(method: &dyn Fn() -> NormScaler) -> Verdict {
    let task = rings();
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let estimator = Kernelized::new(method(), quadratic(axes));
        let scaled: Array2<f64> = estimator
            .try_transform(task.train.records())
            .expect("a space");
        let space = estimator
            .builder()
            .fit_space(task.train.records())
            .expect("a space");
        let again = method().transform(space.training_coordinates().to_owned());
        assert_eq!(scaled, again);
        let new = space.coordinates(task.new.records()).expect("coordinates");
        let new = method().transform(new);
        new.dot(&new.t())
    });
    Verdict::of_values(&principal, &cholesky)
}
