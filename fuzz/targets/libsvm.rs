//! See [`npt_fuzz::libsvm::run`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| npt_fuzz::libsvm::run(bytes));
