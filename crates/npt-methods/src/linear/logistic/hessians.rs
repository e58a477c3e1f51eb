//! Hessians of single functions, as preconditioners.

use super::likelihood::{probabilities, variances};
use crate::Error;
use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};
use npt_core::{Scalar, linalg};

/// The number of rows of coordinates that are weighted at a time.
pub(super) const PART: usize = 4096;

/// The least penalty, in roundings of the trace. Where few samples count, there is nothing but the penalty along some
/// axes.
const ROUNDINGS: f64 = 1e4;

/// The share by which the curvature along the intercept is raised, to keep it apart from the weights. But for rounding, the
/// weights may make up all of it.
const APART: f64 = 1e-3;

/// The Hessians Σ vᵢyᵢyᵢᵀ, one per function: v is the second derivative, y are the coordinates with a 1 below them.
pub(super) struct Hessians<'w> {
    /// The weights, with the intercepts below them.
    w: &'w Array2<f64>,
    sums: Vec<Array2<f64>>,
}

impl<'w> Hessians<'w> {
    /// Makes the Hessians at W of no samples.
    pub(super) fn at(w: &'w Array2<f64>) -> Self {
        let sums = vec![Array2::zeros((w.nrows(), w.nrows())); w.ncols()];
        Self { w, sums }
    }

    /// Adds samples with weights.
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

    /// Multiplies the Hessians by `share`, as if there were `share` times the samples.
    pub(super) fn times(mut self, share: f64) -> Self {
        self.sums.iter_mut().for_each(|sum| *sum *= share);
        self
    }

    /// Sets all entries to 0 that are not on the diagonal.
    pub(super) fn diagonal(mut self) -> Self {
        for sum in &mut self.sums {
            *sum = Array2::from_diag(&sum.diag());
        }
        self
    }

    /// Returns L with LLᵀ = the Hessian + λI, one per function.
    pub(super) fn factors(mut self, penalty: f64) -> Result<Vec<Array2<f64>>, Error> {
        let rank = self.w.nrows() - 1;
        for sum in &mut self.sums {
            let mut diagonal = sum.diag_mut();
            // The trace leaves out the intercept, whose unit is another.
            let trace = diagonal.slice(s![..rank]).sum();
            if !trace.is_finite() {
                return Err(Error::Overflow { of: "Logistic" });
            }
            let penalty = penalty.max(ROUNDINGS * f64::EPSILON * trace);
            diagonal.slice_mut(s![..rank]).mapv_inplace(|v| v + penalty);
            // Where all probabilities are 0 or 1, any positive number will do.
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
