//! Kernels that depend on Euclidean distances.

use super::{Graph, Pairs, Parameters, Value};
use crate::Error;

/// The squared distances ‖a − b‖², as sums of squared differences: the product form loses digits by cancellation.
fn squared_distances(graph: &mut Graph, pairs: &Pairs) -> Value {
    let (a, b) = pairs.features(graph);
    let differences = graph.binary("Sub", &a, &b);
    pairs.reduce(graph, "ReduceSumSquare", &differences)
}

fn distances(graph: &mut Graph, pairs: &Pairs) -> Value {
    let squared = squared_distances(graph, pairs);
    graph.unary("Sqrt", &squared)
}

pub(super) fn gaussian(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let gamma = of.real("gamma")?;
    let squared = squared_distances(graph, pairs);
    Ok(graph.exp_of_minus(gamma, &squared))
}

pub(super) fn exponential(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let gamma = of.real("gamma")?;
    let distances = distances(graph, pairs);
    Ok(graph.exp_of_minus(gamma, &distances))
}

/// The Matérn kernel p(t)·exp(−t) with t = √(2ν)·r/ℓ. Beyond 750 the exponential is 0, and the polynomial might be infinite.
pub(super) fn matern(graph: &mut Graph, of: Parameters<'_>, pairs: &Pairs) -> Result<Value, Error> {
    let (smoothness, length_scale) = (of.real("smoothness")?, of.real("length_scale")?);
    let distances = distances(graph, pairs);
    let t = graph.with_number("Mul", &distances, (2.0 * smoothness).sqrt());
    let t = graph.with_number("Div", &t, length_scale);
    let t = graph.with_number("Min", &t, 750.0);
    let decay = graph.exp_of_minus(1.0, &t);
    let plus_one = |graph: &mut Graph, value: &Value| graph.with_number("Add", value, 1.0);
    let polynomial = if smoothness == 0.5 {
        return Ok(decay);
    } else if smoothness == 1.5 {
        plus_one(graph, &t)
    } else if smoothness == 2.5 {
        let square = graph.binary("Mul", &t, &t);
        let third = graph.with_number("Div", &square, 3.0);
        let linear = plus_one(graph, &t);
        graph.binary("Add", &linear, &third)
    } else {
        return Err(of.unknown());
    };
    Ok(graph.binary("Mul", &polynomial, &decay))
}

/// The rational quadratic kernel exp(−α ln(1 + q)) with q = r²/(2αℓ²).
pub(super) fn rational_quadratic(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let (length_scale, alpha) = (of.real("length_scale")?, of.real("alpha")?);
    let squared = squared_distances(graph, pairs);
    let scaled = graph.with_number("Div", &squared, length_scale);
    let scaled = graph.with_number("Div", &scaled, length_scale);
    let q = graph.with_number("Div", &scaled, 2.0 * alpha);
    let logarithm = logarithm_of_one_plus(graph, &q);
    Ok(graph.exp_of_minus(alpha, &logarithm))
}

/// The logarithm ln(1 + q), for which ONNX has no operator. Up to q = 1 it is q·ln(u)/(u − 1) with u = 1 + q rounded, whose errors cancel,
/// and q where u is 1. Above 1 it is ln(u), which may be infinite.
fn logarithm_of_one_plus(graph: &mut Graph, q: &Value) -> Value {
    let u = graph.with_number("Add", q, 1.0);
    let rounded = graph.with_number("Sub", &u, 1.0);
    let logarithm = graph.unary("Log", &u);
    let ratio = graph.quotient_or(&logarithm, &rounded, 1.0);
    let of_small = graph.binary("Mul", q, &ratio);
    let is_large = graph.with_number("Greater", q, 1.0);
    graph.node("Where", &[&is_large, &logarithm, &of_small], &[])
}
