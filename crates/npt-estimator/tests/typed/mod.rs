//! Methods, kernels and spaces by name give the same bits as the typed ones.

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

/// Fits the typed method to targets, and compares its answers about new samples with those of the method by name.
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

// These modules stand below the macro that they use.
mod classifiers;
mod named;
mod own;
mod spaces;
mod views;
mod weights;

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
                |typed: &npt_core::ExpansionModel<_, _, _, _>, new| -> Array2<f64> {
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
        |typed: &npt_core::ExpansionModel<_, _, _, _>, new| column(
            typed.try_predict(&new).unwrap()
        )
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
