//! The encodings of the bytes of a text.

use std::borrow::Cow;

/// The encoding of a text.
///
/// # Example
/// ```
/// use npt_tables::{CsvBlocks, CsvFormat, Encoding};
///
/// let table = b"town,price\nK\xf6ln,3\n";
/// let latin = CsvFormat::new().encoding(Encoding::Windows1252);
/// let mut blocks = latin.blocks(&table[..])?.categorical(&["town"])?.target("price")?;
/// blocks.read()?;
/// assert_eq!(blocks.categories().of("town").unwrap(), ["Köln"]);
///
/// let error = CsvBlocks::new(&table[..])?.target("price")?.read().unwrap_err();
/// assert!(error.to_string().starts_with("line 2 has \"K\\xf6ln\" in column town, which is not UTF-8"));
/// # Ok::<(), npt_tables::SourceError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8, with a mark at the beginning or without.
    #[default]
    Utf8,
    /// Windows-1252: ISO 8859-1 with letters such as `€` and `Š` in place of its second set of control characters. Most files that are called
    /// Latin-1 are in this encoding. Five bytes have no meaning in it (81, 8D, 8F, 90 and 9D), and are refused.
    Windows1252,
}

/// The letters of the bytes 80 to 9F in windows-1252, in which it differs from ISO 8859-1. [U+FFFD] stands for a byte without a letter.
const LETTERS: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
    '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}',
    'ž', 'Ÿ',
];

impl Encoding {
    /// The name of the encoding.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Windows1252 => "windows-1252",
        }
    }

    /// Decodes these bytes; returns none if they are no text in this encoding.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self {
            Self::Windows1252 if !bytes.is_ascii() => {
                bytes.iter().map(|&byte| letter(byte)).collect()
            }
            _ => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        }
    }
}

/// The letter of a byte in windows-1252.
fn letter(byte: u8) -> Option<char> {
    match byte {
        0x80..=0x9f => {
            let letter = LETTERS[usize::from(byte - 0x80)];
            (letter != char::REPLACEMENT_CHARACTER).then_some(letter)
        }
        _ => Some(char::from(byte)),
    }
}
