//! Tests tables that fit in memory and are read at once: with targets, without, and with missing values.

use super::{
    by_last,
    parquet::{blocks, file, optional_column},
};
use ndarray::{array, s};
use npt::tables::{CsvBlocks, Place, SourceError};
use parquet::basic::Compression;
use std::fmt::Write;

const TEXT: &str = "a,b,class\n1,2,0\n3,,1\n5,NA,0\n?,8,1\n";

fn number(line: u64, column: &str, value: &str) -> SourceError {
    SourceError::Number {
        place: Place::Line(line),
        column: column.to_owned(),
        value: value.to_owned(),
    }
}

#[test]
fn all_rows() {
    let mut text = String::from("x,y\n");
    for row in 0..25_000 {
        writeln!(text, "{row},{}", row % 7).unwrap();
    }
    let data = by_last(CsvBlocks::new(text.as_bytes())).read().unwrap();
    assert_eq!(data.records.dim(), (25_000, 1));
    assert_eq!(
        (data.records[[24_999, 0]], data.targets[24_999]),
        (24_999.0, 2.0)
    );
    let records = CsvBlocks::new(text.as_bytes())
        .unwrap()
        .read_records()
        .unwrap();
    assert_eq!(
        records.slice(s![10.., ..1]),
        data.records.slice(s![10.., ..])
    );
    assert_eq!(records.column(1), data.targets);
    let mut named = CsvBlocks::new(text.as_bytes())
        .unwrap()
        .target("x")
        .unwrap();
    assert_eq!(named.read_records().unwrap().column(0), data.targets);
    let mut begun = by_last(CsvBlocks::new(text.as_bytes()));
    begun.next();
    assert_eq!(begun.read_records().err(), Some(SourceError::Begun));
    let mut one = CsvBlocks::new(text.as_bytes())
        .unwrap()
        .select(&["y"])
        .unwrap();
    assert_eq!(one.read_records().unwrap().column(0), data.targets);
}

#[test]
fn no_rows() {
    let empty = || by_last(CsvBlocks::new("x,y\n".as_bytes()));
    assert_eq!(empty().read().err(), Some(SourceError::NoRows));
    assert_eq!(empty().read_records().err(), Some(SourceError::NoRows));
    assert_eq!(SourceError::NoRows.to_string(), "the table has no rows");
    let mut some = by_last(CsvBlocks::new("x,y\n1,one\n2,3\n".as_bytes())).skip_bad_rows();
    assert_eq!(some.read().unwrap().records, array![[2.0]]);
    assert_eq!(some.skipped(), 1);
    let mut skipped = by_last(CsvBlocks::new("x,y\n1,one\n".as_bytes())).skip_bad_rows();
    assert_eq!(skipped.read().err(), Some(SourceError::NoRows));
}

/// Missing values are refused with line and column unless they are asked for; in a target they are always refused.
#[test]
fn missing_values() {
    let read = |text: &'static str| CsvBlocks::new(text.as_bytes()).unwrap();
    assert_eq!(
        by_last(Ok(read(TEXT))).read().err(),
        Some(number(3, "b", ""))
    );
    let data = by_last(Ok(read(TEXT)))
        .with_missing_values()
        .read()
        .unwrap();
    let missing = data.records.mapv(f64::is_nan);
    assert_eq!(
        missing,
        array![[false, false], [false, true], [false, true], [true, false]]
    );
    assert_eq!(data.targets, array![0.0, 1.0, 0.0, 1.0]);
    let records = read(TEXT).with_missing_values().read_records().unwrap();
    assert_eq!(records.mapv(f64::is_nan).slice(s![.., ..2]), missing);

    let of_target = || read("a,class\n1,0\n2,null\n").with_missing_values();
    assert_eq!(
        by_last(Ok(of_target())).read().err(),
        Some(number(3, "class", "null"))
    );
    assert!(of_target().read_records().unwrap()[[1, 1]].is_nan());
    for wrong in ["inf", "1e999", "two"] {
        let text = format!("a,class\n1,0\n{wrong},1\n");
        let mut blocks = by_last(CsvBlocks::new(text.as_bytes())).with_missing_values();
        assert_eq!(blocks.read().err(), Some(number(3, "a", wrong)));
    }
}

#[test]
fn without_names() {
    let blocks = || CsvBlocks::without_names("1,2,3\n\n4,5,6\n".as_bytes()).unwrap();
    let data = by_last(Ok(blocks())).read().unwrap();
    assert_eq!(data.records, array![[1.0, 2.0], [4.0, 5.0]]);
    assert_eq!(data.targets, array![3.0, 6.0]);
    let data = blocks().target("0").unwrap().read().unwrap();
    assert_eq!(data.targets, array![1.0, 4.0]);
    let mut wrong = by_last(CsvBlocks::without_names("1,2\n3\n".as_bytes()));
    let (place, expected, found) = (Place::Line(2), 2, 1);
    let width = SourceError::Width {
        place,
        expected,
        found,
    };
    assert_eq!(wrong.read().err(), Some(width));
    let mut wrong = by_last(CsvBlocks::without_names("1,x\n".as_bytes()));
    assert_eq!(wrong.read().err(), Some(number(1, "1", "x")));
}

#[test]
fn nulls_of_parquet() {
    let bytes = file(
        "optional double x; optional double y;",
        Compression::SNAPPY,
        |writer| {
            let mut group = writer.next_row_group().unwrap();
            optional_column(&mut group, &[Some(1.0), None, Some(3.0)]);
            optional_column(&mut group, &[Some(4.0), Some(5.0), Some(6.0)]);
            group.close().unwrap();
        },
    );
    let null = SourceError::Number {
        place: Place::Row(1),
        column: "x".to_owned(),
        value: "null".to_owned(),
    };
    assert_eq!(by_last(blocks(&bytes)).read().err(), Some(null));
    let data = by_last(blocks(&bytes))
        .with_missing_values()
        .read()
        .unwrap();
    assert!(data.records[[1, 0]].is_nan());
    assert_eq!(data.targets, array![4.0, 5.0, 6.0]);
    let cut = &bytes[..bytes.len() / 2];
    let refused = blocks(cut).map(|_| ()).unwrap_err();
    assert!(
        matches!(refused, SourceError::Unreadable { .. }),
        "{refused}"
    );
}
