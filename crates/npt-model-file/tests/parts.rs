//! Tests that a file with more or fewer parts than its type is refused, and so is a type that states another length than it
//! has.

use super::hostile::around;
use npt_model_file::{Error, from_bytes, to_bytes};
use serde::{
    Deserialize, Serialize,
    de::{Deserializer, MapAccess, SeqAccess, Visitor},
    ser::{SerializeMap, SerializeSeq, Serializer},
};
use std::{fmt, marker::PhantomData};

fn malformed(reason: &'static str) -> Error {
    let at = String::new();
    Error::Malformed { at, reason }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Unit;
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct New(u8);
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Pair(u8, u8);
#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Choice {
    Nothing,
    One(u8),
    Two(u8, u8),
    Named { one: u8 },
}

/// The bytes of an object of this name with `parts` parts, each the number 1.
fn object(name: &str, parts: u8) -> Vec<u8> {
    let length = u8::try_from(name.len()).unwrap();
    let head = [0xD8, 27, 0x81 + parts, 0x60 + length];
    let ones = vec![1; usize::from(parts)];
    around(&[&head[..], name.as_bytes(), &ones].concat())
}

#[test]
fn objects_have_as_many_parts_as_their_types() {
    let wrong = malformed("an object has more or fewer parts than its type");
    for parts in 0..4 {
        let of_unit = from_bytes::<Unit>(&object("Unit", parts));
        let of_new = from_bytes::<New>(&object("New", parts));
        let of_pair = from_bytes::<Pair>(&object("Pair", parts));
        let variant = |name: &str| from_bytes::<Choice>(&object(&format!("Choice::{name}"), parts));
        let or_wrong = |right: u8| (parts != right).then(|| wrong.clone());
        assert_eq!(of_unit.err(), or_wrong(0), "{parts}");
        assert_eq!(of_new.err(), or_wrong(1), "{parts}");
        assert_eq!(of_pair.err(), or_wrong(2), "{parts}");
        assert_eq!(variant("Nothing").err(), or_wrong(0), "{parts}");
        assert_eq!(variant("One").err(), or_wrong(1), "{parts}");
        assert_eq!(variant("Two").err(), or_wrong(2), "{parts}");
        let no_map = malformed("the fields of a struct are no map");
        let expected = if parts == 1 { no_map } else { wrong.clone() };
        assert_eq!(variant("Named").err(), Some(expected), "{parts}");
    }
}

#[test]
fn structs_have_no_more_fields_than_their_types() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "Point")]
    struct Narrow {
        x: u8,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "Point")]
    struct WithDefault {
        x: u8,
        #[serde(default)]
        y: u8,
    }
    let narrow = to_bytes(&Narrow { x: 1 }).unwrap();
    let defaulted = WithDefault { x: 1, y: 0 };
    assert_eq!(from_bytes::<WithDefault>(&narrow).unwrap(), defaulted);
    let body = b"\xD8\x1B\x82\x65Point\xA2\x61x\x01\x61y\x02";
    let reason = "a struct has more fields than its type";
    assert_eq!(from_bytes::<Narrow>(&around(body)), Err(malformed(reason)));
}

#[test]
fn tuples_have_the_length_of_their_types() {
    let three = to_bytes(&(1u8, 2u8, 3u8)).unwrap();
    let expected = Error::OtherType {
        at: String::new(),
        expected: "tuple".into(),
        found: "list".into(),
    };
    assert_eq!(from_bytes::<(u8, u8)>(&three), Err(expected.clone()));
    assert_eq!(from_bytes::<(u8, u8, u8, u8)>(&three), Err(expected));
    assert_eq!(from_bytes::<(u8, u8, u8)>(&three), Ok((1, 2, 3)));
}

/// Takes the first element of a list or the first entry of a map, and leaves the others.
struct First<T>(PhantomData<T>);

impl<'a, T: Deserialize<'a>> Visitor<'a> for First<T> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("something of many parts")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Self, A::Error> {
        list.next_element::<T>().map(|_| self)
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self, A::Error> {
        map.next_entry::<String, T>().map(|_| self)
    }
}

impl<'a, T: Deserialize<'a>> Deserialize<'a> for First<T> {
    fn deserialize<D: Deserializer<'a>>(of: D) -> Result<Self, D::Error> {
        of.deserialize_any(Self(PhantomData))
    }
}

#[test]
fn nothing_is_left_of_a_list_or_a_map() {
    let texts = |length: usize| to_bytes(&vec!["a".to_owned(); length]).unwrap();
    let numbers = |length: usize| to_bytes(&vec![0.5; length]).unwrap();
    let map = |length: u8| {
        let entries = (0..length).map(|key| (key.to_string(), key));
        to_bytes(&entries.collect::<std::collections::BTreeMap<_, _>>()).unwrap()
    };
    assert!(from_bytes::<First<String>>(&texts(1)).is_ok());
    assert!(from_bytes::<First<f64>>(&numbers(1)).is_ok());
    assert!(from_bytes::<First<u8>>(&map(1)).is_ok());
    let longer = malformed("a list is longer than its type");
    let found = from_bytes::<First<String>>(&texts(2)).err();
    assert_eq!(found.as_ref(), Some(&longer));
    assert_eq!(from_bytes::<First<f64>>(&numbers(2)).err(), Some(longer));
    let longer = malformed("a map is longer than its type");
    assert_eq!(from_bytes::<First<u8>>(&map(2)).err(), Some(longer));
}

/// A list, or a map, that states a length which may be wrong.
struct Said {
    length: usize,
    is: usize,
    is_map: bool,
}

impl Serialize for Said {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.is_map {
            let mut map = to.serialize_map(Some(self.length))?;
            for key in 0..self.is {
                map.serialize_entry(&key, &key)?;
            }
            return map.end();
        }
        let mut list = to.serialize_seq(Some(self.length))?;
        for element in 0..self.is {
            list.serialize_element(&element)?;
        }
        list.end()
    }
}

impl<'a> Deserialize<'a> for Said {
    fn deserialize<D: Deserializer<'a>>(_: D) -> Result<Self, D::Error> {
        Ok(Self {
            length: 0,
            is: 0,
            is_map: false,
        })
    }
}

#[test]
fn lists_and_maps_are_as_long_as_they_say() {
    for is_map in [false, true] {
        for (length, is, reason) in [
            (2, 1, "a list is shorter than it said"),
            (2, 3, "a list is longer than it said"),
        ] {
            let at = String::new();
            let reason = reason.into();
            let said = Said { length, is, is_map };
            assert_eq!(to_bytes(&said).err(), Some(Error::Refused { at, reason }));
        }
    }
}
