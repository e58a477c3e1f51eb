//! Compares the records with those of other readers.

use super::{Encoding, records::Records};
use crate::SourceError;
use csv::{QuoteStyle, ReaderBuilder, Terminator, WriterBuilder};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

type Table = Vec<Vec<Vec<u8>>>;

/// Returns all records of a text.
fn read(text: &[u8], delimiter: u8) -> Result<Table, SourceError> {
    let mut records = Records::new(text, delimiter);
    let mut table = Table::new();
    while records.read(&[])? {
        let fields = records.fields().iter().map(|&field| {
            let bytes = records.bytes(field);
            if field.has_quotes {
                let text = String::from_utf8(bytes.to_vec()).unwrap();
                text.replace("\"\"", "\"").into_bytes()
            } else {
                bytes.to_vec()
            }
        });
        table.push(fields.collect());
    }
    Ok(table)
}

/// The FNV-1a hash of the bytes that it is fed.
struct Hash(u64);

impl Hash {
    fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Every text of up to eight letters among four is read as Python 3's `csv.reader(text, strict=True)` reads it. Both take the same number of
/// texts, refuse the others, and find the same records, empty lines left out. Python's numbers come from a program of twenty lines, run once.
#[test]
fn every_short_text_is_read_as_python_does() {
    let letters = b"a,\"\n";
    let (mut taken, mut records, mut fields) = (0, 0, 0);
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    for length in 0..=8 {
        for number in 0..4_usize.pow(length) {
            let digits = (0..length).rev();
            let letter = |place| letters[number / 4_usize.pow(place) % 4];
            let text: Vec<u8> = digits.map(letter).collect();
            let Ok(table) = read(&text, b',') else {
                continue;
            };
            taken += 1;
            for record in table {
                records += 1;
                for field in record {
                    fields += 1;
                    hash.feed(&field);
                    hash.feed(b"\x1f");
                }
                hash.feed(b"\x1e");
            }
            hash.feed(b"\x1d");
        }
    }
    assert_eq!((taken, records, fields), (44_181, 76_932, 149_578));
    assert_eq!(hash.0, 0x2811_c6ef_5ef6_6260);
}

/// Tables of random texts are written by the crate `csv` and read as that crate reads them: with each delimiter, with quotes where they are
/// needed and everywhere, and with both kinds of line ends.
#[test]
fn tables_are_read_as_they_were_written() {
    let letters = [
        "a", "é", "\"", ",", ";", "\t", "|", "\n", "\r\n", "1.5", " x",
    ];
    let mut random = Xoshiro256Plus::seed_from_u64(3);
    for case in 0..2000 {
        let columns = random.gen_range(1..5);
        let delimiter = *[b',', b';', b'\t', b'|'][random.gen_range(0..4)..]
            .first()
            .unwrap();
        let quotes = [QuoteStyle::Necessary, QuoteStyle::Always][case % 2];
        let ends = [Terminator::Any(b'\n'), Terminator::CRLF][case / 2 % 2];
        let mut writer = WriterBuilder::new()
            .delimiter(delimiter)
            .quote_style(quotes)
            .terminator(ends)
            .from_writer(Vec::new());
        let mut table = Table::new();
        for _ in 0..random.gen_range(1..6) {
            let mut field = || {
                // Each value begins with a letter, because spaces around a value outside of quotes are no part of it.
                let mut text = String::from("v");
                for _ in 0..random.gen_range(0..6) {
                    text.push_str(letters[random.gen_range(0..letters.len())]);
                }
                text.into_bytes()
            };
            table.push((0..columns).map(|_| field()).collect());
            writer.write_record(table.last().unwrap()).unwrap();
        }
        let text = writer.into_inner().unwrap();
        assert_eq!(read(&text, delimiter), Ok(table.clone()), "case {case}");
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .from_reader(&text[..]);
        let others = reader.byte_records().map(Result::unwrap);
        let others = others.map(|record| record.iter().map(<[u8]>::to_vec).collect());
        assert_eq!(others.collect::<Table>(), table);
    }
}

/// Windows-1252 has the letters of Python's `bytes(range(0x80, 0x100)).decode("cp1252", "replace")`; bytes that Python replaces are refused.
#[test]
fn letters_of_windows_1252() {
    const LETTERS: &str = "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";
    for (byte, letter) in (0x80..=0xff_u8).zip(LETTERS.chars()) {
        let bytes = [b'a', byte];
        let found = Encoding::Windows1252.decode(&bytes);
        let expected = (letter != '\u{fffd}').then(|| format!("a{letter}"));
        assert_eq!(found.as_deref(), expected.as_deref(), "{byte:x}");
        assert_eq!(Encoding::Utf8.decode(&bytes), None);
    }
    assert_eq!(LETTERS.chars().count(), 128);
}
