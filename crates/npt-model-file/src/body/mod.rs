//! A model as one item of CBOR, written and read by serde.

mod byte_progress;
mod numbers;
mod read;
mod write;

pub(crate) use numbers::{Kind, Number};
pub use read::BY_NAME;
pub(crate) use read::{Head, Reader};

use serde::{Serialize, de::DeserializeOwned};

use crate::Error;

/// The tag of an array whose first element is the name of an object
/// ([registry](https://www.iana.org/assignments/cbor-tags/cbor-tags.xhtml)).
pub(crate) const NAMED: u64 = 27;

/// Appends `model` to `bytes`, as one item.
pub(crate) fn write<M: Serialize>(model: &M, bytes: &mut Vec<u8>) -> Result<(), Error> {
    let mut writer = write::Writer::new(bytes);
    model.serialize(&mut writer)?;
    writer.finish();
    Ok(())
}

/// Reads the model in `body`, from a file of `length` bytes.
pub(crate) fn read<M: DeserializeOwned>(body: &[u8], length: usize) -> Result<M, Error> {
    let mut reader = Reader::new(body, length);
    let model = M::deserialize(&mut reader)?;
    reader.finish()?;
    Ok(model)
}
