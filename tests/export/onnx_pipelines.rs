//! Models behind transformers: what goes into the graph are the records as they were measured.

use super::{
    libsvm::classes,
    onnx_methods::{Expected, Models, kernel, labels, new, numbers_to_predict, sides},
};
use linfa::{Dataset, traits::Fit};
use linfa_preprocessing::{linear_scaling::LinearScaler, whitening::Whitener};
use ndarray::{Array1, Array2, Axis, array};
use npt::{
    methods::{linear::Strategy, preprocessing::Imputer},
    prelude::*,
};

/// In other units, far from the origin.
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

/// Of two sides, of pairs of classes and of one class against the rest; each predicts all classes that it has.
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
        let svc = KernelMulticlassSvc::params(kernel()).method(|m| m.strategy(strategy));
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

/// Of a machine that is calibrated, and of logistic regression.
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
            // Were all of them certain, they would say no more than the labels do.
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

/// Values that are missing are NaN in the records, for the graph as for the pipeline.
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
