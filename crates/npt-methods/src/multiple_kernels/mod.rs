//! Combinations of kernels, learned from targets.

mod alignment;
mod grams;
mod non_negative;
mod svm_mkl;

pub use alignment::{Alignment, centered_alignment};
pub use svm_mkl::SvmMkl;
