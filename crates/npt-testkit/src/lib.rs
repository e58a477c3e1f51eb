//! Laws as reusable checks, independent oracles, and seeded toy data.
//!
//! Someone who writes a kernel calls [`laws::check_kernel`] and [`laws::check_exact`] in a test;
//! someone who writes a space builder calls [`laws::check_space`].

pub mod data;
pub mod laws;
pub mod oracles;
