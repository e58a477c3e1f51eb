//! Labels of typed models.

use crate::Label;
use npt_model_file::BY_NAME;
use serde::{
    Deserialize, Deserializer,
    de::{self, Unexpected, Visitor},
};
use std::fmt;

/// A label as typed models have it: the value itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Plain(Label);

impl Plain {
    pub(crate) fn label(self) -> Label {
        self.0
    }
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_newtype_struct(BY_NAME, OfAnyType)
            .map(Self)
    }
}

struct OfAnyType;

impl Visitor<'_> for OfAnyType {
    type Value = Label;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a label that is a text, yes or no, or a whole number of 64 bits with its sign")
    }

    fn visit_bool<E: de::Error>(self, label: bool) -> Result<Label, E> {
        Ok(label.into())
    }

    fn visit_i64<E: de::Error>(self, label: i64) -> Result<Label, E> {
        Ok(label.into())
    }

    fn visit_u64<E: de::Error>(self, label: u64) -> Result<Label, E> {
        let signed = i64::try_from(label);
        let too_large = |_| E::invalid_value(Unexpected::Unsigned(label), &self);
        signed.map(Label::from).map_err(too_large)
    }

    fn visit_str<E: de::Error>(self, label: &str) -> Result<Label, E> {
        Ok(label.into())
    }
}
