//! Sums of samples that come in parts.

use crate::{
    model::Model,
    samples::{Given, Samples},
    work::{PATIENCE, Work, run},
};
use npt::{
    ParameterValue,
    estimator::{self, Error, PartialSums, Targets},
};
use pyo3::{prelude::*, types::PyBytes};
use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, PoisonError},
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
    turn: Turn,
}

impl From<estimator::Sums> for Sums {
    fn from(sums: estimator::Sums) -> Self {
        Self {
            sums: Arc::new(Mutex::new(sums)),
            turn: Turn::default(),
        }
    }
}

/// Lets one call after the other have its turn. A call waits for its turn without the GIL, and before its work goes to the pool. Were it
/// to wait in the pool, a thread that waits for its own tasks could be given the work of the next call, which waits for that very thread.
#[derive(Default)]
struct Turn {
    taken: Mutex<bool>,
    free: Condvar,
}

impl Turn {
    fn take(&self, py: Python<'_>) -> PyResult<Taken<'_>> {
        let mut is_mine = false;
        while !is_mine {
            is_mine = py.detach(|| {
                let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
                let waited = self
                    .free
                    .wait_timeout_while(taken, PATIENCE, |taken| *taken);
                let (mut taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
                !std::mem::replace(&mut *taken, true)
            });
            py.check_signals()?;
        }
        Ok(Taken(self))
    }
}

/// A turn, which ends when this value is dropped.
struct Taken<'a>(&'a Turn);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let taken = self.0.taken.lock();
        *taken.unwrap_or_else(PoisonError::into_inner) = false;
        self.0.free.notify_one();
    }
}

impl Sums {
    /// Does work with the sums, when the call has its turn.
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        asked: Option<&Work>,
        work: impl FnOnce(&mut estimator::Sums) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let _turn = self.turn.take(py)?;
        let sums = Arc::clone(&self.sums);
        // A block is added as a whole or not at all, so that work that ends early changes nothing.
        run(py, asked, move || {
            work(&mut sums.lock().unwrap_or_else(PoisonError::into_inner))
        })
    }
}

#[pymethods]
impl Sums {
    /// Returns a copy of the sums that is divided into this number of folds; refused once samples were added.
    fn with_folds(&self, py: Python<'_>, folds: usize) -> PyResult<Self> {
        let sums = self.with(py, None, move |sums| sums.clone().folds(folds));
        sums.map(Self::from)
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
        let data = samples.data.clone();
        self.with(py, work, move |sums| sums.add(&data, targets))
    }

    /// The sums so far, without the space, as bytes.
    fn part<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with(py, None, |sums| sums.part()?.to_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Adds sums over other samples, as the bytes of a part.
    fn merge(&self, py: Python<'_>, part: &[u8]) -> PyResult<()> {
        let part = part.to_vec();
        self.with(py, None, move |sums| {
            sums.merge(&PartialSums::from_bytes(&part)?)
        })
    }

    /// Fits the model of all samples so far, with these values of the method's parameters.
    #[pyo3(signature = (values=BTreeMap::new(), work=None))]
    fn fit(
        &self,
        py: Python<'_>,
        values: BTreeMap<String, Value>,
        work: Option<&Work>,
    ) -> PyResult<Model> {
        let model = self.with(py, work, move |sums| sums.fit_with(values));
        model.map(Model::from)
    }

    /// The number of samples so far.
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, None, |sums| Ok(sums.count()))
    }

    /// The number of coordinates.
    fn rank(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, None, |sums| Ok(sums.rank()))
    }

    /// The number that sums of one space, method and division into folds have in common.
    fn fingerprint(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, None, |sums| Ok(sums.fingerprint()))
    }

    /// The sums and their space as bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with(py, None, |sums| sums.to_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Reads sums from the bytes of a file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let bytes = bytes.to_vec();
        run(py, None, move || estimator::Sums::from_bytes(&bytes)).map(Self::from)
    }
}

/// Merges the bytes of one or more parts into the bytes of the sums over all their samples.
#[pyfunction]
pub(crate) fn merge_parts<'py>(
    py: Python<'py>,
    parts: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let merged = run(py, None, move || {
        let mut parts = parts.iter();
        let read = |bytes: &Vec<u8>| PartialSums::from_bytes(bytes);
        let mut all = read(parts.next().ok_or(npt::Error::NoSamples)?)?;
        for part in parts {
            all.merge(&read(part)?)?;
        }
        all.to_bytes()
    })?;
    Ok(PyBytes::new(py, &merged))
}
