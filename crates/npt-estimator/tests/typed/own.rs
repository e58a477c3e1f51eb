//! Methods with a space of their own: Gaussian processes whose kernel is searched for, and components of incomplete samples.

use super::*;
use npt_estimator::{Ability, Error};

#[test]
fn an_optimized_process_has_the_kernel_that_the_typed_one_finds() {
    let text = "gaussian(gamma = 0.5) + 0.1 * linear";
    let typed = NamedKernel::new(Gaussian::new(0.5).plus(Linear::new().scaled(0.1)));
    let typed = GaussianProcess::optimized(typed)
        .noise(0.2)
        .mean_of_targets(true)
        .keep("second.factor")
        .restarts(2)
        .seed(5)
        .fit(&DatasetBase::new(matrix(), numbers()))
        .unwrap();
    let model = named(
        "optimized_gaussian_process(noise = 0.2, mean_of_targets = true, keep = \"second.factor\", restarts = 2, seed = 5)",
        text,
        numbers(),
    );
    assert_eq!(
        model
            .predict_with_variance(&Data::from(new_matrix()))
            .unwrap(),
        typed.predict_with_variance(&new_matrix()).unwrap()
    );
    let found = npt_core::Kernel::<Rows<f64>>::describe(typed.expansion().kernel());
    assert_eq!(model.kernel(), found.to_string());
    assert_ne!(model.kernel(), text);
    assert!(
        model.kernel().contains("factor = 0.1"),
        "{}",
        model.kernel()
    );
    assert!(model.to_string().contains(&model.kernel()), "{model}");

    let unknown = Estimator::new("optimized_gaussian_process(keep = \"gama\")", text).unwrap();
    let error = unknown.fit(&Data::from(matrix()), numbers()).unwrap_err();
    assert!(error.to_string().contains("gama"), "{error}");
}

#[test]
fn robust_components_take_missing_values() {
    let mut x = matrix();
    x[[2, 1]] = f64::NAN;
    x[[7, 0]] = f64::NAN;
    let mut new = new_matrix();
    new[[1, 2]] = f64::NAN;
    let typed = RobustKpca::params(2, Gaussian::new(0.5)).outlier_scale(0.8);
    let typed = typed.fit(&DatasetBase::from(x.clone())).unwrap();
    let estimator = Estimator::new(
        "robust_kpca(components = 2, outlier_scale = 0.8)",
        "gaussian(gamma = 0.5)",
    );
    let model = estimator.unwrap().fit(&Data::from(x.clone()), ()).unwrap();
    let data = Data::from(new.clone());
    assert_eq!(
        model.transform(&data).unwrap(),
        typed.try_transform(&new).unwrap()
    );
    assert_eq!(
        model.reconstruct(&data).unwrap(),
        typed.reconstruct(&new).unwrap()
    );
    assert_eq!(
        model.abilities(),
        [Ability::Transform, Ability::Reconstruct]
    );

    let file = tempfile::NamedTempFile::new().unwrap();
    model.save(file.path()).unwrap();
    let loaded = Model::load(file.path()).unwrap();
    assert_eq!(
        loaded.reconstruct(&data).unwrap(),
        model.reconstruct(&data).unwrap()
    );

    let estimator = |kernel| Estimator::new("robust_kpca(components = 2)", kernel).unwrap();
    let error = |kernel, targets: Targets| {
        let fit = estimator(kernel).fit(&Data::from(x.clone()), targets);
        fit.unwrap_err().to_string()
    };
    assert_eq!(
        error("linear", ().into()),
        "robust_kpca does not take the kernel linear; it needs a Gaussian kernel"
    );
    assert_eq!(
        error("gaussian(gamma = 1)", labels(2).into()),
        "robust_kpca takes no targets, and was given labels"
    );
    let words = npt_core::Items::new(vec!["one".to_owned(), "two".to_owned()]).unwrap();
    let refused = estimator("spectrum(length = 2)")
        .fit(&Data::new(words), ())
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "robust_kpca takes dense vectors, not texts"
    );
    assert!(matches!(refused, Error::DenseVectors { .. }));
    let plain = Estimator::new("kpca(components = 2)", "gaussian(gamma = 0.5)").unwrap();
    let error = plain.fit(&Data::from(x.clone()), ()).unwrap_err();
    assert!(matches!(error, Error::Fit(_)), "{error}");
}
