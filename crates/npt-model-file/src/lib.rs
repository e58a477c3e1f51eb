//! Files of fitted models: [`save`] and [`load`] for every type that serde writes and reads, and [`Contents`] of a file whose type is not
//! known.
//!
//! A file has the names of all structs and variants in it, so that a model is never read as another type of the same
//! shape. Single numbers have no type: `Gaussian<f32>` is read as `Gaussian<f64>`, and the other way round if f32 holds the value.
//! Containers that serde writes alike are read as each other (`BTreeSet`, `HashSet`). Lists of numbers are blocks of raw little-endian bytes.
//!
//! Everything in a file is checked before it is used: a file that is cut short, damaged or forged is an [`Error`]. Loading takes no more
//! memory than 40 times the file's size (and 64 KiB), and four times if the lists are numbers. The memory of lists, texts, sets and maps is
//! counted before it is taken, for types of the standard library and for the graphs of petgraph. Memory that a type of another crate allocates
//! besides is not counted. A model that would take more, such as a long list of empty texts and nothing else, is not saved.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `89 4E 50 54 0D 0A 1A 0A`: `NPT` between bytes that a transfer as text would damage |
//! | 4 | the version of the format, [`FORMAT`]; it is little-endian, as are all numbers here |
//! | 8 | the length of the file |
//! | 1 + k | the version of this crate that wrote the file: length, text |
//! | … | the model: one item of [CBOR](https://www.rfc-editor.org/rfc/rfc8949) |
//! | 4 | CRC-32 (as in zlib) of everything before |
//!
//! In the model, a struct is an object with a name (tag 27), `["gaussian", {"gamma": 0.5}]`; a variant is an object with the name
//! `"Enum::Variant"`. A list of numbers of one type is a typed array ([RFC 8746](https://www.rfc-editor.org/rfc/rfc8746)), any other list is
//! an array. An option is null or an array of one element.
//!
//! A type may choose by the name of an object what to read from it ([`BY_NAME`]).
//!
//! Writing and reading can be cancelled ([`CancellationToken`](npt_watch::CancellationToken)), and tell how many bytes are done
//! ([`Progress`](npt_watch::Progress)).
//!
//! # Example
//! ```
//! use npt_model_file::{Contents, Error, from_bytes, to_bytes};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Plane { slope: Vec<f64>, offset: f64 }
//! #[derive(Debug, Serialize, Deserialize)]
//! struct Sphere { slope: Vec<f64>, offset: f64 }
//!
//! let plane = Plane { slope: vec![0.1, -0.0], offset: 1.0 };
//! let bytes = to_bytes(&plane)?;
//! assert_eq!(from_bytes::<Plane>(&bytes)?, plane);
//! assert_eq!(Contents::from_bytes(&bytes)?.to_string(), "Plane\n  slope: 2 × f64 [0.1, -0]\n  offset: 1\n");
//!
//! let error = from_bytes::<Sphere>(&bytes).unwrap_err();
//! assert_eq!(error, Error::OtherType { at: String::new(), expected: "Sphere".into(), found: "Plane".into() });
//! # Ok::<(), Error>(())
//! ```
//!
//! The words of these pages are in the glossary, `docs/glossary.md` of the repository.

mod account;
mod body;
mod contents;
mod envelope;
mod error;
mod file;

pub use body::BY_NAME;
pub use contents::{Contents, Item};
pub use envelope::FORMAT;
pub use error::Error;
pub use file::{Keepable, load, save};

use serde::de::DeserializeOwned;

/// Writes the bytes of a file that holds `model`.
///
/// The bytes are read once before they are returned: a model that cannot be loaded is not saved.
///
/// # Errors
/// [`Error::NotANumber`] if the model contains NaN, [`Error::Refused`] if a part of it cannot be serialized; the errors of [`from_bytes`]
/// if it is not read as it was written.
pub fn to_bytes<M: Keepable>(model: &M) -> Result<Vec<u8>, Error> {
    let mut bytes = envelope::open();
    let head = bytes.len();
    body::write(model, &mut bytes)?;
    body::read::<M>(&bytes[head..], bytes.len())?;
    Ok(envelope::close(bytes))
}

/// Reads the model from the bytes of a file.
///
/// # Errors
/// The errors of [`load`], except [`Error::File`].
pub fn from_bytes<M: DeserializeOwned>(bytes: &[u8]) -> Result<M, Error> {
    let envelope = envelope::read(bytes)?;
    body::read(envelope.body, bytes.len())
}
