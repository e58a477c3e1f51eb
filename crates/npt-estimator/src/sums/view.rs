//! The space of a view, with the transformers in front of it.

use crate::{
    AnyKernel, Categories, Data, Error, Estimator, Label, Model, fitted::Fitted,
    methods::Coordinates, model::Border,
};
use std::sync::Arc;

/// A space that is fitted to landmarks, with the transformers in front of it.
#[derive(Debug, Clone)]
pub(super) struct View {
    model: Model,
    space: Arc<Coordinates>,
}

impl View {
    pub(super) fn new(
        estimator: &Estimator,
        kernel: &AnyKernel,
        landmarks: &Data,
    ) -> Result<Self, Error> {
        Self::of(estimator.coordinates_of(kernel)?.fit(landmarks, ())?).ok_or(Error::OnlyRead)
    }

    /// The view of a model of coordinates; `None` for a model of another method.
    fn of(model: Model) -> Option<Self> {
        let Fitted::Coordinates(space) = model.fitted() else {
            return None;
        };
        let space = Arc::new((**space).clone());
        Some(Self { model, space })
    }

    pub(super) fn space(&self) -> &Coordinates {
        &self.space
    }

    pub(super) fn shared_space(&self) -> Arc<Coordinates> {
        Arc::clone(&self.space)
    }

    pub(super) fn columns(&self) -> &[String] {
        self.model.columns()
    }

    pub(super) fn categories(&self) -> &Categories {
        self.model.categories()
    }

    pub(super) fn border<'a>(&'a self, data: &'a Data) -> Result<Border<'a>, Error> {
        self.model.border(data)
    }

    /// The model of a method that was fitted in this space; `samples` is the number of samples of its fit.
    pub(super) fn model_of(
        &self,
        estimator: &Estimator,
        fitted: Fitted,
        classes: Vec<Label>,
        samples: usize,
    ) -> Model {
        self.model
            .with_method(estimator.clone(), fitted, classes, samples)
    }
}

impl serde::Serialize for View {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.model.serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for View {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let none = || serde::de::Error::custom("the model of the sums has no kernel coordinates");
        Self::of(Model::deserialize(deserializer)?).ok_or_else(none)
    }
}
