//! The bytes around a model in its file: the beginning, the length of the file, and the checksum.

use crate::Error;
use npt_watch::Progress;

/// The version of the format that is written, and the only one that is read.
pub const FORMAT: u32 = 1;

const MAGIC: [u8; 8] = *b"\x89NPT\r\n\x1a\n";
/// The place of the file's length.
const LENGTH: std::ops::Range<usize> = 12..20;
const CHECKSUM: usize = 4;

/// Makes the beginning of a file, in which the length is not written yet.
pub(crate) fn open() -> Vec<u8> {
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.push(u8::try_from(version.len()).expect("a version is short"));
    bytes.extend(version);
    bytes
}

/// Completes a file with its length and its checksum.
pub(crate) fn close(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len() + CHECKSUM;
    bytes[LENGTH].copy_from_slice(&(length as u64).to_le_bytes());
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// Computes CRC-32 part by part, so that a cancellation is noticed in between.
fn checksum(bytes: &[u8]) -> u32 {
    const PART: usize = 16 << 20;
    let progress = Progress::start("checksum", bytes.len());
    let mut hasher = crc32fast::Hasher::new();
    for part in bytes.chunks(PART) {
        hasher.update(part);
        progress.steps().take(part.len());
    }
    hasher.finalize()
}

/// The parts of a file whose length and checksum are right.
pub(crate) struct Envelope<'a> {
    pub(crate) format: u32,
    pub(crate) written_by: &'a str,
    /// The bytes of the model.
    pub(crate) body: &'a [u8],
}

/// Checks a file and returns its parts.
///
/// # Errors
/// [`Error::NotAModelFile`], [`Error::Format`], [`Error::Length`] or [`Error::Checksum`], in this order.
pub(crate) fn read(bytes: &[u8]) -> Result<Envelope<'_>, Error> {
    let found = bytes.len() as u64;
    let cut_short = |expected: usize| Error::Length {
        expected: expected as u64,
        found,
    };
    if !bytes.starts_with(&MAGIC) {
        let is_beginning = !bytes.is_empty() && MAGIC.starts_with(bytes);
        return Err(if is_beginning {
            cut_short(LENGTH.end + 1)
        } else {
            Error::NotAModelFile
        });
    }
    let (Some(format), Some(length), Some((count, rest))) = (
        bytes.get(8..12).and_then(|four| four.try_into().ok()),
        bytes.get(LENGTH).and_then(|eight| eight.try_into().ok()),
        bytes.get(LENGTH.end..).and_then(<[u8]>::split_first),
    ) else {
        return Err(cut_short(LENGTH.end + 1));
    };
    let format = u32::from_le_bytes(format);
    let expected = u64::from_le_bytes(length);
    let version = rest.get(..usize::from(*count));
    if format != FORMAT {
        return Err(Error::Format {
            found: format,
            newest: FORMAT,
            written_by: String::from_utf8_lossy(version.unwrap_or_default()).into_owned(),
        });
    }
    if expected != found {
        return Err(Error::Length { expected, found });
    }
    let Some((covered, stored)) = bytes.split_last_chunk::<CHECKSUM>() else {
        return Err(Error::Length { expected, found });
    };
    let stored = u32::from_le_bytes(*stored);
    let computed = checksum(covered);
    if stored != computed {
        return Err(Error::Checksum { stored, computed });
    }
    let body = covered.get(LENGTH.end + 1 + usize::from(*count)..);
    let (Some(Ok(written_by)), Some(body)) = (version.map(str::from_utf8), body) else {
        return Err(Error::malformed(
            "the version that wrote the file is no text",
        ));
    };
    Ok(Envelope {
        format,
        written_by,
        body,
    })
}
