//! Squared Euclidean distances of all pairs, computed so that nothing cancels.

use crate::{
    Rows, Samples, Scalar,
    linalg::{self, fill_rows},
};
use ndarray::{Array1, Array2, ArrayView2, Axis};

/// The mean of samples; the origin for a selection of none.
pub(super) fn centre<F: Scalar>(x: &Rows<F>) -> Array1<F> {
    let mean = x.view().mean_axis(Axis(0));
    mean.unwrap_or_else(|| Array1::zeros(x.view().ncols()))
}

/// ‖a − b‖².
pub(super) fn squared_distance<F: Scalar>(a: &[F], b: &[F]) -> F {
    a.iter().zip(b).map(|(&a, &b)| (a - b) * (a - b)).sum()
}

/// Up to so many samples are compared with others by differences, which cost a pair more than a product does, but need no mean of
/// the others, no copies of them and no norms: a prediction for one sample takes a third of the time.
const FEW: usize = 4;

/// Whether differences are cheaper than a product for these samples against others.
pub(super) fn are_few<F: Scalar>(a: &Rows<F>) -> bool {
    a.len() <= FEW
}

/// ‖a − b‖² of all pairs, shape (a, b), each to a few ε of its own size.
pub(super) fn squared_distances<F: Scalar>(a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
    if are_few(a) {
        let mut matrix = Array2::zeros((a.len(), b.len()));
        fill_rows(&mut matrix, |i, row| {
            let pairs = row.iter_mut().enumerate();
            pairs.for_each(|(j, value)| *value = squared_distance(a.get(i), b.get(j)));
        });
        return matrix;
    }
    let origin = centre(b);
    let (a_moved, b_moved) = (&a.view() - &origin, &b.view() - &origin);
    from_inner_products(a_moved.view(), b_moved.view(), |i, j| {
        squared_distance(a.get(i), b.get(j))
    })
}

/// exp(`logarithm`(‖a − b‖²)) of all pairs, for logarithms of at most 0.
pub(super) fn exp_of_distances<F: Scalar>(
    mut squared_distances: Array2<F>,
    logarithm: impl Fn(F) -> F + Sync,
) -> Array2<F> {
    fill_rows(&mut squared_distances, |_, row| {
        for value in row.iter_mut() {
            *value = logarithm(*value);
        }
        F::exp_in_place(row);
    });
    squared_distances
}

/// ‖a − b‖² = ‖a‖² + ‖b‖² − 2⟨a, b⟩ of all pairs, one matrix product, and `direct(i, j)` for the
/// pairs for which the formula cancels.
pub(super) fn from_inner_products<F: Scalar>(
    a: ArrayView2<'_, F>,
    b: ArrayView2<'_, F>,
    direct: impl Fn(usize, usize) -> F + Sync,
) -> Array2<F> {
    // What is at least this share of ‖a‖² + ‖b‖² has lost less than four bits.
    let share = F::cast(16).recip();
    let two = F::cast(2);
    let norms = |points: ArrayView2<'_, F>| -> Array1<F> {
        points.outer_iter().map(|row| row.dot(&row)).collect()
    };
    let (a_norms, b_norms) = (norms(a), norms(b));
    let mut matrix = linalg::product(a, b.reversed_axes());
    fill_rows(&mut matrix, |i, row| {
        for (j, (value, &b_norm)) in row.iter_mut().zip(&b_norms).enumerate() {
            let norms = a_norms[i] + b_norm;
            *value = norms - two * *value;
            // Negated, so that a norm that overflowed is caught as well.
            if !(*value >= share * norms && norms < F::infinity()) {
                *value = direct(i, j);
            }
        }
    });
    matrix
}
