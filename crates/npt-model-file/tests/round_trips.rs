//! Tests that everything that serde can express comes back as it was.

use std::{collections::BTreeMap, ffi::CString, fmt::Debug, net::Ipv4Addr, sync::Arc};

use ndarray::{Array1, Array2, ArrayD, array};
use npt_model_file::{Contents, Error, Item, from_bytes, to_bytes};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Unit;
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct New(f64);
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pair(u8, String);
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Generic<T> {
    value: T,
}
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Choice {
    Nothing,
    One(f32),
    Two(i64, bool),
    Named { list: Vec<Choice>, letter: char },
}
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Other {
    Nothing,
}

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let bytes = to_bytes(value).expect("it can be written");
    assert_eq!(&from_bytes::<T>(&bytes).expect("it can be read"), value);
    Contents::from_bytes(&bytes).expect("it can be looked at");
}

fn other_type(at: &str, expected: &str, found: &str) -> Error {
    Error::OtherType {
        at: at.into(),
        expected: expected.into(),
        found: found.into(),
    }
}

#[test]
fn every_shape_of_serde() {
    comes_back(&());
    comes_back(&Unit);
    comes_back(&New(0.1));
    comes_back(&Pair(255, "κ".into()));
    comes_back(&Generic {
        value: Generic { value: Unit },
    });
    comes_back(&[
        Choice::Nothing,
        Choice::One(0.1),
        Choice::Two(i64::MIN, true),
        Choice::Named {
            list: vec![Choice::Nothing, Choice::Two(-1, false)],
            letter: 'λ',
        },
    ]);
    comes_back(&BTreeMap::from([
        ("a".to_owned(), vec![1.5]),
        ("b".to_owned(), vec![]),
    ]));
    comes_back(&BTreeMap::from([
        ((1, 2), None),
        ((0, 3), Some(Some(Unit))),
    ]));
    comes_back(&vec![Some(Some(1.0)), Some(None), None]);
    comes_back(&vec![Some(()), None]);
    comes_back(&(1u64, -1i64, "text".to_owned(), [1.0f32, 2.0]));
    comes_back(&Box::new([[1.0, 2.0], [3.0, 4.0]]));
    comes_back(&CString::new("bytes").unwrap());
}

/// Files use the compact forms of serde: an address is four numbers, where a format for people would have a text.
#[test]
fn nothing_is_written_for_people() {
    let address = Ipv4Addr::LOCALHOST;
    comes_back(&address);
    let bytes = to_bytes(&address).unwrap();
    let text = Contents::from_bytes(&bytes).unwrap().to_string();
    assert_eq!(text, "[127, 0, 0, 1]\n");
}

#[test]
fn lists_of_every_number() {
    comes_back(&vec![0u8, u8::MAX]);
    comes_back(&vec![0u16, u16::MAX]);
    comes_back(&vec![0u32, u32::MAX]);
    comes_back(&vec![0u64, u64::MAX]);
    comes_back(&vec![0usize, usize::MAX]);
    comes_back(&vec![i8::MIN, i8::MAX]);
    comes_back(&vec![i16::MIN, i16::MAX]);
    comes_back(&vec![i32::MIN, i32::MAX]);
    comes_back(&vec![i64::MIN, i64::MAX]);
    comes_back(&vec![f32::MIN_POSITIVE, f32::MAX, f32::INFINITY]);
    comes_back(&vec![f64::MIN_POSITIVE, f64::MAX, f64::NEG_INFINITY]);
    comes_back(&vec![vec![vec![1usize], vec![]], vec![], vec![vec![2, 3]]]);
    comes_back(&vec![true, false]);
    comes_back(&vec!['a', 'κ']);
    comes_back(&vec![String::new(), "κ".into()]);
    comes_back(&Arc::<[f64]>::from(vec![1.0, 2.0]));
    comes_back(&array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    comes_back(&Array2::<f32>::zeros((0, 3)));
    comes_back(&ArrayD::<f64>::ones(vec![2, 1, 2]));
    comes_back(&Array1::from(vec![vec![1.0], vec![]]));
    comes_back(&u64::MAX);
    comes_back(&i64::MIN);
}

#[test]
fn bits_of_numbers_come_back() {
    let values = vec![-0.0, 5e-324, 1.0 + f64::EPSILON, 0.1, f64::MAX];
    let bytes = to_bytes(&(values.clone(), -0.0)).unwrap();
    let (list, alone): (Vec<f64>, f64) = from_bytes(&bytes).unwrap();
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&list), bits(&values));
    assert_eq!(alone.to_bits(), (-0.0f64).to_bits());
}

#[test]
fn a_list_of_numbers_takes_its_bytes() {
    let bytes = to_bytes(&vec![0.1; 1000]).unwrap();
    assert!((8000..8060).contains(&bytes.len()), "{}", bytes.len());
}

/// A list of texts takes no more bytes in the file than the texts have, although it takes more in memory.
#[test]
fn a_list_of_words_takes_their_bytes() {
    let words = vec!["0123456789".to_owned(); 40_000];
    let bytes = to_bytes(&words).unwrap();
    assert!((440_000..460_000).contains(&bytes.len()), "{}", bytes.len());
}

#[test]
fn a_list_of_numbers_contains_nothing_else() {
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Mixed {
        Number(f64),
        Whole(u8),
        Text(String),
        List(Vec<f64>),
    }
    for second in [
        Mixed::Whole(1),
        Mixed::Text("1".into()),
        Mixed::List(vec![1.0]),
        Mixed::List(vec![]),
    ] {
        let error = to_bytes(&vec![Mixed::Number(1.0), second]).unwrap_err();
        assert_eq!(
            error,
            Error::Refused {
                at: String::new(),
                reason: "a list of numbers cannot contain anything else".into()
            }
        );
    }
    let numbers_last = to_bytes(&vec![Mixed::Text("1".into()), Mixed::Number(1.0)]).unwrap();
    assert_eq!(
        Contents::from_bytes(&numbers_last).unwrap().to_string(),
        "[\"1\", 1]\n"
    );
}

#[test]
fn another_type_is_refused_by_its_name() {
    let bytes = to_bytes(&Generic { value: Unit }).unwrap();
    let error = from_bytes::<Unit>(&bytes).unwrap_err();
    assert_eq!(error, other_type("", "Unit", "Generic"));
    let error = from_bytes::<Generic<New>>(&bytes).unwrap_err();
    assert_eq!(error, other_type("value", "New", "Unit"));
    assert_eq!(
        error.to_string(),
        "in `value`: the file holds a Unit, not a New"
    );
    let bytes = to_bytes(&Generic {
        value: Choice::Nothing,
    })
    .unwrap();
    let error = from_bytes::<Generic<Other>>(&bytes).unwrap_err();
    assert_eq!(error, other_type("value", "Other", "Choice::Nothing"));
}

#[test]
fn another_scalar_is_refused() {
    let wide = to_bytes(&vec![0.5f64]).unwrap();
    let error = from_bytes::<Vec<f32>>(&wide).unwrap_err();
    assert_eq!(error, other_type("", "list of f32", "list of f64"));
    let error = from_bytes::<Vec<u64>>(&wide).unwrap_err();
    assert_eq!(error, other_type("", "list of u64", "list of f64"));
    let wide = to_bytes(&0.1f64).unwrap();
    assert_eq!(
        from_bytes::<f32>(&wide).unwrap_err(),
        other_type("", "f32", "number")
    );
    let whole = to_bytes(&1u8).unwrap();
    assert_eq!(
        from_bytes::<f64>(&whole).unwrap_err(),
        other_type("", "f64", "whole number")
    );
    assert!(matches!(
        from_bytes::<u8>(&to_bytes(&256u64).unwrap()),
        Err(Error::Refused { .. })
    ));
}

#[test]
fn nan_is_neither_written_nor_read() {
    let error = to_bytes(&Generic {
        value: Generic {
            value: vec![1.0, f64::NAN],
        },
    })
    .unwrap_err();
    assert_eq!(
        error,
        Error::NotANumber {
            at: "value.value".into()
        }
    );
    assert_eq!(
        to_bytes(&f32::NAN).unwrap_err(),
        Error::NotANumber { at: String::new() }
    );
}

#[test]
fn contents_are_found_by_the_names_of_fields() {
    #[derive(Serialize, Deserialize)]
    struct Kernel {
        gamma: f64,
    }
    #[derive(Serialize, Deserialize)]
    struct Space {
        kernel: Kernel,
        samples: Array2<f64>,
    }
    #[derive(Serialize, Deserialize)]
    struct KernelizedModel {
        method: Choice,
        space: Space,
        feature_names: Option<Vec<String>>,
    }
    let columns: Vec<String> = (0..40).map(|place| format!("column {place}")).collect();
    let model = KernelizedModel {
        method: Choice::Two(3, true),
        space: Space {
            kernel: Kernel { gamma: 0.5 },
            samples: Array2::zeros((3, 5)),
        },
        feature_names: Some(columns.clone()),
    };
    let contents = Contents::from_bytes(&to_bytes(&model).unwrap()).unwrap();
    assert_eq!(contents.method().unwrap().name(), Some("Choice::Two"));
    assert_eq!(
        contents.kernel().unwrap().get("gamma"),
        Some(&Item::Float(0.5))
    );
    assert_eq!(contents.space().unwrap().name(), Some("Space"));
    assert_eq!(contents.samples().unwrap().shape(), Some(vec![3, 5]));
    assert_eq!(contents.columns().unwrap(), columns);
    assert_eq!(contents.format(), npt_model_file::FORMAT);
    assert_eq!(contents.written_by(), env!("CARGO_PKG_VERSION"));
    let text = contents.to_string();
    assert_eq!(
        text.lines().take(9).collect::<Vec<_>>(),
        [
            "KernelizedModel",
            "  method: Choice::Two",
            "    0: 3",
            "    1: true",
            "  space: Space",
            "    kernel: Kernel",
            "      gamma: 0.5",
            "    samples: 3 × 5 × f64",
            "  feature_names: 40 of",
        ]
    );
}
