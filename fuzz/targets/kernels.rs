//! See [`npt_fuzz::kernels::run`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| npt_fuzz::kernels::run(bytes));
