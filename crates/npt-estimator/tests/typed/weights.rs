//! Sample weights.

use super::*;

#[test]
fn weights_count() {
    let weights: Vec<f32> = (0..20).map(|i| 0.5 + (i % 3) as f32).collect();
    let estimator = Estimator::new("ridge", "gaussian(gamma = 0.5)").unwrap();
    let model = estimator
        .fit(
            &Data::from(matrix()).with_weights(weights.clone()),
            numbers(),
        )
        .unwrap();
    let data =
        DatasetBase::new(matrix(), numbers().insert_axis(Axis(1))).with_weights(weights.into());
    let typed = KernelRidge::params(Gaussian::new(0.5)).fit(&data).unwrap();
    let expected: Array2<f64> = typed.try_predict(&new_matrix()).unwrap();
    assert_eq!(predicted(&model, &Data::from(new_matrix())), expected);
}

/// A label that only samples of weight 0 have is no class.
#[test]
fn classes_that_weigh_nothing_are_none() {
    let of_three = labels(3);
    for absent in 0..3 {
        let weights: Vec<f32> = of_three
            .iter()
            .map(|&label| f32::from(u8::from(label != absent)))
            .collect();
        for method in [
            "svc",
            "calibrated_svc(folds = 2)",
            "logistic",
            "kfd",
            "nu_svc(nu = 0.2)",
        ] {
            let estimator = Estimator::new(method, "gaussian(gamma = 0.5)").unwrap();
            let data = Data::from(matrix()).with_weights(weights.clone());
            let model = estimator.fit(&data, of_three.clone()).unwrap();
            let others: Vec<Label> = (0..3)
                .filter(|&label| label != absent)
                .map(Label::from)
                .collect();
            assert_eq!(model.classes(), others, "{method}");
            let text = serde_json::to_string(&model).unwrap();
            let loaded: Model = serde_json::from_str(&text).unwrap();
            assert_eq!(
                loaded.predict(&data).unwrap(),
                model.predict(&data).unwrap()
            );
            if model.has(npt_estimator::Ability::Probabilities) {
                let loss =
                    npt_estimator::Score::LogLoss.of(&model, &data, &of_three.clone().into());
                assert!(loss.unwrap().is_finite());
            }
        }
    }
}
