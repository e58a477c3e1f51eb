//! Models for other programs: what npt-export writes.

mod libsvm;
mod onnx;

use crate::{
    AnyKernel, AnySamples, Error, Model,
    features::FeatureSpace,
    fitted::{Denoiser, Pair},
    libsvm::Read,
    methods::{Coordinates, Views},
    spaces::AnySpace,
};
use ndarray::{Array1, Array2};
use npt_core::{Expansion, ExpansionSpace as _, KernelSpace as _, LinearFunctions as _};
use npt_export::{libsvm::LibsvmMachine, onnx::OnnxMethod};
use npt_methods::{
    GaussianProcessModel, NoveltyDetectorModel, RobustKpcaModel, model_selection::ByCoordinates,
};
use std::borrow::Cow;

/// Sums of kernel values, and what a method makes of them.
pub(crate) struct Sums<'a> {
    pub(crate) expansion: Cow<'a, Expansion<AnySamples, AnyKernel, f64>>,
    method: &'a dyn OnnxMethod<f64>,
    /// The method as a machine of LIBSVM, if LIBSVM has it.
    machine: Option<&'a dyn LibsvmMachine<f64>>,
}

/// The reason why a model is no sum of kernel values: its method, its space, or an error.
pub(crate) enum NoSums {
    Method,
    Space,
    /// The sums could not be made.
    Error(npt_core::Error),
}

/// A method that returns the values of the functions as they are.
struct Identity;

impl OnnxMethod<f64> for Identity {
    fn functions(&self) -> Option<(Array2<f64>, Array1<f64>)> {
        None
    }
}

/// A model that may be sums of kernel values.
pub(crate) trait AsSums {
    fn sums(&self) -> Result<Sums<'_>, NoSums>;
}

impl<Q: OnnxMethod<f64>, O> AsSums for Pair<Q, O> {
    fn sums(&self) -> Result<Sums<'_>, NoSums> {
        match self {
            Self::Expanded(model) => Ok(Sums {
                expansion: Cow::Borrowed(model.expansion()),
                method: model.inner(),
                machine: None,
            }),
            Self::Mapped(_) => Err(NoSums::Space),
        }
    }
}

impl<Q: OnnxMethod<f64> + LibsvmMachine<f64>, O> Pair<Q, O> {
    /// The sums of kernel values, with the method as a machine of LIBSVM.
    pub(crate) fn sums_of_machine(&self) -> Result<Sums<'_>, NoSums> {
        let sums = self.sums()?;
        Ok(match self {
            Self::Expanded(model) => Sums {
                machine: Some(model.inner()),
                ..sums
            },
            Self::Mapped(_) => sums,
        })
    }
}

impl AsSums for Denoiser {
    fn sums(&self) -> Result<Sums<'_>, NoSums> {
        let (directions, offsets) = self.model().inner().linear_functions();
        let space = self.model().space().of_any();
        let expanded = space.expand(directions.view(), offsets.view());
        Ok(Sums {
            expansion: Cow::Owned(expanded.map_err(NoSums::Error)?),
            method: &Identity,
            machine: None,
        })
    }
}

impl AsSums for Coordinates {
    fn sums(&self) -> Result<Sums<'_>, NoSums> {
        let Self::OfKernel(placed) = self else {
            return Err(NoSums::Space);
        };
        let axes = Array2::eye(placed.space.rank());
        let none = Array1::zeros(placed.space.rank());
        let expanded = placed.space.expand(axes.view(), none.view());
        Ok(Sums {
            expansion: Cow::Owned(expanded.map_err(NoSums::Error)?),
            method: &Identity,
            machine: None,
        })
    }
}

/// The sums of the first view.
impl AsSums for Views {
    fn sums(&self) -> Result<Sums<'_>, NoSums> {
        match self {
            Self::Expanded(model) => Ok(Sums {
                expansion: Cow::Borrowed(model.first().expansion()),
                method: model.first().inner(),
                machine: None,
            }),
            Self::Mapped(_) => Err(NoSums::Space),
        }
    }
}

impl AsSums for Read {
    fn sums(&self) -> Result<Sums<'_>, NoSums> {
        Ok(Sums {
            expansion: Cow::Borrowed(self.expansion()),
            method: self.inner(),
            machine: Some(self.inner()),
        })
    }
}

impl AsSums for GaussianProcessModel<AnySpace> {
    fn sums(&self) -> Result<Sums<'_>, NoSums> {
        Ok(Sums {
            expansion: Cow::Borrowed(self.expansion()),
            method: &Identity,
            machine: None,
        })
    }
}

/// Implements [`AsSums`] for models that are no sums of kernel values, each with the part that is the reason.
macro_rules! no_sums {
    ($($model:ty: $part:ident;)+) => {$(
        impl AsSums for $model {
            fn sums(&self) -> Result<Sums<'_>, NoSums> {
                Err(NoSums::$part)
            }
        }
    )+};
}
no_sums! {
    GaussianProcessModel<FeatureSpace, ByCoordinates>: Space;
    RobustKpcaModel<f64>: Method;
    NoveltyDetectorModel<AnySpace>: Method;
    NoveltyDetectorModel<FeatureSpace>: Method;
}

impl Model {
    fn sums(&self, format: &'static str, methods: &'static str) -> Result<Sums<'_>, Error> {
        self.fitted().sums().map_err(|none| match none {
            NoSums::Method => not_exported(self.estimator().method_name(), format, methods),
            NoSums::Space => {
                let space = self.estimator().space_name();
                not_exported(space, format, "the spaces exact and nystrom")
            }
            NoSums::Error(error) => error.into(),
        })
    }
}

fn not_exported(what: &str, format: &'static str, can: &'static str) -> Error {
    let what = what.to_owned();
    Error::NotExported { what, format, can }
}
