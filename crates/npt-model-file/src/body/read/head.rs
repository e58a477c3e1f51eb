//! The heads of items.

use super::Reader;
use crate::{
    Error,
    body::{
        NAMED,
        numbers::{Kind, Number},
    },
};
use ciborium_ll::{Decoder, Header, simple};

/// The head of an item. Its length was checked: there are as many bytes left.
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
    /// An object: its name, and the number of its parts.
    Named(&'a str, usize),
}

impl Head<'_> {
    /// The name of the item in errors.
    pub(super) fn name(self) -> String {
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

    /// Checks that a length is stated, and that at least as many bytes are left: every element has a byte at least.
    fn known(&self, length: Option<usize>) -> Result<usize, Error> {
        length
            .filter(|length| *length <= self.rest.len())
            .ok_or_else(|| Error::malformed("a length is more than what is left of the file"))
    }

    fn text(&mut self, length: Option<usize>) -> Result<&'a str, Error> {
        str::from_utf8(self.take(length)?).map_err(|_| Error::malformed("a text is not UTF-8"))
    }

    /// Reads the head of the next item. Its text, bytes, numbers or name are read with it.
    pub(crate) fn head(&mut self) -> Result<Head<'a>, Error> {
        self.look(0);
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
}
