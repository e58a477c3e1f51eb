//! Models by name.

use crate::{
    errors::exception,
    samples::Samples,
    work::{Work, run},
};
use ndarray::Array2;
use npt::estimator::{self, Error, Label, Learned, Predictions};
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::{
    IntoPyObjectExt as _,
    prelude::*,
    types::{PyBytes, PyDict},
};
use std::sync::Arc;

type Matrix<'py> = Bound<'py, PyArray2<f64>>;
type Numbers<'py> = Bound<'py, PyArray1<f64>>;

/// A fitted estimator of any kind.
#[pyclass(frozen, module = "npt._npt")]
pub(crate) struct Model {
    model: Arc<estimator::Model>,
}

impl From<estimator::Model> for Model {
    fn from(model: estimator::Model) -> Self {
        let model = Arc::new(model);
        Self { model }
    }
}

#[pymethods]
impl Model {
    /// Predicts labels as an array or a list of texts, numbers as a matrix, clusters as integers, or novelty as booleans.
    #[pyo3(signature = (samples, work=None))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        samples: &Samples,
        work: Option<&Work>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = |model: &estimator::Model, data: &_| model.predict(data);
        match self.ask(py, samples, work, asked)? {
            Predictions::Labels(labels) => labels_of(py, &labels),
            Predictions::Numbers(numbers) => numbers.into_pyarray(py).into_bound_py_any(py),
            Predictions::Clusters(clusters) => clusters.into_pyarray(py).into_bound_py_any(py),
            Predictions::Novel(novel) => novel.into_pyarray(py).into_bound_py_any(py),
            _ => Err(pyo3::exceptions::PyTypeError::new_err(
                "predictions of an unknown kind",
            )),
        }
    }

    /// The values by which the model decides, one row a sample.
    #[pyo3(signature = (samples, work=None))]
    fn decision_function<'py>(
        &self,
        py: Python<'py>,
        samples: &Samples,
        work: Option<&Work>,
    ) -> PyResult<Matrix<'py>> {
        self.matrix(py, samples, work, |model, data| {
            model.decision_function(data)
        })
    }

    /// The probabilities of the classes, one row a sample.
    #[pyo3(signature = (samples, work=None))]
    fn predict_probabilities<'py>(
        &self,
        py: Python<'py>,
        samples: &Samples,
        work: Option<&Work>,
    ) -> PyResult<Matrix<'py>> {
        self.matrix(py, samples, work, |model, data| {
            model.predict_probabilities(data)
        })
    }

    /// The components of the samples, one row a sample.
    #[pyo3(signature = (samples, work=None))]
    fn transform<'py>(
        &self,
        py: Python<'py>,
        samples: &Samples,
        work: Option<&Work>,
    ) -> PyResult<Matrix<'py>> {
        self.matrix(py, samples, work, |model, data| model.transform(data))
    }

    /// The components of samples of the second view, one row a sample.
    #[pyo3(signature = (samples, work=None))]
    fn transform_second<'py>(
        &self,
        py: Python<'py>,
        samples: &Samples,
        work: Option<&Work>,
    ) -> PyResult<Matrix<'py>> {
        self.matrix(py, samples, work, |model, data| {
            model.transform_second(data)
        })
    }

    /// The samples without the part that the components do not explain.
    #[pyo3(signature = (samples, work=None))]
    fn reconstruct<'py>(
        &self,
        py: Python<'py>,
        samples: &Samples,
        work: Option<&Work>,
    ) -> PyResult<Matrix<'py>> {
        self.matrix(py, samples, work, |model, data| model.reconstruct(data))
    }

    /// Means and variances, one a sample.
    #[pyo3(signature = (samples, work=None))]
    fn predict_with_variance<'py>(
        &self,
        py: Python<'py>,
        samples: &Samples,
        work: Option<&Work>,
    ) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
        let asked = |model: &estimator::Model, data: &_| model.predict_with_variance(data);
        let (means, variances) = self.ask(py, samples, work, asked)?;
        Ok((means.into_pyarray(py), variances.into_pyarray(py)))
    }

    /// The squared distances of the samples from the space, one a sample.
    #[pyo3(signature = (samples, work=None))]
    fn residuals<'py>(
        &self,
        py: Python<'py>,
        samples: &Samples,
        work: Option<&Work>,
    ) -> PyResult<Numbers<'py>> {
        let residuals = self.ask(py, samples, work, |model, data| model.residuals(data))?;
        Ok(residuals.into_pyarray(py))
    }

    /// The values that the fit learned, by name: numbers, arrays, and positions of training samples.
    fn learned<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in self.model.learned() {
            match value {
                Learned::Number(number) => dict.set_item(name, number)?,
                Learned::Numbers(numbers) => dict.set_item(name, numbers.into_pyarray(py))?,
                Learned::Matrix(matrix) => dict.set_item(name, matrix.into_pyarray(py))?,
                Learned::Positions(positions) => dict.set_item(name, positions.into_pyarray(py))?,
                _ => {}
            }
        }
        Ok(dict)
    }

    /// Inputs that have these components, as nearly as possible.
    #[pyo3(signature = (components, work=None))]
    fn inverse_transform<'py>(
        &self,
        py: Python<'py>,
        components: PyReadonlyArray2<'py, f64>,
        work: Option<&Work>,
    ) -> PyResult<Matrix<'py>> {
        let (model, components) = (Arc::clone(&self.model), components.as_array().to_owned());
        let inputs = run(py, work, move || model.inverse_transform(&components))?;
        Ok(inputs.into_pyarray(py))
    }

    /// The classes, in the order of the columns of probabilities.
    fn classes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        labels_of(py, self.model.classes())
    }

    /// The names of the columns that the model takes.
    fn columns(&self) -> Vec<String> {
        self.model.columns().to_vec()
    }

    /// The names of the questions that the model answers.
    fn abilities(&self) -> Vec<String> {
        let abilities = self.model.abilities().into_iter();
        abilities.map(|ability| ability.to_string()).collect()
    }

    /// The kernel as it is written.
    fn kernel(&self) -> String {
        self.model.kernel()
    }

    /// The model as bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let model = Arc::clone(&self.model);
        let bytes = run(py, None, move || model.to_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Reads a model from the bytes of a file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let bytes = bytes.to_vec();
        run(py, None, move || estimator::Model::from_bytes(&bytes)).map(Self::from)
    }

    /// Saves the model in a file, and replaces a file that is there.
    fn save(&self, py: Python<'_>, path: std::path::PathBuf) -> PyResult<()> {
        let model = Arc::clone(&self.model);
        run(py, None, move || model.save(path))
    }

    /// Loads the model of a file, whichever language saved it.
    #[staticmethod]
    fn load(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Self> {
        run(py, None, move || estimator::Model::load(path)).map(Self::from)
    }

    /// The model as bytes of ONNX.
    fn to_onnx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let model = Arc::clone(&self.model);
        let bytes = run(py, None, move || model.to_onnx())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The model as a text of LIBSVM.
    fn to_libsvm(&self) -> PyResult<String> {
        self.model.to_libsvm().map_err(exception)
    }

    fn __str__(&self) -> String {
        self.model.to_string()
    }
}

impl Model {
    /// Asks a question whose answer is a matrix.
    fn matrix<'py>(
        &self,
        py: Python<'py>,
        samples: &Samples,
        work: Option<&Work>,
        question: impl FnOnce(&estimator::Model, &estimator::Data) -> Result<Array2<f64>, Error>
        + Send
        + 'static,
    ) -> PyResult<Matrix<'py>> {
        Ok(self.ask(py, samples, work, question)?.into_pyarray(py))
    }

    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        samples: &Samples,
        work: Option<&Work>,
        question: impl FnOnce(&estimator::Model, &estimator::Data) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let (model, data) = (Arc::clone(&self.model), samples.data.clone());
        run(py, work, move || question(&model, &data))
    }
}

/// Labels of one type: truth values and whole numbers as an array, texts as a list.
fn labels_of<'py>(py: Python<'py>, labels: &[Label]) -> PyResult<Bound<'py, PyAny>> {
    fn all<T>(labels: &[Label], one: impl Fn(&Label) -> Option<T>) -> Option<Vec<T>> {
        labels.iter().map(one).collect()
    }
    let integer = |label: &Label| match label {
        Label::Integer(label) => Some(*label),
        _ => None,
    };
    let side = |label: &Label| match label {
        Label::Bool(label) => Some(*label),
        _ => None,
    };
    if let Some(labels) = all(labels, integer) {
        return labels.into_pyarray(py).into_bound_py_any(py);
    }
    if let Some(labels) = all(labels, side) {
        return labels.into_pyarray(py).into_bound_py_any(py);
    }
    let texts: Vec<String> = labels.iter().map(Label::to_string).collect();
    texts.into_bound_py_any(py)
}
