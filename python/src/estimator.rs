//! Estimators by name.

use crate::{
    errors::exception,
    model::Model,
    samples::{Given, Samples},
    sums::Sums,
    work::{Work, run},
};
use npt::estimator::{self, Targets};
use pyo3::prelude::*;

/// An estimator by name: a method, a kernel, a space and a way to pre-images.
#[pyclass(frozen, module = "npt._npt")]
pub(crate) struct Estimator {
    estimator: estimator::Estimator,
}

#[pymethods]
impl Estimator {
    #[new]
    #[pyo3(signature = (method, kernel, *, space=None, pre_image=None))]
    fn new(
        method: &str,
        kernel: &str,
        space: Option<&str>,
        pre_image: Option<&str>,
    ) -> PyResult<Self> {
        let mut estimator = estimator::Estimator::new(method, kernel).map_err(exception)?;
        if let Some(space) = space {
            estimator = estimator.space(space).map_err(exception)?;
        }
        if let Some(pre_image) = pre_image {
            estimator = estimator.pre_image(pre_image).map_err(exception)?;
        }
        Ok(Self { estimator })
    }

    /// Fits the estimator to samples and targets, in the space of the landmarks if these are given, and returns the model.
    #[pyo3(signature = (samples, targets=None, work=None, landmarks=None))]
    fn fit(
        &self,
        py: Python<'_>,
        samples: &Samples,
        targets: Option<Given<'_>>,
        work: Option<&Work>,
        landmarks: Option<&Samples>,
    ) -> PyResult<Model> {
        let targets = targets.map_or(Targets::None, Given::targets);
        let (estimator, data) = (self.estimator.clone(), samples.data.clone());
        let landmarks = landmarks.map(|landmarks| landmarks.data.clone());
        let fit = move || match &landmarks {
            Some(landmarks) => estimator.fit_on(landmarks, &data, targets),
            None => estimator.fit(&data, targets),
        };
        run(py, work, fit).map(Model::from)
    }

    /// Returns sums without samples, in the space of the landmarks; a method of two views takes landmarks of each.
    #[pyo3(signature = (landmarks, second=None, work=None))]
    fn sums(
        &self,
        py: Python<'_>,
        landmarks: &Samples,
        second: Option<&Samples>,
        work: Option<&Work>,
    ) -> PyResult<Sums> {
        let (estimator, first) = (self.estimator.clone(), landmarks.data.clone());
        let second = second.map(|second| second.data.clone());
        let begin = move || match &second {
            Some(second) => estimator.sums_of_views(&first, second),
            None => estimator.sums(&first),
        };
        run(py, work, begin).map(Sums::from)
    }

    fn __str__(&self) -> String {
        self.estimator.to_string()
    }
}
