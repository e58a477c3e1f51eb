//! Tests spaces that few landmarks span.

mod condensed;
mod fourier;
mod homogeneous;
mod iterative_ridge;
mod kernel_errors;
mod landmarks;
mod laws;
mod methods;
mod named;
mod represented;
mod streaming;
mod table;
mod tensor_sketch;
