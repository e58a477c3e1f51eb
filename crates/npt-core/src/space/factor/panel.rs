//! The unit of parallelism: samples that wait to be explained.

use super::RoundingLevel;
use crate::{
    Scalar,
    linalg::{PANEL, transposed},
};
use ndarray::{Array2, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis};

/// How many ε a residual may be off by, in units of what it was computed from: as many as the least
/// exact of the kernels' values; times the root of the number of pivots.
const HIGHEST: f64 = 16.0;

/// How many ε it usually is off by: of linear, polynomial and Gaussian kernels in f32, on 60 to 1000
/// samples and up to 200 pivots, 0.5 to 3, seldom up to 8, and hardly more after many pivots.
const USUAL: f64 = 4.0;

/// Samples whose features are turned to rows at a time.
const COPIED: usize = 16;

/// The samples of one stretch that are not pivots yet. Panels are what runs in parallel.
pub(super) struct Panel<F> {
    /// Indices of the samples, ascending.
    pub(super) ids: Vec<usize>,
    /// κ(x, x).
    pub(super) diagonal: Vec<F>,
    /// κ(x, x) less the squared length of the features so far; 0 where that is rounding.
    pub(super) residuals: Vec<F>,
    /// Σ tₚ²κ(p, p) over the pivots p, with tₚ the weights that predict φ(x) from them: the last
    /// pivot's is its feature over its root, the others' are about that.
    borrowed: Vec<F>,
    /// Features so far, transposed: one row a pivot, one column a sample.
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

    /// What is taken for rounding of the residual at `position`.
    pub(super) fn noise(&self, position: usize) -> F {
        self.noise_by(self.level, position)
    }

    /// How much has to be left of the sample at `position` for a pivot, where up to `largest` is left of
    /// others.
    ///
    /// Of what is left of it, s, rounding usually leaves an amount u unknown, so that its direction is known
    /// to u / s. Others may extend along that by all that is left of them, and their residuals are then known
    /// to largest · u / s: to √ε of κ(x, x), if s is above this floor.
    pub(super) fn pivot_floor(&self, position: usize, largest: F) -> F {
        let known = F::epsilon().sqrt() * self.diagonal[position];
        let unknown = self.noise_by(RoundingLevel::Usual, position);
        self.noise(position).max(unknown * (largest / known))
    }

    /// What rounding leaves unknown of the residual at `position`: see [`factor`](super::factor).
    fn noise_by(&self, level: RoundingLevel, position: usize) -> F {
        let few = match level {
            RoundingLevel::Highest => F::cast(HIGHEST) * F::cast(self.pivots() + 1).sqrt(),
            RoundingLevel::Usual => F::cast(USUAL),
        };
        let size = self.diagonal[position].sqrt() + self.borrowed[position].sqrt();
        few * F::epsilon() * size * size
    }

    /// The residuals, and the most that rounding may have made of them.
    fn pairs(&self) -> impl Iterator<Item = (F, F)> {
        let residuals = self.residuals.iter().enumerate();
        residuals.map(|(position, &residual)| {
            (residual, self.noise_by(RoundingLevel::Highest, position))
        })
    }

    /// A sample with a residual that is negative by more than `slack` times what rounding explains.
    pub(super) fn negative_residual(&self, slack: F) -> Option<usize> {
        let mut pairs = self.pairs();
        let found = pairs.position(|(residual, noise)| residual < -(slack * noise));
        found.map(|position| self.ids[position])
    }

    /// The largest √sᵢᵢ that the residuals allow, rounding included.
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
        // By all pivots, those of the block included.
        for position in 0..self.residuals.len() {
            if self.residuals[position].abs() <= self.noise(position) {
                self.residuals[position] = F::zero();
            }
        }
    }

    /// Copies the features, one row a sample, and what they leave of κ(x, x), to the rows of the stretch that these samples are in.
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
                // Not those that were set to 0 as too small for a pivot: what is left is left.
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
