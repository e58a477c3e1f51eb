//! Spaces that few landmarks span.

mod condensed;
mod fourier;
mod homogeneous;
mod iterative_ridge;
mod landmarks;
mod laws;
mod methods;
mod ridge_of_blocks;
mod streaming;
