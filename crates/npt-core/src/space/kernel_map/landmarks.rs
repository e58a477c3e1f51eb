//! Features from the kernel values with landmarks.

use super::finite_diagonal;
use crate::{
    Error, Kernel, RawFeatures, RawMap, Samples,
    kernel::About,
    linalg::{self, Triangle},
    space::{
        factor::{Factor, check_finite},
        rows::squared_lengths,
    },
};
use ndarray::{Array1, Array2, ArrayView2, s};
use std::{fmt, sync::Arc};

/// The features f(x) = L⁻¹κ(S, x), with LLᵀ = 𝒦 on the landmarks S.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Landmarks<S, K, F> {
    pub(super) kernel: Arc<K>,
    /// The origin that kernel values are about, one sample, where a shift of the samples' images changes nothing.
    pub(super) origin: Option<S>,
    /// The landmarks S, in the order in which they were chosen.
    pub(super) samples: S,
    /// The rows of the landmarks among the training samples, if they are training samples.
    indices: Option<Vec<usize>>,
    /// The factor L.
    lower: Triangle<F>,
}

impl<S, K, F> Landmarks<S, K, F> {
    /// The landmarks, in the order in which they were chosen.
    pub fn samples(&self) -> &S {
        &self.samples
    }

    /// The rows of the landmarks among the training samples, from 0; `None` if the landmarks were given, and need not be
    /// training samples.
    pub fn indices(&self) -> Option<&[usize]> {
        self.indices.as_deref()
    }
}

impl<S: Samples, K: Kernel<S>> Landmarks<S, K, K::Scalar> {
    pub(in crate::space) fn new(
        kernel: Arc<K>,
        samples: S,
        indices: Option<Vec<usize>>,
        lower: Triangle<K::Scalar>,
    ) -> Self {
        Self {
            kernel,
            origin: None,
            samples,
            indices,
            lower,
        }
    }

    /// Creates the map from a factor, and takes its L.
    pub(super) fn of_factor(
        kernel: Arc<K>,
        origin: Option<S>,
        x: &S,
        factor: &mut Factor<K::Scalar>,
    ) -> Self {
        let lower = std::mem::take(&mut factor.lower);
        let pivots = factor.pivots.clone();
        let mut map = Self::new(kernel, x.select(&pivots), Some(pivots), lower);
        map.origin = origin;
        map
    }

    pub(in crate::space) fn into_lower(self) -> Triangle<K::Scalar> {
        self.lower
    }

    /// Returns the kernel matrix of the landmarks and one more sample.
    pub(in crate::space) fn matrix_with(&self, sample: &S) -> Array2<K::Scalar> {
        let landmarks = self.samples.len();
        let mut matrix = Array2::zeros((landmarks + 1, landmarks + 1));
        let own = self.kernel.gram(&self.samples);
        matrix.slice_mut(s![..landmarks, ..landmarks]).assign(&own);
        let column = self.kernel.cross(&self.samples, sample);
        matrix
            .slice_mut(s![..landmarks, landmarks..])
            .assign(&column);
        matrix
            .slice_mut(s![landmarks.., ..landmarks])
            .assign(&column.t());
        matrix[[landmarks, landmarks]] = self.kernel.diag(sample)[0];
        matrix
    }

    pub(super) fn expand(
        &self,
        directions: ArrayView2<'_, K::Scalar>,
    ) -> (Array2<K::Scalar>, Array1<K::Scalar>) {
        let alpha = self.lower.solve_transposed(directions);
        (alpha, Array1::zeros(directions.ncols()))
    }
}

impl<S: Samples, K: Kernel<S>> RawMap for Landmarks<S, K, K::Scalar> {
    type Samples = S;
    type Scalar = K::Scalar;

    fn dimension(&self) -> usize {
        self.lower.size()
    }

    fn check(&self, x: &S) -> Result<(), Error> {
        self.samples.check_compatible(x)?;
        self.kernel.check(x)
    }

    fn features(&self, x: &S, rows: &[usize], rest: bool) -> Result<RawFeatures<K::Scalar>, Error> {
        let x = x.select(rows);
        let kernel = About::new(&*self.kernel, self.origin.as_ref());
        let mut block = kernel.cross(&self.samples, &x);
        match &self.indices {
            Some(indices) => check_finite(block.t(), rows, indices)?,
            None => check_finite(block.t(), rows, &(0..self.dimension()).collect::<Vec<_>>())?,
        }
        block = linalg::row_major(block);
        self.lower.solve_in_place(&mut block);
        let rest = if rest {
            let diagonal = finite_diagonal(&kernel, &x, rows)?;
            Some(diagonal - squared_lengths(block.t()))
        } else {
            None
        };
        let values = linalg::transposed(block.view());
        Ok(RawFeatures { values, rest })
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<S: Clone, K, F: Clone> Clone for Landmarks<S, K, F> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            origin: self.origin.clone(),
            samples: self.samples.clone(),
            indices: self.indices.clone(),
            lower: self.lower.clone(),
        }
    }
}

/// Shows the size; neither kernel nor samples need be `Debug`.
impl<S, K, F> fmt::Debug for Landmarks<S, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Landmarks")
            .field("landmarks", &self.lower.size())
            .finish_non_exhaustive()
    }
}

crate::checked! {
    #[serde(bound(
        deserialize = "S: serde::Deserialize<'de>, K: serde::Deserialize<'de>, F: serde::Deserialize<'de>"
    ))]
    Landmarks<S, K, F> {
        kernel: Arc<K>,
        origin: Option<S>,
        samples: S,
        indices: Option<Vec<usize>>,
        lower: Triangle<F>,
    }
    where S: Samples, K: Kernel<S, Scalar = F>, F: crate::Scalar
}

#[cfg(feature = "serde")]
impl<S: Samples, K: Kernel<S, Scalar = F>, F: crate::Scalar> Landmarks<S, K, F> {
    fn check_parts(&self) -> Result<(), String> {
        use crate::{kernel::check_origin, serial::agree};
        let landmarks = self.samples.len();
        agree(
            "rows of the factor",
            self.lower.size(),
            "landmarks",
            landmarks,
        )?;
        if let Some(indices) = &self.indices {
            agree("indices", indices.len(), "landmarks", landmarks)?;
        }
        check_origin(&*self.kernel, self.origin.as_ref(), &self.samples)
    }
}
