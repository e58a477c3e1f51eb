//! Tables as pandas, polars, pyarrow and NumPy write them: the files that `files/make.py` made.

use super::by_last;
use ndarray::{Array1, array};
use npt::methods::streaming::{CsvBlocks, ParquetBlocks, SourceError};
use std::{fs::File, path::Path};

pub(super) fn open(name: &str) -> File {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/files");
    File::open(folder.join(name)).unwrap()
}

pub(super) fn parquet(name: &str) -> ParquetBlocks<File> {
    ParquetBlocks::new(open(name)).unwrap()
}

/// The index of a frame, which to_parquet writes as the last column, is neither target nor feature; of consecutive numbers there
/// is no column.
#[test]
fn the_index_of_a_frame_is_no_data() {
    for (name, sizes) in [
        ("sorted.parquet", [1.0, 2.0, 3.0]),
        ("named_index.parquet", [3.0, 1.0, 2.0]),
        ("range_index.parquet", [3.0, 1.0, 2.0]),
    ] {
        let sizes = Array1::from(sizes.to_vec());
        let data = by_last(Ok(parquet(name))).read().unwrap();
        assert_eq!(data.feature_names(), ["size"], "{name}");
        assert_eq!(data.target_names(), ["price"], "{name}");
        assert_eq!(data.records.column(0), sizes, "{name}");
        assert_eq!(data.targets, &sizes * 10.0, "{name}");
        let records = parquet(name).read_records().unwrap();
        assert_eq!(records.column(1), &sizes * 10.0, "{name}");
        assert_eq!(records.ncols(), 2, "{name}");
    }
    // It is a column for whoever names it.
    let index = "__index_level_0__";
    let data = parquet("sorted.parquet").target(index).unwrap().read();
    assert_eq!(data.unwrap().targets, array![1.0, 2.0, 0.0]);
    let selected = parquet("sorted.parquet").select(&["price", index]);
    let records = selected.unwrap().read_records().unwrap();
    assert_eq!(records.row(2), array![30.0, 0.0]);
}

/// The row numbers of to_csv are left out; a column without a name that is not the first is refused.
#[test]
fn columns_without_names() {
    let table = || CsvBlocks::new(open("row_numbers.csv")).unwrap();
    let data = by_last(Ok(table())).read().unwrap();
    assert_eq!(data.feature_names(), ["size"]);
    assert_eq!(data.targets, array![30.0, 10.0, 20.0]);
    assert_eq!(table().read_records().unwrap().ncols(), 2);
    let named = table().select(&["", "size"]).unwrap().target("price");
    let named = named.unwrap().read().unwrap();
    assert_eq!(named.records.column(0), array![0.0, 1.0, 2.0]);

    let table = |text: &'static str| CsvBlocks::new(text.as_bytes()).unwrap();
    // As R's write.csv writes it.
    let of_r = table("\"\",\"a\",\"b\"\n\"1\",0.5,1\n\"2\",0.7,0\n");
    assert_eq!(
        of_r.target("b").unwrap().read().unwrap().records,
        array![[0.5], [0.7]]
    );
    let unnamed = "a,,b,y\n1,2,3,4\n";
    let expected = Some(SourceError::Unnamed { column: 2 });
    let refused = table(unnamed).target("y").unwrap().read();
    assert_eq!(refused.err(), expected);
    assert_eq!(table(unnamed).read_records().err(), expected);
    let selected = table(unnamed).select(&["a", "b"]).unwrap();
    assert_eq!(selected.read_records().unwrap(), array![[1.0, 3.0]]);
    let target = table(unnamed).target("").unwrap().read().unwrap();
    assert_eq!(target.targets, array![2.0]);
}

/// No column becomes the target because of its place.
#[test]
fn a_target_is_named() {
    let columns = ["a", "b", "y"].map(String::from).to_vec();
    let expected = SourceError::NoTarget { columns };
    let mut table = CsvBlocks::new(&b"a,b,y\n1,2,3\n"[..]).unwrap();
    assert_eq!(table.next().unwrap().unwrap_err(), expected);
    assert!(table.next().is_none());
    // Nothing was read yet: it can still be named.
    let data = table.target("y").unwrap().read().unwrap();
    assert_eq!(
        (data.records, data.targets),
        (array![[1.0, 2.0]], array![3.0])
    );
    let text = expected.to_string();
    assert!(
        text.contains(".last_column_as_target") && text.ends_with("a, b, y"),
        "{text}"
    );

    let mut of_parquet = parquet("sorted.parquet");
    let columns = ["size", "price", "__index_level_0__"].map(String::from);
    let columns = columns.to_vec();
    assert_eq!(
        of_parquet.read().err(),
        Some(SourceError::NoTarget { columns })
    );
    let mut none = parquet("sorted.parquet").without_target().unwrap();
    let data = none.read().unwrap();
    assert_eq!((data.records.dim(), data.targets.len()), ((3, 2), 3));
}
