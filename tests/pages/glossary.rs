//! The glossary names things that are in the code.

use super::page::{cells, prose, read};

#[test]
fn what_the_glossary_names_is_public() {
    let (page, api) = (read("docs/glossary.md"), read("docs/api.txt"));
    let is_part = |c: char| !(c.is_alphanumeric() || c == '_');
    let words: Vec<_> = api.split(is_part).collect();
    let mut rows = 0;
    for row in prose(&page).filter(|line| line.starts_with('|')) {
        let cells = cells(row);
        assert_eq!(cells.len(), 4, "{row}");
        rows += 1;
        for name in cells[2].split('`').skip(1).step_by(2) {
            // Paths of files are for `links.rs`; of `a::b(c)` the first names are public.
            let is_folder = name.contains('/') || name.starts_with("npt_");
            let name = name.split(['(', ':']).next().unwrap_or_default();
            assert!(is_folder || words.contains(&name), "{name} in: {row}");
        }
    }
    assert!(rows > 50, "{rows} rows");
}

#[test]
fn words_stand_once() {
    let page = read("docs/glossary.md");
    let rows = prose(&page).filter(|line| line.starts_with("| "));
    let mut words: Vec<_> = rows.map(|row| cells(row)[0].clone()).collect();
    words.retain(|word| word != "word");
    words.sort();
    let all = words.len();
    words.dedup();
    assert_eq!(words.len(), all);
}
