//! The metadata of a file, as JSON.

use std::fmt::Write as _;

/// Writes a text in quotes.
pub(super) fn text(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                json.push('\\');
                json.push(character);
            }
            control if control < ' ' => {
                let code = u32::from(control);
                write!(json, "\\u{code:04x}").expect("a text takes all");
            }
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

/// Writes a list of items that are JSON already.
pub(super) fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Writes a list of texts.
pub(super) fn texts<'a>(texts: impl IntoIterator<Item = &'a String>) -> String {
    list(texts.into_iter().map(|item| text(item)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_json_reserves_is_escaped() {
        let odd = ["a\"b\\c", "tab\t", "Namibia", "größe"].map(str::to_owned);
        let expected = r#"["a\"b\\c", "tab\u0009", "Namibia", "größe"]"#;
        assert_eq!(super::texts(&odd), expected);
    }
}
