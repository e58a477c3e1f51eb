//! Kernels that are sums or products over features.

use super::{Graph, Pairs, Parameters, Value, inner_products::share};
use crate::{
    Error,
    onnx::{Attribute, messages::DOUBLE},
};

fn differences(graph: &mut Graph, pairs: &Pairs) -> Value {
    let (a, b) = pairs.features(graph);
    graph.binary("Sub", &a, &b)
}

pub(super) fn laplacian(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let gamma = of.real("gamma")?;
    let differences = differences(graph, pairs);
    let distances = pairs.reduce(graph, "ReduceL1", &differences);
    Ok(graph.exp_of_minus(gamma, &distances))
}

/// The periodic kernel exp(−Σ 4 sin²(π(a − b)/p) / (2ℓ²)), computed from remainders by the period p.
pub(super) fn periodic(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let (length_scale, period) = (of.real("length_scale")?, of.real("period")?);
    let remainders = pairs.map(|vectors| {
        let period = graph.number(period);
        graph.node("Mod", &[vectors, &period], &[("fmod", Attribute::Int(1))])
    });
    let differences = differences(graph, &remainders);
    let turns = graph.with_number("Div", &differences, period);
    let angles = graph.with_number("Mul", &turns, std::f64::consts::PI);
    let sines = graph.unary("Sin", &angles);
    let squares = pairs.reduce(graph, "ReduceSumSquare", &sines);
    let squared_chords = graph.with_number("Mul", &squares, 2.0);
    let scaled = graph.with_number("Div", &squared_chords, length_scale);
    let scaled = graph.with_number("Div", &scaled, length_scale);
    Ok(graph.exp_of_minus(1.0, &scaled))
}

/// The chi-squared kernel exp(−γ Σ (a − b)²/(a + b)), where 0/0 is 0.
pub(super) fn chi_squared(
    graph: &mut Graph,
    of: Parameters<'_>,
    pairs: &Pairs,
) -> Result<Value, Error> {
    let gamma = of.real("gamma")?;
    let (a, b) = pairs.features(graph);
    let (differences, sums) = (graph.binary("Sub", &a, &b), graph.binary("Add", &a, &b));
    let shares = graph.quotient_or(&differences, &sums, 0.0);
    let terms = graph.binary("Mul", &differences, &shares);
    let distances = pairs.sum(graph, &terms);
    Ok(graph.exp_of_minus(gamma, &distances))
}

/// The additive chi-squared kernel Σ 2ab/(a + b), where 0/0 is 0.
pub(super) fn additive_chi_squared(graph: &mut Graph, pairs: &Pairs) -> Value {
    let (a, b) = pairs.features(graph);
    let (smaller, larger) = (graph.binary("Min", &a, &b), graph.binary("Max", &a, &b));
    let sums = graph.binary("Add", &smaller, &larger);
    let shares = graph.quotient_or(&smaller, &sums, 0.0);
    let halves = graph.binary("Mul", &larger, &shares);
    let sum = pairs.sum(graph, &halves);
    graph.with_number("Mul", &sum, 2.0)
}

pub(super) fn intersection(graph: &mut Graph, pairs: &Pairs) -> Value {
    let (a, b) = pairs.features(graph);
    let smaller = graph.binary("Min", &a, &b);
    pairs.sum(graph, &smaller)
}

/// The min-max kernel Σ min / (Σ a + Σ b − Σ min); it is 1 for two zero vectors.
pub(super) fn min_max(graph: &mut Graph, pairs: &Pairs) -> Value {
    let common = intersection(graph, pairs);
    let (a, b) = (graph.row_sums(&pairs.a), graph.row_sums(&pairs.b));
    share(graph, pairs, &common, (&a, &b))
}

/// The ANOVA kernel (Σ exp(−γ(a − b)²))ᵈ.
pub(super) fn anova(graph: &mut Graph, of: Parameters<'_>, pairs: &Pairs) -> Result<Value, Error> {
    let (gamma, degree) = (of.real("gamma")?, of.integer("degree")?);
    let differences = differences(graph, pairs);
    let squares = graph.binary("Mul", &differences, &differences);
    let terms = graph.exp_of_minus(gamma, &squares);
    let sums = pairs.sum(graph, &terms);
    Ok(graph.with_number("Pow", &sums, degree as f64))
}

/// The spline kernel Π (1 + mM + m²(3M − m)/6), where m is the smaller and M the larger of two features.
pub(super) fn spline(graph: &mut Graph, pairs: &Pairs) -> Value {
    let (a, b) = pairs.features(graph);
    let (smaller, larger) = (graph.binary("Min", &a, &b), graph.binary("Max", &a, &b));
    let thrice = graph.with_number("Mul", &larger, 3.0);
    let rest = graph.binary("Sub", &thrice, &smaller);
    let square = graph.binary("Mul", &smaller, &smaller);
    let integral = graph.binary("Mul", &square, &rest);
    let integral = graph.with_number("Div", &integral, 6.0);
    let product = graph.binary("Mul", &smaller, &larger);
    let sum = graph.binary("Add", &product, &integral);
    let factors = graph.with_number("Add", &sum, 1.0);
    pairs.reduce(graph, "ReduceProd", &factors)
}

/// The mean over the features.
fn mean(graph: &mut Graph, pairs: &Pairs, terms: &Value) -> Value {
    pairs.reduce(graph, "ReduceMean", terms)
}

pub(super) fn simple_matching(graph: &mut Graph, pairs: &Pairs) -> Value {
    let (a, b) = pairs.features(graph);
    let matches = matches(graph, &a, &b);
    mean(graph, pairs, &matches)
}

/// Returns 1 where both are equal, else 0.
fn matches(graph: &mut Graph, a: &Value, b: &Value) -> Value {
    let equal = graph.binary("Equal", a, b);
    let to = [("to", Attribute::Int(DOUBLE.into()))];
    graph.node("Cast", &[&equal], &to)
}

/// The Gower kernel: the mean of max(0, 1 − |a − b|/R) over measurements, and of matches over categories, whose range R is 0.
pub(super) fn gower(graph: &mut Graph, of: Parameters<'_>, pairs: &Pairs) -> Result<Value, Error> {
    let ranges = ndarray::ArrayView1::from(of.list("ranges")?);
    let is_category = graph.array(&ranges.mapv(|r| f64::from(u8::from(r == 0.0))).view());
    let divisors = graph.array(&ranges.mapv(|r| if r == 0.0 { 1.0 } else { r }).view());
    let (a, b) = pairs.features(graph);
    let differences = graph.binary("Sub", &a, &b);
    let magnitudes = graph.unary("Abs", &differences);
    let parts = graph.binary("Div", &magnitudes, &divisors);
    let one = graph.number(1.0);
    let likeness = graph.binary("Sub", &one, &parts);
    let likeness = graph.with_number("Max", &likeness, 0.0);
    let matches = matches(graph, &a, &b);
    let is_category = graph.with_number("Greater", &is_category, 0.5);
    let terms = graph.node("Where", &[&is_category, &matches, &likeness], &[]);
    Ok(mean(graph, pairs, &terms))
}
