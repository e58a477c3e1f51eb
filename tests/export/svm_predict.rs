//! Tests models that we write against `svm-predict`, and our predictions of models that `svm-train` writes.

use super::{
    libsvm::{classes, is_tie},
    peers::{svm_predict, svm_train},
};
use linfa::Dataset;
use ndarray::{Array1, Array2, Ix1, array};
use npt::{
    Expansion, ExpansionModel,
    export::libsvm::{LibsvmMachine, from_text, to_text},
    methods::linear::{MulticlassSvc, Ridge},
    prelude::*,
};
use npt_testkit::data;

/// The tolerance, relative to the largest magnitude.
const TOLERANCE: f64 = 1e-10;

fn close(of: &str, theirs: &[f64], ours: &Array1<f64>) {
    let largest = ours.fold(0.0_f64, |m, v| m.max(v.abs()));
    let pairs = theirs.iter().zip(ours);
    let off = pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / largest;
    eprintln!("{of}: {off:.1e}");
    assert_eq!(theirs.len(), ours.len());
    assert!(off <= TOLERANCE, "{of}: {off:e}");
}

/// Compares the functions themselves. `svm-predict` prints no decision values except those of a regression.
fn functions_agree<Q, K>(of: &str, model: &ExpansionModel<Q, Rows<f64>, K>, new: &Array2<f64>)
where
    Q: LibsvmMachine<f64>,
    K: Kernel<Rows<f64>, Scalar = f64> + Clone,
{
    let expansion = model.expansion();
    let values = expansion.evaluate(new).unwrap();
    let one = Dataset::new(array![[0.0], [1.0]], array![0.0, 1.0]);
    let ridge = KernelRidge::params(Linear::new()).fit(&one).unwrap();
    let ridge: &Ridge<f64, Ix1> = ridge.inner();
    for (k, values) in values.columns().into_iter().enumerate() {
        let alpha = expansion.coefficients().slice_move(ndarray::s![.., k..=k]);
        let offset = Array1::from_elem(1, expansion.offsets()[k]);
        let kernel = expansion.kernel().clone().into();
        let own = Expansion::new(kernel, expansion.samples(), alpha, offset).unwrap();
        let text = to_text(&ExpansionModel::new(ridge.clone(), own)).unwrap();
        let Some(theirs) = svm_predict(&text, new.view()) else {
            return;
        };
        close(&format!("{of}, function {k}"), &theirs, &values.to_owned());
    }
}

#[test]
fn two_classes() {
    let data = classes(150).map_targets(|&class| class == 3);
    let new = data::normal(100, 4, 9);
    macro_rules! agree {
        ($($name:literal: $kernel:expr),+) => {$(
            let model = KernelSvc::params($kernel).fit(&data).unwrap();
            functions_agree($name, &model, &new);
            if let Some(theirs) = svm_predict(&to_text(&model).unwrap(), new.view()) {
                let ours: Array1<bool> = model.predict(&new);
                let ours: Vec<f64> = ours.iter().map(|&side| if side { 1.0 } else { -1.0 }).collect();
                assert_eq!(theirs, ours, $name);
            }
        )+};
    }
    agree!(
        "linear": Linear::new(),
        "polynomial": Polynomial::new(3, 0.2, 1.0),
        "Gaussian": Gaussian::new(0.3)
    );
    // The same sides as two classes: the function of a pair is above 0 for the first class, which is `false`.
    let pair = KernelSvc::params(Gaussian::new(0.3)).method(|_| MulticlassSvc::params());
    let pair = pair.fit(&data).unwrap();
    if let Some(theirs) = svm_predict(&to_text(&pair).unwrap(), new.view()) {
        let ours: Array1<bool> = pair.predict(&new);
        let ours = ours.mapv(|side| if side { 1.0 } else { -1.0 });
        assert_eq!(theirs, ours.to_vec(), "a pair");
    }
    let sigmoid = KernelSvc::params(Sigmoid::new(0.01, -0.1));
    let clipped = sigmoid.space(|space| space.indefinite(Indefinite::Clip));
    functions_agree("sigmoid", &clipped.fit(&data).unwrap(), &new);
}

#[test]
fn many_classes() {
    let (data, new) = (classes(150), data::normal(300, 4, 9));
    let model = KernelSvc::params(Gaussian::new(0.3)).fit(&data).unwrap();
    functions_agree("classes", &model, &new);
    let text = to_text(&model).unwrap();
    let Some(theirs) = svm_predict(&text, new.view()) else {
        return;
    };
    // In LIBSVM, and in a model that is read, the order of labels decides votes that tie.
    let read: Array1<f64> = from_text::<Rows<f64>>(&text).unwrap().predict(&new);
    assert_eq!(theirs, read.to_vec());
    let ours: Array1<usize> = model.predict(&new);
    let values = model.expansion().evaluate(&new).unwrap();
    for ((ours, theirs), values) in ours.iter().zip(&theirs).zip(values.outer_iter()) {
        assert!(*ours as f64 == *theirs || is_tie(values), "{values}");
    }
}

#[test]
fn regressions_and_one_class() {
    let (data, new) = (classes(150), data::normal(100, 4, 9));
    let targets = data.records.column(0).mapv(|v| v.sin() * 100.0);
    let numbers = Dataset::new(data.records.clone(), targets);
    let svr = KernelSvr::params(Gaussian::new(0.3)).fit(&numbers).unwrap();
    functions_agree("support vector regression", &svr, &new);
    let text = to_text(&svr).unwrap();
    if let Some(theirs) = svm_predict(&text, new.view()) {
        close("support vector regression", &theirs, &svr.predict(&new));
    }
    let ridge = KernelRidge::params(Polynomial::new(2, 0.5, 1.0))
        .fit(&numbers)
        .unwrap();
    functions_agree("ridge regression", &ridge, &new);

    let one = KernelOneClassSvm::params(0.2, Gaussian::new(0.3))
        .fit(&data)
        .unwrap();
    functions_agree("one class", &one, &new);
    if let Some(theirs) = svm_predict(&to_text(&one).unwrap(), new.view()) {
        let ours: Array1<bool> = one.predict(&new);
        let ours: Vec<f64> = ours
            .iter()
            .map(|&side| if side { 1.0 } else { -1.0 })
            .collect();
        assert_eq!(theirs, ours);
    }
}

/// Models of all types of machines and kernels that `svm-train` knows are read, and predict the same.
#[test]
fn what_svm_train_writes_is_read() {
    let (data, new) = (classes(90), data::normal(60, 4, 9));
    for svm_type in ["0", "1", "2", "3", "4"] {
        for kernel in ["0", "1", "2", "3"] {
            let options = [
                "-s", svm_type, "-t", kernel, "-n", "0.3", "-r", "0.5", "-d", "2",
            ];
            let targets = data.targets.iter().map(|&class| class as f64);
            let Some(text) = svm_train(&options, data.records.view(), targets) else {
                return;
            };
            let model = from_text::<Rows<f64>>(&text).unwrap();
            let theirs = svm_predict(&text, new.view()).unwrap();
            let of = format!("{} with kernel {kernel}", model.inner().svm_type().name());
            let ours: Array1<f64> = model.predict(&new);
            close(&of, &theirs, &ours);
            let sparse = from_text::<SparseRows<f64>>(&to_text(&model).unwrap()).unwrap();
            assert_eq!(
                sparse.expansion().coefficients(),
                model.expansion().coefficients()
            );
        }
    }
}
