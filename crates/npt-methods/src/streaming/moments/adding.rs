//! Blocks of rows, and moments of other rows, added to moments.

use super::Moments;
use crate::{
    Error,
    error::require_finite,
    streaming::{
        centered::{centered, check_given, of_parts, total},
        one_block::counted_on,
    },
    targets::checked_targets,
    weights::Weights,
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
};
use ndarray::{
    Array1, Array2, ArrayBase, ArrayView1, Axis, CowArray, Data, Dimension, Ix2, Slice, Zip, s,
};
use npt_core::{Rows, Scalar};
use std::marker::PhantomData;

impl Moments<Ix2> {
    /// Adds a block of records without targets.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_records<F: Scalar, D: Data<Elem = F>>(
        &mut self,
        records: &ArrayBase<D, Ix2>,
    ) -> Result<(), Error> {
        self.add_rows_alone(records.view().into())
    }

    /// Returns the moments of the records of a dataset with their weights, whatever its targets are.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub(crate) fn of_dataset<F, D, T>(
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<Self, Error>
    where
        F: Scalar,
        D: Data<Elem = F>,
    {
        let records = dataset.records().view();
        Rows::check(records)?;
        let mut moments = Self::of_records(records.ncols());
        let none = Array2::zeros((records.nrows(), 0));
        moments.add_rows(records.into(), none, &Weights::of_dataset(dataset)?)?;
        Ok(moments)
    }

    /// Adds rows as [`add_beside`](Self::add_beside) does, without targets.
    pub(in crate::streaming) fn add_rows_alone<F: Scalar>(
        &mut self,
        rows: CowArray<'_, F, Ix2>,
    ) -> Result<(), Error> {
        let none = Array2::zeros((rows.nrows(), 0));
        let weights = Weights::none(rows.nrows());
        self.add_rows(rows, none, &weights)
    }

    /// Adds rows without targets, with the weights of a block.
    pub(in crate::streaming) fn add_weighted_rows<F: Scalar, R: Records, T>(
        &mut self,
        rows: CowArray<'_, F, Ix2>,
        block: &DatasetBase<R, T>,
    ) -> Result<(), Error> {
        let weights = Weights::of_block(block);
        let weights = weights.map_err(|error| counted_on(error, self.count))?;
        let none = Array2::zeros((rows.nrows(), 0));
        self.add_rows(rows, none, &weights)
    }
}

impl<I: Dimension> Moments<I> {
    /// Adds a block of records and targets; an empty block changes nothing.
    ///
    /// # Errors
    /// The errors of the block, with rows counted from the first of all blocks:
    /// [`npt_core::Error::SampleNotFinite`], [`npt_core::Error::TargetNotFinite`], [`npt_core::Error::Weight`]; [`Error::Block`] where it has other
    /// columns, or not one target and weight per row; [`Error::Overflow`] where its sums are not finite. Nothing of the block is added then.
    pub fn add<F, D, T>(&mut self, block: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<(), Error>
    where
        F: Scalar,
        D: Data<Elem = F>,
        T: AsTargets<Elem = F, Ix = I>,
    {
        self.add_beside(CowArray::from(block.records.view()), block)
    }

    /// Adds rows with the targets and weights of a block. Owned rows were computed from the block by a space, and are
    /// known to be finite.
    pub(in crate::streaming) fn add_beside<F, R, T>(
        &mut self,
        rows: CowArray<'_, F, Ix2>,
        block: &DatasetBase<R, T>,
    ) -> Result<(), Error>
    where
        F: Scalar,
        R: Records,
        T: AsTargets<Elem = F, Ix = I>,
    {
        let (samples, targets) = (rows.nrows(), block.as_targets().len_of(Axis(0)));
        if samples != targets {
            let error = npt_core::Error::TargetCount { samples, targets };
            return Err(counted_on(error.into(), self.count));
        }
        if samples == 0 {
            return Ok(());
        }
        let checked = checked_targets(&block.targets)
            .and_then(|targets| Ok((targets, Weights::of_block(block)?)));
        let (targets, weights) = checked.map_err(|error| counted_on(error, self.count))?;
        self.add_rows(rows, targets, &weights)
    }

    fn add_rows<F: Scalar>(
        &mut self,
        rows: CowArray<'_, F, Ix2>,
        targets: Array2<F>,
        weights: &Weights<F>,
    ) -> Result<(), Error> {
        let count = rows.nrows();
        if count == 0 {
            return Ok(());
        }
        self.check_columns(rows.ncols(), targets.ncols())
            .and_then(|()| Ok(check_given(&rows)?))
            .map_err(|error| counted_on(error, self.count))?;
        let targets = weights.select(targets);
        let rows = weights.select_rows(rows);
        let of_part = |x: CowArray<'_, F, Ix2>, part: Slice| {
            let weights = weights.given().map(|weights| weights.slice(s![part]));
            let t = targets.slice(s![part, ..]);
            Self::of_rows(x, t.into(), weights)
        };
        let block = of_parts(rows, of_part, Self::merge)?;
        let none = || Self::empty(self.mean.len(), self.target_mean.len());
        let mut block = block.unwrap_or_else(none);
        block.count = count;
        self.merge(&block)
    }

    fn of_rows<F: Scalar>(
        x: CowArray<'_, F, Ix2>,
        t: CowArray<'_, F, Ix2>,
        weights: Option<ArrayView1<'_, F>>,
    ) -> Result<Self, Error> {
        let count = x.nrows();
        let ((x, mean), (t, target_mean)) = (centered(x, weights), centered(t, weights));
        let wide = |matrix: Array2<F>| matrix.mapv_into_any(Scalar::as_f64);
        let block = Self {
            count,
            weight: weights.map_or(count as f64, total),
            mean,
            scatter: wide(x.symmetric_rank_k()),
            target_mean,
            cross_scatter: wide(x.products(&t)),
            target_scatter: wide(t.symmetric_rank_k()),
            rounding: 0.0,
            targets: PhantomData,
        };
        let squares = block
            .scatter
            .diag()
            .into_iter()
            .chain(block.target_scatter.diag());
        let means = block.mean.iter().chain(&block.target_mean);
        require_finite("Moments", squares.chain(means).chain([&block.weight]))?;
        Ok(block)
    }

    /// Adds the moments of other rows.
    ///
    /// # Errors
    /// [`npt_core::Error::ColumnCount`] and [`Error::TargetColumns`] if the other records or targets have other numbers of columns,
    /// [`Error::Overflow`] where a sum is not finite. Nothing is added then.
    pub fn merge(&mut self, others: &Self) -> Result<(), Error> {
        self.check_columns(others.mean.len(), others.target_mean.len())?;
        let count = self.count + others.count;
        if others.weight == 0.0 {
            self.count = count;
            return Ok(());
        }
        if self.weight == 0.0 {
            self.clone_from(others);
            self.count = count;
            return Ok(());
        }
        let (own, more) = (self.weight, others.weight);
        let (share, weight) = (more / (own + more), own * (more / (own + more)));
        let apart = &others.mean - &self.mean;
        let targets_apart = &others.target_mean - &self.target_mean;
        let diagonal = |own: &Array2<f64>, more: &Array2<f64>, apart: &Array1<f64>| {
            &own.diag() + &more.diag() + apart * apart * weight
        };
        let squares = diagonal(&self.scatter, &others.scatter, &apart);
        let of_targets = diagonal(&self.target_scatter, &others.target_scatter, &targets_apart);
        // Other entries of the scatters are no larger than these.
        require_finite(
            "Moments",
            squares.iter().chain(&of_targets).chain([&(own + more)]),
        )?;
        self.count = count;
        self.weight += more;
        self.rounding = self.rounding.max(others.rounding);
        self.mean.scaled_add(share, &apart);
        self.target_mean.scaled_add(share, &targets_apart);
        add(&mut self.scatter, &others.scatter, (&apart, &apart, weight));
        let of_both = (&apart, &targets_apart, weight);
        add(&mut self.cross_scatter, &others.cross_scatter, of_both);
        let of_targets = (&targets_apart, &targets_apart, weight);
        add(&mut self.target_scatter, &others.target_scatter, of_targets);
        Ok(())
    }
}

/// Adds a matrix, and abᵀ times a weight. The sum of symmetric matrices is symmetric, to the bit.
fn add(
    sum: &mut Array2<f64>,
    more: &Array2<f64>,
    (a, b, weight): (&Array1<f64>, &Array1<f64>, f64),
) {
    for ((mut sum, more), a) in sum.outer_iter_mut().zip(more.outer_iter()).zip(a) {
        Zip::from(&mut sum)
            .and(more)
            .and(b)
            .for_each(|sum, more, b| *sum += more + a * b * weight);
    }
}
