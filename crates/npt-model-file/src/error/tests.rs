use super::Error;
use std::{io, path::Path};

/// Returns the variant after `error`, or the first, with `n` for its counts. A new variant does not compile until it has its place here.
fn next(error: Option<&Error>, n: usize) -> Option<Error> {
    let at = ["", "space.map"][n - 1].to_owned();
    Some(match error {
        None => Error::NotAModelFile,
        Some(Error::NotAModelFile) => Error::Format {
            found: 9,
            newest: 1,
            written_by: "7.0.0".to_owned(),
        },
        Some(Error::Format { .. }) => Error::Length {
            expected: 100,
            found: 99,
        },
        Some(Error::Length { .. }) => Error::Checksum {
            stored: 1,
            computed: 0xff,
        },
        Some(Error::Checksum { .. }) => Error::OtherType {
            at,
            expected: "Svc".to_owned(),
            found: "Pca".to_owned(),
        },
        Some(Error::OtherType { .. }) => Error::NotANumber { at },
        Some(Error::NotANumber { .. }) => Error::Refused {
            at,
            reason: "it is odd".to_owned(),
        },
        Some(Error::Refused { .. }) => Error::Malformed {
            at,
            reason: "it ends",
        },
        Some(Error::Malformed { .. }) => {
            Error::file(Path::new("a.npt"), &io::ErrorKind::NotFound.into())
        }
        Some(Error::File { .. }) => return None,
    })
}

/// The text of each variant, for counts of 1 and of 2.
const TEXTS: &[[&str; 2]] = &[
    ["this is not a model file: it does not begin with the eight bytes of one"; 2],
    ["the file has format 9, written by version 7.0.0; this version reads format 1"; 2],
    ["the file has 99 bytes, but it was written with 100: it was cut short, or something was added";
        2],
    ["the file is damaged: its checksum is 000000ff, not 00000001"; 2],
    [
        "the file holds a Pca, not a Svc",
        "in `space.map`: the file holds a Pca, not a Svc",
    ],
    ["there is a NaN", "in `space.map`: there is a NaN"],
    ["it is odd", "in `space.map`: it is odd"],
    ["it ends", "in `space.map`: it ends"],
    ["a.npt: entity not found"; 2],
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

/// Texts in errors are cut: a file may have names of any length.
#[test]
fn long_texts_are_cut() {
    let error = |found: &str| Error::other_type("Svc", found);
    let message = error(&"é".repeat(501)).to_string();
    assert_eq!(
        message,
        format!("the file holds a {}…, not a Svc", "é".repeat(500))
    );
    let message = error(&"a".repeat(1000)).to_string();
    assert_eq!(
        message,
        format!("the file holds a {}, not a Svc", "a".repeat(1000))
    );
    let within = Error::not_a_number().within(&"\0".repeat(501));
    assert_eq!(
        within,
        Error::NotANumber {
            at: format!("{}…", "\\0".repeat(500))
        }
    );
    let refused = <Error as serde::de::Error>::custom("a".repeat(1001));
    let at = String::new();
    let reason = format!("{}…", "a".repeat(1000));
    assert_eq!(refused, Error::Refused { at, reason });
}
