//! Kernels made of kernels.
//!
//! Each is a kernel again wherever its parts are. The kernels of this crate take `+`, `*` and the
//! methods `plus`, `times`, `scaled`; kernels of others have the methods from [`Kernel`].
//!
//! [`Kernel`]: crate::Kernel

mod operators;
mod pointwise;
mod scaled;
mod weighted_sum;

pub use pointwise::{Product, Sum};
pub use scaled::Scaled;
pub use weighted_sum::WeightedSum;
