//! Kernels for categories, written as numbers, and for records that mix them with measurements.

mod gower;
mod simple_matching;

pub use gower::Gower;
pub use simple_matching::SimpleMatching;
