//! Centred rows turned and scaled to variance 1.

use super::{
    Weights,
    principal_axes::{PrincipalAxes, principal_axes},
};
use crate::Error;
use ndarray::{Array2, ArrayView2, Axis, s};
use npt_core::{Scalar, linalg};

/// The whitening directions of centred rows, with C their (weighted) covariance and κ a ridge.
pub(super) struct Whitening<F> {
    /// A, one row per direction, largest variance first: A(C + κI)Aᵀ = I.
    pub(super) axes: Array2<F>,
    /// The rows along A, shape (samples, directions).
    pub(super) scores: Array2<F>,
}

/// Whitens centred rows, of magnitude about 1, along their principal axes: the first `requested`,
/// or all with variance above rounding level. κ is `ridge` times the mean squared length.
pub(super) fn whiten<F: Scalar>(
    x: ArrayView2<'_, F>,
    weights: &Weights<F>,
    ridge: f64,
    requested: Option<usize>,
) -> Result<Whitening<F>, Error> {
    let count = weights.total();
    let weighted = weights.times_roots(x.to_owned());
    let penalty = F::cast(ridge) * weighted.iter().map(|&v| v * v).sum() / count;
    let PrincipalAxes { values, axes } = principal_axes(weighted.view(), penalty * count)?;
    let lengths = values.mapv(|v| (v / count + penalty).sqrt());
    let available = lengths.len();
    let kept = requested.unwrap_or(available);
    if kept > available || available == 0 {
        return Err(Error::Components {
            requested: requested.unwrap_or(1),
            available,
        });
    }
    let lengths = lengths.slice(s![..kept]).insert_axis(Axis(1));
    let axes = &axes.slice(s![..kept, ..]) / &lengths;
    let scores = linalg::product(x, axes.t());
    // Small eigenvalues are known only to the rounding of the largest. What was whitened by them
    // is nearly white, and to whiten it once more is exact.
    let weighted = weights.times_roots(scores.clone());
    let mut nearly_one = linalg::symmetric_rank_k(weighted.view()) / count;
    nearly_one.scaled_add(penalty, &linalg::symmetric_rank_k(axes.t()));
    let l = linalg::cholesky(&nearly_one)?;
    let scores = linalg::solve_lower(l.view(), scores.t());
    Ok(Whitening {
        axes: linalg::solve_lower(l.view(), axes.view()),
        scores: scores.reversed_axes().as_standard_layout().into_owned(),
    })
}
