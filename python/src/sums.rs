//! Sums of samples that come in parts.

use crate::{
    errors::exception,
    model::Model,
    samples::{Given, Samples},
    work::{Work, run},
};
use npt::{
    ParameterValue,
    estimator::{self, PartialSums, Targets},
    model_file,
};
use pyo3::{prelude::*, types::PyBytes};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The value of a parameter.
#[derive(FromPyObject)]
pub(crate) enum Value {
    Boolean(bool),
    Integer(usize),
    Real(f64),
    Text(String),
    List(Vec<f64>),
}

impl From<Value> for ParameterValue {
    fn from(value: Value) -> Self {
        match value {
            Value::Boolean(value) => value.into(),
            Value::Integer(value) => value.into(),
            Value::Real(value) => value.into(),
            Value::Text(value) => Self::Text(value),
            Value::List(values) => values.into(),
        }
    }
}

/// A fit whose samples come in parts.
#[pyclass(frozen, module = "npt._npt")]
pub(crate) struct Sums {
    sums: Arc<Mutex<estimator::Sums>>,
}

impl From<estimator::Sums> for Sums {
    fn from(sums: estimator::Sums) -> Self {
        let sums = Arc::new(Mutex::new(sums));
        Self { sums }
    }
}

impl Sums {
    fn get(&self) -> MutexGuard<'_, estimator::Sums> {
        locked(&self.sums)
    }
}

/// What a thread that ended early leaves is as it was: blocks are added as a whole.
fn locked(sums: &Mutex<estimator::Sums>) -> MutexGuard<'_, estimator::Sums> {
    sums.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl Sums {
    /// The same sums of no samples, which are divided into so many folds.
    fn with_folds(&self, folds: usize) -> PyResult<Self> {
        let sums = self.get().clone().folds(folds);
        sums.map(Self::from).map_err(exception)
    }

    /// Adds samples with their targets.
    #[pyo3(signature = (samples, targets=None, work=None))]
    fn add(
        &self,
        py: Python<'_>,
        samples: &Samples,
        targets: Option<Given<'_>>,
        work: Option<&Work>,
    ) -> PyResult<()> {
        let targets = targets.map_or(Targets::None, Given::targets);
        let (sums, data) = (Arc::clone(&self.sums), samples.data.clone());
        run(py, work, move || locked(&sums).add(&data, targets))
    }

    /// The sums so far, without the space, as bytes.
    fn part<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let sums = Arc::clone(&self.sums);
        let bytes = run(py, None, move || {
            Ok(model_file::to_bytes(&locked(&sums).part()?)?)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Adds such sums over other samples.
    fn merge(&self, py: Python<'_>, part: &[u8]) -> PyResult<()> {
        let (sums, part) = (Arc::clone(&self.sums), part.to_vec());
        run(py, None, move || {
            let part: PartialSums = model_file::from_bytes(&part)?;
            locked(&sums).merge(&part)
        })
    }

    /// The model of all samples so far, with other values of the method's parameters.
    #[pyo3(signature = (values=BTreeMap::new(), work=None))]
    fn fit(
        &self,
        py: Python<'_>,
        values: BTreeMap<String, Value>,
        work: Option<&Work>,
    ) -> PyResult<Model> {
        let sums = Arc::clone(&self.sums);
        run(py, work, move || locked(&sums).fit_with(values)).map(Model::from)
    }

    /// The number of samples so far.
    fn count(&self) -> usize {
        self.get().count()
    }

    /// The number of coordinates.
    fn rank(&self) -> usize {
        self.get().rank()
    }

    /// The number that sums of one space have in common.
    fn fingerprint(&self) -> u64 {
        self.get().fingerprint()
    }

    /// The sums and their space as bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let sums = Arc::clone(&self.sums);
        let bytes = run(py, None, move || Ok(model_file::to_bytes(&*locked(&sums))?))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The sums in such bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let bytes = bytes.to_vec();
        run(py, None, move || {
            let sums: estimator::Sums = model_file::from_bytes(&bytes)?;
            Ok(sums)
        })
        .map(Self::from)
    }
}

/// The bytes of sums over all samples of several parts, of which there is at least one.
#[pyfunction]
pub(crate) fn merge_parts<'py>(
    py: Python<'py>,
    parts: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let merged = run(py, None, move || {
        let mut parts = parts.iter();
        let read = |bytes: &Vec<u8>| model_file::from_bytes::<PartialSums>(bytes);
        let mut all = read(parts.next().ok_or(npt::Error::NoSamples)?)?;
        for part in parts {
            all.merge(&read(part)?)?;
        }
        Ok(model_file::to_bytes(&all)?)
    })?;
    Ok(PyBytes::new(py, &merged))
}
