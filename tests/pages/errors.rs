//! Every error of the code is on the page "Errors, what they mean, what to do", with its text and a remedy.

use super::{
    messages::skeleton,
    page::{cells, files, read, root},
};
use std::collections::BTreeMap;

/// A variant of an error as its source has it.
#[derive(Debug)]
struct Variant {
    name: String,
    /// The text of the error with … for its values; `None` where it is that of the error inside.
    text: Option<String>,
}

/// With `-- --nocapture` it prints them all.
#[test]
fn every_error_has_its_remedy() {
    let page = read("docs/errors.md");
    let mut missing = Vec::new();
    let mut known = 0;
    for (name, variants) in errors() {
        println!("\n{name}");
        for Variant { name, text } in &variants {
            println!(
                "    {name}: {}",
                text.as_deref().unwrap_or("the error inside")
            );
        }
        let variants = variants.into_iter().filter_map(|v| Some((v.name, v.text?)));
        let variants: BTreeMap<_, _> = variants.collect();
        let listed = section(&page, &name);
        known += variants.len();
        for (variant, text) in &variants {
            match listed.get(variant) {
                None => missing.push(format!("`{name}`: | {text} | `{variant}` | … |")),
                Some((said, _)) if said != text => {
                    missing.push(format!(
                        "`{name}`: {variant} says\n  {text}\nand the page\n  {said}"
                    ));
                }
                Some((_, remedy)) if remedy.split_whitespace().count() < 3 => {
                    missing.push(format!("`{name}`: {variant} has no remedy"));
                }
                Some(_) => {}
            }
        }
        let gone = listed
            .keys()
            .filter(|variant| !variants.contains_key(*variant));
        missing.extend(gone.map(|variant| format!("`{name}` has no variant {variant}")));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(known > 150, "{known} errors were found in the sources");
}

/// Returns the rows of the section of an error: by variant its text and its remedy.
fn section(page: &str, name: &str) -> BTreeMap<String, (String, String)> {
    let heading = format!("`{name}`");
    let lines = page
        .lines()
        .skip_while(|line| !(line.starts_with('#') && line.contains(&heading)));
    let rows = lines.skip(1).take_while(|line| !line.starts_with('#'));
    let rows = rows.filter(|line| line.starts_with("| ")).map(cells);
    let rows = rows.filter(|cells| cells.len() == 3 && cells[1].starts_with('`'));
    let found = rows.map(|cells| {
        let [text, variant, remedy] = <[String; 3]>::try_from(cells).expect("three cells");
        (variant.trim_matches('`').to_owned(), (text, remedy))
    });
    found.collect()
}

/// Returns the errors of all crates: by crate and enum, as in `npt_core::Error`, their variants.
fn errors() -> BTreeMap<String, Vec<Variant>> {
    let mut errors = BTreeMap::new();
    for folder in ["crates", "cli"] {
        for file in files(root().join(folder), ".rs") {
            let source = read(&file);
            let place = file.strip_prefix(root()).expect("within the repository");
            let mut parts = place.iter().map(|part| part.to_string_lossy());
            if !source.contains("#[error(") || parts.any(|part| part == "tests") {
                continue;
            }
            // The crate's folder is before `src`.
            let parts = place.iter().take_while(|&part| part != "src");
            let of = match parts.last().expect("sources are in `src`").to_str() {
                Some("cli") => "npt".to_owned(),
                Some("datafusion") => "npt_datafusion".to_owned(),
                other => other.unwrap_or_default().replace('-', "_"),
            };
            read_enums(&of, &source, &mut errors);
        }
    }
    errors
}

/// Reads the enums of a source whose variants have an attribute `#[error("…")]`.
fn read_enums(of: &str, source: &str, errors: &mut BTreeMap<String, Vec<Variant>>) {
    let mut current = String::new();
    let mut lines = source.lines().peekable();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line.starts_with("mod tests") {
            return;
        }
        if let Some(rest) = line.strip_prefix("pub enum ") {
            rest.split([' ', '<', '{'])
                .next()
                .unwrap_or_default()
                .clone_into(&mut current);
        }
        let Some(start) = line.strip_prefix("#[error(") else {
            continue;
        };
        let mut attribute = start.to_owned();
        while !is_closed(&attribute) {
            attribute.push('\n');
            attribute.push_str(lines.next().expect("the attribute ends").trim_start());
        }
        // Attributes and documentation may stand between.
        let name = lines
            .find(|line| !line.trim().starts_with(['#', '/']))
            .map(|line| {
                line.trim()
                    .split(['{', '(', ',', ' '])
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            });
        let name = name.filter(|name| name.starts_with(char::is_uppercase));
        if let Some(name) = name.filter(|_| !current.is_empty()) {
            let variants = errors.entry(format!("{of}::{current}")).or_default();
            let text = attribute
                .find('"')
                .and_then(|start| skeleton(&attribute[start..]));
            variants.push(Variant { name, text });
        }
    }
}

fn is_closed(attribute: &str) -> bool {
    attribute.trim_end().ends_with(")]")
}
