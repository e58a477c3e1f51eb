//! A random sample of rows that come in blocks.

use super::counted_on;
use crate::Error;
use ndarray::{Array2, ArrayBase, Data, Ix2};
use npt_core::{AsSamples, Rows, Scalar};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// A random sample of the rows of all blocks: a fixed number of rows, each row with the same probability, however many
/// rows come.
///
/// # Example
/// ```
/// use ndarray::{Array2, Axis};
/// use npt_methods::streaming::Reservoir;
///
/// let rows = Array2::from_shape_fn((10_000, 1), |(i, _)| i as f64);
/// let mut some = Reservoir::new(2500);
/// for block in rows.axis_chunks_iter(Axis(0), 300) {
///     some.add(&block)?;
/// }
/// let sample = some.into_samples()?;
/// assert_eq!(sample.view().nrows(), 2500);
/// assert!((sample.view().mean().unwrap() - 5000.0).abs() < 200.0);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// J. S. Vitter, "Random Sampling with a Reservoir", ACM TOMS 11(1), 1985, algorithm R.
/// doi:10.1145/3147.3165
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Reservoir<F> {
    most: usize,
    seen: usize,
    columns: Option<usize>,
    /// The values of the sample, row by row.
    values: Vec<F>,
    rng: Xoshiro256Plus,
}

impl<F: Scalar> Reservoir<F> {
    /// Begins a sample of `rows` rows, with the seed 0.
    pub fn new(rows: usize) -> Self {
        Self::with_seed(rows, 0)
    }

    /// Begins a sample of `rows` rows, with another seed.
    pub fn with_seed(rows: usize, seed: u64) -> Self {
        Self {
            most: rows,
            seen: 0,
            columns: None,
            values: Vec::new(),
            rng: Xoshiro256Plus::seed_from_u64(seed),
        }
    }

    /// Offers the rows of a block.
    ///
    /// # Errors
    /// The errors of the block, with rows counted from the first of all blocks:
    /// [`Error::Block`] if it has other columns than the first block, [`npt_core::Error::SampleNotFinite`]. No row of the block is taken then.
    pub fn add<D: Data<Elem = F>>(&mut self, block: &ArrayBase<D, Ix2>) -> Result<(), Error> {
        if block.nrows() == 0 {
            return Ok(());
        }
        let (expected, found) = (self.columns.unwrap_or(block.ncols()), block.ncols());
        if expected != found {
            let error = npt_core::Error::ColumnCount { expected, found };
            return Err(counted_on(error.into(), self.seen));
        }
        let block = block.as_samples();
        let block = block.map_err(|error| counted_on(error.into(), self.seen))?;
        self.columns = Some(found);
        for row in block.view().outer_iter() {
            self.seen += 1;
            if self.seen <= self.most {
                self.values.extend(row);
                continue;
            }
            let place = self.rng.gen_range(0..self.seen);
            if place < self.most {
                let start = place * found;
                let old = self.values[start..start + found].iter_mut();
                old.zip(row).for_each(|(old, &new)| *old = new);
            }
        }
        Ok(())
    }

    /// Adds the rows that another reservoir was offered, in another thread or on another machine. The result is a sample of all rows, as large
    /// as the smaller of both may be. Their seeds should differ, or both keep the rows at the same places.
    ///
    /// # Errors
    /// [`npt_core::Error::ColumnCount`] if the rows of the other reservoir have other columns.
    pub fn merge(&mut self, others: &Self) -> Result<(), Error> {
        if let (Some(expected), Some(found)) = (self.columns, others.columns)
            && expected != found
        {
            return Err(npt_core::Error::ColumnCount { expected, found }.into());
        }
        self.most = self.most.min(others.most);
        self.columns = self.columns.or(others.columns);
        let columns = self.columns.unwrap_or(0);
        let mut seen = [self.seen, others.seen];
        self.seen += others.seen;
        let values = [std::mem::take(&mut self.values), others.values.clone()];
        let kept = |values: &Vec<F>| (0..values.len() / columns.max(1)).collect();
        let mut rows: [Vec<usize>; 2] = [kept(&values[0]), kept(&values[1])];
        for _ in 0..self.most.min(self.seen) {
            // Rows are drawn as if from all rows that were offered, one after the other.
            let from = usize::from(self.rng.gen_range(0..seen[0] + seen[1]) >= seen[0]);
            seen[from] -= 1;
            let place = self.rng.gen_range(0..rows[from].len());
            let row = rows[from].swap_remove(place);
            self.values
                .extend_from_slice(&values[from][row * columns..][..columns]);
        }
        Ok(())
    }

    /// Returns the number of rows that were offered.
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// Returns the sample; all rows, if there were fewer.
    ///
    /// # Errors
    /// [`npt_core::Error::NoSamples`] if there were no rows.
    pub fn into_samples(self) -> Result<Rows<F>, Error> {
        let columns = self.columns.unwrap_or(1);
        let rows = Array2::from_shape_vec((self.values.len() / columns, columns), self.values);
        let rows = rows.map_err(|_| npt_core::Error::NoSamples)?;
        if rows.is_empty() {
            return Err(npt_core::Error::NoSamples.into());
        }
        Ok(Rows::new(rows)?)
    }
}

npt_core::checked! {
    Reservoir<F> {
        most: usize,
        seen: usize,
        columns: Option<usize>,
        values: Vec<F>,
        rng: Xoshiro256Plus,
    }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> Reservoir<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, counted, finite, some};
        counted("rows", self.seen)?;
        let kept = self.seen.min(self.most);
        if self.seen > 0 || self.columns.is_some() {
            some("columns", self.columns.unwrap_or(0))?;
        }
        let expected = kept.saturating_mul(self.columns.unwrap_or(0));
        agree("values", self.values.len(), "that rows have", expected)?;
        finite("the values", &self.values)
    }
}
