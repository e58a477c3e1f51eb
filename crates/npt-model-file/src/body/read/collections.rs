//! Lists and maps.

use super::{Head, Reader};
use crate::Error;
use serde::de::{self, DeserializeSeed, Visitor, value::StrDeserializer};

/// The number of elements of a list that may be allocated before the first is counted.
const FIRST: usize = 64;

/// The elements of a list that is no list of numbers, or the parts of an object.
pub(super) struct Elements<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
    /// Is true if the elements are counted. The parts of a tuple are not: they are stored in the tuple.
    counted: bool,
}

impl<'r, 'a> Elements<'r, 'a> {
    pub(super) fn of_list(reader: &'r mut Reader<'a>, left: usize) -> Self {
        let counted = true;
        Self {
            reader,
            left,
            counted,
        }
    }

    pub(super) fn of_tuple(reader: &'r mut Reader<'a>, left: usize) -> Self {
        let counted = false;
        Self {
            reader,
            left,
            counted,
        }
    }

    /// Gives the elements to `visitor` and returns its value; an error if it leaves some.
    pub(super) fn visited<V: Visitor<'a>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let value = visitor.visit_seq(&mut self)?;
        if self.left == 0 {
            return Ok(value);
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
        if self.counted {
            self.reader.count::<T::Value>()?;
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(FIRST))
    }
}

/// The entries of a map, or the fields of a struct.
pub(super) struct Entries<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
    /// The name of the field whose value comes next, for errors.
    name: Option<&'a str>,
    /// Is true if the entries are counted. The fields of a struct are not: they are stored in the struct.
    counted: bool,
}

impl<'r, 'a> Entries<'r, 'a> {
    pub(super) fn of_map(reader: &'r mut Reader<'a>, left: usize) -> Self {
        Self::new(reader, left, true)
    }

    pub(super) fn of_struct(reader: &'r mut Reader<'a>, left: usize) -> Self {
        Self::new(reader, left, false)
    }

    fn new(reader: &'r mut Reader<'a>, left: usize, counted: bool) -> Self {
        Self {
            reader,
            left,
            name: None,
            counted,
        }
    }

    pub(super) fn finish(&self) -> Result<(), Error> {
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
        if self.counted {
            self.reader.count::<K::Value>()?;
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
        if self.counted {
            self.reader.count::<V::Value>()?;
        }
        seed.deserialize(&mut *self.reader)
            .map_err(|error| match self.name {
                Some(name) => error.within(name),
                None => error,
            })
    }

    fn size_hint(&self) -> Option<usize> {
        None
    }
}
