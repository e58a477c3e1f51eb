//! Predictions at new samples, far out too, against the textbook formula in the same precision.

mod conditioning;
mod formulas;
mod unequal;

use ndarray::Array2;
use npt::Scalar;

/// What a result may be off by: ten times what the textbook formula is, or a few roundings.
const FACTOR: f64 = 10.0;

fn cast<F: Scalar>(x: &Array2<f64>) -> Array2<F> {
    x.mapv(F::cast)
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |m, v| m.max(v.abs()))
}
