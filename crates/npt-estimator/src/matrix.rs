//! A matrix of f64 or f32.

use crate::Error;
use ndarray::{ArcArray2, Array1, Array2, ArrayView2, Axis, s};
use std::{fmt, ops::Range, sync::Arc};

/// Dense records in the precision that the data have; methods work in f64.
///
/// Clones share their values.
#[derive(Debug, Clone)]
pub(crate) enum Matrix {
    Double(Values<f64>),
    Single(Values<f32>),
}

/// The numbers of a matrix, row by row.
#[derive(Clone)]
pub(crate) enum Values<F> {
    Own(ArcArray2<F>),
    /// Numbers that somebody else owns, of this shape.
    Others(Arc<dyn AsRef<[F]> + Send + Sync>, [usize; 2]),
}

impl<F> Values<F> {
    /// Takes numbers that somebody else owns; refuses another count than that of the shape.
    pub(crate) fn of_others(
        values: Arc<dyn AsRef<[F]> + Send + Sync>,
        shape: [usize; 2],
    ) -> Result<Self, Error> {
        let ([rows, columns], found) = (shape, (*values).as_ref().len());
        if rows.checked_mul(columns) == Some(found) {
            return Ok(Self::Others(values, shape));
        }
        Err(Error::ValueCount {
            rows,
            columns,
            found,
        })
    }

    fn view(&self) -> ArrayView2<'_, F> {
        match self {
            Self::Own(matrix) => matrix.view(),
            Self::Others(values, shape) => {
                let values = (**values).as_ref();
                ArrayView2::from_shape(*shape, values).expect("numbers stay as many as they were")
            }
        }
    }
}

impl<F> From<Array2<F>> for Values<F> {
    fn from(matrix: Array2<F>) -> Self {
        Self::Own(matrix.into())
    }
}

/// Prints the shape alone.
impl<F> fmt::Debug for Values<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Values").field(&self.view().dim()).finish()
    }
}

/// Evaluates an expression on a view of the matrix, in the precision that it has.
macro_rules! either {
    ($of:expr, $matrix:ident => $value:expr) => {
        match $of {
            Matrix::Double(values) => {
                let $matrix = values.view();
                $value
            }
            Matrix::Single(values) => {
                let $matrix = values.view();
                $value
            }
        }
    };
}

impl Matrix {
    pub(crate) fn nrows(&self) -> usize {
        either!(self, matrix => matrix.nrows())
    }

    pub(crate) fn ncols(&self) -> usize {
        either!(self, matrix => matrix.ncols())
    }

    pub(crate) fn column(&self, column: usize) -> Array1<f64> {
        either!(self, matrix => matrix.column(column).mapv(f64::from))
    }

    /// Copies some of the rows, as f64.
    pub(crate) fn rows(&self, rows: Range<usize>) -> Array2<f64> {
        match self {
            Self::Double(values) => values.view().slice(s![rows, ..]).to_owned(),
            Self::Single(values) => values.view().slice(s![rows, ..]).mapv(f64::from),
        }
    }

    /// The rows or the columns of these positions.
    pub(crate) fn select(&self, axis: Axis, places: &[usize]) -> Self {
        match self {
            Self::Double(values) => Self::Double(values.view().select(axis, places).into()),
            Self::Single(values) => Self::Single(values.view().select(axis, places).into()),
        }
    }

    /// The whole matrix in f64; without a copy if it is in f64 and owned here.
    pub(crate) fn to_double(&self) -> ArcArray2<f64> {
        match self {
            Self::Double(Values::Own(matrix)) => matrix.clone(),
            Self::Double(values) => values.view().to_owned().into(),
            Self::Single(values) => values.view().mapv(f64::from).into(),
        }
    }
}
