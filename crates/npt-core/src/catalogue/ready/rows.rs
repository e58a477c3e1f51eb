//! Kernels of vectors.

use super::{
    super::{Catalogue, Entry, Parts, Range},
    ReadyKernels,
    composed::{one, with_composed},
};
use crate::{
    AdditiveChiSquared, Anova, Bessel, ChiSquared, Columns, Cosine, Exponential, Gaussian, Gower,
    HistogramIntersection, Laplacian, LengthScales, Linear, Matern, MinMax, Periodic, Polynomial,
    RationalQuadratic, Rows, Scalar, Sigmoid, SimpleMatching, Spline, Tanimoto,
};

impl<F: Scalar> ReadyKernels<F> for Rows<F> {
    fn ready_kernels() -> Catalogue<Self, F> {
        let vectors = [inner_products(), distances(), histograms(), features()];
        let entries = vectors.into_iter().flatten();
        with_composed(entries.fold(Catalogue::new(), Catalogue::with))
    }
}

const GAMMA: &str = "the factor γ";
const SCALE: &str = "the length scale ℓ";

type Entries<F> = Vec<Entry<Rows<F>, F>>;

fn inner_products<F: Scalar>() -> Entries<F> {
    let one = F::one;
    vec![
        Entry::new("linear", "⟨a, b⟩", Linear::new),
        Entry::new("polynomial", "(γ⟨a, b⟩ + c)^d", move || {
            Polynomial::new(1, one(), one())
        })
        .parameter("degree", "the degree d", Range::AtLeast(1), None)
        .parameter("gamma", GAMMA, Range::Positive, Some(1.0.into()))
        .parameter("constant", "the constant c", Range::Real, Some(1.0.into())),
        Entry::new("sigmoid", "tanh(γ⟨a, b⟩ + c)", move || {
            Sigmoid::new(one(), one())
        })
        .parameter("gamma", GAMMA, Range::Positive, None)
        .parameter("constant", "the constant c", Range::Real, Some(0.0.into())),
        Entry::new("cosine", "⟨a, b⟩ / (‖a‖·‖b‖)", Cosine::new),
        Entry::new("tanimoto", "⟨a, b⟩ / (‖a‖² + ‖b‖² − ⟨a, b⟩)", Tanimoto::new),
    ]
}

fn distances<F: Scalar>() -> Entries<F> {
    let one = F::one;
    vec![
        Entry::new("gaussian", "exp(−γ‖a − b‖²)", move || {
            Gaussian::new(one())
        })
        .parameter("gamma", GAMMA, Range::Positive, None),
        Entry::new("laplacian", "exp(−γ‖a − b‖₁)", move || {
            Laplacian::new(one())
        })
        .parameter("gamma", GAMMA, Range::Positive, None),
        Entry::new("exponential", "exp(−γ‖a − b‖)", move || {
            Exponential::new(one())
        })
        .parameter("gamma", GAMMA, Range::Positive, None),
        Entry::new(
            "bessel",
            "(2^ν·ν!·J_ν(t)/t^ν)^d with t = γ‖a − b‖",
            move || Bessel::new(1, 1, one()),
        )
        .parameter("order", "the order ν", Range::AtLeast(0), None)
        .parameter("degree", "the degree d", Range::AtLeast(1), Some(1.into()))
        .parameter("gamma", GAMMA, Range::Positive, None),
        Entry::new(
            "matern",
            "the covariance of a process that is ν − ½ times differentiable",
            move || Matern::five_halves(one()),
        )
        .parameter(
            "smoothness",
            "the smoothness ν",
            Range::OneOf(&[0.5, 1.5, 2.5]),
            None,
        )
        .parameter("length_scale", SCALE, Range::Positive, None),
        Entry::new(
            "rational_quadratic",
            "(1 + ‖a − b‖²/(2αℓ²))^−α",
            move || RationalQuadratic::new(one(), one()),
        )
        .parameter("length_scale", SCALE, Range::Positive, None)
        .parameter("alpha", "the exponent α", Range::Positive, Some(1.0.into())),
        Entry::new(
            "periodic",
            "exp(−2 Σ sin²(π(aₖ − bₖ)/p)/ℓ²)",
            move || Periodic::new(one(), one()),
        )
        .parameter("length_scale", SCALE, Range::Positive, None)
        .parameter("period", "the period p", Range::Positive, None),
    ]
}

fn histograms<F: Scalar>() -> Entries<F> {
    let one = F::one;
    vec![
        Entry::new(
            "chi_squared",
            "exp(−γ Σ (aₖ − bₖ)²/(aₖ + bₖ))",
            move || ChiSquared::new(one()),
        )
        .parameter("gamma", GAMMA, Range::Positive, None),
        Entry::new(
            "additive_chi_squared",
            "Σ 2aₖbₖ/(aₖ + bₖ)",
            AdditiveChiSquared::new,
        ),
        Entry::new(
            "histogram_intersection",
            "Σ min(aₖ, bₖ)",
            HistogramIntersection::new,
        ),
        Entry::new("min_max", "Σ min(aₖ, bₖ) / Σ max(aₖ, bₖ)", MinMax::new),
    ]
}

/// Kernels that compare vectors feature by feature, and kernels of some of the features or of divided features.
fn features<F: Scalar>() -> Entries<F> {
    let exactly_one = Parts::Exactly(1);
    vec![
        Entry::new("anova", "Σ exp(−γ(aₖ − bₖ)²)^d", || {
            Anova::new(F::one(), 1)
        })
        .parameter("gamma", GAMMA, Range::Positive, None)
        .parameter("degree", "the degree d", Range::AtLeast(1), None),
        Entry::new(
            "spline",
            "the product over features of the linear spline kernel",
            Spline::new,
        ),
        Entry::new(
            "simple_matching",
            "the share of features in which a and b agree",
            SimpleMatching::new,
        ),
        Entry::new(
            "gower",
            "the mean over features of 1 − |aₖ − bₖ|/rₖ, of categories 1 or 0",
            || Gower::new(Vec::new()),
        )
        .parameter(
            "ranges",
            "the ranges r of the features, 0 for a category",
            Range::NotNegatives,
            None,
        ),
        Entry::of_parts(
            "columns",
            "κ of some of the features",
            exactly_one,
            |parts| Ok(Columns::new(one(parts), 0..0)),
        )
        .parameter(
            "start",
            "the first feature, from 0",
            Range::AtLeast(0),
            None,
        )
        .parameter("end", "the feature after the last", Range::AtLeast(1), None),
        Entry::of_parts(
            "length_scales",
            "κ of features divided by length scales",
            exactly_one,
            |parts| Ok(LengthScales::new(one(parts), Vec::new())),
        )
        .parameter(
            "length_scales",
            "the length scales, one a feature",
            Range::Positives,
            None,
        ),
    ]
}
