//! Counts, means and scatters of records and targets.

use crate::{Error, error::require_finite, linear::checked_targets};
use linfa::{DatasetBase, dataset::AsTargets};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, Data, Ix1, Ix2};
use npt_core::{AsSamples, Scalar, linalg};
use std::marker::PhantomData;

/// The number of rows, their means, and their scatter around these, of records x and targets t that come in
/// blocks.
///
/// | | | shape |
/// |---|---|---|
/// | [`count`](Self::count) | n | |
/// | [`mean`](Self::mean) | x̄ | (features) |
/// | [`scatter`](Self::scatter) | Σ (xᵢ − x̄)(xᵢ − x̄)ᵀ | (features, features) |
/// | [`target_mean`](Self::target_mean) | t̄ | (targets) |
/// | [`cross_scatter`](Self::cross_scatter) | Σ (xᵢ − x̄)(tᵢ − t̄)ᵀ | (features, targets) |
/// | [`target_scatter`](Self::target_scatter) | Σ (tᵢ − t̄)(tᵢ − t̄)ᵀ | (targets, targets) |
///
/// In `f64` whatever the records; a block's own scatter is a product in its type. Blocks are added, and
/// moments of other rows [merged](Self::merge), in any order and grouping, with the same result to rounding:
/// threads, files and machines may each have their own.
///
/// # Example
/// ```
/// use linfa::Dataset;
/// use ndarray::array;
/// use npt_methods::streaming::Moments;
///
/// let mut all = Moments::new(1);
/// all.add(&Dataset::new(array![[1.0], [3.0]], array![0.0, 2.0]))?;
/// let mut others = Moments::new(1);
/// others.add(&Dataset::new(array![[5.0]], array![1.0]))?;
/// all.merge(&others)?;
///
/// assert_eq!((all.count(), all.mean()[0], all.target_mean()[0]), (3, 3.0, 1.0));
/// assert_eq!(all.scatter()[[0, 0]], 4.0 + 0.0 + 4.0);
/// assert_eq!(all.cross_scatter()[[0, 0]], (-2.0 * -1.0) + 0.0 + 2.0 * 0.0);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for Computing the Sample Variance: Analysis and
/// Recommendations", The American Statistician 37(3), 1983. doi:10.1080/00031305.1983.10483115
#[derive(Debug, Clone, PartialEq)]
pub struct Moments<I = Ix1> {
    count: usize,
    mean: Array1<f64>,
    scatter: Array2<f64>,
    target_mean: Array1<f64>,
    cross_scatter: Array2<f64>,
    target_scatter: Array2<f64>,
    targets: PhantomData<I>,
}

impl Moments {
    /// Of no rows yet, of so many features, with targets of one column.
    pub fn new(features: usize) -> Self {
        Self::empty(features, 1)
    }
}

impl Moments<Ix2> {
    /// Of no rows yet, of so many features, with targets of several columns, or of none.
    pub fn of_targets(features: usize, columns: usize) -> Self {
        Self::empty(features, columns)
    }

    /// Adds a block of records without targets.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_records<F: Scalar, D: Data<Elem = F>>(
        &mut self,
        records: &ArrayBase<D, Ix2>,
    ) -> Result<(), Error> {
        let none = Array2::zeros((records.nrows(), 0));
        self.add_rows(records.view(), none)
    }
}

impl<I> Moments<I> {
    fn empty(features: usize, targets: usize) -> Self {
        Self {
            count: 0,
            mean: Array1::zeros(features),
            scatter: Array2::zeros((features, features)),
            target_mean: Array1::zeros(targets),
            cross_scatter: Array2::zeros((features, targets)),
            target_scatter: Array2::zeros((targets, targets)),
            targets: PhantomData,
        }
    }

    /// Adds a block of records and targets; an empty one changes nothing.
    ///
    /// # Errors
    /// What is wrong with the block, with rows counted from the first of all blocks:
    /// [`npt_core::Error::ColumnCount`], [`npt_core::Error::TargetCount`], [`Error::TargetColumns`],
    /// [`npt_core::Error::SampleNotFinite`], [`Error::TargetNotFinite`]; [`Error::Overflow`] where its sums
    /// are no numbers. Nothing of the block is added then.
    pub fn add<F, D, T>(&mut self, block: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<(), Error>
    where
        F: Scalar,
        D: Data<Elem = F>,
        T: AsTargets<Elem = F, Ix = I>,
        I: ndarray::Dimension,
    {
        let (samples, targets) = (block.records.nrows(), block.as_targets().len_of(Axis(0)));
        if samples != targets {
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        if samples == 0 {
            return Ok(());
        }
        let targets = checked_targets(&block.targets).map_err(|error| self.counted_on(error))?;
        self.add_rows(block.records.view(), targets)
    }

    fn add_rows<F: Scalar>(
        &mut self,
        records: ArrayView2<'_, F>,
        targets: Array2<F>,
    ) -> Result<(), Error> {
        if records.nrows() == 0 {
            return Ok(());
        }
        let (expected, found) = (self.mean.len(), records.ncols());
        if expected != found {
            return Err(npt_core::Error::ColumnCount { expected, found }.into());
        }
        let (expected, found) = (self.target_mean.len(), targets.ncols());
        if expected != found {
            return Err(Error::TargetColumns { expected, found });
        }
        let rows = records.as_samples();
        let rows = rows.map_err(|error| self.counted_on(error.into()))?;
        let block = Self::of_block(rows.view().to_owned(), targets)?;
        self.merge(&block)
    }

    fn of_block<F: Scalar>(mut x: Array2<F>, mut t: Array2<F>) -> Result<Self, Error> {
        let (mean, target_mean) = (centre(&mut x), centre(&mut t));
        let wide = |matrix: Array2<F>| matrix.mapv(Scalar::as_f64);
        let block = Self {
            count: x.nrows(),
            mean,
            scatter: wide(linalg::symmetric_rank_k(x.view())),
            target_mean,
            cross_scatter: wide(linalg::product(x.t(), t.view())),
            target_scatter: wide(linalg::product(t.t(), t.view())),
            targets: PhantomData,
        };
        block.require_finite()?;
        Ok(block)
    }

    fn require_finite(&self) -> Result<(), Error> {
        let matrices = [&self.scatter, &self.cross_scatter, &self.target_scatter];
        let means = self.mean.iter().chain(&self.target_mean);
        require_finite("Moments", matrices.into_iter().flatten().chain(means))
    }

    /// Adds the moments of other rows.
    ///
    /// # Errors
    /// [`npt_core::Error::ColumnCount`] and [`Error::TargetColumns`] if they are of other records or targets,
    /// [`Error::Overflow`] where their sum is no number. Nothing is added then.
    pub fn merge(&mut self, others: &Self) -> Result<(), Error> {
        let (expected, found) = (self.mean.len(), others.mean.len());
        if expected != found {
            return Err(npt_core::Error::ColumnCount { expected, found }.into());
        }
        let (expected, found) = (self.target_mean.len(), others.target_mean.len());
        if expected != found {
            return Err(Error::TargetColumns { expected, found });
        }
        if others.count == 0 {
            return Ok(());
        }
        let (own, more) = (self.count as f64, others.count as f64);
        let (share, weight) = (more / (own + more), own * (more / (own + more)));
        let apart = &others.mean - &self.mean;
        let targets_apart = &others.target_mean - &self.target_mean;
        let merged = Self {
            count: self.count + others.count,
            mean: &self.mean + &apart * share,
            scatter: &self.scatter + &others.scatter + outer(&apart, &apart, weight),
            target_mean: &self.target_mean + &targets_apart * share,
            cross_scatter: &self.cross_scatter
                + &others.cross_scatter
                + outer(&apart, &targets_apart, weight),
            target_scatter: &self.target_scatter
                + &others.target_scatter
                + outer(&targets_apart, &targets_apart, weight),
            targets: PhantomData,
        };
        merged.require_finite()?;
        *self = merged;
        Ok(())
    }

    /// An error that names a row of a block, with the row of all blocks instead.
    fn counted_on(&self, error: Error) -> Error {
        match error {
            Error::Core(npt_core::Error::SampleNotFinite { row, column, value }) => {
                let row = self.count + row;
                npt_core::Error::SampleNotFinite { row, column, value }.into()
            }
            Error::TargetNotFinite { row, column, value } => {
                let row = self.count + row;
                Error::TargetNotFinite { row, column, value }
            }
            other => other,
        }
    }

    /// The number of rows n.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The mean of the records; 0 where there are none.
    pub fn mean(&self) -> ArrayView1<'_, f64> {
        self.mean.view()
    }

    /// The scatter matrix of the records.
    pub fn scatter(&self) -> ArrayView2<'_, f64> {
        self.scatter.view()
    }

    /// The mean of the targets; 0 where there are none.
    pub fn target_mean(&self) -> ArrayView1<'_, f64> {
        self.target_mean.view()
    }

    /// The scatter matrix of records with targets.
    pub fn cross_scatter(&self) -> ArrayView2<'_, f64> {
        self.cross_scatter.view()
    }

    /// The scatter matrix of the targets.
    pub fn target_scatter(&self) -> ArrayView2<'_, f64> {
        self.target_scatter.view()
    }

    /// Refuses moments of no rows.
    pub(crate) fn require_rows(&self) -> Result<(), Error> {
        if self.count == 0 {
            return Err(npt_core::Error::NoSamples.into());
        }
        Ok(())
    }
}

/// Takes the mean of each column away, and returns it. Both are of the numbers as they are: what the type
/// of the block rounds off the mean stays in the rows, so that it is added to the mean.
fn centre<F: Scalar>(rows: &mut Array2<F>) -> Array1<f64> {
    let count = rows.nrows() as f64;
    let near = rows.sum_axis(Axis(0)) / F::cast(rows.nrows());
    *rows -= &near;
    let left = rows.map_axis(Axis(0), |column| {
        column.iter().map(|v| v.as_f64()).sum::<f64>() / count
    });
    near.mapv(Scalar::as_f64) + left
}

/// abᵀ, times a weight.
fn outer(a: &Array1<f64>, b: &Array1<f64>, weight: f64) -> Array2<f64> {
    let columns = (a * weight).insert_axis(Axis(1));
    columns.dot(&b.view().insert_axis(Axis(0)))
}

/// Methods that means and scatters suffice for.
pub trait FitMoments<F, I> {
    /// The fitted model: as from all rows at once, to rounding.
    type Object;

    /// Fits the method to the rows that the moments are of.
    ///
    /// # Errors
    /// Those of the method; [`npt_core::Error::NoSamples`] for moments of no rows.
    fn fit_moments(&self, moments: &Moments<I>) -> Result<Self::Object, Error>;
}
