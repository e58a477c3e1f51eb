//! Linear estimators that linfa lacks, or has with restrictions that kernel coordinates do not meet.
//!
//! | here | beside linfa 0.8's |
//! |---|---|
//! | [`Pca`] | takes `f32`, too, and knows its components from inner products |
//! | [`KMeans`] | Lloyd's algorithm: centroids are the means of their clusters, as distances in sums of kernel values need; linfa's old centroid takes part in its new mean |
//! | [`FastIca`] | whitens along what the records extend, and refuses more; linfa's divides by singular values of 0 |
//! | [`Pls`] | several targets by one decomposition a component, with its dual coefficients; linfa's iterates |
//! | [`Logistic`] | second order, for any number of classes: converges to rounding, which equality with a kernel trick is tested to; linfa's gradient method stops at 10⁻⁴ |
//! | [`Svc`] and its kin | one solver for all, on working sets, that judges optimality anew; linfa's holds n×n numbers |
//!
//! # Sample weights
//! A dataset of linfa's may have weights, one a sample: a weight of 2 is a sample twice, 0 is none. The methods here take them,
//! and so do the kernel methods made of them; what they mean is documented at each. [`RegressionDiscriminant`], [`RidgePath`] (and [`Ridge`] with several penalties), and fits with
//! pre-images refuse them ([`Error::Weights`]), rather than ignore what was said.
//!
//! The space of a kernel method is that of the samples, each once: where landmarks are chosen, the rank is cut, or the origin
//! of centred coordinates counts, weights have no part in that.
//!
//! Classifiers have `balanced`, by which all classes count as much: a factor on the weights.

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
    records::centre,
    targets::{checked_targets, groups, in_target_shape, predict_targets},
    weights::{Weights, unweighted_records, weighed_records},
};
use ndarray::{Array1, Array2, ArrayView2};
use npt_core::{
    Scalar,
    linalg::{self, sign_of_largest},
};
use params::{guarded_params, parameters};

/// `predict` and `transform` of a projection with a method `scores`.
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

/// The same, and the linear functions, of a projection on `axes` (one a row) from `mean`.
macro_rules! axes_projection {
    ($model:ident<F $(, $generic:ident)*>) => {
        super::projection!($model<F $(, $generic)*>);

        impl<F: Scalar $(, $generic)*> npt_core::LinearFunctions<F> for $model<F $(, $generic)*> {
            /// The scores.
            fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
                super::projection_functions(&self.mean, self.axes.view())
            }
        }

        impl<F: Scalar $(, $generic: Clone)*> npt_core::FoldBack<F> for $model<F $(, $generic)*> {
            type Folded = Self;

            fn folded(&self) -> Self {
                let mut folded = self.clone();
                folded.mean = Array1::zeros(self.axes.nrows());
                folded.axes = Array2::eye(self.axes.nrows());
                folded
            }
        }
    };
}
use axes_projection;

/// `predict` of a projection on `axes` whose predictions are its scores.
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

/// What a classifier of any number of classes has as its own, as a [`Classifier`](npt_core::Classifier).
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

/// Puts L with A = LLᵀ in the place of A, and says whether A is regular: not where it is singular to
/// rounding, that of sums as large as `diagonal`.
pub(crate) fn regular_cholesky<F: Scalar>(
    a: &mut Array2<F>,
    diagonal: &Array1<F>,
) -> Result<bool, Error> {
    match npt_core::linalg::cholesky_in_place(a) {
        Err(npt_core::Error::NotPositiveDefinite { .. }) => return Ok(false),
        other => other?,
    }
    // What is left of a diagonal entry is the squared distance of a column from those before it.
    // Where that is rounding, so is what is solved by it.
    let level = rounding::<F>(a.nrows());
    let mut pivots = a.diag().into_iter().zip(diagonal);
    Ok(pivots.all(|(&p, &d)| p * p > level * d))
}

/// Refuses centred rows without any extent, or with one out of range: `squares` is a sum of squares
/// that is 0 for equal rows alone, but for rounding.
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

/// The coordinates of rows along axes (one a row), from a given origin.
fn project<F: Scalar>(
    x: ArrayView2<'_, F>,
    origin: &Array1<F>,
    axes: ArrayView2<'_, F>,
) -> Array2<F> {
    linalg::product((&x - origin).view(), axes.reversed_axes())
}

/// The same as linear functions of the rows: directions, one a column, and offsets.
fn projection_functions<F: Scalar>(
    origin: &Array1<F>,
    axes: ArrayView2<'_, F>,
) -> (Array2<F>, Array1<F>) {
    let offsets = axes.dot(origin).mapv_into(|v| -v);
    (axes.t().to_owned(), offsets)
}

#[cfg(test)]
mod tests;
