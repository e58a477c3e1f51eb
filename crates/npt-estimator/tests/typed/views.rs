//! Two views: the scores of each, and second views that are refused.

use super::*;
use npt_core::Laplacian;
use npt_estimator::{Ability, Column, Error};

/// The second view has a kernel of its own, or that of the first; the spaces are of one kind.
#[test]
fn two_views() {
    let second = matrix().mapv(f64::sin);
    let given = || Data::from(second.clone());
    let (new, second_new) = (new_matrix(), new_matrix().mapv(f64::sin));
    for (text, kernel) in kernels() {
        let method = "cca(components = 2, ridge = 0.1, second_kernel = \"laplacian(gamma = 0.5)\")";
        let model = named(method, text, given());
        let typed = KernelCca::params(2, kernel.clone(), Laplacian::new(0.5)).ridge(0.1);
        let typed = typed.fit(&matrix(), &second).unwrap();
        let scores = model.transform(&Data::from(new.clone())).unwrap();
        assert_eq!(
            scores,
            Transformer::transform(typed.first(), new.clone()),
            "{text}"
        );
        let scores = model
            .transform_second(&Data::from(second_new.clone()))
            .unwrap();
        assert_eq!(
            scores,
            Transformer::transform(typed.second(), second_new.clone()),
            "{text}"
        );

        let model = named("cca(components = 1)", text, given());
        let typed = KernelCca::params(1, kernel.clone(), kernel);
        let typed = typed.fit(&matrix(), &second).unwrap();
        let scores = model
            .transform_second(&Data::from(second_new.clone()))
            .unwrap();
        assert_eq!(
            scores,
            Transformer::transform(typed.second(), second_new.clone()),
            "{text}"
        );
    }
    let cca = "cca(components = 1)";
    let estimator = Estimator::new(cca, "gaussian(gamma = 0.5)").unwrap();
    let estimator = estimator.space("random_fourier(frequencies = 8)").unwrap();
    let model = estimator.fit(&Data::from(matrix()), given()).unwrap();
    let fourier = || RandomFourier::new(Gaussian::new(0.5), 8).axes(Axes::Cholesky);
    let typed = KernelCca::params(1, (), ()).spaces(fourier(), fourier());
    let typed = typed.fit_by_coordinates(&matrix(), &second).unwrap();
    let scores = model
        .transform_second(&Data::from(second_new.clone()))
        .unwrap();
    assert_eq!(scores, Transformer::transform(typed.second(), second_new));
}

#[test]
fn second_views_that_are_none() {
    let data = Data::from(matrix());
    let error = |method: &str, first: &Data, second: Targets| {
        let estimator = Estimator::new(method, "gaussian(gamma = 0.5)").unwrap();
        estimator.fit(first, second).unwrap_err().to_string()
    };
    let cca = "cca(components = 1)";
    assert_eq!(
        error(cca, &data, numbers().into()),
        "cca takes a second view of the samples, and was given numbers"
    );
    assert_eq!(
        error("ridge", &data, data.clone().into()),
        "ridge takes one number a sample or several, and was given a second view"
    );
    let few = Data::from(new_matrix());
    assert_eq!(
        error(cca, &data, few.into()),
        "6 targets for 20 samples; each sample takes one"
    );
    let weighted = || data.clone().with_weights(vec![1.0; 20]);
    for (first, second) in [(weighted(), data.clone()), (data.clone(), weighted())] {
        assert_eq!(
            error(cca, &first, second.into()),
            "kernel canonical correlations do not take sample weights"
        );
    }
    let colours = Column::from(["red", "blue"].repeat(10));
    let colours = Data::from_columns([("colour", colours)]).unwrap();
    assert_eq!(
        error(cca, &data, colours.clone().into()),
        "the second view takes numbers, and has the categories of colour"
    );
    let words = npt_core::Items::new(vec!["word".to_owned(); 20]).unwrap();
    let words = Data::new(words);
    assert_eq!(
        error(cca, &data, words.into()),
        "gaussian(gamma = 0.5) is no kernel on texts, but on dense vectors and sparse vectors"
    );
    let mut holes = matrix();
    holes[[3, 1]] = f64::NAN;
    assert_eq!(
        error(cca, &data, Data::from(holes).into()),
        "sample 3 has the value NaN in column 1; all must be finite"
    );
    let unknown = "cca(components = 1, second_kernel = \"gauss\")";
    assert_eq!(
        error(unknown, &data, data.clone().into()),
        "in the kernel of the second view: character 1: there is no kernel gauss; the nearest name is gaussian"
    );

    let model = named(cca, "gaussian(gamma = 0.5)", data.clone());
    let error = model.transform_second(&colours).unwrap_err();
    assert!(matches!(error, Error::CategoriesOfView { .. }));
    let one = Data::from(Array2::<f64>::zeros((2, 1)));
    let error = model.transform_second(&one).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the new samples have 1 column; the training samples had 3"
    );
    let ridge = named("ridge", "linear", numbers());
    let error = ridge.transform_second(&data).unwrap_err();
    assert!(matches!(
        error,
        Error::Ability {
            asked: Ability::TransformSecond,
            ..
        }
    ));
}
