//! Printing of the contents of a file as a tree of text.

use std::fmt::{self, Display, Formatter};

use super::{Contents, Item};

/// The length of the longest list of texts that is printed as a whole.
const TEXTS: usize = 32;

impl Display for Contents {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_item(f, &self.model, 0)
    }
}

/// A name in the file. It may be any text, so that special characters are escaped.
struct Name<'n>(&'n str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.escape_debug())
    }
}

/// Writes the rest of the item's own line, and the lines of its parts.
fn write_item(f: &mut Formatter<'_>, item: &Item, depth: usize) -> fmt::Result {
    match item {
        Item::Nothing => writeln!(f, "none"),
        Item::Bool(value) => writeln!(f, "{value}"),
        Item::Integer(value) => writeln!(f, "{value}"),
        Item::Float(value) => writeln!(f, "{value}"),
        Item::Text(text) => writeln!(f, "{text:?}"),
        Item::NotShown => writeln!(f, "…"),
        Item::Bytes(length) => writeln!(f, "{length} bytes"),
        Item::Numbers {
            scalar,
            length,
            first,
        } => {
            write!(f, "{length} × {scalar}")?;
            if first.len() == *length {
                write_all(f, first)?;
            }
            writeln!(f)
        }
        Item::List { length, first } => write_list(f, *length, first, depth),
        Item::Map(entries) => {
            writeln!(f, "{} entries", entries.len())?;
            for (key, value) in entries {
                write_part(f, &KeyText(key), value, depth + 1)?;
            }
            Ok(())
        }
        Item::Struct { name, fields } => {
            if let (Some(shape), Some(data)) = (item.shape(), item.get("data")) {
                return write_array(f, &shape, data, depth);
            }
            writeln!(f, "{}", Name(name))?;
            for (field, value) in fields {
                write_part(f, &Name(field), value, depth + 1)?;
            }
            Ok(())
        }
        Item::Tuple { name, parts } => {
            if let [part] = &parts[..] {
                write!(f, "{} ", Name(name))?;
                return write_item(f, part, depth);
            }
            writeln!(f, "{}", Name(name))?;
            for (place, part) in parts.iter().enumerate() {
                write_part(f, &place, part, depth + 1)?;
            }
            Ok(())
        }
    }
}

fn write_part(f: &mut Formatter<'_>, name: &dyn Display, item: &Item, depth: usize) -> fmt::Result {
    write!(f, "{:1$}{name}: ", "", 2 * depth)?;
    write_item(f, item, depth)
}

fn write_list(f: &mut Formatter<'_>, length: usize, first: &[Item], depth: usize) -> fmt::Result {
    if let [only] = first
        && length == 1
    {
        return write_item(f, only, depth);
    }
    let is_flat = first.iter().all(|item| item.parts().is_empty());
    if is_flat && first.len() == length && length <= TEXTS {
        let texts = first.iter().map(|item| KeyText(item).to_string());
        return writeln!(f, "[{}]", texts.collect::<Vec<_>>().join(", "));
    }
    if first.is_empty() {
        return writeln!(f, "{length} of …");
    }
    writeln!(f, "{length} of")?;
    for (place, item) in first.iter().take(2).enumerate() {
        write_part(f, &place, item, depth + 1)?;
    }
    Ok(())
}

/// Writes an array of this shape, such as "400 × 10 f64".
fn write_array(f: &mut Formatter<'_>, shape: &[usize], data: &Item, depth: usize) -> fmt::Result {
    let shape: Vec<_> = shape.iter().map(ToString::to_string).collect();
    write!(f, "{} × ", shape.join(" × "))?;
    match data {
        Item::Numbers {
            scalar,
            length,
            first,
        } => {
            write!(f, "{scalar}")?;
            if first.len() == *length {
                write_all(f, first)?;
            }
            writeln!(f)
        }
        other => write_item(f, other, depth),
    }
}

fn write_all(f: &mut Formatter<'_>, numbers: &[f64]) -> fmt::Result {
    let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    write!(f, " [{}]", numbers.join(", "))
}

/// Prints an item without its parts, in the middle of a line.
struct KeyText<'a>(&'a Item);

impl Display for KeyText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Item::Text(text) => write!(f, "{text:?}"),
            Item::Integer(value) => write!(f, "{value}"),
            Item::Float(value) => write!(f, "{value}"),
            Item::Bool(value) => write!(f, "{value}"),
            Item::Struct { name, .. } | Item::Tuple { name, .. } => write!(f, "{name}"),
            _ => write!(f, "…"),
        }
    }
}
