//! Every link within the repository leads to a file that is there, and to a heading of it.

use super::page::{pages, prose, read};
use std::path::Path;

#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        let text = read(&page);
        let folder = page.parent().expect("a page is in a folder");
        for link in prose(&text).flat_map(links) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            if !is_there(&page, folder, link) {
                dead.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

/// Returns the targets of the links and pictures of a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
}

fn is_there(page: &Path, folder: &Path, link: &str) -> bool {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_owned(),
        file => folder.join(file),
    };
    if heading.is_empty() || target.is_dir() {
        return target.exists();
    }
    target.exists() && anchors(&read(target)).any(|anchor| anchor == heading)
}

/// Returns the names by which GitHub links to the headings of a page.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings.map(|heading| {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        });
        kept.collect()
    })
}
