//! The unit of parallelism: samples that wait to be explained.

use crate::{Scalar, scalar::rounding};
use ndarray::{Array2, ArrayView2};

/// The samples of one stretch that are not pivots yet. Panels are what runs in parallel.
pub(super) struct Panel<F> {
    /// Indices of the samples, ascending.
    pub(super) ids: Vec<usize>,
    /// κ(x, x).
    diagonal: Vec<F>,
    /// κ(x, x) less the squared length of the features so far.
    pub(super) residuals: Vec<F>,
    /// Features so far, transposed: one row a pivot, one column a sample.
    features: Vec<F>,
}

impl<F: Scalar> Panel<F> {
    pub(super) fn new(ids: Vec<usize>, diagonal: Vec<F>) -> Self {
        let (residuals, features) = (diagonal.clone(), Vec::new());
        Self {
            ids,
            diagonal,
            residuals,
            features,
        }
    }

    pub(super) fn features(&self) -> ArrayView2<'_, F> {
        let samples = self.ids.len();
        let pivots = self.features.len().checked_div(samples).unwrap_or(0);
        ArrayView2::from_shape((pivots, samples), &self.features)
            .expect("one feature a pivot and sample")
    }

    /// What rounding leaves of a residual. κ(x, p) with the longest pivot p has a rounding of
    /// ε√(κ(x, x)·κ(p, p)), of which a share that depends on neither goes into the residual.
    fn noise(&self, rounding: F, longest: F) -> impl Iterator<Item = F> {
        self.diagonal
            .iter()
            .map(move |&d| rounding * (d * longest).sqrt())
    }

    /// Whether a residual is negative beyond rounding.
    pub(super) fn has_negative_residual(&self, rounding: F, longest: F) -> bool {
        let mut pairs = self.residuals.iter().zip(self.noise(rounding, longest));
        pairs.any(|(&residual, noise)| residual < -noise)
    }

    /// The largest √sᵢᵢ that the residuals allow, rounding included.
    pub(super) fn bounds(&self, rounding: F, longest: F) -> Vec<F> {
        let pairs = self.residuals.iter().zip(self.noise(rounding, longest));
        pairs
            .map(|(&r, noise)| (r.max(F::zero()) + noise).sqrt())
            .collect()
    }

    /// Adds the features of a block of pivots, one row each.
    pub(super) fn extend(&mut self, block: Array2<F>) {
        for row in block.outer_iter() {
            for (residual, &feature) in self.residuals.iter_mut().zip(row) {
                *residual -= feature * feature;
            }
        }
        // What is left of a sample below the rounding of its own diagonal is noise, and the noise
        // of a long sample must not outweigh the residual of a short one.
        for (residual, &diagonal) in self.residuals.iter_mut().zip(&self.diagonal) {
            if residual.abs() <= rounding::<F>(0) * diagonal {
                *residual = F::zero();
            }
        }
        self.features.extend(block);
    }

    /// Takes the samples at `positions` out.
    pub(super) fn remove(&mut self, positions: impl Iterator<Item = usize>) {
        let mut stays = vec![true; self.ids.len()];
        positions.for_each(|position| stays[position] = false);
        let kept: Vec<usize> = (0..stays.len())
            .filter(|&position| stays[position])
            .collect();
        keep_columns(&mut self.ids, stays.len(), &kept);
        keep_columns(&mut self.diagonal, stays.len(), &kept);
        keep_columns(&mut self.residuals, stays.len(), &kept);
        keep_columns(&mut self.features, stays.len(), &kept);
    }
}

/// Keeps the columns `kept`, ascending, of a row-major matrix with so many columns, in place.
fn keep_columns<T: Copy>(values: &mut Vec<T>, columns: usize, kept: &[usize]) {
    if kept.len() == columns {
        return;
    }
    let rows = values.len() / columns;
    for row in 0..rows {
        let (from, to) = (row * columns, row * kept.len());
        for (position, &column) in kept.iter().enumerate() {
            values[to + position] = values[from + column];
        }
    }
    values.truncate(rows * kept.len());
}
