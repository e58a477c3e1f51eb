//! The tolerances of the laws: the differences that rounding may cause.

use ndarray::{Array2, ArrayView2};
use npt_core::{Fitted, KernelSpace, Scalar};

/// The largest distance between the two sides of a law, relative to a scale: the trace of 𝒦 plus the largest
/// value of κ with a new sample.
///
/// A space represents 𝒦 down to rounding level, which is ε(n + 8) times its trace. So much of the trace
/// may be left when the factor stops, and all of it may belong to one sample. Rotating to the
/// principal axes may drop as much again, once for each of the two sides. With the rounding of the
/// entries themselves, [`SAFETY`](Self::SAFETY) such levels are allowed.
#[derive(Debug, Clone, Copy)]
pub struct Tolerance {
    entry: f64,
    scale: f64,
}

impl Tolerance {
    /// The number of levels that are allowed.
    pub const SAFETY: f64 = 4.0;

    /// The tolerance of numbers computed in `F` from the (uncentered) kernel matrix of n training samples, and
    /// from values of κ with new samples.
    pub fn of<'a, F: Scalar>(
        gram: &Array2<f64>,
        with_new: impl IntoIterator<Item = &'a f64>,
    ) -> Self {
        let scale = magnitude(gram) + largest(with_new);
        let level = (gram.nrows() + 8) as f64 * epsilon::<F>();
        Self {
            entry: Self::SAFETY * level * scale,
            scale,
        }
    }

    /// The scale. If κ is not positive semidefinite, the trace may be smaller than the Frobenius norm of 𝒦, which then takes
    /// its place.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The tolerance of one entry of K.
    pub fn entry(&self) -> f64 {
        self.entry
    }

    /// The tolerance of the trace of K in a space that kept `rank` of n axes. Each dropped axis may have had ε(n + 8) of
    /// the largest eigenvalue, or of the mean of the κ(xᵢ, xᵢ). That is too little to see in any single number, but
    /// the trace has all of them.
    pub fn trace(&self, samples: usize, rank: usize, largest: f64) -> f64 {
        let level = self.entry / Self::SAFETY;
        let share = (largest / self.scale).max(1.0 / samples as f64);
        self.entry + (samples - rank) as f64 * level * share
    }

    /// The tolerance of coordinates of training samples along the shortest axis of a space: if the samples extend
    /// by √λ, the coordinates are known up to entry/√λ. No axis is kept whose λ is below one level of the mean of the
    /// κ(xᵢ, xᵢ).
    pub fn along_axis<P: KernelSpace>(&self, space: &Fitted<P>) -> f64 {
        let samples = space.training_coordinates().nrows() as f64;
        let smallest = space.eigenvalues()[space.rank() - 1].as_f64();
        self.entry / smallest.max(self.entry / (Self::SAFETY * samples)).sqrt()
    }

    /// The tolerance of k(x, xᵢ), where r(x) is the squared distance of φ(x) from the space.
    ///
    /// A training sample may lie outside the space by some length in an unknown direction.
    /// By Cauchy and Schwarz this changes k(x, xᵢ) by that length times √r(x), which is far
    /// above rounding level. The length is [`along_axis`](Self::along_axis) if the space has as
    /// many dimensions as the n samples can span, and √entry if some of the samples are no landmarks.
    pub fn with_residual<P: KernelSpace>(
        &self,
        residual: f64,
        space: &Fitted<P>,
        full_rank: usize,
    ) -> f64 {
        let outside = if space.rank() == full_rank {
            self.along_axis(space)
        } else {
            self.entry.sqrt()
        };
        self.entry + outside * residual.max(0.0).sqrt()
    }
}

/// The larger one of the trace, in magnitudes, and the Frobenius norm. Entries may be at the ends of the range, so that they are scaled before
/// they are squared.
fn magnitude(gram: &Array2<f64>) -> f64 {
    let trace: f64 = gram.diag().iter().map(|v| v.abs()).sum();
    trace.max(frobenius(gram))
}

pub(super) fn largest<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().fold(0.0, |m, v| m.max(v.abs()))
}

/// The Frobenius norm, also where the squares of the entries are out of range.
pub(super) fn frobenius<D: ndarray::Dimension>(values: &ndarray::Array<f64, D>) -> f64 {
    let largest = largest(values);
    if largest == 0.0 {
        return 0.0;
    }
    let squares: f64 = values.iter().map(|v| (v / largest).powi(2)).sum();
    largest * squares.sqrt()
}

/// Returns the same numbers in `f64`, exactly.
pub(super) fn widen<F: Scalar>(matrix: ArrayView2<'_, F>) -> Array2<f64> {
    matrix.mapv(F::as_f64)
}

/// Panics unless |found − expected| ≤ tolerance. The condition is written so that NaN fails.
#[track_caller]
pub(super) fn assert_close(what: &str, found: f64, expected: f64, tolerance: f64) {
    let difference = (found - expected).abs();
    assert!(
        difference <= tolerance,
        "{what}: {found:e} instead of {expected:e}, apart by {difference:e} > {tolerance:e}"
    );
}

/// The smallest number of a scalar that has all its digits.
pub(super) fn smallest<F: Scalar>() -> f64 {
    F::min_positive_value().as_f64()
}

/// The ε of a scalar.
pub(super) fn epsilon<F: Scalar>() -> f64 {
    F::epsilon().as_f64()
}
