//! Counts, means and scatters of records and targets.

use super::{
    centred::{centred, rows_at_once, total},
    one_block::{coordinates_of_block, counted_on},
};
use crate::{
    Error,
    error::require_finite,
    linear::{Weights, checked_targets},
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records, TargetDim},
};
use ndarray::{
    Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, CowArray, Data, Dimension, Ix1, Ix2, s,
};
use npt_core::{AsSamples, KernelSpace, LinearFunctions, Rows, Scalar};
use std::marker::PhantomData;

/// The number of rows, their means, and their scatter around these, of records x and targets t that come in
/// blocks.
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
/// Blocks may have sample weights sᵢ: means and scatters are then weighted, and n = Σ sᵢ; a weight of 2 is a row twice. Without,
/// n is the number of rows.
///
/// In `f64` whatever the records; a part of a block is multiplied in its type. Blocks are added, and
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
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "I: Dimension"))
)]
pub struct Moments<I = Ix1> {
    count: usize,
    weight: f64,
    mean: Array1<f64>,
    scatter: Array2<f64>,
    target_mean: Array1<f64>,
    cross_scatter: Array2<f64>,
    target_scatter: Array2<f64>,
    #[cfg_attr(feature = "serde", serde(with = "npt_core::serial::axes"))]
    targets: PhantomData<I>,
}

impl Moments {
    /// Of no rows yet, of so many features, with targets of one column.
    pub fn new(features: usize) -> Self {
        Self::empty(features, 1)
    }
}

impl Moments<Ix2> {
    /// Of no rows yet, of so many features, without targets.
    pub fn of_records(features: usize) -> Self {
        Self::empty(features, 0)
    }

    /// Of no rows yet, of so many features, with targets of several columns.
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
        self.add_rows(records.view(), none, &Weights::none(records.nrows()))
    }
}

impl<I: Dimension> Moments<I> {
    fn empty(features: usize, targets: usize) -> Self {
        Self {
            count: 0,
            weight: 0.0,
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
    /// [`npt_core::Error::SampleNotFinite`], [`npt_core::Error::TargetNotFinite`], [`npt_core::Error::Weight`]; [`Error::Block`] where it has other
    /// columns, or not one target and weight a row; [`Error::Overflow`] where its sums are no numbers. Nothing of the block is added then.
    pub fn add<F, D, T>(&mut self, block: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<(), Error>
    where
        F: Scalar,
        D: Data<Elem = F>,
        T: AsTargets<Elem = F, Ix = I>,
    {
        let (samples, targets) = (block.records.nrows(), block.as_targets().len_of(Axis(0)));
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
        self.add_rows(block.records.view(), targets, &weights)
    }

    /// Adds the coordinates of a block of samples in a kernel space, with its targets and weights.
    ///
    /// # Errors
    /// As [`add`](Self::add), and those of [`KernelSpace::coordinates`], with rows counted from the first of all blocks.
    ///
    /// # Example
    /// ```
    /// use linfa::Dataset;
    /// use ndarray::array;
    /// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
    /// use npt_methods::{Error, streaming::Moments};
    ///
    /// let space = Exact::new(Gaussian::new(1.0)).fit_space(&array![[0.0], [1.0], [3.0]])?.into_parts().0;
    /// let mut moments = Moments::new(space.rank());
    /// moments.add_coordinates(&space, &Dataset::new(array![[0.5], [2.0]], array![1.0, 2.0]))?;
    /// let bad = Dataset::new(array![[0.5], [f64::NAN]], array![1.0, 2.0]);
    /// let error = moments.add_coordinates(&space, &bad).unwrap_err();
    /// assert!(matches!(error, Error::Core(npt_core::Error::SampleNotFinite { row: 3, .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn add_coordinates<P, R, T>(
        &mut self,
        space: &P,
        block: &DatasetBase<R, T>,
    ) -> Result<(), Error>
    where
        P: KernelSpace,
        R: Records + AsSamples<Samples = P::Samples>,
        T: AsTargets<Elem = P::Scalar, Ix = I>,
        I: TargetDim,
    {
        if block.nsamples() == 0 {
            return Ok(());
        }
        let coordinates = coordinates_of_block(space, block, self.count)?;
        self.add(&coordinates)
    }

    fn add_rows<F: Scalar>(
        &mut self,
        records: ArrayView2<'_, F>,
        targets: Array2<F>,
        weights: &Weights<F>,
    ) -> Result<(), Error> {
        if records.nrows() == 0 {
            return Ok(());
        }
        self.check_columns(records.ncols(), targets.ncols())
            .and_then(|()| Ok(Rows::check(records)?))
            .map_err(|error| counted_on(error, self.count))?;
        let mut block = Self::empty(self.mean.len(), self.target_mean.len());
        let (all, targets) = (records.nrows(), weights.select(targets));
        let rows = match weights.given() {
            Some(_) => weights.select(records.to_owned()).into(),
            None => CowArray::from(records),
        };
        for (first, x) in (0..)
            .step_by(rows_at_once::<F>())
            .zip(rows.axis_chunks_iter(Axis(0), rows_at_once::<F>()))
        {
            let part = s![first..first + x.nrows()];
            let weights = weights.given().map(|weights| weights.slice(part));
            let t = targets.slice(s![first..first + x.nrows(), ..]);
            block.merge(&Self::of_rows(x, t, weights)?)?;
        }
        block.count = all;
        self.merge(&block)
    }

    fn of_rows<F: Scalar>(
        x: ArrayView2<'_, F>,
        t: ArrayView2<'_, F>,
        weights: Option<ArrayView1<'_, F>>,
    ) -> Result<Self, Error> {
        let count = x.nrows();
        let ((x, mean), (t, target_mean)) = (centred(x, weights), centred(t, weights));
        let wide = |matrix: Array2<F>| matrix.mapv(Scalar::as_f64);
        let block = Self {
            count,
            weight: weights.map_or(count as f64, total),
            mean,
            scatter: wide(x.symmetric_rank_k()),
            target_mean,
            cross_scatter: wide(x.products(&t)),
            target_scatter: wide(t.symmetric_rank_k()),
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
    /// [`npt_core::Error::ColumnCount`] and [`Error::TargetColumns`] if they are of other records or targets,
    /// [`Error::Overflow`] where their sum is no number. Nothing is added then.
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
        // The other entries are no larger.
        require_finite(
            "Moments",
            squares.iter().chain(&of_targets).chain([&(own + more)]),
        )?;
        self.count = count;
        self.weight += more;
        self.mean.scaled_add(share, &apart);
        self.target_mean.scaled_add(share, &targets_apart);
        add(&mut self.scatter, &others.scatter, (&apart, &apart, weight));
        let of_both = (&apart, &targets_apart, weight);
        add(&mut self.cross_scatter, &others.cross_scatter, of_both);
        let of_targets = (&targets_apart, &targets_apart, weight);
        add(&mut self.target_scatter, &others.target_scatter, of_targets);
        Ok(())
    }

    /// The (weighted) sums of squared errors of linear functions of the records, one for each target, from the moments
    /// alone: of rows that were held out, they tell which of several fits is best.
    ///
    /// # Errors
    /// [`npt_core::Error::NoSamples`], [`Error::TooFewSamples`] where all rows weigh nothing,
    /// [`npt_core::Error::ColumnCount`] and [`Error::TargetColumns`] if the functions are of other records or targets.
    ///
    /// # Example
    /// ```
    /// use linfa::Dataset;
    /// use ndarray::array;
    /// use npt_methods::{linear::Ridge, streaming::{FitMoments, Moments}};
    ///
    /// let mut line = Moments::new(1);
    /// line.add(&Dataset::new(array![[0.0], [1.0], [2.0]], array![1.0, 3.0, 5.0]))?;
    /// let ridge: Ridge<f64> = Ridge::params().penalty(0.0).fit_moments(&line)?;
    ///
    /// let mut others = Moments::new(1);
    /// others.add(&Dataset::new(array![[3.0], [4.0]], array![7.5, 8.0]))?;
    /// let errors = others.squared_errors(&ridge)?;
    /// assert!((errors[0] - (0.5 * 0.5 + 1.0 * 1.0)).abs() < 1e-13);
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn squared_errors<F: Scalar>(
        &self,
        functions: &impl LinearFunctions<F>,
    ) -> Result<Array1<f64>, Error> {
        self.require_rows()?;
        let (directions, offsets) = functions.linear_functions();
        let (directions, offsets) = (
            directions.mapv(Scalar::as_f64),
            offsets.mapv(Scalar::as_f64),
        );
        self.check_columns(directions.nrows(), directions.ncols())?;
        // Σ (t − wᵀx − b)², around the means, and of these.
        let explained = self.scatter.dot(&directions) - &self.cross_scatter * 2.0;
        let around = &self.target_scatter.diag() + (explained * &directions).sum_axis(Axis(0));
        let of_means = &self.target_mean - &self.mean.dot(&directions) - &offsets;
        let squares = around + &of_means * &of_means * self.weight;
        // Rounding may leave less than nothing of a perfect fit.
        Ok(squares.mapv_into(|sum| sum.max(0.0)))
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

    /// The number of rows, whatever they weigh.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The sum of the sample weights; the number of rows where there are none.
    pub fn weight(&self) -> f64 {
        self.weight
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

    /// Refuses moments of no rows, and of none that weighs anything.
    pub(crate) fn require_rows(&self) -> Result<(), Error> {
        require_weight(self.count, self.weight)
    }
}

/// Refuses rows that weigh nothing together.
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

/// Adds a matrix, and abᵀ times a weight.
fn add(
    sum: &mut Array2<f64>,
    more: &Array2<f64>,
    (a, b, weight): (&Array1<f64>, &Array1<f64>, f64),
) {
    for ((mut sum, more), a) in sum.outer_iter_mut().zip(more.outer_iter()).zip(a) {
        sum += &more;
        sum.scaled_add(a * weight, b);
    }
}

/// Methods that moments M suffice for: means and scatters ([`Moments`]), those of classes
/// ([`ClassMoments`](super::ClassMoments)), those of the folds of a cross-validation (`[Moments]`).
pub trait FitMoments<F, M: ?Sized> {
    /// The fitted model: as from all rows at once, to rounding.
    type Object;

    /// Fits the method to the rows that the moments are of.
    ///
    /// # Errors
    /// Those of the method; [`npt_core::Error::NoSamples`] for moments of no rows, [`Error::TooFewSamples`] where all weigh
    /// nothing.
    fn fit_moments(&self, moments: &M) -> Result<Self::Object, Error>;
}

npt_core::checked! {
    Moments<I> {
        count: usize,
        weight: f64,
        mean: Array1<f64>,
        scatter: Array2<f64>,
        target_mean: Array1<f64>,
        cross_scatter: Array2<f64>,
        target_scatter: Array2<f64>,
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
