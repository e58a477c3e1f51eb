//! Models for other programs: what npt-export writes.

mod libsvm;
mod onnx;

use crate::{
    AnyKernel, AnySamples, Error, Model,
    fitted::{Fitted, Pair},
};
use ndarray::{Array1, Array2};
use npt_core::{Expansion, Foldable as _, LinearFunctions as _};
use npt_export::{libsvm::LibsvmMachine, onnx::OnnxMethod};
use std::borrow::Cow;

/// Sums of kernel values, and what a method makes of them.
struct Sums<'a> {
    expansion: Cow<'a, Expansion<AnySamples, AnyKernel, f64>>,
    method: &'a dyn OnnxMethod<f64>,
    /// The method as LIBSVM has it, where it does.
    machine: Option<&'a dyn LibsvmMachine<f64>>,
}

/// The part of a model by which it is no sum of kernel values.
enum NoSums {
    Method,
    Space,
    /// The sums could not be made.
    Error(npt_core::Error),
}

/// The functions themselves.
struct Identity;

impl OnnxMethod<f64> for Identity {
    fn functions(&self) -> Option<(Array2<f64>, Array1<f64>)> {
        None
    }
}

impl<Q, O> Pair<Q, O> {
    fn sums(&self) -> Result<Sums<'_>, NoSums>
    where
        Q: OnnxMethod<f64>,
    {
        match self {
            Self::Folded(model) => Ok(Sums {
                expansion: Cow::Borrowed(model.expansion()),
                method: model.inner(),
                machine: None,
            }),
            Self::Mapped(_) => Err(NoSums::Space),
        }
    }

    fn sums_of_machine(&self) -> Result<Sums<'_>, NoSums>
    where
        Q: OnnxMethod<f64> + LibsvmMachine<f64>,
    {
        let sums = self.sums()?;
        Ok(match self {
            Self::Folded(model) => Sums {
                machine: Some(model.inner()),
                ..sums
            },
            Self::Mapped(_) => sums,
        })
    }
}

impl Fitted {
    fn sums(&self) -> Result<Sums<'_>, NoSums> {
        match self {
            Self::Pca(pair) => pair.sums(),
            Self::KpcaDenoiser(model) => {
                let (directions, offsets) = model.model().inner().linear_functions();
                let space = model.model().space().of_any();
                let folded = space.fold(directions.view(), offsets.view());
                Ok(Sums {
                    expansion: Cow::Owned(folded.map_err(NoSums::Error)?),
                    method: &Identity,
                    machine: None,
                })
            }
            Self::PcaL1(pair) => pair.sums(),
            Self::FastIca(pair) => pair.sums(),
            Self::RegressionDiscriminant(pair) => pair.sums(),
            Self::KMeans(pair) => pair.sums(),
            Self::Lda(pair) => pair.sums(),
            Self::KpcaLda(pair) => pair.sums(),
            Self::Logistic(pair) => pair.sums(),
            Self::CalibratedSvc(pair) => pair.sums(),
            Self::IterativeRidge(pair) => pair.sums(),
            Self::Pls(pair) => pair.sums(),
            Self::QuantileRegression(pair) => pair.sums(),
            Self::OneClassSvm(pair) => pair.sums_of_machine(),
            Self::Svc(pair) => pair.sums_of_machine(),
            Self::MulticlassSvc(pair) => pair.sums_of_machine(),
            Self::Ridge(pair) => pair.sums_of_machine(),
            Self::Svr(pair) => pair.sums_of_machine(),
            Self::Libsvm(model) => Ok(Sums {
                expansion: Cow::Borrowed(model.expansion()),
                method: model.inner(),
                machine: Some(model.inner()),
            }),
            Self::GaussianProcess(model) => Ok(Sums {
                expansion: Cow::Borrowed(model.expansion()),
                method: &Identity,
                machine: None,
            }),
            Self::GaussianProcessOnFeatures(_) => Err(NoSums::Space),
            Self::RobustKpca(_) | Self::NoveltyDetector(_) | Self::NoveltyDetectorOnFeatures(_) => {
                Err(NoSums::Method)
            }
        }
    }
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
