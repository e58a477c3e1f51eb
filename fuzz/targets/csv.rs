//! See [`npt_fuzz::tables::csv`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| npt_fuzz::tables::csv(bytes));
