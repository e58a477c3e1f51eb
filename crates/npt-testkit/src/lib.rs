//! Laws as reusable checks, independent oracles, seeded toy data, and readers of public data sets.
//!
//! Someone who writes a kernel calls [`laws::check_kernel`] and [`laws::check_exact`] in a test;
//! someone who writes a space builder calls [`laws::check_space`].

pub mod data;
pub mod datasets;
pub mod laws;
pub mod oracles;
