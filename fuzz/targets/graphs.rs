//! See [`npt_fuzz::graphs::run`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| npt_fuzz::graphs::run(bytes));
