//! Models as they are read from files.

use super::{Model, Selection};
use crate::{Categories, Estimator, Label, fitted::Fitted, front::Front};

/// The parts of a model in a file.
#[derive(serde::Deserialize)]
#[serde(rename = "Model")]
struct Parts {
    estimator: Estimator,
    front: Vec<Front>,
    fitted: Fitted,
    classes: Vec<Label>,
    columns: Vec<String>,
    #[serde(default)]
    target_names: Vec<String>,
    categories: Categories,
    accepts_unseen: bool,
    width: Option<usize>,
    trained_on: (String, usize),
    #[serde(default)]
    selection: Option<Selection>,
}

impl Parts {
    /// Refuses parts that disagree: the estimator, the transformers, the classes and the columns must be those of the fitted method.
    fn check(&self) -> Result<(), String> {
        let method = self.estimator.method_name();
        if !self.fitted.is_of(method) {
            return Err(format!(
                "a model of {method} has a fitted method of another kind"
            ));
        }
        let pre_image = match &self.fitted {
            Fitted::KpcaDenoiser(model) => Some(model.pre_image_map().name()),
            _ => None,
        };
        if self.estimator.pre_image_name() != pre_image {
            return Err("the pre-images are others than those that were fitted".into());
        }
        let transformers = self.estimator.transformer_names();
        if !transformers.eq(self.front.iter().map(Front::name)) {
            return Err("the transformers are others than those that were fitted".into());
        }
        if !self.columns.is_empty() && Some(self.columns.len()) != self.width {
            let (found, expected) = (self.columns.len(), self.width.unwrap_or(0));
            return Err(format!("there are {found} names for {expected} columns"));
        }
        if self.fitted.classes().is_none() && !self.classes.is_empty() {
            return Err(format!("a model of {method} has no classes"));
        }
        if let Some(positions) = self.fitted.classes()
            && !positions.iter().copied().eq(0..self.classes.len())
        {
            let (found, expected) = (positions.len(), self.classes.len());
            return Err(format!(
                "the method tells {found} classes apart, and {expected} have names"
            ));
        }
        let mut categories = self.categories.columns();
        if let Some(other) =
            categories.find(|name| self.columns.iter().all(|column| column != name))
        {
            return Err(format!("there is no column {other}, which has categories"));
        }
        let mut width = self.width;
        for front in &self.front {
            if width != Some(front.width()) {
                return Err(
                    "the transformers take another number of columns than the model".into(),
                );
            }
            width = Some(front.width_behind());
        }
        Ok(())
    }
}

impl<'de> serde::Deserialize<'de> for Model {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Parts::deserialize(deserializer)?;
        parts.check().map_err(serde::de::Error::custom)?;
        Ok(Self {
            estimator: parts.estimator,
            front: parts.front,
            fitted: parts.fitted,
            classes: parts.classes,
            columns: parts.columns,
            target_names: parts.target_names,
            categories: parts.categories,
            accepts_unseen: parts.accepts_unseen,
            width: parts.width,
            trained_on: parts.trained_on,
            selection: parts.selection,
        })
    }
}
