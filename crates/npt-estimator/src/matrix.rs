//! A matrix of f64 or f32.

use ndarray::{ArcArray2, Array1, Array2, Axis, s};
use std::ops::Range;

/// Dense records in the precision that the data have; methods work in f64.
///
/// Clones share their values.
#[derive(Debug, Clone)]
pub(crate) enum Matrix {
    Double(ArcArray2<f64>),
    Single(ArcArray2<f32>),
}

/// Evaluates an expression of the matrix that it is.
macro_rules! either {
    ($of:expr, $matrix:ident => $value:expr) => {
        match $of {
            Matrix::Double($matrix) => $value,
            Matrix::Single($matrix) => $value,
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
        match self {
            Self::Double(matrix) => matrix.column(column).to_owned(),
            Self::Single(matrix) => matrix.column(column).mapv(f64::from),
        }
    }

    /// Some of its rows.
    pub(crate) fn rows(&self, rows: Range<usize>) -> Array2<f64> {
        match self {
            Self::Double(matrix) => matrix.slice(s![rows, ..]).to_owned(),
            Self::Single(matrix) => matrix.slice(s![rows, ..]).mapv(f64::from),
        }
    }

    /// The rows or the columns of these positions.
    pub(crate) fn select(&self, axis: Axis, places: &[usize]) -> Self {
        match self {
            Self::Double(matrix) => Self::Double(matrix.select(axis, places).into()),
            Self::Single(matrix) => Self::Single(matrix.select(axis, places).into()),
        }
    }

    /// The whole matrix in f64: without a copy, if that is what it is.
    pub(crate) fn to_double(&self) -> ArcArray2<f64> {
        match self {
            Self::Double(matrix) => matrix.clone(),
            Self::Single(matrix) => matrix.mapv(f64::from).into(),
        }
    }
}
