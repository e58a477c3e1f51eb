//! The tests that both linear algebras have to pass: the laws of kernels and spaces, and the kernel-trick formula of each method.

mod equivalence;
mod laws;
