//! The eigendecomposition of a whole kernel matrix, for kernels that a Cholesky factor cannot take.
//!
//! A kernel with a negative eigenvalue ends here, to be refused or clipped; so does one that is
//! positive semidefinite only when centred (a conditionally positive definite kernel, such as the
//! negative squared distance), which is exact here.

use super::{Indefinite, factor::check_finite};
use crate::{Error, Kernel, Samples, Scalar, linalg, scalar::rounding};
use linfa::Float as _;
use ndarray::{Array1, Array2, Axis};
use num_traits::{Float as _, Zero as _};

/// A negative eigenvalue counts when it exceeds this many times the rounding level of the largest.
const SIGNIFICANT: f64 = 10.0;

/// K = UΛUᵀ, positive part.
pub(super) struct Spectrum<F> {
    /// Descending, above rounding level.
    pub(super) eigenvalues: Array1<F>,
    /// One column an eigenvalue.
    pub(super) vectors: Array2<F>,
    /// `None` if not centred.
    pub(super) means: Option<Means<F>>,
}

/// What centring subtracts.
#[derive(Clone)]
pub(super) struct Means<F> {
    /// 𝒦1/n, shape (n).
    pub(super) of_rows: Array1<F>,
    /// 1ᵀ𝒦1/n².
    pub(super) of_all: F,
}

pub(super) fn decompose<S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &K,
    x: &S,
    centered: bool,
    indefinite: Indefinite,
) -> Result<Spectrum<K::Scalar>, Error> {
    let n = x.len();
    let mut matrix = kernel.gram(x);
    let ids: Vec<usize> = (0..n).collect();
    check_finite(matrix.view(), &ids, &ids)?;
    let scale = matrix
        .iter()
        .fold(K::Scalar::zero(), |m, &v| m.max(v.abs()));
    let means = centered.then(|| {
        let of_rows = matrix.mean_axis(Axis(1)).expect("there are samples");
        let of_all = of_rows.mean().expect("there are samples");
        for ((i, j), value) in matrix.indexed_iter_mut() {
            *value = *value - of_rows[i] - of_rows[j] + of_all;
        }
        Means { of_rows, of_all }
    });
    let (values, vectors) = linalg::eigh(&matrix)?;
    let (largest, smallest) = (values[0], values[n - 1]);
    let magnitude = largest.abs().max(smallest.abs());
    let level = rounding::<K::Scalar>(n) * magnitude;
    if indefinite == Indefinite::Refuse && smallest < -K::Scalar::cast(SIGNIFICANT) * level {
        let (eigenvalue, ratio) = (smallest.as_f64(), (smallest / magnitude).as_f64());
        return Err(Error::Indefinite { eigenvalue, ratio });
    }
    let floor = level.max(rounding::<K::Scalar>(n) * scale);
    let keep: Vec<usize> = (0..n).filter(|&i| values[i] > floor).collect();
    if keep.is_empty() {
        return Err(Error::NoVariance { samples: n });
    }
    let (eigenvalues, vectors) = (
        values.select(Axis(0), &keep),
        vectors.select(Axis(1), &keep),
    );
    Ok(Spectrum {
        eigenvalues,
        vectors,
        means,
    })
}
