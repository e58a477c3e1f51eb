//! Every space, every linear method and every kernel method, on small matrices of any numbers.

use npt::Scalar;
use npt_fuzz::{Case, fits};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::env;

/// Data sets a fit is tried on: hundreds, or ten thousand where all is asked for.
fn cases() -> u32 {
    if env::var_os("NPT_FULL").is_some() {
        10_000
    } else {
        300
    }
}

fn check_all<F: Scalar>(bytes: &[u8]) {
    let case = Case::<F>::of(bytes);
    for (name, fit) in fits::all() {
        fits::check(name, fit, &case);
    }
}

/// The same data sets for everyone.
#[test]
fn every_fit_refuses_or_predicts_numbers() {
    let config = Config {
        cases: cases(),
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let found = TestRunner::new_with_rng(config, rng).run(&vec(any::<u8>(), 96), |bytes| {
        check_all::<f64>(&bytes);
        check_all::<f32>(&bytes);
        Ok(())
    });
    found.unwrap_or_else(|failure| panic!("{failure}"));
}
