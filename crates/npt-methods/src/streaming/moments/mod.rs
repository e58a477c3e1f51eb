//! Counts, means and scatters of records and targets.

mod adding;
mod functions;

pub(super) use functions::{mean_of_functions, scatter_of_functions};

use crate::Error;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Dimension, Ix1, Ix2};
use std::marker::PhantomData;

/// Moments of records x and targets t that come in blocks: the number of rows, their means, and their scatter around the
/// means.
///
/// | | | shape |
/// |---|---|---|
/// | [`count`](Self::count) | | |
/// | [`weight`](Self::weight) | n | |
/// | [`mean`](Self::mean) | x̄ | (features) |
/// | [`scatter`](Self::scatter) | Σ (xᵢ − x̄)(xᵢ − x̄)ᵀ | (features, features) |
/// | [`target_mean`](Self::target_mean) | t̄ | (targets) |
/// | [`cross_scatter`](Self::cross_scatter) | Σ (xᵢ − x̄)(tᵢ − t̄)ᵀ | (features, targets) |
/// | [`target_scatter`](Self::target_scatter) | Σ (tᵢ − t̄)(tᵢ − t̄)ᵀ | (targets, targets) |
///
/// Blocks may have sample weights sᵢ: means and scatters are then weighted, and n = Σ sᵢ; a weight of 2 is a row twice. Without
/// weights, n is the number of rows.
///
/// Moments are `f64`, whatever the type of the records; a part of a block is multiplied in that type. Blocks are added, and
/// moments of other rows [merged](Self::merge), in any order and grouping, with the same result up to rounding:
/// threads, files and machines may each have moments of their own.
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
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "I: Dimension"))
)]
pub struct Moments<I = Ix1> {
    count: usize,
    weight: f64,
    mean: Array1<f64>,
    #[cfg_attr(feature = "serde", serde(with = "crate::streaming::packed"))]
    scatter: Array2<f64>,
    target_mean: Array1<f64>,
    cross_scatter: Array2<f64>,
    target_scatter: Array2<f64>,
    rounding: f64,
    #[cfg_attr(feature = "serde", serde(with = "npt_core::serial::axes"))]
    targets: PhantomData<I>,
}

impl Moments {
    /// Begins moments of no rows, with `features` features and targets of one column.
    pub fn new(features: usize) -> Self {
        Self::empty(features, 1)
    }
}

impl Moments<Ix2> {
    /// Begins moments of no rows, with `features` features and without targets.
    pub fn of_records(features: usize) -> Self {
        Self::empty(features, 0)
    }

    /// Begins moments of no rows, with `features` features and targets of several columns.
    pub fn of_targets(features: usize, columns: usize) -> Self {
        Self::empty(features, columns)
    }
}

impl<I: Dimension> Moments<I> {
    pub(super) fn empty(features: usize, targets: usize) -> Self {
        Self {
            count: 0,
            weight: 0.0,
            mean: Array1::zeros(features),
            scatter: Array2::zeros((features, features)),
            target_mean: Array1::zeros(targets),
            cross_scatter: Array2::zeros((features, targets)),
            target_scatter: Array2::zeros((targets, targets)),
            rounding: 0.0,
            targets: PhantomData,
        }
    }

    /// Begins moments of no rows, with as many features and targets.
    pub(super) fn anew(&self) -> Self {
        Self::empty(self.mean.len(), self.target_mean.len())
    }

    fn check_columns(&self, features: usize, targets: usize) -> Result<(), Error> {
        let (expected, found) = (self.mean.len(), features);
        if expected != found {
            return Err(npt_core::Error::ColumnCount { expected, found }.into());
        }
        let (expected, found) = (self.target_mean.len(), targets);
        if expected != found {
            return Err(Error::TargetColumns { expected, found });
        }
        Ok(())
    }

    /// The number of rows, whatever their weights.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The sum of the sample weights; the number of rows where there are no weights.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The mean of the records; 0 where there are no rows.
    pub fn mean(&self) -> ArrayView1<'_, f64> {
        self.mean.view()
    }

    /// The scatter matrix of the records.
    pub fn scatter(&self) -> ArrayView2<'_, f64> {
        self.scatter.view()
    }

    /// The mean of the targets; 0 where there are no rows.
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

    /// The share of the largest eigenvalue of the scatter that is rounding, where it is more than the rounding of a sum over the records.
    /// It is up to ε^(2/3) for [`CoordinateMoments`](super::CoordinateMoments) that were made of kernel values or of rotated features, and 0
    /// elsewhere. It is the share of one operation, as rounding along a sum is random; of merged parts the largest counts.
    ///
    /// Methods take eigenvalues below this share for 0, or refuse an equation that depends on them.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Refuses moments of no rows, and moments whose rows all have weight 0.
    pub(crate) fn require_rows(&self) -> Result<(), Error> {
        require_weight(self.count, self.weight)
    }
}

/// Refuses no rows, and rows that all have weight 0.
pub(crate) fn require_weight(count: usize, weight: f64) -> Result<(), Error> {
    match count {
        0 => Err(npt_core::Error::NoSamples.into()),
        _ if weight > 0.0 => Ok(()),
        _ => Err(Error::TooFewSamples {
            found: 0,
            needed: 1,
        }),
    }
}

/// A method that moments M suffice for: means and scatters ([`Moments`]), moments of classes
/// ([`ClassMoments`](super::ClassMoments)), or moments of the folds of a cross-validation (`[Moments]`).
pub trait FitMoments<F, M: ?Sized> {
    /// The fitted model: the same as from all rows at once, up to rounding.
    type Object;

    /// Fits the method to the rows that the moments were taken of.
    ///
    /// # Errors
    /// The errors of the method; [`npt_core::Error::NoSamples`] for moments of no rows, [`Error::TooFewSamples`] where all rows have
    /// weight 0.
    fn fit_moments(&self, moments: &M) -> Result<Self::Object, Error>;
}

npt_core::checked! {
    Moments<I> {
        count: usize,
        weight: f64,
        mean: Array1<f64>,
        #[serde(with = "crate::streaming::packed")]
        scatter: Array2<f64>,
        target_mean: Array1<f64>,
        cross_scatter: Array2<f64>,
        target_scatter: Array2<f64>,
        rounding: f64,
        #[serde(with = "npt_core::serial::axes")]
        targets: PhantomData<I>,
    }
    where I: Dimension
}

#[cfg(feature = "serde")]
impl<I: Dimension> Moments<I> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, counted, finite, not_negative};
        let (features, targets) = (self.mean.len(), self.target_mean.len());
        crate::parts::check_target_columns::<I>(targets)?;
        counted("rows", self.count)?;
        not_negative("the weight of the rows", self.weight)?;
        check_rounding(self.rounding)?;
        for (scatter, rows, columns) in [
            (&self.scatter, features, features),
            (&self.cross_scatter, features, targets),
            (&self.target_scatter, targets, targets),
        ] {
            agree("rows of scatter", scatter.nrows(), "means", rows)?;
            agree("columns of scatter", scatter.ncols(), "means", columns)?;
            finite("the scatter", scatter)?;
        }
        finite("the means", self.mean.iter().chain(&self.target_mean))
    }
}

/// Checks that the rounding is a share of the scatter.
#[cfg(feature = "serde")]
pub(in crate::streaming) fn check_rounding(share: f64) -> Result<(), String> {
    npt_core::serial::not_negative("the rounding of the scatter", share)?;
    if share > 1.0 {
        return Err("there cannot be more rounding than scatter".into());
    }
    Ok(())
}
