//! Transformers of records that linfa lacks, to go in front of a kernel method: [`Pipeline`](npt_core::Pipeline).

mod imputer;
mod scaler;

pub use imputer::{Imputer, ImputerParams};
pub use scaler::{StandardScaler, StandardScalerParams};
