//! Sparse vectors.

use super::{Samples, check_finite, check_shape};
use crate::{Error, Scalar};
use linfa::dataset::Records;
use sprs::CsMat;

/// Sparse vectors: the rows of a sparse matrix, as linfa's text vectorisers produce it. Entries that are not stored are 0.
/// The counts of linfa's vectorisers are integers: convert them by `counts.map(|&count| count as f64)`.
///
/// [`Sparse`](crate::Sparse) makes kernels of dense vectors kernels of sparse ones.
///
/// # Example
/// ```
/// use npt_core::{Exact, Gaussian, Kernel, KernelSpace, Linear, SpaceBuilder, Sparse, SparseRows};
/// use sprs::TriMat;
///
/// let mut counts = TriMat::new((3, 1000));
/// counts.add_triplet(0, 7, 2.0);
/// counts.add_triplet(1, 7, 1.0);
/// counts.add_triplet(1, 900, 4.0);
/// let documents = SparseRows::new(&counts.to_csr::<usize>())?;
///
/// assert_eq!(Sparse::new(Linear::new()).gram(&documents)[[0, 1]], 2.0);
/// assert_eq!(Exact::new(Sparse::new(Gaussian::new(0.1))).fit_space(&documents)?.rank(), 2);
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SparseRows<F> {
    rows: Vec<SparseRow<F>>,
    columns: usize,
}

/// One sparse vector.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SparseRow<F> {
    /// The stored entries: (column, value), columns ascending.
    entries: Vec<(usize, F)>,
}

impl<F: Scalar> SparseRows<F> {
    /// Takes the rows of a matrix (samples, features), in either storage order.
    ///
    /// # Errors
    /// [`Error::NoSamples`], [`Error::NoFeatures`] or [`Error::SampleNotFinite`].
    pub fn new(matrix: &CsMat<F>) -> Result<Self, Error> {
        let (samples, columns) = matrix.shape();
        check_shape(samples, columns)?;
        let by_row = matrix.to_csr();
        let rows: Vec<SparseRow<F>> = by_row
            .outer_iterator()
            .map(|row| SparseRow {
                entries: row.iter().map(|(column, &value)| (column, value)).collect(),
            })
            .collect();
        for (row, vector) in rows.iter().enumerate() {
            for &(column, value) in &vector.entries {
                check_finite(row, column, value)?;
            }
        }
        Ok(Self { rows, columns })
    }
}

impl<F: Scalar> SparseRow<F> {
    /// The stored entries: (column, value), columns ascending.
    pub fn entries(&self) -> &[(usize, F)] {
        &self.entries
    }

    /// The values of both vectors in the columns where one of them has an entry.
    pub(crate) fn without_common_zeros(&self, other: &Self) -> (Vec<F>, Vec<F>) {
        let (mut left, mut right) = (self.entries.as_slice(), other.entries.as_slice());
        let most = left.len() + right.len();
        let (mut a, mut b) = (Vec::with_capacity(most), Vec::with_capacity(most));
        while let Some(column) = next_column(left, right) {
            a.push(take(&mut left, column));
            b.push(take(&mut right, column));
        }
        (a, b)
    }
}

fn next_column<F>(left: &[(usize, F)], right: &[(usize, F)]) -> Option<usize> {
    let column = |entries: &[(usize, F)]| entries.first().map(|entry| entry.0);
    match (column(left), column(right)) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (only, None) | (None, only) => only,
    }
}

/// Takes the value in `column`, which is not beyond the column of the first entry. An entry in this column is used up;
/// without one, the value is 0.
fn take<F: Scalar>(entries: &mut &[(usize, F)], column: usize) -> F {
    match entries.split_first() {
        Some((first, rest)) if first.0 == column => {
            *entries = rest;
            first.1
        }
        _ => F::zero(),
    }
}

impl<F: Scalar> Samples for SparseRows<F> {
    type Sample = SparseRow<F>;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn get(&self, index: usize) -> &SparseRow<F> {
        &self.rows[index]
    }

    fn select(&self, indices: &[usize]) -> Self {
        let rows = indices.iter().map(|&index| self.rows[index].clone());
        Self {
            rows: rows.collect(),
            columns: self.columns,
        }
    }

    fn append(&self, more: &Self) -> Result<Self, Error> {
        self.check_compatible(more)?;
        Ok(Self {
            rows: [self.rows.as_slice(), &more.rows].concat(),
            columns: self.columns,
        })
    }

    fn check_compatible(&self, new: &Self) -> Result<(), Error> {
        let (expected, found) = (self.columns, new.columns);
        if expected == found {
            Ok(())
        } else {
            Err(Error::ColumnCount { expected, found })
        }
    }
}

impl<F> Records for SparseRows<F> {
    type Elem = F;

    fn nsamples(&self) -> usize {
        self.rows.len()
    }

    fn nfeatures(&self) -> usize {
        self.columns
    }
}

crate::checked! { SparseRows<F> { rows: Vec<SparseRow<F>>, columns: usize } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> SparseRows<F> {
    fn check_parts(&self) -> Result<(), Error> {
        check_shape(self.rows.len(), self.columns)?;
        for (row, vector) in self.rows.iter().enumerate() {
            let mut least = 0;
            for &(column, value) in &vector.entries {
                check_finite(row, column, value)?;
                if !(least..self.columns).contains(&column) {
                    return Err(Error::ColumnRange {
                        start: column,
                        end: column,
                        columns: self.columns,
                    });
                }
                least = column + 1;
            }
        }
        Ok(())
    }
}
