//! Models whose writing or reading is cancelled.

use npt_model_file::{Error, from_bytes, to_bytes};
use npt_watch::{CancellationToken, Interrupted};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::{Cell, RefCell};

/// The number of elements of a list.
const ELEMENTS: usize = 20_000;

/// The largest number of bytes after which the cancellation is noticed.
const STEP: usize = 1 << 15;

thread_local! {
    static TOKEN: RefCell<CancellationToken> = RefCell::new(CancellationToken::new());
    /// The number of the element at which the token is cancelled.
    static LAST: Cell<usize> = const { Cell::new(0) };
    static PASSED: Cell<usize> = const { Cell::new(0) };
}

/// Counts an element that is written or read.
fn pass() {
    PASSED.set(PASSED.get() + 1);
    if PASSED.get() == LAST.get() {
        TOKEN.with_borrow(CancellationToken::cancel);
    }
}

/// An element that counts itself when it is written or read.
#[derive(Clone)]
struct Passing<T>(T);

impl<T: Serialize> Serialize for Passing<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        pass();
        self.0.serialize(serializer)
    }
}

impl<'a, T: Deserialize<'a>> Deserialize<'a> for Passing<T> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        pass();
        T::deserialize(deserializer).map(Self)
    }
}

/// Cancels the token at element `last`; returns the number of elements that passed afterwards, and the stage that ended.
fn late<M>(last: usize, work: impl FnOnce() -> Result<M, Error>) -> (usize, &'static str) {
    let token = CancellationToken::new();
    TOKEN.set(token.clone());
    LAST.set(last);
    PASSED.set(0);
    match token.run(work) {
        Err(Interrupted::Cancelled { stage }) => (PASSED.get() - last, stage),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("nothing noticed the end at {last}"),
    }
}

/// Checks that lists of elements of `size` bytes end within a step.
fn ends_within_a_step<T>(element: T, size: usize)
where
    T: Clone + Serialize + for<'a> Deserialize<'a>,
{
    let most = STEP.div_ceil(size);
    let list = vec![Passing(element); ELEMENTS];
    let bytes = to_bytes(&list).unwrap();
    for last in [1, 9_999, ELEMENTS] {
        let (written, stage) = late(last, || to_bytes(&list));
        assert_eq!(stage, "serialization");
        assert!(written <= most, "{written} after {last}, of {size} bytes");
        let (read, stage) = late(last, || from_bytes::<Vec<Passing<T>>>(&bytes));
        assert_eq!(stage, "deserialization");
        assert!(read <= most, "{read} after {last}, of {size} bytes");
    }
}

#[test]
fn lists_end_within_a_step() {
    ends_within_a_step(0.5_f64, 8);
    ends_within_a_step(String::from("0123456789"), 11);
    ends_within_a_step(vec![1_u16, 2], 7);
    ends_within_a_step((true, Some(false)), 4);
}
