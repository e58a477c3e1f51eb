//! Kernels of samples that are no vectors.

mod counts;
mod graphs;
mod sets;
mod strings;

pub use graphs::WeisfeilerLehman;
pub use sets::{FiniteSet, Jaccard};
pub use strings::{Mismatch, Spectrum, Subsequence};
