//! The pivoted Cholesky factor of a kernel matrix that is never formed.
//!
//! Only the columns of the chosen pivots are evaluated, so a matrix of numerical rank s costs n·s
//! kernel values and about n·s² − ⅔s³ flops. Pivots are chosen in blocks: one column at a time is
//! bound by memory, a block is one matrix product.

mod greedy;
mod panel;
mod work;

use crate::{Error, Kernel, Samples, Scalar};
use linfa::Float as _;
use ndarray::{Array2, ArrayView2, Axis, s};
use num_traits::Float as _;
use work::Work;

/// 𝒦 ≈ FFᵀ, with L = the rows of F at the pivots.
pub(super) struct Factor<F> {
    /// The chosen samples, in the order chosen (s of them).
    pub(super) pivots: Vec<usize>,
    /// L, lower triangular (s, s), with LLᵀ = 𝒦 on the pivots.
    pub(super) lower: Array2<F>,
    /// F = the coordinates L⁻¹κ(pivots, x) of all samples, shape (n, s).
    pub(super) features: Array2<F>,
    /// Trace of 𝒦.
    pub(super) trace: F,
    /// Whether nothing above rounding level is left.
    pub(super) is_complete: bool,
}

/// When to stop before rounding level.
pub(super) struct Stop {
    /// Remaining share of the trace at which the factor is good enough.
    pub(super) tolerance: f64,
    /// Largest number of pivots.
    pub(super) most: usize,
}

/// Factors the kernel matrix of `x`; `None` if a sign was met that no positive semidefinite matrix
/// shows. Of a kernel that is known to be positive semidefinite such a sign is rounding: where long
/// samples are pivots, a short one gathers more of it than its own length explains.
pub(super) fn factor<S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &K,
    x: &S,
    stop: &Stop,
) -> Result<Option<Factor<K::Scalar>>, Error> {
    let Some(mut work) = Work::begin(kernel, x)? else {
        return Ok(None);
    };
    let tolerance = K::Scalar::cast(stop.tolerance).max(work.rounding);
    let known = kernel.is_positive_semidefinite();
    while work.pivots.len() < stop.most && work.remaining() > tolerance * work.trace {
        if !known && work.has_negative_residual() {
            return Ok(None);
        }
        let (block, lower) = work.choose_block(stop.most - work.pivots.len());
        work.add_block(&block, &lower)?;
    }
    if !known && (work.has_negative_residual() || work.has_large_entry()?) {
        return Ok(None);
    }
    let mut factor = work.finish();
    if stop.tolerance > 0.0 {
        factor.drop_surplus(tolerance);
    }
    Ok(Some(factor))
}

impl<F: Scalar> Factor<F> {
    /// Drops trailing pivots of the last block that the tolerance does not need.
    fn drop_surplus(&mut self, tolerance: F) {
        let explained: Vec<F> = self
            .features
            .axis_iter(Axis(1))
            .map(|column| column.dot(&column))
            .collect();
        let mut left = self.trace - explained.iter().copied().sum();
        let mut keep = explained.len();
        while keep > 0 && left + explained[keep - 1] <= tolerance * self.trace {
            left += explained[keep - 1];
            keep -= 1;
        }
        self.is_complete &= keep == self.pivots.len();
        self.pivots.truncate(keep);
        self.lower = self.lower.slice(s![..keep, ..keep]).to_owned();
        self.features = self.features.slice(s![.., ..keep]).to_owned();
    }
}

/// Refuses NaN and infinities among kernel values of the samples `rows` and `columns`.
pub(super) fn check_finite<F: Scalar>(
    block: ArrayView2<'_, F>,
    rows: &[usize],
    columns: &[usize],
) -> Result<(), Error> {
    match block.indexed_iter().find(|(_, value)| !value.is_finite()) {
        None => Ok(()),
        Some(((i, j), value)) => Err(Error::KernelNotFinite {
            row: rows[i],
            column: columns[j],
            value: value.as_f64(),
        }),
    }
}
