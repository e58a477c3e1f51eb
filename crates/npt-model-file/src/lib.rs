//! Files of fitted models: [`save`] and [`load`] for whatever is serialized by serde, [`Contents`] for what a file holds when its type is not
//! known.
//!
//! A file says of every struct and every variant in it what it is called, so that a model is never read as another type of the same
//! shape; but single numbers have no type, so that `Gaussian<f32>` is read as `Gaussian<f64>` and, of a value that is one, the other way
//! round, and containers that serde writes alike are read as each other (`BTreeSet`, `HashSet`). Lists of numbers are blocks of raw little-endian bytes. Nothing that the bytes of a file say is believed before it is checked: a
//! file that is cut short, damaged or forged is an [`Error`], and loading it takes no more than 40 times the file's size in memory (and
//! 64 KiB); four times, if its lists are numbers. What lists, texts, sets and maps take is counted before they take it, as those of the
//! standard library and the graphs of petgraph do; what a type of another crate allocates besides is its own. A model that would take
//! more, such as a long list of empty texts and nothing else, is not saved.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `89 4E 50 54 0D 0A 1A 0A`: `NPT`, in what a transfer as text would damage |
//! | 4 | the version of the format, little-endian, as all numbers here: [`FORMAT`] |
//! | 8 | the length of the file |
//! | 1 + k | the version of this crate that wrote the file: length, text |
//! | … | the model: one item of [CBOR](https://www.rfc-editor.org/rfc/rfc8949) |
//! | 4 | CRC-32 (as in zlib) of everything before |
//!
//! In the model, a struct is an object with a name (tag 27), `["gaussian", {"gamma": 0.5}]`; a variant is one with the name
//! `"Enum::Variant"`. A list of numbers of one type is a typed array ([RFC 8746](https://www.rfc-editor.org/rfc/rfc8746)), one of anything
//! else an array; an option is null or an array of one.
//!
//! A type may choose by the name of an object what to read of it ([`BY_NAME`]).
//!
//! All of it can be cancelled ([`CancellationToken`](npt_watch::CancellationToken)), and tells how many bytes are done
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

/// The bytes of a file that holds `model`.
///
/// They are read once before they are given away: what cannot be loaded is not saved.
///
/// # Errors
/// [`Error::NotANumber`] where the model contains NaN, [`Error::Refused`] where a part of it cannot be serialized; those of [`from_bytes`]
/// where it is not read as it is written.
pub fn to_bytes<M: Keepable>(model: &M) -> Result<Vec<u8>, Error> {
    let mut bytes = envelope::open();
    let head = bytes.len();
    body::write(model, &mut bytes)?;
    body::read::<M>(&bytes[head..], bytes.len())?;
    Ok(envelope::close(bytes))
}

/// The model in `bytes`, those of a file.
///
/// # Errors
/// Those of [`load`], but for [`Error::File`].
pub fn from_bytes<M: DeserializeOwned>(bytes: &[u8]) -> Result<M, Error> {
    let envelope = envelope::read(bytes)?;
    body::read(envelope.body, bytes.len())
}
