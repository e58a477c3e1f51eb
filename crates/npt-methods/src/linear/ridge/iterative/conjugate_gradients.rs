//! Conjugate gradients for (K + λI)α = y, for all columns of y at once.

use super::{IterativeRidgeValidParams, preconditioner::Preconditioner};
use crate::{Error, error::require_finite, linear::centre};
use ndarray::{Array1, Array2, ArrayView2, Axis, Zip};
use npt_core::{InnerProducts, Scalar, linalg};

/// How many roundings of the residual it began with, at the least, the residual that the iterations keep may be:
/// beyond, it has nothing in common with what is left.
const DIGITS: f64 = 64.0;

/// Residuals that have grown so many times are no longer those of conjugate gradients.
const LOST: f64 = 1e4;

pub(super) struct Solution<F> {
    pub(super) alpha: Array2<F>,
    /// The means of Kα − y, which an intercept takes away; 0 without one.
    pub(super) means: Array1<F>,
    pub(super) iterations: usize,
    pub(super) relative_residual: f64,
}

/// Of centred targets, if there is an intercept.
///
/// What the iterations keep of the residual drifts from it by rounding. Where they think that they are done, it is
/// computed; they go on with that if need be, unless rounding leaves no less.
///
/// # References
/// G. H. Golub, Q. Ye, "Inexact Preconditioned Conjugate Gradient Method with Inner-Outer Iteration", SIAM
/// Journal on Scientific Computing 21(4), 1999, whose weights of directions stand rounding of the preconditioner.
/// doi:10.1137/S1064827597323415
pub(super) fn solve<F: Scalar>(
    products: &dyn InnerProducts<F>,
    targets: &Array2<F>,
    params: &IterativeRidgeValidParams,
    preconditioner: &Preconditioner<F>,
) -> Result<Solution<F>, Error> {
    // In units of their own, targets have inner products that neither overflow nor vanish.
    let units = targets.map_axis(Axis(0), |column| {
        let largest = column.fold(F::zero(), |most, v| v.abs().max(most));
        linalg::power_of_two_near(largest)
    });
    let mut targets = targets / &units;
    // What the rounded means of large targets left of them no direction would take away.
    let mut rest = Array1::zeros(targets.ncols());
    if params.intercept {
        for _ in 0..2 {
            rest += &centre(&mut targets);
        }
    }
    let system = System {
        products,
        params,
        sizes: lengths(targets.view()),
    };
    let mut alpha = Array2::zeros(targets.dim());
    let mut residuals = targets.clone();
    let (mut iterations, mut before) = (0, f64::INFINITY);
    loop {
        let known = F::cast(DIGITS) * F::epsilon();
        let enough = params
            .tolerance
            .max(known.as_f64() * system.relative(&residuals));
        let change = system.descend(&mut residuals, preconditioner, enough, &mut iterations)?;
        alpha += &change;
        let (image, means) = system.apply(alpha.view())?;
        residuals = &targets - &image;
        if params.intercept {
            centre(&mut residuals);
        }
        let relative_residual = system.relative(&residuals);
        if relative_residual <= params.tolerance {
            return Ok(Solution {
                alpha: alpha * &units,
                means: (means - &rest) * &units,
                iterations,
                relative_residual,
            });
        }
        if iterations >= params.iterations || !(relative_residual < before / 2.0) {
            require_finite("IterativeRidge", alpha.iter())?;
            return Err(Error::NotConverged {
                method: "IterativeRidge",
                measure: "the relative residual",
                value: relative_residual.min(before),
            });
        }
        before = relative_residual;
    }
}

struct System<'a, F> {
    products: &'a dyn InnerProducts<F>,
    params: &'a IterativeRidgeValidParams,
    /// ‖y‖ of each column.
    sizes: Array1<f64>,
}

impl<F: Scalar> System<'_, F> {
    /// (K + λI)a, without the means of the columns of Ka if there is an intercept; and these means.
    fn apply(&self, a: ArrayView2<'_, F>) -> Result<(Array2<F>, Array1<F>), Error> {
        let mut image = self.products.apply(a)?;
        let means = if self.params.intercept {
            centre(&mut image)
        } else {
            Array1::zeros(a.ncols())
        };
        image.scaled_add(F::cast(self.params.penalty), &a);
        Ok((image, means))
    }

    /// The largest share of its targets that a column of residuals is.
    fn relative(&self, residuals: &Array2<F>) -> f64 {
        let lengths = lengths(residuals.view());
        let shares = lengths.iter().zip(&self.sizes);
        // Targets that are all 0 are met by 0.
        let shares = shares.map(|(&length, &size)| if length == 0.0 { 0.0 } else { length / size });
        shares.fold(0.0, |most, share| {
            if share > most || share.is_nan() {
                share
            } else {
                most
            }
        })
    }

    /// The change of α by iterations until the residuals are a share `enough` of the targets.
    fn descend(
        &self,
        residuals: &mut Array2<F>,
        preconditioner: &Preconditioner<F>,
        enough: f64,
        iterations: &mut usize,
    ) -> Result<Array2<F>, Error> {
        let mut change = Array2::zeros(residuals.dim());
        let mut next = self.preconditioned(preconditioner, residuals);
        let mut along = dots(&next, residuals);
        let mut directions = next;
        let start = self.relative(residuals);
        loop {
            let left = self.relative(residuals);
            // Rounding alone lets it grow as much.
            let is_lost = !(left <= LOST * start);
            if left <= enough || is_lost || *iterations >= self.params.iterations {
                break;
            }
            *iterations += 1;
            let image = self.apply(directions.view())?.0;
            let steps = ratios(&along, &dots(&directions, &image));
            if steps.iter().all(|step: &F| step.is_zero()) {
                break;
            }
            change += &(&directions * &steps);
            let before = residuals.clone();
            *residuals -= &(image * &steps);
            next = self.preconditioned(preconditioner, residuals);
            let weights = ratios(&dots(&next, &(&*residuals - &before)), &along);
            along = dots(&next, residuals);
            directions = &next + &(directions * &weights);
        }
        Ok(change)
    }

    fn preconditioned(
        &self,
        preconditioner: &Preconditioner<F>,
        residuals: &Array2<F>,
    ) -> Array2<F> {
        let mut next = preconditioner.apply(residuals.view());
        if self.params.intercept {
            centre(&mut next);
        }
        next
    }
}

/// Of each column.
fn lengths<F: Scalar>(a: ArrayView2<'_, F>) -> Array1<f64> {
    let square = |v: &F| v.as_f64() * v.as_f64();
    a.map_axis(Axis(0), |column| {
        column.iter().map(square).sum::<f64>().sqrt()
    })
}

/// The inner products of columns.
fn dots<F: Scalar>(a: &Array2<F>, b: &Array2<F>) -> Array1<f64> {
    let mut sums = Array1::zeros(a.ncols());
    for (a, b) in a.outer_iter().zip(b.outer_iter()) {
        Zip::from(&mut sums)
            .and(a)
            .and(b)
            .for_each(|sum, a, b| *sum += a.as_f64() * b.as_f64());
    }
    sums
}

/// a/b of each column; 0 of those that are done, or of which rounding has left no b above 0.
fn ratios<F: Scalar>(a: &Array1<f64>, b: &Array1<f64>) -> Array1<F> {
    let ratio = |(a, b): (&f64, &f64)| if *b > 0.0 { F::cast(a / b) } else { F::zero() };
    let ratios = a.iter().zip(b).map(ratio);
    ratios
        .map(|ratio: F| if ratio.is_finite() { ratio } else { F::zero() })
        .collect()
}
