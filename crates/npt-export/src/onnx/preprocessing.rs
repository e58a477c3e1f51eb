//! Missing values, filled in by the graph.

use super::{Graph, OnnxTransformer, Value};
use crate::{Error, functions::finite};
use npt_core::Scalar;
use npt_methods::preprocessing::Imputer;

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
