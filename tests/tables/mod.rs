//! Tests tables that are read block by block: each format, and errors in files.

mod bad_csv;
mod csv;
mod csv_formats;
mod csv_quotes;
mod missing;
mod names;
mod npy;
mod parquet;
mod roles;
mod texts;
mod whole;
mod written;

use linfa::Dataset;
use ndarray::{Array1, Array2, Axis, Ix1, concatenate};
use npt::tables::{Blocks, Column, Place, Row, Source, SourceError};

/// The records and targets of blocks, one behind the other.
fn all(blocks: &[Dataset<f64, f64, Ix1>]) -> (Array2<f64>, Array1<f64>) {
    let records: Vec<_> = blocks.iter().map(|block| block.records.view()).collect();
    let targets: Vec<_> = blocks.iter().map(|block| block.targets.view()).collect();
    let targets = concatenate(Axis(0), &targets).unwrap();
    (concatenate(Axis(0), &records).unwrap(), targets)
}

/// The records and targets of a table, or the first error.
fn read<S: Source>(blocks: Blocks<S>) -> Result<(Array2<f64>, Array1<f64>), SourceError> {
    let blocks: Vec<_> = blocks.collect::<Result<_, _>>()?;
    Ok(all(&blocks))
}

/// The blocks with the last column as the target.
fn by_last<S: Source>(blocks: Result<Blocks<S>, SourceError>) -> Blocks<S> {
    blocks.and_then(Blocks::last_column_as_target).unwrap()
}

/// The error of a value that is no number.
fn no_number(row: u64, column: &str, value: &str) -> SourceError {
    SourceError::Number {
        place: Place::Row(row),
        column: column.to_owned(),
        value: value.to_owned(),
    }
}

/// A source with given rows of numbers, which it does not check.
struct Given(Vec<String>, Vec<Vec<f64>>);

impl Source for Given {
    fn columns(&self) -> &[String] {
        &self.0
    }

    fn read_row(&mut self, _: &[Column], row: &mut Row<'_>) -> Result<bool, SourceError> {
        let values = self.1.pop();
        for &value in values.iter().flatten() {
            row.number(value);
        }
        Ok(values.is_some())
    }
}

fn given(names: &[&str], rows: Vec<Vec<f64>>) -> Blocks<Given> {
    let names = names.iter().map(|&name| name.to_owned()).collect();
    Blocks::of(Given(names, rows)).unwrap()
}

/// The target is no feature, and the order of choosing target and features does not matter.
#[test]
fn the_target_is_no_feature() {
    let names = ["x", "y", "z"];
    let rows = || vec![vec![1.0, 2.0]];
    let fine = [
        given(&names, rows())
            .select(&["z"])
            .and_then(|blocks| blocks.target("x")),
        given(&names, rows())
            .target("x")
            .and_then(|blocks| blocks.select(&["z"])),
    ];
    for blocks in fine {
        assert_eq!(read(blocks.unwrap()).unwrap().1.len(), 1);
    }
    let wrong = [
        given(&names, rows())
            .select(&["y", "z"])
            .and_then(Blocks::last_column_as_target),
        given(&names, rows())
            .target("z")
            .and_then(|blocks| blocks.select(&["z"])),
    ];
    for blocks in wrong {
        let mut blocks = blocks.unwrap();
        let name = "z".to_owned();
        let (first, second) = ("feature", "target");
        let expected = SourceError::TwoRoles {
            name,
            first,
            second,
        };
        assert_eq!(blocks.next().unwrap().err(), Some(expected));
        assert!(blocks.next().is_none());
    }
}

#[test]
fn names_that_are_not_of_one_column() {
    let twice = given(&["x", "x", "y"], Vec::new()).select(&["x"]);
    let (name, found) = ("x".to_owned(), 2);
    assert_eq!(
        twice.err(),
        Some(SourceError::AmbiguousColumn { name, found })
    );
    let nothing = given(&["x", "y"], Vec::new()).select(&[] as &[&str]);
    assert_eq!(nothing.err(), Some(SourceError::NothingSelected));
}

/// A user's own source that gives too few values, too many, or a value that is no number, is an error.
#[test]
fn a_source_that_is_wrong() {
    let rows = vec![
        vec![1.0, f64::NAN],
        vec![1.0, 2.0],
        vec![1.0, 2.0, 3.0],
        vec![1.0],
        vec![],
    ];
    let mut blocks = by_last(Ok(given(&["x", "y"], rows.clone())));
    let width = |row, found| SourceError::Width {
        place: Place::Row(row),
        expected: 2,
        found,
    };
    let expected = [
        width(0, 0),
        width(1, 1),
        width(2, 3),
        no_number(4, "y", "NaN"),
    ];
    for expected in expected {
        assert_eq!(blocks.next().unwrap().unwrap_err(), expected);
    }
    assert_eq!(blocks.next().unwrap().unwrap().records.nrows(), 1);
    let mut skipping = by_last(Ok(given(&["x", "y"], rows))).skip_bad_rows();
    assert_eq!(skipping.next().unwrap().unwrap().records.nrows(), 1);
    assert_eq!(skipping.skipped(), 4);
}
