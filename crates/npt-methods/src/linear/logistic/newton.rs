//! Newton's method for the logistic objective, Hessian-free.
//!
//! Each step is solved by conjugate gradients, which see the Hessian through products with the
//! records only; its diagonal is the preconditioner.

use super::{Error, LogisticValidParams};
use crate::linear::{largest, rounding};
use ndarray::{Array2, ArrayView1, ArrayView2, Axis, concatenate};
use npt_core::{Scalar, linalg};

/// −Σ log p_c(i)(xᵢ) + ½λ‖w‖² as a function of W: the weights, one column a function, and the
/// intercepts below them.
pub(super) struct Objective<'a, F> {
    /// Records, and a column of ones.
    x: Array2<F>,
    x_squared: Array2<F>,
    members: &'a [usize],
    functions: usize,
    /// λ for the weights, 0 for the intercepts, one a row of W.
    penalties: Array2<F>,
}

/// The objective at one W.
struct Point<F> {
    w: Array2<F>,
    /// XW
    scores: Array2<F>,
    /// One column a class.
    probabilities: Array2<F>,
    value: F,
}

impl<'a, F: Scalar> Objective<'a, F> {
    pub(super) fn new(x: &Array2<F>, members: &'a [usize], functions: usize, penalty: F) -> Self {
        let x = concatenate![Axis(1), x.view(), Array2::ones((x.nrows(), 1))];
        let mut penalties = Array2::from_elem((x.ncols(), 1), penalty);
        penalties.row_mut(x.ncols() - 1).fill(F::zero());
        Self {
            x_squared: x.mapv(|v| v * v),
            x,
            members,
            functions,
            penalties,
        }
    }

    fn at(&self, w: Array2<F>) -> Point<F> {
        let scores = linalg::product(self.x.view(), w.view());
        let members = scores.outer_iter().zip(self.members);
        let loss: F = members.map(|(row, &class)| loss(row, class)).sum();
        let squares = w.mapv(|v| v * v) * &self.penalties;
        Point {
            probabilities: probabilities(scores.view()),
            value: loss + squares.sum() / F::cast(2),
            scores,
            w,
        }
    }

    fn gradient(&self, point: &Point<F>) -> Array2<F> {
        let mut residuals = Array2::zeros(point.scores.dim());
        let first = self.first_class();
        for (i, mut row) in residuals.outer_iter_mut().enumerate() {
            let p = point.probabilities.row(i);
            for (k, residual) in row.iter_mut().enumerate() {
                *residual = if first + k == self.members[i] {
                    // p − 1, of which rounding would leave 0.
                    -others(p, first + k)
                } else {
                    p[first + k]
                };
            }
        }
        let mut gradient =
            linalg::product(self.x.t(), residuals.view()) + &point.w * &self.penalties;
        self.take_common_summand(&mut gradient);
        gradient
    }

    /// A common summand of all functions changes no probability, and takes penalty. Rounding must not
    /// leave one in a gradient: nothing but λ, or nothing at all, would hold it back.
    fn take_common_summand(&self, of_functions: &mut Array2<F>) {
        if self.functions > 1 {
            let means = of_functions.mean_axis(Axis(1)).expect("there are classes");
            *of_functions -= &means.insert_axis(Axis(1));
        }
    }

    /// The class of the first function: with two classes, the first has none.
    fn first_class(&self) -> usize {
        usize::from(self.functions == 1)
    }

    /// The Hessian times V.
    fn curvature(&self, point: &Point<F>, v: &Array2<F>) -> Array2<F> {
        let mut along = linalg::product(self.x.view(), v.view());
        for (mut row, p) in along.outer_iter_mut().zip(point.probabilities.outer_iter()) {
            if self.functions == 1 {
                row[0] *= p[0] * p[1];
                continue;
            }
            // Differences first: a mean of v would lose what p close to 1 leaves of it.
            let v = row.to_owned();
            for (k, image) in row.iter_mut().enumerate() {
                let pairs = p.iter().zip(&v);
                let differences: F = pairs.map(|(&p, &other)| p * (v[k] - other)).sum();
                *image = p[k] * differences;
            }
        }
        let mut image = linalg::product(self.x.t(), along.view()) + v * &self.penalties;
        self.take_common_summand(&mut image);
        image
    }

    /// The diagonal of the Hessian, in the shape of W; 1 in place of 0, where the gradient is 0, too.
    fn curvature_diagonal(
        &self,
        point: &Point<F>,
        gradient: &Array2<F>,
    ) -> Result<Array2<F>, Error> {
        let first = self.first_class();
        let variances = Array2::from_shape_fn(point.scores.dim(), |(i, k)| {
            let p = point.probabilities.row(i);
            p[first + k] * others(p, first + k)
        });
        let diagonal = linalg::product(self.x_squared.t(), variances.view()) + &self.penalties;
        // Squares of records may have left the range, at either end.
        let lost = |(&d, &g): (&F, &F)| !d.is_finite() || (d == F::zero() && g != F::zero());
        if diagonal.iter().zip(gradient).any(lost) {
            return Err(Error::Overflow { of: "Logistic" });
        }
        Ok(diagonal.mapv_into(|v| if v > F::zero() { v } else { F::one() }))
    }

    /// H⁻¹g by preconditioned conjugate gradients from 0, until the residual is `accuracy` times
    /// as long as g in the norm of the preconditioner.
    fn newton_step(
        &self,
        point: &Point<F>,
        gradient: &Array2<F>,
        accuracy: F,
    ) -> Result<Array2<F>, Error> {
        let diagonal = self.curvature_diagonal(point, gradient)?;
        let mut step = Array2::zeros(gradient.dim());
        let mut residual = gradient.clone();
        let mut scaled = &residual / &diagonal;
        let mut direction = scaled.clone();
        let mut length = inner(&residual, &scaled);
        let enough = accuracy * accuracy * length;
        for _ in 0..gradient.len().clamp(20, 1000) {
            let image = self.curvature(point, &direction);
            let curvature = inner(&direction, &image);
            // Written negated: a direction that is flat, or no number, ends the search.
            if !(curvature > F::zero()) {
                break;
            }
            let t = length / curvature;
            step.scaled_add(t, &direction);
            residual.scaled_add(-t, &image);
            scaled = &residual / &diagonal;
            let next = inner(&residual, &scaled);
            if !(next > enough) {
                break;
            }
            direction = &scaled + &(&direction * (next / length));
            length = next;
        }
        self.take_common_summand(&mut step);
        Ok(step)
    }

    /// The first of the steps 1, ½, ¼, … that gains a share of what its slope promises.
    fn search(&self, point: &Point<F>, step: &Array2<F>, decrement: F) -> Result<Point<F>, Error> {
        // Near the minimum gains drown in the rounding of the sum.
        let slack = rounding::<F>(self.x.nrows()) * point.value;
        let mut t = F::one();
        for _ in 0..60 {
            let next = self.at(&point.w - &(step * t));
            if next.value <= point.value - F::cast(1e-4) * t * decrement + slack {
                return Ok(next);
            }
            t /= F::cast(2);
        }
        Err(not_converged(decrement / point.value))
    }
}

impl LogisticValidParams {
    /// The minimum, and the steps it took.
    pub(super) fn minimise<F: Scalar>(
        &self,
        objective: &Objective<'_, F>,
    ) -> Result<(Array2<F>, usize), Error> {
        let level = rounding::<F>(objective.x.nrows());
        let shape = (objective.x.ncols(), objective.functions);
        let mut point = objective.at(Array2::zeros(shape));
        let mut first_length = None;
        let mut last = F::infinity();
        for iteration in 1..=self.max_iterations {
            let gradient = objective.gradient(&point);
            let length = inner(&gradient, &gradient).sqrt();
            if !length.is_finite() {
                return Err(Error::Overflow { of: "Logistic" });
            }
            let first = *first_length.get_or_insert(length);
            let share = if first > F::zero() {
                length / first
            } else {
                F::zero()
            };
            // More accuracy as the minimum comes nearer: superlinear convergence.
            let accuracy = share.sqrt().min(F::cast(0.1));
            let step = objective.newton_step(&point, &gradient, accuracy)?;
            // The square of Newton's decrement: twice the expected gain.
            let decrement = inner(&gradient, &step);
            if !(decrement >= F::zero()) {
                return Err(not_converged(last));
            }
            let next = objective.search(&point, &step, decrement)?;
            let moved = largest_difference(&next.scores, &point.scores);
            let relative = decrement / point.value;
            let gained = relative <= F::cast(self.tolerance * self.tolerance);
            let exhausted = relative <= level && relative >= last;
            // Without a penalty there may be no minimum: the expected gain then goes to 0 while the
            // scores go on by 1 a step.
            let settled =
                self.penalty > 0.0 || moved <= F::cast(1e-4) * (F::one() + largest(&next.scores));
            point = next;
            if (gained || exhausted) && settled {
                return Ok((point.w, iteration));
            }
            last = relative;
        }
        Err(not_converged(last))
    }
}

fn not_converged<F: Scalar>(relative: F) -> Error {
    Error::NotConverged {
        method: "Logistic",
        measure: "the root of the relative gain",
        value: relative.max(F::zero()).sqrt().as_f64(),
    }
}

/// The probabilities of the classes, shape (samples, classes), from their scores; those of a single
/// function are of two classes, the first with score 0.
pub(super) fn probabilities<F: Scalar>(scores: ArrayView2<'_, F>) -> Array2<F> {
    if scores.ncols() == 1 {
        return Array2::from_shape_fn((scores.nrows(), 2), |(i, class)| {
            let score = scores[[i, 0]];
            let score = if class == 1 { score } else { -score };
            // exp of a negative number, for either sign
            let odds = (-score.abs()).exp();
            if score < F::zero() {
                odds / (F::one() + odds)
            } else {
                (F::one() + odds).recip()
            }
        });
    }
    let mut p = scores.to_owned();
    for mut row in p.outer_iter_mut() {
        let largest = row.fold(F::neg_infinity(), |m, &v| m.max(v));
        row.mapv_inplace(|v| (v - largest).exp());
        let sum = row.sum();
        row /= sum;
    }
    p
}

/// −log p of the class, in which small values stay exact.
fn loss<F: Scalar>(scores: ArrayView1<'_, F>, class: usize) -> F {
    let of = |k: usize| {
        if scores.len() == 1 {
            scores[0] * F::cast(k)
        } else {
            scores[k]
        }
    };
    let classes = scores.len().max(2);
    let largest = (0..classes).map(of).fold(F::neg_infinity(), F::max);
    let top = (0..classes).find(|&k| of(k) == largest).unwrap_or(class);
    let rest: F = (0..classes)
        .filter(|&k| k != top)
        .map(|k| (of(k) - largest).exp())
        .sum();
    rest.ln_1p() + (largest - of(class))
}

/// 1 − pₖ as a sum.
fn others<F: Scalar>(p: ArrayView1<'_, F>, k: usize) -> F {
    let rest = p.iter().enumerate().filter(|&(j, _)| j != k);
    rest.map(|(_, &p)| p).sum()
}

fn inner<F: Scalar>(a: &Array2<F>, b: &Array2<F>) -> F {
    a.iter().zip(b).map(|(&a, &b)| a * b).sum()
}

fn largest_difference<F: Scalar>(a: &Array2<F>, b: &Array2<F>) -> F {
    let pairs = a.iter().zip(b);
    pairs.fold(F::zero(), |m, (&a, &b)| m.max((a - b).abs()))
}
