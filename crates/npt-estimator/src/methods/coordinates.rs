//! The space itself, without a method.

use super::fit::{Fit, Job, Made, Method};
use crate::{
    AnySamples,
    features::FeatureSpace,
    fitted::Fitted,
    model::Border,
    spaces::{AnySpace, Builder},
};
use ndarray::{Array1, Array2};
use npt_core::{AsSamples, Error, Exact, KernelMap, KernelSpace, LinearForm, catalogue::Heading};
use std::any::TypeId;

/// The name of the space without a method.
pub(crate) const COORDINATES: &str = "coordinates";

/// A fitted space, and the figures that it has of the training samples.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) enum Coordinates {
    OfKernel(Box<Placed<AnySpace>>),
    OfFeatures(Box<Placed<FeatureSpace>>),
}

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct Placed<P> {
    pub(crate) space: P,
    pub(crate) eigenvalues: Array1<f64>,
    /// The share of the variance of the training samples that is outside of the space.
    pub(crate) outside: f64,
}

impl Coordinates {
    fn space(&self) -> &dyn KernelSpace<Samples = AnySamples, Scalar = f64> {
        match self {
            Self::OfKernel(placed) => &placed.space,
            Self::OfFeatures(placed) => &placed.space,
        }
    }

    pub(super) fn of(&self, x: &Border<'_>) -> Result<Array2<f64>, Error> {
        self.space().coordinates(x)
    }

    pub(super) fn residuals(&self, x: &Border<'_>) -> Result<Array1<f64>, Error> {
        self.space().residuals(x)
    }

    /// The eigenvalues, and the share of the variance that is outside of the space.
    pub(crate) fn of_training(&self) -> (&Array1<f64>, f64) {
        match self {
            Self::OfKernel(placed) => (&placed.eigenvalues, placed.outside),
            Self::OfFeatures(placed) => (&placed.eigenvalues, placed.outside),
        }
    }

    /// The positions of the landmarks among the training samples, in the order in which they were chosen; `None` if the space has all
    /// samples, other landmarks, or features.
    pub(crate) fn landmarks(&self) -> Option<&[usize]> {
        match self {
            Self::OfKernel(placed) => match placed.space.raw_map() {
                KernelMap::Landmarks(landmarks) => landmarks.indices(),
                KernelMap::AllSamples(_) => None,
            },
            Self::OfFeatures(_) => None,
        }
    }

    /// The frequencies and the origin of random Fourier features; `None` in other spaces.
    pub(crate) fn waves(&self) -> Option<(Array2<f64>, Array1<f64>)> {
        match self {
            Self::OfKernel(_) => None,
            Self::OfFeatures(placed) => placed.space.waves(),
        }
    }
}

/// Forwards everything to the fitted space.
impl KernelSpace for Coordinates {
    type Samples = AnySamples;
    type Scalar = f64;

    fn rank(&self) -> usize {
        self.space().rank()
    }

    fn coordinates(&self, x: &dyn AsSamples<Samples = AnySamples>) -> Result<Array2<f64>, Error> {
        self.space().coordinates(x)
    }

    fn coordinates_and_residuals(
        &self,
        x: &dyn AsSamples<Samples = AnySamples>,
    ) -> Result<(Array2<f64>, Array1<f64>), Error> {
        self.space().coordinates_and_residuals(x)
    }

    fn linear_form(&self) -> Result<LinearForm<'_, AnySamples, f64>, Error> {
        self.space().linear_form()
    }

    fn linear_features(&self, x: &AnySamples) -> Result<Array2<f64>, Error> {
        self.space().linear_features(x)
    }
}

pub(super) fn entry() -> Method {
    Method {
        heading: Heading::new(
            COORDINATES,
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
