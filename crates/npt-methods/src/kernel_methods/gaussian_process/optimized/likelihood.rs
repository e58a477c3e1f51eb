//! The log marginal likelihood and its derivatives.

use super::{
    super::by_kernel_values::{LOST, log_density, require_digits},
    variables::{Known, Variables},
};
use crate::{Error, linear::regular_cholesky, magnitude::rounding};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use npt_core::{Kernel, Samples, Scalar, linalg};

/// The likelihood of the targets of some samples; the targets are less m.
pub(super) struct Likelihood<'a, S, F> {
    x: &'a S,
    targets: Array1<F>,
}

/// The matrices L, L⁻¹t and C⁻¹t.
type Solved<F> = (Array2<F>, Array2<F>, Array2<F>);

/// The log marginal likelihood ln p(t), and its derivatives by the logarithms of the variables.
pub(super) struct Value {
    pub(super) log_marginal_likelihood: f64,
    pub(super) derivatives: Vec<f64>,
}

impl<'a, S: Samples, F: Scalar> Likelihood<'a, S, F> {
    pub(super) fn new(x: &'a S, targets: Array1<F>) -> Self {
        Self { x, targets }
    }

    pub(super) fn samples(&self) -> usize {
        self.targets.len()
    }

    /// Computes L with LLᵀ = C = 𝒦 + σ²I, L⁻¹t and C⁻¹t; `None` where C is singular to rounding, or not a matrix of finite numbers.
    fn solve<K: Kernel<S, Scalar = F>>(&self, kernel: &K, noise: f64) -> Option<Solved<F>> {
        kernel.check(self.x).ok()?;
        // A user's own kernel may have made the matrix in any memory order.
        let mut lower = linalg::row_major(kernel.gram(self.x));
        lower.diag_mut().mapv_inplace(|v| v + F::cast(noise));
        let diagonal = lower.diag().to_owned();
        if !regular_cholesky(&mut lower, &diagonal).ok()? {
            return None;
        }
        let targets = self.targets.view().insert_axis(Axis(1));
        let half = linalg::solve_lower(lower.view(), targets);
        let alpha = linalg::solve_lower_transposed(lower.view(), half.view());
        require_digits(noise, self.targets.view(), alpha.column(0), &diagonal).ok()?;
        Some((lower, half, alpha))
    }

    /// Computes the likelihood of a kernel and σ², and its derivatives; `None` where the kernel does not take the values, where C is
    /// singular, or where a result is not finite.
    pub(super) fn at<K: Kernel<S, Scalar = F> + Clone>(
        &self,
        variables: &Variables<'_, S, K>,
        values: &[f64],
    ) -> Result<Option<Value>, Error> {
        let Some((kernel, noise)) = variables.set_if_allowed(values)? else {
            return Ok(None);
        };
        let Some((lower, half, alpha)) = self.solve(&kernel, noise) else {
            return Ok(None);
        };
        let value = log_density(half.column(0), &lower).as_f64();
        let weights = weights(&lower, alpha.view());
        drop(lower);
        let known = variables.known(kernel.parameter_derivatives(self.x, weights.view()));
        let mut derivatives = Vec::with_capacity(values.len());
        for (variable, known) in known.into_iter().enumerate() {
            let by_value = match known {
                Known::Noise => weights.diag().sum().as_f64(),
                Known::Derivative(derivative) => derivative.as_f64(),
                Known::Nothing => self.difference(variables, values, variable, &weights)?,
            };
            derivatives.push(values[variable] * by_value);
        }
        let finite = value.is_finite() && derivatives.iter().all(|d| d.is_finite());
        Ok(finite.then_some(Value {
            log_marginal_likelihood: value,
            derivatives,
        }))
    }

    /// Computes the derivative of Σ wκ by one variable, from kernel values on either side of its value, or on the
    /// one side that the kernel allows; NaN if it allows none. The step h is where h², the error of the difference, and ε/h, its rounding,
    /// are the same.
    fn difference<K: Kernel<S, Scalar = F> + Clone>(
        &self,
        variables: &Variables<'_, S, K>,
        values: &[f64],
        variable: usize,
        weights: &Array2<F>,
    ) -> Result<f64, Error> {
        let step = F::epsilon().as_f64().cbrt();
        let sum_at = |factor: f64| {
            let mut moved = values.to_vec();
            moved[variable] *= factor;
            let Some((kernel, _)) = variables.set_if_allowed(&moved)? else {
                return Ok::<_, Error>(None);
            };
            if kernel.check(self.x).is_err() {
                return Ok(None);
            }
            let products = kernel.gram(self.x) * weights;
            let sum: f64 = products.iter().map(|v| v.as_f64()).sum();
            Ok(sum.is_finite().then_some((factor.ln(), sum)))
        };
        let (above, below) = (sum_at(step.exp())?, sum_at((-step).exp())?);
        let (from, to) = match (below, above) {
            (Some(below), Some(above)) => (below, above),
            (None, Some(side)) | (Some(side), None) => match sum_at(1.0)? {
                Some(here) => (here, side),
                None => return Ok(f64::NAN),
            },
            (None, None) => return Ok(f64::NAN),
        };
        Ok((to.1 - from.1) / (to.0 - from.0) / values[variable])
    }

    /// Returns the error of a search of which no start has a likelihood.
    pub(super) fn no_start<K: Kernel<S, Scalar = F>>(&self, kernel: &K, noise: f64) -> Error {
        let matrix = kernel.gram(self.x);
        if let Some(((row, column), value)) = matrix.indexed_iter().find(|(_, v)| !v.is_finite()) {
            let value = value.as_f64();
            return npt_core::Error::KernelNotFinite { row, column, value }.into();
        }
        if self.solve(kernel, noise).is_some() {
            return Error::Overflow {
                of: "GaussianProcess",
            };
        }
        let largest = kernel
            .diag(self.x)
            .iter()
            .fold(0.0_f64, |most, v| most.max(v.as_f64()));
        Error::Singular {
            of: "GaussianProcess",
            parameter: "noise",
            value: noise,
            least: (rounding::<F>(self.samples()).as_f64()).max(F::epsilon().as_f64() / LOST)
                * (largest + noise),
        }
    }
}

/// The matrix ½(ααᵀ − C⁻¹), from the factor of C and α: the weights of the entries of ∂C/∂θ in the derivative of the likelihood
/// (Rasmussen and Williams, equation 5.9).
fn weights<F: Scalar>(lower: &Array2<F>, alpha: ArrayView2<'_, F>) -> Array2<F> {
    let inverse = linalg::solve_lower(lower.view(), Array2::eye(lower.nrows()).view());
    let mut weights = linalg::symmetric_rank_k(inverse.view());
    let column = alpha.column(0);
    for (mut row, &a) in weights.outer_iter_mut().zip(column) {
        row.zip_mut_with(&column, |w, &b| *w = (a * b - *w) / F::cast(2));
    }
    weights
}
