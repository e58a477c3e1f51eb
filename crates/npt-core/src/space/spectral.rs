//! The eigendecomposition of a whole kernel matrix, for kernels that a Cholesky factor cannot take.
//!
//! A kernel with a negative eigenvalue ends here, to be refused or clipped; so does one that is
//! positive semidefinite only when centred (a conditionally positive definite kernel, such as the
//! negative squared distance), which is exact here.

use super::{
    ExactSpace, Fitted, Indefinite, KernelMap, Rank, Space,
    centering::{center, finite_gram},
    kernel_map::{AllSamples, Means, clamped_difference, squared_lengths},
    rotation::{axis_signs, select_rank},
};
use crate::{Error, Kernel, Samples, Scalar, linalg};
use linfa::Float as _;
use ndarray::{Array1, Array2, Axis, s};
use num_traits::{Float as _, Zero as _};
use std::sync::Arc;

/// How many ε an eigenvalue is uncertain by, in units of what it was computed from.
const FEW: f64 = 8.0;

/// A negative eigenvalue counts when it exceeds this many times its uncertainty.
const SIGNIFICANT: f64 = 10.0;

/// K = UΛUᵀ, positive part.
pub(super) struct Decomposition<F> {
    /// Descending, above rounding level.
    eigenvalues: Array1<F>,
    /// One column an eigenvalue.
    vectors: Array2<F>,
    /// The diagonal of K.
    diagonal: Array1<F>,
    /// `None` if not centred.
    means: Option<Means<F>>,
}

pub(super) fn decompose<S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &K,
    x: &S,
    centered: bool,
    indefinite: Indefinite,
) -> Result<Decomposition<K::Scalar>, Error> {
    let n = x.len();
    let mut matrix = finite_gram(kernel, x)?;
    let scale = matrix
        .iter()
        .fold(K::Scalar::zero(), |m, &v| m.max(v.abs()));
    let means = centered.then(|| center(&mut matrix));
    let diagonal = matrix.diag().to_owned();
    let (values, vectors) = linalg::eigh(&matrix)?;
    let (largest, smallest) = (values[0], values[n - 1]);
    let magnitude = largest.abs().max(smallest.abs());
    // The eigensolver's error is of the matrix that it is given; that of the entries, of which
    // centring may have taken most away, is of n entries a row that add up like noise.
    let few = K::Scalar::cast(FEW) * K::Scalar::epsilon();
    let level = few * (magnitude + K::Scalar::cast(n).sqrt() * scale);
    if indefinite == Indefinite::Refuse && smallest < -K::Scalar::cast(SIGNIFICANT) * level {
        let (eigenvalue, ratio) = (smallest.as_f64(), (smallest / magnitude).as_f64());
        return Err(Error::Indefinite { eigenvalue, ratio });
    }
    let keep: Vec<usize> = (0..n).filter(|&i| values[i] > level).collect();
    if keep.is_empty() {
        return Err(Error::NoVariance { samples: n });
    }
    let (eigenvalues, vectors) = (
        values.select(Axis(0), &keep),
        vectors.select(Axis(1), &keep),
    );
    Ok(Decomposition {
        eigenvalues,
        vectors,
        diagonal,
        means,
    })
}

impl<F: Scalar> Decomposition<F> {
    /// The space of the eigenvalues that `rank` keeps, on principal axes: whatever axes were asked
    /// for, these are there.
    pub(super) fn into_space<S: Samples, K: Kernel<S, Scalar = F>>(
        self,
        kernel: Arc<K>,
        x: &S,
        rank: Rank,
    ) -> Result<Fitted<ExactSpace<S, K>>, Error> {
        let kept = select_rank(self.eigenvalues.view(), rank)?;
        let eigenvalues = self.eigenvalues.slice(s![..kept]).to_owned();
        let roots = eigenvalues.mapv(F::sqrt);
        let mut vectors = self.vectors.slice(s![.., ..kept]).to_owned();
        let signs = axis_signs(vectors.view());
        vectors *= &signs;
        let weights = &vectors / &roots;
        let coordinates = (vectors * &roots).as_standard_layout().into_owned();
        let residuals = clamped_difference(self.diagonal, &squared_lengths(coordinates.view()));
        let map = AllSamples::new(kernel, x.clone(), weights, self.means);
        let space = Space::of_coordinates(KernelMap::AllSamples(map));
        Ok(Fitted::on_principal_axes(
            space,
            coordinates,
            residuals,
            eigenvalues,
        ))
    }
}
