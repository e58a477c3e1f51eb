use super::{by_last, no_number, read};
use ndarray::{Array1, Array2, Axis, s};
use npt::{
    methods::streaming::Moments,
    tables::{Blocks, ParquetBlocks, Place, SourceError, check_parquet_pages},
};
use npt_testkit::data;
use parquet::{
    basic::{Compression, GzipLevel},
    data_type::{BoolType, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type},
    file::{
        properties::{WriterProperties, WriterVersion},
        writer::SerializedFileWriter,
    },
    schema::parser::parse_message_type,
};
use std::{io::Write, sync::Arc};

pub(super) type Writer<'a> = SerializedFileWriter<&'a mut Vec<u8>>;

/// A file with these columns, filled by `write`.
pub(super) fn file(
    columns: &str,
    compression: Compression,
    write: impl FnOnce(&mut Writer<'_>),
) -> Vec<u8> {
    let schema = parse_message_type(&format!("message table {{ {columns} }}")).unwrap();
    // Pages have few values, so that reading crosses their ends.
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_data_page_row_count_limit(100)
        .set_write_batch_size(50);
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties.build()))
            .unwrap();
    write(&mut writer);
    writer.close().unwrap();
    bytes
}

/// Writes the next column of a row group; `levels`, one a row, tell which values are there if some may be missing.
pub(super) fn column<T: DataType, W: Write + Send>(
    group: &mut parquet::file::writer::SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    levels: Option<&[i16]>,
) {
    let mut writer = group.next_column().unwrap().unwrap();
    writer
        .typed::<T>()
        .write_batch(values, levels, None)
        .unwrap();
    writer.close().unwrap();
}

/// Writes the next column of a row group, in which values may be missing.
pub(super) fn optional_column<W: Write + Send>(
    group: &mut parquet::file::writer::SerializedRowGroupWriter<'_, W>,
    values: &[Option<f64>],
) {
    let levels: Vec<i16> = values.iter().map(|v| i16::from(v.is_some())).collect();
    let there: Vec<f64> = values.iter().copied().flatten().collect();
    column::<DoubleType, _>(group, &there, Some(&levels));
}

pub(super) fn blocks(bytes: &[u8]) -> Result<ParquetBlocks<bytes::Bytes>, SourceError> {
    ParquetBlocks::new(bytes::Bytes::copy_from_slice(bytes))
}

/// Blocks of any size are the rows, of several row groups, however they are compressed.
#[test]
fn blocks_are_the_rows() {
    let (x, t) = (data::normal(3000, 2, 1), data::normal(3000, 1, 2));
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
    ] {
        let bytes = file(
            "required double a; required double target; required double b;",
            compression,
            |writer| {
                for rows in [0..1500, 1500..1501, 1501..3000] {
                    let mut group = writer.next_row_group().unwrap();
                    for values in [x.column(0), t.column(0), x.column(1)] {
                        let values = values.slice(s![rows.clone()]).to_vec();
                        column::<DoubleType, _>(&mut group, &values, None);
                    }
                    group.close().unwrap();
                }
            },
        );
        for rows in [1, 999, 3000, 10_000] {
            let blocks = blocks(&bytes).unwrap().target("target").unwrap().rows(rows);
            assert_eq!(blocks.features().collect::<Vec<_>>(), ["a", "b"]);
            assert_eq!(read(blocks).unwrap(), (x.clone(), t.column(0).to_owned()));
        }
        let mut moments = Moments::new(2);
        for block in by_last(blocks(&bytes)) {
            moments.add(&block.unwrap()).unwrap();
        }
        assert_eq!(moments.count(), 3000);
    }
}

/// Numbers of every type are read, beside columns of other types that are not selected.
#[test]
fn types() {
    let columns = "required boolean truth; required int32 int; required int32 unsigned (UINT_32);
        required int64 long; required float single; required binary name (STRING);
        required int32 day (DATE); required int64 large (UINT_64); required double last;";
    let bytes = file(columns, Compression::UNCOMPRESSED, |writer| {
        let mut group = writer.next_row_group().unwrap();
        column::<BoolType, _>(&mut group, &[true, false], None);
        column::<Int32Type, _>(&mut group, &[-1, 7], None);
        column::<Int32Type, _>(&mut group, &[-1, 7], None);
        column::<Int64Type, _>(&mut group, &[-1, 1 << 40], None);
        column::<FloatType, _>(&mut group, &[0.5, -2.0], None);
        column::<ByteArrayType, _>(&mut group, &["a".into(), "b".into()], None);
        column::<Int32Type, _>(&mut group, &[1, 2], None);
        column::<Int64Type, _>(&mut group, &[i64::MIN, 1], None);
        column::<DoubleType, _>(&mut group, &[1e300, -0.1], None);
        group.close().unwrap();
    });
    let numbers = ["large", "truth", "int", "unsigned", "long", "single"];
    let (x, y) = read(by_last(blocks(&bytes)).select(&numbers).unwrap()).unwrap();
    let first = [2.0_f64.powi(63), 1.0, -1.0, f64::from(u32::MAX), -1.0, 0.5];
    let second = [1.0, 0.0, 7.0, 7.0, 2.0_f64.powi(40), -2.0];
    assert_eq!(x, Array2::from(vec![first, second]));
    assert_eq!(y, Array1::from(vec![1e300, -0.1]));
    for (name, found) in [("name", "BYTE_ARRAY (String)"), ("day", "INT32 (Date)")] {
        let mut blocks = by_last(blocks(&bytes)).select(&["int", name]).unwrap();
        let (column, found) = (name.to_owned(), found.to_owned());
        let expected = SourceError::NotNumbers { column, found };
        assert_eq!(blocks.next().unwrap().err(), Some(expected));
        assert!(blocks.next().is_none());
    }
    // A list has no single number in a row.
    let listed = "required double x; repeated double list;";
    let bytes = file(listed, Compression::UNCOMPRESSED, |writer| {
        let mut group = writer.next_row_group().unwrap();
        column::<DoubleType, _>(&mut group, &[1.0], None);
        let mut list = group.next_column().unwrap().unwrap();
        list.typed::<DoubleType>()
            .write_batch(&[1.0, 2.0], Some(&[1, 1]), Some(&[0, 1]))
            .unwrap();
        list.close().unwrap();
        group.close().unwrap();
    });
    let found = by_last(blocks(&bytes)).next().unwrap();
    assert!(
        matches!(found, Err(SourceError::NotNumbers { found, .. }) if found == "lists of DOUBLE")
    );
}

/// A value that is missing or no number is an error with its row, in whatever group; the other rows can be read.
#[test]
fn rows_without_a_number() {
    let bytes = file(
        "required double x; optional float y;",
        Compression::SNAPPY,
        |writer| {
            for missing in [3, 1000] {
                let mut group = writer.next_row_group().unwrap();
                let mut x = vec![1.0; 1200];
                x[1100] = f64::NAN;
                let levels: Vec<i16> = (0..1200).map(|row| i16::from(row != missing)).collect();
                column::<DoubleType, _>(&mut group, &x, None);
                column::<FloatType, _>(&mut group, &vec![2.0; 1199], Some(&levels));
                group.close().unwrap();
            }
        },
    );
    let found: Vec<_> = by_last(blocks(&bytes)).collect();
    let errors: Vec<_> = found
        .iter()
        .filter_map(|block| block.as_ref().err())
        .collect();
    let expected = [
        no_number(3, "y", "null"),
        no_number(1100, "x", "NaN"),
        no_number(2200, "y", "null"),
        no_number(2300, "x", "NaN"),
    ];
    assert_eq!(errors, expected.iter().collect::<Vec<_>>());
    let mut skipping = by_last(blocks(&bytes)).skip_bad_rows();
    let block = skipping.next().unwrap().unwrap();
    assert_eq!(
        (block.records.len_of(Axis(0)), skipping.skipped()),
        (2396, 4)
    );
    assert!(block.targets.iter().all(|&y| y == 2.0));
}

/// A file that is cut anywhere, or whose bytes were changed, gives values, or an error with the row up to which there are rows, after
/// these rows; never a panic.
#[test]
fn broken_files() {
    let x = data::normal(2500, 2, 1);
    let columns = "required double x; required double y;";
    let bytes = file(columns, Compression::SNAPPY, |writer| {
        let mut group = writer.next_row_group().unwrap();
        for values in x.columns() {
            column::<DoubleType, _>(&mut group, &values.to_vec(), None);
        }
        group.close().unwrap();
    });
    for length in (0..bytes.len()).step_by(97) {
        assert!(matches!(
            blocks(&bytes[..length]).err(),
            Some(SourceError::Unreadable {
                place: Place::Row(0),
                ..
            })
        ));
    }
    let (mut at_once, mut later, mut read_on) = (0, 0, 0);
    for at in (0..bytes.len()).step_by(31) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x55;
        let blocks = blocks(&changed).and_then(Blocks::last_column_as_target);
        let Ok(blocks) = blocks else {
            at_once += 1;
            continue;
        };
        let (mut fault, mut rows) = (None, 0);
        for block in blocks.skip_bad_rows() {
            match block {
                Ok(block) => rows += block.records.nrows() as u64,
                Err(SourceError::Unreadable { place, .. }) => fault = Some(place),
                Err(SourceError::NotNumbers { .. }) => fault = Some(Place::Row(0)),
                Err(other) => panic!("{other}"),
            }
        }
        match fault {
            // Changed values may be no numbers, too.
            Some(Place::Row(row)) => assert!(rows <= row && rows + 50 > row, "{rows} {row}"),
            Some(other) => panic!("{other}"),
            None => assert!(rows <= 2500),
        }
        later += usize::from(rows > 0 && fault.is_some());
        read_on += usize::from(fault.is_none());
    }
    assert!(at_once > 0 && later > 0 && read_on > 0);
    let no_rows = file(
        "required double x; required double y;",
        Compression::SNAPPY,
        |_| {},
    );
    assert!(by_last(blocks(&no_rows)).next().is_none());
    let one = file("required double x;", Compression::SNAPPY, |_| {});
    assert_eq!(
        by_last(blocks(&one)).read(),
        Err(SourceError::NoFeatures { found: 1 })
    );
}

/// The bytes of a file of zeros in pages of `rows` values, without a dictionary.
fn zeros(rows: usize, compression: Compression, version: WriterVersion) -> Vec<u8> {
    let schema = "message table { required double x; required double y; }";
    let properties = WriterProperties::builder()
        .set_writer_version(version)
        .set_compression(compression)
        .set_dictionary_enabled(false)
        .set_data_page_row_count_limit(rows);
    let (schema, properties) = (parse_message_type(schema).unwrap(), properties.build());
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for _ in 0..2 {
        column::<DoubleType, _>(&mut group, &vec![0.0; rows], None);
    }
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

/// A page that claims to become more than its compression can make of its bytes is refused before memory is taken for it; a page that
/// compresses best is read.
#[test]
fn pages_that_cannot_be_as_large() {
    let versions = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];
    let gzip = Compression::GZIP(GzipLevel::default());
    for compression in [Compression::SNAPPY, gzip, Compression::UNCOMPRESSED] {
        for version in versions {
            let whole = zeros(20_000, compression, version);
            check_parquet_pages(bytes::Bytes::from(whole.clone())).unwrap();
            let block = by_last(blocks(&whole)).read().unwrap();
            assert_eq!(block.records, Array2::zeros((20_000, 1)));
        }
    }
    let mut forged = zeros(100, Compression::SNAPPY, versions[0]);
    // The first page is a data page (field 1: 0) of 800 bytes (field 2).
    assert_eq!(forged[4..9], [0x15, 0x00, 0x15, 0xC0, 0x0C]);
    // The forged page claims 8191 bytes.
    forged[7..9].copy_from_slice(&[0xFE, 0x7F]);
    let read = by_last(blocks(&forged)).read().map(drop);
    let place = Place::Row(0);
    for checked in [read, check_parquet_pages(bytes::Bytes::from(forged))] {
        let error = checked.unwrap_err();
        assert!(matches!(&error, SourceError::Unreadable { place: at, .. } if *at == place));
        let text = error.to_string();
        assert!(text.contains("they become 8191"), "{text}");
    }
}

/// A dictionary that claims more values than it has bytes is refused before memory is taken for them.
#[test]
fn dictionaries_that_cannot_be_as_large() {
    let columns = "required double x; required double y;";
    let mut forged = file(columns, Compression::UNCOMPRESSED, |writer| {
        let mut group = writer.next_row_group().unwrap();
        for _ in 0..2 {
            column::<DoubleType, _>(&mut group, &[1.0, 2.0, 1.0], None);
        }
        group.close().unwrap();
    });
    // The first page is a dictionary (field 1: 2) of 16 bytes (fields 2 and 3) and 2 values (field 7).
    let header = [0x15, 0x04, 0x15, 0x20, 0x15, 0x20, 0x4C, 0x15, 0x04];
    assert_eq!(forged[4..13], header);
    forged[12] = 0x7E;
    let text = by_last(blocks(&forged)).read().unwrap_err().to_string();
    let expected = "a dictionary of 16 bytes says that it has 63 values";
    assert!(text.contains(expected), "{text}");
}
