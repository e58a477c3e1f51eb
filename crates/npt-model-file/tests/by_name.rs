//! Types that choose by the name of an object what to read from it.

use super::hostile::around;
use npt_model_file::{BY_NAME, Error, from_bytes, to_bytes};
use serde::{
    Deserialize, Serialize,
    de::{Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess, Visitor},
};
use std::{fmt, marker::PhantomData};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plane {
    slope: f64,
    offset: f64,
}
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Sphere(f64);
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Pair(u8, u8);
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Unit;
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Cone {
    width: f64,
    height: f64,
}
#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Choice {
    Pair(u8, u8),
}

#[derive(Debug, PartialEq)]
enum Any {
    Plane(Plane),
    Sphere(Sphere),
    Choice(Choice),
    Pair(Vec<u8>),
    Unit,
    Fields(String, Vec<(String, f64)>),
}

struct ByName;

/// Reads a list of bytes.
struct Bytes;

impl<'a> Visitor<'a> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut bytes: A) -> Result<Vec<u8>, A::Error> {
        let mut all = Vec::new();
        while let Some(byte) = bytes.next_element()? {
            all.push(byte);
        }
        Ok(all)
    }
}

/// Reads the fields of a struct, with any names.
struct Fields<T>(PhantomData<T>);

impl<'a, T: Deserialize<'a>> Visitor<'a> for Fields<T> {
    type Value = Vec<(String, T)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fields")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(field) = fields.next_entry()? {
            all.push(field);
        }
        Ok(all)
    }
}

impl<'a> Visitor<'a> for ByName {
    type Value = Any;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a shape")
    }

    fn visit_enum<A: EnumAccess<'a>>(self, object: A) -> Result<Any, A::Error> {
        let (name, object): (String, _) = object.variant()?;
        match name.as_str() {
            "Plane" => object.newtype_variant().map(Any::Plane),
            "Sphere" => object.newtype_variant().map(Any::Sphere),
            "Choice::Pair" => object.newtype_variant().map(Any::Choice),
            "Pair" => object.tuple_variant(2, Bytes).map(Any::Pair),
            "Unit" => object.unit_variant().map(|()| Any::Unit),
            "None" => Err(A::Error::custom("there is no None")),
            "Wide" => {
                let fields = Fields::<Option<[u64; 9]>>(PhantomData);
                object.struct_variant(&[], fields).map(|_| Any::Unit)
            }
            _ => {
                let fields = object.struct_variant(&[], Fields(PhantomData));
                fields.map(|fields| Any::Fields(name, fields))
            }
        }
    }
}

impl<'a> Deserialize<'a> for Any {
    fn deserialize<D: Deserializer<'a>>(of: D) -> Result<Self, D::Error> {
        of.deserialize_newtype_struct(BY_NAME, ByName)
    }
}

fn read(value: &(impl Serialize + serde::de::DeserializeOwned)) -> Any {
    from_bytes(&to_bytes(value).unwrap()).unwrap()
}

fn plane() -> Plane {
    Plane {
        slope: 0.5,
        offset: 2.0,
    }
}

#[test]
fn a_name_tells_what_to_read() {
    assert_eq!(read(&plane()), Any::Plane(plane()));
    assert_eq!(read(&Sphere(3.0)), Any::Sphere(Sphere(3.0)));
    assert_eq!(read(&Choice::Pair(1, 2)), Any::Choice(Choice::Pair(1, 2)));
    assert_eq!(read(&Pair(1, 2)), Any::Pair(vec![1, 2]));
    assert_eq!(read(&Unit), Any::Unit);
    let fields = [("width".to_owned(), 1.0), ("height".to_owned(), 2.0)].to_vec();
    let cone = Cone {
        width: 1.0,
        height: 2.0,
    };
    assert_eq!(read(&cone), Any::Fields("Cone".into(), fields));
    // Objects within a tuple and a list are read, and so is the number behind them.
    let list = to_bytes(&(vec![plane(), plane()], 7_u8)).unwrap();
    let (shapes, seven): (Vec<Any>, u8) = from_bytes(&list).unwrap();
    assert_eq!(
        (shapes, seven),
        (vec![Any::Plane(plane()), Any::Plane(plane())], 7)
    );
}

#[test]
fn an_object_of_another_form_is_refused() {
    let malformed = |reason| Error::Malformed {
        at: String::new(),
        reason,
    };
    let found = |body: &[u8]| from_bytes::<Any>(&around(body)).err();
    let parts = malformed("an object has more or fewer parts than its type");
    assert_eq!(found(b"\xD8\x1B\x82\x64Unit\x01"), Some(parts.clone()));
    assert_eq!(found(b"\xD8\x1B\x82\x64Pair\x01"), Some(parts.clone()));
    assert_eq!(found(b"\xD8\x1B\x83\x64Cone\xA0\xA0"), Some(parts));
    let no_map = malformed("the fields of a struct are no map");
    assert_eq!(found(b"\xD8\x1B\x82\x64Cone\x01"), Some(no_map));
    // An object without parts has no fields.
    let none = from_bytes::<Any>(&around(b"\xD8\x1B\x81\x64Cone"));
    assert_eq!(none.unwrap(), Any::Fields("Cone".into(), Vec::new()));
    let refused = found(b"\xD8\x1B\x81\x64None");
    assert!(
        matches!(refused, Some(Error::Refused { .. })),
        "{refused:?}"
    );
}

/// The fields of an object with any names are counted: a file says how many there are.
#[test]
fn fields_of_any_name_count() {
    let mut body = b"\xD8\x1B\x82\x64Wide\xBA\x00\x01\x00\x00".to_vec();
    for _ in 0..1 << 16 {
        body.extend(b"\x60\xF6");
    }
    let reason = "the model takes more memory than a file of this length may";
    let at = String::new();
    let found = from_bytes::<Any>(&around(&body)).err();
    assert_eq!(found, Some(Error::Malformed { at, reason }));
}
