//! Vectors as LIBSVM writes them: index and value of each entry that is not 0, with indices from 1.

use crate::Error;
use ndarray::Array2;
use npt_core::{Rows, Samples, Scalar, SparseRows, require_memory};
use sprs::CsMat;

/// Samples that are lines of LIBSVM's text: dense or sparse vectors.
pub trait LibsvmVectors: Samples {
    /// The entries (column, value) of sample `index` that are not 0; columns count from 0 and ascend.
    fn entries(&self, index: usize) -> Vec<(usize, f64)>;

    /// Makes samples from their entries, in `columns` columns: more than the largest column, and at least one. `room` is the largest number
    /// of values that they may take.
    ///
    /// # Errors
    /// [`Error::TooSparse`] if they would take more, and [`Error::Model`] for entries that are no sample.
    #[doc(hidden)]
    fn of_entries(
        entries: Vec<Vec<(usize, f64)>>,
        columns: usize,
        room: usize,
    ) -> Result<Self, Error>;
}

impl<F: Scalar> LibsvmVectors for Rows<F> {
    fn entries(&self, index: usize) -> Vec<(usize, f64)> {
        let values = self.get(index).iter().map(|v| v.as_f64()).enumerate();
        values.filter(|&(_, value)| value != 0.0).collect()
    }

    fn of_entries(
        entries: Vec<Vec<(usize, f64)>>,
        columns: usize,
        room: usize,
    ) -> Result<Self, Error> {
        let vectors = entries.len();
        if vectors.saturating_mul(columns) > room {
            return Err(Error::TooSparse { vectors, columns });
        }
        // The vectors are here, and copied to the expansion.
        require_memory::<F>(
            "the support vectors, twice",
            vectors.saturating_mul(2),
            columns,
        )?;
        let mut matrix = Array2::zeros((vectors, columns));
        for (mut row, entries) in matrix.outer_iter_mut().zip(entries) {
            for (column, value) in entries {
                row[column] = F::cast(value);
            }
        }
        Ok(Rows::new(matrix)?)
    }
}

impl<F: Scalar> LibsvmVectors for SparseRows<F> {
    fn entries(&self, index: usize) -> Vec<(usize, f64)> {
        let stored = self.get(index).entries().iter();
        let values = stored.map(|&(column, value)| (column, value.as_f64()));
        values.filter(|&(_, value)| value != 0.0).collect()
    }

    fn of_entries(
        entries: Vec<Vec<(usize, f64)>>,
        columns: usize,
        _room: usize,
    ) -> Result<Self, Error> {
        let ends = entries.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        let ends: Vec<usize> = std::iter::once(0).chain(ends).collect();
        let shape = (entries.len(), columns);
        let stored = || entries.iter().flatten();
        let indices = stored().map(|entry| entry.0).collect();
        let values = stored().map(|entry| F::cast(entry.1)).collect();
        Ok(SparseRows::new(&CsMat::new(shape, ends, indices, values))?)
    }
}
