//! Kernels made of kernels, or of closures.
//!
//! Each of them is a kernel on all samples on which its parts are kernels. Every kernel has the methods `plus`, `times` and
//! `scaled` of [`Kernel`](crate::Kernel); one line, [`composable!`](crate::composable), gives it the
//! operators `+` and `*`.

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
pub use operators::Composable;
pub use pointwise::{Product, Sum};
pub use scaled::Scaled;
pub use tensor::Tensor;
pub use weighted_sum::WeightedSum;
