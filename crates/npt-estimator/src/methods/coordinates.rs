//! The space itself, without a method.

use super::fit::{Fit, Job, Made, Method};
use crate::{
    features::FeatureSpace,
    fitted::Fitted,
    model::Border,
    spaces::{AnySpace, Builder},
};
use ndarray::{Array1, Array2};
use npt_core::{Exact, KernelSpace, catalogue::Heading};
use std::any::TypeId;

/// A fitted space, and what it has of the training samples.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) enum Coordinates {
    OfKernel(Box<Placed<AnySpace>>),
    OfFeatures(Box<Placed<FeatureSpace>>),
}

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct Placed<P> {
    pub(crate) space: P,
    pub(crate) eigenvalues: Array1<f64>,
    /// The share of the variance that is outside.
    pub(crate) outside: f64,
}

impl Coordinates {
    fn space(&self) -> &dyn KernelSpace<Samples = crate::AnySamples, Scalar = f64> {
        match self {
            Self::OfKernel(placed) => &placed.space,
            Self::OfFeatures(placed) => &placed.space,
        }
    }

    pub(super) fn of(&self, x: &Border<'_>) -> Result<Array2<f64>, npt_core::Error> {
        self.space().coordinates(x)
    }

    pub(super) fn residuals(&self, x: &Border<'_>) -> Result<Array1<f64>, npt_core::Error> {
        self.space().residuals(x)
    }

    /// The eigenvalues, and the share of the variance that is outside.
    pub(crate) fn of_training(&self) -> (&Array1<f64>, f64) {
        match self {
            Self::OfKernel(placed) => (&placed.eigenvalues, placed.outside),
            Self::OfFeatures(placed) => (&placed.eigenvalues, placed.outside),
        }
    }
}

pub(super) fn entry() -> Method {
    Method {
        heading: Heading::new(
            "coordinates",
            "Kernel coordinates themselves, in which any linear method is its kernel version.",
        ),
        fit: Fit::Nothing(coordinates),
        params: TypeId::of::<Coordinates>(),
    }
}

fn coordinates(job: &Job<'_>, _: Array1<()>) -> Made {
    if !job.weights.is_empty() {
        let of = "kernel coordinates";
        return Err(npt_methods::Error::Weights { of }.into());
    }
    let placed = match job.builder(Exact::new(job.kernel.clone()))? {
        Builder::Kernel(builder) => {
            Coordinates::OfKernel(Box::new(placed(builder.fit_space(job.samples)?)))
        }
        Builder::Features(builder) => {
            Coordinates::OfFeatures(Box::new(placed(builder.fit_space(job.samples)?)))
        }
    };
    Ok(Fitted::Coordinates(Box::new(placed)))
}

fn placed<P: KernelSpace<Scalar = f64>>(fitted: npt_core::Fitted<P>) -> Placed<P> {
    let eigenvalues = fitted.eigenvalues().to_owned();
    let outside = fitted.relative_trace_residual();
    let (space, _, _) = fitted.into_parts();
    Placed {
        space,
        eigenvalues,
        outside,
    }
}
