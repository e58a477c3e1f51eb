//! Every message that stands where it is made, and not in the type of an error, is on the page "Errors, what they mean,
//! what to do": those of the program, of the Python package, and of models that do not fit together. With `-- --nocapture`
//! the tests print them all.

use super::page::{cells, files, read, root};
use std::{collections::BTreeSet, fs, path::Path};

/// A message by its kind: a variant of an error, an exception, or the crate that has the reason.
type Messages = BTreeSet<(String, String)>;

#[test]
fn every_message_of_the_program_has_its_remedy() {
    const KINDS: [&str; 5] = ["Usage", "Data", "Query", "Cluster", "Memory"];
    let mut found = Messages::new();
    for source in sources("cli/src", ".rs") {
        for kind in KINDS {
            let made = format!("Error::{kind}(");
            let texts = texts_after(&source, &made);
            found.extend(texts.map(|text| (kind.to_owned(), text)));
        }
    }
    assert!(found.len() > 80, "{} messages were found", found.len());
    compare(&found, "### `npt::Error`, message by message");
}

#[test]
fn every_message_of_the_python_package_has_its_remedy() {
    let mut found = Messages::new();
    for source in sources("python/npt", ".py") {
        for raised in source.split("raise ").skip(1) {
            let Some((exception, argument)) = raised.split_once('(') else {
                continue;
            };
            let exception = exception.rsplit('.').next().unwrap_or(exception);
            let text = joined_literals(argument);
            // Exceptions that the package itself catches have names that end in another word.
            if exception.ends_with("Error") && exception.chars().all(char::is_alphanumeric) {
                found.extend(text.map(|text| (exception.to_owned(), text)));
            }
        }
    }
    for source in sources("python/src", ".rs") {
        for (end, made) in source.match_indices("Error::new_err(") {
            let start = source[..end].rfind("Py").expect("an exception of PyO3");
            let exception = format!("{}Error", &source[start + "Py".len()..end]);
            let text = text_of(&source[end + made.len()..]);
            found.extend(text.map(|text| (exception, text)));
        }
    }
    assert!(found.len() > 70, "{} messages were found", found.len());
    compare(&found, "## Python");
}

/// The reasons are texts within errors: `Refused` for parts of a file that do not fit, and `NoneFits` for a score.
#[test]
fn every_reason_within_an_error_is_explained() {
    let mut found = Messages::new();
    for of in fs::read_dir(root().join("crates")).expect("the folder can be read") {
        let of = of.expect("its entries can be read").path();
        let name = of.file_name().unwrap_or_default().to_string_lossy();
        if name == "npt-testkit" {
            continue;
        }
        for source in sources(of.join("src"), ".rs") {
            for made in ["Err(", "Err(other(", "Error::custom(", ".ok_or("] {
                let texts = texts_after(&source, made);
                found.extend(texts.map(|text| (name.clone().into_owned(), text)));
            }
        }
    }
    assert!(found.len() > 40, "{} reasons were found", found.len());
    compare(&found, "### Reasons within an error");
}

/// Returns the texts of the sources of a folder, those of tests left out.
fn sources(folder: impl AsRef<Path>, end: &str) -> impl Iterator<Item = String> {
    let of_tests = |path: &str| path.contains("/tests/") || path.ends_with("/tests.rs");
    let sources = files(root().join(folder), end).into_iter();
    let sources = sources.filter(move |file| !of_tests(&file.to_string_lossy()));
    sources.map(|file| {
        let source = read(file);
        let code = source.split("\nmod tests").next().unwrap_or_default();
        let code = code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        code.collect::<Vec<_>>().join("\n")
    })
}

/// Holds the messages against the rows of the page's section: text, kind, remedy.
fn compare(found: &Messages, heading: &str) {
    let page = read("docs/errors.md");
    let (_, section) = page
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("the page has no section {heading}"));
    let rows = section.lines().take_while(|line| !line.starts_with('#'));
    let rows = rows.filter(|line| line.starts_with("| ")).map(cells);
    let mut listed = Messages::new();
    for row in rows.filter(|row| row[1].starts_with('`')) {
        let [text, kind, remedy] = <[String; 3]>::try_from(row).expect("three cells");
        assert!(remedy.split_whitespace().count() >= 3, "{text}: {remedy}");
        listed.insert((kind.trim_matches('`').to_owned(), text));
    }
    for (kind, text) in found {
        println!("{kind}: {text}");
    }
    let missing: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(found).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "{heading}\nmissing: {missing:#?}, gone: {gone:#?}"
    );
}

/// Returns the texts of Rust that stand behind `made`, by themselves or in a `format!`.
fn texts_after<'a>(source: &'a str, made: &'a str) -> impl Iterator<Item = String> + 'a {
    source.split(made).skip(1).filter_map(text_of)
}

/// Returns the text with which a source of Rust begins, by itself or in a `format!`.
fn text_of(source: &str) -> Option<String> {
    let source = source.trim_start();
    let source = source.strip_prefix("format!(").unwrap_or(source);
    // A text that is made of others alone says nothing itself.
    skeleton(source.trim_start()).filter(|text| text.chars().any(char::is_alphabetic))
}

/// Returns the text of the literal `"…"` with which a source begins, with … for what is put in.
pub(crate) fn skeleton(source: &str) -> Option<String> {
    literal(source.strip_prefix('"')?, '"', true).map(|(text, _)| text)
}

/// Returns the text of the literals of Python with which a source begins, one after the other.
fn joined_literals(source: &str) -> Option<String> {
    let mut joined = None;
    let mut rest = source.trim_start();
    loop {
        let formatted = rest.starts_with('f');
        let start = rest.strip_prefix('f').unwrap_or(rest);
        let Some(quote) = start.chars().next().filter(|c| ['"', '\''].contains(c)) else {
            return joined;
        };
        let (text, behind) = literal(&start[1..], quote, formatted)?;
        joined.get_or_insert_with(String::new).push_str(&text);
        rest = behind.trim_start();
    }
}

/// Reads a literal to its closing quote; returns its text, with … for what is put in, and what stands behind it.
fn literal(source: &str, quote: char, formatted: bool) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut characters = source.chars();
    while let Some(c) = characters.next() {
        match c {
            c if c == quote => return Some((text, characters.as_str())),
            '\\' => match characters.next()? {
                // The text goes on behind the indentation of the next line.
                '\n' => characters = characters.as_str().trim_start().chars(),
                other => text.push(other),
            },
            '{' if formatted => {
                characters.find(|&c| c == '}');
                text.push('…');
            }
            other => text.push(other),
        }
    }
    None
}
