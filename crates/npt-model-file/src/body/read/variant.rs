//! Variants of enums.

use super::{Reader, has_parts};
use crate::Error;
use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor, value::StrDeserializer};

/// A variant of an enum, whose name was read.
pub(super) struct Variant<'r, 'a> {
    pub(super) reader: &'r mut Reader<'a>,
    pub(super) name: &'a str,
    pub(super) parts: usize,
}

impl<'a> de::EnumAccess<'a> for Variant<'_, 'a> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let variant: StrDeserializer<'a, Error> = self.name.into_deserializer();
        let value = seed.deserialize(variant)?;
        Ok((value, self))
    }
}

impl<'a> de::VariantAccess<'a> for Variant<'_, 'a> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        has_parts(0, self.parts)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, Error> {
        has_parts(1, self.parts)?;
        seed.deserialize(self.reader)
    }

    fn tuple_variant<V: Visitor<'a>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        has_parts(length, self.parts)?;
        self.reader.parts_for(length, visitor)
    }

    fn struct_variant<V: Visitor<'a>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        has_parts(1, self.parts)?;
        self.reader.map_of(fields.len(), visitor)
    }
}
