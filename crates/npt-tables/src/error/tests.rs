use super::{Place, SourceError};

/// Returns the variant after `error`, or the first, with `n` for its counts. A new variant does not compile until it has its place here.
fn next(error: Option<&SourceError>, n: usize) -> Option<SourceError> {
    let place = [Place::Row(6), Place::Line(7)][n - 1];
    let (column, value) = ("a".to_owned(), "x".to_owned());
    Some(match error {
        None => SourceError::Number {
            place,
            column,
            value,
        },
        Some(SourceError::Number { .. }) => SourceError::WholeNumber {
            place,
            column,
            value: "9007199254740993".to_owned(),
        },
        Some(SourceError::WholeNumber { .. }) => SourceError::Width {
            place,
            expected: 3,
            found: n,
        },
        Some(SourceError::Width { .. }) => SourceError::NoColumn {
            name: column,
            columns: vec!["b".to_owned(), "c".to_owned()],
        },
        Some(SourceError::NoColumn { .. }) => SourceError::AmbiguousColumn {
            name: column,
            found: n + 1,
        },
        Some(SourceError::AmbiguousColumn { .. }) => SourceError::Category {
            place,
            column,
            value,
            known: n,
        },
        Some(SourceError::Category { .. }) => SourceError::Missing {
            place,
            column,
            value,
        },
        Some(SourceError::Missing { .. }) => SourceError::Encoding {
            place,
            column,
            value: "K\\xf6ln".to_owned(),
            encoding: "UTF-8",
        },
        Some(SourceError::Encoding { .. }) => SourceError::UnclosedQuote {
            place,
            byte: n as u64,
            column,
        },
        Some(SourceError::UnclosedQuote { .. }) => SourceError::AfterQuote {
            place,
            column,
            value,
        },
        Some(SourceError::AfterQuote { .. }) => SourceError::OneColumn {
            place,
            value: "a;b".to_owned(),
            delimiter: ';',
            columns: n + 1,
        },
        Some(SourceError::OneColumn { .. }) => SourceError::NoDelimiter { delimiter: '"' },
        Some(SourceError::NoDelimiter { .. }) => SourceError::Weight {
            place,
            column,
            value,
        },
        Some(SourceError::Weight { .. }) => SourceError::TooManyCategories {
            column,
            most: 65_536,
        },
        Some(SourceError::TooManyCategories { .. }) => SourceError::TwoRoles {
            name: column,
            first: "feature",
            second: "target",
        },
        Some(SourceError::TwoRoles { .. }) => SourceError::NoTargets,
        Some(SourceError::NoTargets) => SourceError::NoTarget {
            columns: vec!["b".to_owned(), "c".to_owned()],
        },
        Some(SourceError::NoTarget { .. }) => SourceError::NamelessModel,
        Some(SourceError::NamelessModel) => SourceError::Unnamed { column: n },
        Some(SourceError::Unnamed { .. }) => SourceError::CategoriesOfNoFeature { name: column },
        Some(SourceError::CategoriesOfNoFeature { .. }) => SourceError::NoFeatures { found: n },
        Some(SourceError::NoFeatures { .. }) => SourceError::NothingSelected,
        Some(SourceError::NothingSelected) => SourceError::NoRows,
        Some(SourceError::NoRows) => SourceError::Begun,
        Some(SourceError::Begun) => SourceError::NotNumbers {
            column,
            found: "INT96".to_owned(),
        },
        Some(SourceError::NotNumbers { .. }) => SourceError::NotTexts {
            column,
            found: "INT96".to_owned(),
        },
        Some(SourceError::NotTexts { .. }) => SourceError::Rows {
            expected: n as u64,
            found: 9,
        },
        Some(SourceError::Rows { .. }) => SourceError::unreadable(place, &"the file ends"),
        Some(SourceError::Unreadable { .. }) => return None,
    })
}

/// The text of each variant, for counts of 1 and of 2.
const TEXTS: &[[&str; 2]] = &[
    [
        "row 6 has \"x\" in column a, where a finite number should be",
        "line 7 has \"x\" in column a, where a finite number should be",
    ],
    [
        "row 6 has 9007199254740993 in column a, a whole number that f64 cannot hold: read the column by `labels` or \
        `categorical`, which keep all digits, leave it out by `select`, or write it as floating-point numbers",
        "line 7 has 9007199254740993 in column a, a whole number that f64 cannot hold: read the column by `labels` or \
        `categorical`, which keep all digits, leave it out by `select`, or write it as floating-point numbers",
    ],
    [
        "row 6 has 1 value; the table has 3 columns",
        "line 7 has 2 values; the table has 3 columns",
    ],
    ["there is no column a; there are b, c"; 2],
    [
        "2 columns are named \"a\": give each a name of its own, or select others",
        "3 columns are named \"a\": give each a name of its own, or select others",
    ],
    [
        "row 6 has \"x\" in column a, which is not among the 1 categories that are known",
        "line 7 has \"x\" in column a, which is not among the 2 categories that are known",
    ],
    [
        "row 6 has \"x\" in column a, which is a missing value, not a category",
        "line 7 has \"x\" in column a, which is a missing value, not a category",
    ],
    [
        "row 6 has \"K\\xf6ln\" in column a, which is not UTF-8: say what the encoding of the table is, or write it in UTF-8",
        "line 7 has \"K\\xf6ln\" in column a, which is not UTF-8: say what the encoding of the table is, or write it in UTF-8",
    ],
    [
        "byte 1 of row 6, in column a, is a quote that is never closed: close it, or put the whole value in quotes and double those inside",
        "byte 2 of line 7, in column a, is a quote that is never closed: close it, or put the whole value in quotes and double those inside",
    ],
    [
        "row 6 has \"x\" in column a behind a closing quote: quotes inside of quotes are doubled",
        "line 7 has \"x\" in column a behind a closing quote: quotes inside of quotes are doubled",
    ],
    [
        "row 6 has one column, \"a;b\", and would have 2 columns with the delimiter ';': name the delimiter of the table",
        "line 7 has one column, \"a;b\", and would have 3 columns with the delimiter ';': name the delimiter of the table",
    ],
    ["'\"' cannot be a delimiter: it is one ASCII character that is no quote, line end, letter or digit, nor one of + - .";
        2],
    [
        "row 6 has \"x\" in column a, where a weight should be, a finite number of at least 0",
        "line 7 has \"x\" in column a, where a weight should be, a finite number of at least 0",
    ],
    ["column a has more than 65536 texts: it is not one of categories or labels"; 2],
    ["column a was chosen twice, as a feature and as a target"; 2],
    ["`targets` needs at least one column name"; 2],
    ["no column is named for the target: name it by `.target`, `.targets` or `.labels`, take the last by \
        `.last_column_as_target`, or none by `.without_target`; the columns are b, c"; 2],
    ["the model has no names of features, as it was fitted to records without names: `select` the features by name";
        2],
    [
        "column 1 of the table, counted from 1, has no name: name it in the file, or select the features by name",
        "column 2 of the table, counted from 1, has no name: name it in the file, or select the features by name",
    ],
    ["column a was named as categorical, but is not selected as a feature"; 2],
    [
        "the table has 1 column, and no feature beside targets and weights",
        "the table has 2 columns, and no feature beside targets and weights",
    ],
    ["no column is selected for a feature"; 2],
    ["the table has no rows"; 2],
    ["options must be set before the first row of the table is read"; 2],
    ["column a has INT96, which are not read as numbers"; 2],
    ["column a has INT96, which are not read as texts"; 2],
    [
        "one array has 1 row, and another 9: all arrays of a dataset have as many rows",
        "one array has 2 rows, and another 9: all arrays of a dataset have as many rows",
    ],
    [
        "row 6 cannot be read: the file ends",
        "line 7 cannot be read: the file ends",
    ],
];

#[test]
fn every_message() {
    for n in [1, 2] {
        let mut error = next(None, n);
        for texts in TEXTS {
            let found = error.expect("as many variants as texts");
            assert_eq!(found.to_string(), texts[n - 1]);
            error = next(Some(&found), n);
        }
        assert_eq!(error, None);
    }
}
