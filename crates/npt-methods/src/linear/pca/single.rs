//! Principal components of a matrix of inner products in single precision. What rounding has left of them is measured, and lengths and
//! eigenvalues are found, in full precision.

use super::{Pca, PcaParams};
use crate::{
    Error,
    linear::{precision::Rounded, sign_of_largest},
    magnitude::largest,
    weights::Weights,
};
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate, s};
use npt_core::{Dual, DualForm, InnerProducts, Scalar, linalg};

/// The largest share of a direction w by which Cw may differ from λw, with C the scatter.
const KNOWN: f64 = 1e-3;

impl PcaParams {
    /// Fits in single precision, and takes all inner products once more in full precision; returns `None` where single precision does not
    /// suffice.
    pub(super) fn in_single<F: Scalar>(
        &self,
        products: &dyn InnerProducts<F>,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Dual<Pca<F>, F>>, Error> {
        let unit = linalg::power_of_two_near(largest(&products.diag()));
        let Some(dual) = self.of_rounded(&Rounded::new(products, unit), weights) else {
            return Ok(None);
        };
        let weights = Weights::new(weights, products.samples())?.of_all();
        let directions = dual.coefficients.mapv(F::cast) / unit.sqrt();
        measured(products, &directions, &weights)
    }

    /// Fits in single precision. It is not generic, so that it is compiled once.
    fn of_rounded(
        &self,
        products: &dyn InnerProducts<f32>,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Option<Dual<Pca<f32>, f32>> {
        let nothing = Array1::from_elem(products.samples(), ());
        self.fit_dual(products, &nothing, weights).ok().flatten()
    }
}

/// Returns the components in the span of directions Σ αᵢxᵢ whose α are the columns, by Rayleigh and Ritz: those that are orthogonal, with
/// scores that do not correlate. Returns `None` where one of these is no eigenvector.
fn measured<F: Scalar>(
    products: &dyn InnerProducts<F>,
    alpha: &Array2<F>,
    weights: &Array1<F>,
) -> Result<Option<Dual<Pca<F>, F>>, Error> {
    let count = alpha.ncols();
    let sum: F = weights.sum();
    let shares = weights / sum;
    let with_mean = concatenate![Axis(1), alpha.view(), shares.view().insert_axis(Axis(1))];
    let images = products.apply(with_mean.view())?;
    let total = sum * (&products.diag() - &images.column(count)).dot(&shares);
    let images = images.slice_move(s![.., ..count]);
    let Some((eigenvalues, axes)) = rayleigh_ritz(alpha, &images, weights, &shares)? else {
        return Ok(None);
    };
    let (mut alpha, mut images) = (alpha.dot(&axes), images.dot(&axes));
    let mut offsets = -shares.dot(&images);
    // Scores are the images less their mean.
    images += &offsets;
    for k in 0..count {
        let sign = sign_of_largest(images.column(k));
        alpha.column_mut(k).mapv_inplace(|v| v * sign);
        images.column_mut(k).mapv_inplace(|v| v * sign);
        offsets[k] *= sign;
        let share = residual(alpha.column(k), images.column(k), weights, eigenvalues[k]);
        // The scatter makes it longer than the direction by √(λ₁/λₖ) at most. A NaN is no share.
        let longer = (eigenvalues[0] / eigenvalues[k]).sqrt().as_f64();
        if !(share * longer <= KNOWN) {
            return Ok(None);
        }
    }
    let mut values = eigenvalues.iter().chain(&offsets).chain(&alpha);
    if !(total.is_finite() && values.all(|value| value.is_finite())) {
        return Ok(None);
    }
    let method = Pca {
        mean: Array1::zeros(count),
        axes: Array2::eye(count),
        shares: &eigenvalues / total,
        eigenvalues,
    };
    Ok(Some(Dual {
        method,
        coefficients: alpha,
        offsets,
    }))
}

/// The eigenvalues of the scatter within the span of directions, and the eigenvectors as sums of the directions, of length 1; `None` where
/// the directions depend on each other.
fn rayleigh_ritz<F: Scalar>(
    alpha: &Array2<F>,
    images: &Array2<F>,
    weights: &Array1<F>,
    shares: &Array1<F>,
) -> Result<Option<(Array1<F>, Array2<F>)>, Error> {
    let scores = images - &shares.dot(images);
    let weighed = &scores * &weights.view().insert_axis(Axis(1));
    let mut lower = symmetric(&alpha.t().dot(images));
    if linalg::cholesky_in_place(&mut lower).is_err() {
        return Ok(None);
    }
    // With w = Σ αᵢxᵢ of inner products LLᵀ and the scatter A between them, L⁻¹AL⁻ᵀ has the same eigenvalues.
    let half = linalg::solve_lower(lower.view(), symmetric(&scores.t().dot(&weighed)).view());
    let scatter = linalg::solve_lower(lower.view(), half.t());
    let (eigenvalues, vectors) = linalg::eigh(&symmetric(&scatter))?;
    let axes = linalg::solve_lower_transposed(lower.view(), vectors.view());
    Ok(Some((eigenvalues, axes)))
}

fn symmetric<F: Scalar>(a: &Array2<F>) -> Array2<F> {
    (a + &a.t()) / F::cast(2)
}

/// The share of α that the equations wᵢsᵢ = λαᵢ of scores s leave, of samples times the roots of their weights.
fn residual<F: Scalar>(
    alpha: ArrayView1<'_, F>,
    scores: ArrayView1<'_, F>,
    weights: &Array1<F>,
    eigenvalue: F,
) -> f64 {
    let (mut left, mut size) = (0.0, 0.0);
    for ((&a, &score), &weight) in alpha.iter().zip(scores).zip(weights) {
        if weight > F::zero() {
            let (whole, part) = (a / weight.sqrt(), score * weight.sqrt() / eigenvalue);
            left += (whole - part).as_f64().powi(2);
            size += whole.as_f64().powi(2);
        }
    }
    (left / size).sqrt()
}
