//! The objective on records that are all in memory.

use super::{
    likelihood::{curve, loss, probabilities, slopes, variances},
    newton::{Objective, Point, stacked, take_common_summand},
};
use crate::{
    Error,
    magnitude::{largest, rounding},
    weights::Weights,
};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use npt_core::{Scalar, linalg, watch::check};

/// The number of rows that are squared at a time.
const PART: usize = 256;

/// The objective −Σ log p_c(i)(xᵢ) + ½λ‖w‖² as a function of W: the weights, one column per function, and the
/// intercepts below them.
pub(super) struct OfRecords<'a, F> {
    x: ArrayView2<'a, F>,
    /// The factors of what each sample adds.
    weights: &'a Weights<F>,
    members: &'a [usize],
    functions: usize,
    /// λ for the weights, 0 for the intercepts, one per row of W.
    penalties: Array2<F>,
}

/// The state of the objective at a W.
pub(super) struct Scores<F> {
    /// XW
    scores: Array2<F>,
    /// One column per class.
    probabilities: Array2<F>,
}

impl<'a, F: Scalar> OfRecords<'a, F> {
    pub(super) fn new(
        x: ArrayView2<'a, F>,
        weights: &'a Weights<F>,
        members: &'a [usize],
        functions: usize,
        penalty: F,
    ) -> Self {
        let mut penalties = Array2::from_elem((x.ncols() + 1, 1), penalty);
        penalties.row_mut(x.ncols()).fill(F::zero());
        Self {
            x,
            weights,
            members,
            functions,
            penalties,
        }
    }

    /// Returns the records and a column of ones, times W.
    fn scores(&self, w: &Array2<F>) -> Array2<F> {
        let (weights, offsets) = w.view().split_at(Axis(0), self.x.ncols());
        linalg::product(self.x, weights) + offsets.row(0)
    }

    /// Returns the transpose of the records and a column of ones, times the numbers of the samples, plus the penalty on W.
    fn summed(&self, of_scores: Array2<F>, w: &Array2<F>) -> Array2<F> {
        let of_scores = self.weights.times(of_scores);
        let of_weights = linalg::product(self.x.t(), of_scores.view());
        let mut sums = stacked(&of_weights, &of_scores.sum_axis(Axis(0))) + w * &self.penalties;
        take_common_summand(&mut sums);
        sums
    }

    /// Returns the least difference between the score of a sample's class and that of another class.
    fn least_margin(&self, scores: &Array2<F>) -> F {
        let rows = scores.outer_iter().zip(self.members);
        let margins = rows.map(|(row, &class)| {
            if row.len() == 1 {
                return if class == 1 { row[0] } else { -row[0] };
            }
            let others = row.iter().enumerate().filter(|&(k, _)| k != class);
            row[class] - others.fold(F::neg_infinity(), |m, (_, &v)| m.max(v))
        });
        margins.fold(F::infinity(), F::min)
    }

    fn gradient(&self, w: &Array2<F>, p: &Array2<F>) -> Array2<F> {
        let mut of_scores = Array2::zeros((p.nrows(), self.functions));
        let rows = of_scores.outer_iter_mut().zip(p.outer_iter());
        for ((row, p), &class) in rows.zip(self.members) {
            slopes(p, class, row);
        }
        self.summed(of_scores, w)
    }
}

impl<F: Scalar> Objective<F> for OfRecords<'_, F> {
    type Error = Error;
    type State = Scores<F>;
    type Preconditioner = Array2<F>;

    fn shape(&self) -> (usize, usize) {
        (self.x.ncols() + 1, self.functions)
    }

    fn rounding(&self) -> F {
        rounding::<F>(self.x.nrows())
    }

    fn at(&mut self, w: Array2<F>) -> Result<Point<F, Scores<F>>, Error> {
        let scores = self.scores(&w);
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
        let mut along = self.scores(v);
        let p = point.state.probabilities.outer_iter();
        along
            .outer_iter_mut()
            .zip(p)
            .for_each(|(row, p)| curve(p, row));
        Ok(self.summed(along, v))
    }

    /// Returns the diagonal of the Hessian, in the shape of W. An entry of 0, where the gradient is 0 too, becomes 1.
    fn preconditioner(&mut self, point: &Point<F, Scores<F>>) -> Result<Array2<F>, Error> {
        let variances = self
            .weights
            .times(variances(point.state.probabilities.view(), self.functions));
        let mut of_weights = Array2::zeros((self.x.ncols(), self.functions));
        let parts = self.x.axis_chunks_iter(Axis(0), PART);
        for (x, variances) in parts.zip(variances.axis_chunks_iter(Axis(0), PART)) {
            check();
            of_weights += &linalg::product(x.mapv(|v| v * v).t(), variances);
        }
        let diagonal = stacked(&of_weights, &variances.sum_axis(Axis(0))) + &self.penalties;
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

    /// Returns whether, without a penalty, all samples are on the side of their class by more than the rounding of scores.
    fn separates(&self, point: &Point<F, Scores<F>>) -> bool {
        let scores = &point.state.scores;
        let known = F::cast(64) * rounding::<F>(self.x.ncols()) * largest(scores);
        self.penalties[[0, 0]].is_zero() && self.least_margin(scores) > known
    }

    /// Returns whether, without a penalty, a step moves scores by more than half a unit and takes no sample back: the scores of
    /// separable classes grow by 1 per step.
    fn recedes(&self, point: &Point<F, Scores<F>>, next: &Point<F, Scores<F>>) -> bool {
        let step = &next.state.scores - &point.state.scores;
        let length = largest(&step);
        self.penalties[[0, 0]].is_zero()
            && length > F::cast(0.5)
            && self.least_margin(&step) >= -F::cast(1e-3) * length
    }

    /// Returns whether the scores have come to rest, or there is a penalty. Without a penalty there may be no minimum: the expected
    /// gain then goes to 0 while the scores grow by 1 per step.
    fn is_settled(&self, point: &Point<F, Scores<F>>, next: &Point<F, Scores<F>>) -> bool {
        let moved = largest(&(&next.state.scores - &point.state.scores));
        self.penalties[[0, 0]] > F::zero()
            || moved <= F::cast(1e-4) * (F::one() + largest(&next.state.scores))
    }
}
