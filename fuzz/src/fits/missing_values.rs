//! Methods that take missing values, which are NaN: they are fitted to incomplete samples, and predict for others.

use super::{Case, Predicted, Run, numbers};
use ndarray::{Array1, Array2, Axis, Ix1, Zip};
use npt::{
    Scalar,
    linfa::DatasetBase,
    methods::{
        linear::Ridge,
        model_selection::{Candidates, Folds, GridSearch},
        preprocessing::{Imputer, ImputerParams},
    },
    prelude::*,
};

pub(super) fn all<F: Scalar>() -> Vec<(&'static str, Run<F>)> {
    vec![
        ("imputer of means", |case| filled(&Imputer::mean(), case)),
        ("imputer of medians", |case| {
            filled(&Imputer::median(), case)
        }),
        ("imputer of what is most frequent", |case| {
            filled(&Imputer::most_frequent(), case)
        }),
        ("imputer of a constant", |case| {
            filled(&Imputer::constant(case.values[0].as_f64()), case)
        }),
        ("kernel ridge behind an imputer", |case| {
            let imputers = [Imputer::mean(), Imputer::median(), Imputer::most_frequent()];
            let ridge = KernelRidge::params(Gaussian::new(case.width));
            let ridge = ridge.method(|m| m.penalty(case.penalty));
            let pipeline = Pipeline::new(imputers[case.components % 3].clone(), ridge);
            let model = pipeline.with_missing_values();
            let model = model.fit(&case.incomplete_with_values())?;
            Ok(numbers::<_, Ix1>(model.try_predict(&case.incomplete_new)?))
        }),
        ("best of a grid behind an imputer", |case| {
            let spaces = Candidates::new().over("γ", [case.width, F::one()], |width| {
                Exact::new(Gaussian::new(width))
            });
            let methods = Candidates::new().over("λ", [case.penalty, 1.0], |penalty| {
                Ridge::params().penalty(penalty)
            });
            let search = GridSearch::new(spaces, methods).after(Imputer::median());
            let search = search.with_missing_values();
            let folds = Folds::k(case.values.len(), 2, 0)?;
            let data = case.incomplete_with_values();
            let best = search.fit_best(&data, &folds, super::selection::closeness)?;
            Ok(numbers::<_, Ix1>(
                best.model.try_predict(&case.incomplete_new)?,
            ))
        }),
        ("robust kpca", |case| {
            let kpca = RobustKpca::params(components(case), Gaussian::new(case.width));
            let model = kpca.fit(&DatasetBase::from(partly_there(&case.incomplete)))?;
            let own = model.reconstructions().to_owned();
            let new = model.reconstruct(&partly_there(&case.incomplete_new))?;
            Ok([numbers(own), numbers(new)].concat())
        }),
        ("robust kpca of outliers", |case| {
            let kpca = RobustKpca::params(components(case), Gaussian::new(case.width));
            let kpca = kpca.outlier_scale(1.0).fidelity(case.penalty);
            let model = kpca.fit(&DatasetBase::from(partly_there(&case.incomplete)))?;
            let own = model.reconstructions().to_owned();
            let scores: Array2<F> = model.try_transform(&partly_there(&case.incomplete_new))?;
            Ok([numbers(own), numbers(scores)].concat())
        }),
    ]
}

/// One or two components: incomplete samples seldom have the rank for more.
fn components<F: Scalar>(case: &Case<F>) -> usize {
    case.components % 2 + 1
}

/// The samples that have at least one value: samples without any would be refused. No weights are given, because weights are refused,
/// too.
fn partly_there<F: Scalar>(x: &Array2<F>) -> Array2<F> {
    let is_there = |&row: &usize| x.row(row).iter().any(|value| !value.is_nan());
    let rows: Vec<usize> = (0..x.nrows()).filter(is_there).collect();
    x.select(Axis(0), &rows)
}

/// Fills missing values in, and checks that no other value changes.
fn filled<F: Scalar>(imputer: &ImputerParams, case: &Case<F>) -> Predicted {
    let model = imputer.fit(&case.incomplete_alone())?;
    let whole: Array2<F> = model.transform(case.incomplete.clone());
    Zip::from(&whole)
        .and(&case.incomplete)
        .for_each(|&found, &given| {
            assert!(given.is_nan() || found == given, "{found} for {given}");
        });
    let values: Array1<F> = model.values().to_owned();
    Ok([numbers(whole), numbers(values)].concat())
}
