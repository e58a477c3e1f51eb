//! Counts and means of classes, and the scatter within them.

use super::moments::{PART, centre, counted_on};
use crate::{Error, error::require_finite};
use linfa::{DatasetBase, Label, dataset::AsSingleTargets};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, Data, Ix2};
use npt_core::{AsSamples, Scalar, linalg};
use std::collections::BTreeMap;

/// The number of rows of each class and their mean, and the scatter of all around the mean of their class, of records
/// that come in blocks: what a discriminant needs.
///
/// In `f64` whatever the records. Blocks are added, and moments of other rows [merged](Self::merge), in any order and
/// grouping, with the same result to rounding. A class may come first in any block.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use ndarray::array;
/// use npt_methods::{linear::Lda, streaming::{ClassMoments, FitMoments}};
///
/// let first = Dataset::new(array![[0.0, 0.0], [4.0, 1.0]], array!["low", "high"]);
/// let second = Dataset::new(array![[4.0, 0.0], [0.0, 1.0]], array!["low", "high"]);
/// let mut moments = ClassMoments::new(2);
/// moments.add(&first)?;
/// moments.add(&second)?;
/// assert_eq!(moments.classes().collect::<Vec<_>>(), [&"high", &"low"]);
/// assert_eq!(moments.class_mean(&"high"), Some(array![2.0, 1.0].view()));
/// let off = &moments.within_scatter() - &array![[16.0, 0.0], [0.0, 0.0]];
/// assert!(off.iter().all(|d| d.abs() < 1e-13));
///
/// // S_W = diag(16, 0), S_B = diag(0, 1), μ = 2·tr(S_T)/4 = 8.5
/// let lda: Lda<f64, &str> = Lda::<f64, &str>::params().ridge(2.0).fit_moments(&moments)?;
/// assert!((lda.eigenvalues()[0] - 1.0_f64 / 8.5).abs() < 1e-14);
/// # Ok::<(), npt_methods::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ClassMoments<L> {
    classes: BTreeMap<L, ClassMean>,
    within: Array2<f64>,
}

#[derive(Debug, Clone, PartialEq)]
struct ClassMean {
    count: usize,
    mean: Array1<f64>,
}

impl<L: Label> ClassMoments<L> {
    /// Of no rows yet, of so many features.
    pub fn new(features: usize) -> Self {
        Self {
            classes: BTreeMap::new(),
            within: Array2::zeros((features, features)),
        }
    }

    /// Adds a block of records and their classes; an empty one changes nothing.
    ///
    /// # Errors
    /// What is wrong with the block, with rows counted from the first of all blocks: [`npt_core::Error::ColumnCount`],
    /// [`npt_core::Error::TargetCount`], [`npt_core::Error::SampleNotFinite`], [`Error::Weights`]; [`Error::Overflow`] where its
    /// sums are no numbers. Nothing of the block is added then.
    pub fn add<F, D, T>(&mut self, block: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<(), Error>
    where
        F: Scalar,
        D: Data<Elem = F>,
        T: AsSingleTargets<Elem = L>,
    {
        if !block.weights.is_empty() {
            return Err(Error::Weights { of: "ClassMoments" });
        }
        let labels = block.as_single_targets();
        let (samples, targets) = (block.records.nrows(), labels.len());
        if samples != targets {
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        if samples == 0 {
            return Ok(());
        }
        self.check_columns(block.records.ncols())?;
        let rows = block.records.as_samples();
        let rows = rows.map_err(|error| counted_on(error.into(), self.count()))?;
        let mut added = Self::new(self.within.nrows());
        let parts = rows.view();
        let parts = parts.axis_chunks_iter(Axis(0), PART);
        for (x, labels) in parts.zip(labels.axis_chunks_iter(Axis(0), PART)) {
            added.merge(&Self::of_rows(x, labels)?)?;
        }
        self.merge(&added)
    }

    fn of_rows<F: Scalar>(x: ArrayView2<'_, F>, labels: ArrayView1<'_, L>) -> Result<Self, Error> {
        let mut members: BTreeMap<L, Vec<usize>> = BTreeMap::new();
        for (i, label) in labels.iter().enumerate() {
            members.entry(label.clone()).or_default().push(i);
        }
        let mut centred = Array2::zeros((0, x.ncols()));
        let mut classes = BTreeMap::new();
        for (label, rows) in members {
            let mut of_class = x.select(Axis(0), &rows);
            let mean = centre(&mut of_class);
            centred
                .append(Axis(0), of_class.view())
                .expect("rows of as many columns");
            let count = rows.len();
            classes.insert(label, ClassMean { count, mean });
        }
        let within = linalg::symmetric_rank_k(centred.view()).mapv(Scalar::as_f64);
        let means = classes.values().flat_map(|class| &class.mean);
        require_finite("ClassMoments", within.diag().iter().chain(means))?;
        Ok(Self { classes, within })
    }

    /// Adds the moments of other rows.
    ///
    /// # Errors
    /// [`npt_core::Error::ColumnCount`] if they are of other records, [`Error::Overflow`] where their sum is no number.
    /// Nothing is added then.
    pub fn merge(&mut self, others: &Self) -> Result<(), Error> {
        self.check_columns(others.within.nrows())?;
        // What the means of a class are apart is scatter within it, too.
        let mut apart = Array2::zeros((0, self.within.nrows()));
        let mut classes = self.classes.clone();
        for (label, class) in &others.classes {
            let Some(own) = classes.get_mut(label) else {
                classes.insert(label.clone(), class.clone());
                continue;
            };
            let (before, more) = (own.count as f64, class.count as f64);
            let share = more / (before + more);
            let between = &class.mean - &own.mean;
            own.count += class.count;
            own.mean.scaled_add(share, &between);
            let row = between * (before * share).sqrt();
            apart.push_row(row.view()).expect("as many columns");
        }
        let within = &self.within + &others.within + linalg::symmetric_rank_k(apart.view());
        let means = classes.values().flat_map(|class| &class.mean);
        require_finite("ClassMoments", within.diag().iter().chain(means))?;
        (self.classes, self.within) = (classes, within);
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

impl<L: Ord> ClassMoments<L> {
    /// The number of rows of all classes.
    pub fn count(&self) -> usize {
        self.classes.values().map(|class| class.count).sum()
    }

    /// The classes so far, ascending.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = &L> {
        self.classes.keys()
    }

    /// The number of rows of a class; 0 of one that there is not.
    pub fn class_count(&self, class: &L) -> usize {
        self.classes.get(class).map_or(0, |class| class.count)
    }

    /// The mean of a class, if there is one.
    pub fn class_mean(&self, class: &L) -> Option<ArrayView1<'_, f64>> {
        self.classes.get(class).map(|class| class.mean.view())
    }

    /// Σ (xᵢ − m_c(i))(xᵢ − m_c(i))ᵀ with the means m_c of the classes, shape (features, features).
    pub fn within_scatter(&self) -> ArrayView2<'_, f64> {
        self.within.view()
    }
}
