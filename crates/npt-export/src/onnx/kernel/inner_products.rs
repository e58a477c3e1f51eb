//! Kernels that depend on inner products.

use super::{Attribute, Graph, Pairs, Parameters, Value};
use crate::Error;

pub(super) fn linear(graph: &mut Graph, pairs: &Pairs) -> Value {
    pairs.inner_products(graph)
}

/// The affine function γ⟨a, b⟩ + c of the inner products.
fn affine(graph: &mut Graph, of: Parameters<'_>, pairs: &Pairs) -> Result<Value, Error> {
    let (gamma, constant) = (of.real("gamma")?, of.real("constant")?);
    let products = pairs.inner_products(graph);
    let products = graph.with_number("Mul", &products, gamma);
    Ok(graph.with_number("Add", &products, constant))
}

pub(super) fn polynomial(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let degree = of.integer("degree")?;
    let base = affine(graph, of, pairs)?;
    Ok(graph.with_number("Pow", &base, degree as f64))
}

pub(super) fn sigmoid(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let argument = affine(graph, of, pairs)?;
    Ok(graph.unary("Tanh", &argument))
}

/// The cosine kernel: inner products of directions. A vector is first divided by its largest magnitude, because squares of its entries may
/// overflow.
pub(super) fn cosine(graph: &mut Graph, pairs: &Pairs) -> Value {
    let axes = || [("axes", Attribute::Ints(vec![1]))];
    let directions = pairs.map(|vectors| {
        let magnitudes = graph.unary("Abs", vectors);
        let largest = graph.node("ReduceMax", &[&magnitudes], &axes());
        let scaled = graph.binary("Div", vectors, &largest);
        let lengths = graph.node("ReduceL2", &[&scaled], &axes());
        graph.binary("Div", &scaled, &lengths)
    });
    directions.inner_products(graph)
}

/// The Tanimoto kernel ⟨a, b⟩ / (‖a‖² + ‖b‖² − ⟨a, b⟩); it is 1 for two zero vectors.
pub(super) fn tanimoto(graph: &mut Graph, pairs: &Pairs) -> Value {
    let products = pairs.inner_products(graph);
    let mut squares = |vectors: &Value| Pairs::alone(vectors).inner_products(graph);
    let (a, b) = (squares(&pairs.a), squares(&pairs.b));
    share(graph, pairs, &products, (&a, &b))
}

/// The share common / (A + B − common), and 1 where that divisor is 0; A and B are of shape (N, 1) each.
pub(super) fn share(
    graph: &mut Graph,
    pairs: &Pairs,
    common: &Value,
    (a, b): (&Value, &Value),
) -> Value {
    let b = if pairs.cross {
        graph.unary("Transpose", b)
    } else {
        b.clone()
    };
    let both = graph.binary("Add", a, &b);
    let either = graph.binary("Sub", &both, common);
    graph.quotient_or(common, &either, 1.0)
}
