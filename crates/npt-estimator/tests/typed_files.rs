//! A typed model that was saved is loaded as a [`Model`] with the same answers, to the bit.

use super::{labels, matrix, new_matrix, numbers, positions, texts};
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, Axis, array, stack};
use npt_core::{
    Exact, FoldedModel, Gaussian, Items, Jaccard, Kernel, Kernelized, Linear, Mismatch, Nystrom,
    Pivoting, Rows, Sparse, SparseRows, Spectrum,
};
use npt_estimator::{Ability, Data, Error, Estimator, Label, Model, Predictions};
use npt_methods::*;
use serde::de::{EnumAccess, VariantAccess};
use std::collections::BTreeSet;

/// The model as it is loaded.
fn loaded<M: npt_model_file::Keepable>(typed: &M) -> Result<Model, Error> {
    let file = tempfile::NamedTempFile::new().unwrap();
    npt_model_file::save(typed, file.path()).unwrap();
    Model::load(file.path())
}

/// Why it is not.
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

/// A typed fit, the model of its file, and its page.
macro_rules! both {
    ($params:expr, $targets:expr) => {{
        let typed = $params.fit(&DatasetBase::new(matrix(), $targets)).unwrap();
        let model = loaded(&typed).unwrap();
        assert_eq!(model.kernel(), KERNEL);
        // A model is saved and loaded again as one.
        assert_eq!(loaded(&model).unwrap().to_string(), model.to_string());
        (typed, model)
    }};
}

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

/// Every kernel of dense vectors, from the file of a typed model and by name: in two methods as the typed kernel that it is.
#[test]
fn kernels_are_those_of_the_catalogue() {
    fn check(
        kernel: impl Kernel<Rows<f64>, Scalar = f64> + Clone + npt_model_file::Keepable + 'static,
    ) {
        let text = kernel.describe().to_string();
        let by_name = |method: &str| {
            let estimator = Estimator::new(method, &text).unwrap();
            let model = estimator.fit(&Data::from(matrix()), numbers()).unwrap();
            model.predict(&new()).unwrap()
        };
        let data = Dataset::new(matrix(), numbers());

        let typed = KernelSvr::params(kernel.clone()).fit(&data).unwrap();
        let expected: Array1<f64> = typed.try_predict(&new_matrix()).unwrap();
        let expected = Predictions::Numbers(column(expected));
        assert_eq!(by_name("svr"), expected, "{text}");

        let typed = KernelRidge::params(kernel).fit(&data).unwrap();
        let expected: Array1<f64> = typed.try_predict(&new_matrix()).unwrap();
        let expected = Predictions::Numbers(column(expected));
        assert_eq!(by_name("ridge"), expected, "{text}");
        let model = loaded(&typed).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(model.kernel(), text);
        assert_eq!(model.predict(&new()).unwrap(), expected, "{text}");
    }
    use npt_core::*;
    let gaussian = Gaussian::new(0.5);
    check(Linear::new());
    check(Polynomial::new(2, 0.5, 1.0));
    check(Cosine::new());
    check(Tanimoto::new());
    check(Laplacian::new(0.5));
    check(Exponential::new(0.5));
    check(Matern::half(1.0));
    check(Matern::three_halves(1.0));
    check(Matern::five_halves(1.0));
    check(RationalQuadratic::new(1.0, 2.0));
    check(ChiSquared::new(0.5));
    check(AdditiveChiSquared::new());
    check(HistogramIntersection::new());
    check(MinMax::new());
    check(Anova::new(0.5, 2));
    check(Gower::new(vec![3.0, 3.0, 3.0]));
    check(SimpleMatching::new());
    check(LengthScales::new(gaussian, vec![0.5, 1.0, 2.0]));
    check(gaussian * Linear::new());
    check(
        gaussian
            .scaled(2.0)
            .plus(Matern::half(1.0))
            .times(Cosine::new()),
    );
    check(WeightedSum::new(vec![gaussian, Gaussian::new(2.0)], array![0.3, 0.7]).unwrap());
    check(Normalized::new(Polynomial::new(2, 0.5, 1.0)));
    check(NamedKernel::new(gaussian));
    check(Sum::new(NamedKernel::new(gaussian), Linear::new()));
    let by_name = Rows::<f64>::ready_kernels();
    check(
        by_name
            .read("spline + periodic(length_scale = 1, period = 2)")
            .unwrap(),
    );
}

#[test]
fn samples_of_other_types() {
    let two = array![false, false, true, true];
    let strings = ["banana", "ananas", "kiwi", "kiwano"]
        .map(str::to_owned)
        .to_vec();
    let strings = Items::new(strings).unwrap();
    let set = |text: &String| text.chars().map(String::from).collect::<BTreeSet<_>>();
    let sets = Items::new(strings.as_slice().iter().map(set).collect()).unwrap();
    let sparse = sprs::CsMat::csr_from_dense(matrix().slice(ndarray::s![..4, ..]), 0.5);
    let sparse = SparseRows::new(&sparse).unwrap();
    macro_rules! same {
        ($kernel:expr, $samples:expr) => {
            let typed = KernelSvc::params($kernel);
            let typed = typed
                .fit(&DatasetBase::new($samples.clone(), two.clone()))
                .unwrap();
            let model = loaded(&typed).unwrap();
            let expected = column(typed.decision_function(&$samples).unwrap());
            let found = model
                .decision_function(&Data::new($samples.clone()))
                .unwrap();
            assert_eq!(found, expected);
        };
    }
    same!(Spectrum::new(2), strings);
    same!(Mismatch::new(2, 1, "abiknosw"), strings);
    same!(Jaccard::new(), sets);
    same!(Sparse::new(Gaussian::new(0.5)), sparse);
}

#[test]
fn two_views_of_two_types() {
    let strings = ["banana", "ananas", "kiwi", "kiwano", "papaya", "mango"];
    let strings = Items::new(strings.map(str::to_owned).to_vec()).unwrap();
    let first = matrix().slice(ndarray::s![..6, ..]).to_owned();
    let typed = KernelCca::params(2, kernel(), Spectrum::new(1));
    let typed = typed.fit(&first, &strings).unwrap();
    let model = loaded(&typed).unwrap();
    assert_eq!(model.kernel(), KERNEL);
    let expected: Array2<f64> = typed.first().transform(new_matrix());
    assert_eq!(model.transform(&new()).unwrap(), expected);
    let expected: Array2<f64> = typed.second().transform(strings.clone());
    assert_eq!(
        model.transform_second(&Data::new(strings)).unwrap(),
        expected
    );
    assert_eq!(loaded(&model).unwrap().to_string(), model.to_string());
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Method;

#[test]
fn what_has_no_place_is_refused() {
    // A kernel of one's own.
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    struct Own;
    impl Kernel<Rows<f64>> for Own {
        type Scalar = f64;
        fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
            a[0] * b[0]
        }
    }
    let data = Dataset::new(matrix(), numbers());
    let error = refused(&KernelRidge::params(Own).fit(&data).unwrap());
    assert_eq!(
        error,
        "in `expansion.kernel`: Own cannot be read as the kernel of a Model, which is one of those by name"
    );
    // Numbers of single precision.
    let single = Dataset::new(matrix().mapv(|v| v as f32), numbers().mapv(|v| v as f32));
    let error = refused(
        &KernelRidge::params(Gaussian::new(0.5_f32))
            .fit(&single)
            .unwrap(),
    );
    assert!(error.contains("list of f32, not a list of f64"), "{error}");
    // Coordinates.
    let data = DatasetBase::new(matrix(), nothing());
    let kmeans = linear::KMeans::params(2);
    let coordinates = Kernelized::new(kmeans, Exact::new(Gaussian::new(0.5)));
    let error = refused(&coordinates.fit(&data).unwrap());
    assert_eq!(
        error,
        "KernelizedModel cannot be read as Model, which takes the types Model, FoldedModel, GaussianProcessModel, KernelCcaModel, NoveltyDetectorModel and RobustKpcaModel"
    );
    // A method of one's own.
    let svc = KernelRidge::params(Gaussian::new(0.5));
    let (_, expansion) = svc
        .fit(&Dataset::new(matrix(), numbers()))
        .unwrap()
        .into_parts();
    let error = refused(&FoldedModel::new(Method, expansion));
    assert!(
        error.starts_with("in `method`: Method cannot be read as the method"),
        "{error}"
    );
    // Labels that are no labels.
    let some: Array1<Option<usize>> = positions(3).into_iter().map(Some).collect();
    let svc = KernelSvc::params(Gaussian::new(0.5));
    let error = refused(&svc.fit(&DatasetBase::new(matrix(), some)).unwrap());
    assert!(error.contains("a label that is a text"), "{error}");
    let huge: Array1<usize> = positions(3).iter().map(|&k| usize::MAX - k).collect();
    let svc = KernelSvc::params(Gaussian::new(0.5));
    let error = refused(&svc.fit(&DatasetBase::new(matrix(), huge)).unwrap());
    assert!(error.contains("a label that is a text"), "{error}");
}

/// A file of a typed model that is changed anywhere, with the right checksum, is refused or gives a model: nothing panics.
#[test]
fn forged_files() {
    let typed = KernelSvc::params(kernel());
    let typed = typed.fit(&DatasetBase::new(matrix(), words())).unwrap();
    let bytes = npt_model_file::to_bytes(&typed).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    for position in 20..bytes.len() - 4 {
        let mut forged = bytes.clone();
        forged[position] = forged[position].wrapping_add(1 + (position % 7) as u8);
        let end = forged.len() - 4;
        let sum = crc32fast::hash(&forged[..end]);
        forged[end..].copy_from_slice(&sum.to_le_bytes());
        std::fs::write(file.path(), forged).unwrap();
        if let Ok(model) = Model::load(file.path()) {
            // Whatever it answers.
            let _ = (model.predict(&new()), model.to_onnx(), model.to_string());
        }
    }
}

/// So many kernels around a linear one.
struct Deep(usize);

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "normalized")]
struct Around {
    kernel: Deep,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "linear")]
struct Inmost;

impl serde::Serialize for Deep {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(inside) = self.0.checked_sub(1) else {
            return Inmost.serialize(serializer);
        };
        let kernel = Self(inside);
        Around { kernel }.serialize(serializer)
    }
}

struct AnyDepth;

impl<'de> serde::de::Visitor<'de> for AnyDepth {
    type Value = Deep;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("kernels within kernels")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Deep, A::Error> {
        let (name, object): (String, _) = object.variant()?;
        if name == "linear" {
            return object.newtype_variant().map(|Inmost| Deep(0));
        }
        let Around { kernel } = object.newtype_variant()?;
        Ok(Deep(kernel.0 + 1))
    }
}

impl<'de> serde::Deserialize<'de> for Deep {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(npt_model_file::BY_NAME, AnyDepth)
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Expansion")]
struct KernelAlone {
    kernel: Deep,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "FoldedModel")]
struct Forged<M> {
    method: M,
    expansion: KernelAlone,
}

/// As deep as a file may be, on the stack of a test.
#[test]
fn deep_kernels() {
    for depth in [1, 20, 60, 120, 180, 220, 240, 250, 252] {
        let ridge = KernelRidge::params(Gaussian::new(0.5));
        let ridge = ridge.fit(&Dataset::new(matrix(), numbers())).unwrap();
        let (method, _) = ridge.into_parts();
        let kernel = Deep(depth);
        let expansion = KernelAlone { kernel };
        let error = refused(&Forged { method, expansion });
        assert!(error.contains("missing field") || depth > 20, "{error}");
    }
}
