//! The kernels that come with the crate, one module for each family, and kernels composed of kernels.
//!
//! The file of each kernel states all that is known of it: its values, the operators `+` and `*`
//! ([`composable!`](crate::composable)), its name and parameters ([`parameters!`](crate::parameters)), and the closed forms
//! that methods may use.

mod anova;
mod categorical;
mod compose;
mod histogram;
mod inner_product;
mod precomputed;
mod sparse;
mod spline;
mod stationary;
mod structured;

pub use anova::Anova;
pub use categorical::*;
pub use compose::*;
pub use histogram::*;
pub use inner_product::*;
pub use precomputed::Precomputed;
pub use sparse::Sparse;
pub use spline::Spline;
pub use stationary::*;
pub use structured::*;

pub(crate) use stationary::center;

use crate::{
    Error, Kernel, Rows, Samples, Scalar, linalg::fill_values, parallel, space::column_means,
};
use ndarray::{Array2, ArrayView2, Axis};

/// The mean of vectors, its squared distance from 0, and the spread of the vectors around it.
struct Center<F> {
    mean: Rows<F>,
    /// The squared distance ‖x̄‖² of the mean from 0.
    squared_distance: f64,
    /// The mean of ‖xᵢ − x̄‖².
    spread: f64,
}

/// The number of times that a quantity has to be larger than its variation before an origin is worth its cost. Below, three
/// bits are lost at the most.
const FAR: f64 = 8.0;

impl<F: Scalar> Center<F> {
    fn of(x: &Rows<F>) -> Option<Self> {
        let mean = mean_of(x)?;
        let squares = |view: ArrayView2<'_, F>| -> f64 {
            let rows = parallel::map(view.nrows(), |i| {
                view.row(i).iter().map(|v| v.as_f64().powi(2)).sum::<f64>()
            });
            rows.into_iter().sum()
        };
        Some(Self {
            squared_distance: squares(mean.view()),
            spread: squares(moved(x, &mean).view()) / x.len() as f64,
            mean,
        })
    }
}

/// The mean of vectors, as a sample; `None` if there are no vectors, or if the sums overflow. The mean may be rounded: any
/// point nearby is as good an origin.
pub(crate) fn mean_of<F: Scalar>(x: &Rows<F>) -> Option<Rows<F>> {
    let mean = column_means(x.view());
    Rows::new(mean.insert_axis(Axis(0))).ok()
}

/// The differences of vectors from an origin.
fn moved<F: Scalar>(x: &Rows<F>, origin: &Rows<F>) -> Array2<F> {
    &x.view() - &origin.view()
}

/// Computes a matrix of all pairs of samples. A value begins as `first`; `next(k, value, aₖ, bₖ)` changes it feature by
/// feature; then `finish` is called for each row of `a`. The inner loop runs along the samples of `b`, where it can be
/// vectorised.
fn fold_features<F: Scalar>(
    a: &Rows<F>,
    b: &Rows<F>,
    first: F,
    next: impl Fn(usize, F, F, F) -> F + Sync,
    finish: impl Fn(usize, &mut [F]) + Sync,
) -> Array2<F> {
    let features = b.view().reversed_axes().as_standard_layout().into_owned();
    let mut matrix = Array2::from_elem((a.len(), b.len()), first);
    fill_values(&mut matrix, |i, row| {
        for (k, (&a, feature)) in a.get(i).iter().zip(features.outer_iter()).enumerate() {
            for (value, &b) in row.iter_mut().zip(feature) {
                *value = next(k, *value, a, b);
            }
        }
        finish(i, row);
    });
    matrix
}

/// The values exp(−γ·Σₖ `term(aₖ, bₖ)`) of all pairs.
fn exp_of_sums<F: Scalar>(
    a: &Rows<F>,
    b: &Rows<F>,
    gamma: F,
    term: impl Fn(F, F) -> F + Sync,
) -> Array2<F> {
    let add = |_, sum: F, a: F, b: F| sum + term(a, b);
    fold_features(a, b, F::zero(), add, |_, row| {
        for value in row.iter_mut() {
            *value *= -gamma;
        }
        F::exp_in_place(row);
    })
}

/// The sums of `term(aₖ, bₖ)` over the features, for all pairs.
fn sums<F: Scalar>(a: &Rows<F>, b: &Rows<F>, term: impl Fn(F, F) -> F + Sync) -> Array2<F> {
    let add = |_, sum: F, a: F, b: F| sum + term(a, b);
    fold_features(a, b, F::zero(), add, |_, _| ())
}

/// The sums Σᵢⱼ wᵢⱼ `terms(mᵢⱼ)`, one for each of several terms, over a matrix m and weights w of its shape.
fn weighted_sums<F: Scalar, const TERMS: usize>(
    weights: ArrayView2<'_, F>,
    matrix: &Array2<F>,
    terms: impl Fn(F) -> [F; TERMS] + Sync,
) -> Vec<Option<F>> {
    let of_rows = parallel::map(matrix.nrows(), |i| {
        let mut sums = [F::zero(); TERMS];
        for (&weight, &value) in weights.row(i).iter().zip(matrix.row(i)) {
            for (sum, term) in sums.iter_mut().zip(terms(value)) {
                *sum += weight * term;
            }
        }
        sums
    });
    let total = |term: usize| of_rows.iter().map(|sums| sums[term].as_f64()).sum::<f64>();
    (0..TERMS).map(|term| Some(F::cast(total(term)))).collect()
}

/// The sum Σᵢⱼ wᵢⱼmᵢⱼ.
fn weighted_sum<F: Scalar>(weights: ArrayView2<'_, F>, matrix: &Array2<F>) -> Option<F> {
    weighted_sums(weights, matrix, |value| [value])[0]
}

/// The derivatives that a part of a kernel knows. There are as many of them as the part has real parameters, whatever it
/// answers, so that the derivatives of the next part keep their places.
fn derivatives_of<S: Samples, K: Kernel<S>>(
    part: &K,
    x: &S,
    weights: ArrayView2<'_, K::Scalar>,
) -> Vec<Option<K::Scalar>> {
    let found = part.parameter_derivatives(x, weights);
    let parameters = part.parameters();
    let reals = parameters.iter().map(|p| p.value.reals().len()).sum();
    if found.len() == reals {
        found
    } else {
        vec![None; reals]
    }
}

/// The product of `factor` and `value`; it is 0 where the value has vanished, even if the factor is infinite.
fn unless_vanished<F: Scalar>(factor: F, value: F) -> F {
    if value == F::zero() {
        F::zero()
    } else {
        factor * value
    }
}

/// Refuses samples with a negative feature.
fn non_negative<F: Scalar>(kernel: &'static str, x: &Rows<F>) -> Result<(), Error> {
    match x
        .view()
        .indexed_iter()
        .find(|&(_, &value)| value < F::zero())
    {
        None => Ok(()),
        Some(((row, column), _)) => Err(Error::SampleOutsideDomain {
            row,
            column: Some(column),
            kernel,
            needs: "features of at least 0",
        }),
    }
}

/// The logarithm ln κ of the value κ = 1 − ½‖φ(a) − φ(b)‖² of a kernel with κ(x, x) = 1. `None` unless κ > √ε: the error of
/// κ is some ε whatever its size, so that half of the digits of a smaller κ are noise.
pub(crate) fn logarithm_from_distance<F: Scalar>(squared: F) -> Option<F> {
    let less = squared / F::cast(2);
    (F::one() - less > F::epsilon().sqrt()).then(|| (-less).ln_1p())
}

/// The value, unless it is NaN or infinite.
pub(crate) fn finite<F: Scalar>(value: F) -> Option<F> {
    value.is_finite().then_some(value)
}
