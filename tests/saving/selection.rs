//! Results of searches that are saved.

use super::support::{Visitor, numbers, sides, x, x_new};
use ndarray::Array1;
use npt::{
    KernelErrors,
    estimator::{Data, Estimator, Model, Score, Search, SearchResults},
    methods::{
        Alignment, SvmMkl,
        linear::Svc,
        model_selection::{Candidates, Folds, GridSearch, accuracy},
    },
    prelude::*,
};

pub(crate) fn each(visitor: &mut impl Visitor) {
    let search = || {
        let spaces =
            Candidates::new().over("γ", [0.1, 1.0], |gamma| Exact::new(Gaussian::new(gamma)));
        let methods = Candidates::new().over("C", [0.1, 10.0], |c| Svc::params().c(c));
        GridSearch::new(spaces, methods)
    };
    visitor.model("grid", search, |search| {
        Ok(vec![search.candidates().len() as f64])
    });
    visitor.model(
        "folds",
        || Folds::stratified(&sides(), 3, 0).unwrap(),
        |folds| Ok(folds.held_out().flatten().map(|&row| row as f64).collect()),
    );
    visitor.model(
        "best_of_grid",
        || {
            let folds = Folds::stratified(&sides(), 3, 0).unwrap();
            let best = search().fit_best(&sides(), &folds, |predicted, truth| {
                accuracy(predicted, truth)
            });
            best.unwrap().map_errors(|error| error.to_string())
        },
        |best| {
            let mean = best.scores.mean(best.candidate).map_err(String::as_str)?;
            Ok([vec![mean], numbers(best.model.decision_function(&x_new())?)].concat())
        },
    );
    visitor.model(
        "best_of_kernels",
        || {
            let spaces = Candidates::new().kernel("linear", Linear::new()).kernels(
                "gaussian γ",
                [0.1, 1.0],
                Gaussian::new,
            );
            let search = GridSearch::new(spaces, [Svc::params()]);
            let folds = Folds::stratified(&sides(), 3, 0).unwrap();
            let best = search.fit_best(&sides(), &folds, |predicted, truth| {
                accuracy(predicted, truth)
            });
            best.unwrap().map_errors(|error| error.to_string())
        },
        |best| Ok(numbers(best.model.decision_function(&x_new())?)),
    );
    visitor.model(
        "nested_scores",
        || {
            let outer = Folds::stratified(&sides(), 3, 0).unwrap();
            let inner = |labels: &Array1<bool>| Folds::stratified(labels, 2, 1);
            let nested =
                search().nested_scores(&sides(), &outer, inner, |found: &Array1<bool>, truth| {
                    accuracy(found, truth)
                });
            nested.unwrap().map_errors(|error| error.to_string())
        },
        |nested| Ok(vec![nested.mean().map_err(String::as_str)?]),
    );
    by_name(visitor);
    visitor.model(
        "alignment",
        || {
            Alignment::joint(vec![Gaussian::new(0.1), Gaussian::new(1.0)])
                .fit_classes(&sides())
                .unwrap()
        },
        |kernel| Ok(kernel.weights().to_vec()),
    );
    visitor.model(
        "svm_mkl",
        || {
            SvmMkl::new(vec![Gaussian::new(0.1), Gaussian::new(1.0)])
                .fit_classes(&sides())
                .unwrap()
        },
        |kernel| Ok(kernel.weights().to_vec()),
    );
    visitor.model(
        "kernel_errors",
        || {
            let kernel = Gaussian::new(0.3);
            let builder = Nystrom::new(kernel, Pivoting::greedy(5));
            let space = builder.fit_space(&x()).unwrap();
            KernelErrors::of(&space, &kernel, &x()).unwrap()
        },
        |errors| Ok(vec![errors.trace, errors.frobenius, errors.largest]),
    );
}

/// Shows a visitor an estimator by name, its search, and the results.
fn by_name(visitor: &mut impl Visitor) {
    let estimator = || {
        let svc = Estimator::new("svc(c = 2)", "gaussian(gamma = 0.5)").unwrap();
        svc.transformer("standard_scaler").unwrap()
    };
    let data = || Data::from(x()).with_columns(["p", "q", "r"]).unwrap();
    let words = || {
        let word = |&side: &bool| if side { "right" } else { "left" };
        sides().targets.iter().map(word).collect::<Vec<_>>()
    };
    let predict = move |model: &Model| {
        let values = model.decision_function(&Data::from(x_new()));
        Ok(numbers(values.map_err(|error| error.to_string())?))
    };
    visitor.model("estimator", estimator, move |estimator: &Estimator| {
        let model = estimator.fit(&data(), words());
        predict(&model.map_err(|error| error.to_string())?)
    });
    visitor.model(
        "model_by_name",
        move || estimator().fit(&data(), words()).unwrap(),
        predict,
    );
    let components = || Estimator::new("kpca(components = 2)", "gaussian(gamma = 0.5)").unwrap();
    visitor.model(
        "pre_images_by_name",
        move || {
            let estimator = components().transformer("standard_scaler").unwrap();
            let estimator = estimator.pre_image("ridge(alpha = 0.1)").unwrap();
            estimator.fit(&data(), ()).unwrap()
        },
        |model: &Model| {
            let inputs = model.reconstruct(&Data::from(x_new()));
            Ok(numbers(inputs.map_err(|error| error.to_string())?))
        },
    );
    visitor.model(
        "libsvm_by_name",
        move || {
            let svc = Estimator::new("svc(c = 2)", "gaussian(gamma = 0.5)").unwrap();
            let text = svc.fit(&data(), words()).unwrap().to_libsvm().unwrap();
            Model::from_libsvm(&text, None).unwrap()
        },
        predict,
    );
    visitor.model(
        "search_by_name",
        move || {
            let grid = estimator()
                .grid([("c", vec![0.1.into(), 10.0.into()])])
                .unwrap();
            let search = Search::new(grid, Score::Accuracy).folds(3);
            search.results(&data(), words()).unwrap()
        },
        |results: &SearchResults| {
            let means = results.candidates().iter().map(|scored| scored.mean());
            Ok(means.collect::<Result<_, _>>()?)
        },
    );
}
