//! Kernels that are composed of other kernels.

use super::{Graph, Pairs, Parameters, Value, values};
use crate::Error;
use ndarray::ArrayView1;

/// The sum or the product of two kernels.
pub(super) fn of_two(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
    operator: &str,
) -> Result<Value, Error> {
    let first = values(graph, of.part(0)?, pairs)?;
    let second = values(graph, of.part(1)?, pairs)?;
    Ok(graph.binary(operator, &first, &second))
}

pub(super) fn scaled(graph: &mut Graph, of: Parameters<'_>, pairs: &Pairs) -> Result<Value, Error> {
    let factor = of.real("factor")?;
    let of_kernel = values(graph, of.part(0)?, pairs)?;
    Ok(graph.with_number("Mul", &of_kernel, factor))
}

/// The weighted sum of the kernels whose weight is not 0.
pub(super) fn weighted_sum(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let mut sum = None;
    for (&weight, part) in of.list("weights")?.iter().zip(of.parts()) {
        if weight == 0.0 {
            continue;
        }
        let of_kernel = values(graph, part, pairs)?;
        let term = graph.with_number("Mul", &of_kernel, weight);
        sum = Some(match sum {
            None => term,
            Some(sum) => graph.binary("Add", &sum, &term),
        });
    }
    sum.ok_or_else(|| of.unknown())
}

/// The normalized kernel κ(a, b)/√κ(a, a)/√κ(b, b).
pub(super) fn normalized(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let kernel = of.part(0)?;
    let of_kernel = values(graph, kernel, pairs)?;
    let (a, b) = pairs.of_each(graph, |graph, vectors| {
        let squares = values(graph, kernel, &Pairs::alone(vectors))?;
        Ok(graph.unary("Sqrt", &squares))
    })?;
    let quotient = graph.binary("Div", &of_kernel, &a);
    Ok(graph.binary("Div", &quotient, &b))
}

pub(super) fn columns(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let (start, end) = (of.integer("start")?, of.integer("end")?);
    let parts = pairs.map(|vectors| graph.columns(vectors, start, end));
    values(graph, of.part(0)?, &parts)
}

pub(super) fn length_scales(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let scales = ArrayView1::from(of.list("length_scales")?);
    let divided = pairs.map(|vectors| {
        let scales = graph.array(&scales);
        graph.binary("Div", vectors, &scales)
    });
    values(graph, of.part(0)?, &divided)
}
