//! Tests tables as other programs write them: delimiters, encodings, marks, truth values, decimal commas.

use super::read;
use ndarray::{Array1, array};
use npt::tables::{CsvBlocks, CsvFormat, Encoding, Place, SourceError};

#[test]
fn other_delimiters() {
    for delimiter in [';', '\t', '|', ':', ' ', '_', '\u{1}'] {
        let text = "x,y,\"a,b\"\n1,2,3\n4,,6\n".replace(',', &delimiter.to_string());
        let format = || CsvFormat::new().delimiter(delimiter);
        let blocks = format().blocks(text.as_bytes()).unwrap();
        let blocks = blocks.with_missing_values().target("x").unwrap();
        let (x, y) = read(blocks).unwrap();
        assert_eq!((x.row(0), y), (array![2.0, 3.0].view(), array![1.0, 4.0]));
        assert!(x[[1, 0]].is_nan());
        let text = "1,5".replace(',', &delimiter.to_string());
        let unnamed = format().without_names().blocks(text.as_bytes());
        assert_eq!(unnamed.unwrap().features().count(), 2);
    }
    // A row of nothing but delimiters is no empty line.
    let tabs = CsvFormat::new()
        .delimiter('\t')
        .blocks("a\tb\tc\n1\t2\t3\n\t\t\n  \n".as_bytes());
    let records = tabs.unwrap().with_missing_values().read_records().unwrap();
    assert_eq!(records.nrows(), 2);
    for delimiter in ['"', '\n', '\r', '7', 'e', '-', '+', '.', '§', '\0'] {
        let found = CsvFormat::new()
            .delimiter(delimiter)
            .blocks("a,b\n".as_bytes());
        assert_eq!(found.err(), Some(SourceError::NoDelimiter { delimiter }));
    }
}

/// A table of one column is refused if another delimiter makes more columns, unless the comma was asked for.
#[test]
fn delimiters_that_are_guessed() {
    let guessed = |line, value: &str, delimiter, columns| SourceError::OneColumn {
        place: Place::Line(line),
        value: value.to_owned(),
        delimiter,
        columns,
    };
    let files = [
        ("a;b;c\n1;2;3\n", guessed(1, "a;b;c", ';', 3)),
        (
            "\n\na\tb|c\td\r\n1\t2\t3\n",
            guessed(3, "a\tb|c\td", '\t', 3),
        ),
        // R's write.csv2 writes such files; between commas their quotes are no quotes.
        ("\"a\";\"b\"\n1;2\n", guessed(1, "\"a\";\"b\"", ';', 2)),
        ("\u{feff}a|b\n1|2\n", guessed(1, "a|b", '|', 2)),
    ];
    for (text, error) in files {
        let found = CsvBlocks::new(text.as_bytes());
        assert_eq!(found.err(), Some(error.clone()), "{text:?}");
        let SourceError::OneColumn {
            delimiter, columns, ..
        } = error
        else {
            unreachable!();
        };
        let format = CsvFormat::new().delimiter(delimiter);
        let blocks = format.blocks(text.as_bytes()).unwrap();
        assert_eq!(blocks.features().count(), columns);
    }
    let unnamed = CsvBlocks::without_names("1,5;2,5\n".as_bytes());
    let mut unnamed = unnamed.unwrap().target("0").unwrap();
    assert!(matches!(unnamed.read(), Err(SourceError::Number { .. })));
    let unnamed = CsvBlocks::without_names("1;2\n".as_bytes());
    assert_eq!(unnamed.err(), Some(guessed(1, "1;2", ';', 2)));
    // A delimiter that was asked for is used, and one in quotes is a letter.
    let commas = CsvFormat::new()
        .delimiter(',')
        .blocks("a;b\n7\n".as_bytes());
    assert_eq!(commas.unwrap().read_records().unwrap(), array![[7.0]]);
    let quoted = CsvBlocks::new("\"a;b\"\n7\n".as_bytes());
    assert_eq!(quoted.unwrap().read_records().unwrap(), array![[7.0]]);
}

/// The mark of UTF-8 is no part of the first name, whether the name is in quotes or not; a file in UTF-16 is refused.
#[test]
fn marks() {
    for text in [
        "\u{feff}x,y\n1,2\n",
        "\u{feff}\"x\",y\r\n1,2\r\n",
        "\u{feff}\nx,y\n1,2\n",
    ] {
        let mut blocks = CsvBlocks::new(text.as_bytes())
            .unwrap()
            .target("y")
            .unwrap();
        let data = blocks.read().unwrap();
        assert_eq!(data.feature_names(), ["x"]);
        assert_eq!(data.records, array![[1.0]]);
    }
    let unnamed = CsvBlocks::without_names("\u{feff}1,2\n".as_bytes()).unwrap();
    assert_eq!(
        unnamed.target("1").unwrap().read().unwrap().records,
        array![[1.0]]
    );
    let empty = CsvBlocks::new("\u{feff}".as_bytes()).err();
    assert_eq!(empty, Some(SourceError::NoFeatures { found: 0 }));

    let refused = |found: Option<SourceError>, word: &str| match found {
        Some(SourceError::Unreadable { place, reason }) => {
            assert!(place == Place::Line(1) && reason.contains(word), "{reason}");
        }
        other => panic!("{other:?}"),
    };
    let units: Vec<u16> = "\u{feff}x,y\n1,2\n".encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let windows = || CsvFormat::new().encoding(Encoding::Windows1252);
    for bytes in [little, big] {
        refused(CsvBlocks::new(&bytes[..]).err(), "UTF-16");
        refused(windows().blocks(&bytes[..]).err(), "UTF-16");
    }
    refused(
        windows().blocks("\u{feff}x,y\n".as_bytes()).err(),
        "mark of UTF-8",
    );
}

/// Latin-1 is refused with line and column, in names, categories, labels and numbers; where its encoding is asked for, it is decoded.
#[test]
fn latin_1() {
    // The bytes are "Größe,Stadt,y" as Python's encode("cp1252") has it, and the euro, which Latin-1 does not have.
    let bytes = b"Gr\xf6\xdfe,Stadt,y\n1,K\xf6ln,2\n3,\x80,4\n5,\"\xc4\"\"\",6\n";
    let error = |line, column: &str, value: &str, encoding| SourceError::Encoding {
        place: Place::Line(line),
        column: column.to_owned(),
        value: value.to_owned(),
        encoding,
    };
    let names = CsvBlocks::new(&bytes[..]).err();
    assert_eq!(names, Some(error(1, "0", "Gr\\xf6\\xdfe", "UTF-8")));
    let mut bytes_below_names = b"a,Stadt,y\n".to_vec();
    bytes_below_names.extend_from_slice(&bytes[14..]);
    let below = || {
        CsvBlocks::new(&bytes_below_names[..])
            .unwrap()
            .select(&["a"])
            .unwrap()
    };
    let refused = Some(error(2, "Stadt", "K\\xf6ln", "UTF-8"));
    let mut labels = below().labels("Stadt").unwrap();
    assert_eq!(labels.next().unwrap().err(), refused);
    let mut numbers = below().target("Stadt").unwrap();
    assert_eq!(numbers.next().unwrap().err(), refused);
    // Columns that are not read may contain anything.
    assert_eq!(
        below().target("y").unwrap().read().unwrap().targets,
        array![2.0, 4.0, 6.0]
    );

    let windows = || CsvFormat::new().encoding(Encoding::Windows1252);
    let blocks = windows().blocks(&bytes[..]).unwrap();
    let mut blocks = blocks.select(&["Größe"]).unwrap().labels("Stadt").unwrap();
    let labels: Array1<String> = blocks.read().unwrap().targets;
    assert_eq!(labels.to_vec(), ["Köln", "€", "Ä\""]);
    let without_meaning = windows().blocks(&b"x,t\n1,a\n2,b\x81c\n"[..]).unwrap();
    let mut blocks = without_meaning.labels("t").unwrap();
    let refused = error(3, "t", "b\\x81c", "windows-1252");
    assert_eq!(blocks.next().unwrap().err(), Some(refused));
}

/// Truth values are numbers as pandas, R and PostgreSQL's `true` write them. Other words are no numbers; as labels and categories they are
/// taken as they are.
#[test]
fn truth_values() {
    let text = "a,b,y\nTrue,1,TRUE\nfalse,0,False\n\"true\",2, FALSE\n";
    let blocks = CsvBlocks::new(text.as_bytes())
        .unwrap()
        .target("y")
        .unwrap();
    let (x, y) = read(blocks).unwrap();
    assert_eq!(x, array![[1.0, 1.0], [0.0, 0.0], [1.0, 2.0]]);
    assert_eq!(y, array![1.0, 0.0, 0.0]);
    let mut labels = CsvBlocks::new(text.as_bytes())
        .unwrap()
        .labels("y")
        .unwrap();
    let labels: Array1<String> = labels.read().unwrap().targets;
    assert_eq!(labels.to_vec(), ["TRUE", "False", "FALSE"]);
    for word in ["t", "yes", "T", "truee", "tru"] {
        let text = format!("a,y\n{word},1\n");
        let mut blocks = CsvBlocks::new(text.as_bytes())
            .unwrap()
            .target("y")
            .unwrap();
        assert!(
            matches!(blocks.read(), Err(SourceError::Number { .. })),
            "{word}"
        );
    }
}

/// The decimal comma makes the point a separator of thousands: a number with a point could be either, and is refused.
#[test]
fn decimal_commas() {
    let format = || CsvFormat::new().delimiter(';').decimal_comma();
    let text = "x;y\n1,5;-2\n,5;3e2\n1e-3;\"0,25\"\n";
    let blocks = format()
        .blocks(text.as_bytes())
        .unwrap()
        .target("y")
        .unwrap();
    let (x, y) = read(blocks).unwrap();
    assert_eq!(
        (x, y),
        (array![[1.5], [0.5], [1e-3]], array![-2.0, 300.0, 0.25])
    );
    // A whole number keeps its digits or is refused, as with a decimal point.
    let mut blocks = format().blocks("x;y\n9007199254740993;1\n".as_bytes());
    let whole = blocks.as_mut().unwrap().read_records().err();
    assert!(matches!(whole, Some(SourceError::WholeNumber { .. })));
    for wrong in ["1.5", "1.234,5", "1,234,5", "inf", "a", "1e999"] {
        let text = format!("x;y\n{wrong};1\n");
        let mut blocks = format()
            .blocks(text.as_bytes())
            .unwrap()
            .target("y")
            .unwrap();
        let error = SourceError::Number {
            place: Place::Line(2),
            column: "x".to_owned(),
            value: wrong.to_owned(),
        };
        assert_eq!(blocks.read().err(), Some(error));
    }
}
