//! Transformers of npt: missing values that the graph fills in, categories as columns of 0 and 1, and standard units.

use super::{Attribute, Graph, OnnxTransformer, Value, messages::DOUBLE, method::to_number};
use crate::{Error, functions::finite};
use npt_core::{PipelineModel, Scalar};
use npt_methods::preprocessing::{Imputer, OneHot, StandardScaler};

impl<F: Scalar> OnnxTransformer for Imputer<F> {
    fn columns(&self) -> Option<usize> {
        Some(self.values().len())
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<Value, Error> {
        let values = self.values().mapv(F::as_f64);
        finite("a value in the place of missing ones", values.iter())?;
        let values = graph.array(&values.view());
        let is_missing = graph.node("IsNaN", &[x], &[]);
        Ok(graph.node("Where", &[&is_missing, &values, x], &[]))
    }
}

/// Encodes categories; the graph makes zeros of a missing value, and of a value that is none of the categories.
impl<F: Scalar> OnnxTransformer for OneHot<F> {
    fn columns(&self) -> Option<usize> {
        Some(self.width())
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<Value, Error> {
        let encoded = (0..self.width()).map(|column| {
            let value = graph.columns(x, column, column + 1);
            let Some(categories) = self.categories(column) else {
                return Ok(value);
            };
            let categories = categories.mapv(F::as_f64);
            finite("a category", categories.iter())?;
            let categories = graph.array(&categories.view());
            let is_category = graph.node("Equal", &[&value, &categories], &[]);
            Ok(to_number(graph, &is_category, DOUBLE))
        });
        let encoded = encoded.collect::<Result<Vec<_>, Error>>()?;
        let parts: Vec<&Value> = encoded.iter().collect();
        Ok(graph.node("Concat", &parts, &[("axis", Attribute::Int(1))]))
    }
}

impl<F: Scalar> OnnxTransformer for StandardScaler<F> {
    fn columns(&self) -> Option<usize> {
        Some(self.mean().len())
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<Value, Error> {
        let (mean, deviations) = (
            self.mean().mapv(F::as_f64),
            self.deviations().mapv(F::as_f64),
        );
        finite("a mean", mean.iter())?;
        finite("a standard deviation", deviations.iter())?;
        let (mean, deviations) = (graph.array(&mean.view()), graph.array(&deviations.view()));
        let moved = graph.node("Sub", &[x, &mean], &[]);
        Ok(graph.node("Div", &[&moved, &deviations], &[]))
    }
}

/// Puts two transformers in a row.
impl<A: OnnxTransformer, B: OnnxTransformer> OnnxTransformer for PipelineModel<A, B> {
    fn columns(&self) -> Option<usize> {
        self.transformer()
            .columns()
            .or_else(|| self.model().columns())
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<Value, Error> {
        let first = self.transformer().build(graph, x)?;
        self.model().build(graph, &first)
    }
}
