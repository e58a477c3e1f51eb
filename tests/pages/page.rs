//! Reads Markdown: the files, their headings and tables.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("a folder of it").to_owned()
}

/// Returns the text of a file of the repository.
pub(crate) fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the files of a folder and its folders whose names end so, without those that builds make.
pub(crate) fn files(folder: impl AsRef<Path>, end: &str) -> Vec<PathBuf> {
    let folder = folder.as_ref();
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("its entries can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && !["target", "node_modules", "site"].contains(&&*name) {
                found.extend(files(&path, end));
            }
        } else if name.ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the pages of the repository: every Markdown file.
pub(crate) fn pages() -> Vec<PathBuf> {
    files(root(), ".md")
}

/// Returns the lines of a page outside of its blocks of code.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// Returns the lines of a page within its blocks of code.
pub(crate) fn code(text: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        code && !fence
    })
}

/// Returns the cells of a row of a table, without the bars between them; a bar within a cell is written `\|`.
pub(crate) fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|').trim_end_matches('|');
    let row = row.replace("\\|", "\u{0}");
    let cells = row.split('|').map(|cell| cell.trim().replace('\u{0}', "|"));
    cells.collect()
}
