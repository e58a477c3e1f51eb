//! Linear estimators that linfa lacks, or has with restrictions that kernel coordinates do not meet.
//!
//! | here | beside linfa 0.8's |
//! |---|---|
//! | [`Pca`] | takes `f32`, too, and knows its components from inner products |
//! | [`KMeans`] | Lloyd's algorithm: centroids are the means of their clusters, as distances in sums of kernel values need; linfa's old centroid takes part in its new mean |
//! | [`FastIca`] | whitens along the directions in which the records extend, and refuses more components; linfa's divides by singular values of 0 |
//! | [`Pls`] | several targets by one decomposition per component, with its dual coefficients; linfa's iterates |
//! | [`Logistic`] | second order, for any number of classes: converges to rounding, to which equality with a kernel trick is tested; linfa's gradient method stops at 10⁻⁴ |
//! | [`Svc`] and its kin | one solver for all, on working sets, that judges optimality anew; linfa's holds n×n numbers |
//!
//! # Sample weights
//! A dataset of linfa's may have weights, one per sample: a weight of 2 is a sample twice, 0 is none. The methods here take weights,
//! and so do the kernel methods made of them; what weights mean is documented at each method. [`RegressionDiscriminant`],
//! [`RidgePath`] (and [`Ridge`] with several penalties), and fits with pre-images refuse them ([`Error::Weights`]), rather than
//! ignore what was said.
//!
//! The space of a kernel method is fitted to the samples, each counted once. Weights play no part in the choice of landmarks, in
//! the rank, or in the origin of centred coordinates.
//!
//! Classifiers have the parameter `balanced`, by which all classes count equally: a factor on the weights.

mod cca;
mod chain;
mod contrast;
mod fast_ica;
mod kmeans;
mod lda;
mod logistic;
mod params;
mod pca;
mod pca_l1;
mod pls;
mod precision;
mod principal_axes;
mod regression_discriminant;
mod ridge;
mod support_vectors;
mod whitening;

pub use cca::{Cca, CcaParams, CcaView};
pub use chain::Chain;
pub use contrast::Contrast;
pub use fast_ica::{FastIca, FastIcaParams};
pub(crate) use kmeans::rough_centroids;
pub use kmeans::{KMeans, KMeansParams, NearestCentroid};
pub use lda::{Lda, LdaParams, Scatter};
pub use logistic::{Logistic, LogisticParams};
pub use pca::{Pca, PcaParams};
pub use pca_l1::{PcaL1, PcaL1Params};
pub use pls::{Pls, PlsParams};
pub use precision::Precision;
pub use regression_discriminant::{
    PairWeight, RegressionDiscriminant, RegressionDiscriminantParams,
};
pub use ridge::{
    IterativeRidge, IterativeRidgeParams, Ridge, RidgeParams, RidgePath, RidgePathParams,
    RidgePathPoint,
};
pub(crate) use ridge::{Projected, RidgeSolver};
pub use support_vectors::*;

use crate::{
    Error,
    magnitude::{largest, rounding, unit_of},
    records::center,
    targets::{checked_targets, groups, in_target_shape, predict_targets},
    weights::{Weights, unweighted_records, weighed_records},
};
use ndarray::{Array1, Array2, ArrayView2};
use npt_core::{
    Scalar,
    linalg::{self, sign_of_largest},
};
use params::{guarded_params, parameters};

/// Implements `transform` of a projection that has a method `scores`.
macro_rules! projection {
    ($model:ident<F $(, $generic:ident)*>) => {
        impl<F: Scalar, D: Data<Elem = F> $(, $generic)*> Transformer<ArrayBase<D, Ix2>, Array2<F>>
            for $model<F $(, $generic)*>
        {
            fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
                self.scores(x.view())
            }
        }
    };
}
use projection;

/// Implements `transform`, the linear functions, and the expansion of a projection on `axes` (one per row) from `mean`.
macro_rules! axes_projection {
    ($model:ident<F $(, $generic:ident)*>) => {
        super::projection!($model<F $(, $generic)*>);

        impl<F: Scalar $(, $generic)*> npt_core::LinearFunctions<F> for $model<F $(, $generic)*> {
            /// Returns the scores as linear functions.
            fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
                super::projection_functions(&self.mean, self.axes.view())
            }
        }

        impl<F: Scalar $(, $generic: Clone)*> npt_core::Expand<F> for $model<F $(, $generic)*> {
            type Expanded = Self;

            fn expanded(&self) -> Self {
                let mut expanded = self.clone();
                expanded.mean = Array1::zeros(self.axes.nrows());
                expanded.axes = Array2::eye(self.axes.nrows());
                expanded
            }
        }
    };
}
use axes_projection;

/// Implements `predict` of a projection on `axes` whose predictions are its scores.
macro_rules! predict_scores {
    ($model:ident) => {
        impl<F: Scalar, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array2<F>>
            for $model<F>
        {
            fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array2<F>) {
                y.assign(&self.scores(x.view()));
            }

            fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
                Array2::zeros((x.nrows(), self.axes.nrows()))
            }
        }
    };
}
use predict_scores;

/// Implements [`Classifier`](npt_core::Classifier) for a classifier of any number of classes, by its own methods.
macro_rules! classifier {
    ($model:ident) => {
        impl<F: Scalar, L> npt_core::Classifier<F> for $model<F, L> {
            type Label = L;
            type Values = Array2<F>;

            fn classes(&self) -> &[L] {
                $model::classes(self)
            }

            fn decision_function(&self, x: &Array2<F>) -> Array2<F> {
                $model::decision_function(self, x)
            }
        }
    };
}
use classifier;

/// Puts L with A = LLᵀ in the place of A, and returns whether A is regular: it is not where it is singular to
/// the rounding of sums as large as `diagonal`.
pub(crate) fn regular_cholesky<F: Scalar>(
    a: &mut Array2<F>,
    diagonal: &Array1<F>,
) -> Result<bool, Error> {
    match npt_core::linalg::cholesky_in_place(a) {
        Err(npt_core::Error::NotPositiveDefinite { .. }) => return Ok(false),
        other => other?,
    }
    // A pivot is the squared distance of a column from the columns before it. Where the pivot is rounding,
    // so is the solution.
    let level = rounding::<F>(a.nrows());
    let mut pivots = a.diag().into_iter().zip(diagonal);
    Ok(pivots.all(|(&p, &d)| p * p > level * d))
}

/// Refuses centred rows without any extent, or with one out of range. `squares` is a sum of squares
/// that is 0 for equal rows only, but for rounding.
fn require_extent<F: Scalar>(of: &'static str, x: &Array2<F>, squares: F) -> Result<(), Error> {
    if squares > F::zero() && squares.is_finite() {
        return Ok(());
    }
    let samples = x.nrows();
    if largest(x) > F::zero() {
        Err(Error::Overflow { of })
    } else {
        Err(npt_core::Error::NoVariance { samples }.into())
    }
}

/// Returns the coordinates of rows along axes (one per row), from a given origin.
fn project<F: Scalar>(
    x: ArrayView2<'_, F>,
    origin: &Array1<F>,
    axes: ArrayView2<'_, F>,
) -> Array2<F> {
    linalg::product((&x - origin).view(), axes.reversed_axes())
}

/// Returns the projection on axes as linear functions of the rows: directions, one per column, and offsets.
fn projection_functions<F: Scalar>(
    origin: &Array1<F>,
    axes: ArrayView2<'_, F>,
) -> (Array2<F>, Array1<F>) {
    let offsets = axes.dot(origin).mapv_into(|v| -v);
    (axes.t().to_owned(), offsets)
}

#[cfg(test)]
mod tests;
