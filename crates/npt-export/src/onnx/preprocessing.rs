//! Transformers of npt's: missing values, filled in by the graph, and standard units.

use super::{Graph, OnnxTransformer, Value};
use crate::{Error, functions::finite};
use npt_core::{PipelineModel, Scalar};
use npt_methods::preprocessing::{Imputer, StandardScaler};

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

/// Two transformers in a row, as one.
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
