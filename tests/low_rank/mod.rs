//! Spaces that few landmarks span.

mod condensed;
mod fourier;
mod iterative_ridge;
mod landmarks;
mod laws;
mod methods;
mod ridge_of_blocks;
mod streaming;
