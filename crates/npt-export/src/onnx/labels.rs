//! Labels of classes as tensors.

use super::{Element, Graph, Value, metadata};
use crate::Error;

/// The labels of all classes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Labels {
    /// Labels that are numbers.
    Integers(Vec<i64>),
    /// Labels that are texts.
    Texts(Vec<String>),
}

/// Labels that ONNX has a type for.
pub trait OnnxLabel: Sized {
    /// The labels of these classes.
    ///
    /// # Errors
    /// [`Error::Label`] for a number that is too large.
    fn labels(classes: &[Self]) -> Result<Labels, Error>;
}

/// Writes `true` as 1 and `false` as 0.
impl OnnxLabel for bool {
    fn labels(classes: &[Self]) -> Result<Labels, Error> {
        let labels = classes.iter().map(|&label| i64::from(label));
        Ok(Labels::Integers(labels.collect()))
    }
}

impl OnnxLabel for usize {
    fn labels(classes: &[Self]) -> Result<Labels, Error> {
        let labels = classes.iter().map(|&label| {
            i64::try_from(label).map_err(|_| Error::Label {
                label: label.to_string(),
                allowed: "below 2⁶³",
            })
        });
        Ok(Labels::Integers(labels.collect::<Result<_, _>>()?))
    }
}

impl OnnxLabel for String {
    fn labels(classes: &[Self]) -> Result<Labels, Error> {
        Ok(Labels::Texts(classes.to_vec()))
    }
}

impl OnnxLabel for &str {
    fn labels(classes: &[Self]) -> Result<Labels, Error> {
        let labels = classes.iter().map(|&label| label.to_owned());
        Ok(Labels::Texts(labels.collect()))
    }
}

impl Labels {
    fn len(&self) -> usize {
        match self {
            Self::Integers(labels) => labels.len(),
            Self::Texts(labels) => labels.len(),
        }
    }

    /// Gives out the labels of the classes at these positions, shape (N), as `label`. The [names](Graph::name_classes) that the graph has for
    /// the classes replace these labels.
    ///
    /// # Errors
    /// [`Error::ClassNames`] for more or fewer names than classes.
    pub fn output(&self, graph: &mut Graph, positions: &Value) -> Result<(), Error> {
        let named = graph.classes().cloned();
        let names = named.as_ref().unwrap_or(self);
        let (found, expected) = (names.len(), self.len());
        if found != expected {
            return Err(Error::ClassNames { found, expected });
        }
        let (constant, element) = match names {
            Self::Integers(labels) => (graph.integers(labels), Element::Int64),
            Self::Texts(labels) => (graph.texts(labels), Element::String),
        };
        let classes = match names {
            Self::Integers(labels) => metadata::list(labels.iter().map(i64::to_string)),
            Self::Texts(labels) => metadata::texts(labels),
        };
        graph.metadata("classes", classes);
        let label = graph.node("Gather", &[&constant, positions], &[]);
        graph.output("label", &label, element, None);
        Ok(())
    }
}
