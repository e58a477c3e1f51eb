//! Samples of typed models.

use crate::samples::{Kind, TextGraph};
use npt_model_file::BY_NAME;
use serde::{
    Deserialize, Deserializer,
    de::{self, EnumAccess, SeqAccess, VariantAccess, Visitor},
};
use std::{collections::BTreeSet, fmt};

/// Reads samples of a type with kernels by name, kept under the name of their own type or as [`Kind`] writes them.
pub(crate) struct AnyKind;

impl<'de> Visitor<'de> for AnyKind {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("samples")
    }

    /// Reads samples in another format, as [`Kind`] writes them.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, kind: D) -> Result<Kind, D::Error> {
        Kind::deserialize(kind)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Kind, A::Error> {
        let (name, object): (String, _) = object.variant()?;
        match name.as_str() {
            "Rows" => object.newtype_variant().map(Kind::Rows),
            "SparseRows" => object.newtype_variant().map(Kind::Sparse),
            "KernelRows" => object.newtype_variant().map(Kind::Precomputed),
            "Items" => {
                let Items { items } = object.newtype_variant()?;
                of_items(items).map_err(de::Error::custom)
            }
            _ if name.starts_with("AnySamples::") => object.newtype_variant(),
            other => Err(de::Error::custom(format!(
                "{other} cannot be read as the samples of a Model, which are Rows, SparseRows, KernelRows or Items"
            ))),
        }
    }
}

/// An item of one of the types of items.
enum Item {
    Text(String),
    Set(BTreeSet<String>),
    Graph(TextGraph),
}

/// Items before their type is known.
#[derive(serde::Deserialize)]
struct Items {
    items: Vec<Item>,
}

/// The items as samples, if all are of the type of the first.
fn of_items(items: Vec<Item>) -> Result<Kind, String> {
    let mixed = || "the items are of several types".to_owned();
    macro_rules! all {
        ($variant:ident) => {{
            let one = |item| match item {
                Item::$variant(item) => Ok(item),
                _ => Err(mixed()),
            };
            let all = items.into_iter().map(one).collect::<Result<_, _>>()?;
            npt_core::Items::new(all).map_err(|error| error.to_string())
        }};
    }
    match items.first() {
        Some(Item::Set(_)) => all!(Set).map(Kind::Sets),
        Some(Item::Graph(_)) => all!(Graph).map(Kind::Graphs),
        _ => all!(Text).map(Kind::Texts),
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(BY_NAME, OfAnyType)
    }
}

struct OfAnyType;

impl<'de> Visitor<'de> for OfAnyType {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a set of texts, or a graph of texts")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Item, E> {
        Ok(Item::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut texts: A) -> Result<Item, A::Error> {
        let mut set = BTreeSet::new();
        while let Some(text) = texts.next_element()? {
            set.insert(text);
        }
        Ok(Item::Set(set))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Item, A::Error> {
        let (_, object): (String, _) = object.variant()?;
        object.newtype_variant().map(Item::Graph)
    }
}
