//! See [`npt_fuzz::strings::run`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| npt_fuzz::strings::run(bytes));
