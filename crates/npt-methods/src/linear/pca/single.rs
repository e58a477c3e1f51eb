//! Principal components of a matrix of inner products in single precision. What rounding has left of them is measured, and lengths and
//! eigenvalues are found, in full precision.

use super::{Pca, PcaParams};
use crate::{Error, linear::precision::Rounded, magnitude::largest, weights::Weights};
use ndarray::{Array1, Array2, ArrayView1, Axis, Zip, concatenate, s};
use npt_core::{Dual, DualForm, InnerProducts, Scalar, linalg};

/// The largest share of a direction by which its image may differ from the eigenvalue times the direction.
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
        measured(products, directions, &weights)
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

/// Returns the components of directions Σ αᵢxᵢ whose α are the columns; `None` where one of these is no eigenvector.
fn measured<F: Scalar>(
    products: &dyn InnerProducts<F>,
    mut alpha: Array2<F>,
    weights: &Array1<F>,
) -> Result<Option<Dual<Pca<F>, F>>, Error> {
    let count = alpha.ncols();
    let sum: F = weights.sum();
    let shares = weights / sum;
    let with_mean = concatenate![Axis(1), alpha, shares.view().insert_axis(Axis(1))];
    let mut images = products.apply(with_mean.view())?;
    let of_mean = images.column(count).to_owned();
    let total = sum * (&products.diag() - &of_mean).dot(&shares);
    images = images.slice_move(s![.., ..count]);
    let mut offsets = Array1::zeros(count);
    let mut eigenvalues = Array1::zeros(count);
    for k in 0..count {
        let (mut alpha, mut image) = (alpha.column_mut(k), images.column_mut(k));
        let length = alpha.dot(&image).sqrt();
        alpha /= length;
        image /= length;
        // Scores are the images less their mean.
        let mean = shares.dot(&image);
        image -= mean;
        let eigenvalue = Zip::from(&image)
            .and(weights)
            .fold(F::zero(), |sum, &score, &weight| {
                sum + weight * score * score
            });
        let (mut left, mut size) = (0.0, 0.0);
        Zip::from(&image)
            .and(&alpha)
            .and(weights)
            .for_each(|&score, &a, &weight| {
                if weight > F::zero() {
                    let (whole, part) = (a / weight.sqrt(), score * weight.sqrt() / eigenvalue);
                    left += (whole - part).as_f64().powi(2);
                    size += whole.as_f64().powi(2);
                }
            });
        // A NaN is no share.
        if !(left <= KNOWN * KNOWN * size) {
            return Ok(None);
        }
        eigenvalues[k] = eigenvalue;
        offsets[k] = -mean;
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
