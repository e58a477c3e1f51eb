//! Searches for the best of several spaces and methods.

use super::{Case, Run, c, numbers};
use ndarray::{Array1, Ix1};
use npt::{
    Scalar,
    methods::{
        linear::{Ridge, RidgeParams, Svc},
        model_selection::{Candidates, Folds, GridSearch, accuracy},
        preprocessing::Imputer,
    },
    prelude::*,
};

pub(super) fn all<F: Scalar>() -> Vec<(&'static str, Run<F>)> {
    vec![
        ("nested scores", |case| {
            let data = case.with_values();
            let search = GridSearch::new(spaces(case), ridges(case));
            let outer = Folds::k(data.targets.len(), 2, 0)?;
            let inner = |targets: &Array1<F>| Folds::k(targets.len(), 2, 1);
            let scores = search.nested_scores(&data, &outer, inner, closeness)?;
            let mean = scores.mean().map_err(ToString::to_string)?;
            Ok(vec![mean])
        }),
        ("best of a grid", |case| {
            let data = case.with_sides();
            let methods = Candidates::new().over("C", [case.penalty], |c| Svc::params().c(c));
            let folds = Folds::stratified(&data, 2, 0)?;
            let search = GridSearch::new(spaces(case), methods);
            let best = search.fit_best(&data, &folds, accuracy)?;
            Ok(numbers(best.model.decision_function(&case.x_new)?))
        }),
        ("best of pairs", |case| {
            let data = case.with_values();
            let folds = Folds::k(data.targets.len(), 2, 0)?;
            let search = GridSearch::new(spaces(case), ridges(case)).paired();
            let best = search.fit_best(&data, &folds, closeness)?;
            Ok(numbers::<_, Ix1>(best.model.try_predict(&case.x_new)?))
        }),
        ("best of a grid behind a transformer", |case| {
            let data = case.with_values();
            let folds = Folds::k(data.targets.len(), 2, 0)?;
            let search = GridSearch::new(spaces(case), ridges(case)).after(Imputer::mean());
            let best = search.fit_best(&data, &folds, closeness)?;
            Ok(numbers::<_, Ix1>(best.model.try_predict(&case.x_new)?))
        }),
        ("best of kernels given and found", |case| {
            let data = case.with_values();
            let folds = Folds::k(data.targets.len(), 2, 0)?;
            let kernels = Candidates::new()
                .kernel("given", Gaussian::new(case.width))
                .kernel_from("found", |x: &Rows<F>| Gaussian::median_heuristic(x));
            let search = GridSearch::new(kernels, ridges(case));
            let best = search.fit_best(&data, &folds, closeness)?;
            Ok(numbers::<_, Ix1>(best.model.try_predict(&case.x_new)?))
        }),
    ]
}

fn spaces<F: Scalar>(case: &Case<F>) -> Candidates<Exact<Gaussian<F>>> {
    let widths = [case.width, c(1.0)];
    Candidates::new().over("γ", widths, |width| Exact::new(Gaussian::new(width)))
}

fn ridges<F: Scalar>(case: &Case<F>) -> Candidates<RidgeParams> {
    let penalties = [case.penalty, 1.0];
    Candidates::new().over("λ", penalties, |penalty| Ridge::params().penalty(penalty))
}

/// Minus the mean distance; squared distances might overflow.
pub(super) fn closeness<F: Scalar>(found: &Array1<F>, truth: &Array1<F>) -> f64 {
    let distances = found
        .iter()
        .zip(truth)
        .map(|(a, b)| (a.as_f64() - b.as_f64()).abs());
    -distances.sum::<f64>() / found.len() as f64
}
