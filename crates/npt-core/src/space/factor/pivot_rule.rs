//! The rule by which samples become pivots.

use rand::Rng;
use rand_xoshiro::Xoshiro256Plus;

/// The rule that chooses the next pivots among the samples that the pivots so far do not explain.
#[derive(Debug, Clone)]
pub(crate) enum PivotRule {
    /// Chooses the samples with the largest residuals.
    Largest,
    /// Chooses at random, each sample with a probability proportional to its residual.
    Random(Box<Xoshiro256Plus>),
}

/// Draws an index by weights, which are given as their running sums.
pub(in crate::space) fn draw(sums: &[f64], rng: &mut impl Rng) -> usize {
    let last = sums.len() - 1;
    let point = rng.r#gen::<f64>() * sums[last];
    // Rounding may take the product up to the sum.
    sums.partition_point(|&sum| sum <= point).min(last)
}

/// Returns the running sums of weights.
pub(in crate::space) fn running_sums(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let sums = weights.scan(0.0, |sum, weight| {
        *sum += weight;
        Some(*sum)
    });
    sums.collect()
}
