//! Functions that check what must hold for any bytes: nothing panics, and a result is either a typed error or whole.
//!
//! The programs in `targets/` call them with the bytes that cargo-fuzz finds:
//!
//! ```text
//! cargo +nightly fuzz run model_file fuzz/seeds/model_file --features libfuzzer
//! ```
//!
//! The tests call them with the seeds, with small changes of these, and with the data sets that proptest finds.

pub mod fits;
pub mod graphs;
pub mod kernels;
pub mod libsvm;
pub mod model_file;
pub mod strings;
pub mod tables;

mod case;

pub use case::Case;

/// A function of bytes that panics where something is wrong.
pub type Target = fn(&[u8]);

/// All targets, by the names of their programs and of the folders of their seeds.
pub const TARGETS: [(&str, Target); 9] = [
    ("csv", tables::csv),
    ("fits", fits::run),
    ("graphs", graphs::run),
    ("kernels", kernels::run),
    ("libsvm", libsvm::run),
    ("model_file", model_file::run),
    ("npy", tables::npy),
    ("parquet", tables::parquet),
    ("strings", strings::run),
];
