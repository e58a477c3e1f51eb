//! Reflections that are applied many at a time.

use super::{Real, multiply_into, solve_lower, solve_upper};
use crate::{linalg::PANEL, watch::Carrier};
use faer::MatRef;
use ndarray::Array2;
use rayon::prelude::*;

/// The product of several reflections: Q = I − VᵀT⁻¹V, where T is the upper triangle of VVᵀ with half of its
/// diagonal.
///
/// # References
/// T. Joffrain, T. M. Low, E. S. Quintana-Ortí, R. van de Geijn, F. G. Van Zee, "Accumulating Householder
/// Transformations, Revisited", ACM TOMS 32(2), 2006. doi:10.1145/1141885.1141886
pub(super) struct Reflections<F> {
    /// The index of the first entry that the reflections change.
    pub(super) first: usize,
    /// V, one reflection a row.
    pub(super) directions: Array2<F>,
    /// The triangle T.
    pub(super) triangle: Array2<F>,
}

impl<F: Real> Reflections<F> {
    /// Applies Q to vectors, one a row.
    pub(super) fn apply(&self, rows: &mut [F], size: usize) {
        self.apply_with(rows, size, |along| solve_upper(self.triangle.view(), along));
    }

    /// Applies Qᵀ, the reflections in reverse order, to vectors, one a row.
    pub(super) fn apply_transposed(&self, rows: &mut [F], size: usize) {
        self.apply_with(rows, size, |along| solve_lower(self.triangle.t(), along));
    }

    fn apply_with(&self, rows: &mut [F], size: usize, solve: impl Fn(&mut Array2<F>) + Sync) {
        let (count, length) = self.directions.dim();
        let directions = self.directions.as_slice().expect("made row by row");
        let directions = MatRef::from_row_major_slice(directions, count, length);
        let carrier = Carrier::new();
        let apply = |rows: &mut [F]| {
            let vectors = rows.len() / size;
            let rows = &mut rows[self.first..];
            let mut along = Array2::zeros((count, vectors));
            let parts = MatRef::from_row_major_slice_with_stride(rows, vectors, length, size);
            let slice = along.as_slice_mut().expect("fresh matrices are row-major");
            multiply_into(slice, vectors, F::one(), directions, parts.transpose());
            solve(&mut along);
            let slice = along.as_slice().expect("fresh matrices are row-major");
            let along = MatRef::from_row_major_slice(slice, count, vectors);
            multiply_into(rows, size, -F::one(), along.transpose(), directions);
        };
        let parts = rows.par_chunks_mut(PANEL * size);
        parts.for_each(|rows| carrier.over(|| apply(rows)));
    }
}
