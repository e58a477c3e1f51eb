//! What is chosen by name has the bits of what is written with types.

use super::{labels, matrix, new_matrix, numbers, positions};
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, Axis};
use npt_core::{
    AdditiveChiSquared, Axes, Gaussian, HomogeneousFeatures, Kernelized, Linear, NamedKernel,
    Nystrom, Pivoting, Polynomial, RandomFourier, Rows, TensorSketch,
};
use npt_estimator::{Data, Estimator, Label, Model, Predictions, Targets};
use npt_methods::*;

type Typed = NamedKernel<Rows<f64>, f64>;

/// Kernels by name and by type.
fn kernels() -> Vec<(&'static str, Typed)> {
    vec![
        (
            "gaussian(gamma = 0.5)",
            NamedKernel::new(Gaussian::new(0.5)),
        ),
        (
            "polynomial(degree = 2, gamma = 0.5, constant = 1) + 0.1 * linear",
            NamedKernel::new(Polynomial::new(2, 0.5, 1.0).plus(Linear::new().scaled(0.1))),
        ),
    ]
}

fn named(method: &str, kernel: &str, targets: impl Into<Targets>) -> Model {
    let estimator = Estimator::new(method, kernel).unwrap();
    estimator.fit(&Data::from(matrix()), targets).unwrap()
}

fn two() -> Vec<bool> {
    labels(2).into_iter().map(|label| label == 1).collect()
}

fn three() -> Array1<usize> {
    positions(3).into()
}

/// Fits the typed method to targets, and compares what it makes of new samples with what the named one does.
macro_rules! equal {
    ($name:literal, $typed:expr, $targets:expr, $given:expr, $ask:expr, $expected:expr) => {
        for (text, kernel) in kernels() {
            let model = named($name, text, $given);
            let typed = $typed(kernel)
                .fit(&DatasetBase::new(matrix(), $targets))
                .unwrap();
            let new = Data::from(new_matrix());
            assert_eq!(
                $ask(&model, &new),
                $expected(&typed, new_matrix()),
                "{} of {text}",
                $name
            );
        }
    };
}

fn transformed(model: &Model, new: &Data) -> Array2<f64> {
    model.transform(new).unwrap()
}

fn predicted(model: &Model, new: &Data) -> Array2<f64> {
    model.predict(new).unwrap().numbers().unwrap().clone()
}

fn decided(model: &Model, new: &Data) -> Array2<f64> {
    model.decision_function(new).unwrap()
}

fn column(values: Array1<f64>) -> Array2<f64> {
    values.insert_axis(Axis(1))
}

#[test]
fn projections() {
    macro_rules! same {
        ($name:literal, $typed:expr) => {
            equal!(
                $name,
                $typed,
                Array1::from_elem(20, ()),
                (),
                transformed,
                |typed: &_, new| -> Array2<f64> { Transformer::transform(typed, new) }
            );
        };
    }
    same!("kpca(components = 2)", |kernel| Kpca::params(2, kernel));
    same!("kpca_l1(components = 2, starts = 3)", |kernel| {
        KpcaL1::params(2, kernel).method(|m| m.starts(3))
    });
    same!("ica(components = 2)", |kernel| KernelIca::params(2, kernel));
    equal!(
        "regression_discriminant(components = 2)",
        |kernel| KernelRegressionDiscriminant::params(2, kernel),
        numbers(),
        numbers(),
        transformed,
        |typed: &_, new| -> Array2<f64> { Transformer::transform(typed, new) }
    );
}

#[test]
fn regressions() {
    let both = ndarray::stack![Axis(1), numbers(), -numbers()];
    macro_rules! same {
        ($name:literal, $typed:expr) => {
            equal!(
                $name,
                $typed,
                both.clone(),
                both.clone(),
                predicted,
                |typed: &npt_core::FoldedModel<_, _, _, _>, new| -> Array2<f64> {
                    typed.try_predict(&new).unwrap()
                }
            );
        };
    }
    same!("ridge(penalty = 0.1)", |kernel| KernelRidge::params(kernel)
        .method(|m| m.penalty(0.1)));
    same!("iterative_ridge(penalty = 0.1)", |kernel| {
        IterativeKernelRidge::params(kernel).method(|m| m.penalty(0.1))
    });
    same!("pls(components = 2)", |kernel| KernelPls::params(2, kernel));
    equal!(
        "svr(c = 2, epsilon = 0.05)",
        |kernel| KernelSvr::params(kernel).method(|m| m.c(2.0).epsilon(0.05)),
        numbers(),
        numbers(),
        predicted,
        |typed: &npt_core::FoldedModel<_, _, _, _>, new| column(typed.try_predict(&new).unwrap())
    );
    for (text, kernel) in kernels() {
        let model = named(
            "gaussian_process(noise = 0.1, mean_of_targets = true)",
            text,
            numbers(),
        );
        let typed = GaussianProcess::params(kernel)
            .noise(0.1)
            .mean_of_targets(true);
        let typed = typed.fit(&DatasetBase::new(matrix(), numbers())).unwrap();
        let new = Data::from(new_matrix());
        let expected = typed.predict_with_variance(&new_matrix()).unwrap();
        assert_eq!(
            model.predict_with_variance(&new).unwrap(),
            expected,
            "{text}"
        );
        assert_eq!(predicted(&model, &new), column(expected.0));
    }
}

#[test]
fn classifiers_of_two_classes() {
    macro_rules! same {
        ($name:literal, $typed:expr) => {
            equal!(
                $name,
                $typed,
                Array1::from(two()),
                two(),
                decided,
                |typed: &npt_core::FoldedModel<_, _, _, _>, new| column(
                    typed.decision_function(&new).unwrap()
                )
            );
        };
    }
    same!("svc(c = 10)", |kernel| KernelSvc::params(kernel)
        .method(|m| m.c(10.0)));
    same!("svc(class_c = [10, 1])", |kernel| KernelSvc::params(kernel)
        .method(|m| m.class_c(10.0, 1.0)));
    same!("nu_svc(nu = 0.4)", |kernel| KernelNuSvc::params(
        0.4, kernel
    ));
    equal!(
        "calibrated_svc(folds = 3)",
        |kernel| KernelCalibratedSvc::params(kernel).method(|m| m.folds(3)),
        Array1::from(two()),
        two(),
        decided,
        |typed: &npt_core::FoldedModel<_, _, _, _>, new| {
            let values: Array2<f64> = typed.decision_function(&new).unwrap();
            -values
        }
    );
    equal!(
        "logistic(penalty = 0.1)",
        |kernel| KernelLogistic::params(kernel).method(|m| m.penalty(0.1)),
        Array1::from(two()),
        two(),
        decided,
        |typed: &npt_core::FoldedModel<_, _, _, _>, new| typed.decision_function(&new).unwrap()
    );
    let separable = Estimator::new("hard_margin_svc", "gaussian(gamma = 2)").unwrap();
    let model = separable.fit(&Data::from(matrix()), two()).unwrap();
    let typed = KernelHardMarginSvc::params(Gaussian::new(2.0));
    let typed = typed
        .fit(&DatasetBase::new(matrix(), Array1::from(two())))
        .unwrap();
    let new = Data::from(new_matrix());
    assert_eq!(
        decided(&model, &new),
        column(typed.decision_function(&new_matrix()).unwrap())
    );
    let labels: Vec<Label> = typed
        .try_predict(&new_matrix())
        .map(|y: Array1<bool>| y.iter().map(|&y| y.into()).collect())
        .unwrap();
    assert_eq!(model.predict(&new).unwrap(), Predictions::Labels(labels));
}

#[test]
fn classifiers_of_three_classes() {
    macro_rules! same {
        ($name:literal, $typed:expr) => {
            equal!(
                $name,
                $typed,
                three(),
                labels(3),
                decided,
                |typed: &npt_core::FoldedModel<_, _, _, _>, new| typed
                    .decision_function(&new)
                    .unwrap()
            );
        };
    }
    same!("svc(c = 10)", |kernel| KernelSvc::params(kernel)
        .method(|m| m.c(10.0)));
    same!("svc(strategy = \"one_against_rest\")", |kernel| {
        KernelSvc::params(kernel).method(|m| m.strategy(linear::Strategy::OneAgainstRest))
    });
    same!("calibrated_svc(folds = 3)", |kernel| {
        KernelCalibratedSvc::params(kernel).method(|m| m.folds(3))
    });
    same!("logistic", KernelLogistic::params);
    same!("kfd(ridge = 0.1)", |kernel| Kfd::params(kernel)
        .method(|m| m.ridge(0.1)));
    same!("kpca_lda(components = 4, ridge = 0.1)", |kernel| {
        KpcaLda::params(4, kernel).method(|chain| chain.map_second(|lda| lda.ridge(0.1)))
    });
    equal!(
        "logistic(balanced = true)",
        |kernel| KernelLogistic::params(kernel).method(|m| m.balanced(true)),
        three(),
        labels(3),
        |model: &Model, new: &Data| model.predict_probabilities(new).unwrap(),
        |typed: &npt_core::FoldedModel<_, _, _, _>, new| typed.predict_probabilities(&new).unwrap()
    );
}

#[test]
fn novelty_and_clusters() {
    equal!(
        "one_class_svm(nu = 0.3)",
        |kernel| KernelOneClassSvm::params(0.3, kernel),
        Array1::from_elem(20, ()),
        (),
        decided,
        |typed: &npt_core::FoldedModel<_, _, _, _>, new| column(
            typed.decision_function(&new).unwrap()
        )
    );
    equal!(
        "novelty_detector(quantile = 0.8)",
        |kernel| NoveltyDetector::params(kernel).quantile(0.8),
        Array1::from_elem(20, ()),
        (),
        |model: &Model, new: &Data| model.predict(new).unwrap(),
        |typed: &NoveltyDetectorModel<_>, new| Predictions::Novel(
            typed.try_predict(&new).unwrap().to_vec()
        )
    );
    equal!(
        "kmeans(clusters = 3, seed = 5)",
        |kernel| KernelKMeans::params(3, kernel).method(|m| m.seed(5)),
        Array1::from_elem(20, ()),
        (),
        |model: &Model, new: &Data| model.predict(new).unwrap(),
        |typed: &npt_core::FoldedModel<_, _, _, _>, new| {
            let clusters: Array1<usize> = typed.try_predict(&new).unwrap();
            Predictions::Clusters(clusters.to_vec())
        }
    );
}

#[test]
fn spaces() {
    let estimator = Estimator::new("ridge", "gaussian(gamma = 0.5)").unwrap();
    let new = Data::from(new_matrix());
    let data = DatasetBase::new(matrix(), numbers().insert_axis(Axis(1)));
    let check = |space: &str, expected: Array2<f64>| {
        let model = estimator
            .clone()
            .space(space)
            .unwrap()
            .fit(&Data::from(matrix()), numbers())
            .unwrap();
        assert_eq!(predicted(&model, &new), expected, "{space}");
    };
    let exact = KernelRidge::params(Gaussian::new(0.5)).space(|s| {
        s.rank(npt_core::Rank::Components(4))
            .centered(false)
            .axes(Axes::Principal)
    });
    let typed = exact.fit(&data).unwrap();
    check(
        "exact(components = 4, centered = false, axes = \"principal\")",
        typed.try_predict(&new_matrix()).unwrap(),
    );
    let nystrom = KernelRidge::params(Gaussian::new(0.5)).space(|_| {
        Nystrom::new(Gaussian::new(0.5), Pivoting::greedy(6).seed(3)).axes(Axes::Cholesky)
    });
    let typed = nystrom.fit(&data).unwrap();
    check(
        "nystrom(landmarks = 6, selection = \"greedy\", seed = 3)",
        typed.try_predict(&new_matrix()).unwrap(),
    );
}

#[test]
fn spaces_of_features() {
    let new = Data::from(new_matrix());
    let data = Data::from(matrix());
    let estimator = |method: &str, kernel: &str, space: &str| {
        Estimator::new(method, kernel)
            .unwrap()
            .space(space)
            .unwrap()
    };
    let both = DatasetBase::new(matrix(), column(numbers()));

    let fourier = RandomFourier::new(Gaussian::new(0.5), 12)
        .seed(3)
        .axes(Axes::Cholesky);
    let space = "random_fourier(frequencies = 12, seed = 3)";
    let model = estimator("ridge", "gaussian(gamma = 0.5)", space)
        .fit(&data, numbers())
        .unwrap();
    let typed = Kernelized::new(linear::Ridge::params(), fourier.clone())
        .fit(&both)
        .unwrap();
    let expected: Array2<f64> = typed.try_predict(&new_matrix()).unwrap();
    assert_eq!(predicted(&model, &new), expected);

    let model = estimator("kmeans(clusters = 3)", "gaussian(gamma = 0.5)", space)
        .fit(&data, ())
        .unwrap();
    let typed = Kernelized::new(linear::KMeans::params(3).resolution(8.0), fourier.clone())
        .fit(&both)
        .unwrap();
    let clusters: Array1<usize> = typed.try_predict(&new_matrix()).unwrap();
    assert_eq!(
        model.predict(&new).unwrap(),
        Predictions::Clusters(clusters.to_vec())
    );

    let model = estimator(
        "gaussian_process(noise = 0.1)",
        "gaussian(gamma = 0.5)",
        space,
    );
    let model = model.fit(&data, numbers()).unwrap();
    let typed = GaussianProcess::params(Gaussian::new(0.5)).noise(0.1);
    let typed = typed
        .space(|_| fourier.clone().centered(false))
        .by_coordinates();
    let typed = typed.fit(&DatasetBase::new(matrix(), numbers())).unwrap();
    let expected = typed.predict_with_variance(&new_matrix()).unwrap();
    assert_eq!(model.predict_with_variance(&new).unwrap(), expected);

    let polynomial = "polynomial(degree = 2, gamma = 0.5, constant = 1)";
    let sketch = TensorSketch::new(Polynomial::new(2, 0.5, 1.0), 16)
        .seed(1)
        .axes(Axes::Cholesky);
    let model = estimator("kfd", polynomial, "tensor_sketch(features = 16, seed = 1)");
    let model = model.fit(&data, labels(3)).unwrap();
    let typed = Kernelized::new(linear::Lda::params(), sketch);
    let typed = typed.fit(&DatasetBase::new(matrix(), three())).unwrap();
    assert_eq!(
        decided(&model, &new),
        typed.decision_function(&new_matrix()).unwrap()
    );

    let homogeneous = HomogeneousFeatures::new(AdditiveChiSquared::new(), 2).axes(Axes::Cholesky);
    let model = estimator(
        "kpca_lda(components = 4)",
        "additive_chi_squared",
        "homogeneous_features(frequencies = 2)",
    );
    let model = model.fit(&data, labels(3)).unwrap();
    let chain = linear::Chain::new(linear::Pca::params(4), linear::Lda::params());
    let typed = Kernelized::new(chain, homogeneous)
        .fit(&DatasetBase::new(matrix(), three()))
        .unwrap();
    assert_eq!(
        decided(&model, &new),
        typed.decision_function(&new_matrix()).unwrap()
    );
}

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

/// Samples of weight 0 are none: what only they are labelled is no class.
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
