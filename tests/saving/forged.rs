//! Tests models that were made to look right, with parts that disagree: they are refused when they are read.

use super::{
    each,
    support::{Predicted, Visitor, classes, sides, unlabelled, values, x},
};
use ndarray::Array1;
use npt::{
    linfa::DatasetBase,
    methods::{
        linear::{CalibratedSvc, Chain, KMeans, Lda, MulticlassSvc, Pca, Pls, Ridge, RidgePath},
        model_selection::Folds,
        pre_image::{FixedPoint, PreImageExt},
        preprocessing::{Imputer, OneHot, StandardScaler},
        streaming::{ClassMoments, Moments, Reservoir},
    },
    prelude::*,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Changes the shape of an array, and the number of its entries with it.
fn reshape(array: &mut Value, shape: &[usize]) {
    let old = array["data"].as_array().cloned().unwrap_or_default();
    let entries = old.iter().cycle().take(shape.iter().product()).cloned();
    array["data"] = entries.collect();
    array["dim"] = json!(shape);
}

/// Changes the part of a model at `pointer`, and returns the error with which the model is refused.
fn refusal<M: Serialize + DeserializeOwned>(
    model: &M,
    pointer: &str,
    change: impl FnOnce(&mut Value),
) -> String {
    let mut value = serde_json::to_value(model).unwrap();
    let read = serde_json::from_value::<M>(value.clone());
    assert!(read.is_ok(), "{:?}", read.err());
    change(value.pointer_mut(pointer).expect(pointer));
    let read = serde_json::from_value::<M>(value);
    read.err().expect("was refused").to_string()
}

macro_rules! refused {
    ($($model:expr, $pointer:literal, $change:expr => $text:literal;)+) => {
        $(assert_eq!(refusal(&$model, $pointer, $change), $text);)+
    };
}

fn to(shape: &[usize]) -> impl Fn(&mut Value) + '_ {
    move |array| reshape(array, shape)
}

fn be(other: Value) -> impl FnOnce(&mut Value) {
    move |value| *value = other
}

fn pop(list: &mut Value) {
    list.as_array_mut().unwrap().pop();
}

#[test]
fn parts_of_regressions() {
    let ridge = Ridge::params().fit(&values()).unwrap();
    let path = RidgePath::params(&[0.1, 1.0]).fit(&values()).unwrap();
    let pls = Pls::params(2).fit(&values()).unwrap();
    refused! {
        ridge, "/weights", to(&[2, 1]) => "there are 2 rows of weights for 3 features";
        ridge, "/weights", to(&[3, 2]) => "there are 1 offsets for 2 functions";
        ridge, "/penalty", be(json!(-1.0)) => "the penalty is -1; it must be finite and at least 0";
        path, "/best", be(json!(2)) => "there is no best penalty 2 among 2";
        pls, "/rotations", to(&[4, 2]) => "there are 4 rows of a matrix for 3 features";
        pls, "/weights", to(&[3, 1]) => "there are 1 columns of weights for 2 components";
    }
    // Predictions of one axis have one column.
    let mut two = serde_json::to_value(&ridge).unwrap();
    reshape(&mut two["weights"], &[3, 2]);
    reshape(&mut two["center"]["targets"], &[2]);
    let error = serde_json::from_value::<Ridge<f64>>(two).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there are 2 columns of targets for 1 axis of targets"
    );
}

#[test]
fn parts_of_classifiers() {
    let lda = Lda::params().fit(&classes()).unwrap();
    let svc = MulticlassSvc::params().fit(&classes()).unwrap();
    let calibrated = CalibratedSvc::params().folds(2);
    let calibrated = calibrated.fit(&classes()).unwrap();
    refused! {
        lda, "/class_scores", to(&[2, 2]) => "there are 2 rows of class scores for 3 classes";
        lda, "/mean", to(&[4]) => "there are 3 columns of axes for 4 features";
        lda, "/classes", be(json!([0, 2, 1])) => "the classes are not in ascending order, each once";
        lda, "/classes", be(json!([])) => "there are 0 classes; at least 2 are needed";
        svc, "/biases", to(&[2]) => "there are 2 offsets for 3 functions";
        svc, "/classes", pop => "there are 3 planes for 1 pairs of classes";
        svc, "/support/rows", pop => "there are 9 counted support vectors for 8 that are named";
        calibrated, "/sigmoids", pop => "there are 2 sigmoids for 3 pairs of classes";
        calibrated, "/svc/strategy", be(json!("OneAgainstRest"))
            => "there are 3 planes for 0 pairs of classes";
    }
}

#[test]
fn parts_of_projections_and_clusters() {
    let pca = Pca::params(2).fit(&unlabelled()).unwrap();
    let kmeans = KMeans::params(3).fit(&unlabelled()).unwrap();
    let holes = DatasetBase::new(x(), Array1::from_elem(14, ()));
    let imputer = Imputer::<f64>::median().fit(&holes).unwrap();
    let scaler = StandardScaler::params().fit(&holes).unwrap();
    let encoder = OneHot::params().columns([0]).fit(&holes).unwrap();
    refused! {
        pca, "/axes", to(&[0, 3]) => "there are no axes";
        pca, "/eigenvalues", to(&[3]) => "there are 3 eigenvalues for 2 axes";
        kmeans, "/offsets", to(&[3, 2]) => "there are 2 columns of offsets for 3 features";
        kmeans, "/unit", be(json!(0.0)) => "the unit is 0; it must be finite and above 0";
        imputer, "/values", to(&[0]) => "there are no values to fill in";
        encoder, "/categories/0", to(&[0]) => "there are no categories of a column";
        encoder, "/categories", be(json!([])) => "there are no columns";
        scaler, "/deviations", to(&[2]) => "there are 2 standard deviations for 3 means";
    }
    let means = KernelKMeans::params(3, Gaussian::new(0.5)).pre_image(FixedPoint::new());
    let prototypes = means.fit(&unlabelled()).unwrap();
    refused! {
        prototypes, "/prototypes", to(&[2, 3]) => "there are 2 prototypes for 3 clusters";
    }
}

/// Features are refused with sizes that are impossible, and with places outside the sizes.
#[test]
fn parts_of_features() {
    let chi_squared = HomogeneousFeatures::new(AdditiveChiSquared::new(), 3);
    let histograms = chi_squared.fit_space(&x().mapv(f64::abs)).unwrap();
    let waves = RandomFourier::new(Gaussian::new(0.5), 4)
        .fit_space(&x())
        .unwrap();
    let sketch = |features| {
        let builder = TensorSketch::new(Polynomial::new(2, 0.5, 1.0), features);
        builder.fit_space(&x()).unwrap().space().raw_map().clone()
    };
    let (one, eight) = (sketch(1), sketch(8));
    let no_columns = |map: &mut Value| {
        map["columns"] = json!(0);
        for hash in map["hashes"].as_array_mut().unwrap() {
            hash["places"] = json!([0]);
            hash["signs"] = json!([1.0]);
        }
    };
    let no_features = |map: &mut Value| map["features"] = json!(0);
    refused! {
        histograms.space().raw_map().clone(), "/amplitudes", be(json!([]))
            => "0 waves of 3 columns are no features";
        waves.space().raw_map().clone(), "/frequencies/Dense", to(&[0, 3])
            => "there are no frequencies, or no features";
        one, "", no_features => "0 features cannot be made of 3 columns";
        eight, "", no_columns => "8 features cannot be made of 0 columns";
        eight, "/hashes", be(json!([])) => "there are 0 hashes for 2 factors";
        eight, "/hashes/0/places/0", be(json!(8)) => "there is no place 8 among 8";
    }
}

#[test]
fn parts_of_chains() {
    let chain = Chain::new(Pca::params(2), Lda::params());
    let two = Chain::new(Pca::params(3), chain.clone());
    let fewer = |pca: &mut Value| {
        reshape(&mut pca["axes"], &[1, 3]);
        reshape(&mut pca["eigenvalues"], &[1]);
        reshape(&mut pca["shares"], &[1]);
    };
    let (chain, two) = (chain.fit(&classes()).unwrap(), two.fit(&classes()).unwrap());
    refused! {
        chain, "/first", fewer
            => "there are 1 outputs of the first method for 2 columns that the second takes";
        two, "/first", fewer
            => "there are 1 outputs of the first method for 3 columns that the second takes";
    }
}

#[test]
fn parts_of_kernel_methods() {
    let kernel = Gaussian::new(0.3);
    let svc = KernelSvc::params(kernel).fit(&sides()).unwrap();
    let means = KernelKMeans::params(3, kernel).fit(&unlabelled()).unwrap();
    let process = GaussianProcess::params(kernel).fit(&values()).unwrap();
    let kpca = Kernelized::new(Pca::params(2), Exact::new(kernel));
    let kpca = kpca.fit(&unlabelled()).unwrap();
    let fitted = Exact::new(kernel).fit_space(&x()).unwrap();
    let robust = RobustKpca::params(2, kernel).outlier_scale(1.0);
    let robust = robust.fit(&unlabelled()).unwrap();
    refused! {
        svc, "/method/plane/weights", to(&[2])
            => "there are 1 functions of the expansion for 2 columns that the method takes";
        means, "/expansion/offsets", to(&[2]) => "there are 2 offsets for 3 columns of coefficients";
        process, "/process/Products/lower", to(&[13, 13])
            => "there are 13 rows of the factor for 14 samples";
        process, "/process/Products/samples/matrix", to(&[14, 2])
            => "the new samples have 2 columns; the training samples had 3";
        process, "/evidence/best", be(json!(1)) => "there is no best noise 1 among 1";
        fitted, "/coordinates/data/0", be(json!(1e200))
            => "the squares of the coordinates contain inf; all must be finite";
        robust, "/energy/shares", to(&[2]) => "there are 2 shares for 14 landmarks";
        robust, "/units/width", be(json!(-1.0)) => "the width is -1; it must be finite and above 0";
    }
    let error = refusal(&kpca, "/method", |pca| {
        reshape(&mut pca["axes"], &[2, 9]);
        reshape(&mut pca["mean"], &[9]);
    });
    let text = "there are 13 axes of the space for 9 columns that the method takes";
    assert_eq!(error, text);
}

#[test]
fn parts_of_what_is_counted() {
    let mut moments = Moments::new(3);
    moments.add(&values()).unwrap();
    let mut by_class = ClassMoments::with_class_scatters(3);
    by_class.add(&classes()).unwrap();
    let mut some = Reservoir::new(5);
    some.add(&x()).unwrap();
    let folds = Folds::k(6, 3, 0).unwrap();
    refused! {
        moments, "/cross_scatter", to(&[3, 2]) => "there are 2 columns of scatter for 1 means";
        moments, "/count", be(json!(u64::MAX))
            => "there cannot have been 18446744073709551615 rows";
        moments, "/rounding", be(json!(1.5)) => "there cannot be more rounding than scatter";
        by_class, "/within", to(&[5]) => "5 numbers are not half of a symmetric matrix";
        by_class, "/count", be(json!(u64::MAX))
            => "there cannot have been 18446744073709551615 rows";
        by_class, "/classes/0/count", be(json!(u64::MAX))
            => "there cannot have been 18446744073709551615 rows of a class";
        by_class, "/classes/0/weight", be(json!(0.0))
            => "the weight of a class is 0; it must be finite and above 0";
        by_class, "/classes/0/mean", to(&[2]) => "there are 3 rows of scatter for 2 means";
        by_class, "/by_class", be(json!(false)) => "there are 1 scatters of a class for 0 asked for";
        some, "/values", pop => "there are 14 values for 15 that rows have";
        folds, "/held_out/0", be(json!([0, 0])) => "sample 0 is held out twice";
        folds, "/held_out/0", be(json!([0, 9])) => "there is no sample 9 among 6";
    }
}

/// Scatters within each class are refused if they are not parts of the scatter within all. The file has the upper half of a scatter, so the
/// fourth number is the second of the diagonal.
#[test]
fn scatters_that_are_no_parts() {
    let mut by_class = ClassMoments::with_class_scatters(3);
    by_class.add(&classes()).unwrap();
    for (factor, is_read) in [(1.0 + 1e-7, true), (1.0 + 1e-5, false), (1.0 - 1e-5, false)] {
        let mut value = serde_json::to_value(&by_class).unwrap();
        let entry = value.pointer_mut("/within/data/3").unwrap();
        *entry = json!(entry.as_f64().unwrap() * factor);
        let read = serde_json::from_value::<ClassMoments<usize>>(value);
        assert_eq!(read.is_ok(), is_read, "{factor}");
        if let Err(error) = read {
            let text = error.to_string();
            assert!(
                text.starts_with("the scatters within classes sum to "),
                "{text}"
            );
        }
    }
}

/// The parts that alone decide how many columns the records of a linear method have: with another length it is another method.
const WIDTHS: [&str; 5] = [
    "/plane/weights",
    "/weights",
    "/svc/weights",
    "/values",
    "/categories",
];

/// A visitor that changes every part of every model in ways that leave its type as it is.
struct Forges;

impl Visitor for Forges {
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        fit: impl FnOnce() -> M,
        predict: impl Fn(&M) -> Predicted,
    ) {
        let whole = serde_json::to_value(fit()).unwrap();
        let mut pointers = Vec::new();
        collect(&whole, String::new(), &mut pointers);
        // Only linfa knows the parts of its own types.
        let is_foreign = |at: &str| name.starts_with("linfa_") || at.starts_with("/transformer");
        pointers.retain(|pointer| !is_foreign(pointer));
        for pointer in pointers {
            let part = whole.pointer(&pointer).unwrap();
            for other in others(part, &pointer) {
                let length = |part: &Value| part.as_array().map(Vec::len);
                let is_as_long =
                    other["dim"][0] == part["dim"][0] && length(&other) == length(part);
                let is_wide = WIDTHS.contains(&&*pointer) && !is_as_long;
                let mut changed = whole.clone();
                *changed.pointer_mut(&pointer).unwrap() = other;
                let predicted = catch_unwind(AssertUnwindSafe(|| {
                    let model = serde_json::from_value::<M>(changed).ok()?;
                    (!is_wide).then(|| predict(&model).is_ok())
                }));
                assert!(predicted.is_ok(), "{name} panics with another {pointer}");
            }
        }
    }
}

/// Collects the pointers to the parts of a model; an array is one part.
fn collect(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) if !fields.contains_key("dim") => {
            for (name, field) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(field, format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate().take(3) {
                collect(item, format!("{at}/{place}"), found);
            }
        }
        _ => {}
    }
    found.push(at);
}

/// The values that a test puts in the place of a part.
fn others(part: &Value, pointer: &str) -> Vec<Value> {
    match part {
        Value::Object(fields) if fields.contains_key("dim") => others_of_array(part),
        Value::Array(items) => {
            let (mut fewer, mut more, mut turned) = (items.clone(), items.clone(), items.clone());
            fewer.pop();
            more.extend(items.last().cloned());
            turned.reverse();
            [fewer, more, turned].map(Value::from).into()
        }
        // The kernel's own constructor takes any number.
        Value::Number(_) if pointer.ends_with("kernel/iterations") => Vec::new(),
        Value::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(count), _) => vec![json!(0), json!(count + 1), json!(u64::MAX)],
            (_, Some(real)) => vec![json!(0.0), json!(-real), json!(1e308), json!(1e-308)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Arrays with other shapes, and with other entries.
fn others_of_array(array: &Value) -> Vec<Value> {
    let shape: Vec<usize> = serde_json::from_value(array["dim"].clone()).unwrap();
    let mut all = Vec::new();
    for axis in 0..shape.len() {
        for length in [0, shape[axis].saturating_sub(1), shape[axis] + 1] {
            let mut other = shape.clone();
            other[axis] = length;
            all.push(array.clone());
            reshape(all.last_mut().unwrap(), &other);
        }
    }
    for number in [0.0, -1.0, 1e308] {
        let mut other = array.clone();
        if let Some(first) = other["data"].get_mut(0) {
            *first = json!(number);
            all.push(other);
        }
    }
    all
}

#[test]
fn no_forged_part_makes_a_prediction_panic() {
    each(&mut Forges);
}
