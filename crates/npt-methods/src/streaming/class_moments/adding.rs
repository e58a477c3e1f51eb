//! Blocks of rows, and moments of other rows, added to moments of classes.

use super::{ClassMean, ClassMoments};
use crate::{
    Error,
    error::require_finite,
    streaming::{
        centered::{centered_by, check_given, of_parts, total},
        one_block::counted_on,
    },
    targets::groups,
    weights::Weights,
};
use linfa::{
    DatasetBase, Label,
    dataset::{AsSingleTargets, Records},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Axis, CowArray, Data, Ix2, Slice, s};
use npt_core::{Scalar, linalg, require_memory};
use std::{collections::BTreeMap, ops::Range};

impl<L: Label> ClassMoments<L> {
    /// Adds a block of records and their classes; an empty block changes nothing.
    ///
    /// # Errors
    /// The errors of the block, with rows counted from the first of all blocks: [`npt_core::Error::SampleNotFinite`],
    /// [`npt_core::Error::Weight`]; [`Error::Block`] where the block has other columns, or not one class and weight per row; [`Error::Overflow`]
    /// where its sums are not finite; [`npt_core::Error::Memory`] for the scatters within
    /// classes. Nothing of the block is added then.
    pub fn add<F, D, T>(&mut self, block: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<(), Error>
    where
        F: Scalar,
        D: Data<Elem = F>,
        T: AsSingleTargets<Elem = L>,
    {
        self.add_beside(CowArray::from(block.records.view()), block)
    }

    /// Adds rows with the classes and weights of a block. Owned rows were computed from the block by a space, and are
    /// known to be finite.
    pub(in crate::streaming) fn add_beside<F, R, T>(
        &mut self,
        rows: CowArray<'_, F, Ix2>,
        block: &DatasetBase<R, T>,
    ) -> Result<(), Error>
    where
        F: Scalar,
        R: Records,
        T: AsSingleTargets<Elem = L>,
    {
        let labels = block.as_single_targets();
        let (samples, targets) = (rows.nrows(), labels.len());
        if samples != targets {
            let error = npt_core::Error::TargetCount { samples, targets };
            return Err(counted_on(error.into(), self.count));
        }
        if samples == 0 {
            return Ok(());
        }
        self.check_columns(rows.ncols())
            .and_then(|()| Ok(check_given(&rows)?))
            .map_err(|error| counted_on(error, self.count))?;
        let weights = Weights::of_block(block);
        let weights: Weights<F> = weights.map_err(|error| counted_on(error, self.count))?;
        let labels = weights.select(labels.to_owned());
        let rows = weights.select_rows(rows);
        let of_part = |x: CowArray<'_, F, Ix2>, part: Slice| {
            let weights = weights.given().map(|weights| weights.slice(s![part]));
            self.of_rows(x, labels.slice(s![part]), weights)
        };
        let added = of_parts(rows, of_part, Self::merge)?;
        let mut added = added.unwrap_or_else(|| self.of_none());
        added.count = samples;
        self.merge(&added)
    }

    /// Returns moments of no rows, with as many features and the same choice of scatters.
    fn of_none(&self) -> Self {
        Self {
            by_class: self.by_class,
            ..Self::new(self.within.nrows())
        }
    }

    fn of_rows<F: Scalar>(
        &self,
        x: CowArray<'_, F, Ix2>,
        labels: ArrayView1<'_, L>,
        weights: Option<ArrayView1<'_, F>>,
    ) -> Result<Self, Error> {
        let (count, groups) = (x.nrows(), groups(&labels));
        self.require_scatters(groups.len())?;
        let order: Vec<usize> = groups.values().flatten().copied().collect();
        let weights = weights.map(|weights| weights.select(Axis(0), &order));
        let weights = weights.as_ref().map(Array1::view);
        let mut first = 0;
        let ranges = groups.values().map(|rows| {
            first += rows.len();
            first - rows.len()..first
        });
        let ranges: Vec<Range<usize>> = ranges.collect();
        let (centered, means) = centered_by(x, &order, weights, &ranges);
        let of_class = |((label, range), mean): ((L, Range<usize>), Array1<f64>)| {
            let (count, rows) = (range.len(), range.clone());
            let weights = weights.map(|weights| weights.slice_move(s![range]));
            let weight = weights.map_or(count as f64, total);
            let mean = ClassMean {
                count,
                weight,
                mean,
                scatter: self.by_class.then(|| {
                    centered
                        .symmetric_rank_k_of(rows)
                        .mapv_into_any(Scalar::as_f64)
                }),
            };
            (label, mean)
        };
        let labelled = groups.into_keys().zip(ranges);
        let classes: BTreeMap<L, ClassMean> = labelled.zip(means).map(of_class).collect();
        let within = if self.by_class {
            let of_classes = classes.values().filter_map(|class| class.scatter.as_ref());
            of_classes.fold(Array2::zeros(self.within.dim()), |sum, scatter| {
                sum + scatter
            })
        } else {
            centered.symmetric_rank_k().mapv_into_any(Scalar::as_f64)
        };
        let numbers = classes.values().flat_map(ClassMean::numbers);
        require_finite("ClassMoments", within.diag().iter().chain(numbers))?;
        Ok(Self {
            count,
            classes,
            within,
            by_class: self.by_class,
            rounding: 0.0,
        })
    }

    /// Adds the moments of other rows.
    ///
    /// # Errors
    /// [`npt_core::Error::ColumnCount`] if the other records have another number of columns, [`Error::ClassScatters`] if only one of the two has
    /// the scatters within classes, [`npt_core::Error::Memory`] for these scatters, [`Error::Overflow`] where a sum is not finite.
    /// Nothing is added then.
    pub fn merge(&mut self, others: &Self) -> Result<(), Error> {
        self.check_columns(others.within.nrows())?;
        if self.by_class != others.by_class {
            return Err(Error::ClassScatters);
        }
        // The difference of the two means of a class adds to the scatter within it.
        let mut apart = Array2::zeros((0, self.within.nrows()));
        let mut of_both = Vec::new();
        let own = self.classes.iter();
        let mut classes: BTreeMap<L, ClassMean> = own
            .map(|(label, class)| (label.clone(), class.without_scatter()))
            .collect();
        for (label, class) in &others.classes {
            let Some(own) = classes.get_mut(label) else {
                classes.insert(label.clone(), class.without_scatter());
                continue;
            };
            let (before, more) = (own.weight, class.weight);
            let share = more / (before + more);
            let between = &class.mean - &own.mean;
            own.count += class.count;
            own.weight += class.weight;
            own.mean.scaled_add(share, &between);
            let row = between * (before * share).sqrt();
            apart.push_row(row.view()).expect("as many columns");
            of_both.push(label);
        }
        let within = &self.within + &others.within + linalg::symmetric_rank_k(apart.view());
        let numbers = classes.values().flat_map(ClassMean::numbers);
        // No entry of a scatter within one class is larger than the largest of this diagonal.
        require_finite("ClassMoments", within.diag().iter().chain(numbers))?;
        self.require_scatters(classes.len() - self.classes.len())?;
        for (label, class) in &mut classes {
            let own = self.classes.get_mut(label);
            class.scatter = own.and_then(|own| own.scatter.take());
            let more = others.classes.get(label);
            class.add_scatter(more.and_then(|more| more.scatter.as_ref()));
        }
        for (label, row) in of_both.into_iter().zip(apart.outer_iter()) {
            classes.get_mut(label).expect("it is of both").add_row(row);
        }
        (self.classes, self.within) = (classes, within);
        self.count += others.count;
        self.rounding = self.rounding.max(others.rounding);
        Ok(())
    }

    /// Checks that there is memory for the scatters within `classes` more classes.
    fn require_scatters(&self, classes: usize) -> Result<(), Error> {
        let features = self.within.nrows();
        if self.by_class && classes > 0 {
            let rows = classes.saturating_mul(features);
            require_memory::<f64>("the scatters within classes", rows, features)?;
        }
        Ok(())
    }

    fn check_columns(&self, found: usize) -> Result<(), Error> {
        let expected = self.within.nrows();
        if expected == found {
            Ok(())
        } else {
            Err(npt_core::Error::ColumnCount { expected, found }.into())
        }
    }
}

impl ClassMean {
    fn without_scatter(&self) -> Self {
        Self {
            mean: self.mean.clone(),
            scatter: None,
            ..*self
        }
    }

    fn add_scatter(&mut self, more: Option<&Array2<f64>>) {
        match (&mut self.scatter, more) {
            (Some(own), Some(more)) => *own += more,
            (own @ None, more) => *own = more.cloned(),
            (Some(_), None) => {}
        }
    }

    /// Adds vvᵀ to the scatter.
    fn add_row(&mut self, v: ArrayView1<'_, f64>) {
        let rows = self.scatter.iter_mut().flat_map(Array2::outer_iter_mut);
        rows.zip(v)
            .for_each(|(mut row, &factor)| row.scaled_add(factor, &v));
    }
}
