//! Estimators as they are written.

use super::{Estimator, ONLY_READ};
use crate::{AnyKernel, Error, spaces};
use std::fmt;

/// An estimator as it is written, in files of models as well.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename = "Estimator", deny_unknown_fields)]
pub(crate) struct Texts {
    pub(crate) method: String,
    pub(crate) kernel: String,
    #[serde(default = "Texts::space")]
    pub(crate) space: String,
    #[serde(default)]
    pub(crate) transformers: Vec<String>,
    #[serde(default)]
    pub(crate) pre_image: Option<String>,
}

impl Texts {
    fn space() -> String {
        spaces::SPACES[0].heading.name().to_owned()
    }
}

/// The parts in the order of the data's way, for people; serde has them apart, to be read again: `standard_scaler, svc(c = 10) in exact of gaussian(gamma = 0.5)`.
impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for transformer in &self.transformers {
            write!(f, "{transformer}, ")?;
        }
        write!(f, "{} in {} of {}", self.method, self.space, self.kernel)?;
        match &self.pre_image {
            Some(pre_image) => write!(f, ", pre-images by {pre_image}"),
            None => Ok(()),
        }
    }
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
            let estimator = if texts.method == ONLY_READ {
                let of_kernel = |error| Error::description("kernel", error);
                Self::only_read(AnyKernel::read(&texts.kernel).map_err(of_kernel)?)
            } else {
                Self::new(&texts.method, &texts.kernel)?
            };
            let mut estimator = estimator.space(&texts.space)?;
            // At once: a file may hold many.
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
