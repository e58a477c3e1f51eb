//! Tests which values are missing: in a CSV those that its reader is told, in a typed format those that the format marks.

use super::{
    by_last, given,
    parquet::{blocks, column, file},
};
use ndarray::{Array1, array};
use npt::tables::{CsvBlocks, CsvFormat, Place, SourceError};
use parquet::{
    basic::Compression,
    data_type::{ByteArray, ByteArrayType, DoubleType},
};

/// The codes of countries in ISO 3166, Namibia's among them, and texts that mean missing values elsewhere.
const CODES: [&str; 6] = ["DE", "NA", "null", "?", "", " NaN "];

fn countries() -> Vec<u8> {
    let columns = "optional binary code (STRING); required double x; required double y;";
    file(columns, Compression::UNCOMPRESSED, |writer| {
        let mut group = writer.next_row_group().unwrap();
        let texts: Vec<ByteArray> = CODES.iter().map(|&code| ByteArray::from(code)).collect();
        column::<ByteArrayType, _>(&mut group, &texts, Some(&[1, 1, 1, 1, 1, 1, 0]));
        let numbers: Vec<f64> = (0..7).map(f64::from).collect();
        column::<DoubleType, _>(&mut group, &numbers, None);
        column::<DoubleType, _>(&mut group, &numbers, None);
        group.close().unwrap();
    })
}

/// Texts of Parquet are literal, as the format itself has null: only null is missing.
#[test]
fn texts_of_parquet_are_literal() {
    let bytes = countries();
    let read = || blocks(&bytes).unwrap().target("y").unwrap();
    let mut categories = read().categorical(&["code"]).unwrap().with_missing_values();
    let records = categories.read().unwrap().records;
    let codes: Vec<f64> = records.column(0).iter().copied().take(6).collect();
    assert_eq!(codes, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert!(records[[6, 0]].is_nan());
    assert_eq!(categories.categories().of("code").unwrap(), CODES);
    let labels = || read().labels("code").unwrap().select(&["x"]).unwrap();
    let found: Array1<String> = labels().skip_bad_rows().read().unwrap().targets;
    assert_eq!(found.to_vec(), CODES);
    let missing = SourceError::Missing {
        place: Place::Row(6),
        column: "code".into(),
        value: "null".into(),
    };
    assert_eq!(labels().read().err(), Some(missing));
}

/// A name that two columns have is refused where one of them is read, in whatever role, and for any source.
#[test]
fn two_columns_of_one_name() {
    let rows = || vec![vec![1.0, 2.0, 3.0]];
    let refused = |name: &str| {
        let name = name.to_owned();
        Some(SourceError::AmbiguousColumn { name, found: 2 })
    };
    let mut features = given(&["a", "a", "y"], rows()).target("y").unwrap();
    assert_eq!(features.read().err(), refused("a"));
    let mut target = by_last(given(&["y", "x", "y"], rows()).select(&["x"]));
    assert_eq!(target.read().err(), refused("y"));
    let mut records = given(&["", "x", ""], rows());
    assert_eq!(records.read_records().err(), refused(""));
    // Columns that are not read may have any names.
    let mut others = given(&["a", "x", "a"], vec![vec![2.0]]);
    others = others.select(&["x"]).unwrap();
    assert_eq!(others.read_records().unwrap(), array![[2.0]]);

    let columns = "required double a; required double b; required double a;";
    let bytes = file(columns, Compression::UNCOMPRESSED, |writer| {
        let mut group = writer.next_row_group().unwrap();
        for value in [1.0, 2.0, 3.0] {
            column::<DoubleType, _>(&mut group, &[value], None);
        }
        group.close().unwrap();
    });
    let mut twice = blocks(&bytes).unwrap().target("b").unwrap();
    assert_eq!(twice.read().err(), refused("a"));
}

/// Texts in quotes are literal in a CSV; outside of quotes five texts mean missing values.
#[test]
fn texts_in_quotes_are_literal() {
    let text = "code,x,y\nDE,1,1\n\"NA\",2,2\n\"\",3,3\n\" ?\",4,4\nNA,5,5\n ,6,6\nNull,7,7\n\"null\",8,8\n";
    let read = || {
        CsvBlocks::new(text.as_bytes())
            .unwrap()
            .target("y")
            .unwrap()
    };
    let mut blocks = read().categorical(&["code"]).unwrap().with_missing_values();
    let codes = blocks.read().unwrap().records.column(0).to_owned();
    assert_eq!(
        codes.mapv(f64::is_nan).to_vec(),
        [false, false, false, false, true, true, true, false]
    );
    assert_eq!(
        blocks.categories().of("code").unwrap(),
        ["DE", "NA", "", " ?", "null"]
    );
    let labels = read()
        .labels("code")
        .unwrap()
        .skip_bad_rows()
        .read()
        .unwrap();
    assert_eq!(labels.targets.to_vec(), ["DE", "NA", "", " ?", "null"]);
    // The quotes contain no number, and nothing is missing there.
    let mut numbers = CsvBlocks::new("x,y\n1,1\n\"NA\",2\n".as_bytes()).unwrap();
    numbers = numbers.target("y").unwrap().with_missing_values();
    let error = SourceError::Number {
        place: Place::Line(3),
        column: "x".into(),
        value: "NA".into(),
    };
    assert_eq!(numbers.read().err(), Some(error));
}

/// Other texts for missing values replace all of those that are the default.
#[test]
fn other_texts_for_missing_values() {
    let text = "code,x,y\nNA,-999,1\n-,?,2\n\"-\",,3\nUS,n/a,4\n";
    let read = |format: CsvFormat| {
        let blocks = format.blocks(text.as_bytes()).unwrap().target("y").unwrap();
        blocks.categorical(&["code"]).unwrap().with_missing_values()
    };
    let format = || CsvFormat::new().missing(&["-", "-999", "?", "", "N/A"]);
    let mut blocks = read(format());
    let missing = blocks.read().unwrap().records.mapv(f64::is_nan);
    assert_eq!(
        missing,
        array![[false, true], [true, true], [false, true], [false, true]]
    );
    assert_eq!(blocks.categories().of("code").unwrap(), ["NA", "-", "US"]);
    let mut blocks = read(format().missing_in_quotes());
    assert!(blocks.read().unwrap().records[[2, 0]].is_nan());
    assert_eq!(blocks.categories().of("code").unwrap(), ["NA", "US"]);
    let wrong = |line, value: &str| {
        let (place, column) = (Place::Line(line), "x".into());
        let value = value.into();
        Some(SourceError::Number {
            place,
            column,
            value,
        })
    };
    assert_eq!(
        read(CsvFormat::new().missing(&["-999"])).read().err(),
        wrong(3, "?")
    );
    assert_eq!(
        read(CsvFormat::new().missing(&["-999", "?"])).read().err(),
        wrong(4, "")
    );
    assert_eq!(
        read(CsvFormat::new().missing(&[] as &[&str]))
            .read()
            .unwrap_err(),
        wrong(3, "?").unwrap()
    );
}
