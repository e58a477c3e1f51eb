//! Faults of names, parameters, data and questions are typed errors that say what is allowed.

use super::{labels, matrix, new_matrix, numbers};
use ndarray::{Array1, Array2, array};
use npt_estimator::{Ability, Data, Error, Estimator, Label, Model, Targets};

fn refused(method: &str, kernel: &str) -> String {
    Estimator::new(method, kernel).unwrap_err().to_string()
}

#[test]
fn names_and_parameters() {
    assert_eq!(
        refused("svc(cost = 1)", "linear"),
        "in the method: character 5: svc has no parameter cost; there are balanced, tolerance, strategy, c, class_c"
    );
    assert_eq!(
        refused("svc(c = -1)", "linear"),
        "in the method: character 5: c of svc is -1; it must be finite and above 0"
    );
    assert_eq!(
        refused("svc(c = \"much\")", "linear"),
        "in the method: character 5: the parameter c takes a real number, not text"
    );
    assert_eq!(
        refused("svc(strategy = \"all\")", "linear"),
        "in the method: character 5: strategy of svc is \"all\"; it must be one of \"one_against_one\", \"one_against_rest\""
    );
    assert_eq!(
        refused("ridge(precision = \"half\")", "linear"),
        "in the method: character 7: precision of ridge is \"half\"; it must be one of \"full\", \"single\""
    );
    assert_eq!(
        refused("kpca", "linear"),
        "in the method: character 1: kpca needs a value for components"
    );
    assert_eq!(
        refused("svc(linear)", "linear"),
        "in the method: character 1: svc takes parameters only; no kernel is part of a method"
    );
    assert_eq!(
        refused("svc", "gausian(gamma = 1)"),
        "in the kernel: character 1: there is no kernel gausian; the nearest name is gaussian"
    );
    assert_eq!(
        refused("svc", "spectrm(length = 2)"),
        "in the kernel: character 1: there is no kernel spectrm; the nearest name is spectrum"
    );
    assert_eq!(
        refused("svc", "spectrum(length = 0)"),
        "in the kernel: character 10: length of spectrum is 0; it must be at least 1"
    );
    let estimator = Estimator::new("svc", "linear").unwrap();
    assert_eq!(
        estimator
            .clone()
            .space("nystroem(landmarks = 3)")
            .unwrap_err()
            .to_string(),
        "in the space: character 1: there is no space nystroem; the nearest name is nystrom"
    );
    let error = estimator
        .clone()
        .transformer("scaler")
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("in the transformer: character 1: there is no transformer scaler"),
        "{error}"
    );
    assert_eq!(
        estimator
            .space("exact(components = 3, variance = 0.5)")
            .unwrap_err()
            .to_string(),
        "in the space: character 7: exact takes one of components, variance, tolerance, not components and variance"
    );
    assert_eq!(
        refused("svc(c = 3, class_c = [1, 10])", "linear"),
        "in the method: character 5: svc takes one of c, class_c, not c and class_c"
    );
    assert!(refused("svr(nu = 0.3, epsilon = 0.1)", "linear").contains("one of epsilon, nu"));
    let of_classes = Estimator::new("svc(class_c = [1, 10])", "linear").unwrap();
    let error = of_classes.with("c", 3.0).unwrap_err();
    assert!(error.to_string().contains("one of c, class_c"), "{error}");
    let three = Estimator::new("svc(class_c = [1, 10, 3])", "linear").unwrap();
    assert!(three.fit(&Data::from(matrix()), labels(2)).is_err());
}

#[test]
fn targets() {
    let data = Data::from(matrix());
    let fit = |method: &str, targets: Targets| {
        Estimator::new(method, "linear")
            .unwrap()
            .fit(&data, targets)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        fit("svc", numbers().into()),
        "svc takes a label a sample, and was given numbers"
    );
    assert_eq!(
        fit("ridge", labels(2).into()),
        "ridge takes one number a sample or several, and was given labels"
    );
    assert_eq!(
        fit("kpca(components = 1)", numbers().into()),
        "kpca takes no targets, and was given numbers"
    );
    assert_eq!(
        fit("ridge", ().into()),
        "ridge takes one number a sample or several, and was given no targets"
    );
    assert_eq!(
        fit("svr", Array2::zeros((20, 2)).into()),
        "svr takes one number a sample, and was given numbers in 2 columns"
    );
    assert_eq!(
        fit("svc", vec![true, false].into()),
        "2 targets for 20 samples; each sample takes one"
    );
    assert_eq!(
        fit("svc", vec![true; 20].into()),
        "the targets hold 1 class; it takes at least 2"
    );
    let mut mixed: Vec<Label> = labels(2).into_iter().map(Label::from).collect();
    mixed[3] = "three".into();
    assert_eq!(
        fit("svc", mixed.into()),
        "0 and three are labels of two types; all must be of one"
    );
    assert_eq!(
        fit("nu_svc(nu = 0.5)", labels(3).into()),
        "nu_svc takes two classes, not 3; svc, calibrated_svc, logistic and kfd take any number"
    );
    let mut numbers = numbers();
    numbers[4] = f64::NAN;
    assert_eq!(
        fit("ridge", numbers.into()),
        "target 4 has the value NaN in column 0; all must be finite"
    );
}

#[test]
fn questions_that_a_model_has_no_answer_to() {
    let model = Estimator::new("kpca(components = 2)", "linear").unwrap();
    let model = model.fit(&Data::from(matrix()), ()).unwrap();
    let new = Data::from(new_matrix());
    let error = model.predict(&new).unwrap_err();
    let (asked, has) = (Ability::Predict, vec![Ability::Transform, Ability::Onnx]);
    assert_eq!(
        error,
        Error::Ability {
            model: "kpca",
            asked,
            has
        }
    );
    assert_eq!(
        error.to_string(),
        "kpca has no predict; it has transform, to_onnx"
    );
    assert!(
        model.predict_probabilities(&new).is_err() && model.predict_with_variance(&new).is_err()
    );
    assert!(model.decision_function(&new).is_err() && model.transform(&new).is_ok());
}

#[test]
fn data() {
    let names = |names: &[&str]| Data::from(matrix()).with_columns(names.to_vec());
    assert_eq!(
        names(&["a", "b"]).unwrap_err().to_string(),
        "there are 2 names for 3 columns"
    );
    assert_eq!(
        names(&["a", "b", "a"]).unwrap_err().to_string(),
        "there are 3 names for 3 columns, and a stands twice"
    );
    let model = Estimator::new("ridge", "linear").unwrap();
    let model = model
        .fit(&names(&["a", "b", "c"]).unwrap(), numbers())
        .unwrap();
    let predict = |data: Data| model.predict(&data).unwrap_err().to_string();
    let new = |names: &[&str]| {
        Data::from(new_matrix())
            .with_columns(names.to_vec())
            .unwrap()
    };
    assert_eq!(
        predict(new(&["b", "a", "c"])),
        "the columns are in another order than at the fit: a, b, c"
    );
    assert_eq!(
        predict(new(&["a", "b", "d"])),
        "the data lack the column c; the model does not know the column d"
    );
    assert_eq!(
        predict(Data::from(array![[1.0, 2.0]])),
        "the new samples have 2 columns; the training samples had 3"
    );
    assert_eq!(
        predict(Data::from(array![[1.0, f64::NAN, 2.0]])),
        "sample 0 has the value NaN in column 1; all must be finite"
    );
    let ordered = model.arranged(&new(&["b", "a", "c"])).unwrap();
    assert_eq!(ordered.columns(), ["a", "b", "c"]);
    assert!(model.predict(&ordered).is_ok());
    let error = new(&["b", "a", "c"]).select(&["a", "z"]).unwrap_err();
    assert_eq!(error.to_string(), "there is no column z; there are b, a, c");
    let error = new(&["b", "a", "c"]).select(&["a", "a"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there are 2 names for 2 columns, and a stands twice"
    );
    let error = model.arranged(&Data::from(new_matrix())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no column a, b, c; the columns have no names"
    );
    let nameless = Estimator::new("ridge", "linear").unwrap();
    let nameless = nameless.fit(&Data::from(matrix()), numbers()).unwrap();
    assert_eq!(
        nameless.arranged(&new(&["b", "a", "c"])).unwrap().columns(),
        ["b", "a", "c"]
    );
    let empty = Estimator::new("ridge", "linear").unwrap();
    let error = empty
        .fit(
            &Data::from(Array2::<f64>::zeros((0, 2))),
            Array1::<f64>::zeros(0),
        )
        .unwrap_err();
    assert_eq!(error.to_string(), "there are no samples");
    let weights = Data::from(matrix()).with_weights(vec![1.0_f32; 3]);
    assert!(empty.fit(&weights, numbers()).is_err());
}

#[test]
fn missing_values_are_for_an_imputer() {
    let mut holes = matrix();
    holes[[2, 1]] = f64::NAN;
    let plain = Estimator::new("svc", "gaussian(gamma = 0.5)").unwrap();
    let error = plain
        .fit(&Data::from(holes.clone()), labels(2))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "sample 2 has the value NaN in column 1; all must be finite"
    );
    let filled = plain.transformer("imputer(strategy = \"median\")").unwrap();
    let filled = filled.transformer("standard_scaler").unwrap();
    let model = filled.fit(&Data::from(holes.clone()), labels(2)).unwrap();
    assert!(model.predict(&Data::from(holes)).is_ok());
    let narrow = Data::from(matrix().slice_move(ndarray::s![.., ..2]));
    let error = model.predict(&narrow).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the new samples have 2 columns; the training samples had 3"
    );
}

#[test]
fn files_that_are_no_models() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "nothing").unwrap();
    assert!(matches!(Model::load(file.path()), Err(Error::File(_))));
    npt_model_file::save(&vec![1.0], file.path()).unwrap();
    assert!(matches!(Model::load(file.path()), Err(Error::File(_))));
    assert!(matches!(Model::load("no/such/file"), Err(Error::File(_))));
}

/// A file whose parts are valid, but not those of one model, is refused.
#[test]
fn parts_that_disagree_are_refused() {
    let scaled = Estimator::new("svc(c = 2)", "gaussian(gamma = 0.5)").unwrap();
    let scaled = scaled.transformer("standard_scaler").unwrap();
    let data = Data::from(matrix()).with_columns(["p", "q", "r"]).unwrap();
    let model = scaled.fit(&data, labels(2)).unwrap();
    let text = serde_json::to_string(&model).unwrap();
    assert!(serde_json::from_str::<Model>(&text).is_ok());
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}: {text}");
        serde_json::from_str::<Model>(&text.replacen(from, to, 1))
            .unwrap_err()
            .to_string()
    };
    let error = refused("svc(c = 2)", "ridge");
    assert!(
        error.contains("a model of ridge has a fitted method of another kind"),
        "{error}"
    );
    let error = refused("[\"standard_scaler\"]", "[]");
    assert!(error.contains("the transformers are others"), "{error}");
    let error = refused("[\"p\",\"q\",\"r\"]", "[\"p\",\"q\"]");
    assert!(error.contains("there are 2 names for 3 columns"), "{error}");
    let error = refused("{\"Integer\":1}]", "{\"Integer\":1},{\"Integer\":2}]");
    assert!(
        error.contains("tells 2 classes apart, and 3 have names"),
        "{error}"
    );
    let error = refused("\"width\":3", "\"width\":2");
    assert!(error.contains("columns"), "{error}");
}
