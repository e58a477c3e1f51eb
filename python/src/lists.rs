//! Kernels by name, and the lists of all names with their parameters.

use crate::errors::exception;
use npt::{
    Description, Items, Kernel as _, KernelRows, ParameterValue, ReadyKernels, Rows, Samples,
    SparseRows,
    catalogue::{Catalogue, Heading, ParameterEntry},
    estimator::{self, TextGraph},
};
use pyo3::{IntoPyObjectExt as _, exceptions::PyValueError, prelude::*, types::PyDict};
use std::collections::BTreeSet;

fn value<'py>(py: Python<'py>, value: &ParameterValue) -> PyResult<Bound<'py, PyAny>> {
    match value {
        ParameterValue::Boolean(value) => value.into_bound_py_any(py),
        ParameterValue::Integer(value) => value.into_bound_py_any(py),
        ParameterValue::Real(value) => value.into_bound_py_any(py),
        ParameterValue::Text(value) => value.into_bound_py_any(py),
        ParameterValue::List(values) => values.into_bound_py_any(py),
        other => other.to_string().into_bound_py_any(py),
    }
}

/// A parameter as a dict: name, summary, values, required, default.
fn parameter<'py>(py: Python<'py>, entry: &ParameterEntry) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", entry.name())?;
    dict.set_item("summary", entry.summary())?;
    dict.set_item("values", entry.range().to_string())?;
    dict.set_item("required", entry.is_required())?;
    let default = entry.default().map(|default| value(py, default));
    dict.set_item("default", default.transpose()?)?;
    Ok(dict)
}

fn list<'py, 'a>(
    py: Python<'py>,
    headings: impl Iterator<Item = &'a Heading>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let one = |heading: &Heading| {
        let dict = PyDict::new(py);
        dict.set_item("name", heading.name())?;
        dict.set_item("summary", heading.summary())?;
        let parameters = heading.parameters().iter();
        let parameters: PyResult<Vec<_>> = parameters.map(|entry| parameter(py, entry)).collect();
        dict.set_item("parameters", parameters?)?;
        Ok(dict)
    };
    headings.map(one).collect()
}

macro_rules! lists {
    ($($name:ident: $what:literal;)+) => {$(
        #[doc = $what]
        #[pyfunction]
        pub(crate) fn $name(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
            list(py, estimator::Estimator::$name())
        }
    )+};
}
lists! {
    methods: "All methods: name, summary and parameters.";
    spaces: "All spaces: name, summary and parameters.";
    pre_images: "All ways to pre-images: name, summary and parameters.";
}

/// All kernels on samples of a type: vectors, sparse, texts, sets, graphs, precomputed.
#[pyfunction]
pub(crate) fn kernels<'py>(py: Python<'py>, samples: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
    fn all<'py, S: Samples>(
        py: Python<'py>,
        of: &Catalogue<S, f64>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        list(py, of.entries().iter().map(|entry| entry.heading()))
    }
    match samples {
        "vectors" => all(py, &Rows::<f64>::ready_kernels()),
        "sparse" => all(py, &SparseRows::<f64>::ready_kernels()),
        "texts" => all(py, &Items::<String>::ready_kernels()),
        "sets" => all(py, &Items::<BTreeSet<String>>::ready_kernels()),
        "graphs" => all(py, &Items::<TextGraph>::ready_kernels()),
        "precomputed" => all(py, &KernelRows::<f64>::ready_kernels()),
        other => Err(PyValueError::new_err(format!(
            "there are no samples {other}; there are vectors, sparse, texts, sets, graphs, precomputed"
        ))),
    }
}

/// A kernel: its name, its parameters, and the kernels that it is made of, each with the name of its place in the kernel.
#[derive(IntoPyObject)]
pub(crate) struct Parts<'py>(String, Bound<'py, PyDict>, Vec<(String, Bound<'py, PyAny>)>);

fn parts<'py>(py: Python<'py>, kernel: &Description) -> PyResult<Parts<'py>> {
    let dict = PyDict::new(py);
    for parameter in &kernel.parameters {
        dict.set_item(&parameter.name, value(py, &parameter.value)?)?;
    }
    let of_parts = kernel.parts.iter().map(|(name, part)| {
        let part = parts(py, part)?.into_bound_py_any(py)?;
        Ok((name.clone(), part))
    });
    let of_parts: PyResult<Vec<_>> = of_parts.collect();
    Ok(Parts(kernel.name.clone(), dict, of_parts?))
}

/// Describes the kernel of a text, whatever its type of samples: name, parameters, and the kernels that it is made of.
#[pyfunction]
pub(crate) fn describe_kernel<'py>(py: Python<'py>, text: &str) -> PyResult<Parts<'py>> {
    fn read<S: Samples>(text: &str, of: &Catalogue<S, f64>) -> Option<Description> {
        of.read(text).ok().map(|kernel| kernel.describe())
    }
    estimator::Estimator::new("ridge", text).map_err(exception)?;
    let description = read(text, &Rows::<f64>::ready_kernels())
        .or_else(|| read(text, &SparseRows::<f64>::ready_kernels()))
        .or_else(|| read(text, &Items::<String>::ready_kernels()))
        .or_else(|| read(text, &Items::<BTreeSet<String>>::ready_kernels()))
        .or_else(|| read(text, &Items::<TextGraph>::ready_kernels()))
        .or_else(|| read(text, &KernelRows::<f64>::ready_kernels()));
    let unknown = || {
        PyValueError::new_err(format!(
            "{text} cannot be described: no type of samples has it in its catalogue"
        ))
    };
    parts(py, &description.ok_or_else(unknown)?)
}
