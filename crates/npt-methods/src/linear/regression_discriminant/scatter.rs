//! Scatters of pairs of samples.

use super::{NAME, PairWeight};
use crate::{Error, error::require_finite, magnitude::largest};
use ndarray::{Array1, Array2, Axis, s};
use npt_core::{Scalar, linalg, watch::Progress};
use std::ops::Range;

/// The number of rows of the matrix of pair weights in memory at a time.
const PANEL: usize = 256;

impl PairWeight {
    fn of<F: Scalar>(self, beyond: F) -> F {
        match self {
            Self::Distance => beyond.abs(),
            Self::Root => beyond.abs().sqrt(),
            Self::Equal => F::one(),
        }
    }
}

/// Returns the root of the mean squared distance from the mean; 0 for equal values.
pub(super) fn deviation<F: Scalar>(y: &Array1<F>) -> F {
    let largest = largest(y);
    if !(largest > F::zero()) || y.iter().all(|&v| v == y[0]) {
        return F::zero();
    }
    // Scaled, so that squares neither overflow nor vanish.
    let scaled = y / largest;
    let mean = scaled.mean().expect("there are targets");
    let mean_square = scaled.mapv(|v| (v - mean) * (v - mean)).mean();
    mean_square.expect("there are targets").sqrt() * largest
}

pub(super) struct Scatters<F> {
    /// S_b.
    pub(super) between: Array2<F>,
    /// S_w.
    pub(super) within: Array2<F>,
    /// The diagonal of XᵀDX. The Laplacian leaves the diagonal of S_w of it, which therefore has its rounding.
    pub(super) terms_within: Array1<F>,
}

/// Computes S_b and S_w of centred records.
pub(super) fn scatters<F: Scalar>(
    x: &Array2<F>,
    y: &Array1<F>,
    threshold: F,
    weight: PairWeight,
) -> Result<Scatters<F>, Error> {
    let features = x.ncols();
    // Both from one pass, side by side: Σ over pairs of either kind is XᵀLX.
    let mut sums = [(); 2].map(|()| Array2::<F>::zeros((features, features)));
    let mut counts = [0_usize; 2];
    let mut terms_within = Array1::<F>::zeros(features);
    let mut progress = Progress::start("scatters of pairs", y.len());
    for start in (0..y.len()).step_by(PANEL) {
        progress.at(start);
        let end = (start + PANEL).min(y.len());
        let rows = x.slice(s![start..end, ..]);
        let weights = pair_weights(y, start..end, threshold, weight, &mut counts);
        let mut terms = Array1::zeros(features);
        for (sum, weights) in sums.iter_mut().zip(&weights) {
            let degrees = weights.sum_axis(Axis(1)).insert_axis(Axis(1));
            let of_degrees = &rows * &degrees;
            terms = (&of_degrees * &rows).sum_axis(Axis(0));
            let laplacian = of_degrees - linalg::product(weights.view(), x.view());
            *sum += &linalg::product(rows.t(), laplacian.view());
        }
        terms_within += &terms;
    }
    if counts[0] == 0 {
        return Err(Error::NoContrast {
            threshold: threshold.as_f64(),
        });
    }
    let pairs: [F; 2] = pairs(counts);
    for (sum, &pairs) in sums.iter_mut().zip(&pairs) {
        *sum = (&*sum + &sum.t()) / (pairs + pairs);
    }
    require_finite(NAME, sums.iter().flatten())?;
    let [between, within] = sums;
    Ok(Scatters {
        between,
        within,
        terms_within: terms_within / pairs[1],
    })
}

/// Computes L_b Z and L_w Z, with the Laplacians L of S_b = XᵀL_b X and S_w = XᵀL_w X.
pub(super) fn laplacian_products<F: Scalar>(
    z: &Array2<F>,
    y: &Array1<F>,
    threshold: F,
    weight: PairWeight,
) -> [Array2<F>; 2] {
    let mut products = [(); 2].map(|()| Array2::<F>::zeros(z.dim()));
    let mut counts = [0_usize; 2];
    let mut progress = Progress::start("scatters of pairs", y.len());
    for start in (0..y.len()).step_by(PANEL) {
        progress.at(start);
        let end = (start + PANEL).min(y.len());
        let weights = pair_weights(y, start..end, threshold, weight, &mut counts);
        for (product, weights) in products.iter_mut().zip(&weights) {
            let degrees = weights.sum_axis(Axis(1)).insert_axis(Axis(1));
            let laplacian =
                &z.slice(s![start..end, ..]) * &degrees - linalg::product(weights.view(), z.view());
            product.slice_mut(s![start..end, ..]).assign(&laplacian);
        }
    }
    let pairs: [F; 2] = pairs(counts);
    for (product, &pairs) in products.iter_mut().zip(&pairs) {
        *product /= pairs;
    }
    products
}

/// Returns the weights of the pairs of some samples with all, of distant pairs and of near ones, and counts the pairs.
fn pair_weights<F: Scalar>(
    y: &Array1<F>,
    rows: Range<usize>,
    threshold: F,
    weight: PairWeight,
    counts: &mut [usize; 2],
) -> [Array2<F>; 2] {
    let mut weights = [(); 2].map(|()| Array2::<F>::zeros((rows.len(), y.len())));
    for i in rows.clone() {
        for j in (0..y.len()).filter(|&j| j != i) {
            let beyond = (y[i] - y[j]).abs() - threshold;
            let kind = usize::from(!(beyond > F::zero()));
            counts[kind] += 1;
            weights[kind][[i - rows.start, j]] = weight.of(beyond);
        }
    }
    weights
}

/// Returns the numbers of pairs, of which each was counted from both ends; 1 for none.
fn pairs<F: Scalar>(counts: [usize; 2]) -> [F; 2] {
    counts.map(|count| F::cast(count.max(2) / 2))
}
