//! Transformers of records that linfa lacks, to go in front of a kernel method: [`Pipeline`](npt_core::Pipeline).

mod imputer;
mod one_hot;
mod scaler;

pub use imputer::{Imputer, ImputerParams};
pub use one_hot::{OneHot, OneHotParams};
pub use scaler::{StandardScaler, StandardScalerParams};
