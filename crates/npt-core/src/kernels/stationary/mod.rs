//! Kernels that depend on the difference of two samples only.

mod bandwidth;
mod bessel;
mod distance;
mod exponential;
mod gaussian;
mod laplacian;
mod length_scales;
mod matern;
mod of_distance;
mod periodic;
mod rational_quadratic;
mod spectral_measure;

pub use bessel::Bessel;
pub(super) use distance::Scales;
pub(crate) use distance::center;
pub use exponential::Exponential;
pub use gaussian::Gaussian;
pub use laplacian::Laplacian;
pub use length_scales::LengthScales;
pub(super) use length_scales::of_quotients;
pub use matern::Matern;
pub use periodic::Periodic;
pub use rational_quadratic::RationalQuadratic;
pub use spectral_measure::SpectralMeasure;

#[cfg(test)]
mod tests;
