//! Positive multiples of kernels.

use crate::{
    Error, Kernel, Samples, Scalar, error,
    kernels::{derivatives_of, weighted_sum},
};
use ndarray::{Array1, Array2, ArrayView2};

/// A positive multiple of a kernel.
///
/// # Definition
/// κ(a, b) = c · κ₁(a, b)
///
/// # Parameters
/// `factor` c > 0.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `factor`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Linear};
///
/// assert_eq!(Linear::new().scaled(0.5).eval(&[1.0, 2.0], &[2.0, 2.0]), 0.5 * 6.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "scaled")
)]
pub struct Scaled<K, F> {
    kernel: K,
    factor: F,
}

crate::composable!(impl<K, F> Scaled<K, F>);

impl<K, F> Scaled<K, F> {
    /// The kernel c · κ₁; the range of c is checked at fit.
    pub fn new(kernel: K, factor: F) -> Self {
        Self { kernel, factor }
    }

    /// The kernel κ₁.
    pub fn inner(&self) -> &K {
        &self.kernel
    }
}

impl<K, F: Scalar> Scaled<K, F> {
    /// The factor c.
    pub fn factor(&self) -> F {
        self.factor
    }
}

impl<S: Samples, K: Kernel<S>> Kernel<S> for Scaled<K, K::Scalar> {
    type Scalar = K::Scalar;

    crate::parameters!("scaled", factor; kernel);

    fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
        self.factor * self.kernel.eval(a, b)
    }

    fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
        self.kernel.cross(a, b) * self.factor
    }

    fn gram(&self, x: &S) -> Array2<K::Scalar> {
        self.kernel.gram(x) * self.factor
    }

    fn diag(&self, x: &S) -> Array1<K::Scalar> {
        self.kernel.diag(x) * self.factor
    }

    fn origin(&self, x: &S) -> Option<S> {
        self.kernel.origin(x)
    }

    fn eval_about(&self, origin: &S::Sample, a: &S::Sample, b: &S::Sample) -> K::Scalar {
        self.factor * self.kernel.eval_about(origin, a, b)
    }

    fn cross_about(&self, origin: &S, a: &S, b: &S) -> Array2<K::Scalar> {
        self.kernel.cross_about(origin, a, b) * self.factor
    }

    fn diag_about(&self, origin: &S, x: &S) -> Array1<K::Scalar> {
        self.kernel.diag_about(origin, x) * self.factor
    }

    fn check(&self, x: &S) -> Result<(), Error> {
        error::positive("Scaled", "factor", self.factor.as_f64())?;
        self.kernel.check(x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.kernel.is_positive_semidefinite()
    }

    fn parameter_derivatives(
        &self,
        x: &S,
        weights: ArrayView2<'_, K::Scalar>,
    ) -> Vec<Option<K::Scalar>> {
        let by_factor = weighted_sum(weights, &self.kernel.gram(x));
        let of_kernel = derivatives_of(&self.kernel, x, weights);
        let of_kernel = of_kernel
            .into_iter()
            .map(|known| known.map(|d| self.factor * d));
        std::iter::once(by_factor).chain(of_kernel).collect()
    }

    fn squared_distance_derivatives(&self, x: &S) -> Option<Array2<K::Scalar>> {
        Some(self.kernel.squared_distance_derivatives(x)? * self.factor)
    }

    fn with_length_scales<'a>(
        &'a self,
        length_scales: &'a S::Sample,
    ) -> Option<Box<dyn Kernel<S, Scalar = K::Scalar> + 'a>>
    where
        S: 'a,
    {
        let kernel = self.kernel.with_length_scales(length_scales)?;
        Some(Box::new(Scaled::new(kernel, self.factor)))
    }

    fn ignores_common_zeros(&self) -> bool {
        self.kernel.ignores_common_zeros()
    }

    /// The squared distance by κ₁, as all squared distances in feature space are c times as large as those of κ₁.
    fn squared_distance_of_inputs(&self, squared: K::Scalar) -> Option<K::Scalar> {
        self.kernel
            .squared_distance_of_inputs(squared / self.factor)
    }

    fn linear_factor(&self) -> Option<K::Scalar> {
        Some(self.factor * self.kernel.linear_factor()?)
    }
}
