//! See [`npt_fuzz::model_file::run`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| npt_fuzz::model_file::run(bytes));
