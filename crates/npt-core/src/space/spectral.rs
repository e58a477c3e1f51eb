//! The eigendecomposition of a whole kernel matrix.
//!
//! It is for kernels that a Cholesky factor cannot take. A kernel with a negative eigenvalue is refused or clipped
//! here. A kernel that is positive semidefinite only when centred (a conditionally positive definite kernel, such
//! as the negative squared distance) is exact here. It is also for matrices of full rank whose eigenvalues are all
//! far above rounding: this is theorem 2 as it stands, and a factor would gain nothing.

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

/// The number of ε by which an eigenvalue is uncertain, in units of the numbers that it was computed from.
const FEW: f64 = 8.0;

/// A negative eigenvalue counts when it exceeds this many times its uncertainty.
const SIGNIFICANT: f64 = 10.0;

/// The positive part of the decomposition K = UΛUᵀ.
pub(super) struct Decomposition<F> {
    /// The eigenvalues above rounding level, in descending order.
    eigenvalues: Array1<F>,
    /// The eigenvectors Uᵀ, one row an eigenvalue, including the rows of eigenvalues that are not kept.
    vectors: Array2<F>,
    /// The diagonal of K.
    diagonal: Array1<F>,
    /// The means that centring subtracted; `None` if not centred.
    means: Option<Means<F>>,
}

/// Decomposes the kernel matrix 𝒦, after centring if `centered` is true.
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
    // The eigensolver's error is in units of the matrix that it is given. The error of the entries is in units
    // of the entries before centring, which may have taken most of them away; n errors a row add up like noise.
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
    /// Returns the space of the eigenvalues that `rank` keeps. It is on principal axes, whatever axes were asked
    /// for, because these are there. `in_full` is true unless eigenvalues may have been clipped.
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
            // Axes are orthogonal to the vector 1 only to the rounding of the largest eigenvalue.
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
