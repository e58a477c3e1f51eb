//! Gaussian processes by kernel values.

use super::{Evidence, GaussianProcessModel, GaussianProcessParams, centered, process::Process};
use crate::{Error, error::require_finite, linear::regular_cholesky};
use linfa::Float as _;
use ndarray::{Array1, Array2, ArrayView1, Axis};
use npt_core::{ExpansionSpace, InnerProducts, KernelProducts, Scalar, linalg};
use std::{f64::consts::TAU, sync::Arc};

impl<B> GaussianProcessParams<B> {
    /// Fits the process by a Cholesky factor of K + σ²I; returns `None` where this matrix is singular to rounding.
    pub(super) fn of_products<P: ExpansionSpace>(
        &self,
        products: &KernelProducts<'_, P::Samples, P::Kernel, P::Scalar>,
        x: &P::Samples,
        targets: Array2<P::Scalar>,
    ) -> Result<Option<GaussianProcessModel<P>>, Error> {
        let (targets, mean) = centered(targets, self.mean_of_targets);
        let mut gram = products.gram()?;
        let mut log_marginal_likelihoods = Vec::with_capacity(self.noise.len());
        let mut best: Option<(usize, Array2<P::Scalar>, Array2<P::Scalar>)> = None;
        for (i, &noise) in self.noise.iter().enumerate() {
            // The last noise needs no copy of the matrix.
            let mut lower = if i + 1 == self.noise.len() {
                std::mem::take(&mut gram)
            } else {
                gram.clone()
            };
            lower
                .diag_mut()
                .mapv_inplace(|v| v + P::Scalar::cast(noise));
            require_finite("GaussianProcess", lower.diag().into_iter())?;
            let diagonal = lower.diag().to_owned();
            if !regular_cholesky(&mut lower, &diagonal)? {
                return Ok(None);
            }
            let half = linalg::solve_lower(lower.view(), targets.view());
            let alpha = linalg::solve_lower_transposed(lower.view(), half.view());
            require_digits(noise, targets.column(0), alpha.column(0), &diagonal)?;
            let likelihood = log_density(half.column(0), &lower);
            let improves =
                |&(best, ..): &(usize, _, _)| likelihood > log_marginal_likelihoods[best];
            if best.as_ref().is_none_or(improves) {
                best = Some((i, lower, alpha));
            }
            log_marginal_likelihoods.push(likelihood);
        }
        let Some((best, lower, alpha)) = best else {
            return Ok(None);
        };
        require_finite(
            "GaussianProcess",
            log_marginal_likelihoods.iter().chain(&alpha),
        )?;
        let offsets = Array1::from_elem(1, mean);
        let expansion = products.expansion(alpha.clone(), offsets)?;
        let process = Process::Products {
            kernel: Arc::clone(products.kernel()),
            samples: x.clone(),
            expansion,
            residuals: alpha.remove_axis(Axis(1)),
            targets: targets.remove_axis(Axis(1)),
            lower,
        };
        Ok(Some(GaussianProcessModel::new(
            process,
            Evidence {
                mean,
                noise: self.noise[best],
                log_marginal_likelihoods,
                best,
            },
        )))
    }
}

/// The largest share of tᵀC⁻¹t that rounding may make up; a fit above it is refused.
pub(super) const LOST: f64 = 1e-2;

/// Refuses a matrix C = 𝒦 + σ²I for which rounding makes up too much of tᵀα, with α = C⁻¹t. To first order tᵀα changes by αᵀEα where C
/// changes by E. For independent errors of ε of the largest entry, on the diagonal, this is ε·max C·‖α‖².
///
/// With λ the smallest eigenvalue of C, this is at most ε·max C/λ of tᵀα. A noise of ε·max C/[`LOST`] is always enough.
///
/// # Errors
/// [`Error::Singular`]
pub(super) fn require_digits<F: Scalar>(
    noise: f64,
    targets: ArrayView1<'_, F>,
    alpha: ArrayView1<'_, F>,
    diagonal: &Array1<F>,
) -> Result<(), Error> {
    let largest = |values: ArrayView1<'_, F>| {
        let mut magnitudes = values.iter().map(|v| v.as_f64().abs());
        magnitudes
            .next()
            .map_or(0.0, |first| magnitudes.fold(first, f64::max))
    };
    // α in units of its largest entry, whose square may leave the range.
    let unit = largest(alpha);
    let (mut squares, mut fit) = (0.0, 0.0);
    for (&t, &a) in targets.iter().zip(alpha) {
        let a = a.as_f64() / unit;
        squares += a * a;
        fit += a * t.as_f64();
    }
    let rounding = F::epsilon().as_f64() * largest(diagonal.view());
    if rounding * unit * squares > LOST * fit.abs() {
        return Err(Error::Singular {
            of: "GaussianProcess",
            parameter: "noise",
            value: noise,
            least: rounding / LOST,
        });
    }
    Ok(())
}

/// The log density of t under a normal distribution of covariance C = LLᵀ, from L⁻¹t
/// (equation 2.30).
pub(super) fn log_density<F: Scalar>(half: ArrayView1<'_, F>, lower: &Array2<F>) -> F {
    let log_root: F = lower.diag().iter().map(|v| v.ln()).sum();
    let constant = F::cast(half.len()) * F::cast(TAU.ln());
    -(half.dot(&half) + constant) / F::cast(2) - log_root
}
