//! Compressions that are undone in Rust, without a library in C.

use super::general;
use parquet::{
    basic::Compression,
    column::page::Page,
    errors::{ParquetError, Result},
};
use std::io::Read;

/// A compression for which the crate `parquet` takes a library in C, or memory without a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Codec {
    Zstd,
    Brotli,
}

impl Codec {
    pub(super) fn of(compression: Compression) -> Option<Self> {
        match compression {
            Compression::ZSTD(_) => Some(Self::Zstd),
            Compression::BROTLI(_) => Some(Self::Brotli),
            _ => None,
        }
    }

    /// Decompresses a page, which has `plain` bytes without compression. The levels of a page of the second version are not compressed.
    pub(super) fn decompress_page(self, mut page: Page, plain: u64) -> Result<Page> {
        let (bytes, before) = match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => (buf, 0),
            Page::DataPageV2 {
                is_compressed: false,
                ..
            } => return Ok(page),
            Page::DataPageV2 {
                buf,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let levels = u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len);
                (buf, levels)
            }
        };
        let levels = usize::try_from(before).ok();
        let parts = levels.and_then(|levels| bytes.split_at_checked(levels));
        let (Some((levels, compressed)), Some(left)) = (parts, plain.checked_sub(before)) else {
            return Err(general("the levels of a page are longer than the page"));
        };
        let mut whole = levels.to_vec();
        if left > 0 {
            self.decompress(compressed, left, &mut whole)?;
        }
        if whole.len() as u64 != plain {
            return Err(general(&format!(
                "a page says that it becomes {plain} bytes, and becomes {}",
                whole.len()
            )));
        }
        *bytes = whole.into();
        Ok(page)
    }

    /// Appends the decompressed bytes, at most `most` and one more. Memory is taken as the bytes come, and not for a size that a page
    /// claims.
    fn decompress(self, mut bytes: &[u8], most: u64, into: &mut Vec<u8>) -> Result<()> {
        let wrong = |error: &dyn std::fmt::Display| {
            ParquetError::General(format!("a page cannot be decompressed: {error}"))
        };
        let end = into.len() as u64 + most;
        // The format allows several frames, one behind the other.
        while !bytes.is_empty() && into.len() as u64 <= end {
            let left = end - into.len() as u64 + 1;
            match self {
                Self::Zstd => {
                    let frame = ruzstd::decoding::StreamingDecoder::new(&mut bytes);
                    let frame = frame.map_err(|error| wrong(&error))?;
                    let read = frame.take(left).read_to_end(into);
                    read.map_err(|error| wrong(&error))?;
                }
                Self::Brotli => {
                    let stream = brotli_decompressor::Decompressor::new(bytes, 1 << 12);
                    let read = stream.take(left).read_to_end(into);
                    read.map_err(|error| wrong(&error))?;
                    bytes = &[];
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
