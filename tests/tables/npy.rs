use super::{by_last, no_number, read};
use ndarray::{Array1, Array2, Axis, array};
use npt::tables::{Blocks, NpyBlocks, Place, SourceError};
use npt_testkit::data;
use num_traits::ToPrimitive;

/// The bytes of a file as NumPy writes it, version 1.0 of the format.
fn npy(descr: &str, shape: &str, fortran: bool, data: &[u8]) -> Vec<u8> {
    let fortran = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    let padded = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(padded.len()).unwrap().to_le_bytes());
    bytes.extend(padded.bytes());
    bytes.extend(data);
    bytes
}

fn doubles<'a>(values: impl IntoIterator<Item = &'a f64>) -> Vec<u8> {
    values.into_iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn refused(files: &[Vec<u8>]) -> SourceError {
    NpyBlocks::new(files.iter().map(Vec::as_slice))
        .err()
        .unwrap()
}

/// Blocks of any size are the rows of the files: a matrix and a column beside it, or both in one file.
#[test]
fn blocks_are_the_rows() {
    let (x, t) = (data::normal(100, 3, 1), data::normal(100, 1, 2));
    let files = [
        npy("<f8", "(100, 3)", false, &doubles(&x)),
        npy("<f8", "(100,)", false, &doubles(&t)),
    ];
    for rows in [1, 7, 100, 1000] {
        let blocks = by_last(NpyBlocks::new(files.iter().map(Vec::as_slice)));
        let found = read(blocks.rows(rows)).unwrap();
        assert_eq!(found, (x.clone(), t.column(0).to_owned()));
    }
    let one = NpyBlocks::new([&files[0][..]])
        .unwrap()
        .target("0")
        .unwrap();
    assert_eq!(one.features().collect::<Vec<_>>(), ["1", "2"]);
    let (records, target) = read(one).unwrap();
    assert_eq!(target, x.column(0));
    assert_eq!(records.column(1), x.column(2));
}

/// Every type of real numbers is read, in either order of bytes.
#[test]
fn types() {
    let numbers = array![[0.0, 1.0], [2.0, 100.0]];
    let bytes =
        |of: &dyn Fn(f64) -> Vec<u8>| -> Vec<u8> { numbers.iter().flat_map(|&v| of(v)).collect() };
    let cases = [
        (
            "<f4",
            bytes(&|v| v.to_f32().unwrap().to_le_bytes().to_vec()),
        ),
        (">f8", bytes(&|v| v.to_be_bytes().to_vec())),
        (
            "<i8",
            bytes(&|v| v.to_i64().unwrap().to_le_bytes().to_vec()),
        ),
        (
            ">i4",
            bytes(&|v| v.to_i32().unwrap().to_be_bytes().to_vec()),
        ),
        (
            "<i2",
            bytes(&|v| v.to_i16().unwrap().to_le_bytes().to_vec()),
        ),
        ("|i1", bytes(&|v| v.to_i8().unwrap().to_le_bytes().to_vec())),
        (
            "<u8",
            bytes(&|v| v.to_u64().unwrap().to_le_bytes().to_vec()),
        ),
        (
            "<u4",
            bytes(&|v| v.to_u32().unwrap().to_le_bytes().to_vec()),
        ),
        (
            "<u2",
            bytes(&|v| v.to_u16().unwrap().to_le_bytes().to_vec()),
        ),
        ("|u1", bytes(&|v| vec![v.to_u8().unwrap()])),
    ];
    for (descr, data) in cases {
        let file = npy(descr, "(2, 2)", false, &data);
        let (x, y) = read(by_last(NpyBlocks::new([&file[..]]))).unwrap();
        assert_eq!(x.column(0), numbers.column(0), "{descr}");
        assert_eq!(y, numbers.column(1), "{descr}");
    }
    let truths = npy("|b1", "(2, 2)", false, &[0, 1, 1, 0]);
    let (x, y) = read(by_last(NpyBlocks::new([&truths[..]]))).unwrap();
    assert_eq!((x, y), (array![[0.0], [1.0]], array![1.0, 0.0]));
}

/// A truncated file is an error wherever it ends, after the rows before.
#[test]
fn a_truncated_file() {
    let x = data::normal(5, 3, 1);
    let file = npy("<f8", "(5, 3)", false, &doubles(&x));
    for length in 0..file.len() {
        let blocks = NpyBlocks::new([&file[..length]]);
        let Ok(mut blocks) = blocks.and_then(Blocks::last_column_as_target) else {
            assert!(length < 128);
            continue;
        };
        assert!(length >= 128);
        let whole = (length - 128) / 24;
        match blocks.next() {
            Some(Err(SourceError::Unreadable { place, .. })) => {
                assert_eq!(place, Place::Row(whole as u64));
            }
            other => panic!("{:?}", other.map(|block| block.map(|_| ()))),
        }
        let rows = blocks.next().map(|block| block.unwrap().records.nrows());
        assert_eq!(rows, (whole > 0).then_some(whole));
        assert!(blocks.next().is_none());
    }
}

#[test]
fn values_that_are_no_numbers() {
    let mut x = Array2::zeros((4, 2));
    x[[1, 0]] = f64::NAN;
    x[[3, 1]] = f64::NEG_INFINITY;
    let file = npy("<f8", "(4, 2)", false, &doubles(&x));
    let found: Vec<_> = by_last(NpyBlocks::new([&file[..]])).collect();
    let errors: Vec<_> = found
        .iter()
        .filter_map(|block| block.as_ref().err())
        .collect();
    assert_eq!(
        errors,
        [&no_number(1, "0", "NaN"), &no_number(3, "1", "-inf")]
    );
    let mut skipping = by_last(NpyBlocks::new([&file[..]])).skip_bad_rows();
    let rows = skipping.next().unwrap().unwrap().records.len_of(Axis(0));
    assert_eq!((rows, skipping.skipped()), (2, 2));
}

#[test]
fn arrays_that_are_no_table() {
    let refused_with =
        |descr, shape, fortran| match refused(&[npy(descr, shape, fortran, &[0; 64])]) {
            SourceError::Unreadable {
                place: Place::Row(0),
                reason,
            } => reason,
            other => panic!("{other}"),
        };
    assert!(refused_with("<f8", "(2, 2, 2)", false).contains("3 dimensions"));
    assert!(refused_with("<f8", "()", false).contains("0 dimensions"));
    // There are eight numbers in place of nine.
    assert!(refused_with("<f8", "(3, 3)", true).contains("fill whole buffer"));
    assert!(refused_with("<f8", "(2, 9999999)", false).contains("9999999 columns"));
    for sizes in [
        "(9223372036854775807, 4)",
        "(0, 18446744073709551616)",
        "(-1, 2)",
        "(2, 2",
    ] {
        assert!(refused_with("<f8", sizes, false).contains("not that of an array of numbers"));
    }
    let complex = refused(&[npy("<c16", "(2, 2)", false, &[0; 64])]);
    let (column, found) = ("0".to_owned(), "'<c16'".to_owned());
    assert_eq!(complex, SourceError::NotNumbers { column, found });
    let (expected, found) = (4, 3);
    let uneven = [
        npy("<f8", "(4,)", false, &[0; 32]),
        npy("<f8", "(3,)", false, &[0; 24]),
    ];
    assert_eq!(refused(&uneven), SourceError::Rows { expected, found });
    assert_eq!(refused(&[]), SourceError::NoFeatures { found: 0 });
    let one = by_last(NpyBlocks::new([&uneven[0][..]])).read();
    assert_eq!(one, Err(SourceError::NoFeatures { found: 1 }));
    assert!(matches!(
        refused(&[b"x,y\n1,2\n".to_vec()]),
        SourceError::Unreadable { .. }
    ));

    let mut long = npy("<f8", "(2, 2)", false, &[0; 32]);
    (long[6], long[10], long[11]) = (2, 255, 255);
    let nested = npy(&format!("{}f8", "[".repeat(60)), "(2, 2)", false, &[0; 32]);
    for file in [long, nested] {
        assert!(matches!(refused(&[file]), SourceError::Unreadable { .. }));
    }

    // A column is the same in either order; and there may be no rows.
    let column = npy("<f8", "(4, 1)", true, &doubles(&Array1::ones(4)));
    let (x, y) = read(by_last(NpyBlocks::new([&column[..], &uneven[0]]))).unwrap();
    assert_eq!((x.dim(), y.len()), ((4, 1), 4));
    let empty = npy("<f8", "(0, 3)", false, &[]);
    assert!(by_last(NpyBlocks::new([&empty[..]])).next().is_none());
}
