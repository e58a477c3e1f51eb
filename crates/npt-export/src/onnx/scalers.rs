//! Scalers of linfa.

use super::{Graph, OnnxTransformer, Value};
use crate::{Error, functions::finite};
use linfa_preprocessing::{
    linear_scaling::{LinearScaler, ScalingMethod},
    whitening::FittedWhitener,
};
use ndarray::Array1;
use npt_core::Scalar;

impl<F: Scalar> OnnxTransformer for LinearScaler<F> {
    fn columns(&self) -> Option<usize> {
        Some(self.offsets().len())
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<Value, Error> {
        let numbers = |values: &Array1<F>| values.mapv(F::as_f64);
        let (offsets, scales) = (numbers(self.offsets()), numbers(self.scales()));
        finite("an offset", offsets.iter())?;
        finite("a scale", scales.iter())?;
        let (offsets, scales) = (graph.array(&offsets.view()), graph.array(&scales.view()));
        let moved = graph.node("Sub", &[x, &offsets], &[]);
        let scaled = graph.node("Mul", &[&moved, &scales], &[]);
        Ok(match self.method() {
            ScalingMethod::Standard(false, _) => graph.node("Add", &[&scaled, &offsets], &[]),
            ScalingMethod::MinMax(min, max) => {
                let (min, range) = (min.as_f64(), (*max - *min).as_f64());
                finite("a bound", [min, range].iter())?;
                let (min, range) = (graph.number(min), graph.number(range));
                let stretched = graph.node("Mul", &[&scaled, &range], &[]);
                graph.node("Add", &[&stretched, &min], &[])
            }
            ScalingMethod::Standard(true, _) | ScalingMethod::MaxAbs => scaled,
        })
    }
}

impl<F: Scalar> OnnxTransformer for FittedWhitener<F> {
    fn columns(&self) -> Option<usize> {
        Some(self.mean().len())
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<Value, Error> {
        let mean = self.mean().mapv(F::as_f64);
        let matrix = self.transformation_matrix().t().mapv(F::as_f64);
        finite("a mean", mean.iter())?;
        finite("a weight", matrix.iter())?;
        let (mean, matrix) = (graph.array(&mean.view()), graph.array(&matrix.view()));
        let moved = graph.node("Sub", &[x, &mean], &[]);
        Ok(graph.node("MatMul", &[&moved, &matrix], &[]))
    }
}
