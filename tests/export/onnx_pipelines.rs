//! Tests models behind transformers: the graph takes records as they were measured.

use super::{
    libsvm::classes,
    onnx_methods::{Expected, Models, kernel, labels, new, numbers_to_predict, sides},
    peers::metadata,
};
use linfa::Dataset;
use linfa_preprocessing::{linear_scaling::LinearScaler, whitening::Whitener};
use ndarray::{Array1, Array2, Axis, array};
use npt::{
    export::onnx::{to_onnx, to_onnx_with_categories},
    methods::{
        linear::{Ridge, Strategy},
        preprocessing::{Imputer, StandardScaler},
        streaming::{CoordinateMoments, FitMoments, Moments},
    },
    prelude::*,
    tables::CsvBlocks,
};

/// The samples in other units, far from the origin.
fn measured(x: &Array2<f64>) -> Array2<f64> {
    x * &array![1.0, 1e3, 1e-3, 1.0] + array![0.0, 5e3, 1.0, 20.0]
}

fn column(values: Array1<f64>) -> Expected {
    Expected::Numbers(values.insert_axis(Axis(1)))
}

fn texts(found: &Array1<String>) -> Expected {
    labels(found)
}

#[test]
fn of_regressions() {
    let mut models = Models::default();
    let mut data = numbers_to_predict();
    data.records = measured(&data.records);
    let new = measured(&new());
    let ridge = || KernelRidge::params(kernel());
    for (name, scaler) in [
        ("standard", LinearScaler::standard()),
        ("without mean", LinearScaler::standard_no_mean()),
        ("without deviation", LinearScaler::standard_no_std()),
        ("from 0 to 1", LinearScaler::min_max()),
        ("from -2 to 3", LinearScaler::min_max_range(-2.0, 3.0)),
        ("by magnitude", LinearScaler::max_abs()),
    ] {
        let model = Pipeline::new(scaler, ridge()).fit(&data).unwrap();
        let values = column(model.try_predict(&new).unwrap());
        models.add_at(name, &model, new.clone(), [("values", values)]);
    }
    let model = Pipeline::new(Whitener::pca(), ridge()).fit(&data).unwrap();
    let values = column(model.try_predict(&new).unwrap());
    models.add_at("whitener", &model, new, [("values", values)]);
    models.compare();
}

/// Pipelines of classifiers are exported: two sides, pairs of classes, and one class against the rest. Each predicts all of its classes.
#[test]
fn of_classifiers() {
    let mut models = Models::default();
    let of_three = classes(90);
    let of_three = Dataset::new(measured(&of_three.records), of_three.targets);
    let of_two = of_three.clone().map_targets(|&class| class == 3);
    let new = measured(&new());
    let scaler = || LinearScaler::standard();

    let svc = Pipeline::new(scaler(), KernelSvc::params(kernel()));
    let svc = svc.fit(&of_two).unwrap();
    let label: Array1<bool> = svc.try_predict(&new).unwrap();
    assert!(label.iter().any(|&side| side) && label.iter().any(|&side| !side));
    let values = column(svc.decision_function(&new).unwrap());
    let outputs = [("values", values), ("label", sides(&label))];
    models.add_at("sides", &svc, new.clone(), outputs);

    let names = of_three
        .clone()
        .map_targets(|class| format!("class {class}"));
    for (name, strategy) in [
        ("pairs", Strategy::OneAgainstOne),
        ("one against the rest", Strategy::OneAgainstRest),
    ] {
        let svc = KernelSvc::params(kernel()).method(|m| m.strategy(strategy));
        let svc = Pipeline::new(scaler(), svc).fit(&names).unwrap();
        let label: Array1<String> = svc.try_predict(&new).unwrap();
        assert!(
            svc.classes()
                .iter()
                .all(|class| label.iter().any(|l| l == class))
        );
        let values = Expected::Numbers(svc.decision_function(&new).unwrap());
        let outputs = [("values", values), ("label", texts(&label))];
        models.add_at(name, &svc, new.clone(), outputs);
    }
    models.compare();
}

/// Pipelines with probabilities are exported: a calibrated machine, and logistic regression.
#[test]
fn of_probabilities() {
    let mut models = Models::default();
    let of_three = classes(90);
    let of_three = Dataset::new(measured(&of_three.records), of_three.targets);
    let of_two = of_three.clone().map_targets(|&class| class == 3);
    let new = measured(&new());
    let scaler = || LinearScaler::min_max();

    macro_rules! add {
        ($name:literal, $method:expr, $data:expr, $labels:ident) => {{
            let model = Pipeline::new(scaler(), $method).fit($data).unwrap();
            let p = model.predict_probabilities(&new).unwrap();
            // If all probabilities were certain, they would say no more than the labels do.
            assert!(p.iter().any(|&p| p > 0.05 && p < 0.95));
            let outputs = [
                (
                    "values",
                    Expected::Numbers(model.decision_function(&new).unwrap()),
                ),
                ("label", $labels(&model.try_predict(&new).unwrap())),
                ("probabilities", Expected::Numbers(p)),
            ];
            models.add_at($name, &model, new.clone(), outputs);
        }};
    }
    let svc = || KernelCalibratedSvc::params(kernel());
    let names = of_three.map_targets(|class| format!("class {class}"));
    add!("calibrated, of two", svc(), &of_two, sides);
    add!("calibrated, of three", svc(), &names, texts);
    add!(
        "logistic, of three",
        KernelLogistic::params(kernel()),
        &names,
        texts
    );
    models.compare();
}

/// Missing values are NaN in the records, for the graph as for the pipeline.
#[test]
fn missing_values() {
    let mut data = numbers_to_predict();
    let mut new = new();
    for (row, mut values) in data.records.outer_iter_mut().enumerate().step_by(7) {
        values[row % 4] = f64::NAN;
    }
    for (row, mut values) in new.outer_iter_mut().enumerate() {
        values[row % 4] = f64::NAN;
    }
    let mut models = Models::default();
    for (name, imputer) in [
        ("mean", Imputer::mean()),
        ("constant", Imputer::constant(-2.0)),
    ] {
        let pipeline = Pipeline::new(imputer, KernelRidge::params(kernel()));
        let model = pipeline.with_missing_values().fit(&data).unwrap();
        let expected: Array1<f64> = model.try_predict(&new).unwrap();
        assert!(expected.iter().all(|value| value.is_finite()));
        models.add_at(name, &model, new.clone(), [("values", column(expected))]);
    }
    models.compare();
}

/// Transformers in a row are exported: an imputer and a scaler, put in a row in both ways, and three transformers.
#[test]
fn transformers_in_a_row() {
    let of_three = classes(90);
    let mut data = Dataset::new(measured(&of_three.records), of_three.targets);
    data = data.with_feature_names(vec!["a", "b", "c", "d"]);
    let mut new = measured(&new());
    for x in [&mut data.records, &mut new] {
        for (row, mut values) in x.outer_iter_mut().enumerate().step_by(5) {
            values[row % 4] = f64::NAN;
        }
    }
    let texts = data.map_targets(|class| format!("class {class}"));
    let mut models = Models::default();
    macro_rules! add {
        ($name:literal, $pipeline:expr) => {{
            let model = $pipeline.with_missing_values().fit(&texts).unwrap();
            assert_eq!(model.feature_names(), ["a", "b", "c", "d"]);
            let p = model.predict_probabilities(&new).unwrap();
            let label: Array1<String> = model.try_predict(&new).unwrap();
            let outputs = [
                ("label", labels(&label)),
                ("probabilities", Expected::Numbers(p)),
                (
                    "values",
                    Expected::Numbers(model.decision_function(&new).unwrap()),
                ),
            ];
            models.add_at($name, &model, new.clone(), outputs);
        }};
    }
    let method = || KernelLogistic::params(kernel());
    let scaled = || Pipeline::new(LinearScaler::standard(), method());
    add!(
        "nested to the right",
        Pipeline::new(Imputer::mean(), scaled())
    );
    let front = || Pipeline::new(Imputer::median(), StandardScaler::params()).with_missing_values();
    add!("nested to the left", Pipeline::new(front(), method()));
    let white = || Pipeline::new(Whitener::pca(), method());
    add!("three", Pipeline::new(front(), white()));
    models.compare();
}

/// A scaler and a regression that were fitted to blocks are exported.
#[test]
fn of_blocks() {
    let mut data = numbers_to_predict();
    data.records = measured(&data.records);
    let mut moments = Moments::new(4);
    moments.add(&data).unwrap();
    let scaler: StandardScaler<f64> = StandardScaler::params().fit_moments(&moments).unwrap();
    let scaled = Dataset::new(scaler.transform(data.records.view()), data.targets.clone());
    let space = Nystrom::new(kernel(), Pivoting::greedy(20)).fit_space(&scaled.records);
    let (space, ..) = space.unwrap().into_parts();
    let mut sums = CoordinateMoments::new(&space).unwrap();
    sums.add(&scaled).unwrap();
    let ridge: Ridge<f64> = Ridge::params()
        .fit_moments(&sums.into_moments().unwrap())
        .unwrap();
    let model = npt::KernelizedModel::new(ridge, space).expand().unwrap();
    let model = npt::PipelineModel::new(scaler, model, 4).unwrap();
    let new = measured(&new());
    let values = column(model.try_predict(&new).unwrap());
    let mut models = Models::default();
    models.add_at("of blocks", &model, new, [("values", values)]);
    models.compare();
}

/// Another program reads classes, names of features and categories from the metadata as they were, odd characters too.
#[test]
fn metadata_of_files() {
    let odd = ["a \"name\"", "b\\c", "größe\t", "d"];
    let data = classes(60).with_feature_names(odd.to_vec());
    let data = data.map_targets(|class| format!("class \"{class}\""));
    let pipeline = Pipeline::new(LinearScaler::standard(), KernelSvc::params(kernel()));
    let model = pipeline.fit(&data).unwrap();
    let bytes = to_onnx(&model).unwrap();
    let Some(found) = metadata(&bytes) else {
        return;
    };
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        ["classes", "feature_names"]
    );
    assert_eq!(found["feature_names"], serde_json::json!(odd));
    assert_eq!(found["classes"], serde_json::json!(model.classes()));

    // These are a model of two sides, and a regression without names.
    let sides = data.map_targets(|class| class.contains('3'));
    let sides = KernelSvc::params(kernel()).fit(&sides).unwrap();
    let found = metadata(&to_onnx(&sides).unwrap()).unwrap();
    assert_eq!(found["classes"], serde_json::json!([0, 1]));
    let ridge = KernelRidge::params(kernel())
        .fit(&numbers_to_predict())
        .unwrap();
    assert!(metadata(&to_onnx(&ridge).unwrap()).unwrap().is_empty());

    let table = "colour,size,price\n\"light \"\"blue\"\"\",1,5\nred,2,7\nred,3,6.5\n";
    let blocks = CsvBlocks::new(table.as_bytes()).unwrap();
    let blocks = blocks.categorical(&["colour"]).unwrap();
    let mut blocks = blocks.target("price").unwrap();
    let data = blocks.read().unwrap();
    let model = KernelRidge::params(kernel()).fit(&data).unwrap();
    let bytes = to_onnx_with_categories(&model, &blocks.categories()).unwrap();
    let found = metadata(&bytes).unwrap();
    assert_eq!(
        found["categories"],
        serde_json::json!({"colour": ["light \"blue\"", "red"]})
    );
    assert_eq!(
        found["feature_names"],
        serde_json::json!(["colour", "size"])
    );
}
