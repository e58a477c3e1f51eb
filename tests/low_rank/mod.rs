//! Spaces that few landmarks span.

mod fourier;
mod landmarks;
mod laws;
mod methods;
mod streaming;
