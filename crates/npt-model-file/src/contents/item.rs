//! The items of a file, without their types.

use crate::{
    Error,
    body::{Head, Kind, Number, Reader},
};

/// The number of levels of items that are kept.
const LEVELS: usize = 24;

/// The number of numbers of a list that are kept, and of elements of a list that are not texts.
const SHOWN: usize = 8;

/// The number of copies of an item in memory while its list grows, or becomes another one.
const COPIES: usize = 4;

/// One item of a file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Item {
    /// Nothing: an option that is none, or a unit.
    Nothing,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(String),
    /// Something that is more than 24 levels deep, or for which there is no memory within 40 times the size of the file.
    NotShown,
    /// A block of bytes, by its length.
    Bytes(usize),
    /// A list of numbers.
    Numbers {
        /// The name of the numbers' type in Rust.
        scalar: &'static str,
        /// The number of numbers.
        length: usize,
        /// The first numbers, eight at most.
        first: Vec<f64>,
    },
    /// A list of items that are not numbers of one type.
    List {
        /// The number of elements.
        length: usize,
        /// The first elements: up to eight, and all if they are texts.
        first: Vec<Item>,
    },
    /// A map, as keys and values.
    Map(Vec<(Item, Item)>),
    /// A struct or a variant with named fields.
    Struct {
        /// The name of the type; of a variant the enum's name comes first: `Enum::Variant`.
        name: String,
        /// The names and values of the fields.
        fields: Vec<(String, Item)>,
    },
    /// A struct or a variant whose parts have no names.
    Tuple {
        /// The name of the type; of a variant the enum's name comes first: `Enum::Variant`.
        name: String,
        /// The parts.
        parts: Vec<Item>,
    },
}

impl Item {
    /// The name of a struct or a variant.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Struct { name, .. } | Self::Tuple { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The field `name` of a struct.
    pub fn get(&self, name: &str) -> Option<&Item> {
        let Self::Struct { fields, .. } = self else {
            return None;
        };
        let field = fields.iter().find(|field| field.0 == name)?;
        Some(&field.1)
    }

    /// The value of an item that is a number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(*value),
            Self::Integer(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// The nearest field `name` in this item or in the items that it contains.
    pub fn find(&self, name: &str) -> Option<&Item> {
        self.search(|item| item.get(name))
    }

    /// The nearest struct or variant called `name`: this item, or one that it contains.
    pub fn find_type(&self, name: &str) -> Option<&Item> {
        self.search(|item| Some(item).filter(|item| item.name() == Some(name)))
    }

    pub(super) fn search<'a>(
        &'a self,
        found: impl Fn(&'a Self) -> Option<&'a Self>,
    ) -> Option<&'a Self> {
        let mut level = vec![self];
        while !level.is_empty() {
            if let Some(found) = level.iter().find_map(|item| found(item)) {
                return Some(found);
            }
            level = level.iter().flat_map(|item| item.parts()).collect();
        }
        None
    }

    /// The shape of an array, or the number of elements of a list.
    pub fn shape(&self) -> Option<Vec<usize>> {
        match self {
            Self::Numbers { length, .. } | Self::List { length, .. } => Some(vec![*length]),
            Self::Struct { name, .. } if name == "Array" => {
                let Some(Self::List { length, first }) = self.get("dim") else {
                    return None;
                };
                let axes = first.iter().map(|axis| match axis {
                    Self::Integer(axis) => usize::try_from(*axis).ok(),
                    _ => None,
                });
                axes.collect::<Option<Vec<_>>>()
                    .filter(|axes| axes.len() == *length)
            }
            _ => None,
        }
    }

    /// The texts of a list of texts, or of an option of such a list.
    pub(super) fn texts(&self) -> Option<Vec<&str>> {
        match self {
            Self::List { first, .. } if matches!(first[..], [Self::List { .. }]) => {
                first[0].texts()
            }
            Self::List { length, first } if first.len() == *length => {
                let texts = first.iter().map(|item| match item {
                    Self::Text(text) => Some(text.as_str()),
                    _ => None,
                });
                texts.collect()
            }
            _ => None,
        }
    }

    pub(super) fn parts(&self) -> Vec<&Item> {
        match self {
            Self::List { first, .. } => first.iter().collect(),
            Self::Map(entries) => entries
                .iter()
                .flat_map(|(key, value)| [key, value])
                .collect(),
            Self::Struct { fields, .. } => fields.iter().map(|field| &field.1).collect(),
            Self::Tuple { parts, .. } => parts.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Reads the next item, of any kind.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let head = reader.head()?;
        Self::of(head, reader)
    }

    /// Reads the rest of the item with this head.
    fn of(head: Head<'_>, reader: &mut Reader<'_>) -> Result<Self, Error> {
        let text = match head {
            Head::Text(text) | Head::Named(text, _) => text.len(),
            _ => 0,
        };
        if reader.depth() == LEVELS
            || reader
                .count_bytes(COPIES * size_of::<Self>() + text)
                .is_err()
        {
            skip(head, reader)?;
            return Ok(Self::NotShown);
        }
        reader.nested(|reader| {
            Ok(match head {
                Head::Null => Self::Nothing,
                Head::Bool(value) => Self::Bool(value),
                Head::Number(Number::Unsigned(value)) => Self::Integer(value.into()),
                Head::Number(Number::Signed(value)) => Self::Integer(value.into()),
                Head::Number(Number::Float(value)) => Self::Float(value),
                Head::Text(text) => Self::Text(text.to_owned()),
                Head::Bytes(bytes) => Self::Bytes(bytes.len()),
                Head::Numbers(kind, bytes) => numbers(kind, bytes)?,
                Head::List(length) => list(reader, length)?,
                Head::Map(length) => Self::Map(entries(reader, length)?),
                Head::Named(name, parts) => named(reader, name, parts)?,
            })
        })
    }
}

/// Reads the rest of the item with this head, and keeps nothing.
fn skip(head: Head<'_>, reader: &mut Reader<'_>) -> Result<(), Error> {
    let parts = match head {
        Head::Numbers(kind, bytes) => return has_no_nan(kind, bytes),
        Head::List(length) | Head::Named(_, length) => length,
        Head::Map(length) => 2 * length,
        _ => 0,
    };
    reader.nested(|reader| {
        (0..parts).try_for_each(|_| {
            let head = reader.head()?;
            skip(head, reader)
        })
    })
}

fn has_no_nan(kind: Kind, bytes: &[u8]) -> Result<(), Error> {
    let mut values = bytes
        .chunks_exact(kind.size())
        .map(|bytes| kind.number(bytes));
    if values.any(|number| matches!(number, Number::Float(value) if value.is_nan())) {
        return Err(Error::not_a_number());
    }
    Ok(())
}

fn numbers(kind: Kind, bytes: &[u8]) -> Result<Item, Error> {
    has_no_nan(kind, bytes)?;
    let first = bytes.chunks_exact(kind.size()).take(SHOWN);
    let first = first.map(|bytes| match kind.number(bytes) {
        Number::Unsigned(value) => value as f64,
        Number::Signed(value) => value as f64,
        Number::Float(value) => value,
    });
    Ok(Item::Numbers {
        scalar: kind.name(),
        length: bytes.len() / kind.size(),
        first: first.collect(),
    })
}

fn list(reader: &mut Reader<'_>, length: usize) -> Result<Item, Error> {
    let mut first = Vec::new();
    for place in 0..length {
        let head = reader.head()?;
        if place < SHOWN || (matches!(head, Head::Text(_)) && first.len() == place) {
            let item = Item::of(head, reader)?;
            if item != Item::NotShown {
                first.push(item);
            }
        } else {
            skip(head, reader)?;
        }
    }
    Ok(Item::List { length, first })
}

fn entries(reader: &mut Reader<'_>, length: usize) -> Result<Vec<(Item, Item)>, Error> {
    let mut entries = Vec::new();
    for _ in 0..length {
        let (key, value) = (Item::read(reader)?, Item::read(reader)?);
        if (&key, &value) != (&Item::NotShown, &Item::NotShown) {
            entries.push((key, value));
        }
    }
    Ok(entries)
}

fn named(reader: &mut Reader<'_>, name: &str, parts: usize) -> Result<Item, Error> {
    let mut items = Vec::new();
    for _ in 0..parts {
        let item = Item::read(reader)?;
        if item != Item::NotShown {
            items.push(item);
        }
    }
    let name = name.to_owned();
    if let [Item::Map(entries)] = &mut items[..]
        && entries.iter().all(|(key, _)| matches!(key, Item::Text(_)))
    {
        let fields = std::mem::take(entries).into_iter();
        let fields = fields.filter_map(|(key, value)| match key {
            Item::Text(key) => Some((key, value)),
            _ => None,
        });
        let fields = fields.collect();
        return Ok(Item::Struct { name, fields });
    }
    Ok(Item::Tuple { name, parts: items })
}
