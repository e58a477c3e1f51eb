//! Kernels that depend on the difference of two samples only.

mod gaussian;
mod laplacian;

pub use gaussian::Gaussian;
pub use laplacian::Laplacian;
