//! Writing of serde's data model as CBOR.

use ciborium_ll::{Encoder, Header, simple};
use serde::{Serialize, ser};

use super::{NAMED, byte_progress::ByteProgress, numbers::Kind};
use crate::Error;

/// Writes a model, and appends it to the bytes of a vector.
pub(crate) struct Writer<'a> {
    bytes: &'a mut Vec<u8>,
    list: List,
    progress: ByteProgress,
}

/// The state of the list whose element comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// The next item is not the element of a list.
    None,
    /// The next item is the first element of a list of this length.
    First(usize),
    /// The next item is an element of a list whose elements so far are numbers of this kind.
    Of(Kind),
}

impl<'a> Writer<'a> {
    pub(crate) fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self {
            bytes,
            list: List::None,
            progress: ByteProgress::start("serialization", None),
        }
    }

    /// Tells that all of the model is written.
    pub(super) fn finish(mut self) {
        self.progress.tell(self.bytes.len());
    }

    fn push(&mut self, header: Header) -> Result<(), Error> {
        self.not_a_number()?;
        self.encode(header)
    }

    /// Begins an array if the next item, which is no number, is the first element of a list; refuses it behind numbers.
    fn not_a_number(&mut self) -> Result<(), Error> {
        match std::mem::replace(&mut self.list, List::None) {
            List::None => Ok(()),
            List::First(length) => self.encode(Header::Array(Some(length))),
            List::Of(_) => Err(ser::Error::custom(
                "a list of numbers cannot contain anything else",
            )),
        }
    }

    fn encode(&mut self, header: Header) -> Result<(), Error> {
        self.progress.at(self.bytes.len());
        Encoder::from(&mut *self.bytes)
            .push(header)
            .map_err(ser::Error::custom)
    }

    fn number(&mut self, kind: Kind, header: Header, bytes: &[u8]) -> Result<(), Error> {
        match self.list {
            List::First(length) => {
                self.list = List::None;
                self.encode(Header::Tag(kind.tag()))?;
                self.encode(Header::Bytes(Some(length * kind.size())))?;
            }
            List::Of(same) if same == kind => self.progress.at(self.bytes.len()),
            _ => return self.push(header),
        }
        self.bytes.extend(bytes);
        self.list = List::Of(kind);
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Error> {
        self.push(Header::Text(Some(text.len())))?;
        self.bytes.extend(text.as_bytes());
        Ok(())
    }

    /// Writes the beginning of an object with a name and `parts` parts.
    fn named(&mut self, name: &str, variant: Option<&str>, parts: usize) -> Result<(), Error> {
        self.push(Header::Tag(NAMED))?;
        self.encode(Header::Array(Some(1 + parts)))?;
        match variant {
            Some(variant) => self.text(&format!("{name}::{variant}")),
            None => self.text(name),
        }
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty, $kind:ident, $header:expr;)+) => {
        $(fn $method(self, value: $type) -> Result<(), Error> {
            self.number(Kind::$kind, $header(value), &value.to_le_bytes())
        })+
    };
}

/// Makes the header of a signed integer: CBOR writes −1 − n for a negative one.
fn signed(value: impl Into<i64>) -> Header {
    let value = value.into();
    if value < 0 {
        Header::Negative(!value.cast_unsigned())
    } else {
        Header::Positive(value.cast_unsigned())
    }
}

fn unsigned(value: impl Into<u64>) -> Header {
    Header::Positive(value.into())
}

impl<'w, 'a> ser::Serializer for &'w mut Writer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Elements<'w, 'a>;
    type SerializeTuple = Parts<'w, 'a>;
    type SerializeTupleStruct = Parts<'w, 'a>;
    type SerializeTupleVariant = Parts<'w, 'a>;
    type SerializeMap = Elements<'w, 'a>;
    type SerializeStruct = Parts<'w, 'a>;
    type SerializeStructVariant = Parts<'w, 'a>;

    numbers! {
        serialize_u8 u8, U8, unsigned;
        serialize_u16 u16, U16, unsigned;
        serialize_u32 u32, U32, unsigned;
        serialize_u64 u64, U64, unsigned;
        serialize_i8 i8, I8, signed;
        serialize_i16 i16, I16, signed;
        serialize_i32 i32, I32, signed;
        serialize_i64 i64, I64, signed;
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        if value.is_nan() {
            return Err(Error::not_a_number());
        }
        self.number(Kind::F32, Header::Float(value.into()), &value.to_le_bytes())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        if value.is_nan() {
            return Err(Error::not_a_number());
        }
        self.number(Kind::F64, Header::Float(value), &value.to_le_bytes())
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.push(Header::Simple(if value {
            simple::TRUE
        } else {
            simple::FALSE
        }))
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.text(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.push(Header::Bytes(Some(value.len())))?;
        self.bytes.extend(value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.push(Header::Simple(simple::NULL))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.push(Header::Array(Some(1)))?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.push(Header::Simple(simple::NULL))
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<(), Error> {
        self.named(name, None, 0)
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.named(name, Some(variant), 0)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.named(name, None, 1)?;
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.named(name, Some(variant), 1)?;
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Elements<'w, 'a>, Error> {
        let length = known(length)?;
        if length == 0 {
            self.push(Header::Array(Some(0)))?;
            return Ok(Elements::new(self, List::None, 0));
        }
        self.not_a_number()?;
        Ok(Elements::new(self, List::First(length), length))
    }

    fn serialize_tuple(self, length: usize) -> Result<Parts<'w, 'a>, Error> {
        self.push(Header::Array(Some(length)))?;
        Ok(Parts(self))
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        length: usize,
    ) -> Result<Parts<'w, 'a>, Error> {
        self.named(name, None, length)?;
        Ok(Parts(self))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Parts<'w, 'a>, Error> {
        self.named(name, Some(variant), length)?;
        Ok(Parts(self))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Elements<'w, 'a>, Error> {
        let length = known(length)?;
        self.push(Header::Map(Some(length)))?;
        Ok(Elements::new(self, List::None, length))
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Parts<'w, 'a>, Error> {
        self.named(name, None, 1)?;
        self.encode(Header::Map(Some(length)))?;
        Ok(Parts(self))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Parts<'w, 'a>, Error> {
        self.named(name, Some(variant), 1)?;
        self.encode(Header::Map(Some(length)))?;
        Ok(Parts(self))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

fn known(length: Option<usize>) -> Result<usize, Error> {
    length.ok_or_else(|| ser::Error::custom("a list has to know its length"))
}

/// The elements of a list, or the entries of a map.
pub(crate) struct Elements<'w, 'a> {
    writer: &'w mut Writer<'a>,
    list: List,
    left: usize,
}

impl<'w, 'a> Elements<'w, 'a> {
    fn new(writer: &'w mut Writer<'a>, list: List, left: usize) -> Self {
        Self { writer, list, left }
    }

    fn one_less(&mut self) -> Result<(), Error> {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => return Err(ser::Error::custom("a list is longer than it said")),
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Error> {
        if self.left == 0 {
            return Ok(());
        }
        Err(ser::Error::custom("a list is shorter than it said"))
    }
}

impl ser::SerializeSeq for Elements<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.one_less()?;
        self.writer.list = self.list;
        value.serialize(&mut *self.writer)?;
        self.list = std::mem::replace(&mut self.writer.list, List::None);
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

impl ser::SerializeMap for Elements<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.one_less()?;
        key.serialize(&mut *self.writer)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

/// The parts of a tuple, of a struct or of a variant.
pub(crate) struct Parts<'w, 'a>(&'w mut Writer<'a>);

impl Parts<'_, '_> {
    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(&mut *self.0)
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.0.text(name)?;
        self.part(value).map_err(|error| error.within(name))
    }
}

macro_rules! parts {
    ($($trait:ident $method:ident;)+) => {
        $(impl ser::$trait for Parts<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.part(value)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })+
    };
}

parts! {
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! fields {
    ($($trait:ident)+) => {
        $(impl ser::$trait for Parts<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.field(name, value)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })+
    };
}

fields!(SerializeStruct SerializeStructVariant);
