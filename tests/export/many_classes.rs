//! Tests machines of many classes: their memory is estimated, and they are saved, exported and read again.

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Ix1};
use npt::{
    ExpansionModel, KernelizedError,
    export::{
        libsvm::{from_text, to_text},
        onnx::to_onnx,
    },
    memory_limit,
    methods::{
        Error, KernelCalibratedSvc,
        linear::{MulticlassSvc, Strategy},
    },
    model_file::{from_bytes, to_bytes},
    prelude::*,
};
use npt_testkit::data;

type Model = ExpansionModel<MulticlassSvc<f64, usize>, Rows<f64>, Gaussian<f64>>;

/// Samples around as many centres as there are classes, on a grid of distance 1.
fn grid(classes: usize, members: usize) -> Dataset<f64, usize, Ix1> {
    let around = data::normal(classes * members, 2, 8) * 0.3;
    let x = Array2::from_shape_fn(around.dim(), |(i, j)| {
        let class = i % classes;
        around[[i, j]] + [class % 32, class / 32][j] as f64
    });
    Dataset::new(x, Array1::from_shape_fn(classes * members, |i| i % classes))
}

fn fitted(classes: usize, members: usize) -> (Model, Dataset<f64, usize, Ix1>) {
    let data = grid(classes, members);
    let model = KernelSvc::params(Gaussian::new(0.5)).fit(&data).unwrap();
    (model, data)
}

/// The file of a thousand classes holds a number for each support vector and other class, the vectors' features, and a bias a pair.
#[test]
fn a_thousand_classes_are_kept() {
    let (model, data) = fitted(1000, 5);
    let bytes = to_bytes(&model).unwrap();
    let vectors = model.inner().support().unwrap().len();
    let numbers = vectors * (999 + 2) + 1000 * 999 / 2;
    assert!(
        bytes.len() < 10 * numbers,
        "{} bytes of {numbers}",
        bytes.len()
    );
    let again: Model = from_bytes(&bytes).unwrap();
    assert_eq!(again.inner(), model.inner());
    let some = data.records.slice(ndarray::s![..40, ..]).to_owned();
    let [first, second]: [Array1<usize>; 2] = [model.predict(&some), again.predict(&some)];
    assert_eq!(first, second);
    let right = first
        .iter()
        .zip(&data.targets)
        .filter(|(a, b)| a == b)
        .count();
    assert!(right >= 30, "{right} of 40");
}

/// Models are written in the format of LIBSVM, and to ONNX with a column a pair; read again, the functions are the same.
#[test]
fn as_libsvm_has_them() {
    let (model, data) = fitted(40, 4);
    let text = to_text(&model).unwrap();
    let again = from_text::<Rows<f64>>(&text).unwrap();
    let (ours, theirs) = (
        model.decision_function(&data.records).unwrap(),
        again.decision_function(&data.records).unwrap(),
    );
    let largest = ours.fold(0.0, |m: f64, v| m.max(v.abs()));
    let off = (&ours - &theirs).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off <= 1e-13 * largest, "{off:e}");
    let counts = model.inner().support_counts().unwrap();
    let line = text.lines().find(|line| line.starts_with("nr_sv")).unwrap();
    let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
    assert_eq!(line, format!("nr_sv {}", counts.join(" ")));
    // ONNX has dense coefficients, a column a pair.
    let vectors = model.inner().support().unwrap().len();
    assert!(to_onnx(&model).unwrap().len() > 8 * vectors * 780);
}

/// A class a sample is refused before any work. Its machines would take 26.6 GB, more than allowed; one against the rest would take 17.7.
#[test]
fn a_class_a_sample_is_refused_before_any_work() {
    let n = 47_000;
    let x = Array2::from_shape_fn((n, 2), |(i, j)| ((i * (j + 1)) as f64 * 0.618).fract());
    let data = DatasetBase::new(x, Array1::from_shape_fn(n, |i| i));
    let needed = 8 * (47_000 * 46_999 + 47_000 * 46_999 / 2);
    if memory_limit().is_none_or(|limit| limit >= needed) {
        return;
    }
    let start = std::time::Instant::now();
    let check = |error: Option<KernelizedError<Error>>, of: Strategy, bytes: u64| {
        let Some(KernelizedError::Method(Error::ManyClasses {
            strategy,
            classes,
            needed,
            allowed,
            ..
        })) = error
        else {
            panic!("{error:?}");
        };
        assert_eq!((strategy, classes, needed), (of, n, bytes));
        assert!(allowed < needed);
    };
    let kernel = || Gaussian::new(0.5);
    check(
        KernelSvc::params(kernel()).fit(&data).err(),
        Strategy::OneAgainstOne,
        needed,
    );
    check(
        KernelSvc::params(kernel())
            .method(|_| MulticlassSvc::params())
            .fit(&data)
            .err(),
        Strategy::OneAgainstOne,
        needed,
    );
    check(
        KernelCalibratedSvc::params(kernel()).fit(&data).err(),
        Strategy::OneAgainstOne,
        needed,
    );
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    // The linear machines have two weights and a bias each: 26.5 GB as well.
    let linear = MulticlassSvc::params().fit(&data).err();
    assert!(matches!(
        linear,
        Some(Error::ManyClasses {
            machines: 1_104_476_500,
            ..
        })
    ));
}
