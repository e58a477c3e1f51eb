//! Newton's method for the logistic objective, Hessian-free.
//!
//! Each step is solved by preconditioned conjugate gradients, which see the Hessian through products
//! only.

use super::{Error, LogisticValidParams};
use ndarray::{Array1, Array2, Axis, concatenate};
use npt_core::{
    Scalar,
    watch::{Progress, check},
};

/// A convex function of W: the weights, one column per function, and the intercepts below them.
pub(super) trait Objective<F> {
    type Error: From<Error>;

    /// The state that an objective keeps of a W, besides value and gradient.
    type State;

    type Preconditioner;

    /// The shape of W.
    fn shape(&self) -> (usize, usize);

    /// The share of the objective's values that is rounding.
    fn rounding(&self) -> F;

    fn at(&mut self, w: Array2<F>) -> Result<Point<F, Self::State>, Self::Error>;

    /// Returns the Hessian times V.
    fn curvature(
        &mut self,
        point: &Point<F, Self::State>,
        v: &Array2<F>,
    ) -> Result<Array2<F>, Self::Error>;

    /// Returns a preconditioner of the Hessian.
    fn preconditioner(
        &mut self,
        point: &Point<F, Self::State>,
    ) -> Result<Self::Preconditioner, Self::Error>;

    fn precondition(
        &self,
        preconditioner: &Self::Preconditioner,
        residual: &Array2<F>,
    ) -> Array2<F>;

    /// The most iterations of conjugate gradients in a step.
    fn most_iterations(&self) -> usize {
        most_iterations(self.shape())
    }

    /// Returns whether a point shows that there is no minimum: every sample is on the side of its class, without a penalty.
    fn separates(&self, point: &Point<F, Self::State>) -> bool {
        let _ = point;
        false
    }

    /// Returns whether there seems to be no minimum: the step takes no sample back, and goes on as far as the steps before.
    fn recedes(&self, point: &Point<F, Self::State>, next: &Point<F, Self::State>) -> bool {
        let _ = (point, next);
        false
    }

    /// Returns whether a step that gains nothing ends the search.
    fn is_settled(&self, point: &Point<F, Self::State>, next: &Point<F, Self::State>) -> bool;
}

/// An objective at one W.
pub(super) struct Point<F, S> {
    pub(super) w: Array2<F>,
    pub(super) value: F,
    pub(super) gradient: Array2<F>,
    pub(super) state: S,
}

/// Returns the most iterations: without rounding, as many as W has numbers would do.
pub(super) fn most_iterations((rows, functions): (usize, usize)) -> usize {
    (rows * functions).clamp(20, 1000)
}

/// Takes away the common summand of all functions, which changes no probability and costs penalty. Rounding must not
/// leave one in a gradient: nothing but λ, or nothing at all, would hold it back.
pub(super) fn take_common_summand<F: Scalar>(of_functions: &mut Array2<F>) {
    if of_functions.ncols() > 1 {
        let count = F::cast(of_functions.ncols());
        let means = of_functions.sum_axis(Axis(1)) / count;
        *of_functions -= &means.insert_axis(Axis(1));
    }
}

/// Returns the matrix with one more row.
pub(super) fn stacked<F: Scalar>(matrix: &Array2<F>, last: &Array1<F>) -> Array2<F> {
    concatenate![Axis(0), *matrix, last.view().insert_axis(Axis(0))]
}

impl LogisticValidParams {
    /// Returns the minimum, and the number of steps to it.
    pub(super) fn minimise<F: Scalar, O: Objective<F>>(
        &self,
        objective: &mut O,
    ) -> Result<(Array2<F>, usize), O::Error> {
        let level = objective.rounding();
        let mut point = objective.at(Array2::zeros(objective.shape()))?;
        let mut first_length = None;
        let mut last = F::infinity();
        let mut recedes = false;
        let mut progress = Progress::start("Newton's method", None);
        for iteration in 1..=self.max_iterations {
            let length = inner(&point.gradient, &point.gradient).sqrt();
            if !length.is_finite() {
                return Err(Error::Overflow { of: "Logistic" }.into());
            }
            let value = point.value.as_f64();
            if progress.should_finish(iteration - 1, "the penalised loss", value) {
                return Ok((point.w, iteration - 1));
            }
            let first = *first_length.get_or_insert(length);
            let share = if first > F::zero() {
                length / first
            } else {
                F::zero()
            };
            // The accuracy grows as the minimum comes nearer: superlinear convergence.
            let accuracy = share.sqrt().min(F::cast(0.1));
            let step = newton_step(objective, &point, accuracy)?;
            // The square of Newton's decrement: twice the expected gain.
            let decrement = inner(&point.gradient, &step);
            if !(decrement >= F::zero()) {
                // Where only rounding is left to gain, the sign is rounding, too.
                return if last <= level {
                    Ok((point.w, iteration))
                } else {
                    Err(not_found(last, recedes).into())
                };
            }
            let Some(next) = search(objective, &point, &step, decrement)? else {
                return Err(not_found(decrement / point.value, recedes).into());
            };
            if objective.separates(&next) {
                return Err(SEPARABLE.into());
            }
            recedes = objective.recedes(&point, &next);
            let relative = decrement / point.value;
            let gained = relative <= F::cast(self.tolerance * self.tolerance);
            let exhausted = relative <= level && relative >= last;
            let settled = objective.is_settled(&point, &next);
            point = next;
            if (gained || exhausted) && settled {
                return Ok((point.w, iteration));
            }
            last = relative;
        }
        Err(not_found(last, recedes).into())
    }
}

/// The error of classes that can be separated, without a penalty.
const SEPARABLE: Error = Error::Separable {
    method: "Logistic",
    parameter: "penalty",
};

fn not_found<F: Scalar>(relative: F, recedes: bool) -> Error {
    if recedes {
        SEPARABLE
    } else {
        not_converged(relative)
    }
}

/// Computes H⁻¹g by preconditioned conjugate gradients from 0, until the residual is `accuracy` times
/// as long as g in the norm of the preconditioner.
fn newton_step<F: Scalar, O: Objective<F>>(
    objective: &mut O,
    point: &Point<F, O::State>,
    accuracy: F,
) -> Result<Array2<F>, O::Error> {
    let preconditioner = objective.preconditioner(point)?;
    let mut step = Array2::zeros(point.gradient.dim());
    let mut residual = point.gradient.clone();
    let mut scaled = objective.precondition(&preconditioner, &residual);
    let mut direction = scaled.clone();
    let mut length = inner(&residual, &scaled);
    let enough = accuracy * accuracy * length;
    for _ in 0..objective.most_iterations() {
        check();
        let image = objective.curvature(point, &direction)?;
        let curvature = inner(&direction, &image);
        // Written negated: a direction that is flat, or no number, ends the search.
        if !(curvature > F::zero()) {
            break;
        }
        let t = length / curvature;
        step.scaled_add(t, &direction);
        residual.scaled_add(-t, &image);
        scaled = objective.precondition(&preconditioner, &residual);
        let next = inner(&residual, &scaled);
        if !(next > enough) {
            break;
        }
        direction = &scaled + &(&direction * (next / length));
        length = next;
    }
    take_common_summand(&mut step);
    Ok(step)
}

/// Returns the point after the first of the steps 1, ½, ¼, … that gains a share of what its slope promises, if one does.
fn search<F: Scalar, O: Objective<F>>(
    objective: &mut O,
    point: &Point<F, O::State>,
    step: &Array2<F>,
    decrement: F,
) -> Result<Option<Point<F, O::State>>, O::Error> {
    // Near the minimum gains drown in the rounding of the sum.
    let slack = objective.rounding() * point.value;
    let mut t = F::one();
    for _ in 0..60 {
        let next = objective.at(&point.w - &(step * t))?;
        if next.value <= point.value - F::cast(1e-4) * t * decrement + slack {
            return Ok(Some(next));
        }
        t /= F::cast(2);
    }
    Ok(None)
}

fn not_converged<F: Scalar>(relative: F) -> Error {
    Error::NotConverged {
        method: "Logistic",
        measure: "the root of the relative gain",
        value: relative.max(F::zero()).sqrt().as_f64(),
    }
}

fn inner<F: Scalar>(a: &Array2<F>, b: &Array2<F>) -> F {
    a.iter().zip(b).map(|(&a, &b)| a * b).sum()
}
