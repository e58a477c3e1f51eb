//! The probabilities of classes, and what a sample adds to the logarithm of their likelihood.

use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut1};
use npt_core::Scalar;

/// Computes the probabilities of the classes, shape (samples, classes), from their scores. A single function stands for
/// two classes, the first with score 0.
pub(super) fn probabilities<F: Scalar>(scores: ArrayView2<'_, F>) -> Array2<F> {
    if scores.ncols() == 1 {
        return Array2::from_shape_fn((scores.nrows(), 2), |(i, class)| {
            let score = scores[[i, 0]];
            let score = if class == 1 { score } else { -score };
            // exp of a negative number, for either sign
            let odds = (-score.abs()).exp();
            if score < F::zero() {
                odds / (F::one() + odds)
            } else {
                (F::one() + odds).recip()
            }
        });
    }
    let mut p = scores.to_owned();
    for mut row in p.outer_iter_mut() {
        let largest = row.fold(F::neg_infinity(), |m, &v| m.max(v));
        row.mapv_inplace(|v| (v - largest).exp());
        let sum = row.sum();
        row /= sum;
    }
    p
}

/// Computes −log p of the class so that small values stay exact.
pub(super) fn loss<F: Scalar>(scores: ArrayView1<'_, F>, class: usize) -> F {
    let of = |k: usize| {
        if scores.len() == 1 {
            scores[0] * F::cast(k)
        } else {
            scores[k]
        }
    };
    let classes = scores.len().max(2);
    let largest = (0..classes).map(of).fold(F::neg_infinity(), F::max);
    let top = (0..classes).find(|&k| of(k) == largest).unwrap_or(class);
    let rest: F = (0..classes)
        .filter(|&k| k != top)
        .map(|k| (of(k) - largest).exp())
        .sum();
    rest.ln_1p() + (largest - of(class))
}

/// Computes 1 − pₖ as the sum of the other probabilities.
pub(super) fn others<F: Scalar>(p: ArrayView1<'_, F>, k: usize) -> F {
    let rest = p.iter().enumerate().filter(|&(j, _)| j != k);
    rest.map(|(_, &p)| p).sum()
}

/// Returns the class of the first function: with two classes, the first class has none.
pub(super) fn first_class(functions: usize) -> usize {
    usize::from(functions == 1)
}

/// Writes the derivatives of the loss of a sample by its scores, from the probabilities.
pub(super) fn slopes<F: Scalar>(
    p: ArrayView1<'_, F>,
    class: usize,
    mut slopes: ArrayViewMut1<'_, F>,
) {
    let first = first_class(slopes.len());
    for (k, slope) in slopes.iter_mut().enumerate() {
        *slope = if first + k == class {
            // This is p − 1, of which rounding would leave 0.
            -others(p, class)
        } else {
            p[first + k]
        };
    }
}

/// Replaces a change of the scores by the change of the slopes along it.
pub(super) fn curve<F: Scalar>(p: ArrayView1<'_, F>, mut along: ArrayViewMut1<'_, F>) {
    if along.len() == 1 {
        along[0] *= p[0] * p[1];
        return;
    }
    // Differences come first: a mean of v would lose what a p close to 1 leaves of it.
    let v = along.to_owned();
    for (k, image) in along.iter_mut().enumerate() {
        let pairs = p.iter().zip(&v);
        let differences: F = pairs.map(|(&p, &other)| p * (v[k] - other)).sum();
        *image = p[k] * differences;
    }
}

/// Returns the second derivatives of the loss by each score, shape (samples, functions).
pub(super) fn variances<F: Scalar>(p: ArrayView2<'_, F>, functions: usize) -> Array2<F> {
    let first = first_class(functions);
    Array2::from_shape_fn((p.nrows(), functions), |(i, k)| {
        p[[i, first + k]] * others(p.row(i), first + k)
    })
}
