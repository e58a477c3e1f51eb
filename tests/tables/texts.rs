//! Tests columns of texts: categories and labels.

use super::{
    by_last,
    parquet::{blocks, column, file},
};
use ndarray::{Array1, array};
use npt::{
    Columns,
    methods::streaming::ClassMoments,
    prelude::*,
    tables::{CsvBlocks, Place, SourceError},
};
use parquet::{
    basic::Compression,
    data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type},
};
use std::fmt::Write as _;

const TEXT: &str = "job,age,town,risk\nclerk,30,Ulm,low\nnone,20, Kiel,high\nclerk,41,Kiel,low\n\"a, b\",55,Ulm,high\n";

fn table(text: &str) -> CsvBlocks<&[u8]> {
    CsvBlocks::new(text.as_bytes()).unwrap()
}

fn labels<const N: usize>(labels: [&str; N]) -> Array1<String> {
    labels.map(String::from).to_vec().into()
}

fn of_last(text: &str) -> CsvBlocks<&[u8]> {
    by_last(Ok(table(text)))
}

/// Numbers stand for categories in the order in which they appear, in blocks of any size.
#[test]
fn numbers_stand_for_categories() {
    let expected = array![
        [0.0, 30.0, 0.0],
        [1.0, 20.0, 1.0],
        [0.0, 41.0, 1.0],
        [2.0, 55.0, 0.0]
    ];
    for rows in [1, 2, 10] {
        let blocks = table(TEXT).categorical(&["town", "job"]).unwrap();
        let mut blocks = blocks.labels("risk").unwrap().rows(rows);
        for (block, expected) in blocks
            .by_ref()
            .zip(expected.axis_chunks_iter(ndarray::Axis(0), rows))
        {
            assert_eq!(block.unwrap().records, expected);
        }
        let categories = blocks.categories();
        assert_eq!(categories.columns().collect::<Vec<_>>(), ["job", "town"]);
        assert_eq!(categories.of("job").unwrap(), ["clerk", "none", "a, b"]);
        assert_eq!(categories.of("town").unwrap(), ["Ulm", "Kiel"]);
        assert_eq!(categories.of("age"), None);
    }
}

/// A kernel machine of labels and categories predicts from a table with other columns in another order.
#[test]
fn from_table_to_table() {
    let blocks = table(TEXT).categorical(&["job"]).unwrap();
    let blocks = blocks.select(&["job", "age"]).unwrap();
    let mut blocks = blocks.labels("risk").unwrap();
    let data = blocks.read().unwrap();
    assert_eq!(data.targets, labels(["low", "high", "low", "high"]));
    assert_eq!(data.target_names(), ["risk"]);
    let kernel =
        Columns::new(SimpleMatching::new(), 0..1).plus(Columns::new(Gaussian::new(1e-3), 1..2));
    let model = KernelSvc::params(kernel).fit(&data).unwrap();
    let new = "town,age,job\n?,31,clerk\n?,54,\"a, b\"\n";
    let new = table(new).with_categories(&blocks.categories()).unwrap();
    let records = new
        .select(model.feature_names())
        .unwrap()
        .read_records()
        .unwrap();
    assert_eq!(records, array![[0.0, 31.0], [2.0, 54.0]]);
    let found: Array1<String> = model.predict(&records);
    assert_eq!(found, labels(["low", "high"]));
}

#[test]
fn labels_in_blocks() {
    let mut moments = ClassMoments::<String>::new(1);
    for block in table(TEXT)
        .select(&["age"])
        .unwrap()
        .labels("risk")
        .unwrap()
        .rows(3)
    {
        moments.add(&block.unwrap()).unwrap();
    }
    assert!(moments.classes().eq(["high", "low"]));
}

#[test]
fn categories_that_are_none() {
    let known = {
        let mut blocks = table(TEXT).categorical(&["job"]).unwrap();
        blocks = blocks
            .select(&["job", "age"])
            .unwrap()
            .target("age")
            .unwrap()
            .select(&["job"])
            .unwrap();
        blocks.read().unwrap();
        blocks.categories()
    };
    let new = "job,y\nclerk,1\nkeeper,2\n,3\nnone,4\n";
    let of_known = || of_last(new).with_categories(&known).unwrap();
    assert_eq!(
        of_known().read().unwrap_err(),
        SourceError::Category {
            place: Place::Line(3),
            column: "job".into(),
            value: "keeper".into(),
            known: 3
        }
    );
    let mut skipping = of_known().skip_bad_rows();
    assert_eq!(skipping.read().unwrap().targets, array![1.0, 4.0]);
    assert_eq!(skipping.skipped(), 2);
    let missing = of_last(new).categorical(&["job"]).unwrap();
    let mut missing = missing.rows(10);
    assert_eq!(
        missing.next().unwrap().unwrap_err().to_string(),
        "line 4 has \"\" in column job, which is a missing value, not a category"
    );
    let mut imputed = of_last(new)
        .categorical(&["job"])
        .unwrap()
        .with_missing_values();
    assert!(imputed.read().unwrap().records[[2, 0]].is_nan());
    // A label is never missing.
    let mut of_labels = table("x,y\n1,a\n2,?\n")
        .with_missing_values()
        .labels("y")
        .unwrap();
    assert_eq!(
        of_labels.next().unwrap().unwrap_err().to_string(),
        "line 3 has \"?\" in column y, which is a missing value, not a category"
    );
    assert_eq!(of_labels.next().unwrap().unwrap().targets, labels(["a"]));
    let target = of_last(TEXT)
        .categorical(&["risk"])
        .unwrap()
        .next()
        .unwrap();
    let name = "risk".to_owned();
    assert_eq!(
        target.err(),
        Some(SourceError::CategoriesOfNoFeature { name })
    );
}

/// A column of names is refused as categories, and takes no more memory than categories may.
#[test]
fn too_many() {
    let mut text = String::from("id,y\n");
    for row in 0..70_000 {
        writeln!(text, "n{row},1").unwrap();
    }
    let mut blocks = of_last(&text).categorical(&["id"]).unwrap().skip_bad_rows();
    let error = SourceError::TooManyCategories {
        column: "id".into(),
        most: 65_536,
    };
    assert_eq!(blocks.read().err(), Some(error));
    assert_eq!(blocks.read().unwrap().records.nrows(), 65_536);
    assert_eq!(blocks.read().err(), Some(SourceError::NoRows));
}

#[test]
fn texts_that_are_not_utf8() {
    let text = b"town,y\nK\xf6ln,1\n";
    let mut blocks = by_last(CsvBlocks::new(&text[..]))
        .categorical(&["town"])
        .unwrap();
    assert_eq!(
        blocks.read().unwrap_err().to_string(),
        "line 2 has \"K\\xf6ln\" in column town, which is not UTF-8: say what the encoding of the table is, or write it in UTF-8"
    );
    let mut number = by_last(CsvBlocks::new(&text[..]));
    let error = SourceError::Encoding {
        place: Place::Line(2),
        column: "town".into(),
        value: "K\\xf6ln".into(),
        encoding: "UTF-8",
    };
    assert_eq!(number.read().err(), Some(error));
}

#[test]
fn texts_of_parquet() {
    let columns = "optional binary town (STRING); required int32 code; required binary risk (UTF8); required binary bytes;";
    let bytes = file(columns, Compression::SNAPPY, |writer| {
        let mut group = writer.next_row_group().unwrap();
        let texts = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| ByteArray::from(text))
                .collect::<Vec<_>>()
        };
        column::<ByteArrayType, _>(
            &mut group,
            &texts(&["Ulm", "Kiel", "Ulm"]),
            Some(&[1, 1, 0, 1]),
        );
        column::<Int32Type, _>(&mut group, &[7, 8, 7, 7], None);
        column::<ByteArrayType, _>(&mut group, &texts(&["low", "low", "high", "low"]), None);
        column::<ByteArrayType, _>(
            &mut group,
            &[&b"a"[..], b"\xff", b"a", b"b"].map(|bytes| ByteArray::from(bytes.to_vec())),
            None,
        );
        group.close().unwrap();
    });
    // Categories may be numbers.
    let read = || {
        blocks(&bytes)
            .unwrap()
            .select(&["town", "code"])
            .unwrap()
            .categorical(&["town", "code"])
            .unwrap()
    };
    let mut rows = read().with_missing_values().labels("risk").unwrap();
    let data = rows.read().unwrap();
    assert_eq!(data.targets, labels(["low", "low", "high", "low"]));
    assert!(data.records[[2, 0]].is_nan());
    assert_eq!(data.records.row(3), array![0.0, 0.0]);
    assert_eq!(rows.categories().of("code").unwrap(), ["7", "8"]);
    let mut missing = read().labels("risk").unwrap();
    assert_eq!(
        missing.read().unwrap_err().to_string(),
        "row 2 has \"null\" in column town, which is a missing value, not a category"
    );
    let found = |name: &str| {
        let mut blocks = blocks(&bytes)
            .unwrap()
            .select(&["code"])
            .unwrap()
            .labels(name)
            .unwrap();
        blocks.read().unwrap_err().to_string()
    };
    assert_eq!(
        found("bytes"),
        "column bytes has BYTE_ARRAY, which are not read as texts"
    );
    let number = blocks(&bytes)
        .unwrap()
        .select(&["code"])
        .unwrap()
        .target("risk")
        .unwrap()
        .read();
    assert!(matches!(number, Err(SourceError::NotNumbers { .. })));
}

/// Rows that are left out leave no categories, as no model has seen these.
#[test]
fn rows_that_are_left_out_leave_no_categories() {
    let text = "c,d,x,y\nred,a,oops,1\nblue,b,1,1\ngreen,,2,1\ngreen,b,3,1\n";
    let blocks = of_last(text).categorical(&["c", "d"]).unwrap();
    let mut blocks = blocks.skip_bad_rows();
    let data = blocks.read().unwrap();
    assert_eq!(data.records, array![[0.0, 0.0, 1.0], [1.0, 0.0, 3.0]]);
    let categories = blocks.categories();
    assert_eq!(categories.of("c").unwrap(), ["blue", "green"]);
    assert_eq!(categories.of("d").unwrap(), ["b"]);
}

/// Numbers become labels as one writes them, to the last digit; NaN is missing, and infinity is no label.
#[test]
fn numbers_that_are_labels() {
    let columns = "required int64 id; required float single; required double value; required boolean truth; required double x;";
    let numbers = |last: f64| {
        file(columns, Compression::UNCOMPRESSED, |writer| {
            let mut group = writer.next_row_group().unwrap();
            let large = 1 << 53;
            column::<Int64Type, _>(&mut group, &[large, large + 1], None);
            column::<FloatType, _>(&mut group, &[0.1, -0.0], None);
            column::<DoubleType, _>(&mut group, &[0.5, last], None);
            column::<BoolType, _>(&mut group, &[true, false], None);
            column::<DoubleType, _>(&mut group, &[1.0, 2.0], None);
            group.close().unwrap();
        })
    };
    let read = |last: f64, name: &str| {
        let bytes = numbers(last);
        let blocks = blocks(&bytes).unwrap().select(&["x"]).unwrap();
        Ok(blocks.labels(name).unwrap().read()?.targets)
    };
    assert_eq!(
        read(0.0, "id"),
        Ok(labels(["9007199254740992", "9007199254740993"]))
    );
    assert_eq!(read(0.0, "single"), Ok(labels(["0.1", "0"])));
    assert_eq!(read(-0.0, "value"), Ok(labels(["0.5", "0"])));
    assert_eq!(read(0.0, "truth"), Ok(labels(["true", "false"])));
    let (place, column) = (Place::Row(1), "value".to_owned());
    let value = "NaN".to_owned();
    let missing = SourceError::Missing {
        place,
        column: column.clone(),
        value,
    };
    assert_eq!(read(f64::NAN, "value"), Err(missing));
    let value = "inf".to_owned();
    let number = SourceError::Number {
        place,
        column,
        value,
    };
    assert_eq!(read(f64::INFINITY, "value"), Err(number));
}
