//! Tables that are read block by block.

use bytes::Bytes;
use npt::tables::{
    Blocks, CsvBlocks, CsvFormat, Encoding, NpyBlocks, ParquetBlocks, Source, SourceError,
};
use std::io::Cursor;

/// The bytes as comma-separated values, with names and without, and as values of other formats.
///
/// # Panics
/// Where a block is not as it has to be, or there is no end.
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

/// The bytes as an array of NumPy, and twice as much.
///
/// # Panics
/// Where a block is not as it has to be, or there is no end.
pub fn npy(bytes: &[u8]) {
    check(|| NpyBlocks::new([Cursor::new(bytes.to_vec())]));
    check(|| NpyBlocks::new([(); 2].map(|()| Cursor::new(bytes.to_vec()))));
}

/// The bytes as a Parquet file.
///
/// # Panics
/// Where a block is not as it has to be, or there is no end.
pub fn parquet(bytes: &[u8]) {
    check(|| ParquetBlocks::new(Bytes::copy_from_slice(bytes)));
}

/// Blocks have the width of their table, no more rows than asked for and numbers alone, with missing values among the features if these may
/// be; after an error they go on or end, and with bad rows skipped an end is reached.
///
/// # Panics
/// If not.
fn check<S: Source>(open: impl Fn() -> Result<Blocks<S>, SourceError>) {
    const ROWS: usize = 3;
    // A row takes a byte, at least.
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

/// Labels are as many as rows; a number stands for each category, and a table read again has no others.
///
/// # Panics
/// If not.
fn check_texts<S: Source>(open: impl Fn() -> Blocks<S>) {
    let names: Vec<String> = open().features().map(str::to_owned).collect();
    let of_texts = |blocks: Blocks<S>| {
        blocks
            .categorical(&names)
            .and_then(|blocks| blocks.select(&names))
    };
    // The names may not be those of one column each.
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
