//! New samples, a panel at a time.

use super::factor::check_finite;
use crate::{Error, Kernel, Samples, linalg::PANEL};
use ndarray::Array2;
use std::ops::Range;

/// Features of a panel of new samples, at the most: they stay in the cache of a core.
const CACHED: usize = 1 << 16;

/// New samples in a panel, at the least: products of fewer rows are slow.
const LEAST_ROWS: usize = 32;

/// New samples in a panel, with so many features each.
pub(super) fn panel_rows(features: usize) -> usize {
    (CACHED / features.max(1)).clamp(LEAST_ROWS, PANEL)
}

/// Kernel values of a panel of the new samples x with all others.
pub(super) fn kernel_values<S: Samples, K: Kernel<S>>(
    kernel: &K,
    x: &S,
    panel: Range<usize>,
    others: &S,
) -> Result<Array2<K::Scalar>, Error> {
    let (rows, columns): (Vec<_>, Vec<_>) = (panel.collect(), (0..others.len()).collect());
    let cross = kernel.cross(&x.select(&rows), others);
    check_finite(cross.view(), &rows, &columns)?;
    Ok(cross)
}
