//! See [`npt_fuzz::tables::parquet`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| npt_fuzz::tables::parquet(bytes));
