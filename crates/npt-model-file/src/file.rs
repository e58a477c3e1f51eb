//! Saving of models to files, and loading from them.

use std::{
    fs::{self, File},
    io::{Read, Write},
    path::Path,
};

use serde::{Serialize, de::DeserializeOwned};
use tempfile::NamedTempFile;

use crate::{Error, from_bytes, to_bytes};
use npt_watch::Progress;

/// The number of bytes that are read or written at once.
const PART: usize = 1 << 20;

/// A type that a file can hold: serde writes it, and reads it without borrowing.
///
/// There is nothing to implement: `#[derive(Serialize, Deserialize)]` suffices for a type of your own, and the feature `serde` for npt's types.
/// A model over `dyn Kernel` cannot be kept, because its file would not say which kernel to read. Nor can a model whose labels are `&str`, which
/// borrow their text: rustc then says that an "implementation of `Deserialize` is not general enough". Labels of type `String` are the remedy,
/// by `dataset.map_targets(|label| label.to_string())`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept in a file",
    label = "a part of it cannot be written, or not be read again without borrowing",
    note = "a model over `dyn Kernel` does not say which kernel is to be read: fit the model with the kernel's own type",
    note = "a type of your own becomes one by `#[derive(serde::Serialize, serde::Deserialize)]`"
)]
pub trait Keepable: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<M: Serialize + DeserializeOwned> Keepable for M {}

/// Saves `model` at `path`, and replaces a file that is there.
///
/// The file appears as a whole or not at all: it is written beside its place under another name, reaches the disk, and is then renamed. Its
/// bytes are read once before they are written, so that a model that cannot be loaded is not saved. Meanwhile the model is in memory three
/// times. A [`CancellationToken`](npt_watch::CancellationToken) that ends the work leaves no file.
///
/// # Errors
/// The errors of [`to_bytes`]; [`Error::File`] if the folder does not exist, the disk is full or the like. After an error, the old file at
/// `path` is still there, and no new one.
pub fn save<M: Keepable>(model: &M, path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    let bytes = to_bytes(model)?;
    // For a name alone the folder is empty, which means the current one.
    let folder = path.parent().unwrap_or(path);
    let place = |error: &std::io::Error| Error::file(path, error);
    let mut file = temporary(path, folder).map_err(|error| place(&error))?;
    let mut progress = Progress::start("save", bytes.len());
    for part in bytes.chunks(PART) {
        file.write_all(part).map_err(|error| place(&error))?;
        progress.steps().take(part.len());
    }
    file.as_file().sync_all().map_err(|error| place(&error))?;
    progress.at(bytes.len());
    file.persist(path).map_err(|error| place(&error.error))?;
    Ok(())
}

/// Makes a file in `folder` that disappears unless it is given a name. Its permissions are those of the file at `path`, or those of any new
/// file.
fn temporary(path: &Path, folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".npt-").suffix(".partial");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The operating system takes its mask from these permissions.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    if let Ok(old) = fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}

/// Loads the model of type `M` at `path`.
///
/// # Errors
/// [`Error::File`] if the file cannot be read; [`Error::NotAModelFile`], [`Error::Format`], [`Error::Length`] or [`Error::Checksum`]
/// if it is not what was written; [`Error::OtherType`], [`Error::NotANumber`], [`Error::Refused`] or [`Error::Malformed`] if it holds
/// something else than an `M`.
pub fn load<M: DeserializeOwned>(path: impl AsRef<Path>) -> Result<M, Error> {
    from_bytes(&read(path.as_ref())?)
}

/// Reads all bytes of a file, in no more memory than they take.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let place = |error: std::io::Error| Error::file(path, &error);
    let file = File::open(path).map_err(place)?;
    let length = file.metadata().map_err(place)?.len();
    let mut bytes = Vec::new();
    let room = usize::try_from(length).unwrap_or(usize::MAX);
    let mut progress = Progress::start("load", room);
    bytes
        .try_reserve_exact(room.saturating_add(1))
        .map_err(|error| place(std::io::Error::new(std::io::ErrorKind::OutOfMemory, error)))?;
    // One byte more than expected shows that the file has grown; then the length in the file is wrong, which is an error.
    let mut file = file.take(length.saturating_add(1));
    loop {
        progress.at(bytes.len());
        let part = file.by_ref().take(PART as u64).read_to_end(&mut bytes);
        if part.map_err(place)? == 0 {
            return Ok(bytes);
        }
    }
}
