//! Tests values in quotes, with line breaks among them (RFC 4180), and quotes that are never closed.

use super::read;
use ndarray::{Array1, array};
use npt::tables::{CsvBlocks, CsvFormat, Place, SourceError};
use std::io::{Cursor, Read as _, repeat};

fn unclosed(line: u64, byte: u64, column: &str) -> SourceError {
    SourceError::UnclosedQuote {
        place: Place::Line(line),
        byte,
        column: column.to_owned(),
    }
}

/// The rows are those of Python's `csv.reader`: a line break in quotes is a letter of its value.
#[test]
fn line_breaks_in_quotes() {
    let text = "y,x,note\n1,2,\"seen on\n5,6,7\"\n3,4,plain\n";
    let blocks = CsvBlocks::new(text.as_bytes()).unwrap();
    let found = read(blocks.select(&["x"]).unwrap().target("y").unwrap());
    assert_eq!(found, Ok((array![[2.0], [4.0]], array![1.0, 3.0])));
    let blocks = CsvBlocks::new(text.as_bytes()).unwrap();
    let mut notes = blocks.labels("note").unwrap().select(&["x"]).unwrap();
    let notes: Array1<String> = notes.read().unwrap().targets;
    assert_eq!(notes.to_vec(), ["seen on\n5,6,7", "plain"]);

    let text = "x,\"a\r\nb\",y\r\n\"1\",\"\r\n\r\n\",2\r\n\"3\",\"say \"\"a\r\"\"\",4";
    let mut blocks = CsvBlocks::new(text.as_bytes()).unwrap();
    blocks = blocks
        .categorical(&["a\r\nb"])
        .unwrap()
        .target("y")
        .unwrap();
    let data = blocks.read().unwrap();
    assert_eq!(data.records, array![[1.0, 0.0], [3.0, 1.0]]);
    assert_eq!(data.feature_names(), ["x", "a\r\nb"]);
    let categories = blocks.categories();
    assert_eq!(
        categories.of("a\r\nb").unwrap(),
        ["\r\n\r\n", "say \"a\r\""]
    );
}

/// Lines are counted through values of several lines, and the line of a row is where it begins.
#[test]
fn lines_behind_line_breaks() {
    let text = "x,note,y\n1,\"a\nb\nc\",2\n\n3,\"d\ne\",oops\n5,f,none\n";
    let blocks = || {
        let blocks = CsvBlocks::new(text.as_bytes()).unwrap();
        blocks.select(&["x"]).unwrap().target("y").unwrap()
    };
    let error = |line, value: &str| SourceError::Number {
        place: Place::Line(line),
        column: "y".to_owned(),
        value: value.to_owned(),
    };
    let mut found = blocks();
    assert_eq!(found.next().unwrap().err(), Some(error(6, "oops")));
    assert_eq!(found.next().unwrap().err(), Some(error(8, "none")));
    assert_eq!(read(blocks().skip_bad_rows()).unwrap().1, array![2.0]);
}

/// A quote that is never closed is an error with its line, byte and column, whether values follow it or the file ends. The rows before it are
/// not lost, and what follows is never taken for rows, whether bad rows are skipped or not.
#[test]
fn quotes_that_are_never_closed() {
    let files = [
        (
            "y,x,note\n1,2,\"seen on\n5,6,7\n3,4,plain\n",
            2,
            5,
            "note",
            0,
        ),
        // The file is cut in the middle of a value, of an escaped quote, or right behind the opening quote.
        ("y,x,note\n1,2,a\n3,4,\"seen\n\non", 3, 5, "note", 1),
        ("y,x,note\n1,2,a\n3,4,\"seen \"\"", 3, 5, "note", 1),
        ("y,x,note\r\n1,2,a\r\n3,4,\"b\nc\"\r\n5, \"", 5, 4, "x", 2),
        // This quote opens in a line that another value has begun.
        ("y,x,note\n1,\"2\n\",\"", 3, 3, "note", 0),
    ];
    for (text, line, byte, column, rows) in files {
        for skips in [false, true] {
            let blocks = CsvBlocks::new(text.as_bytes()).unwrap();
            let blocks = blocks.select(&["note"]).unwrap().categorical(&["note"]);
            let mut blocks = blocks.unwrap().target("y").unwrap();
            if skips {
                blocks = blocks.skip_bad_rows();
            }
            let found = blocks.next().unwrap().err();
            assert_eq!(found, Some(unclosed(line, byte, column)), "{text:?}");
            let before = blocks
                .next()
                .map_or(0, |block| block.unwrap().records.nrows());
            assert_eq!(before, rows, "{text:?}");
            assert!(blocks.next().is_none());
        }
    }
    // These quotes are among the names, and in a first row.
    let names = CsvBlocks::new("x,\"y\n1,2\n".as_bytes()).err();
    assert_eq!(names, Some(unclosed(1, 3, "1")));
    let row = CsvBlocks::without_names("\n\"1,2\n".as_bytes()).err();
    assert_eq!(row, Some(unclosed(2, 1, "0")));
    assert_eq!(
        unclosed(2, 5, "note").to_string(),
        "byte 5 of line 2, in column note, is a quote that is never closed: close it, or put the whole value in quotes and double those inside"
    );
}

/// A quote that is never closed takes no more bytes than a row may have, in many lines or in one.
#[test]
fn a_quote_without_end() {
    let start = || Cursor::new("x,y\n1,\"\n");
    let lines = start().chain(Cursor::new("1,2\n".repeat(1 << 24)));
    let mut blocks = CsvBlocks::new(lines).unwrap().target("y").unwrap();
    assert_eq!(blocks.next().unwrap().err(), Some(unclosed(2, 3, "y")));
    assert!(blocks.next().is_none());
    let one_more = CsvBlocks::new(start().chain(repeat(b'1')));
    let mut blocks = one_more.unwrap().target("y").unwrap();
    assert_eq!(blocks.read().err(), Some(unclosed(2, 3, "y")));
    let one_line = Cursor::new("x,y\n1,\"").chain(repeat(b'1'));
    let mut blocks = CsvBlocks::new(one_line).unwrap().target("y").unwrap();
    match blocks.read().err() {
        Some(SourceError::Unreadable { place, reason }) => {
            assert!(place == Place::Line(2) && reason.contains("quote"));
        }
        other => panic!("{other:?}"),
    }
}

/// Text behind a closing quote is an error, on the same lines as for Python's `csv.reader(…, strict=True)`: `',' expected after '"'`. The
/// next line is a row again.
#[test]
fn text_behind_a_closing_quote() {
    let text = "note,y\n\"said \"hi\"\",1\n\"a\" b,2\n\"fine\"  ,3\n \"fine, too\",4\n5\" pipe,5\n";
    let after = |line, value: &str| SourceError::AfterQuote {
        place: Place::Line(line),
        column: "note".to_owned(),
        value: value.to_owned(),
    };
    let blocks = || {
        let blocks = CsvBlocks::new(text.as_bytes()).unwrap();
        blocks.categorical(&["note"]).unwrap().target("y").unwrap()
    };
    let mut refusing = blocks();
    assert_eq!(refusing.next().unwrap().err(), Some(after(2, "hi\"\"")));
    assert_eq!(refusing.next().unwrap().err(), Some(after(3, " b")));
    assert_eq!(
        refusing.next().unwrap().unwrap().targets,
        array![3.0, 4.0, 5.0]
    );
    let mut skipping = blocks().skip_bad_rows();
    assert_eq!(skipping.read().unwrap().targets, array![3.0, 4.0, 5.0]);
    assert_eq!(skipping.skipped(), 2);
    let categories = skipping.categories();
    assert_eq!(
        categories.of("note").unwrap(),
        ["fine", "fine, too", "5\" pipe"]
    );
}

/// A single quote is a letter; where spaces are the delimiters, a quote opens right behind one.
#[test]
fn quotes_of_other_tables() {
    let text = "'a','y'\n1,2\n";
    let data = CsvBlocks::new(text.as_bytes()).unwrap().target("'y'");
    assert_eq!(data.unwrap().read().unwrap().feature_names(), ["'a'"]);
    let spaces = CsvFormat::new().delimiter(' ');
    let blocks = spaces.blocks("a \"the y\" c\n1 2 3\n".as_bytes()).unwrap();
    let data = blocks.target("the y").unwrap().read().unwrap();
    assert_eq!(
        (data.records, data.targets),
        (array![[1.0, 3.0]], array![2.0])
    );
}
