//! The eigendecomposition of a whole kernel matrix.
//!
//! Of kernels that a Cholesky factor cannot take: one with a negative eigenvalue ends here, to be
//! refused or clipped; so does one that is positive semidefinite only when centred (a conditionally
//! positive definite kernel, such as the negative squared distance), which is exact here. And of matrices
//! of full rank whose eigenvalues are all far above rounding: theorem 2 as it stands, with nothing
//! to be won by a factor.

use super::{
    ExactSpace, Fitted, Indefinite, KernelMap, Rank, Space,
    kernel_map::{AllSamples, clamped_difference},
    rotation::select_rank,
    rows::{axis_signs, center_columns, squared_lengths},
};
use crate::{
    Error, Kernel, Samples, Scalar,
    linalg::{self, Means},
    watch::Progress,
};
use ndarray::{Array1, Array2, s};
use std::sync::Arc;

/// How many ε an eigenvalue is uncertain by, in units of what it was computed from.
const FEW: f64 = 8.0;

/// A negative eigenvalue counts when it exceeds this many times its uncertainty.
const SIGNIFICANT: f64 = 10.0;

/// K = UΛUᵀ, positive part.
pub(super) struct Decomposition<F> {
    /// Descending, above rounding level.
    eigenvalues: Array1<F>,
    /// Uᵀ, one row an eigenvalue, and those of eigenvalues that are not kept.
    vectors: Array2<F>,
    /// The diagonal of K.
    diagonal: Array1<F>,
    /// `None` if not centred.
    means: Option<Means<F>>,
}

/// Of the kernel matrix 𝒦.
pub(super) fn decompose<F: Scalar>(
    mut matrix: Array2<F>,
    centered: bool,
    indefinite: Indefinite,
) -> Result<Decomposition<F>, Error> {
    let _stage = Progress::start("principal axes", None);
    let n = matrix.nrows();
    let scale = linalg::largest_magnitude(matrix.view());
    let means = centered.then(|| linalg::center(&mut matrix));
    let diagonal = matrix.diag().to_owned();
    let (values, vectors) = linalg::eigh_by_rows(matrix)?;
    let (largest, smallest) = (values[0], values[n - 1]);
    let magnitude = largest.abs().max(smallest.abs());
    // The eigensolver's error is of the matrix that it is given; that of the entries, of which
    // centring may have taken most away, is of n entries a row that add up like noise.
    let few = F::cast(FEW) * F::epsilon();
    let level = few * (magnitude + F::cast(n).sqrt() * scale);
    if indefinite == Indefinite::Refuse && smallest < -F::cast(SIGNIFICANT) * level {
        let (eigenvalue, ratio) = (smallest.as_f64(), (smallest / magnitude).as_f64());
        return Err(Error::Indefinite { eigenvalue, ratio });
    }
    let kept = values.iter().take_while(|&&value| value > level).count();
    if kept == 0 {
        return Err(Error::NoVariance { samples: n });
    }
    Ok(Decomposition {
        eigenvalues: values.slice(s![..kept]).to_owned(),
        vectors,
        diagonal,
        means,
    })
}

impl<F: Scalar> Decomposition<F> {
    /// The space of the eigenvalues that `rank` keeps, on principal axes: whatever axes were asked
    /// for, these are there. `in_full` unless eigenvalues may have been clipped.
    pub(super) fn into_space<S: Samples, K: Kernel<S, Scalar = F>>(
        self,
        kernel: Arc<K>,
        origin: Option<S>,
        x: &S,
        rank: Rank,
        in_full: bool,
    ) -> Result<Fitted<ExactSpace<S, K>>, Error> {
        let kept = select_rank(self.eigenvalues.view(), rank)?;
        let eigenvalues = self.eigenvalues.slice(s![..kept]).to_owned();
        let whole = in_full && kept == self.eigenvalues.len();
        let vectors = self.vectors.slice(s![..kept, ..]);
        let roots = eigenvalues.mapv(F::sqrt) * axis_signs(vectors.t());
        let weights = linalg::transposed_and_scaled(vectors, &roots.mapv(F::recip));
        let mut coordinates = linalg::transposed_and_scaled(vectors, &roots);
        drop(self.vectors);
        if self.means.is_some() {
            // Axes are orthogonal to 1 to the rounding of the largest eigenvalue only.
            center_columns(&mut coordinates);
        }
        let residuals = clamped_difference(self.diagonal, &squared_lengths(coordinates.view()));
        let map = AllSamples::new(kernel, origin, x.clone(), weights, self.means);
        let space = Space::of_coordinates(KernelMap::AllSamples(map), whole);
        Ok(Fitted::on_principal_axes(
            space,
            coordinates,
            residuals,
            eigenvalues,
        ))
    }
}
