//! Tests of the contents of a file: how they are printed, and what is found in them.

use super::hostile::around;
use npt_model_file::{Contents, Error, Item, to_bytes};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;

fn contents<T: Serialize + DeserializeOwned>(value: &T) -> Contents {
    Contents::from_bytes(&to_bytes(value).unwrap()).unwrap()
}

fn printed<T: Serialize + DeserializeOwned>(value: &T) -> String {
    contents(value).to_string()
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Unit;
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct New(f64);
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pair(f64, String);
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Named {
    inner: New,
    pairs: Vec<Pair>,
}

#[derive(Serialize, Deserialize)]
struct NoArray {
    dim: (u8, u8),
}

#[test]
fn every_kind_is_printed() {
    assert_eq!(printed(&()), "none\n");
    assert_eq!(printed(&true), "true\n");
    assert_eq!(printed(&-3i8), "-3\n");
    assert_eq!(printed(&0.5), "0.5\n");
    assert_eq!(printed(&"κ".to_owned()), "\"κ\"\n");
    assert_eq!(printed(&Unit), "Unit\n");
    assert_eq!(printed(&New(0.5)), "New 0.5\n");
    let pair = || Pair(0.5, "a".into());
    assert_eq!(printed(&pair()), "Pair\n  0: 0.5\n  1: \"a\"\n");
    assert_eq!(printed(&Some(1u8)), "1\n");
    assert_eq!(printed(&vec![1u8; 8]), "8 × u8 [1, 1, 1, 1, 1, 1, 1, 1]\n");
    assert_eq!(printed(&vec![1u8; 9]), "9 × u8\n");
    assert_eq!(printed(&Vec::<f64>::new()), "[]\n");
    assert_eq!(printed(&vec![true, false]), "[true, false]\n");
    assert_eq!(printed(&vec![Unit, Unit]), "[Unit, Unit]\n");
    assert_eq!(printed(&(1u8, 0.5, false)), "[1, 0.5, false]\n");
    assert_eq!(printed(&vec![(), ()]), "[…, …]\n");
    let lists = vec![vec!["a".to_owned(), "b".to_owned()]; 3];
    assert_eq!(
        printed(&lists),
        "3 of\n  0: [\"a\", \"b\"]\n  1: [\"a\", \"b\"]\n"
    );
    let map = BTreeMap::from([(1u8, true), (2, false)]);
    assert_eq!(printed(&map), "2 entries\n  1: true\n  2: false\n");
    let named = Named {
        inner: New(0.5),
        pairs: vec![pair(), pair(), pair()],
    };
    let of_pairs =
        "    0: Pair\n      0: 0.5\n      1: \"a\"\n    1: Pair\n      0: 0.5\n      1: \"a\"\n";
    assert_eq!(
        printed(&named),
        format!("Named\n  inner: New 0.5\n  pairs: 3 of\n{of_pairs}")
    );
}

/// A list of 32 texts is printed as a whole, and of 33 texts only the first two.
#[test]
fn long_lists_of_texts_are_cut() {
    let texts = |length: usize| printed(&vec!["a".to_owned(); length]);
    assert_eq!(texts(32), format!("[{}]\n", ["\"a\""; 32].join(", ")));
    assert_eq!(texts(33), "33 of\n  0: \"a\"\n  1: \"a\"\n");
}

#[test]
fn texts_are_all_kept_and_eight_of_anything_else() {
    let kept = |contents: Contents| match contents.model() {
        Item::List { length, first } => (*length, first.len()),
        other => panic!("{other:?}"),
    };
    assert_eq!(kept(contents(&vec!["a".to_owned(); 100])), (100, 100));
    assert_eq!(kept(contents(&vec![true; 8])), (8, 8));
    assert_eq!(kept(contents(&vec![true; 9])), (9, 8));
    // The list has eight elements that are no texts, and then a text.
    let last = [
        &[0x89, 0xF5, 0xF5, 0xF5, 0xF5, 0xF5, 0xF5, 0xF5, 0xF5, 0x61][..],
        b"a",
    ]
    .concat();
    assert_eq!(kept(Contents::from_bytes(&around(&last)).unwrap()), (9, 9));
}

#[test]
fn parts_are_found_in_whatever_they_are_in() {
    let named = Named {
        inner: New(0.5),
        pairs: vec![Pair(0.5, "a".into())],
    };
    let in_tuple = contents(&(1u8, named.clone()));
    assert!(in_tuple.model().find("inner").is_some());
    let in_map = contents(&BTreeMap::from([(1u8, named.clone())]));
    assert!(in_map.model().find("pairs").is_some());
    let named = contents(&Some(named));
    let pair = named.model().find_type("Pair").expect("it has one");
    assert!(matches!(pair, Item::Tuple { parts, .. } if parts.len() == 2));
    assert_eq!(named.model().find("other"), None);
}

#[test]
fn numbers_and_shapes() {
    assert_eq!(contents(&0.5).model().number(), Some(0.5));
    assert_eq!(contents(&-3i8).model().number(), Some(-3.0));
    assert_eq!(contents(&true).model().number(), None);
    let shape = |contents: Contents| contents.model().shape();
    assert_eq!(shape(contents(&vec![1u8, 2])), Some(vec![2]));
    assert_eq!(shape(contents(&vec![true; 9])), Some(vec![9]));
    assert_eq!(
        shape(contents(&ndarray::arr2(&[[1.0, 2.0]]))),
        Some(vec![1, 2])
    );
    assert_eq!(shape(contents(&New(0.5))), None);
    assert_eq!(shape(contents(&NoArray { dim: (1, 2) })), None);
}

/// A list of one element is printed as that element; an item within 24 others is left out.
#[test]
fn deep_items_are_not_shown() {
    let within = |lists: usize| {
        let body = [&vec![0x81; lists][..], &[7]].concat();
        Contents::from_bytes(&around(&body)).unwrap().to_string()
    };
    assert_eq!(within(23), "7\n");
    assert_eq!(within(24), "1 of …\n");
}

/// Items that are not shown are read all the same: numbers, a map, an object and a text in 24 lists, and an item behind them.
#[test]
fn what_is_not_shown_is_read() {
    let body = |number: f64| {
        let numbers = [&[0xD8, 86, 0x48][..], &number.to_le_bytes()].concat();
        let others = b"\xA3\x01\x61a\x02\x61b\x03\x61c\xD8\x1B\x82\x61M\xF5\x62cd";
        let deep = [&[0x81; 24][..], &[0x84], &numbers, others].concat();
        around(&[&[0x82][..], &deep, &[7]].concat())
    };
    let text = Contents::from_bytes(&body(0.5)).unwrap().to_string();
    assert_eq!(text.lines().last(), Some("  1: 7"), "{text}");
    let at = String::new();
    let error = Contents::from_bytes(&body(f64::NAN)).unwrap_err();
    assert_eq!(error, Error::NotANumber { at });
}

/// The body of a list of `count` texts of the letter a, made by hand, so that the file has no more bytes than the texts take.
fn short_texts(count: u32, length: u8) -> Vec<u8> {
    let text = [&[0x78, length][..], &vec![b'a'; length.into()]].concat();
    let mut body = vec![0x9A];
    body.extend(count.to_be_bytes());
    body.extend(text.repeat(count as usize));
    body
}

/// A text is kept while memory is left, 39 times the file and 60 KiB. Its item counts four times, because its list may be moved, and its
/// letters once.
#[test]
fn as_many_texts_are_kept_as_there_is_memory_for() {
    for length in [0_u8, 40, 250] {
        let bytes = around(&short_texts(100_000, length));
        let contents = Contents::from_bytes(&bytes).unwrap();
        let Item::List { length: all, first } = contents.model() else {
            panic!("{contents}");
        };
        let allowed = 39 * bytes.len() + (60 << 10);
        let fit = allowed / (4 * size_of::<Item>() + usize::from(length));
        assert_eq!(*all, 100_000);
        // The list itself is an item, too.
        assert!(
            first.len().abs_diff(fit.min(100_000)) <= 2,
            "{}",
            first.len()
        );
    }
}

#[test]
fn columns_are_all_known_or_none() {
    let columns = |texts: Vec<u8>| {
        let bytes = around(&[&b"\xD8\x1B\x82\x61M\xA1\x6Dfeature_names"[..], &texts].concat());
        let contents = Contents::from_bytes(&bytes).unwrap();
        contents.columns().map(|columns| columns.len())
    };
    assert_eq!(columns(short_texts(100, 1)), Some(100));
    assert_eq!(columns(short_texts(100_000, 1)), None);
}

/// The samples of a model have a type of samples; a method beside the model may have an array of its own.
#[test]
fn samples_are_of_a_type_of_samples() {
    #[derive(Serialize, Deserialize)]
    struct Rows {
        matrix: Vec<f64>,
    }
    #[derive(Serialize, Deserialize)]
    struct Expansion {
        samples: Rows,
    }
    #[derive(Serialize, Deserialize)]
    struct Model {
        samples: ndarray::Array2<f64>,
        method: Expansion,
    }
    let array = ndarray::arr2(&[[1.0, 2.0]]);
    let alone = contents(&array);
    assert!(alone.samples().is_none());
    let both = contents(&Model {
        samples: array,
        method: Expansion {
            samples: Rows { matrix: vec![1.0] },
        },
    });
    assert_eq!(both.samples().and_then(Item::name), Some("Rows"));
}
