//! Samples that are no vectors: every kernel of them through all laws, against a definition written
//! anew, and on what is outside its domain.

mod graphs;
mod libraries;
mod precomputed;
mod sets;
mod sparse;
mod strings;
mod user_defined;
