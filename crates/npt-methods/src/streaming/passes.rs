//! Sums over samples that come in blocks, pass by pass.

use super::block_passes::BlockPasses;
use crate::Error;
use linfa::{DatasetBase, dataset::Records};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Zip};
use npt_core::{AsSamples, KernelSpace, LinearForm, Samples, Scalar, linalg};
use std::ops::Range;

/// The number of rows of coefficients that are converted to `f64` at a time.
const PART: usize = 1024;

/// Passes over samples that come in blocks, anew with each pass, for a method that sees the samples only by linear functions of
/// their coordinates in a space.
///
/// # Definition
/// A pass computes Σ y(xᵢ)uᵢᵀ and Σ uᵢ, with uᵢ made of the functions ⟨w, y(xᵢ)⟩ + b and the targets: the gradient of a loss,
/// its curvature along a direction, the sums of clusters. No coordinates are computed
/// ([`LinearForm`]): a pass takes the kernel values of all samples with the samples of the space, and a few operations per value.
///
/// Functions and sums are `f64`, whatever the type of the samples: the coefficients of coordinates are large, and their
/// sums are small. Sums do not depend on the number of threads.
///
/// # Example
/// A hinge loss and its slope along w:
/// ```
/// use linfa::Dataset;
/// use ndarray::{Array2, array};
/// use npt_core::{Exact, KernelSpace, Linear, SpaceBuilder};
/// use npt_methods::{Error, streaming::Passes};
///
/// let space = Exact::new(Linear::new()).fit_space(&array![[-1.0], [1.0]])?;
/// let blocks = [
///     Dataset::new(array![[3.0], [0.5]], array![1.0, 1.0]),
///     Dataset::new(array![[-0.2]], array![-1.0]),
/// ];
/// let mut passes = Passes::new(&space, || Ok::<_, Error>(blocks.iter().cloned().map(Ok)))?;
///
/// // ⟨w, y(x)⟩ = x
/// let (w, b) = (space.coordinates(&array![[1.0]])?.reversed_axes(), array![0.0]);
/// let sums = passes.sum(
///     (w.view(), b.view()),
///     |block| Ok(block.targets.clone()),
///     |targets, rows, values| {
///         let mut u = Array2::zeros((rows.len(), 2));
///         for ((row, mut u), value) in rows.zip(u.outer_iter_mut()).zip(values.column(0)) {
///             let loss = 1.0 - targets[row] * value;
///             if loss > 0.0 {
///                 u[0] = loss;
///                 u[1] = -targets[row];
///             }
///         }
///         u
///     },
/// )?;
/// assert!((sums.of_ones[0] - (0.5 + 0.8)).abs() < 1e-12);
/// let slope = w.column(0).dot(&sums.of_coordinates.column(1));
/// assert!((slope - (-0.5 - 0.2)).abs() < 1e-12);
/// # Ok::<(), npt_methods::Error>(())
/// ```
pub struct Passes<'a, S, F, N> {
    form: LinearForm<'a, S, F>,
    blocks: BlockPasses<N>,
}

/// The sums of a pass over numbers u, which have one row per sample.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PassSums {
    /// The sums Yᵀu, shape (r, columns of u).
    pub of_coordinates: Array2<f64>,
    /// The sums 1ᵀu, one number per column.
    pub of_ones: Array1<f64>,
}

impl PassSums {
    /// Adds the sums of other samples, such as those of another part of a pass, wherever they were made.
    ///
    /// # Errors
    /// [`npt_core::Error::ColumnCount`] for sums of another number of coordinates, [`Error::TargetColumns`] for other columns of u.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_methods::streaming::PassSums;
    ///
    /// let mut sums = PassSums { of_coordinates: array![[1.0], [2.0]], of_ones: array![3.0] };
    /// sums.merge(&PassSums { of_coordinates: array![[0.5], [0.5]], of_ones: array![1.0] })?;
    /// assert_eq!(sums, PassSums { of_coordinates: array![[1.5], [2.5]], of_ones: array![4.0] });
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn merge(&mut self, others: &Self) -> Result<(), Error> {
        let (expected, found) = (self.of_coordinates.nrows(), others.of_coordinates.nrows());
        if expected != found {
            return Err(npt_core::Error::ColumnCount { expected, found }.into());
        }
        let (expected, found) = (self.of_ones.len(), others.of_ones.len());
        if expected != found {
            return Err(Error::TargetColumns { expected, found });
        }
        self.of_coordinates += &others.of_coordinates;
        self.of_ones += &others.of_ones;
        Ok(())
    }
}

/// The sums Σ g(xᵢ)uᵢᵀ and Σ uᵢ, with features g of coordinates; `None` before there are samples.
struct FeatureSums(Option<(Array2<f64>, Array1<f64>)>);

impl FeatureSums {
    fn add(&mut self, features: ArrayView2<'_, f64>, u: ArrayView2<'_, f64>) {
        let more = (linalg::product(features.t(), u), u.sum_axis(Axis(0)));
        self.merge(&Self(Some(more)));
    }

    fn merge(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Some(sums), Some(more)) => {
                sums.0 += &more.0;
                sums.1 += &more.1;
            }
            (None, more) => self.0.clone_from(more),
            (Some(_), None) => {}
        }
    }
}

impl<'a, S: Samples, F: Scalar, N> Passes<'a, S, F, N> {
    /// Makes passes over blocks. Every call of `pass` returns the same blocks anew.
    ///
    /// # Errors
    /// [`npt_core::Error::Memory`] for the coefficients of coordinates.
    pub fn new<P>(space: &'a P, pass: N) -> Result<Self, Error>
    where
        P: KernelSpace<Samples = S, Scalar = F>,
    {
        Self::of("passes over blocks", space, pass)
    }

    /// Makes passes for a method, which errors name.
    pub(crate) fn of<P>(of: &'static str, space: &'a P, pass: N) -> Result<Self, Error>
    where
        P: KernelSpace<Samples = S, Scalar = F>,
    {
        Ok(Self {
            form: space.linear_form()?,
            blocks: BlockPasses::of(of, pass),
        })
    }

    /// Allows blocks with sample weights, which are refused otherwise. `prepare` sees the weights, and u has to be times the weights.
    pub fn with_weights(mut self) -> Self {
        self.blocks.takes_weights = true;
        self
    }

    /// Returns the number of samples of a pass; `None` before the first pass.
    pub fn samples(&self) -> Option<usize> {
        self.blocks.samples()
    }

    /// Makes a pass without kernel values: calls `each` with the blocks that are not empty.
    ///
    /// # Errors
    /// The errors of [`sum`](Self::sum), except errors of the records, which are not looked at.
    pub fn for_each_block<I, R, T, E>(
        &mut self,
        each: impl FnMut(&DatasetBase<R, T>) -> Result<(), Error>,
    ) -> Result<(), E>
    where
        N: FnMut() -> Result<I, E>,
        I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
        R: Records,
        E: From<Error>,
    {
        self.blocks.for_each(each)
    }

    /// Makes a pass, and returns its sums.
    ///
    /// `functions` are the weights w, shape (r, functions), and the b, one per function. `prepare` takes from a block what
    /// `u` needs of its targets. `u` is called from several threads, for a few hundred samples at a time, with the result of `prepare`,
    /// the positions of the samples in the block, and the values of the functions, shape (samples, functions). It
    /// returns one row per sample, always with the same number of columns.
    ///
    /// # Errors
    /// The errors of `pass`, of its blocks, and of `prepare`. The errors of the records of a block, with rows counted from the first
    /// of all blocks, and [`Error::Weights`] unless [`with_weights`](Self::with_weights); [`npt_core::Error::NoSamples`] for no samples,
    /// [`Error::OtherPass`] where a later pass has more or fewer samples.
    ///
    /// # Panics
    /// Panics if the functions do not fit each other, or the coordinates.
    pub fn sum<I, R, T, Q, E>(
        &mut self,
        functions: (ArrayView2<'_, f64>, ArrayView1<'_, f64>),
        prepare: impl FnMut(&DatasetBase<R, T>) -> Result<Q, Error>,
        u: impl Fn(&Q, Range<usize>, ArrayView2<'_, f64>) -> Array2<f64> + Sync,
    ) -> Result<PassSums, E>
    where
        N: FnMut() -> Result<I, E>,
        I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
        R: Records + AsSamples<Samples = S>,
        Q: Sync,
        E: From<Error>,
    {
        self.sum_and(functions, prepare, u, |_, _| Ok(()))
    }

    /// Makes a pass as [`sum`](Self::sum) does, and calls `then` for each block when `u` has seen it.
    pub(crate) fn sum_and<I, R, T, Q, E>(
        &mut self,
        functions: (ArrayView2<'_, f64>, ArrayView1<'_, f64>),
        mut prepare: impl FnMut(&DatasetBase<R, T>) -> Result<Q, Error>,
        u: impl Fn(&Q, Range<usize>, ArrayView2<'_, f64>) -> Array2<f64> + Sync,
        mut then: impl FnMut(&S, Q) -> Result<(), Error>,
    ) -> Result<PassSums, E>
    where
        N: FnMut() -> Result<I, E>,
        I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
        R: Records + AsSamples<Samples = S>,
        Q: Sync,
        E: From<Error>,
    {
        let (along, constants) = self.of_features(functions);
        let mut sums = FeatureSums(None);
        let form = &self.form;
        self.blocks.for_each(|block: &DatasetBase<R, T>| {
            let samples = block.records.as_samples()?;
            let prepared = prepare(block)?;
            let sum = form.sum(
                &samples,
                || FeatureSums(None),
                |sum, rows, features| {
                    let features = features.mapv(Scalar::as_f64);
                    let values = linalg::product(features.view(), along.view()) + &constants;
                    let u = u(&prepared, rows, values.view());
                    sum.add(features.view(), u.view());
                },
                FeatureSums::merge,
            )?;
            sums.merge(&sum);
            then(&samples, prepared)
        })?;
        let (of_features, of_ones) = sums.0.unwrap_or_default();
        Ok(PassSums {
            of_coordinates: self.of_coordinates(&of_features, &of_ones),
            of_ones,
        })
    }

    /// Writes functions of the coordinates as functions of the features: coefficients and constants.
    fn of_features(
        &self,
        (w, b): (ArrayView2<'_, f64>, ArrayView1<'_, f64>),
    ) -> (Array2<f64>, Array1<f64>) {
        let coefficients = self.form.coefficients();
        let mut along = Array2::zeros((coefficients.nrows(), w.ncols()));
        let parts = coefficients.axis_chunks_iter(Axis(0), PART);
        for (part, mut along) in parts.zip(along.axis_chunks_iter_mut(Axis(0), PART)) {
            along.assign(&linalg::product(part.mapv(Scalar::as_f64).view(), w));
        }
        let constants = self.form.offsets().mapv(Scalar::as_f64).dot(&w) + b;
        (along, constants)
    }

    fn of_coordinates(&self, of_features: &Array2<f64>, of_ones: &Array1<f64>) -> Array2<f64> {
        let offsets = self.form.offsets().mapv(Scalar::as_f64);
        let mut sum = Array2::zeros((offsets.len(), of_ones.len()));
        Zip::from(sum.rows_mut())
            .and(&offsets)
            .for_each(|mut row, &offset| row.scaled_add(offset, of_ones));
        let coefficients = self.form.coefficients();
        let parts = coefficients.axis_chunks_iter(Axis(0), PART);
        for (part, values) in parts.zip(of_features.axis_chunks_iter(Axis(0), PART)) {
            let part = part.mapv(Scalar::as_f64);
            sum += &linalg::product(part.t(), values);
        }
        sum
    }
}
