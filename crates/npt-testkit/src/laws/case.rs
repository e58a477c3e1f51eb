//! A kernel, its samples, and what the oracle says about them.

use super::tolerance::{Tolerance, largest};
use crate::oracles::{centring, solve};
use ndarray::{Array1, Array2};
use npt_core::{Fitted, Kernel, KernelSpace, Samples, Scalar};

/// A kernel on training and new samples, with the oracle's answers: computed once, used by every
/// check of a space.
pub struct Case<'a, S, K: ?Sized> {
    /// κ.
    pub kernel: &'a K,
    /// Whether k is κ centred.
    pub centered: bool,
    /// The training samples, n of them.
    pub x: &'a S,
    /// New samples, m of them.
    pub x_new: &'a S,
    /// K, shape (n, n).
    pub gram: Array2<f64>,
    /// k of each new sample with each training sample, shape (m, n).
    pub cross: Array2<f64>,
    /// k of each new sample with itself, shape (m).
    pub diag: Array1<f64>,
    /// What rounding may change.
    pub tolerance: Tolerance,
}

impl<'a, S: Samples, K: Kernel<S> + ?Sized> Case<'a, S, K> {
    /// Asks the oracle.
    pub fn new(kernel: &'a K, centered: bool, x: &'a S, x_new: &'a S) -> Self {
        let uncentered = centring::gram(kernel, x);
        let uncentered_diag = centring::diag(kernel, x_new);
        let uncentered_cross = centring::cross(kernel, x_new, x);
        let with_new = uncentered_cross.iter().chain(&uncentered_diag);
        let tolerance = Tolerance::of::<K::Scalar>(&uncentered, with_new);
        let (gram, cross, diag) = if centered {
            (
                centring::centered_gram(kernel, x),
                centring::centered_cross(kernel, x_new, x),
                centring::centered_diag(kernel, x_new, x),
            )
        } else {
            (uncentered, uncentered_cross, uncentered_diag)
        };
        Self {
            kernel,
            centered,
            x,
            x_new,
            gram,
            cross,
            diag,
            tolerance,
        }
    }

    /// What rounding may change in k(x, xᵢ), for a sample with this residual in this space.
    pub(super) fn tolerance_of<P: KernelSpace>(&self, space: &Fitted<P>, residual: f64) -> f64 {
        self.tolerance
            .with_residual(residual, space, self.full_rank())
    }

    /// ‖α‖ of new samples, φ(x) being Σ αⱼφ(xⱼ) inside the space, from all coordinates:
    /// ‖α‖² = yᵀ(YᵀY)⁻¹y. Large for a sample far out along an axis that is short on the training
    /// samples.
    pub(super) fn weights(y_new: &Array2<f64>, y: &Array2<f64>) -> Vec<f64> {
        let solved = solve(y.t().dot(y), y_new.t().to_owned());
        let pairs = y_new.outer_iter().zip(solved.columns());
        pairs
            .map(|(y, solved)| y.dot(&solved).abs().sqrt())
            .collect()
    }

    /// What rounding may change in ⟨y(x), yᵢ⟩ = Σ αⱼ⟨yⱼ, yᵢ⟩, each known to an entry: by Cauchy and
    /// Schwarz `weight` = ‖α‖ entries.
    pub(super) fn tolerance_of_product<P: KernelSpace>(
        &self,
        space: &Fitted<P>,
        residual: f64,
        weight: f64,
    ) -> f64 {
        self.tolerance_of(space, residual) + self.tolerance.entry() * weight
    }

    /// What rounding may change in ‖y(x)‖² and a residual together, for a new sample.
    ///
    /// A residual is what ‖y(x)‖² leaves of k(x, x), so their sum is as exact as an entry, however
    /// far out the sample. Only where the residual vanishes it is not: it may have been below 0, by
    /// what rounding does to ‖y(x)‖² = Σ αᵢαⱼ⟨yᵢ, yⱼ⟩, `weight`² = ‖α‖² entries.
    pub(super) fn tolerance_of_sum<P: KernelSpace>(
        &self,
        space: &Fitted<P>,
        residual: f64,
        weight: f64,
    ) -> f64 {
        let sum = 2.0 * self.tolerance_of(space, residual);
        if residual <= self.tolerance.entry() {
            sum + self.tolerance.entry() * weight * weight
        } else {
            sum
        }
    }

    /// What rounding may change in inner products of new samples inside a space, and in residuals
    /// against another space: where samples extend by √λ, the axis is known to the angle entry/λ,
    /// and a new sample may be far out along it.
    pub(super) fn tolerance_inside<P: KernelSpace>(&self, space: &Fitted<P>) -> f64 {
        let entry = self.tolerance.entry();
        let smallest = space.eigenvalues()[space.rank() - 1].as_f64().max(entry);
        entry * (1.0 + 2.0 * largest(&self.diag) / smallest)
    }

    /// The largest rank that n samples can have: centred, one less.
    pub fn full_rank(&self) -> usize {
        self.x.len() - usize::from(self.centered)
    }
}
