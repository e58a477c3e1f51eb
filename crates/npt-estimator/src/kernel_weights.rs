//! Weights of kernels by name.

use crate::{
    AnyKernel, Data, Error, Targets,
    estimator::Chosen,
    kernel_matrix::{read, samples},
    label::classes_of,
    methods::set,
};
use linfa::DatasetBase;
use ndarray::Array1;
use npt_core::{
    Kernel as _, Parameters, Samples as _, WeightedSum,
    catalogue::{Heading, Range},
    parameters_by_name,
};
use npt_methods::{Alignment, SvmMkl};
use std::sync::LazyLock;

struct Mkl {
    c: f64,
    norm: f64,
    tolerance: f64,
    max_iterations: usize,
}
parameters_by_name! {
    impl Parameters for Mkl, "svm_mkl"; {
        default {
            c: f64 = 1.0, Range::Positive, "The penalty C of margin violations.";
            norm: f64 = 1.0, Range::Positive, "The p of the norm that bounds the weights, at least 1: most weights are 0 at 1, and more alike the larger it is.";
            tolerance: f64 = 1e-3, Range::Positive, "The duality gap, relative to the objective, at which it ends; below 1.";
            max_iterations: usize = 1000, Range::AtLeast(1), "The most machines to train.";
        }
    }
}

impl Default for Mkl {
    fn default() -> Self {
        Self {
            c: 1.0,
            norm: 1.0,
            tolerance: 1e-3,
            max_iterations: 1000,
        }
    }
}

static WEIGHTINGS: LazyLock<[Heading; 3]> = LazyLock::new(|| {
    let mkl = Heading::new(
        "svm_mkl",
        "The weights with which a support vector machine has the largest margin.",
    );
    [
        Heading::new(
            "alignment",
            "The weights with which the sum of the kernels is most like the targets.",
        ),
        Heading::new(
            "independent_alignment",
            "The likeness of each kernel with the targets.",
        ),
        Mkl::parameter_entries()
            .into_iter()
            .fold(mkl, Heading::parameter),
    ]
});

/// The ways to weights of kernels, by name.
pub fn kernel_weightings() -> impl Iterator<Item = &'static Heading> {
    WEIGHTINGS.iter()
}

/// Returns the weights of kernels in their sum, learned from targets by `alignment`, `independent_alignment` or `svm_mkl(c = 1)`.
/// [`kernel_weightings`] lists these ways, which are those of [`Alignment`] and [`SvmMkl`]; [`SvmMkl`] takes labels alone.
///
/// # Errors
/// [`Error::Description`] of the method or of a kernel; [`Error::Targets`] for targets that the method does not take;
/// [`Error::Domain`] for samples that a kernel is not on; [`Error::Fit`] with the errors of the method.
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_estimator::{Data, kernel_weights};
///
/// // A class inside the other: narrow kernels see it, wide ones do not.
/// let x = Array2::from_shape_fn((40, 1), |(i, _)| i as f64 / 4.0 - 5.0);
/// let inside = x.column(0).mapv(|v: f64| v.abs() < 2.0);
/// let kernels = ["gaussian(gamma = 0.0001)", "gaussian(gamma = 0.3)", "gaussian(gamma = 10000)"];
/// let weights = kernel_weights("alignment", &kernels, &Data::from(x), inside)?;
/// assert!(weights[1] > 10.0 * (weights[0] + weights[2]));
/// # Ok::<(), npt_estimator::Error>(())
/// ```
pub fn kernel_weights<K: AsRef<str>>(
    method: &str,
    kernels: &[K],
    data: &Data,
    targets: impl Into<Targets>,
) -> Result<Array1<f64>, Error> {
    let kernels: Result<Vec<_>, _> = kernels.iter().map(|kernel| read(kernel.as_ref())).collect();
    weights_of(method, kernels?, data, targets.into())
}

fn weights_of(
    method: &str,
    kernels: Vec<AnyKernel>,
    data: &Data,
    targets: Targets,
) -> Result<Array1<f64>, Error> {
    let chosen = Chosen::read("weighting of kernels", WEIGHTINGS.iter(), method)?;
    let first = kernels.first().ok_or(npt_methods::Error::NoKernels)?;
    let x = samples(first, data)?;
    for kernel in &kernels {
        kernel.require_on(&x)?;
        kernel.check(&x)?;
    }
    if let Some(targets) = targets.len()
        && targets != x.len()
    {
        let samples = x.len();
        return Err(npt_core::Error::TargetCount { samples, targets }.into());
    }
    let weights = data.weights().clone();
    let alignment = match chosen.name {
        "alignment" => Some(Alignment::joint(kernels.clone())),
        "independent_alignment" => Some(Alignment::independent(kernels.clone())),
        _ => None,
    };
    let sum: WeightedSum<AnyKernel, f64> = match (alignment, targets) {
        (Some(alignment), Targets::Labels(labels)) => {
            let (_, positions) = classes_of(&labels, &weights)?;
            alignment.fit_classes(&DatasetBase::new(x, positions).with_weights(weights))?
        }
        (Some(alignment), Targets::Numbers(numbers)) => {
            alignment.fit_values(&DatasetBase::new(x, numbers).with_weights(weights))?
        }
        (None, Targets::Labels(labels)) => {
            let mkl = set(Mkl::default(), &chosen.given)?;
            let mkl = SvmMkl::new(kernels)
                .c(mkl.c)
                .norm(mkl.norm)
                .tolerance(mkl.tolerance)
                .max_iterations(mkl.max_iterations);
            let (_, positions) = classes_of(&labels, &weights)?;
            mkl.fit_classes(&DatasetBase::new(x, positions).with_weights(weights))?
        }
        (alignment, targets) => {
            return Err(Error::Targets {
                method: chosen.name,
                takes: match alignment {
                    Some(_) => "a label a sample, or numbers",
                    None => "a label a sample",
                },
                found: targets.words(),
            });
        }
    };
    Ok(sum.weights().to_owned())
}
