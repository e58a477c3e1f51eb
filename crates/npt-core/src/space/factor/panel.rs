//! The unit of parallelism: a panel of samples that are not pivots yet.

use super::RoundingLevel;
use crate::{
    Scalar,
    linalg::{PANEL, transposed},
};
use ndarray::{Array2, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis};

/// The number of ε by which a residual may be off, in units of the numbers that it was computed from: as many as
/// the values of the least exact kernel are off. It is multiplied by the root of the number of pivots.
const HIGHEST: f64 = 16.0;

/// The number of ε by which a residual usually is off. With linear, polynomial and Gaussian kernels in f32, on
/// 60 to 1000 samples and up to 200 pivots, it was 0.5 to 3, seldom up to 8, and hardly more after many pivots.
const USUAL: f64 = 4.0;

/// The number of samples whose features are turned to rows at a time.
const COPIED: usize = 16;

/// The samples of one stretch that are not pivots yet. Panels are worked on in parallel.
pub(super) struct Panel<F> {
    /// Indices of the samples, ascending.
    pub(super) ids: Vec<usize>,
    /// The κ(x, x) of the samples.
    pub(super) diagonal: Vec<F>,
    /// The residuals: κ(x, x) less the squared length of the features so far; 0 where the difference is rounding.
    pub(super) residuals: Vec<F>,
    /// Σ tₚ²κ(p, p) over the pivots p, with tₚ the weights that predict φ(x) from them. The weight of a pivot is the
    /// sample's feature over the pivot's root: exactly for the last pivot, and about that for the others.
    borrowed: Vec<F>,
    /// The features so far, transposed: one row a pivot, one column a sample.
    features: Vec<F>,
    level: RoundingLevel,
}

impl<F: Scalar> Panel<F> {
    pub(super) fn new(ids: Vec<usize>, diagonal: Vec<F>, level: RoundingLevel) -> Self {
        Self {
            residuals: diagonal.clone(),
            borrowed: vec![F::zero(); ids.len()],
            features: Vec::new(),
            ids,
            diagonal,
            level,
        }
    }

    pub(super) fn features(&self) -> ArrayView2<'_, F> {
        ArrayView2::from_shape((self.pivots(), self.ids.len()), &self.features)
            .expect("one feature a pivot and sample")
    }

    fn pivots(&self) -> usize {
        self.features.len().checked_div(self.ids.len()).unwrap_or(0)
    }

    /// Returns the level up to which the residual at `position` is taken for rounding.
    pub(super) fn noise(&self, position: usize) -> F {
        self.noise_by(self.level, position)
    }

    /// Returns the residual that the sample at `position` needs to be a pivot, if other residuals are up to `largest`.
    ///
    /// Rounding usually leaves an amount u of the sample's residual s unknown, so that the direction of what is left of
    /// the sample is known to u / s. Other samples may extend along this direction by all that is left of them. Their
    /// residuals are then known to largest · u / s, which is √ε of κ(x, x) or less if s is above this floor.
    pub(super) fn pivot_floor(&self, position: usize, largest: F) -> F {
        let known = F::epsilon().sqrt() * self.diagonal[position];
        let unknown = self.noise_by(RoundingLevel::Usual, position);
        self.noise(position).max(unknown * (largest / known))
    }

    /// Returns what rounding leaves unknown of the residual at `position`: see [`factor`](super::factor).
    fn noise_by(&self, level: RoundingLevel, position: usize) -> F {
        let few = match level {
            RoundingLevel::Highest => F::cast(HIGHEST) * F::cast(self.pivots() + 1).sqrt(),
            RoundingLevel::Usual => F::cast(USUAL),
        };
        let size = self.diagonal[position].sqrt() + self.borrowed[position].sqrt();
        few * F::epsilon() * size * size
    }

    /// Iterates over the residuals, each with the largest error that rounding may have made in it.
    fn pairs(&self) -> impl Iterator<Item = (F, F)> {
        let residuals = self.residuals.iter().enumerate();
        residuals.map(|(position, &residual)| {
            (residual, self.noise_by(RoundingLevel::Highest, position))
        })
    }

    /// Returns a sample with a residual that is negative by more than `slack` times what rounding explains.
    pub(super) fn negative_residual(&self, slack: F) -> Option<usize> {
        let mut pairs = self.pairs();
        let found = pairs.position(|(residual, noise)| residual < -(slack * noise));
        found.map(|position| self.ids[position])
    }

    /// Returns the largest √sᵢᵢ that the residuals allow, rounding included.
    pub(super) fn bounds(&self) -> Vec<F> {
        let pairs = self.pairs();
        pairs
            .map(|(residual, noise)| (residual.max(F::zero()) + noise).sqrt())
            .collect()
    }

    /// Adds the features of a block of pivots, one row each, with κ(p, p) and root of each pivot p.
    pub(super) fn extend(&mut self, block: Array2<F>, pivots: &[(F, F)]) {
        for (row, &(diagonal, root)) in block.outer_iter().zip(pivots) {
            let samples = self.residuals.iter_mut().zip(&mut self.borrowed);
            for ((residual, borrowed), &feature) in samples.zip(row) {
                *residual -= feature * feature;
                let weight = feature / root;
                *borrowed += weight * weight * diagonal;
            }
        }
        self.features.extend(block);
        // The noise is that of all pivots, those of the block included.
        for position in 0..self.residuals.len() {
            if self.residuals[position].abs() <= self.noise(position) {
                self.residuals[position] = F::zero();
            }
        }
    }

    /// Copies the features, one row a sample, and the part of κ(x, x) that they leave, to the rows of the stretch that has
    /// these samples.
    pub(super) fn copy_to(
        &self,
        features: &mut ArrayViewMut2<'_, F>,
        residuals: &mut ArrayViewMut1<'_, F>,
    ) {
        let columns = self.features();
        let parts = columns.axis_chunks_iter(Axis(1), COPIED);
        let samples = self.ids.chunks(COPIED).zip(self.diagonal.chunks(COPIED));
        for (part, (ids, diagonal)) in parts.zip(samples) {
            let rows = transposed(part);
            for (row, (&id, &diagonal)) in rows.outer_iter().zip(ids.iter().zip(diagonal)) {
                features.row_mut(id % PANEL).assign(&row);
                // Residuals are computed anew: some were set to 0 as too small for a pivot, but what is left is left.
                residuals[id % PANEL] = (diagonal - row.dot(&row)).max(F::zero());
            }
        }
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
        keep_columns(&mut self.borrowed, stays.len(), &kept);
        keep_columns(&mut self.features, stays.len(), &kept);
    }
}

/// Keeps the columns `kept`, ascending, of a row-major matrix with `columns` columns, in place.
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

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn samples_are_taken_out_with_all_that_is_theirs() {
        let mut panel = Panel::new(vec![3, 5, 8], vec![1.0, 2.0, 3.0], RoundingLevel::Highest);
        panel.extend(
            array![[0.5, 0.25, 0.125], [0.0, 0.5, 0.25]],
            &[(1.0, 1.0), (4.0, 0.5)],
        );
        panel.remove([1].into_iter());
        assert_eq!(panel.ids, [3, 8]);
        assert_eq!(panel.diagonal, [1.0, 3.0]);
        assert_eq!(panel.residuals, [0.75, 3.0 - 1.0 / 64.0 - 1.0 / 16.0]);
        assert_eq!(panel.borrowed, [0.25, 1.0 / 64.0 + 1.0]);
        assert_eq!(panel.features(), array![[0.5, 0.125], [0.0, 0.25]]);
        panel.remove([].into_iter());
        assert_eq!(panel.ids, [3, 8]);
    }
}
