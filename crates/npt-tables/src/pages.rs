//! Checks of the pages of a Parquet file, before its reader relies on them.

mod codecs;

use self::codecs::Codec;
use parquet::{
    basic::Compression,
    column::page::{Page, PageMetadata, PageReader},
    errors::{ParquetError, Result},
    file::{
        metadata::ColumnChunkMetaData, reader::ChunkReader, serialized_reader::SerializedPageReader,
    },
};
use std::{
    io::{self, Read},
    sync::Arc,
};

/// The pages of a column; a page that claims an impossible size is an error. The reader of the crate `parquet` takes as much memory as a page
/// says that it has without compression, takes memory for as many values as a dictionary says that it has, and skips as much as a list says
/// that it is long.
pub(crate) struct CheckedPages<R: ChunkReader> {
    pages: SerializedPageReader<R>,
    file: Arc<R>,
    /// The places in the file where the next page begins and where the last page ends.
    offset: u64,
    end: u64,
    /// The largest number of bytes that one byte of a page can become.
    most: Option<u64>,
    /// The decompression that is done here; without one, the crate `parquet` decompresses.
    codec: Option<Codec>,
}

impl<R: ChunkReader> CheckedPages<R> {
    /// Makes the pages of a column in a row group of `rows` rows.
    pub(crate) fn new(file: &Arc<R>, column: &ColumnChunkMetaData, rows: usize) -> Result<Self> {
        let (offset, length) = column.byte_range();
        let codec = Codec::of(column.compression());
        let file_of_pages = Arc::clone(file);
        let pages = if codec.is_some() {
            let as_they_are = column.clone().into_builder();
            let as_they_are = as_they_are.set_compression(Compression::UNCOMPRESSED);
            SerializedPageReader::new(file_of_pages, &as_they_are.build()?, rows, None)?
        } else {
            SerializedPageReader::new(file_of_pages, column, rows, None)?
        };
        Ok(Self {
            pages,
            file: Arc::clone(file),
            offset,
            end: offset.saturating_add(length),
            most: most_of(column.compression()),
            codec,
        })
    }

    /// Reads the header of the next page; returns it with the end of that page, or none after the last page.
    fn next_header(&self) -> Result<Option<(Header, u64)>> {
        let mut offset = self.offset;
        while offset < self.end {
            let bytes = self.file.get_read(offset)?.take(self.end - offset);
            let mut compact = Compact { bytes, read: 0 };
            let header = Header::read(&mut compact)?;
            offset = offset
                .saturating_add(compact.read)
                .saturating_add(header.compressed);
            // The reader of `parquet` passes over pages of an index.
            if header.page_type != Header::INDEX {
                return Ok(Some((header, offset)));
            }
        }
        Ok(None)
    }

    /// Checks the headers of all pages that are left, and reads nothing else of them.
    pub(crate) fn check_headers(mut self) -> Result<()> {
        while self.offset < self.end {
            self.offset = self.check_next()?.0;
        }
        Ok(())
    }

    /// Returns the end of the next page and its size without compression; an error if the page cannot be as large as it says.
    fn check_next(&self) -> Result<(u64, u64)> {
        let Some((header, end)) = self.next_header()? else {
            return Ok((self.end, 0));
        };
        let (plain, compressed) = (header.plain, header.compressed);
        let is_more = |most: u64| plain > most.saturating_mul(compressed);
        if self.most.is_some_and(is_more) {
            return Err(general(&format!(
                "a page of {compressed} bytes says that they become {plain}"
            )));
        }
        Ok((end, plain))
    }
}

fn general(text: &str) -> ParquetError {
    ParquetError::General(text.to_owned())
}

/// Returns the largest number of bytes that one byte can become, where it is known; it follows from the longest copies of each format.
fn most_of(compression: Compression) -> Option<u64> {
    match compression {
        // Snappy copies 64 bytes by 3.
        Compression::SNAPPY => Some(22),
        // Deflate copies 258 bytes by 2 bits.
        Compression::GZIP(_) => Some(1032),
        // In LZ4, a byte of a length adds up to 255 to it.
        Compression::LZ4 | Compression::LZ4_RAW => Some(255),
        // In Zstandard, a block of 4 bytes can be one byte repeated 2¹⁷ times.
        Compression::ZSTD(_) => Some(1 << 15),
        _ => None,
    }
}

impl<R: ChunkReader> Iterator for CheckedPages<R> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl<R: ChunkReader> PageReader for CheckedPages<R> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let (end, plain) = self.check_next()?;
        self.offset = end;
        let page = self.pages.get_next_page()?;
        let page = match (page, self.codec) {
            (Some(page), Some(codec)) => Some(codec.decompress_page(page, plain)?),
            (page, _) => page,
        };
        match page {
            // No number is shorter than a byte.
            Some(Page::DictionaryPage {
                buf, num_values, ..
            }) if num_values as usize > buf.len() => Err(general(&format!(
                "a dictionary of {} bytes says that it has {num_values} values",
                buf.len()
            ))),
            page => Ok(page),
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.check_next()?;
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.offset = self.check_next()?.0;
        self.pages.skip_next_page()
    }
}

/// The fields of the header of a page that are used here.
#[derive(Debug, PartialEq)]
struct Header {
    page_type: u64,
    /// Sizes of the page in bytes: without compression, and as it is in the file.
    plain: u64,
    compressed: u64,
}

impl Header {
    /// The type of pages of an index.
    const INDEX: u64 = 1;

    /// Reads a header from a struct in Thrift's compact protocol, whose first fields are these.
    fn read(bytes: &mut Compact<impl Read>) -> io::Result<Self> {
        let [mut page_type, mut plain, mut compressed] = [None; 3];
        let mut before = 0;
        loop {
            let (id, field_type) = bytes.field(before)?;
            check_field(&[], id, field_type)?;
            match id {
                _ if field_type == STOP => break,
                1 => page_type = Some(bytes.i32()?),
                2 => plain = Some(bytes.i32()?),
                3 => compressed = Some(bytes.i32()?),
                _ => bytes.skip(field_type, &[id])?,
            }
            before = id;
        }
        let number = |number: Option<i32>| {
            let number = number.and_then(|number| u64::try_from(number).ok());
            number.ok_or_else(no_header)
        };
        Ok(Self {
            page_type: number(page_type)?,
            plain: number(plain)?,
            compressed: number(compressed)?,
        })
    }
}

fn no_header() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is not the header of a page")
}

/// The types of fields in Thrift's compact protocol.
const STOP: u8 = 0;
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I32: u8 = 5;
const STRUCT: u8 = 12;

/// The largest depth of structs in structs.
const DEEPEST: usize = 16;

/// Checks that a field has the type that it has in headers: the reader of `parquet` takes it for that type, whatever type is written. The
/// field has the number `id`, inside of the fields `within`, outermost first.
fn check_field(within: &[i16], id: i16, field_type: u8) -> io::Result<()> {
    let is_right = match (within, id) {
        _ if field_type == STOP => true,
        ([] | [5], 1..=4) | ([7], 1..=2) | ([8], 1..=6) => field_type == I32,
        ([7], 3) | ([8], 7) => field_type == TRUE || field_type == FALSE,
        ([], 5..=8) | ([5], 5) | ([8], 8) => field_type == STRUCT,
        _ => true,
    };
    is_right.then_some(()).ok_or_else(no_header)
}

/// Bytes of Thrift's compact protocol, with the number of bytes that were read.
struct Compact<B> {
    bytes: B,
    read: u64,
}

impl<B: Read> Compact<B> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.bytes.read_exact(&mut byte)?;
        self.read += 1;
        Ok(byte[0])
    }

    fn pass(&mut self, count: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.bytes.by_ref().take(count), &mut io::sink())?;
        self.read += passed;
        if passed < count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// Reads an unsigned number: seven bits a byte, the lowest first.
    fn varint(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(no_header())
    }

    /// Reads a signed number, whose sign is the lowest bit.
    fn integer(&mut self) -> io::Result<i64> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn i32(&mut self) -> io::Result<i32> {
        i32::try_from(self.integer()?).map_err(|_| no_header())
    }

    /// Reads the number and the type of the next field of a struct; after the last field the type is [`STOP`].
    fn field(&mut self, before: i16) -> io::Result<(i16, u8)> {
        let byte = self.byte()?;
        let (step, field_type) = (byte >> 4, byte & 0x0F);
        let id = match (field_type, step) {
            (STOP, _) => Some(before),
            (_, 0) => i16::try_from(self.integer()?).ok(),
            _ => before.checked_add(step.into()),
        };
        Ok((id.ok_or_else(no_header)?, field_type))
    }

    /// Skips the value of a field. `within` are the fields around it, with the field itself as the last.
    fn skip(&mut self, field_type: u8, within: &[i16]) -> io::Result<()> {
        match field_type {
            TRUE | FALSE => Ok(()),
            3 => self.pass(1),
            4 | 6 => self.varint().map(drop),
            I32 => self.i32().map(drop),
            7 => self.pass(8),
            8 => {
                let length = self.varint()?;
                self.pass(length)
            }
            STRUCT if within.len() < DEEPEST => self.skip_struct(within),
            // Lists, sets and maps are in no header of a page.
            _ => Err(no_header()),
        }
    }

    fn skip_struct(&mut self, within: &[i16]) -> io::Result<()> {
        let mut before = 0;
        loop {
            let (id, field_type) = self.field(before)?;
            check_field(within, id, field_type)?;
            if field_type == STOP {
                return Ok(());
            }
            self.skip(field_type, &[within, &[id]].concat())?;
            before = id;
        }
    }
}

#[cfg(test)]
mod tests;
