//! From raw coordinates to the axes of a space.

use super::Rank;
use crate::{Error, Scalar, linalg};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};

/// What turns raw coordinates, one row a sample, to the axes of the space.
#[derive(Clone)]
pub(super) enum Rotation<F> {
    /// V, one column an axis.
    Principal(Array2<F>),
    /// I − 2vvᵀ without its last column, for this v of length 1.
    Reflection(Array1<F>),
}

impl<F: Scalar> Rotation<F> {
    pub(super) fn apply(&self, raw: ArrayView2<'_, F>) -> Array2<F> {
        match self {
            Self::Principal(vectors) => linalg::product(raw, vectors.view()),
            Self::Reflection(v) => {
                let kept = v.len() - 1;
                let mut coordinates = raw.slice(s![.., ..kept]).to_owned();
                let along = raw.dot(v) * F::cast(2);
                for (mut row, &along) in coordinates.outer_iter_mut().zip(&along) {
                    row.scaled_add(-along, &v.slice(s![..kept]));
                }
                coordinates
            }
        }
    }
}

impl<F: Scalar> Rotation<F> {
    /// The raw directions of directions on the axes, one a column: the transpose of `apply`.
    pub(super) fn undo(&self, directions: ArrayView2<'_, F>) -> Array2<F> {
        match self {
            Self::Principal(vectors) => linalg::product(vectors.view(), directions),
            Self::Reflection(v) => {
                let kept = directions.nrows();
                let along = v.slice(s![..kept]).dot(&directions) * F::cast(2);
                let mut raw = Array2::zeros((v.len(), directions.ncols()));
                raw.slice_mut(s![..kept, ..]).assign(&directions);
                for (mut row, &v) in raw.outer_iter_mut().zip(v) {
                    row.scaled_add(-v, &along);
                }
                raw
            }
        }
    }
}

/// How many of the eigenvalues (descending, all above rounding level) to keep.
pub(super) fn select_rank<F: Scalar>(
    values: ArrayView1<'_, F>,
    rank: Rank,
) -> Result<usize, Error> {
    let available = values.len();
    match rank {
        Rank::Tolerance(t) => Ok(values
            .iter()
            .take_while(|v| v.as_f64() > t * values[0].as_f64())
            .count()),
        Rank::Variance(p) => {
            let total: f64 = values.iter().map(|v| v.as_f64()).sum();
            let mut explained = 0.0;
            let enough = values.iter().position(|v| {
                explained += v.as_f64();
                explained >= p * total
            });
            // Rounding may leave the sum just short of a share of 1.
            Ok(enough.map_or(available, |last| last + 1))
        }
        Rank::Components(requested) if requested > available => Err(Error::Rank {
            requested,
            available,
        }),
        Rank::Components(requested) => Ok(requested),
    }
}

/// The sign, one a column, that makes the entry of largest magnitude positive; of entries equal up
/// to rounding, the first decides.
pub(super) fn axis_signs<F: Scalar>(columns: ArrayView2<'_, F>) -> Array1<F> {
    let almost = F::one() - F::epsilon().sqrt();
    columns
        .axis_iter(Axis(1))
        .map(|column| {
            let largest = column.iter().fold(F::zero(), |m, &v| m.max(v.abs()));
            let first = column.iter().find(|v| v.abs() >= almost * largest);
            if first.is_some_and(|&v| v < F::zero()) {
                -F::one()
            } else {
                F::one()
            }
        })
        .collect()
}

/// v/‖v‖, scaled before squaring; `None` if that is not finite.
pub(super) fn unit<F: Scalar>(v: Array1<F>) -> Option<Array1<F>> {
    let largest = v.iter().fold(F::zero(), |m, &v| m.max(v.abs()));
    let v = v / largest;
    let length = v.dot(&v).sqrt();
    (length.is_finite() && length > F::zero()).then(|| v / length)
}
