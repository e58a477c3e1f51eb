//! Kernels made of kernels, or of closures.
//!
//! Each is a kernel again wherever its parts are. The kernels of this crate take `+`, `*` and the
//! methods `plus`, `times`, `scaled`; kernels of others have the methods from [`Kernel`].
//!
//! [`Kernel`]: crate::Kernel

mod centered;
mod columns;
mod function;
mod normalized;
mod operators;
mod pointwise;
mod scaled;
mod tensor;
mod weighted_sum;

pub use centered::Centered;
pub use columns::Columns;
pub use function::FnKernel;
pub use normalized::Normalized;
pub use pointwise::{Product, Sum};
pub use scaled::Scaled;
pub use tensor::Tensor;
pub use weighted_sum::WeightedSum;
