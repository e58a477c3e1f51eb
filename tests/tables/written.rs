//! Tests tables as pandas, polars, pyarrow and NumPy write them: the files that `files/make.py` made.

use super::by_last;
use ndarray::{Array1, array};
use npt::tables::{CsvBlocks, NpyBlocks, ParquetBlocks, Place, SourceError};
use std::{fs::File, path::Path};

pub(super) fn open(name: &str) -> File {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/files");
    File::open(folder.join(name)).unwrap()
}

pub(super) fn parquet(name: &str) -> ParquetBlocks<File> {
    ParquetBlocks::new(open(name)).unwrap()
}

/// The index of a frame, which to_parquet writes as the last column, is neither target nor feature; an index of consecutive numbers is
/// not written as a column.
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
    // The index is a column if its name is asked for.
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
    // R's write.csv writes such a table.
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
    let mut selected = table(unnamed).select(&["a", "b"]).unwrap();
    assert_eq!(selected.read_records().unwrap(), array![[1.0, 3.0]]);
    let target = table(unnamed).target("").unwrap().read().unwrap();
    assert_eq!(target.targets, array![2.0]);
}

/// A target has to be named: no column becomes the target because of its place.
#[test]
fn a_target_is_named() {
    let columns = ["a", "b", "y"].map(String::from).to_vec();
    let expected = SourceError::NoTarget { columns };
    let mut table = CsvBlocks::new(&b"a,b,y\n1,2,3\n"[..]).unwrap();
    assert_eq!(table.next().unwrap().unwrap_err(), expected);
    assert!(table.next().is_none());
    // Nothing was read yet, so the target can still be named.
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

const LARGE: [&str; 4] = [
    "1582218195625938945",
    "1582218195625938944",
    "9007199254740993",
    "9007199254740992",
];

fn whole_number(place: Place, column: &str, value: &str) -> SourceError {
    let (column, value) = (column.to_owned(), value.to_owned());
    SourceError::WholeNumber {
        place,
        column,
        value,
    }
}

/// Labels and categories keep every digit, from every format; the expected numbers are those that NumPy was given.
#[test]
fn large_whole_numbers_are_labels() {
    let text = format!("x,id\n1,{}\n", LARGE.join("\n2,"));
    let csv = || CsvBlocks::new(text.as_bytes()).unwrap();
    let expected = Array1::from(LARGE.map(String::from).to_vec());
    let found = csv().labels("id").unwrap().read().unwrap().targets;
    assert_eq!(found, expected);
    for kind in ["int64", "uint64"] {
        let file = format!("large_{kind}.parquet");
        let found = parquet(&file).labels("id").unwrap().read().unwrap();
        assert_eq!(found.targets, expected);
        let blocks = NpyBlocks::new([open("four.npy"), open(&format!("large_{kind}.npy"))]);
        let found = blocks.unwrap().labels("1").unwrap().read().unwrap();
        assert_eq!(found.targets, expected);
        let mut blocks = parquet(&file).categorical(&["id"]).unwrap();
        let codes = blocks.read_records().unwrap();
        assert_eq!(codes.column(1), array![0.0, 1.0, 2.0, 3.0]);
        assert_eq!(blocks.categories().of("id").unwrap(), LARGE);
    }
}

/// Large whole numbers that f64 does not have are refused as features and targets, with row, column and value; the others are read.
#[test]
fn large_whole_numbers_are_no_features() {
    let text = format!("x,id\n1,{}\n", LARGE.join("\n2,"));
    for skips in [false, true] {
        let csv = CsvBlocks::new(text.as_bytes()).unwrap();
        let csv = csv.target("id").unwrap();
        if skips {
            let mut csv = csv.skip_bad_rows();
            let found = csv.read().unwrap().targets;
            // 1582218195625938944 = 2⁷ · 12361079653327648, and 2⁵³.
            assert_eq!(found, array![1_582_218_195_625_938_944.0, 2.0_f64.powi(53)]);
            assert_eq!(csv.skipped(), 2);
        } else {
            let errors: Vec<_> = csv.filter_map(Result::err).collect();
            let expected = [
                whole_number(Place::Line(2), "id", LARGE[0]),
                whole_number(Place::Line(4), "id", LARGE[2]),
            ];
            assert_eq!(errors, expected);
            assert!(
                errors[0].to_string().contains("categorical"),
                "{}",
                errors[0]
            );
        }
    }
    for kind in ["int64", "uint64"] {
        let errors: Vec<_> = by_last(Ok(parquet(&format!("large_{kind}.parquet"))))
            .filter_map(Result::err)
            .collect();
        let expected = |column| {
            [
                whole_number(Place::Row(0), column, LARGE[0]),
                whole_number(Place::Row(2), column, LARGE[2]),
            ]
        };
        assert_eq!(errors, expected("id"));
        let mut npy = NpyBlocks::new([open(&format!("large_{kind}.npy"))]).unwrap();
        let first = npy.read_records().err();
        assert_eq!(first.as_ref(), Some(&expected("0")[0]));
    }
    // A weight is no identifier: it is rounded to f32 as all weights are.
    let weighted = CsvBlocks::new(&b"x,w,y\n1,9007199254740993,2\n"[..]).unwrap();
    let data = weighted
        .weights("w")
        .and_then(|b| b.target("y"))
        .unwrap()
        .read();
    assert_eq!(data.unwrap().weights().unwrap(), [2.0_f32.powi(53)]);
}

/// Arrays column by column are read: to_numpy of a frame gives them in Fortran's order.
#[test]
fn arrays_column_by_column() {
    // `make.py` fills the array row by row with 0, ¼, ½ …
    let expected = ndarray::Array2::from_shape_fn((5, 3), |(i, j)| (3 * i + j) as f64 / 4.0);
    for rows in [1, 2, 10] {
        let blocks = by_last(NpyBlocks::new([open("fortran.npy")])).rows(rows);
        let (x, y) = super::read(blocks).unwrap();
        assert_eq!(x, expected.slice(ndarray::s![.., ..2]));
        assert_eq!(y, expected.column(2));
    }
    let mut beside =
        NpyBlocks::new([open("fortran_int16.npy"), open("fortran_int16.npy")]).unwrap();
    let found = beside.read_records().unwrap();
    let expected = array![
        [0.0, 1.0, 2.0, 0.0, 1.0, 2.0],
        [3.0, 4.0, 5.0, 3.0, 4.0, 5.0]
    ];
    assert_eq!(found, expected);
    let mut whole = Vec::new();
    std::io::Read::read_to_end(&mut open("fortran.npy"), &mut whole).unwrap();
    for length in 0..whole.len() {
        let cut = NpyBlocks::new([&whole[..length]]).err();
        let place = Place::Row(0);
        assert!(matches!(cut, Some(SourceError::Unreadable { place: at, .. }) if at == place));
    }
}

/// Numbers of half precision have the values that NumPy gives them.
#[test]
fn numbers_of_half_precision() {
    // 0.1 and 6e-8 are rounded to 10 bits: 1638 · 2⁻¹⁴ and 2⁻²⁴.
    let expected = array![
        [1638.0 / 16384.0, -2.0],
        [65504.0, 2.0_f64.powi(-24)],
        [0.0, 1.5]
    ];
    for name in ["half.npy", "half_big_endian.npy"] {
        let mut blocks = NpyBlocks::new([open(name)]).unwrap();
        assert_eq!(blocks.read_records().unwrap(), expected, "{name}");
    }
}

/// Files of each compression and of both versions of pages have the values of `make.py`.
#[test]
fn compressions() {
    let mut names = vec!["polars.parquet".to_owned()];
    for codec in ["zstd", "lz4", "brotli", "gzip", "snappy"] {
        names.extend(["1", "2"].map(|version| format!("{codec}_{version}.parquet")));
    }
    for name in names {
        let blocks = parquet(&name).with_missing_values().rows(500);
        let blocks = blocks.select(&["k", "gap", "x"]).unwrap();
        let mut row = 0_usize;
        for block in blocks.labels("text").unwrap() {
            let block = block.unwrap();
            for (values, label) in block.records.outer_iter().zip(&block.targets) {
                let i = row as f64;
                assert_eq!(values[0], (row * 7919 % 1009) as f64, "{name} {row}");
                assert!(
                    if row.is_multiple_of(5) {
                        values[1].is_nan()
                    } else {
                        values[1] == i
                    },
                    "{name} {row}"
                );
                // The numbers are rounded to two digits.
                assert!((values[2] - i.sin()).abs() < 0.005 + 1e-12, "{name} {row}");
                assert_eq!(*label, format!("text {}", row % 13), "{name} {row}");
                row += 1;
            }
        }
        assert_eq!(row, 1200, "{name}");
    }
}

/// Files that were changed anywhere end in an error or in values, never in a panic.
#[test]
fn changed_files() {
    for name in [
        "zstd_1.parquet",
        "zstd_2.parquet",
        "brotli_2.parquet",
        "lz4_1.parquet",
    ] {
        let mut whole = Vec::new();
        std::io::Read::read_to_end(&mut open(name), &mut whole).unwrap();
        let mut refused = 0;
        for at in (0..whole.len()).step_by(89) {
            let mut changed = whole.clone();
            changed[at] ^= 0x55;
            let bytes = bytes::Bytes::from(changed);
            let blocks = ParquetBlocks::new(bytes).and_then(|blocks| blocks.select(&["k", "x"]));
            let found = blocks.and_then(|mut blocks| blocks.read_records());
            refused += usize::from(found.is_err());
        }
        assert!(refused > 0, "{name}");
    }
}

/// Decimal numbers are read in each way in which they are stored, and half-precision ones, with the values of `make.py`.
#[test]
fn decimal_numbers() {
    let table = || parquet("decimals.parquet").with_missing_values();
    let data = table().target("y").unwrap().read().unwrap();
    let found = data.records;
    for column in 0..2 {
        assert_eq!((found[[0, column]], found[[1, column]]), (1.25, -0.1));
        assert!(found[[2, column]].is_nan());
    }
    // The expected numbers are the nearest ones, as Rust reads the digits.
    let expected = array![12_345_678_901_234_567_890.123, -0.001, 7.0];
    assert_eq!(found.column(2), expected);
    assert_eq!(found.column(3), array![1638.0 / 16384.0, -2.0, 65504.0]);
    let labels = |name| {
        table()
            .labels(name)
            .unwrap()
            .read()
            .unwrap()
            .targets
            .to_vec()
    };
    let expected = ["12345678901234567890.123", "-0.001", "7.000"];
    assert_eq!(labels("in_bytes"), expected);
    let missing = table().labels("in_32").unwrap().read().err();
    assert!(matches!(missing, Some(SourceError::Missing { .. })));
}
