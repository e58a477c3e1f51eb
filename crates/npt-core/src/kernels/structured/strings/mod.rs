//! Kernels of strings, and of anything that reads as one.
//!
//! Letters are Unicode scalar values, `char`; sequences over another alphabet are written with one
//! `char` a letter.

mod mismatch;
mod spectrum;
mod subsequence;

pub use mismatch::Mismatch;
pub use spectrum::Spectrum;
pub use subsequence::Subsequence;

fn letters(text: &(impl AsRef<str> + ?Sized)) -> Vec<char> {
    text.as_ref().chars().collect()
}
