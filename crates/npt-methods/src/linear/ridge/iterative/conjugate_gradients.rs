//! Preconditioned conjugate gradients, for all columns of the right side at once.

use crate::{Error, error::require_finite};
use ndarray::{Array1, Array2, ArrayView2, Axis, Zip};
use npt_core::{Scalar, linalg, watch::Progress};

/// The least residual that the iterations may keep, in roundings of the residual that they began with. A smaller one has nothing
/// in common with what is left.
const DIGITS: f64 = 64.0;

/// The growth of residuals beyond which they are no longer those of conjugate gradients.
const LOST: f64 = 1e4;

/// Equations Ax = y with a positive definite A; A may be so only on vectors that have no mean.
pub(super) trait System<F> {
    type Error: From<Error>;

    /// Returns Ax, and the means of its columns. If no exact Ax has a mean, the means are rounding and are taken away from Ax.
    fn apply(&mut self, x: ArrayView2<'_, F>) -> Result<(Array2<F>, Array1<F>), Self::Error>;

    /// Takes the means of columns away if no Ax has one, and returns them.
    fn center(&self, columns: &mut Array2<F>) -> Array1<F>;

    /// Returns A⁻¹, or nearly so, times the residuals.
    fn precondition(&self, residuals: ArrayView2<'_, F>) -> Array2<F>;
}

pub(in super::super) struct Solution<F> {
    pub(in super::super) x: Array2<F>,
    /// The means of Ax − y that are not part of the equations.
    pub(in super::super) means: Array1<F>,
    pub(super) iterations: usize,
    pub(super) relative_residual: f64,
}

/// The end of the iterations: the residual to come to, as a share of the right side, and the number of iterations that are allowed.
#[derive(Clone, Copy)]
pub(super) struct Stop {
    pub(super) tolerance: f64,
    pub(super) iterations: usize,
    /// ‖ΔA‖ by rounding of A. Iterations also end where steps no longer help and the residual is no more than ΔA makes of x; 0 for
    /// an error instead.
    pub(super) rounding: f64,
}

/// Solves the equations for a right side, whose columns lose their means if no Ax has one.
///
/// The residual that the iterations keep drifts from the true one by rounding. Where the kept residual is small enough, the true
/// one is computed. The iterations go on with that if need be, unless rounding leaves no less.
///
/// # References
/// G. H. Golub, Q. Ye, "Inexact Preconditioned Conjugate Gradient Method with Inner-Outer Iteration", SIAM
/// Journal on Scientific Computing 21(4), 1999, whose weights of directions stand rounding of the preconditioner.
/// doi:10.1137/S1064827597323415
pub(super) fn solve<F: Scalar, S: System<F>>(
    system: &mut S,
    right: &Array2<F>,
    stop: Stop,
) -> Result<Solution<F>, S::Error> {
    require_finite("IterativeRidge", right.iter())?;
    // In units of their own, right sides have inner products that neither overflow nor vanish.
    let units = right.map_axis(Axis(0), |column| {
        let largest = column.fold(F::zero(), |most, v| v.abs().max(most));
        linalg::power_of_two_near(largest)
    });
    let mut right = right / &units;
    // Twice: the rounded means of large values leave something of them, which no direction would take away.
    let mut rest = Array1::zeros(right.ncols());
    for _ in 0..2 {
        rest += &system.center(&mut right);
    }
    let mut search = Search {
        system,
        sizes: lengths(right.view()),
        stop,
        iterations: 0,
    };
    let mut x = Array2::zeros(right.dim());
    let mut residuals = right.clone();
    let mut before = f64::INFINITY;
    let mut progress = Progress::start("conjugate gradients", stop.iterations);
    loop {
        let known = F::cast(DIGITS) * F::epsilon();
        let enough = (stop.tolerance).max(known.as_f64() * search.relative(&residuals));
        let (change, finished) = search.descend(&mut residuals, enough, &mut progress)?;
        x += &change;
        let (image, means) = search.system.apply(x.view())?;
        residuals = &right - &image;
        search.system.center(&mut residuals);
        let relative_residual = search.relative(&residuals);
        let has_iterations = search.iterations < stop.iterations;
        let improves = relative_residual < before / 2.0;
        let is_rounding = !improves && is_rounding(&residuals, &x, stop.rounding);
        if finished || relative_residual <= stop.tolerance || is_rounding {
            return Ok(Solution {
                x: x * &units,
                means: (means - &rest) * &units,
                iterations: search.iterations,
                relative_residual,
            });
        }
        if !has_iterations || !improves {
            require_finite("IterativeRidge", x.iter())?;
            return Err(S::Error::from(Error::NotConverged {
                method: "IterativeRidge",
                measure: "the relative residual",
                value: relative_residual.min(before),
            }));
        }
        before = relative_residual;
    }
}

struct Search<'s, S> {
    system: &'s mut S,
    /// ‖y‖ of each column.
    sizes: Array1<f64>,
    stop: Stop,
    /// The number of iterations so far.
    iterations: usize,
}

impl<S> Search<'_, S> {
    /// Returns the largest share that a column of residuals is of its right side.
    fn relative<F: Scalar>(&self, residuals: &Array2<F>) -> f64 {
        let lengths = lengths(residuals.view());
        let shares = lengths.iter().zip(&self.sizes);
        // A right side that is all 0 is solved by 0.
        let shares = shares.map(|(&length, &size)| if length == 0.0 { 0.0 } else { length / size });
        shares.fold(0.0, |most, share| {
            if share > most || share.is_nan() {
                share
            } else {
                most
            }
        })
    }

    /// Returns the change of x by iterations until the residuals are a share `enough` of the right side, and whether the iterations
    /// were told to end before.
    fn descend<F: Scalar>(
        &mut self,
        residuals: &mut Array2<F>,
        enough: f64,
        progress: &mut Progress,
    ) -> Result<(Array2<F>, bool), S::Error>
    where
        S: System<F>,
    {
        let mut change = Array2::zeros(residuals.dim());
        let mut next = self.preconditioned(residuals);
        let mut along = dots(&next, residuals);
        let mut directions = next;
        let start = self.relative(residuals);
        let mut finished;
        loop {
            let left = self.relative(residuals);
            // Only rounding lets the residual grow so much.
            let is_lost = !(left <= LOST * start);
            finished = progress.should_finish(self.iterations, "the relative residual", left);
            let is_last = left <= enough || is_lost || self.iterations >= self.stop.iterations;
            if finished || is_last {
                break;
            }
            self.iterations += 1;
            let image = self.system.apply(directions.view())?.0;
            let steps = ratios(&along, &dots(&directions, &image));
            if steps.iter().all(|step: &F| step.is_zero()) {
                break;
            }
            change += &(&directions * &steps);
            let before = residuals.clone();
            *residuals -= &(image * &steps);
            next = self.preconditioned(residuals);
            let weights = ratios(&dots(&next, &(&*residuals - &before)), &along);
            along = dots(&next, residuals);
            directions = &next + &(directions * &weights);
        }
        Ok((change, finished))
    }

    fn preconditioned<F: Scalar>(&self, residuals: &Array2<F>) -> Array2<F>
    where
        S: System<F>,
    {
        let mut next = self.system.precondition(residuals.view());
        self.system.center(&mut next);
        next
    }
}

/// Returns whether residuals of Ax are no more than a change ‖ΔA‖ of A would make of them, in each column.
fn is_rounding<F: Scalar>(residuals: &Array2<F>, x: &Array2<F>, change: f64) -> bool {
    let (left, sizes) = (lengths(residuals.view()), lengths(x.view()));
    left.iter()
        .zip(&sizes)
        .all(|(left, size)| *left <= change * size)
}

/// Returns the length of each column.
fn lengths<F: Scalar>(a: ArrayView2<'_, F>) -> Array1<f64> {
    let square = |v: &F| v.as_f64() * v.as_f64();
    a.map_axis(Axis(0), |column| {
        column.iter().map(square).sum::<f64>().sqrt()
    })
}

/// Returns the inner products of columns.
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

/// Returns a/b of each column; 0 for columns that are done, or where rounding has left no b above 0.
fn ratios<F: Scalar>(a: &Array1<f64>, b: &Array1<f64>) -> Array1<F> {
    let ratio = |(a, b): (&f64, &f64)| if *b > 0.0 { F::cast(a / b) } else { F::zero() };
    let ratios = a.iter().zip(b).map(ratio);
    ratios
        .map(|ratio: F| if ratio.is_finite() { ratio } else { F::zero() })
        .collect()
}
