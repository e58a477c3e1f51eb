//! The first page is short, each page says whom it is for, and no code is hidden on a page that a host shows as it is.

use super::page::{cells, code, files, pages, prose, read, root};

/// A newcomer reads so many words before the first command is typed, and not more.
const WORDS_OF_THE_README: usize = 900;

/// A line of prose is no wider than an editor beside another window.
const WIDTH: usize = 120;

#[test]
fn the_first_page_is_short() {
    let words = read("README.md").split_whitespace().count();
    assert!(words <= WORDS_OF_THE_README, "README.md has {words} words");
}

#[test]
fn every_page_says_whom_it_is_for() {
    for page in files(root().join("docs"), ".md") {
        if page.ends_with("README.md") {
            continue;
        }
        let text = read(&page);
        let mut lines = text.lines();
        let (title, empty, opening) = (lines.next(), lines.next(), lines.next());
        let opens = title.is_some_and(|line| line.starts_with("# "))
            && empty == Some("")
            && opening.is_some_and(|line| line.starts_with("For whoever "));
        assert!(opens, "{}: {opening:?}", page.display());
    }
}

#[test]
fn every_page_is_listed() {
    let (pages, examples) = (read("docs/README.md"), read("examples/README.md"));
    for page in files(root().join("docs"), ".md") {
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        let is_listed = name == "README.md" || pages.contains(&format!("]({name})"));
        assert!(is_listed, "docs/README.md does not list {name}");
    }
    for example in files(root().join("examples"), ".rs") {
        let name = example.file_stem().unwrap_or_default().to_string_lossy();
        let is_listed = name == "main" || examples.contains(&format!("`{name}`"));
        assert!(is_listed, "examples/README.md does not list {name}");
    }
}

#[test]
fn examples_in_rust_are_run() {
    let facade = read("src/lib.rs");
    for page in files(root().join("docs"), ".md") {
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        let is_run = facade.contains(&format!("include_str!(\"../docs/{name}\")"));
        let has_rust = read(&page).contains("```rust");
        assert_eq!(has_rust, is_run, "{name}");
    }
}

/// A hosted page shows the lines that rustdoc hides.
#[test]
fn no_line_of_code_is_hidden() {
    for page in pages() {
        let text = read(&page);
        let is_hidden = |line: &&str| {
            let rest = line.trim_start().strip_prefix("# ");
            rest.is_some_and(|rest| rest.ends_with([';', '}', '{', ')']))
        };
        let hidden = code(&text).find(is_hidden);
        assert_eq!(hidden, None, "{}", page.display());
    }
}

#[test]
fn lines_of_prose_are_narrow() {
    for page in pages() {
        // What programs wrote has the lines that they wrote.
        let text = read(&page);
        let wide = prose(&text).find(|line| {
            let is_table = line.starts_with('|') || line.starts_with("![") || cells(line).len() > 2;
            !is_table && line.chars().count() > WIDTH
        });
        assert_eq!(wide, None, "{}", page.display());
    }
}
