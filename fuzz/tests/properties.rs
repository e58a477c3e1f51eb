//! Every space, every linear method and every kernel method, on small matrices of any numbers.

use npt_fuzz::{Case, fits};
use proptest::{prelude::*, test_runner::Config};
use std::env;

/// Data sets a fit is tried on: hundreds, or ten thousand where all is asked for.
fn cases() -> u32 {
    if env::var_os("NPT_FULL").is_some() {
        10_000
    } else {
        300
    }
}

proptest! {
    #![proptest_config(Config { cases: cases(), ..Config::default() })]

    #[test]
    fn every_fit_refuses_or_predicts_numbers(bytes in prop::collection::vec(any::<u8>(), 80)) {
        let case = Case::of(&bytes);
        for (name, fit) in fits::all() {
            fits::check(name, *fit, &case);
        }
    }
}
