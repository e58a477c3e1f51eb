//! Reading of CBOR into serde's data model. It is strict: an item that is not in the form in which it would have been written is
//! refused.

mod collections;
mod head;
mod numbers;
mod variant;
mod whole;

pub(crate) use head::Head;
pub use whole::BY_NAME;

use super::{byte_progress::ByteProgress, numbers::Number};
use crate::{Error, account::Account};
use collections::{Elements, Entries};
use numbers::{Numbers, visit_number};
use serde::{
    Deserializer,
    de::{self, Unexpected, Visitor},
    forward_to_deserialize_any,
};
use variant::Variant;
use whole::Whole;

/// The largest number of items within one another.
const DEPTH: usize = 512;

/// Reads a model from its bytes.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    /// The length of the body.
    total: usize,
    progress: ByteProgress,
    /// The length of the file, which limits the memory that is taken.
    length: usize,
    memory: Account,
    depth: usize,
    /// Lists of f32 are read as f64, too, if this is true, as it is within an item that is read by its name.
    widens: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(rest: &'a [u8], length: usize) -> Self {
        Self {
            rest,
            total: rest.len(),
            progress: ByteProgress::start("deserialization", rest.len()),
            length,
            memory: Account::default(),
            depth: 0,
            widens: false,
        }
    }

    /// Checks that nothing is left of the body.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if !self.rest.is_empty() {
            return Err(Error::malformed("there is something behind the model"));
        }
        self.progress.tell(self.total);
        Ok(())
    }

    /// Looks for a cancellation, and tells how far it is. Of the bytes that were taken, the last `left` are not done yet.
    #[inline]
    fn look(&mut self, left: usize) {
        self.progress.at(self.total - self.rest.len() - left);
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

    /// Counts an element of a list; an error if that is too much.
    fn count<T>(&mut self) -> Result<(), Error> {
        self.use_up(self.memory.element::<T>())
    }

    /// Counts `size` bytes that are allocated once; an error if that is too much.
    pub(crate) fn count_bytes(&mut self, size: usize) -> Result<(), Error> {
        self.use_up(self.memory.bytes(size))
    }

    fn use_up(&mut self, memory: Account) -> Result<(), Error> {
        if !memory.is_within(self.length) {
            return Err(Error::malformed(
                "the model takes more memory than a file of this length may",
            ));
        }
        self.memory = memory;
        Ok(())
    }

    /// Returns the number of items around the next one.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Reads the head of an object that must be called `name`, and returns the number of its parts.
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
            let mut entries = Entries::of_struct(reader, length);
            let value = visitor.visit_map(&mut entries)?;
            entries.finish()?;
            Ok(value)
        })
    }

    /// Gives `visitor` the parts of a tuple or of an object. They are not counted: they are stored in the tuple.
    fn parts_for<V: Visitor<'a>>(&mut self, length: usize, visitor: V) -> Result<V::Value, Error> {
        self.nested(|reader| Elements::of_tuple(reader, length).visited(visitor))
    }

    /// Gives `visitor` an object as a variant whose name is that of the object, and any other item as it is.
    fn visit_by_name<V: Visitor<'a>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let item = self.rest;
        match self.head()? {
            Head::Named(name, parts) => {
                self.nested(|reader| visitor.visit_enum(Whole::new(reader, item, name, parts)))
            }
            head => self.visit(head, visitor),
        }
    }

    /// Gives `visitor` an item whose head was read.
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
            Head::Numbers(kind, bytes) => {
                let mut numbers = Numbers::new(self, kind, bytes);
                let value = visitor.visit_seq(&mut numbers)?;
                numbers.finish()?;
                Ok(value)
            }
            Head::List(length) => {
                self.nested(|reader| Elements::of_list(reader, length).visited(visitor))
            }
            Head::Map(length) => self.nested(|reader| {
                let mut entries = Entries::of_map(reader, length);
                let value = visitor.visit_map(&mut entries)?;
                entries.finish()?;
                Ok(value)
            }),
            Head::Named(name, _) => Err(de::Error::invalid_type(Unexpected::Other(name), &visitor)),
        }
    }
}

impl<'a> Deserializer<'a> for &mut Reader<'a> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        let head = self.head()?;
        self.visit(head, visitor)
    }

    /// Reads a number that was written as a float, and that f32 holds without rounding.
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
        if name == BY_NAME {
            let widens = std::mem::replace(&mut self.widens, true);
            let value = self.visit_by_name(visitor);
            self.widens = widens;
            return value;
        }
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
        self.parts_for(length, visitor)
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
            Head::List(found) if found == length => self.parts_for(length, visitor),
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

    /// Refuses a field that the type does not have: the file holds something that would be lost.
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
