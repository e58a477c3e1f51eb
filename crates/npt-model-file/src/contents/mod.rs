//! The contents of a file, for readers that do not know its type.

mod display;
mod item;

pub use item::Item;

use std::path::Path;

use crate::{Error, body::Reader, envelope, file};

/// The contents of a file: the names of its types, their parameters, the shapes of their arrays.
///
/// Printed, the contents are a tree. The usual parts of a kernel method have functions of their own, which look for the first field of
/// their name.
///
/// # Example
/// ```
/// use npt_model_file::{Contents, to_bytes};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Gaussian { gamma: f64 }
/// #[derive(Serialize, Deserialize)]
/// struct Expansion { kernel: Gaussian, coefficients: Vec<f64> }
///
/// let bytes = to_bytes(&Expansion { kernel: Gaussian { gamma: 0.5 }, coefficients: vec![1.0; 500] })?;
/// let contents = Contents::from_bytes(&bytes)?;
/// assert_eq!(contents.model().name(), Some("Expansion"));
/// let kernel = contents.kernel().expect("an expansion has a kernel");
/// assert_eq!(kernel.name(), Some("Gaussian"));
/// assert_eq!(kernel.get("gamma").and_then(|gamma| gamma.number()), Some(0.5));
/// assert_eq!(contents.to_string(), "Expansion\n  kernel: Gaussian\n    gamma: 0.5\n  coefficients: 500 × f64\n");
/// # Ok::<(), npt_model_file::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    format: u32,
    written_by: String,
    model: Item,
}

impl Contents {
    /// Reads the contents of the file at `path`.
    ///
    /// # Errors
    /// The errors of [`load`](crate::load) that do not depend on a type.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_bytes(&file::read(path.as_ref())?)
    }

    /// Reads the contents of a file from its bytes.
    ///
    /// # Errors
    /// The errors of [`from_bytes`](crate::from_bytes) that do not depend on a type.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let envelope = envelope::read(bytes)?;
        let mut reader = Reader::new(envelope.body, bytes.len());
        let model = Item::read(&mut reader)?;
        reader.finish()?;
        Ok(Self {
            format: envelope.format,
            written_by: envelope.written_by.to_owned(),
            model,
        })
    }

    /// The version of the file's format.
    pub fn format(&self) -> u32 {
        self.format
    }

    /// The version of this crate that wrote the file.
    pub fn written_by(&self) -> &str {
        &self.written_by
    }

    /// The model.
    pub fn model(&self) -> &Item {
        &self.model
    }

    /// The linear method inside a kernel method: `method` of an `ExpansionModel` or of a `KernelizedModel`.
    ///
    /// Returns nothing for a model that is not made of a linear method and an expansion or a space: Gaussian processes, `NoveltyDetector` and the
    /// like, and linear methods alone. Then [`model`](Self::model) is the method.
    pub fn method(&self) -> Option<&Item> {
        let of = |model| self.model.find_type(model)?.get("method");
        of("ExpansionModel").or_else(|| of("KernelizedModel"))
    }

    /// The kernel, with its parameters. The kernel of the space comes before one that a method of pre-images may have of its own.
    ///
    /// The kernel of a model on random features is the one for which the features were drawn.
    pub fn kernel(&self) -> Option<&Item> {
        let of_space = self.space().and_then(|space| space.find("kernel"));
        of_space.or_else(|| self.model.find("kernel"))
    }

    /// The kernel space of a model by coordinates.
    pub fn space(&self) -> Option<&Item> {
        self.model.find("space")
    }

    /// The samples that the model keeps, landmarks or support vectors. A field `samples` with a type of samples comes before a bare array,
    /// which a method of pre-images may have of its own. Random features keep no samples.
    pub fn samples(&self) -> Option<&Item> {
        let is_type = |samples: &&Item| samples.name().is_some_and(|name| name != "Array");
        let typed = self
            .model
            .search(|item| item.get("samples").filter(is_type));
        typed.or_else(|| self.model.find("samples"))
    }

    /// The names of the columns that the model takes, if the file has them.
    pub fn columns(&self) -> Option<Vec<&str>> {
        self.model.find("feature_names")?.texts()
    }
}
