use super::by_last;
use npt::tables::{CsvBlocks, Place, SourceError};
use std::io::{Error, Read};

fn number(line: u64, column: &str, value: &str) -> SourceError {
    let (column, value) = (column.to_owned(), value.to_owned());
    SourceError::Number {
        place: Place::Line(line),
        column,
        value,
    }
}

/// Bad rows are errors with their lines, and are left out. The rows before one come with the next block: nothing is lost to a reader who
/// goes on.
#[test]
fn bad_rows_are_named_and_left_out() {
    let text = "x,y\n1,2\n3,four\n5,6\nnan,1\n7\n8,9,10\n1,-inf\n,3\n11,12\n1e999,1\n";
    let found: Vec<Result<usize, SourceError>> = by_last(CsvBlocks::new(text.as_bytes()))
        .map(|block| block.map(|block| block.records.nrows()))
        .collect();
    let width = |line, found| SourceError::Width {
        place: Place::Line(line),
        expected: 2,
        found,
    };
    let expected = vec![
        Err(number(3, "y", "four")),
        Err(number(5, "x", "nan")),
        Err(width(6, 1)),
        Err(width(7, 3)),
        Err(number(8, "y", "-inf")),
        Err(number(9, "x", "")),
        Err(number(11, "x", "1e999")),
        Ok(3),
    ];
    assert_eq!(found, expected);

    let mut blocks = by_last(CsvBlocks::new(text.as_bytes())).skip_bad_rows();
    let rows: Vec<usize> = blocks
        .by_ref()
        .map(|block| block.unwrap().records.nrows())
        .collect();
    assert_eq!((rows, blocks.skipped()), (vec![3], 7));
}

/// Lines are counted as an editor does, with line ends of either kind, and empty lines.
#[test]
fn lines_are_counted_as_an_editor_does() {
    let files = [
        ("x,y\r\n0,1\r\n2,five\r\n", 3, "five"),
        ("x,y\n0,1\n\n\n2,five\n", 5, "five"),
        ("x,y\r\n\r\n0,1\r\n \r\n2,five", 5, "five"),
        ("\n\nx,y\n0,five\n", 4, "five"),
    ];
    for (text, line, value) in files {
        let found = by_last(CsvBlocks::new(text.as_bytes())).next();
        assert_eq!(found.unwrap().unwrap_err(), number(line, "y", value));
    }
    // A quote that is never closed takes all lines that follow: they are no rows, whether bad ones are skipped or not.
    let text = "x,y\n\"1,2\n3,4\n5,6\n";
    let mut blocks = by_last(CsvBlocks::new(text.as_bytes())).skip_bad_rows();
    let (place, byte, column) = (Place::Line(2), 1, "x".to_owned());
    let unclosed = SourceError::UnclosedQuote {
        place,
        byte,
        column,
    };
    assert_eq!(blocks.next().unwrap().err(), Some(unclosed));
    assert!(blocks.next().is_none());
    assert_eq!(blocks.skipped(), 0);
}

#[test]
fn columns() {
    let found = CsvBlocks::new("a,b\n1,2\n".as_bytes()).unwrap().target("c");
    let columns = vec!["a".to_owned(), "b".to_owned()];
    let name = "c".to_owned();
    assert_eq!(found.err(), Some(SourceError::NoColumn { name, columns }));
    let mut one = CsvBlocks::new("a\n1\n".as_bytes())
        .unwrap()
        .target("a")
        .unwrap();
    assert_eq!(one.read(), Err(SourceError::NoFeatures { found: 1 }));
    let found = CsvBlocks::new("".as_bytes()).err();
    assert_eq!(found, Some(SourceError::NoFeatures { found: 0 }));
    assert!(by_last(CsvBlocks::new("a,b\n".as_bytes())).next().is_none());
}

/// A carriage return alone ends no line, and nothing behind it is lost without an error.
#[test]
fn carriage_returns() {
    let text = "x,y\n1,2\r3,4\n5,6\n";
    let mut blocks = by_last(CsvBlocks::new(text.as_bytes()));
    let (place, expected, found) = (Place::Line(2), 2, 3);
    let wide = SourceError::Width {
        place,
        expected,
        found,
    };
    assert_eq!(blocks.next().unwrap().err(), Some(wide));
    assert_eq!(blocks.next().unwrap().unwrap().records.nrows(), 1);
    match CsvBlocks::new("x,y\r1,2\r3,4\r".as_bytes()).err() {
        Some(SourceError::Unreadable { place, reason }) => {
            assert!(place == Place::Line(1) && reason.contains("carriage return"));
        }
        other => panic!("{other:?}"),
    }
}

/// A line without end is read no further than the longest line that is allowed.
#[test]
fn a_line_without_end() {
    match CsvBlocks::new(std::io::repeat(b'1')).err() {
        Some(SourceError::Unreadable { place, reason }) => {
            assert!(
                place == Place::Line(1) && reason.contains("64 MB"),
                "{reason}"
            );
        }
        other => panic!("{other:?}"),
    }
}

/// Values that are no text are errors, and text without end.
#[test]
fn values_that_are_no_text() {
    let bytes = b"x,y\n1,\xff\xfe\n";
    let found = by_last(CsvBlocks::new(&bytes[..])).next();
    let error = SourceError::Encoding {
        place: Place::Line(2),
        column: "y".to_owned(),
        value: "\\xff\\xfe".to_owned(),
        encoding: "UTF-8",
    };
    assert_eq!(found.unwrap().unwrap_err(), error);
    let long = format!("x,y\n1,{}\n", "9a".repeat(1000));
    let found = by_last(CsvBlocks::new(long.as_bytes())).next();
    assert_eq!(
        found.unwrap().unwrap_err(),
        number(2, "y", &"9a".repeat(20))
    );
}

/// A source that has some rows, and then fails.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        if self.0.is_empty() {
            return Err(Error::other("the disk is gone"));
        }
        self.0.read(buffer)
    }
}

/// A file that ends in a fault gives the error, then the rows that could be read, and then nothing: nobody loops over it
/// for ever, whether bad rows are skipped or not.
#[test]
fn a_file_that_ends_in_a_fault() {
    for skips in [false, true] {
        let blocks = by_last(CsvBlocks::new(Broken(b"x,y\n1,2\n3,4\n")));
        let mut blocks = if skips {
            blocks.skip_bad_rows()
        } else {
            blocks
        };
        match blocks.next() {
            Some(Err(SourceError::Unreadable {
                place: Place::Line(line),
                reason,
            })) => {
                assert!(
                    line >= 3 && reason.contains("the disk is gone"),
                    "{line}: {reason}"
                );
            }
            other => panic!("{:?}", other.map(|block| block.map(|_| ()))),
        }
        assert_eq!(blocks.next().unwrap().unwrap().records.nrows(), 2);
        assert!(blocks.next().is_none());
    }
}
