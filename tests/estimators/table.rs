//! Reads the table of estimators in `docs/estimators.md`.
//!
//! A line is `| estimators | crates | ways | verdict | note |`; the first three cells may hold several,
//! separated by commas.

use super::{Row, Verdict};

/// One estimator of the table, in one of its ways.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) crates: &'static str,
    pub(crate) way: &'static str,
    pub(crate) verdict: Verdict,
}

impl Entry {
    pub(crate) fn is(&self, row: &Row) -> bool {
        (self.name, self.way) == (row.name, row.way)
            && self.crates.split(", ").any(|from| from == row.from)
    }
}

/// The rows of the table, without its two lines of heading.
pub(crate) fn read() -> Vec<Entry> {
    let page = include_str!("../../docs/estimators.md");
    let lines = page.lines().filter(|line| line.starts_with('|'));
    lines.skip(2).flat_map(entries).collect()
}

fn entries(line: &'static str) -> Vec<Entry> {
    let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [names, crates, ways, verdict, _note] = cells[..] else {
        panic!("five cells in {line}");
    };
    let verdict = match verdict {
        "exact" => Verdict::Exact,
        "axes" => Verdict::Axes,
        "no" => Verdict::No,
        other => panic!("{other} in {line}"),
    };
    let mut entries = Vec::new();
    for name in names.split(", ") {
        for way in ways.split(", ") {
            entries.push(Entry {
                name,
                crates,
                way,
                verdict,
            });
        }
    }
    entries
}
