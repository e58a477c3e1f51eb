//! Tests that bytes that are no model are an error: damaged ones, and ones that were made to look right.

use npt_model_file::{Contents, Error, FORMAT, from_bytes, to_bytes};
use peak_alloc::PeakAlloc;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Kernel {
    Linear,
    Gaussian { gamma: f64 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Model {
    kernel: Kernel,
    samples: ndarray::Array2<f64>,
    indices: Vec<usize>,
    words: Vec<String>,
    sets: Vec<Vec<u32>>,
    offset: Option<f32>,
}

fn model() -> Model {
    Model {
        kernel: Kernel::Gaussian { gamma: 0.5 },
        samples: ndarray::array![[1.0, 2.0], [3.0, 4.0]],
        indices: vec![1, 5],
        words: vec!["a".into(), "bc".into()],
        sets: vec![vec![], vec![1, 2]],
        offset: Some(0.25),
    }
}

/// Corrects the length and the checksum of a file.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len().saturating_sub(4).max(20));
    let length = (bytes.len() + 4) as u64;
    bytes[12..20].copy_from_slice(&length.to_le_bytes());
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// Makes a file around this body.
pub(super) fn around(body: &[u8]) -> Vec<u8> {
    let unit = to_bytes(&()).unwrap();
    let head = unit.len() - 5;
    sealed([&unit[..head], body, &[0; 4]].concat())
}

#[test]
fn each_byte_changed_is_noticed() {
    let bytes = to_bytes(&model()).unwrap();
    for place in 0..bytes.len() {
        for change in [1, 0x80, 0xFF] {
            let mut changed = bytes.clone();
            changed[place] ^= change;
            assert!(from_bytes::<Model>(&changed).is_err(), "byte {place}");
            assert!(Contents::from_bytes(&changed).is_err(), "byte {place}");
        }
    }
}

#[test]
fn each_beginning_is_too_short() {
    let bytes = to_bytes(&model()).unwrap();
    assert_eq!(from_bytes::<Model>(&[]).unwrap_err(), Error::NotAModelFile);
    let whole = bytes.len() as u64;
    for length in 1..bytes.len() {
        let found = length as u64;
        // The first 20 bytes say how long the file should be; a file has at least 21 bytes.
        let expected = if length <= 20 { 21 } else { whole };
        assert_eq!(
            from_bytes::<Model>(&bytes[..length]).unwrap_err(),
            Error::Length { expected, found }
        );
    }
    let longer = [&bytes[..], &[0]].concat();
    let (expected, found) = (whole, longer.len() as u64);
    let error = from_bytes::<Model>(&longer).unwrap_err();
    assert_eq!(error, Error::Length { expected, found });
}

#[test]
fn a_newer_format_says_so() {
    let mut bytes = to_bytes(&model()).unwrap();
    bytes[8] += 1;
    let error = from_bytes::<Model>(&sealed(bytes)).unwrap_err();
    let (found, newest) = (FORMAT + 1, FORMAT);
    let written_by = env!("CARGO_PKG_VERSION").to_owned();
    assert_eq!(
        error,
        Error::Format {
            found,
            newest,
            written_by
        }
    );
}

#[test]
fn lengths_are_not_believed() {
    let huge = [
        [0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        [0xBB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        [0x5B, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        [0x7B, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ];
    for body in huge {
        let bytes = around(&body);
        let reason = "a length is more than what is left of the file";
        let at = String::new();
        let expected = Error::Malformed { at, reason };
        assert_eq!(Contents::from_bytes(&bytes).unwrap_err(), expected);
        assert_eq!(from_bytes::<Vec<f64>>(&bytes).unwrap_err(), expected);
    }
}

#[test]
fn items_within_items_end_somewhere() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code)]
    struct Nested(Vec<Nested>);
    let lists = around(&vec![0x81; 1 << 16]);
    assert!(matches!(
        Contents::from_bytes(&lists),
        Err(Error::Malformed { .. })
    ));
    let objects = around(&b"\xD8\x1B\x82\x66Nested\x81".repeat(1 << 14));
    assert!(matches!(
        Contents::from_bytes(&objects),
        Err(Error::Malformed { .. })
    ));
    let reason = "there are too many items within one another";
    let at = String::new();
    assert_eq!(
        from_bytes::<Nested>(&objects).unwrap_err(),
        Error::Malformed { at, reason }
    );
}

#[test]
fn short_elements_do_not_fill_the_memory() {
    // A million empty lists of one byte each would take 24 bytes each, and three times that while their list grows.
    let mut body = vec![0x9A, 0x00, 0x10, 0x00, 0x00];
    body.resize(5 + (1 << 20), 0x80);
    let bytes = around(&body);
    let reason = "the model takes more memory than a file of this length may";
    let at = String::new();
    let error = from_bytes::<Vec<Vec<f64>>>(&bytes).unwrap_err();
    assert_eq!(error, Error::Malformed { at, reason });
    // Such a model is not written either.
    let lists = vec![Vec::<f64>::new(); 1 << 20];
    let at = String::new();
    assert_eq!(
        to_bytes(&lists).unwrap_err(),
        Error::Malformed { at, reason }
    );
    let words: Vec<String> = (0..1 << 16).map(|word| (word % 10).to_string()).collect();
    let bytes = to_bytes(&words).unwrap();
    assert_eq!(from_bytes::<Vec<String>>(&bytes).unwrap(), words);
    Contents::from_bytes(&bytes).unwrap();
}

/// All memory that is allocated is counted, also where the elements alone would be few enough: the bytes of texts, and the values of maps.
#[test]
fn all_that_is_allocated_counts() {
    // An element takes 8 bytes of the file and three places of 104 bytes: 39 times as much, and its five letters come on top.
    type Element = (String, Option<[u64; 9]>);
    let reason = "the model takes more memory than a file of this length may";
    let at = String::new();
    let too_much = Error::Malformed { at, reason };
    assert_eq!(size_of::<Element>(), 104);
    let element = b"\x82\x65abcde\xF6";
    let texts = [&[0x99, 0x75, 0x30][..], &element.repeat(30_000)].concat();
    let found = from_bytes::<Vec<Element>>(&around(&texts)).err();
    assert_eq!(found, Some(too_much.clone()));
    let mut map = vec![0xB9, 0x75, 0x30];
    for key in 0..30_000_u16 {
        map.push(0x19);
        map.extend(key.to_be_bytes());
        map.push(0xF6);
    }
    let found = from_bytes::<BTreeMap<u16, Option<[f64; 16]>>>(&around(&map));
    assert_eq!(found.unwrap_err(), too_much);
}

#[test]
fn blocks_of_numbers_are_full() {
    let reason = "a list of numbers does not fill its block of bytes";
    for body in [
        &[0xD8, 86, 0x40][..],
        &[0xD8, 86, 0x47, 0, 0, 0, 0, 0, 0, 0],
    ] {
        let at = String::new();
        let error = from_bytes::<Vec<f64>>(&around(body)).unwrap_err();
        assert_eq!(error, Error::Malformed { at, reason });
    }
}

/// Loading takes no more than four times the file. The memory is that of the whole program, whose other tests are small.
#[test]
fn loading_takes_no_more_than_four_times_the_file() {
    let large = vec![0.1; 1 << 21];
    let bytes = to_bytes(&large).unwrap();
    let before = PEAK.current_usage();
    PEAK.reset_peak_usage();
    let loaded: Vec<f64> = from_bytes(&bytes).unwrap();
    let taken = PEAK.peak_usage() - before;
    assert_eq!(loaded, large);
    assert!(
        taken <= 3 * bytes.len() + (4 << 20),
        "{taken} for {}",
        bytes.len()
    );
}

#[test]
fn what_follows_the_model_is_refused() {
    let reason = "there is something behind the model";
    let at = String::new();
    let expected = Error::Malformed { at, reason };
    for behind in [0, 1] {
        let bytes = around(&[0xF9, 0x3C, 0x00, behind]);
        assert_eq!(from_bytes::<f64>(&bytes).unwrap_err(), expected);
        assert_eq!(Contents::from_bytes(&bytes).unwrap_err(), expected);
    }
}

#[test]
fn nan_made_by_hand_is_refused() {
    let alone = around(&[0xF9, 0x7E, 0x00]);
    let at = String::new();
    assert_eq!(
        from_bytes::<f64>(&alone).unwrap_err(),
        Error::NotANumber { at }
    );
    let in_list = [&[0xD8, 86, 0x48][..], &f64::NAN.to_le_bytes()].concat();
    let in_list = around(&in_list);
    let at = String::new();
    let expected = Error::NotANumber { at };
    assert_eq!(from_bytes::<Vec<f64>>(&in_list).unwrap_err(), expected);
    assert_eq!(Contents::from_bytes(&in_list).unwrap_err(), expected);
}

#[test]
fn fields_that_the_type_does_not_have_are_refused() {
    #[derive(Serialize, Deserialize)]
    #[serde(rename = "Point")]
    struct Wide {
        x: f64,
        y: f64,
    }
    #[derive(Debug, Deserialize)]
    #[expect(dead_code)]
    struct Point {
        x: f64,
        #[serde(default)]
        z: f64,
    }
    let bytes = to_bytes(&Wide { x: 1.0, y: 2.0 }).unwrap();
    let at = "y".to_owned();
    let reason = "its type has no field of this name";
    assert_eq!(
        from_bytes::<Point>(&bytes).unwrap_err(),
        Error::Malformed { at, reason }
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// A damaged file whose checksum is right is an error or another model; it never panics.
    #[test]
    fn forged_files_do_not_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = to_bytes(&model()).unwrap();
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
            bytes.resize(bytes.len().max(24), 0);
        }
        let bytes = sealed(bytes);
        let _ = from_bytes::<Model>(&bytes);
        let _ = Contents::from_bytes(&bytes).map(|contents| contents.to_string());
    }

    /// A body of random bytes is an error or a model; it never panics.
    #[test]
    fn arbitrary_bodies_do_not_panic(body in prop::collection::vec(any::<u8>(), 0..200)) {
        let bytes = around(&body);
        let _ = from_bytes::<Model>(&bytes);
        let _ = Contents::from_bytes(&bytes).map(|contents| contents.to_string());
    }
}
