use super::Codec;
use parquet::{basic::Encoding, column::page::Page};

/// The numbers from 0 to 6 over and over, 300 bytes, as pyarrow compresses them with Zstandard; the next constant has them with Brotli.
const ZSTD: [u8; 24] = [
    0x28, 0xB5, 0x2F, 0xFD, 0x60, 0x2C, 0x00, 0x75, 0x00, 0x00, 0x38, 0x00, 0x01, 0x02, 0x03, 0x04,
    0x05, 0x06, 0x01, 0x00, 0x22, 0x52, 0x8B, 0x11,
];
const BROTLI: [u8; 15] = [
    0x1B, 0x2B, 0x01, 0x00, 0x04, 0x6E, 0x00, 0x4C, 0x1B, 0xB3, 0x45, 0xF2, 0x8B, 0x9C, 0xEE,
];

/// A hundred thousand zeros, as pyarrow compresses them with Brotli.
const ZEROS: [u8; 13] = [
    0x5B, 0x9F, 0x86, 0x01, 0x40, 0x02, 0x20, 0x1E, 0x0B, 0x24, 0xCB, 0x2F, 0x00,
];

fn first(bytes: &[u8]) -> Page {
    Page::DataPage {
        buf: bytes.to_vec().into(),
        num_values: 1,
        encoding: Encoding::PLAIN,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    }
}

/// Makes a page of the second version, with these numbers of bytes of levels in front.
fn second(bytes: &[u8], levels: [u32; 2], is_compressed: bool) -> Page {
    Page::DataPageV2 {
        buf: bytes.to_vec().into(),
        num_values: 1,
        encoding: Encoding::PLAIN,
        num_nulls: 0,
        num_rows: 1,
        def_levels_byte_len: levels[0],
        rep_levels_byte_len: levels[1],
        is_compressed,
        statistics: None,
    }
}

fn plain() -> Vec<u8> {
    (0..=6).cycle().take(300).collect()
}

#[test]
fn pages_become_what_was_compressed() {
    for (codec, bytes) in [(Codec::Zstd, &ZSTD[..]), (Codec::Brotli, &BROTLI)] {
        let whole = codec.decompress_page(first(bytes), 300).unwrap();
        assert_eq!(whole.buffer().as_ref(), plain());
        // Three bytes of levels are in front, as they are.
        let with_levels = [b"abc", bytes].concat();
        let whole = codec.decompress_page(second(&with_levels, [1, 2], true), 303);
        assert_eq!(
            whole.unwrap().buffer().as_ref(),
            [b"abc", &plain()[..]].concat()
        );
        let as_it_is = codec.decompress_page(second(&with_levels, [1, 2], false), 303);
        assert_eq!(as_it_is.unwrap().buffer().as_ref(), with_levels);
        // A page of levels alone has nothing that is compressed.
        let levels = codec.decompress_page(second(b"abc", [1, 2], true), 3);
        assert_eq!(levels.unwrap().buffer().as_ref(), b"abc");
    }
    let frames = Codec::Zstd.decompress_page(first(&[ZSTD, ZSTD].concat()), 600);
    assert_eq!(
        frames.unwrap().buffer().as_ref(),
        [plain(), plain()].concat()
    );
}

/// Pages whose size is not the one that they claim are errors, also where that size is enormous; so are pages that are cut.
#[test]
fn pages_that_are_something_else() {
    let text = |found: parquet::errors::Result<Page>| found.map(|_| ()).unwrap_err().to_string();
    for (codec, bytes) in [(Codec::Zstd, &ZSTD[..]), (Codec::Brotli, &BROTLI)] {
        for size in [1, 299, 301, 1 << 50] {
            let found = codec.decompress_page(first(bytes), size);
            assert!(found.is_err(), "{codec:?} {size}");
        }
        let most = text(codec.decompress_page(first(bytes), 1 << 50));
        assert!(most.contains("and becomes 300"), "{most}");
        for length in 0..bytes.len() - 4 {
            let found = codec.decompress_page(first(&bytes[..length]), 300);
            assert!(found.is_err(), "{codec:?} {length}");
        }
        let levels = codec.decompress_page(second(bytes, [20, 20], true), 303);
        assert!(text(levels).contains("levels"));
        let levels = codec.decompress_page(second(bytes, [2, 2], true), 3);
        assert!(text(levels).contains("levels"));
    }
    // At most one byte more than was promised is decompressed.
    let zeros = text(Codec::Brotli.decompress_page(first(&ZEROS), 10));
    assert!(
        zeros.contains("becomes 10 bytes, and becomes 11"),
        "{zeros}"
    );
}
