//! Kernels that are composed of other kernels, on any samples.

use super::super::{Catalogue, Entry, NamedKernel, Parts, Range};
use crate::{Normalized, Product, Samples, Scalar, Scaled, Sum, WeightedSum};
use ndarray::Array1;

/// The only part. The catalogue has checked the number of parts, here and for `two`.
pub(super) fn one<K>(parts: Vec<K>) -> K {
    let mut parts = parts.into_iter();
    parts.next().expect("one part")
}

fn two<S: Samples, F: Scalar>(parts: Vec<NamedKernel<S, F>>) -> [NamedKernel<S, F>; 2] {
    <[_; 2]>::try_from(parts).expect("two parts")
}

pub(super) fn with_composed<S: Samples + 'static, F: Scalar>(
    catalogue: Catalogue<S, F>,
) -> Catalogue<S, F> {
    let (exactly_one, exactly_two) = (Parts::Exactly(1), Parts::Exactly(2));
    let sum = Entry::of_parts("sum", "κ₁(a, b) + κ₂(a, b)", exactly_two, |parts| {
        let [first, second] = two(parts);
        Ok(Sum::new(first, second))
    });
    let product = Entry::of_parts("product", "κ₁(a, b)·κ₂(a, b)", exactly_two, |parts| {
        let [first, second] = two(parts);
        Ok(Product::new(first, second))
    });
    let scaled = Entry::of_parts("scaled", "s·κ(a, b)", exactly_one, |parts| {
        Ok(Scaled::new(one(parts), F::one()))
    })
    .parameter("factor", "the factor s", Range::Positive, None);
    let weighted = Entry::of_parts(
        "weighted_sum",
        "Σ wₖκₖ(a, b)",
        Parts::AtLeast(1),
        |parts| {
            let weights = Array1::ones(parts.len());
            WeightedSum::new(parts, weights)
        },
    )
    .parameter(
        "weights",
        "the weights w, one a kernel",
        Range::NotNegatives,
        None,
    );
    let normalized = Entry::of_parts(
        "normalized",
        "κ(a, b) / √(κ(a, a)·κ(b, b))",
        exactly_one,
        |parts| Ok(Normalized::new(one(parts))),
    );
    [sum, product, scaled, weighted, normalized]
        .into_iter()
        .fold(catalogue, Catalogue::with)
}
