//! Tests every estimator of linfa 0.8.1 through the adapter, and the table of them in `docs/estimators.md`.
//!
//! Each family of estimators is a file with a list of [`Row`]s. A row names the estimator and the way
//! in which the adapter serves it, and has a check. The check fits the kernel version, asks for a stated score on new
//! samples, compares it with the linear version where the kernel is linear, and compares two
//! bases of the same space, [`Axes::Principal`](npt::Axes) and
//! [`Axes::Cholesky`](npt::Axes). The result of the last comparison is the row's verdict, and the table
//! must have the same verdict.

mod bayes;
mod classification;
mod clustering;
mod components;
mod density;
mod elsewhere;
mod ensembles;
mod errors;
mod incremental;
mod partial_least_squares;
mod preprocessing;
mod projections;
mod regression;
mod regularised;
mod support_vectors;
mod table;
mod tasks;
mod verdict;
mod without_fit;

use table::Entry;
use verdict::Verdict;

/// An estimator in one of its ways.
struct Row {
    name: &'static str,
    from: &'static str,
    way: &'static str,
    check: fn() -> Verdict,
}

/// Lists the families, and makes one test for each.
macro_rules! families {
    ($($family:ident),*) => {
        const FAMILIES: &[&[Row]] = &[$($family::ROWS),*];

        mod rows_of {
            $(#[test]
            fn $family() {
                super::check(super::$family::ROWS);
            })*
        }
    };
}

families!(
    regression,
    regularised,
    classification,
    support_vectors,
    bayes,
    ensembles,
    clustering,
    density,
    without_fit,
    components,
    projections,
    partial_least_squares,
    preprocessing,
    incremental
);

fn check(rows: &[Row]) {
    let table = table::read();
    for row in rows {
        let found = (row.check)();
        let stated = entry(&table, row).verdict;
        assert_eq!(
            stated, found,
            "{}: the table's verdict, the one found",
            row.name
        );
    }
}

fn entry<'a>(table: &'a [Entry], row: &Row) -> &'a Entry {
    let entry = table.iter().find(|entry| entry.is(row));
    entry.unwrap_or_else(|| panic!("the table lacks {} ({}, {})", row.name, row.from, row.way))
}

#[test]
fn the_table_and_the_tests_have_the_same_estimators() {
    let rows = || FAMILIES.iter().copied().flatten();
    let table = table::read();
    for row in rows() {
        entry(&table, row);
    }
    for entry in &table {
        let tests = rows().filter(|row| entry.is(row)).count();
        assert_eq!(tests, 1, "tests of {}, {}", entry.name, entry.way);
    }
}
