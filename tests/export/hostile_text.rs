//! Tests that texts which are no models are typed errors with their line: no panic, and no memory beyond what their length explains.

use npt::{
    Rows, SparseRows,
    export::{
        Error,
        libsvm::{from_text, to_text},
    },
};
use proptest::prelude::*;

const GOOD: &str = "svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 2
rho 0.25
label 1 -1
nr_sv 1 1
SV
1 1:1 3:-2
-1 2:3
";

/// The line in the error, which is the same for dense and for sparse vectors.
fn line(text: &str) -> usize {
    let dense = from_text::<Rows<f64>>(text).unwrap_err();
    assert_eq!(from_text::<SparseRows<f64>>(text).unwrap_err(), dense);
    match dense {
        Error::Text { line, .. } => line,
        other => panic!("{other}"),
    }
}

#[test]
fn each_line_is_looked_at() {
    assert!(from_text::<Rows<f64>>(GOOD).is_ok());
    for (from, to, expected) in [
        ("c_svc", "d_svc", 1),
        ("svm_type c_svc\n", "", 8),
        ("rbf", "precomputed", 2),
        ("kernel_type rbf\n", "", 8),
        ("gamma 0.5", "gamma 0", 3),
        ("gamma 0.5", "gamma NaN", 3),
        ("gamma 0.5", "gamma inf", 3),
        ("gamma 0.5", "gamma 1e999", 3),
        ("gamma 0.5", "gamma", 3),
        ("gamma 0.5\n", "", 8),
        ("nr_class 2", "nr_class 1", 4),
        ("nr_class 2", "nr_class -2", 4),
        ("nr_class 2", "nr_class 3", 6),
        ("nr_class 2", "nr_class 18446744073709551615", 6),
        ("nr_class 2", "nr_class 99999999999999999999", 4),
        ("total_sv 2", "total_sv 3", 8),
        ("total_sv 2", "total_sv two", 5),
        ("rho 0.25", "rho", 6),
        ("rho 0.25", "rho 0.25 0.5", 6),
        ("rho 0.25", "rho NaN", 6),
        ("label 1 -1", "label 1", 7),
        ("label 1 -1", "label 1 0.5", 7),
        ("label 1 -1", "label 1 2147483648", 7),
        ("label 1 -1\n", "", 8),
        ("nr_sv 1 1", "nr_sv 2 1", 8),
        ("nr_sv 1 1", "nr_sv 1 1 0", 8),
        ("nr_sv 1 1", "nr_sv 18446744073709551615 3", 8),
        ("nr_sv 1 1\n", "", 8),
        ("nr_sv", "nr_nonsense", 8),
        ("SV\n", "", 9),
        ("\n1 1:1", "\nx 1:1", 10),
        ("\n1 1:1", "\nNaN 1:1", 10),
        ("1:1 3:-2", "3:-2 1:1", 10),
        ("1:1 3:-2", "1:1 1:-2", 10),
        ("1:1", "0:1", 10),
        ("1:1", "-1:1", 10),
        ("1:1", "2147483648:1", 10),
        ("1:1", "1:inf", 10),
        ("1:1", "1:", 10),
        ("1:1", ":1", 10),
        ("1:1", "1", 10),
        ("-1 2:3\n", "", 11),
        ("-1 2:3\n", "\n", 11),
        ("-1 2:3\n", "-1 2:3\n1 1:1\n", 12),
    ] {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from}");
        assert_eq!(line(&text), expected, "{text}");
    }
    assert_eq!(line(""), 1);
}

#[test]
fn errors_say_what_they_found() {
    let of = |text: &str| from_text::<Rows<f64>>(text).unwrap_err().to_string();
    let expected = "line 2 has `kernel_type precomputed` instead of kernel_type linear, polynomial, rbf or sigmoid";
    assert_eq!(of(&GOOD.replace("rbf", "precomputed")), expected);
    let expected = "line 11 has nothing instead of one more vector, of total_sv";
    assert_eq!(of(&GOOD.replace("-1 2:3\n", "")), expected);
    // Long lines are cut in the message, between characters.
    let long = of(&GOOD.replace("gamma 0.5", &"γ".repeat(1000)));
    assert!(long.len() < 250, "{long}");
}

/// A text of a few hundred bytes takes no gigabytes, whatever counts and indices it contains.
#[test]
fn counts_and_indices_are_not_believed() {
    let far = GOOD.replace("3:-2", "2147483647:-2");
    let error = from_text::<Rows<f64>>(&far).unwrap_err();
    let columns = i32::MAX as usize;
    assert_eq!(
        error,
        Error::TooSparse {
            vectors: 2,
            columns
        }
    );
    let sparse = from_text::<SparseRows<f64>>(&far).unwrap();
    assert_eq!(to_text(&sparse).unwrap(), far);
    let many = GOOD.replace("total_sv 2", "total_sv 9000000000000000000");
    let many = many.replace("nr_sv 1 1", "nr_sv 1 8999999999999999999");
    assert_eq!(line(&many), 12);
}

/// Vectors whose zeros are written out are read like any others.
#[test]
fn zeros_are_allowed() {
    let zero = GOOD.replace("1:1 3:-2", "1:0 3:0");
    let model = from_text::<SparseRows<f64>>(&zero).unwrap();
    assert!(to_text(&model).unwrap().contains("\n1\n-1 2:3\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Texts in which bytes are changed, cut out and put in are a model or an error; a model is the same when it is written and read again.
    #[test]
    fn changed_texts_do_no_harm(
        good in prop::sample::select(vec![GOOD, super::libsvm::BY_HAND]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..4_usize, "[0-9a-z:. \n\r\te+-]{0,6}"), 1..4),
    ) {
        let mut text = good.to_owned();
        for (at, length, with) in changes {
            let start = at.index(text.len());
            let end = (start + length).min(text.len());
            text.replace_range(start..end, &with);
            if text.is_empty() {
                break;
            }
        }
        if let Ok(model) = from_text::<SparseRows<f64>>(&text) {
            let written = to_text(&model).unwrap();
            let again = from_text::<SparseRows<f64>>(&written).unwrap();
            prop_assert_eq!(to_text(&again).unwrap(), written);
        }
        let _ = from_text::<Rows<f64>>(&text);
    }

    #[test]
    fn any_text_does_no_harm(text in "\\PC*") {
        prop_assert!(from_text::<Rows<f64>>(&text).is_err());
    }
}
