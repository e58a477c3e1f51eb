//! Kernels that depend on the difference of two samples only.

mod bandwidth;
mod distance;
mod exponential;
mod gaussian;
mod laplacian;
mod length_scales;
mod matern;
mod periodic;
mod rational_quadratic;

pub use exponential::Exponential;
pub use gaussian::Gaussian;
pub use laplacian::Laplacian;
pub use length_scales::LengthScales;
pub use matern::Matern;
pub use periodic::Periodic;
pub use rational_quadratic::RationalQuadratic;
