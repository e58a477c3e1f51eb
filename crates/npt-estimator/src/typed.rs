//! Files of typed models, such as `FoldedModel<Svc<f64>, Rows<f64>, Gaussian<f64>>`, as [`Model`]s.
//!
//! A file says of every part what it is called, so that the kernel, the samples and the method are chosen by their names there.

pub(crate) mod kernel;
pub(crate) mod labels;
pub(crate) mod method;
pub(crate) mod samples;

use crate::{
    AnyKernel, AnySamples, Error, Estimator, Label, Model,
    fitted::Fitted,
    methods::{FoldedViews, Views},
    samples::Kind,
    spaces::AnySpace,
};
use npt_core::{Expansion, Foldable, Samples as _};
use npt_methods::{GaussianProcessModel, NoveltyDetectorModel, RobustKpcaModel};
use npt_model_file::BY_NAME;
use serde::{
    Deserialize, Deserializer,
    de::{self, EnumAccess, VariantAccess, Visitor},
};
use std::{fmt, path::Path};

/// The sums that a folded model predicts by.
type AnyExpansion = Expansion<AnySamples, AnyKernel, f64>;

/// The models of a file that can be read.
const CAN: &str = "Model, FoldedModel, GaussianProcessModel, KernelCcaModel, NoveltyDetectorModel and RobustKpcaModel";

/// Reads the model at a path, of whichever type it was when it was saved.
pub(crate) fn load(path: &Path) -> Result<Model, Error> {
    Ok(npt_model_file::load::<Read>(path)?.0)
}

/// A model of a file.
struct Read(Model);

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(BY_NAME, ByName)
    }
}

struct ByName;

impl<'de> Visitor<'de> for ByName {
    type Value = Read;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a model")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Read, A::Error> {
        let (name, object): (String, _) = object.variant()?;
        let model = match name.as_str() {
            "Model" => object.newtype_variant::<Model>(),
            "FoldedModel" => object.newtype_variant::<Folded>()?.model().map_err(other),
            "GaussianProcessModel" => object
                .newtype_variant::<GaussianProcessModel<AnySpace>>()
                .and_then(|model| of_process(model).map_err(other)),
            "KernelCcaModel" => object
                .newtype_variant()
                .and_then(|model| of_views(model).map_err(other)),
            "NoveltyDetectorModel" => object
                .newtype_variant::<NoveltyDetectorModel<AnySpace>>()
                .and_then(|model| of_detector(model).map_err(other)),
            "RobustKpcaModel" => object
                .newtype_variant::<RobustKpcaModel<f64>>()
                .and_then(|model| of_robust(model).map_err(other)),
            name => Err(other(format!(
                "{name} cannot be read as Model, which takes the types {CAN}"
            ))),
        };
        model.map(Read)
    }
}

fn other<E: de::Error>(reason: String) -> E {
    de::Error::custom(reason)
}

/// A folded model as a file has it.
#[derive(serde::Deserialize)]
#[serde(rename = "FoldedModel")]
struct Folded {
    method: method::Method,
    expansion: AnyExpansion,
    feature_names: Vec<String>,
}

impl Folded {
    fn model(self) -> Result<Model, String> {
        let Self {
            method,
            expansion,
            feature_names,
        } = self;
        let (kernel, samples) = (expansion.kernel().clone(), expansion.samples().clone());
        let (fitted, classes) = method.with(expansion)?;
        made(fitted, classes, kernel, &samples, feature_names)
    }
}

fn of_process(model: GaussianProcessModel<AnySpace>) -> Result<Model, String> {
    let (kernel, names) = (model.kernel().clone(), model.feature_names().to_vec());
    let samples = model.expansion().samples().clone();
    let fitted = Fitted::GaussianProcess(Box::new(model));
    made(fitted, Vec::new(), kernel, &samples, names)
}

fn of_detector(model: NoveltyDetectorModel<AnySpace>) -> Result<Model, String> {
    let (kernel, names) = (
        model.space().kernel().clone(),
        model.feature_names().to_vec(),
    );
    let samples = model.space().raw_map().samples().clone();
    let fitted = Fitted::NoveltyDetector(Box::new(model));
    made(fitted, Vec::new(), kernel, &samples, names)
}

/// The names of columns are those of the first view.
fn of_views(model: FoldedViews) -> Result<Model, String> {
    let expansion = model.first().expansion();
    let (kernel, samples) = (expansion.kernel().clone(), expansion.samples().clone());
    let names = model.first().feature_names().to_vec();
    let fitted = Fitted::Cca(Box::new(Views::Folded(Box::new(model))));
    made(fitted, Vec::new(), kernel, &samples, names)
}

fn of_robust(model: RobustKpcaModel<f64>) -> Result<Model, String> {
    let names = model.feature_names().to_vec();
    let (kernel, rows) = (
        model.kpca().expansion().kernel(),
        model.kpca().expansion().samples(),
    );
    let description = npt_core::Kernel::<npt_core::Rows<f64>>::describe(kernel);
    let kernel = AnyKernel::new(&description).map_err(|error| error.to_string())?;
    let samples = rows.clone().into();
    let fitted = Fitted::RobustKpca(Box::new(model));
    made(fitted, Vec::new(), kernel, &samples, names)
}

/// A model of parts that agree; names of columns are one a column.
fn made(
    fitted: Fitted,
    classes: Vec<Label>,
    kernel: AnyKernel,
    samples: &AnySamples,
    columns: Vec<String>,
) -> Result<Model, String> {
    let width = match samples.kind() {
        Kind::Rows(rows) => Some(rows.view().ncols()),
        _ => None,
    };
    if !columns.is_empty() && Some(columns.len()) != width {
        let (found, expected) = (columns.len(), width.unwrap_or(0));
        return Err(format!("there are {found} names for {expected} columns"));
    }
    let positions = fitted.classes().unwrap_or_default();
    if !positions.iter().copied().eq(0..classes.len()) {
        let (found, expected) = (positions.len(), classes.len());
        return Err(format!(
            "the method tells {found} classes apart, and has {expected}"
        ));
    }
    let estimator = Estimator::only_read(fitted.method(), kernel);
    let words = format!("{} that it keeps", samples.kind().words());
    let trained_on = (words.as_str(), samples.len());
    let model = Model::of_width(estimator, fitted, classes, width, trained_on);
    Ok(model.with_columns(columns))
}
