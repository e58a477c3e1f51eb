//! See [`npt_fuzz::tables::parquet`].

#![no_main]

use std::{
    panic::{catch_unwind, set_hook},
    process::abort,
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // libFuzzer's hook ends the program at every panic, also at panics of the reader of Parquet, which are caught.
    set_hook(Box::new(|_| ()));
    if catch_unwind(|| npt_fuzz::tables::parquet(bytes)).is_err() {
        abort();
    }
});
