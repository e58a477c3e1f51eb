//! Tests of ridge regression on plain matrices, of its path, and of its kernel version where it is hard.

mod leave_one_out;
mod refused;
mod values;

use ndarray::Array2;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

fn random(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || rng.gen_range(-1.0..1.0))
}
