//! Every space, every linear method, every kernel method, every search and every fit to blocks or batches, on small matrices of any numbers.

use npt::Scalar;
use npt_fuzz::{
    Case,
    fits::{self, End},
};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::{cell::RefCell, collections::BTreeMap, env};

/// Data sets a fit is tried on: hundreds, or ten thousand where all is asked for.
fn cases() -> u32 {
    if env::var_os("NPT_FULL").is_some() {
        10_000
    } else {
        300
    }
}

/// As many as the largest case takes.
const BYTES: usize = 136;

/// How often each fit predicted, and how often it was out of time.
type Ends = BTreeMap<&'static str, (u32, u32)>;

fn check_all<F: Scalar>(bytes: &[u8], ends: &mut Ends) {
    let case = Case::<F>::of(bytes);
    for fit in fits::all() {
        let (predicted, out_of_time) = ends.entry(fit.name).or_default();
        match fits::check(&fit, &case) {
            End::Predicted => *predicted += 1,
            End::OutOfTime => *out_of_time += 1,
            End::Refused => {}
        }
    }
}

/// The same data sets for everyone. In neither precision is there a fit that predicts of none.
#[test]
fn every_fit_refuses_or_predicts_numbers() {
    let config = Config {
        cases: cases(),
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let (double, single) = (RefCell::new(Ends::new()), RefCell::new(Ends::new()));
    let found = TestRunner::new_with_rng(config, rng).run(&vec(any::<u8>(), BYTES), |bytes| {
        check_all::<f64>(&bytes, &mut double.borrow_mut());
        check_all::<f32>(&bytes, &mut single.borrow_mut());
        Ok(())
    });
    found.unwrap_or_else(|failure| panic!("{failure}"));
    for (scalar, ends) in [("f64", double), ("f32", single)] {
        for (name, (predicted, out_of_time)) in ends.into_inner() {
            println!("{name}, {scalar}: predicted {predicted}, out of time {out_of_time}");
            assert!(predicted > 0, "{name} never predicts in {scalar}");
        }
    }
}
