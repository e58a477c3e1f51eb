//! Counts and means of classes, and the scatter within them.

use super::{
    centred::{centred_by, check_given, of_parts, total},
    moments::{mean_of_functions, require_weight, scatter_of_functions},
    one_block::counted_on,
};
use crate::{
    Error,
    error::require_finite,
    linear::{Weights, groups},
};
use linfa::{
    DatasetBase, Label,
    dataset::{AsSingleTargets, Records},
};
use ndarray::{
    Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, CowArray, Data, Ix2, Slice, s,
};
use npt_core::{Scalar, linalg};
use std::{collections::BTreeMap, ops::Range};

/// The number of rows of each class and their mean, and the scatter of all around the mean of their class, of records
/// that come in blocks: what a discriminant needs.
///
/// In `f64` whatever the records. Blocks are added, and moments of other rows [merged](Self::merge), in any order and
/// grouping, with the same result to rounding. A class may come first in any block. With sample weights, means and scatter are
/// weighted: a weight of 2 is a row twice.
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
/// let lda: Lda<f64, &str> = Lda::params().ridge(2.0).fit_moments(&moments)?;
/// assert!((lda.eigenvalues()[0] - 1.0_f64 / 8.5).abs() < 1e-14);
/// # Ok::<(), npt_methods::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClassMoments<L> {
    count: usize,
    classes: BTreeMap<L, ClassMean>,
    within: Array2<f64>,
    rounding: f64,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
struct ClassMean {
    count: usize,
    weight: f64,
    mean: Array1<f64>,
}

impl<L: Label> ClassMoments<L> {
    /// Of no rows yet, of so many features.
    pub fn new(features: usize) -> Self {
        Self {
            count: 0,
            classes: BTreeMap::new(),
            within: Array2::zeros((features, features)),
            rounding: 0.0,
        }
    }

    /// Adds a block of records and their classes; an empty one changes nothing.
    ///
    /// # Errors
    /// What is wrong with the block, with rows counted from the first of all blocks: [`npt_core::Error::SampleNotFinite`],
    /// [`npt_core::Error::Weight`]; [`Error::Block`] where it has other columns, or not one class and weight a row; [`Error::Overflow`] where its sums are no numbers. Nothing of the block is added then.
    pub fn add<F, D, T>(&mut self, block: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<(), Error>
    where
        F: Scalar,
        D: Data<Elem = F>,
        T: AsSingleTargets<Elem = L>,
    {
        self.add_beside(CowArray::from(block.records.view()), block)
    }

    /// Adds rows with the classes and weights of a block. Those that are owned are what a space has made of the block: they are
    /// known to be finite.
    pub(super) fn add_beside<F, R, T>(
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
            Self::of_rows(x, labels.slice(s![part]), weights)
        };
        let added = of_parts(rows, of_part, Self::merge)?;
        let mut added = added.unwrap_or_else(|| Self::new(self.within.nrows()));
        added.count = samples;
        self.merge(&added)
    }

    /// Those of linear functions Aᵀx + c of the records, whose scatter is known but for a share `rounding` of its largest
    /// eigenvalue.
    pub(super) fn of_functions(
        &self,
        coefficients: ArrayView2<'_, f64>,
        offsets: ArrayView1<'_, f64>,
        rounding: f64,
    ) -> Result<Self, Error> {
        let of_class = |class: &ClassMean| ClassMean {
            mean: mean_of_functions(class.mean.view(), coefficients, offsets),
            ..*class
        };
        let classes = self.classes.iter();
        let classes: BTreeMap<L, ClassMean> = classes
            .map(|(label, class)| (label.clone(), of_class(class)))
            .collect();
        let within = scatter_of_functions(self.within.view(), coefficients);
        let means = classes.values().flat_map(|class| &class.mean);
        require_finite("ClassMoments", within.iter().chain(means))?;
        let is_empty = classes.is_empty();
        Ok(Self {
            count: self.count,
            classes,
            within,
            rounding: if is_empty {
                0.0
            } else {
                self.rounding.max(rounding)
            },
        })
    }

    fn of_rows<F: Scalar>(
        x: CowArray<'_, F, Ix2>,
        labels: ArrayView1<'_, L>,
        weights: Option<ArrayView1<'_, F>>,
    ) -> Result<Self, Error> {
        let (count, groups) = (x.nrows(), groups(&labels));
        let order: Vec<usize> = groups.values().flatten().copied().collect();
        let weights = weights.map(|weights| weights.select(Axis(0), &order));
        let weights = weights.as_ref().map(Array1::view);
        let mut first = 0;
        let ranges = groups.values().map(|rows| {
            first += rows.len();
            first - rows.len()..first
        });
        let ranges: Vec<Range<usize>> = ranges.collect();
        let (centred, means) = centred_by(x, &order, weights, &ranges);
        let of_class = |((label, range), mean): ((L, Range<usize>), Array1<f64>)| {
            let count = range.len();
            let weights = weights.map(|weights| weights.slice_move(s![range]));
            let weight = weights.map_or(count as f64, total);
            let mean = ClassMean {
                count,
                weight,
                mean,
            };
            (label, mean)
        };
        let labelled = groups.into_keys().zip(ranges);
        let classes: BTreeMap<L, ClassMean> = labelled.zip(means).map(of_class).collect();
        let within = centred.symmetric_rank_k().mapv_into_any(Scalar::as_f64);
        let numbers = classes
            .values()
            .flat_map(|class| class.mean.iter().chain([&class.weight]));
        require_finite("ClassMoments", within.diag().iter().chain(numbers))?;
        Ok(Self {
            count,
            classes,
            within,
            rounding: 0.0,
        })
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
            let (before, more) = (own.weight, class.weight);
            let share = more / (before + more);
            let between = &class.mean - &own.mean;
            own.count += class.count;
            own.weight += class.weight;
            own.mean.scaled_add(share, &between);
            let row = between * (before * share).sqrt();
            apart.push_row(row.view()).expect("as many columns");
        }
        let within = &self.within + &others.within + linalg::symmetric_rank_k(apart.view());
        let numbers = classes
            .values()
            .flat_map(|class| class.mean.iter().chain([&class.weight]));
        require_finite("ClassMoments", within.diag().iter().chain(numbers))?;
        (self.classes, self.within) = (classes, within);
        self.count += others.count;
        self.rounding = self.rounding.max(others.rounding);
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
    /// The number of rows of all classes, whatever they weigh.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The sum of the sample weights; the number of rows where there are none.
    pub fn weight(&self) -> f64 {
        self.classes.values().map(|class| class.weight).sum()
    }

    /// Refuses moments of no rows, and of none that weighs anything.
    pub(crate) fn require_rows(&self) -> Result<(), Error> {
        require_weight(self.count, self.weight())
    }

    /// The classes so far, ascending.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = &L> {
        self.classes.keys()
    }

    /// The number of rows of a class that weigh something; 0 of one that there is not.
    pub fn class_count(&self, class: &L) -> usize {
        self.classes.get(class).map_or(0, |class| class.count)
    }

    /// The sum of the sample weights of a class, or its number of rows; 0 of one that there is not.
    pub fn class_weight(&self, class: &L) -> f64 {
        self.classes.get(class).map_or(0.0, |class| class.weight)
    }

    /// The mean of a class, if there is one.
    pub fn class_mean(&self, class: &L) -> Option<ArrayView1<'_, f64>> {
        self.classes.get(class).map(|class| class.mean.view())
    }

    /// The share of the largest eigenvalue of the scatter that is rounding, as [`Moments::rounding`](super::Moments::rounding).
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Σ (xᵢ − m_c(i))(xᵢ − m_c(i))ᵀ with the means m_c of the classes, shape (features, features).
    pub fn within_scatter(&self) -> ArrayView2<'_, f64> {
        self.within.view()
    }
}

npt_core::checked! {
    ClassMoments<L> {
        count: usize,
        classes: BTreeMap<L, ClassMean>,
        within: Array2<f64>,
        #[serde(default)]
        rounding: f64,
    }
    where L: Ord
}

npt_core::checked! { ClassMean { count: usize, weight: f64, mean: Array1<f64> } }

#[cfg(feature = "serde")]
impl<L: Ord> ClassMoments<L> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, counted, finite};
        let (rows, columns) = self.within.dim();
        counted("rows", self.count)?;
        agree("rows of scatter", rows, "columns", columns)?;
        finite("the scatter", &self.within)?;
        super::moments::check_rounding(self.rounding)?;
        let mut classes = self.classes.values();
        classes.try_for_each(|class| agree("means", class.mean.len(), "features", columns))
    }
}

#[cfg(feature = "serde")]
impl ClassMean {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{counted, finite, positive};
        counted("rows of a class", self.count)?;
        positive("the weight of a class", self.weight)?;
        finite("the means of a class", &self.mean)
    }
}
