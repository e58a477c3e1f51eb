//! Tests that onnxruntime computes the predictions, decision values, probabilities and components of models by name.

use super::{
    libsvm::classes,
    peers::{Outputs, metadata, numbers, onnxruntime, relative_error, svm_predict},
};
use ndarray::{Array2, Axis, s};
use npt::{
    catalogue::Heading,
    estimator::{
        Ability, Categories, Column, Data, Error, Estimator, Label, Model, Predictions, Targets,
    },
};
use npt_testkit::data;
use serde_json::Value;
use std::collections::BTreeMap;

fn new() -> Array2<f64> {
    data::normal(50, 4, 9)
}

/// The targets that methods may be fitted to: none, labels of `count` classes (words, numbers, or yes and no), numbers, a second
/// view.
fn targets(method: &str, count: usize) -> [Targets; 4] {
    let data = classes(90);
    let place = |class: &usize| [3, 7, 12].iter().position(|known| known == class);
    let class = |class: &usize| place(class).unwrap() % count;
    let words = data.targets.mapv(|c| format!("class {}", class(&c)));
    let sides: Vec<bool> = data.targets.iter().map(|c| class(c) == 1).collect();
    let numbers: Vec<i64> = data
        .targets
        .iter()
        .map(|c| i64::try_from(class(c)).unwrap() * 7 - 3)
        .collect();
    let labels = match method {
        "nu_svc" => sides.into(),
        "hard_margin_svc" | "logistic" | "kpca_lda" => numbers.into(),
        _ => words.into(),
    };
    let x = &data.records;
    let along = x.column(0).mapv(f64::sin) + x.column(1);
    let second = Data::from(x.mapv(f64::sin));
    [Targets::None, labels, along.into(), second.into()]
}

/// The text of a method, with values for its required parameters.
fn text(method: &Heading) -> String {
    let entries = method.parameters().iter();
    let given: Vec<String> = entries
        .filter(|entry| entry.is_required())
        .map(|entry| match (entry.name(), entry.range().kind()) {
            ("clusters", _) => "clusters = 3".to_owned(),
            (name, "an integer") => format!("{name} = 2"),
            (name, _) => format!("{name} = 0.3"),
        })
        .collect();
    format!("{}({})", method.name(), given.join(", "))
}

/// Fits every method of the catalogue with two classes, and behind transformers with three.
fn models() -> BTreeMap<String, Model> {
    let mut models = BTreeMap::new();
    for heading in Estimator::methods() {
        let name = heading.name();
        for (count, front) in [(2, false), (3, true)] {
            let mut estimator = Estimator::new(&text(heading), "gaussian(gamma = 0.3)").unwrap();
            if front {
                estimator = estimator.transformer("imputer").unwrap();
                estimator = estimator.transformer("standard_scaler").unwrap();
            }
            let names = ["depth", "width", "height", "weight"];
            let data = Data::from(classes(90).records).with_columns(names).unwrap();
            let fits = targets(name, count).map(|targets| estimator.fit(&data, targets));
            let mut fits = fits.into_iter();
            let taken = fits.find(|fit| !matches!(fit, Err(Error::Targets { .. })));
            match taken.unwrap() {
                Ok(model) => models.insert(format!("{name} {count}"), model),
                Err(Error::TwoClasses { .. }) => continue,
                Err(error) => panic!("{estimator}: {error}"),
            };
        }
    }
    models
}

fn close(what: &str, found: &Value, expected: &Array2<f64>) {
    let off = relative_error(numbers(found).view(), expected.view());
    assert!(off <= 1e-12, "{what}: {off:e}");
}

fn label(label: &Label) -> Value {
    match label {
        Label::Bool(label) => i32::from(*label).into(),
        Label::Integer(label) => (*label).into(),
        Label::Text(label) => label.clone().into(),
    }
}

fn compare(name: &str, model: &Model, found: &Outputs) {
    let data = Data::from(new());
    for ability in model.abilities() {
        let what = format!("{name}: {ability}");
        match ability {
            Ability::Predict => match model.predict(&data).unwrap() {
                Predictions::Numbers(expected) => close(&what, &found["values"], &expected),
                Predictions::Labels(expected) => {
                    let expected: Vec<Value> = expected.iter().map(label).collect();
                    assert_eq!(found["label"], Value::from(expected), "{what}");
                }
                Predictions::Clusters(expected) => {
                    assert_eq!(found["label"], Value::from(expected), "{what}");
                }
                Predictions::Novel(expected) => {
                    let expected: Vec<i32> = expected.into_iter().map(i32::from).collect();
                    assert!(expected.contains(&0) && expected.contains(&1), "{what}");
                    assert_eq!(found["label"], Value::from(expected), "{what}");
                }
                other => panic!("{what}: {other:?}"),
            },
            Ability::DecisionFunction => {
                let expected = model.decision_function(&data).unwrap();
                if name == "calibrated_svc 2" {
                    close(&what, &found["values"], &-expected);
                } else {
                    let own = found.get("decision_values");
                    close(&what, own.unwrap_or(&found["values"]), &expected);
                }
            }
            Ability::Probabilities => {
                let expected = model.predict_probabilities(&data).unwrap();
                close(&what, &found["probabilities"], &expected);
            }
            Ability::Variance => {
                let (means, _) = model.predict_with_variance(&data).unwrap();
                close(&what, &found["values"], &means.insert_axis(Axis(1)));
            }
            Ability::Transform => close(&what, &found["values"], &model.transform(&data).unwrap()),
            Ability::Onnx
            | Ability::Libsvm
            | Ability::InverseTransform
            | Ability::Reconstruct
            | Ability::TransformSecond
            | Ability::Residuals => {}
            other => panic!("{other} is not compared"),
        }
    }
}

#[test]
fn every_method_predicts_in_onnxruntime_what_it_predicts_here() {
    let models = models();
    let of_onnx: BTreeMap<_, _> = models
        .iter()
        .filter(|(_, model)| model.has(Ability::Onnx))
        .map(|(name, model)| (name.clone(), (model.to_onnx().unwrap(), new())))
        .collect();
    for (name, model) in &models {
        assert_eq!(
            of_onnx.contains_key(name),
            !(name.starts_with("novelty") || name.starts_with("robust")),
            "{name}"
        );
        if !of_onnx.contains_key(name) {
            assert!(matches!(model.to_onnx(), Err(Error::NotExported { .. })));
        }
    }
    assert!(of_onnx.len() >= 32, "{}", of_onnx.len());
    let Some(found) = onnxruntime(&of_onnx) else {
        return;
    };
    for (name, found) in found {
        compare(&name, &models[&name], &found);
    }
    let of = |name: &str| metadata(&of_onnx[name].0).unwrap();
    let names = ["depth", "width", "height", "weight"].map(Value::from);
    assert_eq!(of("svc 3")["feature_names"], Value::from(names.to_vec()));
    let words = ["class 0", "class 1", "class 2"].map(Value::from);
    assert_eq!(of("svc 3")["classes"], Value::from(words.to_vec()));
    assert_eq!(of("logistic 3")["classes"], Value::from(vec![-3, 4, 11]));
}

/// The graph replaces a missing value by the median, and holds as many landmarks as there are.
#[test]
fn transformers_and_landmarks_are_in_the_graph() {
    let mut x = classes(90).records;
    x[[3, 1]] = f64::NAN;
    let estimator = Estimator::new(
        "ridge(penalty = 0.1)",
        "matern(smoothness = 1.5, length_scale = 2)",
    );
    let estimator = estimator
        .and_then(|estimator| estimator.space("nystrom(landmarks = 12)"))
        .and_then(|estimator| estimator.transformer("imputer(strategy = \"median\")"))
        .and_then(|estimator| estimator.transformer("standard_scaler"))
        .unwrap();
    let y = Array2::from_shape_fn((90, 2), |(i, k)| (i as f64 / (3.0 + k as f64)).sin());
    let model = estimator.fit(&Data::from(x), y).unwrap();
    let mut new = new();
    new[[7, 2]] = f64::NAN;
    let expected = model.predict(&Data::from(new.clone())).unwrap();
    let models = BTreeMap::from([("ridge".to_owned(), (model.to_onnx().unwrap(), new))]);
    if let Some(found) = onnxruntime(&models) {
        close(
            "ridge",
            &found["ridge"]["values"],
            expected.numbers().unwrap(),
        );
    }
}

/// The graph holds the numbers of categories, and its metadata the texts that they stand for.
#[test]
fn categories_are_in_the_graph() {
    let x = classes(90).records;
    let sizes = x.column(0).to_vec();
    let colours = (0..90).map(|row| ["red", "light \"blue\"", "green"][row * row % 7 % 3]);
    let colours: Vec<&str> = colours.collect();
    let columns = [("colour", Column::from(colours)), ("size", sizes.into())];
    let data = Data::from_columns(columns).unwrap();
    let y = Array2::from_shape_fn((90, 1), |(i, _)| (i as f64 / 3.0).sin());
    let gaussian = Estimator::new("ridge(penalty = 0.1)", "gaussian(gamma = 0.5)");
    let encoded = gaussian
        .and_then(|estimator| estimator.transformer("one_hot"))
        .and_then(|estimator| estimator.transformer("standard_scaler"));
    let matched = Estimator::new("ridge(penalty = 0.1)", "gower(ranges = [0, 2])");
    let mut new = new().slice(s![.., ..2]).to_owned();
    new.column_mut(0)
        .iter_mut()
        .enumerate()
        .for_each(|(row, code)| *code = (row % 4) as f64);
    let model_of = |estimator: Estimator| {
        let model = estimator.fit(&data, y.clone()).unwrap();
        model.accept_unseen_categories()
    };
    let models = [encoded, matched].map(|estimator| model_of(estimator.unwrap()));
    // The number 3 is none of the three categories.
    let known = models[0].categories().of("colour").unwrap().to_vec();
    let texts = known.iter().cloned().chain(["mauve".to_owned()]);
    let as_data = Data::from(new.clone()).with_columns(["colour", "size"]);
    let as_data = as_data
        .and_then(|data| data.with_categories(&Categories::default().with("colour", texts)))
        .unwrap();
    for (name, model) in ["encoded", "matched"].into_iter().zip(&models) {
        let bytes = model.to_onnx().unwrap();
        let Some(found) = metadata(&bytes) else {
            return;
        };
        assert_eq!(found["categories"], serde_json::json!({"colour": known}));
        let graphs = BTreeMap::from([(name.to_owned(), (bytes, new.clone()))]);
        let expected = model.predict(&as_data).unwrap();
        if let Some(found) = onnxruntime(&graphs) {
            close(name, &found[name]["values"], expected.numbers().unwrap());
        }
    }
}

#[test]
fn svm_predict_predicts_what_a_model_does() {
    for (name, model) in models() {
        let is_machine = [
            "svc",
            "nu_svc",
            "hard_margin_svc",
            "one_class_svm",
            "svr",
            "ridge",
        ]
        .contains(&name.split(' ').next().unwrap());
        // The models of three classes are behind a scaler.
        assert_eq!(
            model.has(Ability::Libsvm),
            is_machine && name.ends_with('2'),
            "{name}"
        );
        if !model.has(Ability::Libsvm) {
            assert!(
                matches!(model.to_libsvm(), Err(Error::NotExported { .. })),
                "{name}"
            );
            continue;
        }
        let x = new();
        let Some(found) = svm_predict(&model.to_libsvm().unwrap(), x.view()) else {
            return;
        };
        let as_printed = |label: &Label| match label {
            Label::Bool(true) => 1.0,
            Label::Bool(false) => -1.0,
            Label::Integer(label) => *label as f64,
            Label::Text(_) => {
                let classes = model.classes();
                classes.iter().position(|class| class == label).unwrap() as f64
            }
        };
        match model.predict(&Data::from(x)).unwrap() {
            Predictions::Numbers(expected) => {
                let found = Array2::from_shape_vec(expected.dim(), found).unwrap();
                // `svm-predict` prints six digits.
                assert!(
                    relative_error(found.view(), expected.view()) < 1e-5,
                    "{name}"
                );
            }
            Predictions::Labels(expected) => {
                assert_eq!(
                    found,
                    expected.iter().map(as_printed).collect::<Vec<_>>(),
                    "{name}"
                );
            }
            Predictions::Novel(expected) => {
                let inside = expected.iter().map(|&novel| if novel { -1.0 } else { 1.0 });
                assert_eq!(found, inside.collect::<Vec<_>>(), "{name}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}
