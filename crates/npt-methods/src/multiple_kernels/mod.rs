//! Combinations of kernels, learned from targets.

mod alignment;
mod non_negative;

pub use alignment::{Alignment, centered_alignment};
