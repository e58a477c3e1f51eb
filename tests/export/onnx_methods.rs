//! Tests every method that has a graph: its values to 10⁻¹², and the labels that it predicts.

use super::{
    libsvm::classes,
    peers::{Outputs, numbers, onnxruntime, relative_error},
};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis, Ix1, array};
use npt::{
    ExpansionModel,
    export::{
        Error,
        libsvm::{from_text, to_text},
        onnx::{OnnxModel, to_onnx},
    },
    methods::linear::{CalibratedSvc, MulticlassSvc, Strategy, Svc},
    prelude::*,
};
use npt_testkit::data;
use serde_json::Value;
use std::collections::BTreeMap;

/// The expected values of an output.
pub(super) enum Expected {
    Numbers(Array2<f64>),
    Labels(Vec<Value>),
}

/// Models as graphs, with the outputs that are expected.
#[derive(Default)]
pub(super) struct Models {
    models: BTreeMap<String, (Vec<u8>, Array2<f64>)>,
    expected: BTreeMap<String, BTreeMap<&'static str, Expected>>,
}

pub(super) fn labels<L: Clone + Into<Value>>(labels: &Array1<L>) -> Expected {
    Expected::Labels(labels.iter().cloned().map(Into::into).collect())
}

pub(super) fn sides(labels: &Array1<bool>) -> Expected {
    let numbers = labels.iter().map(|&side| i32::from(side).into());
    Expected::Labels(numbers.collect())
}

impl Models {
    fn add<const N: usize>(
        &mut self,
        name: &str,
        model: &impl OnnxModel,
        outputs: [(&'static str, Expected); N],
    ) {
        self.add_at(name, model, new(), outputs);
    }

    /// Adds a model that is evaluated at records of its own.
    pub(super) fn add_at<const N: usize>(
        &mut self,
        name: &str,
        model: &impl OnnxModel,
        x: Array2<f64>,
        outputs: [(&'static str, Expected); N],
    ) {
        let bytes = to_onnx(model).unwrap();
        let name = name.to_owned();
        self.models.insert(name.clone(), (bytes, x));
        self.expected.insert(name, outputs.into());
    }

    pub(super) fn compare(self) {
        let Some(found) = onnxruntime(&self.models) else {
            return;
        };
        for (name, expected) in self.expected {
            compare(&name, &found[&name], &expected);
        }
    }
}

fn compare(name: &str, found: &Outputs, expected: &BTreeMap<&str, Expected>) {
    let names: Vec<&str> = found.keys().map(|name| &name[..]).collect();
    assert_eq!(
        names,
        expected.keys().copied().collect::<Vec<_>>(),
        "{name}"
    );
    for (output, expected) in expected {
        match expected {
            Expected::Labels(labels) => {
                assert_eq!(
                    found[*output],
                    Value::from(labels.clone()),
                    "{name}: {output}"
                );
            }
            Expected::Numbers(expected) => {
                let off = relative_error(numbers(&found[*output]).view(), expected.view());
                eprintln!("{name}: {output}: {off:.1e}");
                assert!(off <= 1e-12, "{name}: {output}: {off:e}");
            }
        }
    }
}

pub(super) fn new() -> Array2<f64> {
    data::normal(50, 4, 9)
}

pub(super) fn numbers_to_predict() -> Dataset<f64, f64, Ix1> {
    let x = classes(90).records;
    let y = x.column(0).mapv(f64::sin) + x.column(1);
    Dataset::new(x, y)
}

pub(super) fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.3)
}

/// The values of the functions, shape (N, functions).
fn values<Q, K: Kernel<Rows<f64>, Scalar = f64>>(
    model: &ExpansionModel<Q, Rows<f64>, K>,
) -> (&'static str, Expected) {
    let values = model.expansion().evaluate(&new()).unwrap();
    ("values", Expected::Numbers(values))
}

#[test]
fn support_vectors() {
    let mut models = Models::default();
    let data = classes(90);
    let of_two = data.clone().map_targets(|&class| class == 3);
    let svc = KernelSvc::params(kernel()).fit(&of_two).unwrap();
    models.add(
        "Svc",
        &svc,
        [values(&svc), ("label", sides(&svc.predict(&new())))],
    );

    let one = KernelOneClassSvm::params(0.3, kernel()).fit(&data).unwrap();
    models.add(
        "OneClassSvm",
        &one,
        [values(&one), ("label", sides(&one.predict(&new())))],
    );

    let pairs = KernelSvc::params(kernel()).fit(&data).unwrap();
    let label = labels(&pairs.predict(&new()));
    models.add("MulticlassSvc", &pairs, [values(&pairs), ("label", label)]);

    let names = data.clone().map_targets(|class| format!("class {class}"));
    let params = KernelSvc::params(kernel());
    let rest = params.method(|m| m.strategy(Strategy::OneAgainstRest));
    let rest = rest.fit(&names).unwrap();
    let label = labels(&rest.predict(&new()));
    models.add(
        "one against the rest",
        &rest,
        [values(&rest), ("label", label)],
    );

    let svr = KernelSvr::params(kernel())
        .fit(&numbers_to_predict())
        .unwrap();
    models.add("Svr", &svr, [values(&svr)]);

    let read = from_text::<Rows<f64>>(&to_text(&pairs).unwrap()).unwrap();
    let label: Array1<f64> = read.predict(&new());
    let label = labels(&label.mapv(|label| label as i64));
    models.add("LibsvmMethod", &read, [values(&read), ("label", label)]);
    models.compare();
}

/// The probabilities of two classes come from one sigmoid, those of more from all pairs, some of which are more certain than is believed.
#[test]
fn calibrated_probabilities() {
    let mut models = Models::default();
    let data = classes(90);
    let of_two = data.clone().map_targets(|&class| class == 3);
    let two = KernelCalibratedSvc::params(kernel()).fit(&of_two).unwrap();
    let p = two.predict_probabilities(&new()).unwrap();
    let label = sides(&two.predict(&new()));
    let p = Expected::Numbers(p);
    models.add(
        "two",
        &two,
        [values(&two), ("label", label), ("probabilities", p)],
    );

    let circle = Array1::from_shape_fn(60, |i| i % 5);
    let angles = circle.mapv(|class| class as f64 * std::f64::consts::TAU / 5.0);
    let mut x = data::normal(60, 4, 3) * 0.3;
    for (mut row, angle) in x.outer_iter_mut().zip(&angles) {
        row[0] += 3.0 * angle.cos();
        row[1] += 3.0 * angle.sin();
    }
    // The classes are about as far from each other as new samples, or so near that new samples are far beyond them.
    for (name, extent, is_certain) in [("mild", 1.0, false), ("certain", 0.1, true)] {
        let names = circle.mapv(|class| format!("class {class}"));
        let names = Dataset::new(&x * extent, names);
        let params = KernelCalibratedSvc::params(Linear::new()).method(|m| m.c(1e4));
        let several = params.fit(&names).unwrap();
        let sigmoids = several.inner().sigmoids();
        let z =
            several.decision_function(&new()).unwrap() * sigmoids.column(0) + sigmoids.column(1);
        // Beyond this bound a pair's probability is kept from 0 and 1.
        let bound = -CalibratedSvc::SMALLEST_PROBABILITY.ln();
        assert_eq!(z.iter().any(|z| z.abs() > bound), is_certain);
        let p = Expected::Numbers(several.predict_probabilities(&new()).unwrap());
        let label = labels(&several.predict(&new()));
        models.add(
            name,
            &several,
            [values(&several), ("label", label), ("probabilities", p)],
        );
    }
    models.compare();
}

#[test]
fn votes_that_tie_are_decided_as_here() {
    // The rows are at the centre of three equal classes, and on the way to each of them.
    let x = array![
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0]
    ];
    let data = Dataset::new(x, array![0, 1, 2]);
    let model = KernelSvc::params(kernel()).fit(&data).unwrap();
    let mut models = Models::default();
    let label = labels(&model.predict(&new()));
    models.add("votes", &model, [values(&model), ("label", label)]);
    models.compare();
}

#[test]
fn regressions() {
    let mut models = Models::default();
    let data = numbers_to_predict();
    let ridge = KernelRidge::params(kernel()).fit(&data).unwrap();
    models.add("Ridge", &ridge, [values(&ridge)]);
    let ridge = IterativeKernelRidge::params(kernel()).fit(&data).unwrap();
    models.add("IterativeRidge", &ridge, [values(&ridge)]);
    let both = data.records.select(Axis(1), &[0, 1]).mapv(f64::cos);
    let of_two = Dataset::new(data.records.clone(), both);
    let ridge = KernelRidge::params(kernel()).fit(&of_two).unwrap();
    models.add("Ridge of two targets", &ridge, [values(&ridge)]);

    let process = GaussianProcess::params(kernel()).fit(&data).unwrap();
    let mean = process.try_predict(&new()).unwrap().insert_axis(Axis(1));
    models.add(
        "GaussianProcess",
        &process,
        [("values", Expected::Numbers(mean))],
    );

    let pls = KernelPls::params(3, kernel()).fit(&of_two).unwrap();
    let predictions: Array2<f64> = pls.predict(&new());
    let scores: Array2<f64> = pls.transform(new());
    let outputs = [
        ("values", Expected::Numbers(predictions)),
        ("scores", Expected::Numbers(scores)),
    ];
    models.add("Pls", &pls, outputs);
    models.compare();
}

#[test]
fn components_and_classes() {
    let mut models = Models::default();
    let data = classes(90);
    let kpca = Kpca::params(3, kernel()).fit(&data).unwrap();
    models.add("Pca", &kpca, [values(&kpca)]);
    let kpca = KpcaL1::params(2, kernel()).fit(&data).unwrap();
    models.add("PcaL1", &kpca, [values(&kpca)]);
    let ica = KernelIca::params(2, kernel()).fit(&data).unwrap();
    models.add("FastIca", &ica, [values(&ica)]);
    let kfd = Kfd::params(kernel()).fit(&data).unwrap();
    let label = labels(&kfd.predict(&new()));
    let of_classes = |values| ("decision_values", Expected::Numbers(values));
    let decision = of_classes(kfd.decision_function(&new()).unwrap());
    models.add("Lda", &kfd, [values(&kfd), ("label", label), decision]);
    let chain = KpcaLda::params(5, kernel()).fit(&data).unwrap();
    let label = labels(&chain.predict(&new()));
    let decision = of_classes(chain.decision_function(&new()).unwrap());
    models.add(
        "Chain",
        &chain,
        [values(&chain), ("label", label), decision],
    );
    let kmeans = KernelKMeans::params(3, kernel()).fit(&data).unwrap();
    let label = labels(&kmeans.predict(&new()));
    models.add("KMeans", &kmeans, [values(&kmeans), ("label", label)]);
    let discriminant = KernelRegressionDiscriminant::params(2, kernel());
    let discriminant = discriminant.fit(&numbers_to_predict()).unwrap();
    models.add(
        "RegressionDiscriminant",
        &discriminant,
        [values(&discriminant)],
    );

    let of_squares = data.records.mapv(|v| v * v);
    let cca = KernelCca::params(2, kernel(), Linear::new());
    let cca = cca.fit(&data.records, &of_squares).unwrap();
    models.add("CcaView", cca.first(), [values(cca.first())]);
    let names = data.clone().map_targets(|class| format!("class {class}"));
    let logistic = KernelLogistic::params(kernel()).fit(&names).unwrap();
    let outputs = [
        values(&logistic),
        ("label", labels(&logistic.predict(&new()))),
        (
            "probabilities",
            Expected::Numbers(logistic.predict_probabilities(&new()).unwrap()),
        ),
    ];
    models.add("Logistic", &logistic, outputs);
    let of_two = data.clone().map_targets(|&class| class == 3);
    let logistic = KernelLogistic::params(kernel()).fit(&of_two).unwrap();
    let outputs = [
        values(&logistic),
        ("label", sides(&logistic.predict(&new()))),
        (
            "probabilities",
            Expected::Numbers(logistic.predict_probabilities(&new()).unwrap()),
        ),
    ];
    models.add("Logistic of two classes", &logistic, outputs);
    models.compare();
}

/// The graph of a model in f32 computes in f64, with the numbers as the model has rounded them.
#[test]
fn models_in_f32() {
    let data = classes(90);
    let x = data.records.mapv(|v| v as f32);
    let targets = data.targets.mapv(|class| class == 3);
    let model = KernelSvc::params(Gaussian::new(0.3_f32));
    let model = model.fit(&DatasetBase::new(x, targets)).unwrap();
    let _: &ExpansionModel<Svc<f32>, _, _, f32> = &model;
    let bytes = to_onnx(&model).unwrap();
    let x = new().mapv(|v| f64::from(v as f32));
    let Some(found) = onnxruntime(&[("f32".to_owned(), (bytes, x.clone()))].into()) else {
        return;
    };
    let ours = model.expansion().evaluate(&x.mapv(|v| v as f32)).unwrap();
    let ours = ours.mapv(f64::from);
    let off = relative_error(numbers(&found["f32"]["values"]).view(), ours.view());
    assert!(off > 0.0 && off < 1e-5, "{off:e}");
}

/// A method may be fitted to the values of an expansion: its functions are not the identity then.
#[test]
fn methods_on_values() {
    let data = classes(90);
    let kpca = Kpca::params(3, kernel()).fit(&data).unwrap();
    let scores: Array2<f64> = kpca.transform(data.records.clone());
    let scores = DatasetBase::new(scores, data.targets);
    let svc = MulticlassSvc::params().fit(&scores).unwrap();
    let calibrated = CalibratedSvc::params().fit(&scores).unwrap();
    let (_, expansion) = kpca.into_parts();
    let model = ExpansionModel::new(svc, expansion.clone());
    let expected: Array2<f64> = model.try_transform(&new()).unwrap();
    let mut models = Models::default();
    let outputs = [
        ("values", Expected::Numbers(expected)),
        ("label", labels(&model.predict(&new()))),
    ];
    models.add("values", &model, outputs);
    let of_pairs = ExpansionModel::new(calibrated, expansion);
    let expected = of_pairs.decision_function(&new()).unwrap();
    let p = of_pairs.predict_probabilities(&new()).unwrap();
    let outputs = [
        ("values", Expected::Numbers(expected)),
        ("label", labels(&of_pairs.predict(&new()))),
        ("probabilities", Expected::Numbers(p)),
    ];
    models.add("probabilities", &of_pairs, outputs);
    models.compare();

    // A method with an expansion of another number of functions is no model.
    let kpca = Kpca::params(2, kernel()).fit(&classes(90)).unwrap();
    let broken = ExpansionModel::new(model.into_parts().0, kpca.into_parts().1);
    let expected = Error::Functions {
        found: 2,
        expected: 3,
    };
    assert_eq!(to_onnx(&broken).unwrap_err(), expected);
    assert_eq!(to_text(&broken).unwrap_err(), expected);
}
