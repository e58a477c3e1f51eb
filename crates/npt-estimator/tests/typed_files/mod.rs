//! A typed model that was saved is loaded as a [`Model`] with the same answers, to the bit.

use super::{labels, matrix, new_matrix, numbers, positions, texts};
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, Axis, array, stack};
use npt_core::{
    Exact, ExpansionModel, Gaussian, Items, Jaccard, Kernel, Kernelized, Linear, Mismatch, Nystrom,
    Pivoting, Rows, Sparse, SparseRows, Spectrum,
};
use npt_estimator::{Ability, Data, Error, Estimator, Label, Model, Predictions};
use npt_methods::*;

/// Saves a typed model, and loads it.
fn loaded<M: npt_model_file::Keepable>(typed: &M) -> Result<Model, Error> {
    let file = tempfile::NamedTempFile::new().unwrap();
    npt_model_file::save(typed, file.path()).unwrap();
    Model::load(file.path())
}

/// The error of a typed model that cannot be loaded.
fn refused<M: npt_model_file::Keepable>(typed: &M) -> String {
    loaded(typed).unwrap_err().to_string()
}

fn new() -> Data {
    Data::from(new_matrix())
}

fn column(values: Array1<f64>) -> Array2<f64> {
    values.insert_axis(Axis(1))
}

fn nothing() -> Array1<()> {
    Array1::from_elem(20, ())
}

fn two() -> Array1<bool> {
    labels(2).iter().map(|&label| label == 1).collect()
}

fn words() -> Array1<String> {
    texts(&positions(3)).iter().map(Label::to_string).collect()
}

fn kernel() -> npt_core::Sum<Gaussian<f64>, npt_core::Scaled<Linear, f64>> {
    Gaussian::new(0.5) + Linear::new().scaled(0.1)
}

const KERNEL: &str = "sum(gaussian(gamma = 0.5), scaled(factor = 0.1, linear))";

/// Fits a typed method; returns its model, and the model that is loaded from its file.
macro_rules! both {
    ($params:expr, $targets:expr) => {{
        let typed = $params.fit(&DatasetBase::new(matrix(), $targets)).unwrap();
        let model = loaded(&typed).unwrap();
        assert_eq!(model.kernel(), KERNEL);
        // The loaded model is saved and loaded again.
        assert_eq!(loaded(&model).unwrap().to_string(), model.to_string());
        (typed, model)
    }};
}

mod kernels;
mod refused;
mod single;

#[test]
fn projections() {
    macro_rules! same {
        ($params:expr, $targets:expr) => {
            let (typed, model) = both!($params, $targets);
            let expected: Array2<f64> = typed.transform(new_matrix());
            assert_eq!(model.transform(&new()).unwrap(), expected);
            assert!(model.has(Ability::Onnx));
        };
    }
    same!(Kpca::params(2, kernel()), nothing());
    same!(KpcaL1::params(2, kernel()), nothing());
    same!(KernelIca::params(2, kernel()), nothing());
    same!(KernelRegressionDiscriminant::params(2, kernel()), numbers());
    let nystrom = Nystrom::new(kernel(), Pivoting::greedy(6));
    same!(Kpca::params(2, kernel()).space(|_| nystrom), nothing());
}

#[test]
fn regressions() {
    let several = stack![Axis(1), numbers(), -numbers()];
    macro_rules! same {
        ($params:expr) => {
            let (typed, model) = both!($params, numbers());
            let expected: Array1<f64> = typed.try_predict(&new_matrix()).unwrap();
            let expected = Predictions::Numbers(column(expected));
            assert_eq!(model.predict(&new()).unwrap(), expected);
        };
        ($params:expr, $several:expr) => {
            let (typed, model) = both!($params, $several);
            let expected: Array2<f64> = typed.try_predict(&new_matrix()).unwrap();
            assert_eq!(
                model.predict(&new()).unwrap(),
                Predictions::Numbers(expected)
            );
        };
    }
    same!(KernelRidge::params(kernel()));
    same!(KernelRidge::params(kernel()), several.clone());
    same!(IterativeKernelRidge::params(kernel()));
    same!(IterativeKernelRidge::params(kernel()), several.clone());
    same!(KernelPls::params(2, kernel()));
    same!(KernelPls::params(2, kernel()), several.clone());
    same!(KernelSvr::params(kernel()));

    let (typed, model) = both!(GaussianProcess::params(kernel()).noise(0.1), numbers());
    let expected = typed.predict_with_variance(&new_matrix()).unwrap();
    assert_eq!(model.predict_with_variance(&new()).unwrap(), expected);
}

#[test]
fn classifiers() {
    let (typed, model) = both!(KernelSvc::params(kernel()), two());
    let expected = column(typed.decision_function(&new_matrix()).unwrap());
    assert_eq!(model.decision_function(&new()).unwrap(), expected);
    assert_eq!(model.classes(), [Label::Bool(false), Label::Bool(true)]);
    assert!(model.to_libsvm().is_err(), "LIBSVM has no sums of kernels");
    both!(KernelNuSvc::params(0.4, kernel()), two());

    macro_rules! same {
        ($params:expr, $targets:expr, $label:ty) => {{
            let (typed, model) = both!($params, $targets);
            let expected: Array1<$label> = typed.try_predict(&new_matrix()).unwrap();
            let label = |label: &$label| -> Label { label.to_string().into() };
            let expected: Vec<Label> = expected.iter().map(label).collect();
            let found = model.predict(&new()).unwrap();
            let found = found.labels().unwrap().iter();
            let found: Vec<Label> = found.map(|label| label.to_string().into()).collect();
            assert_eq!(found, expected);
            let expected: Array2<f64> = typed.decision_function(&new_matrix()).unwrap();
            let sign = if expected.ncols() == 1 && !model.has(Ability::Probabilities) {
                -1.0
            } else {
                1.0
            };
            assert_eq!(model.decision_function(&new()).unwrap(), sign * expected);
            model.to_onnx().unwrap();
            (typed, model)
        }};
    }
    let unsigned: Array1<usize> = positions(3).into();
    let (_, model) = same!(KernelSvc::params(kernel()), words(), String);
    assert_eq!(model.classes(), ["low", "middle", "top"].map(Label::from));
    let bytes = model.to_onnx().unwrap();
    assert!(bytes.windows(6).any(|text| text == b"middle"));
    let (_, model) = same!(KernelSvc::params(kernel()), unsigned.clone() + 5, usize);
    assert_eq!(model.classes(), [5, 6, 7].map(Label::Integer));
    same!(
        KernelSvc::params(kernel()),
        Array1::from(positions(2)),
        usize
    );
    let rest = |m: linear::SvcParams| m.strategy(linear::Strategy::OneAgainstRest);
    same!(KernelSvc::params(kernel()).method(rest), words(), String);
    same!(Kfd::params(kernel()), words(), String);
    same!(KpcaLda::params(4, kernel()), unsigned.clone(), usize);
    let (typed, model) = same!(KernelLogistic::params(kernel()), words(), String);
    let expected = typed.predict_probabilities(&new_matrix()).unwrap();
    assert_eq!(model.predict_probabilities(&new()).unwrap(), expected);
    let calibrated = KernelCalibratedSvc::params(kernel()).method(|m| m.folds(3));
    let (typed, model) = same!(calibrated, unsigned, usize);
    let expected = typed.predict_probabilities(&new_matrix()).unwrap();
    assert_eq!(model.predict_probabilities(&new()).unwrap(), expected);
}

#[test]
fn novelty_and_clusters() {
    let (typed, model) = both!(KernelOneClassSvm::params(0.3, kernel()), nothing());
    let expected = column(typed.decision_function(&new_matrix()).unwrap());
    assert_eq!(model.decision_function(&new()).unwrap(), expected);
    let (typed, model) = both!(NoveltyDetector::params(kernel()), nothing());
    let expected = typed.try_predict(&new_matrix()).unwrap().to_vec();
    assert_eq!(model.predict(&new()).unwrap(), Predictions::Novel(expected));
    let (typed, model) = both!(KernelKMeans::params(3, kernel()), nothing());
    let expected: Array1<usize> = typed.try_predict(&new_matrix()).unwrap();
    let expected = Predictions::Clusters(expected.to_vec());
    assert_eq!(model.predict(&new()).unwrap(), expected);

    let typed = RobustKpca::params(2, Gaussian::new(0.5));
    let typed = typed.fit(&DatasetBase::from(matrix())).unwrap();
    let model = loaded(&typed).unwrap();
    let expected = typed.reconstruct(&new_matrix()).unwrap();
    assert_eq!(model.reconstruct(&new()).unwrap(), expected);
}

#[test]
fn names_of_columns_and_the_estimator() {
    let data = Dataset::new(matrix(), numbers()).with_feature_names(vec!["a", "b", "c"]);
    let typed = KernelRidge::params(Gaussian::new(0.5)).fit(&data).unwrap();
    let model = loaded(&typed).unwrap();
    assert_eq!(model.columns(), ["a", "b", "c"]);
    let other = new().with_columns(["a", "c", "b"]).unwrap();
    assert!(matches!(model.predict(&other), Err(Error::Columns { .. })));
    assert_eq!(
        model.estimator().to_string(),
        "typed ridge in exact of gaussian(gamma = 0.5)"
    );
    let again = model.estimator().fit(&Data::from(matrix()), numbers());
    assert_eq!(again.unwrap_err(), Error::OnlyRead);
    let error = model.transform(&new()).unwrap_err().to_string();
    assert!(error.starts_with("ridge has no transform"), "{error}");
}
