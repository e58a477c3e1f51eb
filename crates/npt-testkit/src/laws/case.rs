//! A kernel and its samples, with the answers of the oracle.

use super::tolerance::{Tolerance, largest};
use crate::oracles::{centering, solve};
use ndarray::{Array1, Array2};
use npt_core::{Fitted, Kernel, KernelSpace, Samples, Scalar};

/// A kernel on training and new samples, with the oracle's answers. It is computed once, and used by every
/// check of a space.
pub struct Case<'a, S, K: ?Sized> {
    /// The kernel κ.
    pub kernel: &'a K,
    /// Is true if k is κ centred.
    pub centered: bool,
    /// The training samples, n of them.
    pub x: &'a S,
    /// New samples, m of them.
    pub x_new: &'a S,
    /// The matrix K, shape (n, n).
    pub gram: Array2<f64>,
    /// The values k of new samples with training samples, shape (m, n).
    pub cross: Array2<f64>,
    /// The values k of new samples with themselves, shape (m).
    pub diag: Array1<f64>,
    /// The differences that rounding may cause.
    pub tolerance: Tolerance,
}

impl<'a, S: Samples, K: Kernel<S> + ?Sized> Case<'a, S, K> {
    /// Computes the answers of the oracle.
    pub fn new(kernel: &'a K, centered: bool, x: &'a S, x_new: &'a S) -> Self {
        let uncentered = centering::gram(kernel, x);
        let uncentered_diag = centering::diag(kernel, x_new);
        let uncentered_cross = centering::cross(kernel, x_new, x);
        let with_new = uncentered_cross.iter().chain(&uncentered_diag);
        let tolerance = Tolerance::of::<K::Scalar>(&uncentered, with_new);
        let (gram, cross, diag) = if centered {
            (
                centering::centered_gram(kernel, x),
                centering::centered_cross(kernel, x_new, x),
                centering::centered_diag(kernel, x_new, x),
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

    /// The change of k(x, xᵢ) that rounding may cause, for a sample with this residual in this space.
    pub(super) fn tolerance_of<P: KernelSpace>(&self, space: &Fitted<P>, residual: f64) -> f64 {
        self.tolerance
            .with_residual(residual, space, self.full_rank())
    }

    /// The lengths ‖α‖ of new samples, where φ(x) is Σ αⱼφ(xⱼ) inside the space, computed from all coordinates:
    /// ‖α‖² = yᵀ(YᵀY)⁻¹y. The length is large for a sample far out along an axis that is short on the training
    /// samples.
    pub(super) fn weights(y_new: &Array2<f64>, y: &Array2<f64>) -> Vec<f64> {
        let solved = solve(y.t().dot(y), y_new.t().to_owned());
        let pairs = y_new.outer_iter().zip(solved.columns());
        pairs
            .map(|(y, solved)| y.dot(&solved).abs().sqrt())
            .collect()
    }

    /// The change of ⟨y(x), yᵢ⟩ = Σ αⱼ⟨yⱼ, yᵢ⟩ that rounding may cause. Each ⟨yⱼ, yᵢ⟩ is known up to one entry's tolerance; by Cauchy and
    /// Schwarz the sum is known up to `weight` = ‖α‖ of these.
    pub(super) fn tolerance_of_product<P: KernelSpace>(
        &self,
        space: &Fitted<P>,
        residual: f64,
        weight: f64,
    ) -> f64 {
        self.tolerance_of(space, residual) + self.tolerance.entry() * weight
    }

    /// The change that rounding may cause in the sum of ‖y(x)‖² and the residual, for a new sample.
    ///
    /// A residual is the part of k(x, x) that ‖y(x)‖² leaves, so that their sum is as exact as an entry, however
    /// far out the sample lies. This fails only if the residual is 0: then it may have been below 0 before, by the
    /// error that rounding causes in ‖y(x)‖² = Σ αᵢαⱼ⟨yᵢ, yⱼ⟩, which is `weight`² = ‖α‖² entries.
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

    /// The change that rounding may cause in inner products of new samples inside a space, and in residuals
    /// against another space. Along an axis on which the samples extend by √λ, the axis is known up to the angle entry/λ,
    /// and a new sample may be far out along it.
    pub(super) fn tolerance_inside<P: KernelSpace>(&self, space: &Fitted<P>) -> f64 {
        let entry = self.tolerance.entry();
        let smallest = space.eigenvalues()[space.rank() - 1].as_f64().max(entry);
        entry * (1.0 + 2.0 * largest(&self.diag) / smallest)
    }

    /// The largest rank that n samples can have: n, or n − 1 if centred.
    pub fn full_rank(&self) -> usize {
        self.x.len() - usize::from(self.centered)
    }
}
