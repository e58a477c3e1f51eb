//! The rotation of shifted features to the axes of a space.

use super::{
    Rank,
    rows::{along, change_panels},
};
use crate::{
    Error, Scalar,
    linalg::{self, PANEL},
    watch::check,
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};

/// The rotation that turns shifted features, one row a sample, to the axes of the space.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Rotation<F> {
    /// The features stay as they are.
    Identity,
    /// The product with V, one column an axis.
    Principal(Array2<F>),
    /// The product with I − 2vvᵀ without its last column, for this v of length 1.
    Reflection(Array1<F>),
}

impl<F: Scalar> Rotation<F> {
    /// Creates the reflection that turns the last axis to `normal`, of length 1, and drops this axis.
    pub(super) fn reflection(mut normal: Array1<F>) -> Self {
        let last = normal.len() - 1;
        let sign = F::one().copysign(normal[last]);
        normal[last] += sign;
        let length = normal.dot(&normal).sqrt();
        Self::Reflection(normal / length)
    }

    /// Returns the number of axes that are left of `dimension` axes.
    pub(super) fn kept(&self, dimension: usize) -> usize {
        match self {
            Self::Identity => dimension,
            Self::Principal(vectors) => vectors.ncols(),
            Self::Reflection(v) => v.len().saturating_sub(1),
        }
    }

    /// Checks that the rotation is finite, and that it turns this many features.
    #[cfg(feature = "serde")]
    pub(super) fn check_parts(&self, features: usize) -> Result<(), String> {
        use crate::serial::{agree, finite, some};
        let (rows, values) = match self {
            Self::Identity => return some("axes", features),
            Self::Principal(vectors) => (vectors.nrows(), vectors.as_slice()),
            Self::Reflection(v) => (v.len(), v.as_slice()),
        };
        agree("rows of the rotation", rows, "features", features)?;
        some("axes", self.kept(features))?;
        finite("the entries of the rotation", values.unwrap_or_default())
    }

    pub(super) fn apply(&self, features: Array2<F>) -> Array2<F> {
        match self {
            Self::Identity => features,
            Self::Principal(vectors) => linalg::product(features.view(), vectors.view()),
            Self::Reflection(v) => {
                let along = along(features.view(), v) * F::cast(2);
                let mut coordinates = without_last_column(features);
                let v = v.slice(s![..v.len() - 1]);
                change_panels(&mut coordinates, |first, panel| {
                    let along = along.slice(s![first..]);
                    for (mut row, &along) in panel.outer_iter_mut().zip(along) {
                        row.scaled_add(-along, &v);
                    }
                });
                coordinates
            }
        }
    }

    /// Returns directions on the axes, one a column, as directions of features: the transpose of `apply`.
    pub(super) fn undo(&self, directions: ArrayView2<'_, F>) -> Array2<F> {
        match self {
            Self::Identity => directions.to_owned(),
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

/// Drops the last column of a matrix in place, because it may be the largest matrix there is.
fn without_last_column<F: Scalar>(matrix: Array2<F>) -> Array2<F> {
    let (rows, columns) = matrix.dim();
    let mut values = linalg::row_major(matrix).into_raw_vec_and_offset().0;
    for row in 1..rows {
        if row % PANEL == 0 {
            check();
        }
        let start = row * columns;
        values.copy_within(start..start + columns - 1, row * (columns - 1));
    }
    values.truncate(rows * (columns - 1));
    Array2::from_shape_vec((rows, columns - 1), values).expect("as many values as are left")
}

/// Returns the number of eigenvalues to keep. The eigenvalues are given in descending order.
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

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    /// An eigenvalue as large as the tolerance is not kept; a share that is reached exactly is enough.
    #[test]
    fn ranks_at_their_edges() {
        let rank = |values: &[f64], rank| select_rank(ArrayView1::from(values), rank);
        assert_eq!(rank(&[4.0, 2.0, 1.0], Rank::Tolerance(0.5)), Ok(1));
        assert_eq!(rank(&[400.0, 20.0], Rank::Tolerance(0.1)), Ok(1));
        assert_eq!(rank(&[400.0, 20.0], Rank::Tolerance(0.01)), Ok(2));
        assert_eq!(rank(&[1.0, 1.0], Rank::Variance(0.5)), Ok(1));
        assert_eq!(rank(&[1.0, 1.0], Rank::Variance(0.51)), Ok(2));
        let (requested, available) = (3, 2);
        let beyond = Err(Error::Rank {
            requested,
            available,
        });
        assert_eq!(rank(&[1.0, 1.0], Rank::Components(3)), beyond);
        assert_eq!(rank(&array![1.0, 1.0].to_vec(), Rank::Components(2)), Ok(2));
    }
}
