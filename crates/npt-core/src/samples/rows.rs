//! Dense vectors.

use super::{AsSamples, Samples, check_matrix, check_shape};
use crate::{Error, Scalar};
use linfa::dataset::Records;
use ndarray::{ArcArray2, Array2, ArrayBase, ArrayView2, Axis, Data, Ix2, concatenate};
use std::borrow::Cow;

/// Dense vectors: the rows of a matrix that is contiguous, finite and not empty.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Error, Rows, Samples};
///
/// let rows = Rows::new(array![[1.0, 2.0], [3.0, 4.0]])?;
/// assert_eq!(rows.get(1), [3.0, 4.0]);
///
/// let error = Rows::new(array![[1.0, f32::NEG_INFINITY]]).unwrap_err();
/// assert_eq!(error.to_string(), "sample 0 has the value -inf in column 1; all must be finite");
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rows<F> {
    /// The matrix, in standard (row-major) layout.
    /// Clones share it, as a fit gives its samples to whatever needs them.
    matrix: ArcArray2<F>,
}

impl<F: Scalar> Rows<F> {
    /// Takes a matrix (samples, features); copies it only if it is not row-major already.
    ///
    /// # Errors
    /// [`Error::NoSamples`], [`Error::NoFeatures`] or [`Error::SampleNotFinite`].
    pub fn new(matrix: Array2<F>) -> Result<Self, Error> {
        Self::from_shared(matrix.into_shared())
    }

    /// Takes a shared matrix (samples, features); copies it only if it is not row-major already.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_shared(matrix: ArcArray2<F>) -> Result<Self, Error> {
        Self::check(matrix.view())?;
        Ok(Self::of_checked(matrix))
    }

    fn of_checked(matrix: impl Into<ArcArray2<F>>) -> Self {
        let matrix = matrix.into();
        let matrix = if matrix.is_standard_layout() {
            matrix
        } else {
            matrix.as_standard_layout().to_shared()
        };
        Self { matrix }
    }

    /// Checks that the rows of a matrix are samples, without taking the matrix.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn check(matrix: ArrayView2<'_, F>) -> Result<(), Error> {
        check_matrix(matrix)
    }

    /// The matrix (samples, features), row-major.
    pub fn view(&self) -> ArrayView2<'_, F> {
        self.matrix.view()
    }

    /// Returns the matrix (samples, features), row-major.
    pub fn into_matrix(self) -> Array2<F> {
        self.matrix.into_owned()
    }

    /// Returns the matrix (samples, features), row-major and shared.
    pub fn into_shared(self) -> ArcArray2<F> {
        self.matrix
    }
}

impl<F: Scalar> Samples for Rows<F> {
    type Sample = [F];

    fn len(&self) -> usize {
        self.matrix.nrows()
    }

    fn get(&self, index: usize) -> &[F] {
        self.matrix
            .row(index)
            .to_slice()
            .expect("rows are contiguous by construction")
    }

    fn select(&self, indices: &[usize]) -> Self {
        Self::of_checked(self.matrix.select(Axis(0), indices))
    }

    fn append(&self, more: &Self) -> Result<Self, Error> {
        self.check_compatible(more)?;
        Ok(Self::of_checked(concatenate![
            Axis(0),
            self.matrix,
            more.matrix
        ]))
    }

    fn check_compatible(&self, new: &Self) -> Result<(), Error> {
        let (expected, found) = (self.matrix.ncols(), new.matrix.ncols());
        if expected == found {
            Ok(())
        } else {
            Err(Error::ColumnCount { expected, found })
        }
    }
}

impl<F: Scalar, S: Data<Elem = F>> AsSamples for ArrayBase<S, Ix2> {
    type Samples = Rows<F>;

    fn as_samples(&self) -> Result<Cow<'_, Rows<F>>, Error> {
        check_matrix(self.view())?;
        let matrix = self.as_standard_layout().into_owned();
        Ok(Cow::Owned(Rows::of_checked(matrix)))
    }

    fn visit_blocks(
        &self,
        rows: usize,
        visit: &mut dyn FnMut(usize, usize, &Rows<F>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        check_shape(self.nrows(), self.ncols())?;
        let rows = rows.max(1);
        for (number, block) in self.axis_chunks_iter(Axis(0), rows).enumerate() {
            let before = number * rows;
            let checked = check_matrix(block);
            checked.map_err(|error| error.after_rows(before))?;
            let block = Rows::of_checked(block.as_standard_layout().into_owned());
            visit(self.nrows(), before, &block)?;
        }
        Ok(())
    }
}

impl<F: Scalar> Records for Rows<F> {
    type Elem = F;

    fn nsamples(&self) -> usize {
        self.matrix.nrows()
    }

    fn nfeatures(&self) -> usize {
        self.matrix.ncols()
    }
}

crate::checked! { Rows<F> { matrix: ArcArray2<F> } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> Rows<F> {
    fn check_parts(&self) -> Result<(), Error> {
        check_matrix(self.matrix.view())
    }
}
