//! Lists of numbers of one kind.

use super::Reader;
use crate::{
    Error,
    body::numbers::{Kind, Number},
};
use serde::{
    Deserializer,
    de::{self, DeserializeSeed, Visitor},
    forward_to_deserialize_any,
};

pub(super) fn visit_number<'a, V: Visitor<'a>>(
    number: Number,
    visitor: V,
) -> Result<V::Value, Error> {
    match number {
        Number::Unsigned(value) => visitor.visit_u64(value),
        Number::Signed(value) => visitor.visit_i64(value),
        Number::Float(value) if value.is_nan() => Err(Error::not_a_number()),
        Number::Float(value) => visitor.visit_f64(value),
    }
}

/// The numbers of a list.
pub(super) struct Numbers<'r, 'a> {
    reader: &'r mut Reader<'a>,
    kind: Kind,
    rest: &'a [u8],
}

impl<'r, 'a> Numbers<'r, 'a> {
    pub(super) fn new(reader: &'r mut Reader<'a>, kind: Kind, bytes: &'a [u8]) -> Self {
        Self {
            reader,
            kind,
            rest: bytes,
        }
    }

    pub(super) fn finish(&self) -> Result<(), Error> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(Error::malformed("a list is longer than its type"))
    }
}

impl<'a> de::SeqAccess<'a> for &mut Numbers<'_, 'a> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'a>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.reader.look(self.rest.len());
        self.reader.count::<T::Value>()?;
        let number = Element {
            kind: self.kind,
            number: self.kind.number(self.rest),
            widens: self.reader.widens,
        };
        self.rest = &self.rest[self.kind.size()..];
        seed.deserialize(number).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        // All numbers are there, so that memory may be taken for them.
        Some(self.rest.len() / self.kind.size())
    }
}

/// One number of a list. It is read as the kind of the list and as no other, but for an f32 that is widened.
pub(super) struct Element {
    kind: Kind,
    number: Number,
    widens: bool,
}

impl Element {
    fn is(&self, kind: Kind) -> bool {
        self.kind == kind || self.widens && (self.kind, kind) == (Kind::F32, Kind::F64)
    }
}

macro_rules! of_kind {
    ($($method:ident $kind:ident;)+) => {
        $(fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
            if self.is(Kind::$kind) {
                return visit_number(self.number, visitor);
            }
            Err(Error::other_type(
                &format!("list of {}", Kind::$kind.name()),
                &format!("list of {}", self.kind.name()),
            ))
        })+
    };
}

impl<'a> Deserializer<'a> for Element {
    type Error = Error;

    of_kind! {
        deserialize_u8 U8;
        deserialize_u16 U16;
        deserialize_u32 U32;
        deserialize_u64 U64;
        deserialize_i8 I8;
        deserialize_i16 I16;
        deserialize_i32 I32;
        deserialize_i64 I64;
        deserialize_f32 F32;
        deserialize_f64 F64;
    }

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        visit_number(self.number, visitor)
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        bool i128 u128 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple tuple_struct map struct
        enum identifier ignored_any
    }
}
