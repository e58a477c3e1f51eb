//! Features from the kernel values with landmarks.

use super::{finite_diagonal, squared_lengths};
use crate::{
    Error, Kernel, RawFeatures, Samples,
    linalg::{self, Triangle},
    space::factor::{Factor, check_finite},
};
use ndarray::{Array1, Array2, ArrayView2};
use std::{fmt, sync::Arc};

/// f(x) = L⁻¹κ(S, x), with LLᵀ = 𝒦 on the landmarks S.
pub struct Landmarks<S, K, F> {
    pub(super) kernel: Arc<K>,
    /// S, in the order in which they were chosen.
    pub(super) samples: S,
    /// Which training samples they are.
    indices: Vec<usize>,
    /// L
    lower: Triangle<F>,
}

impl<S, K, F> Landmarks<S, K, F> {
    /// Which training samples the landmarks are, as rows from 0.
    pub fn indices(&self) -> &[usize] {
        &self.indices
    }
}

impl<S: Samples, K: Kernel<S>> Landmarks<S, K, K::Scalar> {
    /// Takes L.
    pub(super) fn of_factor(kernel: Arc<K>, x: &S, factor: &mut Factor<K::Scalar>) -> Self {
        Self {
            kernel,
            samples: x.select(&factor.pivots),
            indices: factor.pivots.clone(),
            lower: std::mem::take(&mut factor.lower),
        }
    }

    pub(super) fn dimension(&self) -> usize {
        self.indices.len()
    }

    pub(super) fn features(
        &self,
        x: &S,
        rows: &[usize],
        rest: bool,
    ) -> Result<RawFeatures<K::Scalar>, Error> {
        let x = x.select(rows);
        let mut block = self.kernel.cross(&self.samples, &x);
        check_finite(block.t(), rows, &self.indices)?;
        block = linalg::row_major(block);
        self.lower.solve_in_place(&mut block);
        let rest = if rest {
            let diagonal = finite_diagonal(&*self.kernel, &x, rows)?;
            Some(diagonal - squared_lengths(block.t()))
        } else {
            None
        };
        let values = block.reversed_axes().as_standard_layout().into_owned();
        Ok(RawFeatures { values, rest })
    }

    pub(super) fn fold(
        &self,
        directions: ArrayView2<'_, K::Scalar>,
    ) -> (Array2<K::Scalar>, Array1<K::Scalar>) {
        let alpha = self.lower.solve_transposed(directions);
        (alpha, Array1::zeros(directions.ncols()))
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<S: Clone, K, F: Clone> Clone for Landmarks<S, K, F> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            samples: self.samples.clone(),
            indices: self.indices.clone(),
            lower: self.lower.clone(),
        }
    }
}

/// The size; neither kernel nor samples need be `Debug`.
impl<S, K, F> fmt::Debug for Landmarks<S, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Landmarks")
            .field("landmarks", &self.indices.len())
            .finish_non_exhaustive()
    }
}
