//! The objective on records that are there at once.

use super::{
    likelihood::{curve, loss, probabilities, slopes, variances},
    newton::{Objective, Point, take_common_summand},
};
use crate::{
    Error,
    linear::{Weights, largest, rounding},
};
use ndarray::{Array1, Array2, Axis, concatenate};
use npt_core::{Scalar, linalg};

/// −Σ log p_c(i)(xᵢ) + ½λ‖w‖² as a function of W: the weights, one column a function, and the
/// intercepts below them.
pub(super) struct OfRecords<'a, F> {
    /// Records, and a column of ones.
    x: Array2<F>,
    x_squared: Array2<F>,
    /// Factors of what each sample adds.
    weights: &'a Weights<F>,
    members: &'a [usize],
    functions: usize,
    /// λ for the weights, 0 for the intercepts, one a row of W.
    penalties: Array2<F>,
}

/// What is known at a W.
pub(super) struct Scores<F> {
    /// XW
    scores: Array2<F>,
    /// One column a class.
    probabilities: Array2<F>,
}

impl<'a, F: Scalar> OfRecords<'a, F> {
    pub(super) fn new(
        x: &Array2<F>,
        weights: &'a Weights<F>,
        members: &'a [usize],
        functions: usize,
        penalty: F,
    ) -> Self {
        let x = concatenate![Axis(1), x.view(), Array2::ones((x.nrows(), 1))];
        let mut penalties = Array2::from_elem((x.ncols(), 1), penalty);
        penalties.row_mut(x.ncols() - 1).fill(F::zero());
        Self {
            x_squared: x.mapv(|v| v * v),
            x,
            weights,
            members,
            functions,
            penalties,
        }
    }

    fn gradient(&self, w: &Array2<F>, p: &Array2<F>) -> Array2<F> {
        let mut of_scores = Array2::zeros((p.nrows(), self.functions));
        let rows = of_scores.outer_iter_mut().zip(p.outer_iter());
        for ((row, p), &class) in rows.zip(self.members) {
            slopes(p, class, row);
        }
        let of_scores = self.weights.times(of_scores);
        let mut gradient = linalg::product(self.x.t(), of_scores.view()) + w * &self.penalties;
        take_common_summand(&mut gradient);
        gradient
    }
}

impl<F: Scalar> Objective<F> for OfRecords<'_, F> {
    type Error = Error;
    type State = Scores<F>;
    type Preconditioner = Array2<F>;

    fn shape(&self) -> (usize, usize) {
        (self.x.ncols(), self.functions)
    }

    fn rounding(&self) -> F {
        rounding::<F>(self.x.nrows())
    }

    fn at(&mut self, w: Array2<F>) -> Result<Point<F, Scores<F>>, Error> {
        let scores = linalg::product(self.x.view(), w.view());
        let members = scores.outer_iter().zip(self.members);
        let losses: Array1<F> = members.map(|(row, &class)| loss(row, class)).collect();
        let loss = self.weights.times(losses.insert_axis(Axis(1))).sum();
        let squares = w.mapv(|v| v * v) * &self.penalties;
        let probabilities = probabilities(scores.view());
        Ok(Point {
            value: loss + squares.sum() / F::cast(2),
            gradient: self.gradient(&w, &probabilities),
            w,
            state: Scores {
                scores,
                probabilities,
            },
        })
    }

    fn curvature(
        &mut self,
        point: &Point<F, Scores<F>>,
        v: &Array2<F>,
    ) -> Result<Array2<F>, Error> {
        let mut along = linalg::product(self.x.view(), v.view());
        let p = point.state.probabilities.outer_iter();
        along
            .outer_iter_mut()
            .zip(p)
            .for_each(|(row, p)| curve(p, row));
        let along = self.weights.times(along);
        let mut image = linalg::product(self.x.t(), along.view()) + v * &self.penalties;
        take_common_summand(&mut image);
        Ok(image)
    }

    /// The diagonal of the Hessian, in the shape of W; 1 in place of 0, where the gradient is 0, too.
    fn preconditioner(&mut self, point: &Point<F, Scores<F>>) -> Result<Array2<F>, Error> {
        let variances = self
            .weights
            .times(variances(point.state.probabilities.view(), self.functions));
        let diagonal = linalg::product(self.x_squared.t(), variances.view()) + &self.penalties;
        // Squares of records may have left the range, at either end.
        let lost = |(&d, &g): (&F, &F)| !d.is_finite() || (d == F::zero() && g != F::zero());
        if diagonal.iter().zip(&point.gradient).any(lost) {
            return Err(Error::Overflow { of: "Logistic" });
        }
        Ok(diagonal.mapv_into(|v| if v > F::zero() { v } else { F::one() }))
    }

    fn precondition(&self, diagonal: &Array2<F>, residual: &Array2<F>) -> Array2<F> {
        residual / diagonal
    }

    /// Without a penalty there may be no minimum: the expected gain then goes to 0 while the scores go on
    /// by 1 a step.
    fn is_settled(&self, point: &Point<F, Scores<F>>, next: &Point<F, Scores<F>>) -> bool {
        let moved = largest(&(&next.state.scores - &point.state.scores));
        self.penalties[[0, 0]] > F::zero()
            || moved <= F::cast(1e-4) * (F::one() + largest(&next.state.scores))
    }
}
