//! Transformers of records that linfa lacks, to go in front of a kernel method: [`Pipeline`](npt_core::Pipeline).

mod imputer;

pub use imputer::{Imputer, ImputerParams};
