//! Principal axes of centred rows.

use crate::Error;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use npt_core::{Scalar, linalg};

/// The axes along which centred rows extend above rounding level, the longest first.
pub(super) struct PrincipalAxes<F> {
    /// The sum of the squared scores along each axis.
    pub(super) values: Array1<F>,
    /// One row per axis, orthonormal.
    pub(super) axes: Array2<F>,
}

/// Finds the principal axes. Each value is known to its own rounding: what rows of length 1 have along an axis is known to ε, so
/// a value may be as small as ε².
///
/// Under a `penalty` that is added to all values, directions with no extent to speak of are kept,
/// too: new rows may be long in them. With more features than rows there are none to keep, as the axes are then
/// made of the rows.
pub(super) fn principal_axes<F: Scalar>(
    x: ArrayView2<'_, F>,
    penalty: F,
) -> Result<PrincipalAxes<F>, Error> {
    let (samples, features) = x.dim();
    if features > samples {
        // The smaller of the two matrices has the same eigenvalues.
        let (values, vectors) = linalg::eigh(&linalg::symmetric_rank_k(x.t()))?;
        let floor = F::cast(features) * F::epsilon() * values[0];
        let kept = leading(&values, floor);
        let values = values.select(Axis(0), &kept);
        let lengths = values.mapv(F::sqrt).insert_axis(Axis(1));
        let axes = linalg::product(vectors.select(Axis(1), &kept).t(), x) / lengths;
        return Ok(PrincipalAxes { values, axes });
    }
    let (mut axes, mut scores) = (Array2::eye(features), x.to_owned());
    let mut values: Array1<F> = Array1::zeros(features);
    let known = F::cast(64) * F::epsilon();
    let mut first = 0;
    loop {
        // Eigenvectors are known to the rounding of the largest value. Axes that are much shorter are turned once more
        // among themselves.
        let (_, vectors) = linalg::eigh(&linalg::symmetric_rank_k(scores.slice(s![.., first..])))?;
        for matrix in [&mut axes, &mut scores] {
            let turned = linalg::product(matrix.slice(s![.., first..]), vectors.view());
            matrix.slice_mut(s![.., first..]).assign(&turned);
        }
        for (value, z) in values.iter_mut().zip(scores.columns()).skip(first) {
            *value = z.dot(&z);
        }
        let (longest, floor) = (values[first], known * known * values[0]);
        let short = |&k: &usize| values[k] < F::epsilon().sqrt() * longest;
        match (first + 1..features).find(short) {
            Some(next) if values[next] > floor => first = next,
            _ => break,
        }
    }
    let mut order: Vec<usize> = (0..features).collect();
    order.sort_by(|&i, &j| values[j].as_f64().total_cmp(&values[i].as_f64()));
    let values = values.select(Axis(0), &order);
    let kept = leading(&values, known * known * values[0] - penalty);
    Ok(PrincipalAxes {
        axes: axes
            .select(Axis(1), &order[..kept.len()])
            .reversed_axes()
            .as_standard_layout()
            .into_owned(),
        values: values.select(Axis(0), &kept),
    })
}

fn leading<F: Scalar>(values: &Array1<F>, floor: F) -> Vec<usize> {
    (0..values.len())
        .take_while(|&k| values[k] > floor)
        .collect()
}
