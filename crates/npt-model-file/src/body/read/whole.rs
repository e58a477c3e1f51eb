//! Objects for whoever chooses by their names what to read.

use super::{
    Reader,
    collections::{Elements, Entries},
    has_parts,
};
use crate::{Error, body::Head};
use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor, value::StrDeserializer};

/// The name of a newtype by which a type asks for an item of any type, to choose by its name what to read.
///
/// A file gives an object to [`visit_enum`](serde::de::Visitor::visit_enum), as a variant of its name: as a newtype the variant contains
/// the object itself, as a struct it has the object's fields, whatever they are called. Other items are given as by
/// [`deserialize_any`](serde::Deserializer::deserialize_any). Other formats know nothing of the name, and call
/// [`visit_newtype_struct`](serde::de::Visitor::visit_newtype_struct).
///
/// # Example
/// ```
/// use npt_model_file::{BY_NAME, from_bytes, to_bytes};
/// use serde::{Deserialize, Deserializer, Serialize, de::{EnumAccess, Error, VariantAccess, Visitor}};
///
/// #[derive(Serialize, Deserialize)]
/// struct Metres(f64);
/// #[derive(Serialize, Deserialize)]
/// struct Feet(f64);
///
/// /// In metres, whatever the file has.
/// struct Length(f64);
/// struct ByName;
///
/// impl<'de> Visitor<'de> for ByName {
///     type Value = Length;
///
///     fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
///         f.write_str("Metres or Feet")
///     }
///
///     fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Length, A::Error> {
///         let (name, object): (String, _) = object.variant()?;
///         match name.as_str() {
///             "Metres" => object.newtype_variant().map(|Metres(length)| Length(length)),
///             "Feet" => object.newtype_variant().map(|Feet(length)| Length(0.3048 * length)),
///             other => Err(A::Error::custom(format!("{other} is neither Metres nor Feet"))),
///         }
///     }
/// }
///
/// impl<'de> Deserialize<'de> for Length {
///     fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
///         deserializer.deserialize_newtype_struct(BY_NAME, ByName)
///     }
/// }
///
/// assert_eq!(from_bytes::<Length>(&to_bytes(&Feet(10.0))?)?.0, 3.048);
/// # Ok::<(), npt_model_file::Error>(())
/// ```
#[doc(hidden)]
pub const BY_NAME: &str = "$npt_model_file::by_name";

/// An object as a variant of its name, as [`BY_NAME`] says.
pub(super) struct Whole<'r, 'a> {
    reader: &'r mut Reader<'a>,
    /// The bytes from the object on.
    item: &'a [u8],
    name: &'a str,
    parts: usize,
}

impl<'r, 'a> Whole<'r, 'a> {
    /// The object that begins with `item`, whose head is read.
    pub(super) fn new(
        reader: &'r mut Reader<'a>,
        item: &'a [u8],
        name: &'a str,
        parts: usize,
    ) -> Self {
        Self {
            reader,
            item,
            name,
            parts,
        }
    }
}

impl<'a> de::EnumAccess<'a> for Whole<'_, 'a> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        // Whoever takes it as a text of its own allocates it.
        self.reader.count_bytes(self.name.len())?;
        let name: StrDeserializer<'a, Error> = self.name.into_deserializer();
        let value = seed.deserialize(name)?;
        Ok((value, self))
    }
}

impl<'a> de::VariantAccess<'a> for Whole<'_, 'a> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        has_parts(0, self.parts)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, Error> {
        self.reader.rest = self.item;
        seed.deserialize(self.reader)
    }

    fn tuple_variant<V: Visitor<'a>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        has_parts(length, self.parts)?;
        Elements::of_list(self.reader, length).visited(visitor)
    }

    /// The fields are counted, as the entries of a map: no type says how many there are.
    fn struct_variant<V: Visitor<'a>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let length = match self.parts {
            0 => 0,
            parts => {
                has_parts(1, parts)?;
                match self.reader.head()? {
                    Head::Map(length) => length,
                    _ => return Err(Error::malformed("the fields of a struct are no map")),
                }
            }
        };
        let mut entries = Entries::of_map(self.reader, length);
        let value = visitor.visit_map(&mut entries)?;
        entries.finish()?;
        Ok(value)
    }
}
