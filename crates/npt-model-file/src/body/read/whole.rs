//! Objects for types that choose by the name of an object what to read.

use super::{
    Reader,
    collections::{Elements, Entries},
    has_parts,
};
use crate::{Error, body::Head};
use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor, value::StrDeserializer};

/// The name of a newtype by which a type asks for an item of any type, and then chooses by the item's name what to read.
///
/// A file gives an object to [`visit_enum`](serde::de::Visitor::visit_enum), as a variant with the object's name. Taken as a newtype, the
/// variant contains the object itself; taken as a struct, it has the object's fields, with any names. Other items are given as in
/// [`deserialize_any`](serde::Deserializer::deserialize_any). Other formats do not know this name, and call
/// [`visit_newtype_struct`](serde::de::Visitor::visit_newtype_struct).
///
/// Within the item, lists of f32 are read as f64 where the type has those. No number is rounded by that.
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
/// /// A length in metres, from a file in metres or in feet.
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

/// An object given as a variant of its name, as described at [`BY_NAME`].
pub(super) struct Whole<'r, 'a> {
    reader: &'r mut Reader<'a>,
    /// The bytes of the object, and all that follow.
    item: &'a [u8],
    name: &'a str,
    parts: usize,
}

impl<'r, 'a> Whole<'r, 'a> {
    /// Makes the variant of an object that begins with `item`, and whose head was read.
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
        // A visitor that takes the name as a text of its own allocates it.
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

    /// Gives the fields to the visitor as the entries of a map: they are counted, because no type says how many there are.
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
