//! A random sample of rows that come in blocks.

use super::counted_on;
use crate::Error;
use ndarray::{Array2, ArrayBase, Data, Ix2};
use npt_core::{AsSamples, Rows, Scalar};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// A random sample of the rows of all blocks: so many of them, each with the same probability, whatever
/// their number will be.
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
    /// Row by row.
    values: Vec<F>,
    rng: Xoshiro256Plus,
}

impl<F: Scalar> Reservoir<F> {
    /// For a sample of so many rows.
    pub fn new(rows: usize) -> Self {
        Self::with_seed(rows, 0)
    }

    /// With another seed than 0.
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
    /// What is wrong with the block, with rows counted from the first of all blocks:
    /// [`Error::Block`] if it has other columns than the first, [`npt_core::Error::SampleNotFinite`]. None of its rows is taken then.
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

    /// Adds the rows that another reservoir was offered, of another thread or another machine: the sample is one of all rows, as large as
    /// the smaller of both may be. Their seeds should differ, or both keep the rows at the same places.
    ///
    /// # Errors
    /// [`npt_core::Error::ColumnCount`] if its rows have other columns.
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
            // As rows are drawn from all that were offered, one after the other.
            let from = usize::from(self.rng.gen_range(0..seen[0] + seen[1]) >= seen[0]);
            seen[from] -= 1;
            let place = self.rng.gen_range(0..rows[from].len());
            let row = rows[from].swap_remove(place);
            self.values
                .extend_from_slice(&values[from][row * columns..][..columns]);
        }
        Ok(())
    }

    /// Returns how many rows were offered.
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// The sample; all rows, if there were fewer.
    ///
    /// # Errors
    /// [`npt_core::Error::NoSamples`] if there were none.
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
