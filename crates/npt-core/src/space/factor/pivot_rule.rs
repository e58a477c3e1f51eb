//! Which samples become pivots.

use rand_xoshiro::Xoshiro256Plus;

/// How the next pivots are chosen among the samples that the pivots so far do not explain.
#[derive(Debug, Clone)]
pub(crate) enum PivotRule {
    /// Those with the largest residuals.
    Largest,
    /// At random, each sample with a probability proportional to its residual.
    Random(Box<Xoshiro256Plus>),
}
