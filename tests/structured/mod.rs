//! Tests samples that are no vectors: every kernel of them against all laws and against a definition written
//! anew, and samples outside its domain.

mod graphs;
mod libraries;
mod precomputed;
mod sets;
mod sparse;
mod strings;
mod user_defined;
