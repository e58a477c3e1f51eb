//! Tests of the operations of the seam, in both implementations.

mod cholesky;
mod eigh;
mod hadamard;
mod implementations;
mod leading;
mod orthonormal;
mod products;
mod triangular;

use super::*;
use crate::Error;
use ndarray::Array;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;
use std::{cmp::Ordering, ops::Range};

fn random(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    Array::from_shape_simple_fn((rows, columns), || rng.gen_range(-1.0..1.0))
}

fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}
