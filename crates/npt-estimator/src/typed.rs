//! Files of typed models, such as `ExpansionModel<Svc<f64>, Rows<f64>, Gaussian<f64>>`, as [`Model`]s.
//!
//! A file has the name of the type of every part. The kernel, the samples and the method are chosen by these names.

pub(crate) mod kernel;
pub(crate) mod labels;
pub(crate) mod method;
pub(crate) mod samples;

use crate::{
    AnyKernel, AnySamples, Error, Estimator, Label, Model,
    fitted::Fitted,
    methods::{ExpandedViews, Views},
    samples::Kind,
    spaces::AnySpace,
};
use npt_core::{Expansion, ExpansionSpace, Samples as _};
use npt_methods::{GaussianProcessModel, NoveltyDetectorModel, RobustKpcaModel};
use npt_model_file::BY_NAME;
use serde::{
    Deserialize, Deserializer,
    de::{self, EnumAccess, VariantAccess, Visitor},
};
use std::{fmt, path::Path};

/// The expansion that a linear model is written as.
type AnyExpansion = Expansion<AnySamples, AnyKernel, f64>;

/// The types of models that can be read from a file.
const CAN: &str = "Model, ExpansionModel, GaussianProcessModel, KernelCcaModel, NoveltyDetectorModel and RobustKpcaModel";

/// Reads the model at a path, whatever its type was when it was saved.
pub(crate) fn load(path: &Path) -> Result<Model, Error> {
    Ok(npt_model_file::load::<Read>(path)?.0)
}

/// Reads the model in the bytes of a file.
pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Model, Error> {
    Ok(npt_model_file::from_bytes::<Read>(bytes)?.0)
}

/// A model that was read from a file.
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
            "ExpansionModel" => object.newtype_variant::<Expanded>()?.model().map_err(other),
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

/// The parts in a file of a model that is written as an expansion.
#[derive(serde::Deserialize)]
#[serde(rename = "ExpansionModel")]
struct Expanded {
    method: method::Method,
    expansion: AnyExpansion,
    feature_names: Vec<String>,
}

impl Expanded {
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

/// A model of two views, whose names of columns are those of the first view.
fn of_views(model: ExpandedViews) -> Result<Model, String> {
    let expansion = model.first().expansion();
    let (kernel, samples) = (expansion.kernel().clone(), expansion.samples().clone());
    let names = model.first().feature_names().to_vec();
    let fitted = Fitted::Cca(Box::new(Views::Expanded(Box::new(model))));
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

/// Makes a model of these parts; refuses another number of names than columns, and of classes than the method tells apart.
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
            "the method tells {found} classes apart, and {expected} have names"
        ));
    }
    let estimator = Estimator::only_read(fitted.method(), kernel);
    let words = format!("{} that it keeps", samples.kind().words());
    let trained_on = (words.as_str(), samples.len());
    let model = Model::of_width(estimator, fitted, classes, width, trained_on);
    Ok(model.with_columns(columns))
}
