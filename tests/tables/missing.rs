//! What stands for a missing value: in a CSV what its reader is told, in a typed format what the format says.

use super::{
    by_last, given,
    parquet::{blocks, column, file},
};
use ndarray::{Array1, array};
use npt::methods::streaming::{Place, SourceError};
use parquet::{
    basic::Compression,
    data_type::{ByteArray, ByteArrayType, DoubleType},
};

/// The codes of countries as ISO 3166 has them, Namibia's among them, and texts that stand for missing values elsewhere.
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

/// Parquet says itself what is null: every text is the text that it is, and the null alone is missing.
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
    // Columns that are not read may be named as they like.
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
