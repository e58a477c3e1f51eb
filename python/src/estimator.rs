//! Estimators by name.

use crate::{
    errors::exception,
    lists::Value,
    model::Model,
    samples::{Given, Samples},
    work::{Work, run},
};
use npt::estimator::{self, Targets};
use pyo3::prelude::*;

/// A method, a kernel, a space, transformers in front and a way to pre-images: by name.
#[pyclass(frozen, module = "npt._npt")]
pub(crate) struct Estimator {
    estimator: estimator::Estimator,
}

#[pymethods]
impl Estimator {
    #[new]
    #[pyo3(signature = (method, kernel, *, space=None, transformers=Vec::new(), pre_image=None))]
    fn new(
        method: &str,
        kernel: &str,
        space: Option<&str>,
        transformers: Vec<String>,
        pre_image: Option<&str>,
    ) -> PyResult<Self> {
        let mut estimator = estimator::Estimator::new(method, kernel).map_err(exception)?;
        if let Some(space) = space {
            estimator = estimator.space(space).map_err(exception)?;
        }
        for transformer in &transformers {
            estimator = estimator.transformer(transformer).map_err(exception)?;
        }
        if let Some(pre_image) = pre_image {
            estimator = estimator.pre_image(pre_image).map_err(exception)?;
        }
        Ok(Self { estimator })
    }

    /// The estimator with another value of one parameter: `c`, `space.landmarks`, `kernel.gamma`.
    #[pyo3(name = "with_parameter")]
    fn with_parameter(&self, name: &str, value: Value) -> PyResult<Self> {
        let estimator = self.estimator.clone().with(name, value);
        estimator
            .map(|estimator| Self { estimator })
            .map_err(exception)
    }

    /// The model that the estimator makes of samples and targets.
    #[pyo3(signature = (samples, targets=None, work=None))]
    fn fit(
        &self,
        py: Python<'_>,
        samples: &Samples,
        targets: Option<Given<'_>>,
        work: Option<&Work>,
    ) -> PyResult<Model> {
        let targets = targets.map_or(Targets::None, Given::targets);
        let (estimator, data) = (self.estimator.clone(), samples.data.clone());
        run(py, work, move || estimator.fit(&data, targets)).map(Model::from)
    }

    fn __str__(&self) -> String {
        self.estimator.to_string()
    }
}
