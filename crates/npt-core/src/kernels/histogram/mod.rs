//! Kernels for histograms: vectors of counts or shares, with features of at least 0.

mod additive_chi_squared;
mod chi_squared;
mod homogeneous;
mod intersection;
mod min_max;

pub use additive_chi_squared::AdditiveChiSquared;
pub use chi_squared::ChiSquared;
pub use homogeneous::HomogeneousKernel;
pub use intersection::HistogramIntersection;
pub use min_max::MinMax;
