//! The kernels that come with the crate, and their composition.

mod compose;
mod inner_product;
mod precomputed;
mod sparse;
mod stationary;
mod structured;

pub use compose::{Product, Scaled, Sum, WeightedSum};
pub use inner_product::{Linear, Polynomial, Sigmoid};
pub use precomputed::Precomputed;
pub use sparse::{IgnoresCommonZeros, Sparse};
pub use stationary::{Gaussian, Laplacian};
pub use structured::{FiniteSet, Jaccard, Mismatch, Spectrum, Subsequence, WeisfeilerLehman};
