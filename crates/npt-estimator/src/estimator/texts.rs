//! Estimators as they are written.

use super::{Estimator, ONLY_READ, TYPED};
use crate::{AnyKernel, Error, spaces};
use npt_core::catalogue::Heading;
use std::fmt;

/// The texts of an estimator, in files of models as well.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename = "Estimator", deny_unknown_fields)]
pub(crate) struct Texts {
    pub(crate) method: String,
    pub(crate) kernel: String,
    #[serde(default = "Texts::space")]
    pub(crate) space: String,
    #[serde(default)]
    pub(crate) transformers: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pre_image: Option<String>,
}

impl Texts {
    fn space() -> String {
        spaces::SPACES[0].heading.name().to_owned()
    }
}

/// Writes the parts for people, in the order in which data pass them: `standard_scaler, svc(c = 10) in exact of gaussian(gamma = 0.5)`.
/// Serde keeps the parts apart, so that they can be read again.
impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for transformer in &self.transformers {
            write!(f, "{transformer}, ")?;
        }
        let method = self.method_text();
        write!(f, "{method} in {} of {}", self.space, self.kernel)?;
        match &self.pre_image {
            Some(pre_image) => write!(f, ", pre-images by {pre_image}"),
            None => Ok(()),
        }
    }
}

/// The method that a text names for an estimator that was read and not fitted; `None` for all other texts.
fn only_read(text: &str) -> Option<&'static str> {
    if text == ONLY_READ {
        return Some(ONLY_READ);
    }
    let typed = text.strip_prefix(TYPED)?;
    let mut names = Estimator::methods().map(Heading::name);
    names.find(|&name| name == typed)
}

impl serde::Serialize for Estimator {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.texts().serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for Estimator {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = Texts::deserialize(deserializer)?;
        let read = || {
            let estimator = if let Some(method) = only_read(&texts.method) {
                let of_kernel = |error| Error::description("kernel", error);
                let kernel = AnyKernel::read(&texts.kernel).map_err(of_kernel)?;
                Self::only_read(method, kernel)
            } else {
                Self::new(&texts.method, &texts.kernel)?
            };
            let mut estimator = estimator.space(&texts.space)?;
            // Reserved at once, as a file may hold many transformers.
            estimator
                .transformers
                .reserve_exact(texts.transformers.len());
            for transformer in texts.transformers {
                estimator = estimator.transformer(&transformer)?;
            }
            if let Some(pre_image) = &texts.pre_image {
                estimator = estimator.pre_image(pre_image)?;
            }
            Ok::<_, Error>(estimator)
        };
        read().map_err(serde::de::Error::custom)
    }
}
