//! Hessians of functions, each by itself, as preconditioners.

use super::likelihood::{probabilities, variances};
use crate::Error;
use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};
use npt_core::{Scalar, linalg};

/// Rows of coordinates that are weighted at a time.
pub(super) const PART: usize = 4096;

/// How many roundings of the trace the penalty is, at the least: where few samples count, there is nothing else along some
/// axes.
const ROUNDINGS: f64 = 1e4;

/// The share of the curvature along the intercept by which it is kept apart from the weights: these may make up all of
/// it but for rounding.
const APART: f64 = 1e-3;

/// Σ vᵢyᵢyᵢᵀ for each function, v its second derivative and y the coordinates with a 1 below them.
pub(super) struct Hessians<'w> {
    /// Weights, and intercepts below them.
    w: &'w Array2<f64>,
    sums: Vec<Array2<f64>>,
}

impl<'w> Hessians<'w> {
    /// At W, of no samples.
    pub(super) fn at(w: &'w Array2<f64>) -> Self {
        let sums = vec![Array2::zeros((w.nrows(), w.nrows())); w.ncols()];
        Self { w, sums }
    }

    /// Of samples with weights.
    pub(super) fn add<F: Scalar>(&mut self, coordinates: ArrayView2<'_, F>, weights: &Array1<f64>) {
        let parts = coordinates.axis_chunks_iter(Axis(0), PART);
        for (part, weights) in parts.zip(weights.axis_chunks_iter(Axis(0), PART)) {
            let y = part.mapv(Scalar::as_f64);
            let y = concatenate![Axis(1), y, Array2::ones((y.nrows(), 1))];
            let p = probabilities(linalg::product(y.view(), self.w.view()).view());
            let variances = variances(p.view(), self.sums.len()) * weights.insert_axis(Axis(1));
            let roots = variances.mapv_into(f64::sqrt);
            for (sum, roots) in self.sums.iter_mut().zip(roots.columns()) {
                let weighted = &y * &roots.insert_axis(Axis(1));
                *sum += &linalg::symmetric_rank_k(weighted.view());
            }
        }
    }

    /// As if there were so many times the samples.
    pub(super) fn times(mut self, share: f64) -> Self {
        self.sums.iter_mut().for_each(|sum| *sum *= share);
        self
    }

    /// Without what is not on the diagonal.
    pub(super) fn diagonal(mut self) -> Self {
        for sum in &mut self.sums {
            *sum = Array2::from_diag(&sum.diag());
        }
        self
    }

    /// L with LLᵀ = the Hessian and λI, one a function.
    pub(super) fn factors(mut self, penalty: f64) -> Result<Vec<Array2<f64>>, Error> {
        let rank = self.w.nrows() - 1;
        for sum in &mut self.sums {
            let mut diagonal = sum.diag_mut();
            // Without the intercept, whose unit is another.
            let trace = diagonal.slice(s![..rank]).sum();
            if !trace.is_finite() {
                return Err(Error::Overflow { of: "Logistic" });
            }
            let penalty = penalty.max(ROUNDINGS * f64::EPSILON * trace);
            diagonal.slice_mut(s![..rank]).mapv_inplace(|v| v + penalty);
            // Where all probabilities are 0 or 1, anything will do.
            let own = diagonal[rank];
            diagonal[rank] = if own > 0.0 {
                own * (1.0 + APART)
            } else {
                penalty
            };
            linalg::cholesky_in_place(sum)?;
        }
        Ok(self.sums)
    }
}
