//! Centred rows turned and scaled to variance 1.

use crate::Error;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use npt_core::{Scalar, linalg};

/// Directions of centred rows, with C their covariance and κ a ridge.
pub(super) struct Whitening<F> {
    /// A, one row a direction, largest variance first: A(C + κI)Aᵀ = I.
    pub(super) axes: Array2<F>,
    /// The rows along A, shape (samples, directions).
    pub(super) scores: Array2<F>,
}

/// Whitens centred rows, of magnitude about 1, along their principal axes: the first `requested`,
/// or all with variance above rounding level. κ is `ridge` times the mean squared length.
pub(super) fn whiten<F: Scalar>(
    x: ArrayView2<'_, F>,
    ridge: f64,
    requested: Option<usize>,
) -> Result<Whitening<F>, Error> {
    let count = F::cast(x.nrows());
    let penalty = F::cast(ridge) * x.iter().map(|&v| v * v).sum() / count;
    let (lengths, axes) = principal_axes(x, penalty)?;
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
    // Small eigenvalues are known to the rounding of the largest alone. What was whitened by them
    // is nearly white, and to whiten it once more is exact.
    let mut nearly_one = linalg::symmetric_rank_k(scores.view()) / count;
    nearly_one.scaled_add(penalty, &linalg::symmetric_rank_k(axes.t()));
    let l = linalg::cholesky(&nearly_one)?;
    let scores = linalg::solve_lower(l.view(), scores.t());
    Ok(Whitening {
        axes: linalg::solve_lower(l.view(), axes.view()),
        scores: scores.reversed_axes().as_standard_layout().into_owned(),
    })
}

/// The roots of variance plus penalty of centred rows along their principal axes, those above
/// rounding level, descending; and the axes, one a row.
///
/// Under a penalty directions with no variance to speak of are kept, too: new rows may be long in
/// them. More features than rows have none to keep, as their axes are made of the rows.
fn principal_axes<F: Scalar>(
    x: ArrayView2<'_, F>,
    penalty: F,
) -> Result<(Array1<F>, Array2<F>), Error> {
    let (samples, features) = x.dim();
    // The smaller of the two matrices has the same eigenvalues.
    let wide = features > samples;
    let rows = if wide { x.reversed_axes() } else { x };
    let (values, vectors) = linalg::eigh(&linalg::symmetric_rank_k(rows))?;
    let variances = values.mapv(|v| v / F::cast(samples));
    let floor = F::cast(samples.max(features)) * F::epsilon() * variances[0];
    let least = if wide { floor } else { floor - penalty };
    let rank = variances.iter().take_while(|&&v| v > least).count();
    let vectors = vectors.slice(s![.., ..rank]);
    let axes = if wide {
        let lengths = values.slice(s![..rank]).mapv(F::sqrt);
        linalg::product(vectors.t(), x) / lengths.insert_axis(Axis(1))
    } else {
        vectors.t().as_standard_layout().into_owned()
    };
    let variances = variances.slice(s![..rank]);
    Ok((variances.mapv(|v| (v + penalty).sqrt()), axes))
}
