//! Samples from arrays, lists and sparse matrices.

use crate::{
    borrowed::rows_of,
    errors::{exception, of_samples},
};
use ndarray::Array1;
use npt::{
    Items, KernelRows, SparseRows,
    estimator::{Data, Targets},
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
};
use sprs::CsMat;
use std::collections::{BTreeSet, HashSet};

/// Samples of one of the types for which there are kernels by name.
#[pyclass(frozen, module = "npt._npt")]
pub(crate) struct Samples {
    pub(crate) data: Data,
}

impl From<Data> for Samples {
    fn from(data: Data) -> Self {
        Self { data }
    }
}

#[pymethods]
impl Samples {
    /// Dense vectors, one row a sample. A matrix in C order is used where it is; only a fit copies it.
    #[staticmethod]
    #[pyo3(signature = (matrix, columns=None))]
    fn dense(matrix: PyReadonlyArray2<'_, f64>, columns: Option<Vec<String>>) -> PyResult<Self> {
        named(rows_of(&matrix).map_err(exception)?, columns)
    }

    /// Dense vectors, which stay in single precision.
    #[staticmethod]
    #[pyo3(signature = (matrix, columns=None))]
    fn dense_single(
        matrix: PyReadonlyArray2<'_, f32>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Self> {
        named(rows_of(&matrix).map_err(exception)?, columns)
    }

    /// Sparse vectors: a matrix of compressed rows, as in scipy.sparse; `width` is the number of columns.
    #[staticmethod]
    fn sparse(
        starts: PyReadonlyArray1<'_, i64>,
        columns: PyReadonlyArray1<'_, i64>,
        values: PyReadonlyArray1<'_, f64>,
        width: usize,
    ) -> PyResult<Self> {
        let whole = |numbers: &PyReadonlyArray1<'_, i64>| -> PyResult<Vec<usize>> {
            let numbers = numbers.as_array();
            let numbers = numbers.iter().map(|&number| usize::try_from(number));
            let numbers: Result<Vec<_>, _> = numbers.collect();
            numbers.map_err(|_| PyValueError::new_err("a position of the matrix is negative"))
        };
        let (starts, columns) = (whole(&starts)?, whole(&columns)?);
        let rows = starts.len().saturating_sub(1);
        let values = values.as_array().to_vec();
        let matrix = CsMat::try_new((rows, width), starts, columns, values)
            .map_err(|(_, _, _, error)| PyValueError::new_err(error.to_string()))?;
        let samples = SparseRows::new(&matrix).map_err(of_samples)?;
        Ok(Data::new(samples).into())
    }

    /// Texts.
    #[staticmethod]
    fn texts(texts: Vec<String>) -> PyResult<Self> {
        Ok(Data::new(Items::new(texts).map_err(of_samples)?).into())
    }

    /// Sets of texts.
    #[staticmethod]
    fn sets(sets: Vec<HashSet<String>>) -> PyResult<Self> {
        let sets: Vec<BTreeSet<String>> = sets
            .into_iter()
            .map(|set| set.into_iter().collect())
            .collect();
        Ok(Data::new(Items::new(sets).map_err(of_samples)?).into())
    }

    /// The training samples of a kernel matrix.
    #[staticmethod]
    fn kernel_matrix(matrix: PyReadonlyArray2<'_, f64>) -> PyResult<Self> {
        let samples = KernelRows::training(matrix.as_array()).map_err(of_samples)?;
        Ok(Data::new(samples).into())
    }

    /// New samples by their kernel values with the training samples, one row a sample, and with themselves, if these values are known.
    #[staticmethod]
    #[pyo3(signature = (cross, self_values=None))]
    fn kernel_rows(
        cross: PyReadonlyArray2<'_, f64>,
        self_values: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<Self> {
        let mut samples = KernelRows::new_samples(cross.as_array()).map_err(of_samples)?;
        if let Some(values) = self_values {
            samples = samples
                .with_self_values(values.as_array())
                .map_err(of_samples)?;
        }
        Ok(Data::new(samples).into())
    }

    /// Samples with weights, one a sample.
    fn with_weights(&self, weights: PyReadonlyArray1<'_, f64>) -> Self {
        let weights: Array1<f32> = weights.as_array().mapv(|weight| weight as f32);
        self.data.clone().with_weights(weights).into()
    }

    /// The samples of these positions.
    fn rows(&self, rows: PyReadonlyArray1<'_, i64>) -> PyResult<Self> {
        let (rows, count) = (rows.as_array(), self.data.len());
        let within = rows.iter().map(|&row| {
            let within = usize::try_from(row).ok().filter(|&row| row < count);
            within.ok_or_else(|| {
                PyIndexError::new_err(format!("there is no sample {row} among {count}"))
            })
        });
        let within: Vec<usize> = within.collect::<PyResult<_>>()?;
        Ok(self.data.rows(&within).into())
    }

    fn __len__(&self) -> usize {
        self.data.len()
    }
}

fn named(data: Data, columns: Option<Vec<String>>) -> PyResult<Samples> {
    match columns {
        Some(columns) => data
            .with_columns(columns)
            .map(Samples::from)
            .map_err(exception),
        None => Ok(data.into()),
    }
}

/// Targets of a fit: nothing, labels, numbers, or the samples of a second view.
#[derive(FromPyObject)]
pub(crate) enum Given<'py> {
    View(PyRef<'py, Samples>),
    Numbers(PyReadonlyArray2<'py, f64>),
    Sides(PyReadonlyArray1<'py, bool>),
    Integers(PyReadonlyArray1<'py, i64>),
    Texts(Vec<String>),
}

impl Given<'_> {
    pub(crate) fn targets(self) -> Targets {
        match self {
            Self::View(samples) => samples.data.clone().into(),
            Self::Numbers(numbers) => numbers.as_array().to_owned().into(),
            Self::Sides(labels) => labels.as_array().to_owned().into(),
            Self::Integers(labels) => labels.as_array().to_owned().into(),
            Self::Texts(labels) => labels.into(),
        }
    }
}
