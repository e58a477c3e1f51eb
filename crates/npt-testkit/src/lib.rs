//! Laws as reusable checks, independent oracles, seeded toy data, and readers of public data sets.
//!
//! Authors of a kernel call [`laws::check_kernel`] and [`laws::check_exact`] in a test;
//! authors of a space builder call [`laws::check_space`].
//!
//! The words of these pages are in the glossary, `docs/glossary.md` of the repository.

pub mod data;
pub mod datasets;
pub mod laws;
pub mod oracles;
