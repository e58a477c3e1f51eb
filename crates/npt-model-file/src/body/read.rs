//! CBOR to serde's data model, strictly: what is not in the form in which it would have been written is refused.

use ciborium_ll::{Decoder, Header, simple};
use serde::{
    Deserializer,
    de::{self, DeserializeSeed, IntoDeserializer, Unexpected, Visitor, value::StrDeserializer},
    forward_to_deserialize_any,
};

use super::{
    LOOK, NAMED,
    numbers::{Kind, Number},
};
use crate::{Error, account::Account};
use npt_watch::check;

/// How many items may stand within one another.
const DEPTH: usize = 512;

/// Reads a model from its bytes.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    /// The length of the file, which limits what is taken in memory.
    length: usize,
    memory: Account,
    depth: usize,
}

/// How an item begins, its length checked against the bytes that are left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Head<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Text(&'a str),
    Bytes(&'a [u8]),
    Numbers(Kind, &'a [u8]),
    List(usize),
    Map(usize),
    /// An object of this name and as many parts.
    Named(&'a str, usize),
}

impl Head<'_> {
    /// What an error calls it.
    fn name(self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(_) => "bool".into(),
            Self::Number(Number::Float(_)) => "number".into(),
            Self::Number(_) => "whole number".into(),
            Self::Text(_) => "text".into(),
            Self::Bytes(_) => "block of bytes".into(),
            Self::Numbers(kind, _) => format!("list of {}", kind.name()),
            Self::List(_) => "list".into(),
            Self::Map(_) => "map".into(),
            Self::Named(name, _) => name.into(),
        }
    }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(rest: &'a [u8], length: usize) -> Self {
        Self {
            rest,
            length,
            memory: Account::default(),
            depth: 0,
        }
    }

    /// What all that was read takes in memory, if nothing but zeros is left.
    pub(crate) fn finish(self) -> Result<Account, Error> {
        if self.rest.iter().all(|byte| *byte == 0) {
            return Ok(self.memory);
        }
        Err(Error::malformed("there is something behind the model"))
    }

    fn header(&mut self) -> Result<Header, Error> {
        let mut decoder = Decoder::from(self.rest);
        let header = decoder
            .pull()
            .map_err(|_| Error::malformed("no item begins here"))?;
        self.rest = &self.rest[decoder.offset()..];
        Ok(header)
    }

    fn take(&mut self, length: Option<usize>) -> Result<&'a [u8], Error> {
        let length = self.known(length)?;
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(taken)
    }

    /// A length that is stated, and of which no less is left: every element has a byte at least.
    fn known(&self, length: Option<usize>) -> Result<usize, Error> {
        length
            .filter(|length| *length <= self.rest.len())
            .ok_or_else(|| Error::malformed("a length is more than what is left of the file"))
    }

    fn text(&mut self, length: Option<usize>) -> Result<&'a str, Error> {
        str::from_utf8(self.take(length)?).map_err(|_| Error::malformed("a text is not UTF-8"))
    }

    /// The head of the next item; all that it says is read already.
    pub(crate) fn head(&mut self) -> Result<Head<'a>, Error> {
        check();
        Ok(match self.header()? {
            Header::Positive(value) => Head::Number(Number::Unsigned(value)),
            Header::Negative(value) => match i64::try_from(value) {
                Ok(value) => Head::Number(Number::Signed(!value)),
                Err(_) => return Err(Error::malformed("a number is below the range of i64")),
            },
            Header::Float(value) if value.is_nan() => return Err(Error::not_a_number()),
            Header::Float(value) => Head::Number(Number::Float(value)),
            Header::Simple(simple::NULL) => Head::Null,
            Header::Simple(simple::TRUE) => Head::Bool(true),
            Header::Simple(simple::FALSE) => Head::Bool(false),
            Header::Text(length) => Head::Text(self.text(length)?),
            Header::Bytes(length) => Head::Bytes(self.take(length)?),
            Header::Array(length) => Head::List(self.known(length)?),
            Header::Map(length) => Head::Map(self.known(length)?),
            Header::Tag(NAMED) => self.named()?,
            Header::Tag(tag) => self.numbers(tag)?,
            Header::Simple(_) | Header::Break => {
                return Err(Error::malformed("no model has an item of this kind"));
            }
        })
    }

    fn named(&mut self) -> Result<Head<'a>, Error> {
        let Header::Array(length) = self.header()? else {
            return Err(Error::malformed("an object is no array"));
        };
        let Some(parts) = self.known(length)?.checked_sub(1) else {
            return Err(Error::malformed("an object has no name"));
        };
        match self.header()? {
            Header::Text(length) => Ok(Head::Named(self.text(length)?, parts)),
            _ => Err(Error::malformed("the name of an object is no text")),
        }
    }

    fn numbers(&mut self, tag: u64) -> Result<Head<'a>, Error> {
        let Some(kind) = Kind::of_tag(tag) else {
            return Err(Error::malformed("no model has an item of this kind"));
        };
        let Header::Bytes(length) = self.header()? else {
            return Err(Error::malformed("a list of numbers is no block of bytes"));
        };
        let bytes = self.take(length)?;
        if bytes.is_empty() || !bytes.len().is_multiple_of(kind.size()) {
            return Err(Error::malformed(
                "a list of numbers does not fill its block of bytes",
            ));
        }
        Ok(Head::Numbers(kind, bytes))
    }

    /// Runs `inside` one level deeper.
    pub(crate) fn nested<T>(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.depth == DEPTH {
            return Err(Error::malformed(
                "there are too many items within one another",
            ));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Counts an element of `size` bytes of a list that has `before` bytes already, unless that is too much.
    pub(crate) fn count(&mut self, before: &mut usize, size: usize) -> Result<(), Error> {
        let mut memory = self.memory;
        memory.element(before, size);
        self.use_up(memory)
    }

    /// Counts `size` bytes that are allocated once, unless that is too much.
    pub(crate) fn count_bytes(&mut self, size: usize) -> Result<(), Error> {
        let mut memory = self.memory;
        memory.bytes(size);
        self.use_up(memory)
    }

    fn use_up(&mut self, memory: Account) -> Result<(), Error> {
        if memory.is_within(self.length) {
            self.memory = memory;
            return Ok(());
        }
        Err(Error::malformed(
            "the model takes more memory than a file of this length may",
        ))
    }

    /// How many items are around the next one.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The parts of an object that has to be called `name`.
    fn parts_of(&mut self, name: &str) -> Result<usize, Error> {
        match self.head()? {
            Head::Named(found, parts) if found == name => Ok(parts),
            other => Err(Error::other_type(name, &other.name())),
        }
    }

    fn map_of<V: Visitor<'a>>(&mut self, fields: usize, visitor: V) -> Result<V::Value, Error> {
        let Head::Map(length) = self.head()? else {
            return Err(Error::malformed("the fields of a struct are no map"));
        };
        if length > fields {
            return Err(Error::malformed("a struct has more fields than its type"));
        }
        self.nested(|reader| {
            let mut entries = Entries::new(reader, length, true);
            let value = visitor.visit_map(&mut entries)?;
            entries.finish()?;
            Ok(value)
        })
    }

    fn list_of<V: Visitor<'a>>(&mut self, length: usize, visitor: V) -> Result<V::Value, Error> {
        self.nested(|reader| {
            let mut elements = Elements::new(reader, length);
            let value = visitor.visit_seq(&mut elements)?;
            elements.finish()?;
            Ok(value)
        })
    }

    /// Gives `visitor` an item whose head is read.
    fn visit<V: Visitor<'a>>(&mut self, head: Head<'a>, visitor: V) -> Result<V::Value, Error> {
        match head {
            Head::Null => visitor.visit_unit(),
            Head::Bool(value) => visitor.visit_bool(value),
            Head::Number(number) => visit_number(number, visitor),
            Head::Text(text) => {
                self.count_bytes(text.len())?;
                visitor.visit_borrowed_str(text)
            }
            Head::Bytes(bytes) => {
                self.count_bytes(bytes.len())?;
                visitor.visit_borrowed_bytes(bytes)
            }
            Head::Numbers(kind, bytes) => visitor.visit_seq(Numbers {
                reader: self,
                kind,
                rest: bytes,
                size: 0,
            }),
            Head::List(length) => self.list_of(length, visitor),
            Head::Map(length) => self.nested(|reader| {
                let mut entries = Entries::new(reader, length, false);
                let value = visitor.visit_map(&mut entries)?;
                entries.finish()?;
                Ok(value)
            }),
            Head::Named(name, _) => Err(de::Error::invalid_type(Unexpected::Other(name), &visitor)),
        }
    }
}

fn visit_number<'a, V: Visitor<'a>>(number: Number, visitor: V) -> Result<V::Value, Error> {
    match number {
        Number::Unsigned(value) => visitor.visit_u64(value),
        Number::Signed(value) => visitor.visit_i64(value),
        Number::Float(value) if value.is_nan() => Err(Error::not_a_number()),
        Number::Float(value) => visitor.visit_f64(value),
    }
}

impl<'a> Deserializer<'a> for &mut Reader<'a> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        let head = self.head()?;
        self.visit(head, visitor)
    }

    /// A float is written as a float, and an f32 is not rounded.
    fn deserialize_f32<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.head()? {
            Head::Number(Number::Float(value)) if f64::from(value as f32) == value => {
                visitor.visit_f32(value as f32)
            }
            other => Err(Error::other_type("f32", &other.name())),
        }
    }

    fn deserialize_f64<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.head()? {
            Head::Number(Number::Float(value)) => visitor.visit_f64(value),
            other => Err(Error::other_type("f64", &other.name())),
        }
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.head()? {
            Head::Null => visitor.visit_none(),
            Head::List(1) => self.nested(|reader| visitor.visit_some(reader)),
            other => Err(Error::other_type("option", &other.name())),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        has_parts(0, self.parts_of(name)?)?;
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        has_parts(1, self.parts_of(name)?)?;
        self.nested(|reader| visitor.visit_newtype_struct(reader))
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        has_parts(length, self.parts_of(name)?)?;
        self.list_of(length, visitor)
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        has_parts(1, self.parts_of(name)?)?;
        self.map_of(fields.len(), visitor)
    }

    fn deserialize_tuple<V: Visitor<'a>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.head()? {
            Head::List(found) if found == length => self.list_of(length, visitor),
            other => Err(Error::other_type("tuple", &other.name())),
        }
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let head = self.head()?;
        let Head::Named(found, parts) = head else {
            return Err(Error::other_type(name, &head.name()));
        };
        let of_enum = found.split_once("::").filter(|(before, _)| *before == name);
        let Some((_, variant)) = of_enum else {
            return Err(Error::other_type(name, found));
        };
        self.nested(|reader| {
            visitor.visit_enum(Variant {
                reader,
                name: variant,
                parts,
            })
        })
    }

    /// A field that the type does not have: the file holds something that would be lost.
    fn deserialize_ignored_any<V: Visitor<'a>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::malformed("its type has no field of this name"))
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string bytes byte_buf unit seq map identifier
    }
}

fn has_parts(expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(Error::malformed(
        "an object has more or fewer parts than its type",
    ))
}

/// The numbers of a list.
struct Numbers<'r, 'a> {
    reader: &'r mut Reader<'a>,
    kind: Kind,
    rest: &'a [u8],
    /// What those that are read take in memory.
    size: usize,
}

impl<'a> de::SeqAccess<'a> for Numbers<'_, 'a> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'a>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        if (self.rest.len() / self.kind.size()).is_multiple_of(LOOK) {
            check();
        }
        self.reader.count(&mut self.size, size_of::<T::Value>())?;
        let number = Element {
            kind: self.kind,
            number: self.kind.number(self.rest),
        };
        self.rest = &self.rest[self.kind.size()..];
        seed.deserialize(number).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len() / self.kind.size())
    }
}

/// One number of a list, which is of the list's kind and of no other.
struct Element {
    kind: Kind,
    number: Number,
}

macro_rules! of_kind {
    ($($method:ident $kind:ident;)+) => {
        $(fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
            if self.kind == Kind::$kind {
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

/// The elements of a list that are no numbers, or the parts of an object.
struct Elements<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
    /// What those that are read take in memory.
    size: usize,
}

impl<'r, 'a> Elements<'r, 'a> {
    fn new(reader: &'r mut Reader<'a>, left: usize) -> Self {
        let size = 0;
        Self { reader, left, size }
    }

    fn finish(&self) -> Result<(), Error> {
        if self.left == 0 {
            return Ok(());
        }
        Err(Error::malformed("a list is longer than its type"))
    }
}

impl<'a> de::SeqAccess<'a> for &mut Elements<'_, 'a> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'a>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        self.reader.count(&mut self.size, size_of::<T::Value>())?;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The entries of a map, or the fields of a struct.
struct Entries<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
    /// The name of the field whose value comes next, for errors.
    name: Option<&'a str>,
    are_fields: bool,
    /// What those that are read take in memory.
    size: usize,
}

impl<'r, 'a> Entries<'r, 'a> {
    fn new(reader: &'r mut Reader<'a>, left: usize, are_fields: bool) -> Self {
        Self {
            reader,
            left,
            name: None,
            are_fields,
            size: 0,
        }
    }

    fn finish(&self) -> Result<(), Error> {
        if self.left == 0 {
            return Ok(());
        }
        Err(Error::malformed("a map is longer than its type"))
    }
}

impl<'a> de::MapAccess<'a> for &mut Entries<'_, 'a> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'a>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        if !self.are_fields {
            self.reader.count(&mut self.size, size_of::<K::Value>())?;
            return seed.deserialize(&mut *self.reader).map(Some);
        }
        let Head::Text(name) = self.reader.head()? else {
            return Err(Error::malformed("the name of a field is no text"));
        };
        self.name = Some(name);
        seed.deserialize(StrDeserializer::<Error>::new(name))
            .map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, Error> {
        if !self.are_fields {
            self.reader.count(&mut self.size, size_of::<V::Value>())?;
        }
        seed.deserialize(&mut *self.reader)
            .map_err(|error| match self.name {
                Some(name) => error.within(name),
                None => error,
            })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// A variant of an enum, whose name is read.
struct Variant<'r, 'a> {
    reader: &'r mut Reader<'a>,
    name: &'a str,
    parts: usize,
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
        self.reader.list_of(length, visitor)
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
