//! Every method, space and kernel of the lists: fitted, saved, loaded and asked again, or refused by a typed error.

use super::{labels, matrix, new_matrix, targets_of, with_required};
use ndarray::s;
use npt_core::{ParameterValue, ReadyKernels, Rows};
use npt_estimator::{Ability, Data, Error, Estimator, Model, Targets};

/// The answers of a model, as bits.
fn answers(model: &Model, x: &Data) -> Vec<u64> {
    let mut answers = Vec::new();
    for ability in model.abilities() {
        match ability {
            Ability::Predict => match model.predict(x).unwrap() {
                npt_estimator::Predictions::Numbers(numbers) => {
                    answers.extend(numbers.iter().map(|v| v.to_bits()));
                }
                other => answers.extend(format!("{other:?}").bytes().map(u64::from)),
            },
            Ability::DecisionFunction => {
                answers.extend(
                    model
                        .decision_function(x)
                        .unwrap()
                        .iter()
                        .map(|v| v.to_bits()),
                );
            }
            Ability::Probabilities => {
                answers.extend(
                    model
                        .predict_probabilities(x)
                        .unwrap()
                        .iter()
                        .map(|v| v.to_bits()),
                );
            }
            Ability::Variance => {
                let (means, variances) = model.predict_with_variance(x).unwrap();
                answers.extend(means.iter().chain(&variances).map(|v| v.to_bits()));
            }
            Ability::Transform => {
                answers.extend(model.transform(x).unwrap().iter().map(|v| v.to_bits()));
            }
            Ability::Residuals => {
                answers.extend(model.residuals(x).unwrap().iter().map(|v| v.to_bits()));
            }
            Ability::TransformSecond => {
                let second = Data::from(new_matrix().slice(s![.., 1..]).to_owned());
                let scores = model.transform_second(&second).unwrap();
                answers.extend(scores.iter().map(|v| v.to_bits()));
            }
            Ability::InverseTransform => {
                let components = model.transform(x).unwrap();
                let inputs = model.inverse_transform(&components).unwrap();
                answers.extend(inputs.iter().map(|v| v.to_bits()));
            }
            Ability::Reconstruct => {
                answers.extend(model.reconstruct(x).unwrap().iter().map(|v| v.to_bits()));
            }
            Ability::Onnx => answers.extend(model.to_onnx().unwrap().into_iter().map(u64::from)),
            Ability::Libsvm => answers.extend(model.to_libsvm().unwrap().bytes().map(u64::from)),
            other => panic!("{other} is not asked"),
        }
    }
    assert!(!answers.is_empty());
    answers
}

/// Fits, saves, loads and asks; returns `false` if the fit was refused.
fn check(estimator: &Estimator, targets: Targets) -> bool {
    let model = match estimator.fit(&Data::from(matrix()), targets) {
        Ok(model) => model,
        Err(Error::Fit(error)) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
        Err(error) => panic!("{estimator}: {error}"),
    };
    let new = Data::from(new_matrix());
    let file = tempfile::NamedTempFile::new().unwrap();
    model.save(file.path()).unwrap();
    let loaded = Model::load(file.path()).unwrap();
    assert_eq!(answers(&loaded, &new), answers(&model, &new), "{estimator}");
    assert_eq!(loaded.to_string(), model.to_string());
    assert_eq!(loaded.estimator(), estimator);
    true
}

/// Every kernel of dense vectors, with values for the parameters that it requires, and some kernels made of others.
fn kernels() -> Vec<String> {
    let catalogue = Rows::<f64>::ready_kernels();
    let texts = catalogue.entries().iter().filter_map(|entry| {
        let required = entry
            .parameters()
            .iter()
            .filter(|parameter| parameter.is_required());
        let given: Vec<String> = required
            .map(|parameter| match parameter.range().kind() {
                "a list" => format!("{} = [0.5, 2, 1]", parameter.name()),
                "an integer" => format!("{} = 1", parameter.name()),
                _ => format!("{} = 0.5", parameter.name()),
            })
            .collect();
        let text = format!("{}({})", entry.name(), given.join(", "));
        catalogue.read(&text).is_ok().then_some(text)
    });
    let composed = [
        "gaussian(gamma = 0.5) + 0.1 * linear",
        "gaussian(gamma = 0.5) * polynomial(degree = 2, gamma = 1, constant = 1)",
        "length_scales(length_scales = [0.5, 2, 1], matern(smoothness = 1.5, length_scale = 1))",
        "normalized(polynomial(degree = 2, gamma = 1, constant = 1))",
    ];
    texts.chain(composed.map(str::to_owned)).collect()
}

#[test]
fn every_method_in_every_space() {
    let mut fitted = 0;
    for method in Estimator::methods() {
        let targets = targets_of(&with_required(method));
        for space in Estimator::spaces() {
            let estimator = Estimator::new(&with_required(method), suited(space.name())).unwrap();
            let estimator = estimator.space(&with_required(space)).unwrap();
            if ["optimized_gaussian_process", "robust_kpca"].contains(&method.name())
                && space.name() != "exact"
            {
                let error = estimator.fit(&Data::from(matrix()), targets.clone());
                let text = error.unwrap_err().to_string();
                let own = "takes the space exact without parameters, not";
                assert!(text.starts_with(&format!("{} {own} {}(", method.name(), space.name())));
                continue;
            }
            assert!(check(&estimator, targets.clone()), "{estimator}");
            fitted += 1;
        }
    }
    assert!(fitted >= 21 * 5 + 2);
}

/// A kernel that the space takes.
fn suited(space: &str) -> &'static str {
    match space {
        "tensor_sketch" => "polynomial(degree = 2, gamma = 0.5, constant = 1)",
        "homogeneous_features" => "additive_chi_squared",
        _ => "gaussian(gamma = 0.5)",
    }
}

#[test]
fn spaces_of_features_refuse_other_kernels_and_samples() {
    for space in Estimator::spaces().filter(|space| suited(space.name()) != suited("exact")) {
        let estimator = Estimator::new("ridge", suited("exact")).unwrap();
        let estimator = estimator.space(&with_required(space)).unwrap();
        let targets = targets_of("ridge");
        let error = estimator.fit(&Data::from(matrix()), targets).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("does not take the kernel gaussian(gamma = 0.5); it needs"),
            "{text}"
        );
    }
    let estimator = Estimator::new("kpca(components = 1)", "spectrum(length = 2)").unwrap();
    let estimator = estimator.space("random_fourier(frequencies = 5)").unwrap();
    let words = npt_core::Items::new(vec!["banana".to_owned(), "ananas".to_owned()]).unwrap();
    let error = estimator.fit(&Data::new(words), ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "random_fourier does not take the kernel spectrum(length = 2); it needs a kernel on dense vectors"
    );
}

#[test]
fn every_method_with_every_kernel() {
    let kernels = kernels();
    assert!(kernels.len() > 20);
    for method in Estimator::methods() {
        let targets = targets_of(&with_required(method));
        let mut fitted = 0;
        for kernel in &kernels {
            let estimator = Estimator::new(&with_required(method), kernel).unwrap();
            fitted += usize::from(check(&estimator, targets.clone()));
        }
        if method.name() == "robust_kpca" {
            assert_eq!(fitted, 1, "the Gaussian kernel");
            continue;
        }
        // Some kernels are not positive semidefinite on these samples, or leave no dimension for a second component.
        assert!(fitted > kernels.len() / 2, "{}: {fitted}", method.name());
    }
}

#[test]
fn classifiers_of_three_classes() {
    let mut refused = Vec::new();
    for method in Estimator::methods() {
        let text = with_required(method);
        if !matches!(targets_of(&text), Targets::Labels(_)) {
            continue;
        }
        let estimator = Estimator::new(&text, "gaussian(gamma = 0.5)").unwrap();
        match estimator.fit(&Data::from(matrix()), labels(3)) {
            Ok(_) => assert!(check(&estimator, labels(3).into())),
            Err(Error::TwoClasses { method, found, .. }) => {
                assert_eq!(found, 3);
                refused.push(method);
            }
            Err(error) => panic!("{estimator}: {error}"),
        }
    }
    assert_eq!(refused, ["nu_svc", "hard_margin_svc"]);
}

#[test]
fn an_estimator_is_kept_as_text() {
    let reals = [
        1e-300,
        -0.0,
        1e-7,
        0.1,
        3.0,
        9_007_199_254_740_991.0,
        9_007_199_254_740_993.0,
        9.5e15,
        1e16,
        1e300,
    ];
    for method in Estimator::methods() {
        let estimator = Estimator::new(
            &with_required(method),
            "gaussian(gamma = 0.5) + length_scales(length_scales = [0.5, 9007199254740994, 1e-7], laplacian(gamma = 0.3))",
        );
        let estimator = estimator
            .and_then(|estimator| {
                estimator.space("nystrom(landmarks = 5, selection = \"greedy\", centered = true)")
            })
            .and_then(|estimator| estimator.transformer("imputer(strategy = \"median\")"))
            .and_then(|estimator| estimator.transformer("standard_scaler"))
            .unwrap();
        let check = |estimator: &Estimator| {
            let text = serde_json::to_string(estimator).unwrap();
            assert_eq!(
                &serde_json::from_str::<Estimator>(&text).unwrap(),
                estimator,
                "{text}"
            );
        };
        check(&estimator);
        for entry in method.parameters() {
            for value in reals
                .into_iter()
                .map(ParameterValue::from)
                .filter(|value| entry.range().holds(value))
            {
                if let Ok(changed) = estimator.clone().with(entry.name(), value) {
                    check(&changed);
                }
            }
        }
    }
}
