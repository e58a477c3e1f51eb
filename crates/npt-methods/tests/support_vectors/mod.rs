//! Tests of the support vector methods on plain matrices and with kernels.

mod classes;
mod hard_margin;
mod libsvm;
mod many_classes;
mod optimality;
mod probabilities;
mod promised;
mod quantile_regression;
mod refused;

use ndarray::Array2;
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;

fn normal(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || rng.sample(StandardNormal))
}
