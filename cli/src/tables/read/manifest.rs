//! Hashes of files. They are needed, as no reader reports a flipped byte in a page of a Parquet file.

use crate::{Error, work};
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

/// The number of bytes that are hashed at once.
const PART: usize = 1 << 20;

/// Refuses files whose hash is not that of the manifest, and files that the manifest does not have.
pub fn check(manifest: &Path, files: &[PathBuf]) -> Result<(), Error> {
    let expected = read(manifest)?;
    files.par_iter().try_for_each(|file| {
        let Some(expected) = expected.get(&place(file)) else {
            return Err(Error::file(
                file,
                format!(
                    "{} does not have it; its names are looked for in the folder in which npt runs",
                    manifest.display()
                ),
            ));
        };
        let found = hash(file)?;
        if found != *expected {
            return Err(Error::file(
                file,
                format!(
                    "its SHA-256 is {found}, where {} has {expected}: the file was changed",
                    manifest.display()
                ),
            ));
        }
        Ok(())
    })
}

/// Reads the hash of each file, from lines such as `2cf2…  trips.parquet`.
fn read(manifest: &Path) -> Result<BTreeMap<PathBuf, String>, Error> {
    let text = std::fs::read_to_string(manifest).map_err(|error| Error::file(manifest, error))?;
    let lines = text.lines().enumerate();
    let of_line = |(number, line): (usize, &str)| {
        let parts = line.split_once(' ').map(|(hash, path)| {
            // A star says that sha256sum read the file as bytes.
            let path = path.strip_prefix([' ', '*']).unwrap_or(path);
            (place(Path::new(path)), hash.to_lowercase())
        });
        let is_hash =
            |hash: &String| hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit());
        parts.filter(|(_, hash)| is_hash(hash)).ok_or_else(|| {
            Error::file(
                manifest,
                format!("line {} is no SHA-256 with the name of a file", number + 1),
            )
        })
    };
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(of_line)
        .collect()
}

/// The path of a file, which is the same for all its names.
fn place(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn hash(path: &Path) -> Result<String, Error> {
    let wrong = |error: std::io::Error| Error::file(path, error);
    let mut file = File::open(path).map_err(wrong)?;
    let mut hash = Sha256::new();
    let mut bytes = vec![0; PART];
    loop {
        work::check()?;
        let length = file.read(&mut bytes).map_err(wrong)?;
        if length == 0 {
            break;
        }
        hash.update(&bytes[..length]);
    }
    let mut text = String::with_capacity(64);
    for byte in hash.finalize() {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
