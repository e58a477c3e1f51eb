//! A reader of JSON that understands as much as the metadata need.

use std::{iter::Peekable, str::Chars};

/// The largest depth of lists in lists.
const DEEPEST: usize = 64;

/// A value of JSON. Numbers, truth values and null are passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Json {
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
    Other,
}

impl Json {
    /// Reads a text that is one value and nothing else; returns none for any other.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader(text.chars().peekable());
        let value = reader.value(DEEPEST)?;
        reader.pass_spaces();
        reader.0.next().is_none().then_some(value)
    }

    /// The value of a field of an object.
    pub(super) fn get(&self, field: &str) -> Option<&Self> {
        let Self::Object(fields) = self else {
            return None;
        };
        let named = fields.iter().find(|(name, _)| name == field);
        named.map(|(_, value)| value)
    }
}

struct Reader<'t>(Peekable<Chars<'t>>);

impl Reader<'_> {
    fn pass_spaces(&mut self) {
        while self.0.next_if(|c| " \t\r\n".contains(*c)).is_some() {}
    }

    /// Passes over a letter and the spaces before it; returns false if another letter is there.
    fn pass(&mut self, letter: char) -> bool {
        self.pass_spaces();
        self.0.next_if_eq(&letter).is_some()
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        let depth = depth.checked_sub(1)?;
        self.pass_spaces();
        match self.0.peek()? {
            '"' => self.text().map(Json::Text),
            '[' => self.all(']', |reader| reader.value(depth)).map(Json::List),
            '{' => {
                let field = |reader: &mut Self| {
                    reader.pass_spaces();
                    let name = reader.text()?;
                    let is_followed = reader.pass(':');
                    is_followed.then(|| reader.value(depth))?.map(|v| (name, v))
                };
                self.all('}', field).map(Json::Object)
            }
            _ => {
                let mut letters = 0;
                let is_other = |c: &char| c.is_ascii_alphanumeric() || "+-.".contains(*c);
                while self.0.next_if(is_other).is_some() {
                    letters += 1;
                }
                (letters > 0).then_some(Json::Other)
            }
        }
    }

    /// Reads the values between brackets, separated by commas.
    fn all<T>(&mut self, end: char, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.0.next();
        let mut all = Vec::new();
        if self.pass(end) {
            return Some(all);
        }
        loop {
            all.push(read(self)?);
            if self.pass(end) {
                return Some(all);
            } else if !self.pass(',') {
                return None;
            }
        }
    }

    fn text(&mut self) -> Option<String> {
        self.0.next_if_eq(&'"')?;
        // The text is collected in units of 16 bits, because two units may be one letter.
        let mut units = Vec::new();
        loop {
            let letter = match self.0.next()? {
                '"' => return String::from_utf16(&units).ok(),
                '\\' => match self.0.next()? {
                    'u' => {
                        let digits: Option<String> = (0..4).map(|_| self.0.next()).collect();
                        units.push(u16::from_str_radix(&digits?, 16).ok()?);
                        continue;
                    }
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    other => other,
                },
                other => other,
            };
            units.extend_from_slice(letter.encode_utf16(&mut [0; 2]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn values() {
        let text = r#" {"index_columns": ["a\"\u00e9\ud83d\ude00\n", {"kind": "range", "stop": -1.5e3}], "x": null, "e": [], "o": {}} "#;
        let frame = Json::parse(text).unwrap();
        let Some(Json::List(indices)) = frame.get("index_columns") else {
            panic!("{frame:?}");
        };
        assert_eq!(indices[0], Json::Text("a\"é😀\n".to_owned()));
        assert_eq!(indices[1].get("stop"), Some(&Json::Other));
        assert_eq!(frame.get("e"), Some(&Json::List(Vec::new())));
        assert_eq!((frame.get("y"), indices[0].get("x")), (None, None));
    }

    /// A text that is cut anywhere, or nested too deeply, has no value.
    #[test]
    fn other_texts() {
        let whole = r#"{"a": ["b", 1], "c": {"d": "\u00e9"}}"#;
        for length in 0..whole.len() {
            assert_eq!(Json::parse(&whole[..length]), None, "{length}");
        }
        for wrong in [
            "[1,]",
            "{\"a\" 1}",
            "[1 2]",
            "\"\\ud83d\"",
            "{} {}",
            "{a: 1}",
        ] {
            assert_eq!(Json::parse(wrong), None, "{wrong}");
        }
        let deep = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Json::parse(&deep(60)).is_some());
        assert_eq!(Json::parse(&deep(100_000)), None);
    }
}
