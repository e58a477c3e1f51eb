//! The method of two views.

use super::fit::{Fit, Job, Made, Method, heading, set};
use crate::{
    AnyKernel, Data, Error,
    data::Records,
    features::FeatureSpace,
    fitted::Fitted,
    model::Border,
    spaces::{self, AnySpace, Builder},
};
use ndarray::{Array1, Array2};
use npt_core::{
    Parameter, ParameterValue, Rows,
    catalogue::{ParameterEntry, Range},
};
use npt_methods::{
    ExpandedCcaView, KernelCca, KernelCcaModel, KernelizedCcaView, linear::CcaParams,
};
use std::any::TypeId;

/// The parameter that gives the second view a kernel of its own.
pub(crate) const SECOND_KERNEL: &str = "second_kernel";

pub(crate) type ExpandedViews =
    KernelCcaModel<f64, ExpandedCcaView<AnySpace>, ExpandedCcaView<AnySpace>>;

type MappedViews =
    KernelCcaModel<f64, KernelizedCcaView<FeatureSpace>, KernelizedCcaView<FeatureSpace>>;

/// Two projections: as sums of kernel values, or through spaces of features.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) enum Views {
    Expanded(Box<ExpandedViews>),
    Mapped(Box<MappedViews>),
}

impl Views {
    /// The scores of the first view.
    pub(super) fn first(&self, x: &Border<'_>) -> Result<Array2<f64>, npt_core::Error> {
        match self {
            Self::Expanded(model) => model.first().try_transform(x),
            Self::Mapped(model) => model.first().try_transform(x),
        }
    }

    /// The correlation of each pair of directions.
    pub(crate) fn correlations(&self) -> Array1<f64> {
        match self {
            Self::Expanded(model) => model.correlations().to_owned(),
            Self::Mapped(model) => model.correlations().to_owned(),
        }
    }

    /// The scores of the second view.
    pub(super) fn second(&self, x: &Border<'_>) -> Result<Array2<f64>, npt_core::Error> {
        match self {
            Self::Expanded(model) => model.second().try_transform(x),
            Self::Mapped(model) => model.second().try_transform(x),
        }
    }
}

pub(super) fn entry() -> Method {
    let cca = KernelCca::params(1, (), ());
    let summary = "Kernel canonical correlation analysis: directions of two views whose scores correlate most.";
    let kernel = ParameterEntry::optional(
        SECOND_KERNEL,
        "The kernel of the second view; by default that of the first.",
        Range::Text,
    );
    Method {
        heading: heading("cca", summary, cca.inner()).parameter(kernel),
        fit: Fit::View(cca_of_views),
        params: TypeId::of::<CcaParams>(),
    }
}

/// The kernel of the second view, and the parameters that the linear method has.
pub(crate) fn second_kernel(
    given: &[Parameter],
    of_first: &AnyKernel,
) -> Result<(AnyKernel, Vec<Parameter>), Error> {
    let is_kernel = |parameter: &Parameter| parameter.name == SECOND_KERNEL;
    let (kernel, given): (Vec<_>, Vec<_>) = given.iter().cloned().partition(is_kernel);
    let kernel = match kernel.first().map(|parameter| &parameter.value) {
        Some(ParameterValue::Text(text)) => AnyKernel::read(text)
            .map_err(|error| Error::description("kernel of the second view", error))?,
        _ => of_first.clone(),
    };
    Ok((kernel, given))
}

fn cca_of_views(job: &Job<'_>, second: &Data) -> Made {
    second.require_no_categories()?;
    if !job.weights.is_empty() || !second.weights().is_empty() {
        return Err(npt_methods::Error::Weights {
            of: "kernel canonical correlations",
        }
        .into());
    }
    let (kernel, given) = second_kernel(job.given, job.kernel)?;
    let samples = match second.records() {
        Records::Dense(matrix) => Rows::from_shared(matrix.to_double())?.into(),
        Records::Samples(samples) => samples.clone(),
    };
    let other = Job {
        kernel: &kernel,
        samples: &samples,
        landmarks: None,
        ..*job
    };
    other.check_kernel()?;
    let cca = KernelCca::params(1, job.kernel.clone(), kernel.clone());
    let linear = set(cca.inner().clone(), &given)?;
    let cca = cca.method(|_| linear);
    let spaces = (
        job.builder(cca.first().clone())?,
        other.builder(cca.second().clone())?,
    );
    let views = match spaces {
        (Builder::Kernel(of_first), Builder::Kernel(of_second)) => {
            let cca = cca.spaces(of_first, of_second);
            Views::Expanded(Box::new(cca.fit(job.samples, &samples)?))
        }
        (Builder::Features(of_first), Builder::Features(of_second)) => {
            let cca = cca.spaces(of_first, of_second);
            let model = cca.fit_by_coordinates(job.samples, &samples)?;
            Views::Mapped(Box::new(model))
        }
        _ => {
            return Err(Error::Combination {
                of: "cca",
                takes: "two spaces of one kind",
                found: spaces::described(job.space).to_string(),
            });
        }
    };
    Ok(Fitted::Cca(Box::new(views)))
}
