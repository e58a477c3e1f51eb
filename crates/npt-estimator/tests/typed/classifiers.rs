//! Classifiers, novelty and clusters: decision values, probabilities and predictions.

use super::*;

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
                |typed: &npt_core::ExpansionModel<_, _, _, _>, new| column(
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
        |typed: &npt_core::ExpansionModel<_, _, _, _>, new| {
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
        |typed: &npt_core::ExpansionModel<_, _, _, _>, new| typed.decision_function(&new).unwrap()
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
                |typed: &npt_core::ExpansionModel<_, _, _, _>, new| typed
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
        |typed: &npt_core::ExpansionModel<_, _, _, _>, new| typed
            .predict_probabilities(&new)
            .unwrap()
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
        |typed: &npt_core::ExpansionModel<_, _, _, _>, new| column(
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
        |typed: &npt_core::ExpansionModel<_, _, _, _>, new| {
            let clusters: Array1<usize> = typed.try_predict(&new).unwrap();
            Predictions::Clusters(clusters.to_vec())
        }
    );
}
