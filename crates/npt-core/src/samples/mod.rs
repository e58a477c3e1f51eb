//! Samples of any type, checked once at the border.
//!
//! [`Samples`] is what kernels and spaces work on: a list of samples that are known to be usable.
//! [`AsSamples`] is what callers have: an `Array2`, a view, a list of strings. Everything behind
//! the border relies on the check, so no other code looks for NaN.

mod items;
mod kernel_rows;
mod names;
mod rows;
mod sparse;

pub use items::Items;
pub use kernel_rows::{KernelRow, KernelRows};
pub use names::{FeatureNames, require_feature_names};
pub use rows::Rows;
pub use sparse::{SparseRow, SparseRows};

use crate::{Error, Scalar, parallel};
use linfa::{DatasetBase, dataset::Records};
use ndarray::{Array1, ArrayBase, ArrayView2, Data, Ix2};
use std::borrow::Cow;

/// A list of samples.
///
/// [`Rows`] holds dense vectors, [`SparseRows`] sparse ones, [`KernelRows`] precomputed kernel values,
/// [`Items`] anything else. Implement it for a container of your own
/// where whole blocks of kernel values can be computed faster from it than sample by sample.
///
/// # Example
/// ```
/// use npt_core::{Items, Samples};
///
/// let words = Items::new(vec!["alpha", "beta", "gamma"])?;
/// assert_eq!(words.len(), 3);
/// assert_eq!(words.select(&[2, 0]).get(1), &"alpha");
/// assert_eq!(words.append(&words)?.get(4), &"beta");
/// # Ok::<(), npt_core::Error>(())
/// ```
pub trait Samples: Clone + Send + Sync {
    /// One sample, as a kernel sees it.
    type Sample: ?Sized;

    /// Number of samples, at least 1.
    fn len(&self) -> usize;

    /// Sample `index`, counted from 0.
    ///
    /// # Panics
    /// Panics if `index` is not below [`len`](Self::len).
    fn get(&self, index: usize) -> &Self::Sample;

    /// The samples at `indices`, in that order.
    ///
    /// # Panics
    /// Panics if an index is not below [`len`](Self::len).
    fn select(&self, indices: &[usize]) -> Self;

    /// These samples, and then `more`.
    ///
    /// # Errors
    /// As [`check_compatible`](Self::check_compatible).
    fn append(&self, more: &Self) -> Result<Self, Error>;

    /// Checks that `new` and these samples can be arguments of one kernel.
    ///
    /// # Errors
    /// For [`Rows`], [`Error::ColumnCount`] if the numbers of columns differ.
    fn check_compatible(&self, new: &Self) -> Result<(), Error> {
        let _ = new;
        Ok(())
    }

    /// Returns whether there are no samples: always false for what passed the border.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Anything that can be read as [`Samples`]: every record type of linfa, and samples themselves.
///
/// | records | samples |
/// |---|---|
/// | `Array2<F>`, `ArrayView2<F>`, any 2-dimensional `ArrayBase`, any memory layout | [`Rows<F>`] |
/// | any [`Samples`] | themselves, without a copy |
///
/// # Example
/// ```
/// use ndarray::{array, Array2};
/// use npt_core::{AsSamples, Samples};
///
/// let x: Array2<f64> = array![[1.0, 2.0], [3.0, 4.0]];
/// let columns_first = x.t();
/// assert_eq!(columns_first.as_samples()?.get(0), [1.0, 3.0]);
/// # Ok::<(), npt_core::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no samples",
    label = "here records are needed: vectors as the rows of an `Array2`, all else as `Items`",
    note = "of one vector, `model.predict_row(&[1.0, 2.0])` predicts; `row.insert_axis(Axis(0))` is a matrix of one row",
    note = "texts, graphs and what else is no vector become samples by `Items::new(vec)`"
)]
pub trait AsSamples {
    /// The samples that these records hold.
    type Samples: Samples;

    /// The records as samples. Records that are samples already are borrowed.
    ///
    /// # Errors
    /// [`Error::NoSamples`], [`Error::NoFeatures`] or [`Error::SampleNotFinite`].
    fn as_samples(&self) -> Result<Cow<'_, Self::Samples>, Error>;

    /// Calls `visit` with the samples in their order, block by block. Its arguments are the number of all samples, the
    /// number of samples before the block, and the block, which has at least one sample.
    ///
    /// Records that have to be copied to become samples, such as the rows of a matrix, are copied and checked a block of `rows` samples
    /// at a time, so that there is never a copy of them all. Records that are samples already are one block.
    ///
    /// # Errors
    /// As [`as_samples`](Self::as_samples), after the blocks before the faulty one have been visited; and the errors of
    /// `visit`.
    ///
    /// # Example
    /// ```
    /// use ndarray::Array2;
    /// use npt_core::{AsSamples, Samples};
    ///
    /// let x = Array2::<f64>::zeros((5, 3));
    /// let mut blocks = Vec::new();
    /// x.visit_blocks(2, &mut |all, before, block| {
    ///     blocks.push((all, before, block.len()));
    ///     Ok(())
    /// })?;
    /// assert_eq!(blocks, [(5, 0, 2), (5, 2, 2), (5, 4, 1)]);
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    fn visit_blocks(
        &self,
        rows: usize,
        visit: &mut dyn FnMut(usize, usize, &Self::Samples) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let _ = rows;
        let samples = self.as_samples()?;
        visit(samples.len(), 0, &samples)
    }

    /// The names of the features, if the records come with names, as a dataset does; empty by default.
    fn feature_names(&self) -> &[String] {
        &[]
    }
}

/// Records that are a matrix of numbers, one row a sample: an array, or a dataset of an array. Some of the numbers may be
/// missing.
pub trait AsMatrix {
    /// The type of the numbers.
    type Elem;

    /// The matrix.
    fn as_matrix(&self) -> ArrayView2<'_, Self::Elem>;

    /// The names of the features, if the records come with names, as a dataset does; empty by default.
    fn feature_names(&self) -> &[String] {
        &[]
    }
}

impl<S: Data> AsMatrix for ArrayBase<S, Ix2> {
    type Elem = S::Elem;

    fn as_matrix(&self) -> ArrayView2<'_, S::Elem> {
        self.view()
    }
}

/// Samples are read as themselves.
#[diagnostic::do_not_recommend]
impl<S: Samples> AsSamples for S {
    type Samples = Self;

    fn as_samples(&self) -> Result<Cow<'_, Self>, Error> {
        Ok(Cow::Borrowed(self))
    }
}

/// Converts samples to a dataset without targets, as linfa does for an array.
macro_rules! dataset {
    ($samples:ty, $generic:ident: $($bound:tt)*) => {
        impl<$generic: $($bound)*> From<$samples> for DatasetBase<$samples, Array1<()>> {
            fn from(samples: $samples) -> Self {
                let targets = Array1::from_elem(samples.nsamples(), ());
                DatasetBase::new(samples, targets)
            }
        }
    };
}

dataset!(Rows<F>, F: Scalar);
dataset!(SparseRows<F>, F: Scalar);
dataset!(KernelRows<F>, F: Scalar);
dataset!(Items<T>, T: Clone + Send + Sync);

/// Refuses a matrix, one row a sample, that is empty or not finite.
fn check_matrix<F: Scalar>(matrix: ArrayView2<'_, F>) -> Result<(), Error> {
    let (samples, features) = matrix.dim();
    check_shape(samples, features)?;
    if parallel::all_finite(matrix) {
        return Ok(());
    }
    let mut entries = matrix.indexed_iter();
    entries.try_for_each(|((row, column), &value)| check_finite(row, column, value))
}

pub(crate) fn check_shape(samples: usize, features: usize) -> Result<(), Error> {
    match (samples, features) {
        (0, _) => Err(Error::NoSamples),
        (_, 0) => Err(Error::NoFeatures { samples }),
        _ => Ok(()),
    }
}

fn check_finite<F: Scalar>(row: usize, column: usize, value: F) -> Result<(), Error> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Error::SampleNotFinite {
        row,
        column,
        value: value.as_f64(),
    })
}
