//! See [`npt_fuzz::fits::run`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| npt_fuzz::fits::run(bytes));
