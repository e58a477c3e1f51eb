//! Lists and maps.

use super::{Head, Reader};
use crate::{Error, account::List};
use serde::de::{self, DeserializeSeed, value::StrDeserializer};

/// The elements of a list that are no numbers, or the parts of an object.
pub(super) struct Elements<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
    list: List,
}

impl<'r, 'a> Elements<'r, 'a> {
    pub(super) fn new(reader: &'r mut Reader<'a>, left: usize, list: List) -> Self {
        Self { reader, left, list }
    }

    pub(super) fn finish(&self) -> Result<(), Error> {
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
        self.reader.count::<T::Value>(&mut self.list)?;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.hint())
    }
}

/// The keys and the values of a map, each as a list that becomes the map.
pub(super) struct MapLists {
    keys: List,
    values: List,
}

impl MapLists {
    pub(super) fn of<V>() -> Self {
        let list = List::of::<V>(0);
        Self {
            keys: list,
            values: list,
        }
    }
}

/// The entries of a map, or the fields of a struct.
pub(super) struct Entries<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
    /// The name of the field whose value comes next, for errors.
    name: Option<&'a str>,
    /// Nothing, where they are fields.
    lists: Option<MapLists>,
}

impl<'r, 'a> Entries<'r, 'a> {
    pub(super) fn new(reader: &'r mut Reader<'a>, left: usize, lists: Option<MapLists>) -> Self {
        Self {
            reader,
            left,
            name: None,
            lists,
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
        if let Some(lists) = &mut self.lists {
            self.reader.count::<K::Value>(&mut lists.keys)?;
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
        if let Some(lists) = &mut self.lists {
            self.reader.count::<V::Value>(&mut lists.values)?;
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
