//! Tables that are read block by block.

use bytes::Bytes;
use npt::tables::{
    Blocks, CsvBlocks, CsvFormat, Encoding, NpyBlocks, ParquetBlocks, Source, SourceError,
};
use std::io::Cursor;

/// Reads the bytes as comma-separated values, with names and without, and as values of other formats.
///
/// # Panics
/// If a block is wrong, or the table has no end.
pub fn csv(bytes: &[u8]) {
    check(|| CsvBlocks::new(bytes));
    check(|| CsvBlocks::without_names(bytes));
    let formats = [
        CsvFormat::new().delimiter(';').decimal_comma(),
        CsvFormat::new().delimiter('\t').missing_in_quotes(),
        CsvFormat::new().encoding(Encoding::Windows1252),
        CsvFormat::new().delimiter(' ').missing(&["-", "7"]),
    ];
    for format in formats {
        check(|| format.clone().blocks(bytes));
        check(|| format.clone().without_names().blocks(bytes));
    }
}

/// Reads the bytes as an array of NumPy, and as two equal arrays side by side.
///
/// # Panics
/// If a block is wrong, or the table has no end.
pub fn npy(bytes: &[u8]) {
    check(|| NpyBlocks::new([Cursor::new(bytes.to_vec())]));
    check(|| NpyBlocks::new([(); 2].map(|()| Cursor::new(bytes.to_vec()))));
}

/// Reads the bytes as a Parquet file.
///
/// # Panics
/// If a block is wrong, or the table has no end.
pub fn parquet(bytes: &[u8]) {
    check(|| ParquetBlocks::new(Bytes::copy_from_slice(bytes)));
}

/// Checks blocks: they have the width of their table, no more rows than asked for, and finite numbers alone; after an error they go on or
/// end. With missing values allowed and bad rows skipped, the targets are finite, and the table has an end.
///
/// # Panics
/// If one of these does not hold.
fn check<S: Source>(open: impl Fn() -> Result<Blocks<S>, SourceError>) {
    const ROWS: usize = 3;
    // Each row takes at least one byte of the input.
    const MOST: usize = 100_000;
    let open_all = &open;
    let open = || open_all().and_then(Blocks::last_column_as_target);
    let Ok(blocks) = open() else {
        return;
    };
    let features = blocks.features().count();
    let mut blocks = blocks.rows(ROWS);
    for block in blocks.by_ref().take(MOST).flatten() {
        assert_eq!(block.records.ncols(), features);
        assert!((1..=ROWS).contains(&block.records.nrows()));
        assert_eq!(block.records.nrows(), block.targets.len());
        let mut values = block.records.iter().chain(&block.targets);
        assert!(values.all(|value| value.is_finite()));
    }
    let skipping = open().map(|blocks| blocks.rows(ROWS).skip_bad_rows().with_missing_values());
    let mut skipping = skipping.expect("it was opened before");
    let mut seen = 0;
    for block in skipping.by_ref().take(MOST) {
        let Ok(block) = block else {
            break;
        };
        seen += 1;
        assert!(block.targets.iter().all(|value| value.is_finite()));
    }
    assert!(seen < MOST, "there is no end");
    check_texts(|| open().expect("it was opened before").rows(ROWS));
    let whole = open().expect("it was opened before").read();
    if let Ok(whole) = whole {
        assert_eq!(whole.records.nrows(), whole.targets.len());
    }
}

/// Checks columns of texts: there are as many labels as rows, each category has a number, and a table that is read again has no others.
///
/// # Panics
/// If one of these does not hold.
fn check_texts<S: Source>(open: impl Fn() -> Blocks<S>) {
    let names: Vec<String> = open().features().map(str::to_owned).collect();
    let of_texts = |blocks: Blocks<S>| {
        blocks
            .categorical(&names)
            .and_then(|blocks| blocks.select(&names))
    };
    // A name may be that of several columns, which is an error.
    let Ok(blocks) = of_texts(open()) else {
        return;
    };
    let mut blocks = blocks.skip_bad_rows();
    let Ok(first) = blocks.read() else {
        return;
    };
    let categories = blocks.categories();
    for (name, column) in names.iter().zip(first.records.columns()) {
        let known = categories.of(name).expect("it has categories").len();
        assert!(
            column
                .iter()
                .all(|&code| code.fract() == 0.0 && (0.0..known as f64).contains(&code))
        );
    }
    let again = open()
        .with_categories(&categories)
        .and_then(|blocks| blocks.select(&names));
    let again = again.expect("they are its columns").skip_bad_rows().read();
    assert_eq!(again.expect("the same rows").records, first.records);
    let labels = open()
        .labels(&names[0])
        .expect("it is a column")
        .skip_bad_rows()
        .read();
    if let Ok(labels) = labels {
        assert_eq!(labels.records.nrows(), labels.targets.len());
    }
}
